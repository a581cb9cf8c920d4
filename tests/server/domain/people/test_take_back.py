"""A move that is taken back: asked for, agreed to by all people, never past what was hidden, and as safe as a move."""

from __future__ import annotations

import json
import re
import sqlite3
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from outbid.core.record import read_record
from outbid.server.domain.commands import Command
from outbid.server.domain.setup import Order
from outbid.server.domain.tables import Tables
from outbid.server.settings import Refused, Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from tests.support.commands import outbid_command
from tests.support.serving import Person, at_once, hear, line_to, people, play_out, sentence, start, stop, unmarked


def agree(person: Person, what: str = "back", agrees: str = "true") -> httpx.Response:
    """Ask for something, agree to it, or refuse."""
    fields = {"what": what, "agree": agrees}
    return person.http.post(f"/t/{person.table}/agree", data=fields, headers={"Accept": "application/json"})


def do(person: Person, kind: str, **facts: Any) -> None:
    """The move of a kind that is open to a person."""
    seen = person.now()
    move = next(choice["move"] for choice in seen["legal"] if choice["move"]["do"] == kind)
    answer = person.send({**move, **facts}, seen["decision"])
    assert answer.status_code == 200, answer.text


def bidding(*persons: Person, **order: Any) -> None:
    """An auction at a table where nobody but these people sits, Ada's: Ben has bid 10."""
    ada, *others = persons
    ada.order(bots="open", players=len(persons), **order)
    for number, other in enumerate(others):
        other.join(ada.table, ("Ben", "Cleo", "Dora")[number])
    do(asked(*persons), "auction")
    bidder = asked(*persons)
    do(bidder, "bid", amount=10)


def asked(*persons: Person) -> Person:
    """Who is asked first."""
    return next(person for person in persons if person.now()["decision"] is not None)


def log(person: Person) -> list[str]:
    """The log as a person reads it."""
    return [line["text"] for line in person.now()["log"]]


def asked_on(person: Person) -> str:
    """What a page asks its people to agree on."""
    page = person.http.get(f"/t/{person.table}").text
    return page[page.index('id="together"') :].partition("</section>")[0]


def last_bidder(*persons: Person) -> Person:
    leader = persons[0].now()["view"]["auction"]["leader"]
    return next(person for person in persons if person.now()["you"] == leader)


def test_a_bid_is_taken_back_when_all_people_agree_and_the_log_says_so(address: str):
    with people(address, 3) as persons:
        bidding(*persons)
        bidder = last_bidder(*persons)
        others = [person for person in persons if person is not bidder]
        before, told = bidder.now(), log(others[0])
        assert agree(bidder).status_code == 200
        what = f"back {before['you']} 1"
        assert bidder.now()["view"]["auction"]["bid"] == 10, "nobody has agreed yet"
        assert "would like to take the last move back" in others[0].http.get(f"/t/{bidder.table}").text
        asked, asks = (unmarked(asked_on(person)) for person in (others[0], bidder))
        assert re.search(r"\w+ would like to take the last move back: \w+ bids 10", asked)
        assert re.search(r"You want to take your last move back; \w+, \w+ have to agree\.", asks)
        assert "Not yet" not in asks
        assert re.search(r"Not yet: \w+\.", asked), "of the third alone: who reads it knows"
        assert agree(others[0], what).status_code == 200
        assert bidder.now()["view"]["auction"]["bid"] == 10, "one of two has"
        assert agree(others[1], what).status_code == 200
        after = bidder.now()
        assert after["view"]["auction"]["bid"] == 0
        assert after["decision"] is not None
        assert after["decision"] != 1, "an answer to the question as it was is none to this one"
        assert log(others[0]) == [*told[:-1], log(others[0])[-1]]
        assert "takes that back" in log(others[0])[-1]
        assert "10" in log(others[0])[-1]
        assert "You take that back" in log(bidder)[-1]
        do(bidder, "bid", amount=20)
        assert bidder.now()["view"]["auction"]["bid"] == 20


def test_one_refusal_ends_the_question_and_nobody_asks_for_somebody_elses_move(address: str):
    with people(address, 3) as persons:
        bidding(*persons)
        bidder = last_bidder(*persons)
        other, third = (person for person in persons if person is not bidder)
        what = f"back {bidder.now()['you']} 1"
        assert "nothing of the kind" in sentence(agree(other, what), 409)
        agree(bidder)
        assert agree(third, what, "false").status_code == 200
        name = third.now()["seats"][third.now()["you"]]["name"]
        assert log(bidder)[-1] == log(other)[-1] == f"{name} does not want the move taken back."
        assert log(third)[-1] == "You do not want the move taken back."
        agree(bidder)
        assert agree(bidder, what, "false").status_code == 200
        assert sum("taken back" in line for line in log(other)) == 1, "who thinks better of it refuses nobody"
        assert "nothing of the kind" in sentence(agree(other, what), 409)
        assert bidder.now()["view"]["auction"]["bid"] == 10
        for garbage in ("", " ", "back 9 1", "back 0", "back x y", "back 0 999999999999", "back -1 0"):
            assert "nothing of the kind" in sentence(agree(bidder, garbage), 409)


