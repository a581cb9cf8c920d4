"""The table server over real sockets: whole games, bad input, and nothing that a seat may not see."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy
import uvicorn
from websockets.exceptions import ConnectionClosed

from outbid import read_record
from outbid.bots import choose
from outbid.core import contract
from outbid.core.errors import OutbidError
from outbid.core.options import MOST
from outbid.core.rulebook import rulebooks
from outbid.server import main
from outbid.server.domain import scene
from outbid.server.domain.commands import Command
from outbid.server.domain.setup import Order
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.web import pages
from tests.support.checks import checks
from tests.support.commands import outbid_command, started
from tests.support.houses import newcomer, own_server
from tests.support.profile import DEEP
from tests.support.serving import (
    JSON,
    SHORT,
    TRUSTED,
    Person,
    at_once,
    get,
    hear,
    line_to,
    play_out,
    sentence,
    serving,
    some_move,
    unmarked,
    until,
)

server = own_server()  # for all tests that do not stop it
ada, ben = newcomer(), newcomer()


# --- a table from beginning to end ------------------------------------------------------------------------------------


@pytest.mark.parametrize("bots", ["random", "steady"])
def test_a_whole_game_is_played_over_http_and_leaves_a_record_that_verifies(ada: Person, bots: str):
    ada.order(**SHORT, bots=bots)
    rng = random.Random(3)
    while (seen := ada.asked())["table"]["status"] != "over":
        answer = ada.send(some_move(seen, rng), seen["decision"])
        assert answer.json()["ok"], answer.text
    record = ada.http.get(f"/t/{ada.table}/record")
    match = read_record(record.json())
    assert match.over
    assert match.scores == seen["scores"]
    assert match.winners == seen["winners"]
    assert record.headers["content-disposition"].startswith("attachment")
    for eyes in ("open", "spectator", "0", "2"):
        assert (
            ada.http.get(f"/t/{ada.table}/replay", params={"move": len(match.moves) // 2, "seat": eyes}).status_code == 200
        )


def test_friends_join_by_link_with_a_nickname_and_the_match_begins_when_all_seats_are_taken(ada: Person, ben: Person):
    link = ada.order(bots="open")
    assert ada.now()["table"]["status"] == "open"
    ben.join(ada.table, "Ben")
    taken = Person(str(ada.http.base_url))
    taken.table = ada.table
    for name in ("ben", "", "x" * 25, "a\u202eb", "You"):
        sentence(taken.http.post(f"/t/{ada.table}/join", data={"name": name}, headers=JSON), 400)
    page = taken.http.post(f"/t/{ada.table}/join", data={"name": "ben"})
    assert page.status_code == 400
    assert 'value="ben"' in page.text, "what was typed is there to be changed"
    assert "called Ben already" in page.text.partition('id="name-error"')[2].partition("</span>")[0], "where it was typed"
    assert sentence(ben.http.post(f"/t/{ada.table}/join", data={"name": "Ben"}, headers=JSON), 409)
    assert "Only who made the table" in sentence(
        ben.http.post(f"/t/{ada.table}/fill", data={"bot": "random"}, headers=JSON), 403
    )
    assert ada.http.post(f"/t/{ada.table}/fill", data={"bot": "random"}, headers=JSON).status_code == 200
    seen = ada.now()
    assert seen["table"]["status"] == "playing"
    assert [seat["name"] for seat in seen["seats"]] == ["Ada", "Ben", "Bruno"]
    assert "taken" in sentence(taken.http.post(f"/t/{ada.table}/join", data={"name": "Cy"}, headers=JSON), 409)
    assert taken.now()["you"] == -1
    assert taken.take(link).status_code == 200
    assert taken.now()["you"] == 0
    taken.http.close()


def test_who_has_played_here_is_not_asked_for_the_nickname_again(tmp_path: Path):
    called = 'value="O&#39;Ada &lt;3"'
    with serving(tmp_path / "tables.db") as address:
        ada, ben = Person(address), Person(address)
        assert called not in ada.http.get("/").text
        ada.order(name="Somebody else")
        ada.order(name="O'Ada <3")  # the newest counts
        assert ada.http.get("/").text.count(called) == 1, "there is one field for it"
        assert all(ada.http.get(f"/new/{game}").text.count(called) == 1 for game in rulebooks())
        assert "signed in" not in ada.http.get("/").text
        ben.order(bots="open", name="Ben")
        assert called in ada.http.get(f"/t/{ben.table}").text
        ada.http.cookies.set(f"seat-{ben.table}", "x" * 22)  # no seat's token says nothing
        ada.http.cookies.set("seat-nowhere", ada.token)
        assert ada.http.get("/").text.count(called) == 1
        stranger = Person(address)
        assert 'autocomplete="nickname" value=""' in stranger.http.get(f"/t/{ben.table}").text
        for one in (ada, ben, stranger):
            one.http.close()


def test_a_cookie_is_httponly_and_lax_and_the_database_never_holds_the_token(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        ada = Person(address)
        token = ada.order().rsplit("/", 1)[1]
        cookie = ada.take(f"/t/{ada.table}/seat/{token}").headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        ada.http.close()
    assert all(token.encode() not in path.read_bytes() for path in tmp_path.iterdir())


def test_every_page_can_be_opened_by_whoever_may(ada: Person, ben: Person):
    ada.order(bots="open")
    ben.table = ada.table
    for path in ("/", "/rules/kuhhandel", f"/t/{ada.table}", f"/t/{ada.table}/seat", "/static/base.css"):
        answer = ada.http.get(path)
        assert answer.status_code == 200, path
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert "Take a seat" in ben.http.get(f"/t/{ada.table}").text
    assert ben.http.get(f"/t/{ada.table}/seat").status_code == 403
    ada.http.post(f"/t/{ada.table}/fill", data={"bot": "random"})
    for person in (ada, ben):
        page = person.http.get(f"/t/{ada.table}").text
        assert all(f'id="{name}"' in page for name in pages.REGIONS)
        assert "style=" not in page
        assert person.http.get(f"/t/{ada.table}/replay?move=0").status_code == 200


def test_the_pace_can_be_set_paused_and_skipped_by_who_plays_and_by_nobody_else(ada: Person, ben: Person):
    ada.order(pace="slow")
    ben.table = ada.table
    assert "only who has a seat" in sentence(ben.http.post(f"/t/{ada.table}/pace", data={"pace": "fast"}, headers=JSON), 403)
    assert "no pace" in sentence(ada.http.post(f"/t/{ada.table}/pace", data={"pace": "warp"}, headers=JSON), 400)
    for fields in ({"pace": "fast"}, {"paused": "true"}, {"paused": "false"}, {"skip": "true"}):
        assert ada.http.post(f"/t/{ada.table}/pace", data=fields, headers=JSON).json() == {"ok": True}
    assert ada.now()["table"]["pace"] == "fast"


def test_in_a_realtime_auction_the_clock_closes_when_nobody_bids_any_more(tmp_path: Path):
    with serving(tmp_path / "tables.db", auction_seconds=0.3) as address:
        ada = Person(address)
        ada.order(**{"option:bidding": "realtime", "bots": "steady"})
        rng = random.Random(5)
        closed = 0
        while closed < 2:
            seen = ada.asked()
            if seen["view"]["phase"] == "bid":
                assert seen["table"]["closes"]
                time.sleep(0.05)
            else:
                assert ada.send(some_move(seen, rng), seen["decision"]).json()["ok"]
            auction = [line["text"] for line in seen["log"] if "turn over" in line["text"] or "turns over" in line["text"]]
            closed = len(auction) - (seen["view"]["phase"] == "bid")
        ada.http.close()


@pytest.mark.slow
def test_a_realtime_auction_goes_on_after_a_restart(tmp_path: Path):
    ada = Person("http://127.0.0.1")
    with serving(tmp_path / "tables.db", auction_seconds=600) as address:
        ada.http.base_url = address
        link = ada.order(**{"option:bidding": "realtime", "preset": "seed", "bots": "steady"})
        while (seen := ada.now())["view"]["phase"] != "bid":
            if seen["decision"] is not None:
                ada.send({"do": "auction"}, seen["decision"])
        assert seen["table"]["closes"]
    with serving(tmp_path / "tables.db", auction_seconds=0.2) as address:
        again = Person(address)
        again.table = ada.table
        assert again.take(link).status_code == 200
        before = [line["text"] for line in seen["log"]]
        while (seen := again.now())["view"]["phase"] == "bid" or len(seen["log"]) <= len(before):
            assert seen["table"]["closes"] or seen["view"]["phase"] != "bid"
            time.sleep(0.02)
        assert [line["text"] for line in seen["log"]][: len(before)] == before
        again.http.close()
    ada.http.close()


# --- commands ---------------------------------------------------------------------------------------------------------


def test_a_move_sent_twice_has_one_effect_and_the_same_answer(ada: Person):
    ada.order()
    seen = ada.asked()
    ada.http.post(f"/t/{ada.table}/pace", data={"paused": "true"})
    move, command = some_move(seen, random.Random(1)), str(uuid.uuid4())
    first = ada.send(move, seen["decision"], command)
    count = len(ada.now()["log"])
    assert first.json()["ok"]
    for _ in range(3):
        again = ada.send(move, seen["decision"], command)
        assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert len(ada.now()["log"]) == count


def test_a_form_without_script_sent_twice_is_one_command(ada: Person):
    ada.order()
    seen = ada.asked()
    ada.http.post(f"/t/{ada.table}/pace", data={"paused": "true"})
    fields = {"decision": seen["decision"], "move": json.dumps(some_move(seen, random.Random(1)))}
    if "amount" not in fields["move"] and "cards" not in fields["move"]:
        for _ in range(2):
            answer = ada.http.post(f"/t/{ada.table}/move", data=fields)
            assert answer.status_code == 303
            assert answer.headers["location"] == f"/t/{ada.table}"


def test_a_refused_command_sent_again_is_refused_in_the_same_words(ada: Person):
    ada.order()
    seen = ada.asked()
    command = str(uuid.uuid4())
    first = ada.send({"do": "bid", "amount": 7}, seen["decision"], command)
    legal = ada.send(some_move(seen, random.Random(1)), seen["decision"], command)
    assert sentence(first, 422) == sentence(legal, 422)
    assert ada.now()["decision"] == seen["decision"]


def test_an_answer_to_an_older_question_is_stale_and_brings_the_table_as_it_stands(ada: Person):
    ada.order()
    rng = random.Random(2)
    first = ada.asked()
    ada.send(some_move(first, rng), first["decision"])
    seen = ada.asked()
    answer = ada.send(some_move(seen, rng), first["decision"])
    assert "moved on" in sentence(answer, 409)
    assert answer.json()["stale"]
    assert answer.json()["now"]["decision"] == seen["decision"]


def test_out_of_turn_is_refused_by_naming_who_is_asked(ada: Person, ben: Person):
    ada.order(bots="open", players=3)
    ben.join(ada.table, "Ben")
    cy = Person(str(ada.http.base_url))
    cy.join(ada.table, "Cy")
    everybody = [ada, ben, cy]
    seen = ada.now()
    mover = seen["view"]["asked"][0]
    other = everybody[(mover + 1) % 3]
    refusal = sentence(other.send({"do": "auction"}, 0), 409)
    assert seen["seats"][mover]["name"] in refusal
    assert everybody[mover].send({"do": "auction"}, 0).json()["ok"]
    cy.http.close()


def test_nobody_moves_for_another_seat(ada: Person, ben: Person):
    ada.order(bots="open", players=3)
    ben.join(ada.table, "Ben")
    ada.http.post(f"/t/{ada.table}/fill", data={"bot": "random"})
    ben.http.cookies.clear()
    ben.http.cookies.set(f"seat-{ada.table}", "A" * 22)
    seen = ada.now()
    assert "watching" in sentence(ben.send({"do": "auction"}, 0), 403)
    fields = {"decision": 0, "move": json.dumps({"do": "auction", "seat": seen["view"]["turn"]})}
    assert "does not name a seat" in sentence(ada.http.post(f"/t/{ada.table}/move", data=fields, headers=JSON), 400)


BAD_FIELDS: list[dict[str, Any]] = [
    {},
    {"do": "auction"},
    {"decision": "first", "do": "auction"},
    {"decision": 0},
    {"decision": 0, "do": "dance"},
    {"decision": 0, "do": ""},
    {"decision": 0, "do": "auction", "colour": "red"},
    {"decision": 0, "do": "auction", "command": "twice"},
    {"decision": 0, "do": "bid", "int:amount": "lots"},
    {"decision": 0, "do": "bid", "int:amount": "9" * 400},
    {"decision": 0, "do": "offer", "cards:10": "-1"},
    {"decision": 0, "do": "offer", "cards:10": "99999999"},
    {"decision": 0, "do": "offer", "cardsharp": "1"},
    {"decision": 0, "move": "{"},
    {"decision": 0, "move": "[" * 5000},
    {"decision": 0, "move": "[1]"},
    {"decision": 0, "move": '{"do": NaN}'},
    {"decision": 0, "move": '{"do": "bid", "amount": 1e400}'},
    {"decision": 0, "move": '{"do": {"do": "bid"}}'},
    {"decision": 0, "move": '{"do": "trade", "with": 99, "animal": "cow"}'},
    {"decision": 0, "move": '{"do": "\\ud800"}'},
    {"decision": 0, "move": '{"do": "auction"}', "do": "auction"},
    {"decision": 0, "move": '{"do": "auction", "cards": null}'},
    {"decision": 0, "move": '{"do": "auction", "amount": 10}'},
]


@pytest.mark.parametrize("fields", BAD_FIELDS, ids=lambda f: json.dumps(f)[:60])
def test_a_malformed_move_is_refused_in_one_sentence_and_changes_nothing(ada: Person, fields: dict[str, Any]):
    ada.order()
    seen = ada.asked()
    if fields.get("decision") == 0:
        fields = {**fields, "decision": seen["decision"]}
    answer = ada.http.post(f"/t/{ada.table}/move", data=fields, headers=JSON)
    assert answer.status_code in (400, 422)
    sentence(answer, answer.status_code)
    assert ada.now() == seen
    page = ada.http.post(f"/t/{ada.table}/move", data=fields)
    assert page.status_code == answer.status_code
    assert "Back to the table" in page.text


def test_a_form_asks_for_no_number_beyond_what_its_hint_says(ada: Person):
    page = ada.http.get("/new/kuhhandel").text
    assert '<input id="kuhhandel-trade_stall" name="option:trade_stall" type="number" min="0" step="1"' in page
    page = "".join(ada.http.get(f"/new/{game}").text for game in rulebooks())
    assert str(MOST) not in page
    assert '<datalist id="claim-wild_worth-words"><option value="kept">' in page, "what may be written besides a number"


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "chess"}, {"players": "two"}, {"players": "9"}, {"players": ""}, {"bots": "deep-blue"}, {"bot:7": "random"},
        {"preset": "none"}, {"option:bid_step": "7"}, {"option:copies": "0,0"}, {"option:luck": "1"}, {"name": ""},
        {"pace": "warp"}, {"admin": "true"},
    ],
    ids=str,
)  # fmt: skip
def test_an_order_that_cannot_be_is_refused_by_naming_what_is_wrong(ada: Person, fields: dict[str, str]):
    wanted = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "random"}
    sentence(ada.http.post("/tables", data=wanted | fields, headers=JSON), 400)


def test_a_body_of_a_megabyte_is_refused_whatever_it_claims_to_be(ada: Person):
    ada.order()
    path = f"/t/{ada.table}/move"
    assert "16384 bytes" in sentence(ada.http.post(path, data={"move": "x" * 2**20}, headers=JSON), 413)

    def lying():
        for _ in range(64):
            yield b"x" * 2**14

    with contextlib.suppress(httpx.WriteError):
        assert ada.http.post(path, content=lying(), headers=JSON).status_code == 413


def test_what_is_not_a_form_is_refused(ada: Person):
    ada.order()
    path = f"/t/{ada.table}/move"
    sentence(ada.http.post(path, json={"do": "auction"}, headers=JSON), 415)
    form = {**JSON, "Content-Type": "application/x-www-form-urlencoded"}
    for body in (b"\xff\xfe", b"a=%ff", b"novalue", b"&".join(b"a=1" for _ in range(500))):
        sentence(ada.http.post(path, content=body, headers=form), 400)


def test_wrong_links_are_answered_with_a_sentence_on_a_page(ada: Person):
    ada.order()
    for path, status in (("/t/nowhere", 404), (f"/t/{ada.table}/seat/wrong", 403), ("/elsewhere", 404),
                         ("/rules/chess", 404), (f"/t/{ada.table}/replay?move=9999", 400),
                         (f"/t/{ada.table}/replay?seat=open", 403),
                         (f"/t/{ada.table}/replay?seat=1", 403), (f"/t/{ada.table}/replay?seat=x", 400),
                         (f"/t/{ada.table}/replay?shadow=1", 400), ("/t/nowhere/record", 404)):  # fmt: skip
        page = ada.http.get(path)
        assert page.status_code == status, path
        assert '<p class="panel">' in page.text
        sentence(ada.http.get(path, headers=JSON), status)
    assert ada.http.get("/t/<script>alert(1)</script>").text.count("<script") == 0
    assert sentence(ada.http.delete("/", headers=JSON), 405)


def test_the_record_is_refused_while_the_match_is_not_over(ada: Person):
    ada.order()
    assert "when the match is over" in sentence(ada.http.get(f"/t/{ada.table}/record", headers=JSON), 409)


@pytest.mark.parametrize(
    "header", [{"Origin": "https://evil.example"}, {"Referer": "https://evil.example/x"}, {"Origin": "null"}]
)
def test_a_form_of_another_site_is_refused(ada: Person, header: dict[str, str]):
    ada.order()
    assert "another site" in sentence(
        ada.http.post(f"/t/{ada.table}/pace", data={"pace": "fast"}, headers=JSON | header), 403
    )


def test_a_move_that_cannot_be_written_down_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    table = table_for(tmp_path, "kuhhandel", {})
    seat = table.asked[0]

    async def play(name: str) -> Any:
        return await table.play(seat, Command(name, 0, {"do": "auction"}))

    with monkeypatch.context() as broken:
        nowhere = sqlalchemy.text("insert into nowhere values (1)")
        broken.setattr(table.store.writer, "insert", lambda db, rows: db.execute(nowhere))
        outcome = asyncio.run(play("a"))
    assert (outcome.status, outcome.ok) == (503, False)
    assert table.playing.moves == []
    assert table.asked == (seat,)
    assert asyncio.run(play("b")).ok
    assert len(table.playing.moves) == 1


def test_two_servers_on_one_database_never_make_a_move_twice(tmp_path: Path):
    """The second finds the move of the first when it appends its own, and goes on from there."""
    one = table_for(tmp_path, "kuhhandel", {})
    other = Tables(one.store, one.settings).get(one.id)
    seat = one.asked[0]

    async def play(table: Table, name: str, decision: int) -> Any:
        return await table.play(table.asked[0] if table is one else seat, Command(name, decision, {"do": "auction"}))

    assert asyncio.run(play(one, "a", 0)).ok
    outcome = asyncio.run(play(other, "b", 0))
    assert outcome.stale
    assert other.playing.record() == one.playing.record()
    assert asyncio.run(play(other, "a", 0)).ok


def test_a_bid_counts_also_where_another_server_and_somebody_who_looks_were_faster(tmp_path: Path):
    """Its number is taken when it is to be written, and the table has been read anew before that is known."""
    one = table_for(tmp_path, "money", {})
    other = Tables(one.store, one.settings).get(one.id)
    nothing = {"do": "bid", "cards": [], "bluff": True}
    written = one.store.appended

    class Slow:
        def __getattr__(self, name: str) -> Any:
            return getattr(other.store, name)

        async def appended(self, *args: Any) -> None:
            one.store = other.store
            assert (await other.play(1, Command("b", 0, nothing))).ok
            one.catch_up()
            await written(*args)

    async def play() -> Any:
        one.store = Slow()  # type: ignore[assignment]
        return await one.play(0, Command("a", 0, nothing))

    assert asyncio.run(play()).ok
    assert [move["seat"] for move in one.playing.moves] == [1, 0]


# --- the socket -------------------------------------------------------------------------------------------------------


def test_the_socket_sends_all_regions_then_those_that_changed_and_only_new_lines_of_the_log(ada: Person):
    ada.order()
    seen = ada.asked()
    ada.http.post(f"/t/{ada.table}/pace", data={"paused": "true"})
    with line_to(ada) as line:
        first = hear(line, "regions")
        assert set(first["regions"]) == {*pages.REGIONS, pages.CHAT}
        assert first["yours"]
        name = str(uuid.uuid4())
        fields = {"decision": seen["decision"], "move": json.dumps(next(c["move"] for c in seen["legal"] if len(c) == 2))}
        line.send(json.dumps({"type": "move", "id": name, "fields": fields}))
        assert json.loads(line.recv(timeout=20)) == {"type": "receipt", "id": name}
        assert json.loads(line.recv(timeout=20)) == {"type": "ack", "id": name, "ok": True, "error": None, "stale": False}
        news = hear(line, "regions")
        assert "log" not in news["regions"]
        assert news["append"]["log"].startswith("<li")
        assert news["version"] == first["version"] + 1


def test_whoever_watches_gets_the_moves_of_others(ada: Person, ben: Person):
    ada.order()
    ben.table = ada.table
    seen = ada.asked()
    with line_to(ben) as line:
        first = hear(line, "regions")
        assert not first["yours"]
        ada.send(some_move(seen, random.Random(4)), seen["decision"])
        assert hear(line, "regions")["version"] > first["version"]
        line.send(json.dumps({"type": "move", "id": str(uuid.uuid4()), "fields": {"decision": 0, "do": "auction"}}))
        assert "watching" in hear(line, "ack")["error"]


@pytest.mark.parametrize(
    "message",
    ["", "{", "[]", "1", '"move"', "{}", '{"type": "move"}', '{"type": "move", "id": 5}',
     '{"type": "move", "id": "x", "fields": []}',
     '{"type": "move", "id": "x", "fields": {}}', '{"type": "move", "id": "x", "fields": {}, "seat": 1}',
     '{"type": "dance", "id": "x", "fields": {}}', '{"type": "move", "id": "x", "fields": {"decision": [[1]]}}',
     '{"type": "move", "id": "x", "fields": {"decision": null, "do": true}}', "[" * 3000],
)  # fmt: skip
def test_a_frame_that_is_no_move_is_answered_with_a_sentence_and_the_line_stays_open(ada: Person, message: str):
    ada.order()
    with line_to(ada) as line:
        hear(line, "regions")
        for _ in range(2):
            line.send(message)
            ack = hear(line, "ack")
            assert not ack["ok"]
            assert ack["error"].endswith((".", "…"))


def test_a_frame_of_a_megabyte_closes_the_line_and_nothing_else(ada: Person):
    ada.order()
    seen = ada.asked()
    with line_to(ada) as line:
        hear(line, "regions")
        line.send("x" * 2**20)
        with pytest.raises(ConnectionClosed):
            line.recv(timeout=20)
    assert ada.now()["decision"] == seen["decision"]


def test_a_page_of_another_site_gets_no_socket(ada: Person):
    ada.order()
    with line_to(ada, origin="https://evil.example") as line:  # type: ignore[arg-type]
        assert json.loads(line.recv(timeout=20))["type"] == "error"
        with pytest.raises(ConnectionClosed):
            line.recv(timeout=20)


def test_the_socket_of_an_unknown_table_says_so(ada: Person):
    ada.table = "nowhere"
    with line_to(ada) as line:
        assert "no such table" in json.loads(line.recv(timeout=20))["error"]


def test_who_waits_for_others_is_told_when_somebody_sits_down(ada: Person, ben: Person):
    ada.order(bots="open")
    with line_to(ada) as line:
        time.sleep(0.05)
        ben.join(ada.table, "Ben")
        assert json.loads(line.recv(timeout=20)) == {"type": "reload"}


# --- nothing leaks ----------------------------------------------------------------------------------------------------

HIDDEN = {"hand_count_view": "hidden", "offer_count_view": "hidden"}
ALL_FIVE = dict.fromkeys(("wild_wagers", "zero_risk", "bad_investment", "action_fund", "shopping_spree"), True)
WORLDS = [
    ("kuhhandel", {"quick_deal4": True, **HIDDEN}),  # so that there is a trade before all moves are made
    pytest.param("kuhhandel", {}, marks=pytest.mark.deep),
    ("kuhhandel", {"bidding": "realtime", "overbid": "forbidden"}),
    ("money", {}),
    pytest.param(
        "money", {"bid_counts": "visible_on_commit", "memory_aid": "on", "coins": "silver_gold"}, marks=pytest.mark.deep
    ),
    ("rivals", {"gold_open": False}),
    ("claim", {}),
    pytest.param("claim", ALL_FIVE, marks=pytest.mark.deep),
]  # make test looks at each game, and at an auction by outcry


async def all_that_leaves(table: Table, seat: int) -> tuple[Any, ...]:
    """Everything the server would tell a seat now: regions, view, and what it says to nonsense."""
    seen = scene.live(table, seat, "http://here")
    regions = pages.render_regions(seen)
    said: list[Any] = []
    if seat >= 0:
        for n, move in enumerate([{}, {"do": "sit"}, *checks(table.book).WRONG]):
            try:
                table.playing.copy().play(seat, move)
            except OutbidError:
                said.append(await table._answer(seat, Command(f"{n}", table.decisions.get(seat, 0), move)))
                assert not said[-1].ok
    return regions, scene.as_json(seen), said


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), WORLDS, ids=str)
@pytest.mark.deeper
def test_what_a_seat_cannot_know_changes_no_byte_of_what_it_is_sent(tmp_path: Path, game: str, options: dict[str, Any]):
    """Also in the middle of an offer: the true state is redealt under a live table and everything rendered again."""
    phases: dict[str, int] = {}
    other_worlds = 0

    async def play() -> None:
        nonlocal other_worlds
        table = table_for(tmp_path, game, options)
        rng = random.Random(11)
        for number in range(150):
            match = table.playing
            if match.over:
                break
            seats = [*match.asked, *([None] if match.clock else [])]
            seat = rng.choice([s for s in seats if s is None or match.legal(s)])
            move: Any = {"do": "close"} if seat is None else choose(match, seat, "random", number).actions
            await table.act(len(match.moves), seat, move, ("", ""))
            phase = match.view(-1)["phase"]
            phases[phase] = phases.get(phase, 0) + 1
            if match.over or (phases[phase] > 2 and number % (7 if DEEP else 14)):
                continue  # when it is over, hands are turned over
            for viewer in range(-1, 4):
                truth, before = match.state, await all_that_leaves(table, viewer)
                for seed in range(2 if DEEP or game == "claim" else 1):  # which is short
                    match.state = truth.copy()
                    contract.redeal(match.state, viewer, seed)
                    other_worlds += match.state != truth
                    assert await all_that_leaves(table, viewer) == before, (number, phase, viewer)
                match.state = truth

    asyncio.run(play())
    assert len(phases) >= 2
    assert other_worlds > 30


def table_for(folder: Path, game: str, options: dict[str, Any]) -> Table:
    """A live table of four people."""
    settings = Settings(url_of(str(folder / "tables.db")), auction_seconds=10_000)
    tables = Tables(Store(settings.database), settings)
    table, _ = at_once(tables.create(Order(game, 4, "Ada", options=options, seed=4)))
    for name in ("Ben", "Cy", "Dee"):
        at_once(table.join(name))
    return table


def test_neither_deck_nor_hands_nor_seeds_nor_private_reasons_leave_before_the_end(tmp_path: Path):
    """All bytes a spectator can get of a running table, searched for what is in the database."""
    with serving(tmp_path / "tables.db") as address:
        ada, eve = Person(address), Person(address)
        ada.order(bots="steady", preset="seed", players=4)
        rng = random.Random(8)
        for _ in range(15):
            seen = ada.asked()
            if seen["table"]["status"] == "over":
                break
            ada.send(some_move(seen, rng), seen["decision"])
        eve.table = ada.table
        eve.asked = eve.now  # type: ignore[method-assign]
        said = eve.http.get(f"/t/{ada.table}").text + json.dumps(eve.now()) + eve.http.get(f"/t/{ada.table}/replay").text
        ada.http.close()
        eve.http.close()
    db = sqlite3.connect(tmp_path / "tables.db")
    seeds = [str(row[0]) for row in db.execute("select seed from seats")]
    reasons = list(db.execute("select public, private from moves where private is not public"))
    deck = json.loads(db.execute("select deal from tables").fetchone()[0])["deck"]
    db.close()
    assert reasons
    private = [sentence for _, stored in reasons for sentence in json.loads(stored).values()]
    secrets = [*seeds, *private, json.dumps(deck[-8:])[1:-1]]
    assert not [secret for secret in secrets if secret in said]


@pytest.mark.slow
def test_the_private_reason_of_a_bot_is_shown_when_the_match_is_over_and_not_before(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        ada = Person(address)
        ada.order(bots="steady")
        play_out(ada)
        live = [line["reason"] for line in ada.now()["log"]]
        looked = ada.http.get(f"/t/{ada.table}/replay?seat=open", headers=JSON).json()
        back = [line["reason"] for line in looked["log"]]
        ada.http.close()
    db = sqlite3.connect(tmp_path / "tables.db")
    private = {json.loads(row[0])["en"] for row in db.execute("select private from moves where private is not public")}
    db.close()
    assert private & set(back)
    assert not private & set(live)


# --- starting ---------------------------------------------------------------------------------------------------------


def refused_start(**settings: Any) -> str:
    """What a server that cannot start prints."""
    run = outbid_command("serve", *(f"--{name}={value}" for name, value in settings.items()))
    assert run.returncode == 2
    assert run.stdout == ""
    lines = run.stderr.strip().splitlines()
    assert len(lines) == 1, run.stderr
    return lines[0]


def test_a_port_in_use_is_one_sentence(tmp_path: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port}" in refused_start(port=port, database=str(tmp_path / "t.db"))


def test_a_database_of_another_version_is_one_sentence_and_stays_as_it_is(tmp_path: Path):
    path = tmp_path / "tables.db"
    Store(url_of(str(path))).close()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update alembic_version set version_num = '9999'")
    db.close()
    assert "another version of Outbid" in refused_start(port=0, database=str(path))
    db = sqlite3.connect(path)
    assert db.execute("select version_num from alembic_version").fetchall() == [("9999",)]
    db.close()


@pytest.mark.slow
def test_a_file_that_is_no_database_of_outbid_is_one_sentence_and_stays_as_it_is(tmp_path: Path):
    text = tmp_path / "notes.txt"
    text.write_text("buy milk\n" * 400)
    assert "not a database" in refused_start(port=0, database=str(text))
    assert text.read_text() == "buy milk\n" * 400
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as db, db:
        db.execute("create table cows (name text)")
    db.close()
    assert "another program" in refused_start(port=0, database=str(other))
    for database in ("nosuch://x", str(tmp_path / "notes.txt" / "x.db"), str(tmp_path)):
        assert refused_start(port=0, database=database)


@pytest.mark.parametrize("name", ["sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:///file:x?mode=memory&uri=true"])
@pytest.mark.slow
def test_a_database_in_memory_is_no_database_of_a_server(name: str):
    assert "is no file" in refused_start(port=0, database=name)


def test_the_usual_port_gives_way_to_the_next(tmp_path: Path):
    with serving(tmp_path / "a.db", port=None) as one, serving(tmp_path / "b.db", port=None) as two:
        assert one != two
        assert get(f"{two}/healthz").text == "ok"


def test_play_makes_a_table_and_prints_its_seat_link(tmp_path: Path):
    table = {"game": "kuhhandel", "players": 3, "name": "Ada", "bots": ["steady", "random"], "options": {}, "seed": 5}
    with serving(tmp_path / "tables.db", table=table) as link:
        assert "/seat/" in link
        assert "Play as Ada?" in unmarked(get(link, verify=TRUSTED).text)
        with httpx.Client(timeout=60) as here:
            answer = here.post(link, follow_redirects=True)
        assert answer.status_code == 200
        assert "Bruno" in answer.text
    with pytest.raises(OutbidError, match="no bot"):
        at_once(Tables(Store("sqlite://"), Settings("sqlite://")).create(Order("kuhhandel", 3, "Ada", ["x"])))


def test_the_database_keeps_every_commit_on_disk(tmp_path: Path):
    opened = Store(url_of(str(tmp_path / "tables.db")))
    with opened.engine.connect() as db:
        assert db.exec_driver_sql("pragma journal_mode").scalar() == "wal"
        assert db.exec_driver_sql("pragma synchronous").scalar() == 2
    opened.close()
    assert os.path.getsize(tmp_path / "tables.db") > 0


def test_two_servers_that_do_not_listen_yet_do_not_wait_at_the_same_port():
    """As behind a proxy, where several are started together; nobody comes in before they can answer."""
    with closing(main.listen("127.0.0.1", 0, at_once=False)) as first:
        port = first.getsockname()[1]
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
        with pytest.raises(OutbidError, match=f"cannot listen at 127.0.0.1 on port {port}: "):
            main.listen("127.0.0.1", port, at_once=False)
        first.listen()
        socket.create_connection(("127.0.0.1", port)).close()
        with pytest.raises(OutbidError, match=f"on port {port}: "):
            main.listen("127.0.0.1", port, at_once=False)
    main.listen("127.0.0.1", port, at_once=False).close()


def test_a_server_whose_port_somebody_has_taken_meanwhile_says_so_and_ends():
    told: list[str] = []

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        for begun in ("startup", "shutdown"):
            assert (await receive())["type"] == f"lifespan.{begun}"
            told.append(begun)
            await send({"type": f"lifespan.{begun}.complete"})

    with closing(main.listen("127.0.0.1", 0, at_once=False)) as door:
        port = door.getsockname()[1]
        with closing(main.listen("127.0.0.1", port)):
            server = main.Server(uvicorn.Config(app, log_config=None, lifespan="on"), door, lambda: told.append("where"))
            with pytest.raises(OutbidError, match=f"The server cannot listen at 127.0.0.1 on port {port}: .*in use"):
                server.run(sockets=[door])
    assert told == ["startup", "shutdown"]


@pytest.mark.parametrize("settings", [{"backlogs": 3}, {"limits": {"backlogs": 3}}, {"lan": "http://x"}])
def test_a_setting_that_there_is_not_is_named(settings: dict[str, Any]):
    with pytest.raises(TypeError, match=r"run\(\) takes no '(backlogs|lan)'"):
        main.run(workers=0, **settings)


HEAVY = ("alembic", "mako", "numba", "numpy", "openskill", "pygments", "rich")
SERVE = f"""if True:
    import atexit, contextlib, sys
    from outbid.server.main import run

    atexit.register(lambda: print("loaded", *(set({HEAVY}) & sys.modules.keys()), flush=True))
    with contextlib.suppress(KeyboardInterrupt):
        run(port=0, database=sys.argv[1], workers=0)
"""


@pytest.mark.slow
def test_a_server_answers_before_it_has_loaded_what_takes_long(tmp_path):
    """What nobody has asked for yet: migrations of a database that is up to date, nets, reviews, ratings. Claim's bots learn
    nothing of the others, which would need NumPy."""
    database = tmp_path / "tables.db"
    Store(url_of(str(database))).close()
    command = [sys.executable, "-c", SERVE, str(database)]
    with started(command, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().split()[-1]
        with httpx.Client(base_url=address, follow_redirects=True, timeout=60) as http:
            assert http.get("/healthz").text == "ok"
            assert http.post("/play", data={"game": "claim"}).status_code == 200
            assert http.get("/").status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.stdout.read().split() == ["loaded"]


KILLED = """
import os, sys
from tests.support.serving import start
print(start(sys.argv[1])[1], flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with another")
def test_a_server_of_a_run_that_is_killed_ends_with_it(tmp_path: Path):
    run = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "t.db")], capture_output=True, text=True, timeout=120)
    host, port = run.stdout.strip().removeprefix("http://").split(":")

    def ended() -> bool:
        with socket.socket() as line:
            return line.connect_ex((host, int(port))) != 0

    until(ended)
