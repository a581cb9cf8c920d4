"""Who sits where: what the host decides before a match, listed tables, leaving and coming back, the next table."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import select
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from outbid.server.tokens import heir_of
from outbid.server.web import qr
from tests.support.browsing import DESK, PHONE, fits, visitor
from tests.support.commands import started
from tests.support.houses import own_server
from tests.support.postgres import Cluster
from tests.support.serving import (
    JSON,
    SHORT,
    Person,
    get,
    hear,
    line_to,
    people,
    play_out,
    sentence,
    serving,
    some_move,
    unmarked,
    until,
)

pytestmark = pytest.mark.slow

PASSWORD = "seven red cows"


def ask(person: Person, what: str, /, **fields: Any) -> httpx.Response:
    """A form of the table, sent by a program."""
    return person.http.post(f"/t/{person.table}/{what}", data=fields, headers=JSON)


def ok(person: Person, what: str, /, **fields: Any) -> None:
    """A form that is accepted."""
    answer = ask(person, what, **fields)
    assert answer.status_code in (200, 201), answer.text


def kinds(person: Person) -> list[str]:
    """Who sits at the table."""
    return [seat["kind"] for seat in person.now()["seats"]]


def status(person: Person) -> str:
    """open, playing or over."""
    return str(person.now()["table"]["status"])


# --- the host, before the start ---------------------------------------------------------------------------------------


def test_the_host_fills_single_seats_with_bots_of_a_kind_and_opens_them_again(address: str):
    with people(address) as (ada, ben):
        ada.order(players=4, bots="open")
        ok(ada, "seats", seat=2, who="steady")
        ok(ada, "seats", seat=1, who="random")
        assert kinds(ada) == ["human", "bot", "bot", "open"]
        ok(ada, "seats", seat=2, who="random")
        ok(ada, "seats", seat=1, who="open")
        assert kinds(ada) == ["human", "open", "bot", "open"]
        ben.join(ada.table, "Ben")
        assert kinds(ada) == ["human", "human", "bot", "open"]
        assert status(ada) == "open"
        ok(ada, "seats", seat=3, who="steady")
        assert status(ada) == "playing"


def test_the_host_removes_somebody_who_sat_down_and_their_browser_only_watches_then(address: str):
    with people(address, 3) as (ada, ben, cy):
        ada.order(bots="open")
        ben.join(ada.table, "Ben")
        with line_to(ben) as line:
            ok(ada, "seats", seat=1, who="open")
            assert hear(line, "reload")
            assert ben.now()["you"] == -1
            assert "the seat was opened again" in ben.http.get(f"/t/{ada.table}").text
            cy.join(ada.table, "Cy")
            ok(ada, "seats", seat=2, who="random")
            line.send(json.dumps({"type": "move", "id": str(uuid.uuid4()), "fields": {"decision": "0", "do": "auction"}}))
            ok(ada, "pace", paused="true")
            said: dict[str, Any] = {}
            while not said.keys() >= {"ack", "regions"}:
                message = json.loads(line.recv(timeout=20))
                said.setdefault(message["type"], message)
            assert "watching" in said["ack"]["error"]  # nor does the line that was Ben's play for Cy
            assert "watching" in said["regions"]["regions"]["bar"]
        assert cy.now()["you"] == 1


def test_the_host_chooses_whether_it_starts_by_itself_when_full_or_by_the_button(address: str):
    with people(address) as (ada, ben):
        ada.order(players=3, bots="random,open")
        ok(ada, "house", starts="host")
        ben.join(ada.table, "Ben")
        assert status(ada) == "open"
        ok(ada, "start")
        assert status(ben) == "playing"
        ada.order(players=3, bots="random", starts="host")
        assert status(ada) == "open"
        sentence(ask(ada, "house", starts="soon"), 400)
        ok(ada, "house", starts="full")
        assert status(ada) == "playing"


def test_by_default_the_match_starts_when_the_last_seat_is_filled(address: str):
    with people(address) as (ada, ben):
        ada.order(players=3, bots="random,open")
        assert status(ada) == "open"
        ben.join(ada.table, "Ben")
        assert status(ada) == "playing"


def test_only_the_host_changes_seats_starts_and_decides(address: str):
    with people(address, 3) as (ada, ben, cy):
        ada.order(players=4, bots="open")
        ben.join(ada.table, "Ben")
        cy.table = ada.table
        for person in (ben, cy):
            for what, fields in (("seats", {"seat": 2, "who": "random"}), ("start", {}), ("house", {"listed": "true"})):
                assert "Only who made the table" in sentence(ask(person, what, **fields), 403)
        assert kinds(ada) == ["human", "human", "open", "open"]


def test_what_the_host_cannot_do_is_one_sentence_and_changes_nothing(address: str):
    with people(address) as (ada, _):
        ada.order(bots="open")
        for fields in (
            {"seat": 9, "who": "open"},
            {"seat": "x", "who": "open"},
            {"seat": 1, "who": "deep"},
            {"who": "open"},
        ):
            sentence(ask(ada, "seats", **fields), 400)
        sentence(ask(ada, "seats", seat=0, who="random"), 409)
        sentence(ask(ada, "start"), 409)
        assert kinds(ada) == ["human", "open", "open"]
        ok(ada, "fill", bot="random")
        for what, fields in (("seats", {"seat": 1, "who": "open"}), ("start", {}), ("house", {"starts": "host"})):
            sentence(ask(ada, what, **fields), 409)
        assert kinds(ada) == ["human", "bot", "bot"]


def test_who_waits_sees_at_once_what_the_host_does(address: str):
    with people(address) as (ada, ben):
        ada.order(players=4, bots="open")
        ben.join(ada.table, "Ben")
        for what, fields in (
            ("seats", {"seat": 3, "who": "random"}),
            ("house", {"starts": "host"}),
            ("house", {"listed": "true"}),
        ):
            with line_to(ben) as line:
                time.sleep(0.05)
                ok(ada, what, **fields)
                assert hear(line, "reload")


def test_who_waits_misses_nothing_that_happened_before_the_line_was_there(address: str):
    with people(address) as (ada, ben):
        ada.order(bots="open")
        page = ada.http.get(f"/t/{ada.table}").text
        shown = re.search(r'data-socket="[^"]*(\?room=\w+)', page)
        assert shown
        with line_to(ada, query=shown[1]) as line, pytest.raises(TimeoutError):
            line.recv(timeout=0.3)
        ben.join(ada.table, "Ben")
        with line_to(ada, query=shown[1]) as line:
            assert hear(line, "reload")
        ok(ada, "fill", bot="random")
        with line_to(ada, query=shown[1]) as line:
            assert hear(line, "reload")


# --- private and listed -----------------------------------------------------------------------------------------------


def test_a_table_is_private_unless_its_host_lists_it(address: str):
    with people(address) as (ada, ben):
        ada.order(name="Private Ada", bots="open")
        assert ada.table not in ben.http.get("/").text
        ok(ada, "house", listed="true")
        assert ada.table in ben.http.get("/").text
        ok(ada, "house", listed="false")
        assert ada.table not in ben.http.get("/").text


def test_a_listed_table_is_shown_with_its_game_free_seats_host_and_pace_until_it_is_full(address: str):
    with people(address) as (ada, ben):
        ada.order(name="Listing Ada", players=4, bots="random,random,open", listed="true", pace="slow")
        home = " ".join(re.sub(r"<[^>]*>", " ", ben.http.get("/").text.partition("Tables with free seats")[2]).split())
        assert home.startswith("Kuhhandel")
        clock = "No clock; if the match counts for the ladder, three days for every decision."
        assert f"with Listing Ada : 1 seat of 4 is free. {clock}" in home
        assert "Pace of the bots: slow." in home[:300]
        ben.join(ada.table, "Ben")
        assert status(ada) == "playing"
        ben.http.cookies.clear()
        assert ada.table not in ben.http.get("/").text


# --- leaving and coming back ------------------------------------------------------------------------------------------


def test_who_leaves_before_the_match_opens_the_seat_again(address: str):
    with people(address) as (ada, ben):
        ada.order(bots="open")
        ben.join(ada.table, "Ben")
        ok(ben, "leave")
        assert kinds(ada) == ["human", "open", "open"]
        assert ben.now()["you"] == -1
        assert "delete it" in sentence(ask(ada, "leave"), 409)
        ben.join(ada.table, "Ben again")


def test_who_leaves_a_match_is_played_for_by_a_bot_and_may_come_back(address: str):
    with people(address) as (ada, ben):
        ada.order(players=3, bots="random,open", pace="slow")
        ben.join(ada.table, "Ben")
        assert "No bot plays for you" in sentence(ask(ben, "back"), 409)
        ok(ben, "leave")
        assert kinds(ada) == ["human", "bot", "bot"]
        assert ben.now()["you"] == 2
        assert "take your seat back" in sentence(ben.send({"do": "auction"}, 0), 409)
        ok(ben, "back")
        assert kinds(ada) == ["human", "bot", "human"]


def test_a_match_that_a_player_left_is_played_to_its_end(address: str):
    with people(address) as (ada, ben):
        ada.order(**SHORT, players=3, bots="random,open")
        ben.join(ada.table, "Ben")
        ok(ben, "leave")
        play_out(ada)
        assert "nothing to leave" in sentence(ask(ben, "leave"), 409)


# --- a pause by agreement, and who is gone ----------------------------------------------------------------------------


@contextmanager
def timed(address: str, **order: Any) -> Iterator[tuple[list[Person], list[Any]]]:
    """Three people at a table with a clock, each with an open line."""
    with people(address, 3) as three, ExitStack() as lines:
        three[0].order(players=3, bots="open", clock="600+30", **order)
        for person, name in zip(three[1:], ("Ben", "Cy"), strict=True):
            person.join(three[0].table, name)
        open_lines = [lines.enter_context(line_to(person)) for person in three]
        for line in open_lines:
            hear(line, "regions")
        yield three, open_lines


def region(line: Any, name: str, words: str) -> str:
    """The region when it says this; names are elements in it."""
    while True:
        html = unmarked(str(hear(line, "regions")["regions"].get(name, "")))
        if words in html:
            return html


def paused(person: Person) -> bool:
    """The table rests."""
    return bool(person.now()["table"]["paused"])


def test_while_a_clock_runs_one_asks_for_a_pause_and_every_other_person_present_agrees(address: str):
    with timed(address) as ((ada, ben, cy), lines):
        ok(ada, "pace", paused="true")
        assert "Ada asks for a pause." in region(lines[1], "together", "I agree")
        assert not paused(ada)
        ok(ben, "agree", what="pause")
        assert "Ada, Ben ask for a pause." in region(lines[2], "together", "Ada, Ben")
        assert not paused(ada)
        ok(cy, "agree", what="pause")
        assert paused(ada)
        ok(cy, "pace", paused="false")
        assert paused(ada)
        for person in (ada, ben):
            ok(person, "agree", what="go on")
        assert not paused(ada)


def test_one_refusal_ends_the_question(address: str):
    with timed(address) as ((ada, ben, cy), _):
        ok(ada, "pace", paused="true")
        ok(ben, "agree", what="pause", agree="false")
        assert "asks for a pause" not in cy.http.get(f"/t/{ada.table}").text
        ok(cy, "agree", what="pause")
        assert not paused(ada)


def test_who_is_not_there_need_not_agree_and_who_watches_is_not_asked(address: str):
    with people(address, 3) as (ada, ben, eve):
        ada.order(players=3, bots="open,random", clock="600+30")
        ben.join(ada.table, "Ben")
        ben.http.close()
        eve.table = ada.table
        with line_to(ada), line_to(eve):
            assert "You are watching" in sentence(ask(eve, "agree", what="pause"), 403)
            ok(ada, "pace", paused="true")
            assert paused(ada)
        assert "who has a seat here" in sentence(ask(eve, "agree", what="go on"), 403)


def test_without_a_clock_anybody_may_pause(address: str):
    with people(address) as (ada, ben):
        ada.order(players=3, bots="open,random")
        ben.join(ada.table, "Ben")
        with line_to(ada), line_to(ben):
            ok(ben, "pace", paused="true")
            assert paused(ada)


def test_agreements_outlive_the_server(tmp_path: Path):
    with people("http://127.0.0.1", 3) as three:
        cookies: dict[str, str] = {}
        for start in range(2):
            with serving(tmp_path / "tables.db") as address, ExitStack() as lines:
                for person in three:
                    person.http.base_url = address
                if start == 0:
                    three[0].order(players=3, bots="open", clock="600+30")
                    for person, name in zip(three[1:], ("Ben", "Cy"), strict=True):
                        person.join(three[0].table, name)
                for person in three:
                    hear(lines.enter_context(line_to(person)), "regions")
                ok(three[start], "agree", what="pause")
                assert "ask" in three[2].http.get(f"/t/{three[2].table}").text
                assert not paused(three[0])
                cookies = dict(three[0].http.cookies)
        assert cookies


hasty = own_server(limits={"lately": 0.2, "gone": 0.5, "gone_slow": 1.0})  # after half a second one is gone


def texts(person: Person) -> list[str]:
    """The log as a person reads it."""
    return [line["text"].replace("\u2068", "").replace("\u2069", "") for line in person.now()["log"]]


def asked(*persons: Person) -> Person:
    """Who is asked."""
    return next(person for person in persons if person.now()["decision"] is not None)


def test_a_player_who_is_gone_is_played_for_by_a_bot_when_all_others_agree(hasty: str):
    with people(hasty, 3) as three, ExitStack() as lines:
        three[0].order(players=3, bots="open")
        for person, name in zip(three[1:], ("Ben", "Cy"), strict=True):
            person.join(three[0].table, name)
        gone = asked(*three)
        seat = gone.now()["you"]
        here = [person for person in three if person is not gone]
        open_lines = [lines.enter_context(line_to(person)) for person in here]
        assert "has been gone for a while" in region(open_lines[0], "together", "Let a bot play")
        ok(here[0], "agree", what=f"gone {seat}")
        assert kinds(here[0]) == ["human"] * 3
        lines_before = len(here[0].now()["log"])
        ok(here[1], "agree", what=f"gone {seat}")
        assert kinds(here[0])[seat] == "bot"
        until(lambda: len(gone.now()["log"]) > lines_before)
        ok(gone, "back")
        assert kinds(gone)[seat] == "human"


def test_who_is_there_cannot_be_removed_and_who_comes_back_ends_the_question(hasty: str):
    with people(hasty, 3) as three, ExitStack() as lines:
        three[0].order(players=3, bots="open")
        for person, name in zip(three[1:], ("Ben", "Cy"), strict=True):
            person.join(three[0].table, name)
        slow = asked(*three)
        seat = slow.now()["you"]
        here = [person for person in three if person is not slow]
        for person in here:
            hear(lines.enter_context(line_to(person)), "regions")
        sentence(ask(here[0], "agree", what=f"gone {here[1].now()['you']}"), 409)  # nobody waits for them
        until(lambda: ask(here[0], "agree", what=f"gone {seat}").status_code == 200)
        lines.enter_context(line_to(slow))
        until(lambda: "gone for a while" not in here[1].http.get(f"/t/{slow.table}").text)
        for person in three:
            sentence(ask(person, "agree", what=f"gone {seat}"), 409)
        for what in ("pause?", "gone 9", "gone x", ""):
            sentence(ask(slow, "agree", what=what), 409)
        assert kinds(slow) == ["human"] * 3


def test_the_log_tells_who_goes_and_who_is_back(hasty: str):
    with people(hasty) as (ada, ben), ExitStack() as lines:
        ada.order(game="rivals", players=2, bots="open", preset="seed")
        ben.join(ada.table, "Ben")
        lines.enter_context(line_to(ada))
        with line_to(ben):
            pass
        until(lambda: "Ben is away." in texts(ada))
        lines.enter_context(line_to(ben))
        until(lambda: texts(ada)[-1] == "Ben is back.")
        assert texts(ben)[-2:] == ["You were away.", "You are back."]
        before, mover = texts(ada), asked(ada, ben)
        seen = mover.now()
        assert mover.send(some_move(seen, random.Random(1)), seen["decision"]).status_code == 200
        until(lambda: len(texts(ada)) > len(before))
        assert texts(ada)[: len(before)] == before


def test_an_open_question_is_counted_again_when_a_voter_leaves(hasty: str):
    with timed(hasty) as ((ada, ben, cy), lines):
        ok(ada, "pace", paused="true")
        ok(ben, "agree", what="pause")
        assert not paused(ada)
        lines[2].close()
        assert "Paused by <b>Ada</b> and <b>Ben</b>." in region(lines[0], "now", "Paused")
        assert paused(ada)
        ok(ben, "pace", paused="false")
        assert "Ben wants to go on." in region(lines[0], "together", "wants to go on")
        assert paused(ben)
        ok(ada, "leave")  # to a bot: nobody else is to be asked
        assert not paused(ben)
        assert cy.table == ben.table


def test_a_paused_table_says_who_paused_it_where_the_question_stands_with_resume_beside_it(address: str):
    with people(address, 3) as (ada, ben, eve):
        ada.order(players=3, bots="open,random")
        ben.join(ada.table, "Ben")
        eve.table = ada.table
        ok(ben, "pace", paused="true")
        assert ada.now()["table"]["paused_by"] == ["Ben"]
        for person, may in ((ada, True), (ben, True), (eve, False)):
            now = unmarked(person.http.get(f"/t/{ada.table}").text).partition('id="now"')[2].partition("</section>")[0]
            assert "Paused by <b>Ben</b>." in now
            assert ('name="paused" value="false">Go on' in now.partition("</form>")[0]) == may
        german = unmarked(ada.http.get(f"/t/{ada.table}", headers={"Accept-Language": "de"}).text)
        assert "Pause auf Wunsch von <b>Ben</b>." in german
        ok(ada, "pace", paused="false")
        assert ada.now()["table"]["paused_by"] == []
        assert "Paused" not in ada.http.get(f"/t/{ada.table}").text


def test_who_paused_a_table_is_known_after_a_restart(tmp_path: Path):
    with people("http://127.0.0.1", 1) as (ada,):
        for start in range(2):
            with serving(tmp_path / "tables.db") as address:
                ada.http.base_url = address
                if start == 0:
                    ada.order(bots="random")
                    ok(ada, "pace", paused="true")
                assert ada.now()["table"]["paused_by"] == ["Ada"]


# --- nobody waits for a host who is gone ------------------------------------------------------------------------------


def test_the_next_person_there_starts_fills_and_seats_when_the_host_is_gone(hasty: str):
    with people(hasty, 3) as (ada, ben, cy):
        ada.order(players=4, bots="open", starts="host")
        for person, name in ((ben, "Ben"), (cy, "Cy")):
            person.join(ada.table, name)
        with line_to(ada):
            line = line_to(ben)
        with line:
            hear(line, "reload")  # the page is told when the host is gone
            page = unmarked(ben.http.get(f"/t/{ada.table}").text)
            assert "Ada, who made this table, has been gone for a while. You may seat bots and start the match." in page
            assert page.count('action="/t/' + ada.table + '/seats"') == 2  # not their own seat, nor the host's
            assert f"/t/{ada.table}/delete" not in page
            assert "gone for a while" not in cy.http.get(f"/t/{ada.table}").text
            for what, fields in (("start", {}), ("fill", {"bot": "random"}), ("seats", {"seat": 3, "who": "random"})):
                assert "Only who made the table" in sentence(ask(cy, what, **fields), 403)  # Ben is there, and before Cy
            assert "who made this table and may come back" in sentence(ask(ben, "seats", seat=0, who="random"), 409)
            assert "you may leave the table" in sentence(ask(ben, "seats", seat=1, who="random"), 409)
            assert "Only who made the table" in sentence(ask(ben, "delete"), 403)
            assert "Only who made the table" in sentence(ask(ben, "house", starts="full"), 403)
            ok(ben, "seats", seat=3, who="random")
            ok(ben, "seats", seat=3, who="open")
            ok(ben, "fill", bot="random")
            ok(ben, "start")
        assert status(ben) == "playing"


def test_the_host_who_comes_back_decides_alone_again(hasty: str):
    with people(hasty) as (ada, ben):
        ada.order(bots="open")
        ben.join(ada.table, "Ben")
        with line_to(ada):
            line = line_to(ben)
        with line:
            hear(line, "reload")
        with line_to(ada):
            ada.now()
            assert "Only who made the table" in sentence(ask(ben, "fill", bot="random"), 403)
            assert kinds(ada) == ["human", "human", "open"]


def test_where_a_decision_has_days_a_host_is_gone_much_later(hasty: str):
    with people(hasty) as (ada, ben):
        begun = time.monotonic()
        ada.order(bots="open", clock="3d")
        ben.join(ada.table, "Ben")
        while (answer := ask(ben, "fill", bot="random")).status_code == 403:
            time.sleep(0.02)
        assert answer.status_code == 200
        assert time.monotonic() - begun >= 1.0


def test_the_seat_of_a_host_who_never_follows_to_the_next_table_goes_to_a_bot(hasty: str):
    with people(hasty) as (ada, ben):
        ada.order(**SHORT, players=3, bots="open,random")
        ben.join(ada.table, "Ben")
        play_out(ada, ben)
        ben.table = ask(ben, "rematch").json()["table"]
        assert [seat["name"] for seat in ben.now()["seats"]][2] == "Ada"
        until(lambda: ask(ben, "seats", seat=2, who="random").status_code == 200)
        assert kinds(ben) == ["human", "bot", "bot"]
        assert status(ben) == "playing"
        play_out(ben)
        assert ask(ben, "delete").status_code == 200  # the table is theirs


# --- the next table of the same people --------------------------------------------------------------------------------


def test_a_rematch_has_the_same_game_options_pace_and_people_and_seats_move_on_by_one(address: str):
    with people(address) as (ada, ben):
        ada.order(**SHORT, players=3, bots="open,random", **{"option:bidding": "dropout"})
        ben.join(ada.table, "Ben")
        play_out(ada, ben)
        old = ada.now()
        first = ask(ada, "rematch").json()
        assert "Join the next match" in ben.http.get(f"/t/{ben.table}").text
        second = ask(ben, "rematch").json()
        assert second["table"] == first["table"]
        ada.table = ben.table = first["table"]
        new = ada.now()
        assert new["table"]["status"] == "playing"
        assert (new["table"]["options"], new["table"]["pace"]) == (old["table"]["options"], old["table"]["pace"])
        names = [seat["name"] for seat in old["seats"]]
        assert [seat["name"] for seat in new["seats"]] == [*names[1:], names[0]]
        assert [seat["kind"] for seat in new["seats"]] == ["human", "bot", "human"]
        assert (ada.now()["you"], ben.now()["you"]) == (2, 0)
        assert ask(ada, "delete").status_code == 409
        assert (
            ada.http.get(f"/t/{ada.table}/delete", headers=JSON).status_code == 409
        )  # asked as the host, not refused as a guest


def test_a_seat_of_the_rematch_goes_only_to_who_proves_the_seat_before(address: str, database: Path):
    with people(address, 3) as (ada, ben, eve):
        ada.order(**SHORT, players=3, bots="open,random")
        ben.join(ada.table, "Ben")
        secret = ben.token
        play_out(ada, ben)
        next_ = ask(ada, "rematch").json()["table"]
        eve.table = ada.table
        assert "You are watching" in sentence(ask(eve, "rematch"), 403)
        eve.http.cookies.set(f"seat-{ada.table}", "A" * 22)
        sentence(ask(eve, "rematch"), 403)
        eve.table = next_
        assert "All seats" in sentence(ask(eve, "join", name="Eve"), 409)
        assert eve.now()["you"] == -1
        new = ask(ben, "rematch").json()["link"].rpartition("/")[2]
        assert new != secret
        assert new == heir_of(secret, next_)
        assert len(new) >= 22
    with closing(sqlite3.connect(database)) as db:
        assert not db.execute("select 1 from seats where token = ?", [new]).fetchall()


def test_the_same_person_follows_on_two_devices(address: str):
    with people(address) as (ada, phone):
        link = ada.order(**SHORT, players=3, bots="random")
        assert phone.take(link).status_code == 200
        phone.table = ada.table
        play_out(ada)
        first, second = ask(ada, "rematch").json(), ask(phone, "rematch").json()
        assert first == second
        ada.table = phone.table = first["table"]
        assert ada.now()["you"] == phone.now()["you"] == 2


def test_a_kept_name_follows_without_a_seat_cookie(address: str):
    with people(address) as (ada, phone):
        fields = {"name": "Rita", "password": PASSWORD}
        assert ada.http.post("/name/keep", data=fields, headers=JSON).status_code == 200
        ada.order(**SHORT, name="Rita", players=3, bots="random")
        play_out(ada)
        assert phone.http.post("/name/in", data=fields, headers=JSON).status_code == 200
        phone.table = ada.table
        phone.table = ask(phone, "rematch").json()["table"]
        assert phone.now()["you"] == 2
        ask(ada, "rematch")
        ada.table = phone.table
        assert ada.now()["you"] == 2


def test_a_rematch_waits_for_everybody_and_the_host_may_give_a_seat_to_a_bot(address: str):
    with people(address) as (ada, ben):
        ada.order(**SHORT, players=3, bots="open,random")
        ben.join(ada.table, "Ben")
        play_out(ada, ben)
        old = ada.table
        ada.table = ask(ada, "rematch").json()["table"]
        assert status(ada) == "open"
        assert "has not come yet" in ada.http.get(f"/t/{ada.table}").text
        ok(ada, "seats", seat=0, who="steady")
        assert status(ada) == "playing"
        assert ben.table == old
        assert "given to somebody else" in sentence(ask(ben, "rematch"), 409)


def test_who_watches_is_told_where_the_next_match_is(address: str):
    with people(address) as (ada, eve):
        ada.order(**SHORT, players=3, bots="random")
        eve.table = ada.table
        play_out(ada)
        with line_to(eve) as line:
            hear(line, "regions")
            next_ = ask(ada, "rematch").json()["table"]
            assert f'href="/t/{next_}"' in hear(line, "regions")["regions"]["over"]


def test_there_is_no_rematch_before_the_end_and_a_new_one_when_the_next_table_was_deleted(address: str):
    with people(address) as (ada, ben):
        ada.order(**SHORT, players=3, bots="open,random")
        sentence(ask(ada, "rematch"), 409)
        ben.join(ada.table, "Ben")
        play_out(ada, ben)
        old = ada.table
        ada.table = ask(ada, "rematch").json()["table"]
        ok(ada, "delete")
        gone, ada.table = ada.table, old
        assert ask(ada, "rematch").json()["table"] != gone


@pytest.mark.slow
def test_two_who_press_at_the_same_moment_at_two_servers_meet_at_one_table(cluster: Cluster):
    database = cluster.database()
    with ExitStack() as stack:
        here = stack.enter_context(serving(database))
        ada, ben = stack.enter_context(people(here))
        ada.order(**SHORT, players=3, bots="open,random")
        ben.join(ada.table, "Ben")
        play_out(ada, ben)
        there = stack.enter_context(serving(database))
        ben.http.get("/healthz")
        ben.http.base_url = there
        assert status(ben) == "over"  # both know the table now
        first = ask(ada, "rematch").json()["table"]
        assert ask(ben, "rematch").json()["table"] == first


# --- where others find the server -------------------------------------------------------------------------------------

RUN = "import json, sys; from outbid.server.main import run; run(**json.loads(sys.argv[1]))"


def printed(database: Path, seconds: float = 20, **settings: Any) -> str:
    """What a server says in a terminal."""
    told = json.dumps({"database": str(database), "port": 0, **settings})
    leader, follower = pty.openpty()
    with started([sys.executable, "-c", RUN, told], stdout=follower, stderr=subprocess.DEVNULL) as server:
        os.close(follower)
        said, end = b"", time.monotonic() + seconds
        while time.monotonic() < end and (not said or select.select([leader], [], [], 1.5)[0]):
            said += os.read(leader, 65536)
        server.terminate()
    os.close(leader)
    return said.decode().replace("\r", "")


@pytest.mark.slow
def test_serve_prints_the_address_for_the_local_network_and_its_qr_code(tmp_path: Path):
    here = qr.address()
    if here is None:
        pytest.skip("This machine has no network.")
    said = printed(tmp_path / "tables.db", host="0.0.0.0")
    found = re.search(rf"In your network: (http://{re.escape(here)}:\d+)\n", said)
    assert found, said
    assert said.endswith(qr.for_terminal(found[1]) + "\n")
    code = said.split(found[0])[1].splitlines()
    assert 15 <= len(code) <= 20
    assert max(len(line) for line in code) < 60


@pytest.mark.slow
def test_by_default_serve_listens_on_loopback_and_prints_no_other_address(tmp_path: Path):
    said = printed(tmp_path / "tables.db")
    assert re.fullmatch(r"Outbid: http://127\.0\.0\.1:\d+\n", said)


def test_the_page_of_who_waits_shows_the_link_of_the_house_and_its_code(tmp_path: Path):
    here = qr.address()
    if here is None:
        pytest.skip("This machine has no network.")
    with serving(tmp_path / "tables.db", host="0.0.0.0") as address, people(address, 1) as (ada,):
        ada.order(bots="open")
        page = ada.http.get(f"/t/{ada.table}").text
        link = f"http://{here}:{address.rpartition(':')[2]}/t/{ada.table}"
        assert f'value="{link}"' in page
        assert qr.for_page(link) in page
        assert get(link).status_code == 200
    with serving(tmp_path / "tables.db") as address, people(address, 1) as (ada,):
        ada.order(bots="open")
        assert f'value="{address}/t/{ada.table}"' in ada.http.get(f"/t/{ada.table}").text


# --- on the page ------------------------------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.parametrize(
    ("size", "script"), [pytest.param(PHONE, True, marks=pytest.mark.deep), (DESK, True), (PHONE, False)]
)
@pytest.mark.slow
def test_the_host_seats_bots_opens_seats_and_starts_on_the_page(browser, address: str, size: tuple[int, int], script: bool):
    with visitor(browser, size, script) as page, people(address, 1) as (ben,):
        form = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "open", "starts": "host"}
        made = page.context.request.post(f"{address}/tables", form=form, max_redirects=0)
        page.goto(address + made.headers["location"])
        page.get_by_text("Seat a bot").first.click()
        fits(page)
        page.get_by_role("button", name="Seat this bot").click()
        page.get_by_role("button", name="Open the seat again").click()
        page.get_by_role("button", name="List it on the front page").click()
        page.get_by_role("button", name="Make it private").wait_for()
        ben.join(made.headers["location"].rpartition("/")[2], "Ben")
        if not script:
            page.reload()
        page.get_by_role("button", name="Remove Ben").wait_for()
        page.get_by_text("Seat a bot").click()
        page.get_by_role("button", name="Seat this bot").click()
        page.get_by_role("button", name="Start the match").wait_for()
        assert page.locator("main").bounding_box()["width"] <= size[0]
        page.get_by_role("button", name="Start the match").click()
        page.wait_for_selector("#now")