def test_what_has_come_out_since_cannot_be_hidden_again(address: str):
    with people(address, 3) as persons:
        bidding(*persons)
        auctioneer = next(person for person in persons if person.now()["you"] == person.now()["view"]["turn"])
        assert "something has come out that was hidden" in sentence(agree(auctioneer), 409)


def test_a_sealed_answer_is_not_offered_to_be_taken_back(address: str):
    with people(address, 3) as persons:
        ada, *others = persons
        ada.order(game="money", preset="seed", bots="open", players=3)
        for person, name in zip(others, ("Ben", "Cleo"), strict=True):
            person.join(ada.table, name)
        do(ada, "bid", cards=[], bluff=True)
        assert "Take your last move back" not in ada.http.get(f"/t/{ada.table}").text
        assert "nothing of the kind" in sentence(agree(ada, "back 0 0"), 409)


@pytest.mark.parametrize("order", [{}, {"day": "2026-11-28"}], ids=["friendly", "deal of the day"])
def test_against_bots_alone_nobody_need_be_asked_and_never_in_a_deal_of_the_day(tmp_path: Path, order: dict[str, str]):
    url = url_of(str(tmp_path / "tables.db"))
    with closing(Store(url)) as store:
        tables = Tables(store, Settings(url))
        table, _token = at_once(tables.create(Order("kuhhandel", 3, "Ada", ["steady"])))
        table.day = order.get("day")
        usual = {"turn": "auction", "bid": "pass", "hammer": "sell"}
        while (phase := table.playing.view()["phase"]) != "bid" or table.asked != (0,):
            at_once(table.act(table.number, table.asked[0], {"do": usual[phase]}))
        before = len(table.playing.moves)
        assert at_once(table.play(0, Command("a", table.decisions[0], {"do": "bid", "amount": 10}))).ok
        at_once(table.act(table.number, table.asked[0], {"do": "pass"}))
        if order:
            with pytest.raises(Refused, match="no move of yours that can be taken back"):
                at_once(table.votes.wish(0, "back"))
            assert not table.votes.back(0)
        else:
            assert at_once(table.votes.wish(0, "back"))
            assert len(table.playing.moves) == before
            assert table.decisions == {0: table.number}


@pytest.mark.slow
def test_it_survives_a_crash_and_the_record_has_the_moves_that_stand(tmp_path: Path):
    database = tmp_path / "tables.sqlite"
    server, address = start(database)
    with people(address, 3) as persons:
        bidding(*persons)
        bidder = last_bidder(*persons)
        command = str(uuid.uuid4())
        what = f"back {bidder.now()['you']} 1"
        agree(bidder)
        for person in persons:
            if person is not bidder:
                assert agree(person, what).status_code == 200
        told = [log(person) for person in persons]
        server.kill()
        again, _address = start(database, port=int(address.rpartition(":")[2]))
        try:
            assert [log(person) for person in persons] == told
            seen = bidder.now()
            assert bidder.send({"do": "bid", "amount": 30}, seen["decision"], command).status_code == 200
            assert bidder.send({"do": "bid", "amount": 30}, seen["decision"], command).status_code == 200
            assert bidder.now()["view"]["auction"]["bid"] == 30
            play_out(*persons)
            record = persons[0].http.get(f"/t/{bidder.table}/record").json()
            assert [move["do"] for move in record["moves"][:2]] == ["auction", "bid"]
            assert record["moves"][1]["amount"] == 30
            assert all("do" in move for move in record["moves"])
            assert read_record(record).over
            with closing(sqlite3.connect(database)) as db:
                rows = [json.loads(row) for (row,) in db.execute("select move from moves order by number")]
            assert rows[1]["amount"] == 10
            assert rows[2] == {"take_back": 1}
            assert len(rows) == len(record["moves"]) + 2
        finally:
            stop(again)
        validated = outbid_command("admin", "validate", "--database", database)
        assert validated.returncode == 0, validated.stdout + validated.stderr


def test_pages_and_programs_are_told_the_log_anew(address: str):
    with people(address, 3) as persons:
        ada = persons[0]
        bidding(*persons)
        bidder = last_bidder(*persons)
        with line_to(ada) as page, line_to(ada, {"Accept": "application/json"}) as program:
            first = hear(page, "regions")
            assert "log" in first["regions"]
            assert hear(program, "table")["since"] == 0
            what = f"back {bidder.now()['you']} 1"
            agree(bidder)
            for person in persons:
                if person is not bidder:
                    assert agree(person, what).status_code == 200
            news = hear(page, "regions")
            while "log" not in news["regions"]:
                assert "log" not in news["append"]
                news = hear(page, "regions")
            assert news["version"] > first["version"]
            assert "take that back" in news["regions"]["log"] or "takes that back" in news["regions"]["log"]
            change = hear(program, "table")
            while "that back" not in change["now"]["log"][-1]["text"]:
                change = hear(program, "table")
            assert change["since"] == 0
