"""Automatic moves: what they do, when they end, and that nobody but their seat ever learns of them."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from outbid import read_record
from outbid.bots import choose
from outbid.core.language.names import marked
from outbid.server.domain import automatic_moves, scene
from outbid.server.domain.commands import Command
from outbid.server.domain.setup import Order
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.settings import PACES, Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.web import pages
from tests.support.houses import own_server
from tests.support.postgres import Cluster
from tests.support.serving import JSON, Person, at_once, hear, line_to, sentence, serving, start

server = own_server()  # for all tests that do not stop it


def tables_in(folder: Path) -> Tables:
    """The tables of a database in a folder, without a server."""
    settings = Settings(url_of(str(folder / "tables.db")), pace="instant", auction_seconds=10_000)
    return Tables(Store(settings.database), settings)


def table_in(folder: Path, game: str = "kuhhandel", pace: str = "instant", **options: Any) -> Table:
    """A live table of Ada, Ben and Cy."""
    table, _ = at_once(tables_in(folder).create(Order(game, 3, "Ada", options=options, seed=4, pace=pace)))
    for name in ("Ben", "Cy"):
        at_once(table.join(name))
    return table


def do(table: Table, seat: int, **move: Any) -> None:
    """A person moves."""
    at_once(table._play(seat, move, f"{len(table.playing.moves)}", ({}, {})))


def offers(table: Table, seat: int) -> dict[str, dict[str, Any]]:
    """The orders that a seat may give, by their texts."""
    panel = table.orders.panel(seat, table.playing.hidden(seat))
    return {choice.text: choice.move for _amounts, choices in panel.offers for choice in choices}


def give(table: Table, seat: int, text: str, amount: int | None = None) -> None:
    """A seat gives the order whose text begins like this."""
    order = next(move for said, move in offers(table, seat).items() if said.startswith(text))
    at_once(table.orders.give(seat, json.dumps(order), None if amount is None else str(amount)))
    table.tell_owner(seat)


async def quiet(table: Table) -> None:
    """Until nothing moves by itself any more."""
    table.driver.wake()
    known = -1
    while known != len(table.playing.moves):
        known = len(table.playing.moves)
        await asyncio.sleep(0.15)


def said(table: Table) -> list[dict[str, Any]]:
    """The moves so far."""
    return [dict(move) for move in table.playing.moves]


def auction(table: Table) -> tuple[int, int, int]:
    """An auction begins: the auctioneer, the first and the second bidder."""
    (seller,) = table.asked
    do(table, seller, do="auction")
    return seller, (seller + 1) % 3, (seller + 2) % 3


def playing(folder: Path, play: Callable[[Table], Any], **table: Any) -> Table:
    """Play at a new table with its driver running."""
    made: list[Table] = []

    async def run() -> None:
        made.append(table_in(folder, **table))
        await play(made[0])
        made[0].driver.stop()
        await made[0].driver.ended()

    asyncio.run(run())
    return made[0]


# --- raise for me, pass on this lot -----------------------------------------------------------------------------------


def test_raise_for_me_up_to_an_amount_then_pass(tmp_path: Path):
    async def play(table: Table) -> None:
        _, one, two = auction(table)
        give(table, one, "Raise for me up to this amount, then pass", 30)
        await quiet(table)
        assert said(table)[-1] == {"seat": one, "do": "bid", "amount": 10}
        do(table, two, do="bid", amount=20)
        await quiet(table)
        assert said(table)[-1] == {"seat": one, "do": "bid", "amount": 30}
        do(table, two, do="bid", amount=40)
        await quiet(table)
        assert said(table)[-1] == {"seat": one, "do": "pass"}

    playing(tmp_path, play)


def test_raise_for_me_up_to_an_amount_then_ask_me(tmp_path: Path):
    async def play(table: Table) -> None:
        _, one, two = auction(table)
        give(table, one, "Raise for me up to this amount, then ask", 10)
        await quiet(table)
        do(table, two, do="bid", amount=20)
        await quiet(table)
        assert table.asked == (one,)
        assert said(table)[-1] == {"seat": two, "do": "bid", "amount": 20}

    playing(tmp_path, play)


def test_two_orders_raise_against_each_other_and_come_to_an_end(tmp_path: Path):
    async def play(table: Table) -> None:
        _, one, two = auction(table)
        give(table, one, "Raise for me up to this amount, then pass", 100)
        give(table, two, "Raise for me up to this amount, then pass", 90)
        await quiet(table)
        bids = [move["amount"] for move in said(table) if move["do"] == "bid"]
        assert bids == list(range(10, 91, 10))
        assert table.playing.view(-1)["phase"] == "hammer"

    playing(tmp_path, play)


def test_raise_for_me_in_an_outcry_never_raises_oneself(tmp_path: Path):
    async def play(table: Table) -> None:
        _, one, two = auction(table)
        assert not [text for text in offers(table, one) if "ass" in text]
        give(table, one, "Raise for me", 50)
        await quiet(table)
        assert said(table)[-1] == {"seat": one, "do": "bid", "amount": 10}
        do(table, two, do="bid", amount=20)
        await quiet(table)
        assert said(table)[-1] == {"seat": one, "do": "bid", "amount": 30}

    playing(tmp_path, play, bidding="realtime")


def test_who_leads_is_not_offered_to_be_out(tmp_path: Path):
    async def play(table: Table) -> None:
        _, one, two = auction(table)
        assert "Out for this animal" in offers(table, one)
        do(table, one, do="bid", amount=10)
        assert "Out for this animal" not in offers(table, one)
        assert offers(table, one), "a maximum it may still have"
        do(table, two, do="bid", amount=20)
        assert "Out for this animal" in offers(table, one)

    playing(tmp_path, play)


def test_pass_on_this_lot_and_it_is_gone_with_the_lot(tmp_path: Path):
    async def play(table: Table) -> None:
        seller, one, two = auction(table)
        give(table, two, "Out for this animal")
        assert table.orders.kept
        do(table, one, do="bid", amount=10)
        await quiet(table)
        assert said(table)[-1] == {"seat": two, "do": "pass"}
        assert table.playing.view(-1)["phase"] == "hammer"
        assert not table.orders.kept
        stored = table.store.load(table.id)
        assert stored
        assert not stored.orders
        assert not offers(table, two)
        assert seller in table.asked

    playing(tmp_path, play)


def test_rivals_raises_and_passes_too(tmp_path: Path):
    async def play(table: Table) -> None:
        for _ in range(3):
            do(table, table.asked[0], do="uncover")
        do(table, table.asked[0], do="bid", amount=1)
        one = table.asked[0]
        give(table, one, "Raise for me up to this amount, then pass", 3)
        give(table, (one + 1) % 3, "Out of this auction")
        await quiet(table)
        assert [move["do"] for move in said(table)] == ["uncover"] * 3 + ["bid", "bid", "pass"]
        do(table, table.asked[0], do="bid", amount=5)
        await quiet(table)
        assert said(table)[-1] == {"seat": one, "do": "pass"}
        assert not table.orders.kept

    playing(tmp_path, play, game="rivals")


# --- the other games --------------------------------------------------------------------------------------------------


def sealed(table: Table) -> list[int]:
    """Everybody has bid one card, the seats in the order in which they will act."""
    for seat in list(table.asked):
        cards = table.playing.legal(seat).choices[0].cards
        assert cards
        do(table, seat, do="bid", cards=[cards[seat]], bluff=False)
        if seat == 0:
            give(table, 0, "Keep my bid")
    return list(table.asked)


def test_keep_my_bid_if_nobody_takes_it(tmp_path: Path):
    async def play(table: Table) -> None:
        (first,) = sealed(table)
        if first == 0:
            await quiet(table)
        while table.asked != () and 0 not in [move["seat"] for move in said(table)[3:]]:
            if table.asked[0] != 0:
                do(table, table.asked[0], do="take", display="left")
            await quiet(table)
        assert next(move for move in said(table)[3:] if move["seat"] == 0) == {"seat": 0, "do": "keep"}

    playing(tmp_path, play, game="money")


def test_whose_bid_was_taken_is_asked(tmp_path: Path):
    async def play(table: Table) -> None:
        (first,) = sealed(table)
        table.paused = True
        if first == 0:
            at_once(table.orders.cancel(0, "round 1"))
            do(table, 0, do="keep")
            (first,) = table.asked
            give(table, 3 - first, "Keep my bid")
            do(table, first, do="swap", **{"with": 3 - first})
        else:
            do(table, first, do="swap", **{"with": 0})
        table.paused = False
        await quiet(table)
        assert said(table)[-1]["do"] == "swap"
        assert len(table.asked) == 1

    playing(tmp_path, play, game="money")


def test_refuse_spot_offers_of_one_player_or_of_all(tmp_path: Path):
    async def play(table: Table) -> None:
        one = table.asked[0]
        two, three = (one + 1) % 3, (one + 2) % 3
        names = [marked(name) for name in table.playing.names]
        give(table, two, f"Refuse spot offers of {names[three]}")

        def offer(other: int) -> None:
            choice = next(c for c in table.playing.legal(one) if c.text.startswith(f"spot with {other}"))
            do(table, one, **choice.moves[0])

        offer(two)
        await quiet(table)
        assert table.asked == (two,), "the order is about another player"
        do(table, two, do="refuse")
        give(table, two, "Refuse all")
        give(table, three, f"Refuse spot offers of {names[one]}")
        offer(three)
        await quiet(table)
        assert said(table)[-1] == {"seat": three, "do": "refuse"}
        offer(two)
        await quiet(table)
        assert said(table)[-1] == {"seat": two, "do": "refuse"}
        assert len(table.orders.kept) == 3

    async def run() -> None:
        table = rich(tmp_path)
        await play(table)
        table.driver.stop()
        await table.driver.ended()

    asyncio.run(run())


def rich(folder: Path) -> Table:
    """A table of For-Ex at which whoever is asked may offer a spot transaction to both others."""
    table = table_in(folder, "forex", max_spot_offers="unlimited")
    for number in range(400):
        spots = [choice for choice in table.playing.legal(table.asked[0]) if choice.text.startswith("spot")]
        if len(spots) == 2 and all(len(choice.moves) > 1 for choice in spots):
            return table
        seat = table.asked[0]
        at_once(table._play(seat, list(choose(table.playing, seat, "random", number).actions), str(number), ({}, {})))
    raise AssertionError("no such position")


def test_a_game_without_orders_offers_none_and_refuses_one_in_a_sentence(server: str):
    ada = Person(server)
    ada.order(game="claim", preset="seed")
    assert ada.now()["orders"] == {"given": [], "offers": []}
    answer = ada.http.post(f"/t/{ada.table}/standing", data={"order": "{}"}, headers=JSON)
    assert "no automatic moves" in sentence(answer, 409)
    ada.http.close()


# --- the seat's own panel ---------------------------------------------------------------------------------------------


@contextmanager
def at_auction(address: str, **order: Any) -> Iterator[tuple[list[Person], int]]:
    """Three people, and the first bidder of an auction, who is asked."""
    people = [Person(address) for _ in range(3)]
    people[0].order(bots="open", **order)
    for person, name in zip(people[1:], ("Ben", "Cy"), strict=True):
        person.join(people[0].table, name)
    (seller,) = people[0].now()["view"]["asked"]
    assert people[seller].send({"do": "auction"}, 0).json()["ok"]
    yield people, people[0].now()["view"]["asked"][0]
    for person in people:
        person.http.close()


def post(person: Person, **fields: Any) -> Any:
    """The form of the panel."""
    return person.http.post(f"/t/{person.table}/standing", data=fields, headers=JSON)


def offered(person: Person, text: str) -> str:
    """An order as the button of the panel has it."""
    offer = next(one for one in person.now()["orders"]["offers"] if one["text"].startswith(text))
    return json.dumps(offer["order"])


def test_an_order_is_given_and_cancelled_by_one_click_in_the_panel_of_the_seat(server: str):
    with at_auction(server) as (people, one):
        other = people[3 - one - people[0].now()["view"]["turn"]]
        with line_to(other) as line:
            first = hear(line, "regions")
            assert "Out for this animal" in first["regions"]["orders"]
            assert post(other, order=offered(other, "Raise for me up to this amount, then ask"), amount=50).json() == {
                "ok": True
            }
            news = hear(line, "regions")
            assert set(news["regions"]) == {"orders"}
            assert "up to 50, then you are asked" in news["regions"]["orders"]
            (given,) = other.now()["orders"]["given"]
            assert post(other, cancel=given["about"]).json() == {"ok": True}
            assert "up to 50" not in hear(line, "regions")["regions"]["orders"]
            assert other.now()["orders"]["given"] == []


def test_a_newer_order_about_the_same_takes_the_place_of_the_older(server: str):
    with at_auction(server) as (people, one):
        other = people[3 - one - people[0].now()["view"]["turn"]]
        post(other, order=offered(other, "Raise for me up to this amount, then ask"), amount=50)
        post(other, order=offered(other, "Out for this"))
        assert [given["text"] for given in other.now()["orders"]["given"]] == [
            "You pass on this animal whenever you are asked."
        ]


def test_orders_survive_a_restart(tmp_path: Path):
    process, address = start(tmp_path / "tables.db")
    with at_auction(address) as (people, one):
        seller = people[0].now()["view"]["turn"]
        two = 3 - one - seller
        assert post(people[two], order=offered(people[two], "Out for this")).status_code == 200
        process.kill()
        with serving(tmp_path / "tables.db") as again:
            for person in people:
                person.http.base_url = again
                for cookie in list(person.http.cookies.jar):
                    cookie.port = None
            assert len(people[two].now()["orders"]["given"]) == 1
            seen = people[one].now()
            assert people[one].send({"do": "bid", "amount": 10}, seen["decision"]).json()["ok"]
            end = time.monotonic() + 60
            while people[0].now()["view"]["phase"] == "bid":
                assert time.monotonic() < end
                time.sleep(0.02)


def test_bad_orders_are_refused_in_one_sentence_each_and_change_nothing(server: str):
    with at_auction(server) as (people, one):
        person, eve = people[one], Person(server)
        eve.table = person.table
        assert "watching" in sentence(post(eve, order="{}"), 403)
        before = person.now()
        for fields in ({}, {"order": "{}", "cancel": "x"}, {"order": "{"}, {"order": "[" * 3000}, {"seat": "1"}):
            sentence(post(person, **fields), 400)
        raising = offered(person, "Raise for me")
        for amount in ("", "7", "-10", "10000000", "1e9", "x" * 400, "٣٠"):
            assert "amount" in sentence(post(person, order=raising, amount=amount), 400)
        assert "no amount" in sentence(post(person, order=offered(person, "Out"), amount="5"), 400)
        for order in ('{"do": "raise"}', '{"about": "auction 99.0", "do": "pass"}', "null", "[]", '"pass"'):
            assert "not possible now" in sentence(post(person, order=order), 409)
        assert "not set any more" in sentence(post(person, cancel="auction 1.0"), 409)
        assert person.now() == before
        eve.http.close()


# --- nobody else ever learns of it ------------------------------------------------------------------------------------


class Looker:
    """Somebody who looks at a table; `woken` counts how often something was said to have changed."""

    def __init__(self, seat: int):
        self.seat = seat
        self.hidden = None
        self.woken = 0

    def wake(self) -> None:
        """The table has changed."""
        self.woken += 1


def all_that_leaves(table: Table, seat: int) -> Any:
    """Everything the server would tell a seat now, and what it says to nonsense."""
    seen = scene.live(table, seat, "http://here")
    dance = Command("x", table.decisions.get(seat, 0), {"do": "dance"})
    nonsense = at_once(table._answer(seat, dance)) if seat >= 0 else None
    return pages.render_regions(seen), pages.table(seen), scene.as_json(seen), nonsense


@pytest.mark.parametrize(
    ("game", "text"), [("kuhhandel", "Raise"), ("rivals", "Out"), ("money", "Keep"), ("forex", "Refuse all")]
)
def test_an_order_changes_no_byte_of_what_anybody_else_is_sent(tmp_path: Path, game: str, text: str, caplog: Any):
    def logs() -> int:
        return sum(record.name != "asyncio" for record in caplog.records)  # each loop says which selector it has

    caplog.set_level(logging.DEBUG)
    table = table_in(tmp_path, game)
    number = 0
    while True:
        seats = [s for s in range(3) if any(said.startswith(text) for said in offers(table, s))]
        if seats:
            break
        seat = table.asked[0]
        at_once(table._play(seat, list(choose(table.playing, seat, "random", number).actions), str(number), ({}, {})))
        number += 1
    owner = next((s for s in seats if s not in table.asked), seats[0])
    table.paused = True
    lookers = [Looker(seat) for seat in (-1, 0, 1, 2)]
    table.viewers.update(lookers)
    others = [seat for seat in (-1, 0, 1, 2) if seat != owner]
    before, mine = {seat: all_that_leaves(table, seat) for seat in others}, all_that_leaves(table, owner)
    logged = logs()
    amount = 50 if game == "kuhhandel" else None
    give(table, owner, text, amount)
    assert {seat: all_that_leaves(table, seat) for seat in others} == before
    assert all_that_leaves(table, owner) != mine
    assert {looker.seat for looker in lookers if looker.woken} == {owner}
    assert logs() == logged
    open_replay = scene.as_json(scene.replay(table, others[0], "http://here", None, None))
    assert "orders" not in open_replay or open_replay["orders"] == {"given": [], "offers": []}


def numbers(person: Person) -> list[str]:
    """The server's own numbers, apart from those of its process and of its event loop."""
    lines = person.http.get("/metrics").text.splitlines()
    return [line for line in lines if line.startswith("outbid_") and not line.startswith("outbid_lag_seconds")]


def test_over_real_sockets_nobody_else_hears_that_an_order_was_given_or_cancelled(server: str):
    with at_auction(server) as (people, one):
        seller = people[0].now()["view"]["turn"]
        owner, eve = people[3 - one - seller], Person(server)
        eve.table = owner.table
        watchers = [people[one], people[seller], eve]
        pages_before = [(w.now(), w.http.get(f"/t/{w.table}").text) for w in watchers]
        with line_to(watchers[0]) as a, line_to(watchers[1]) as b, line_to(eve) as c:
            time.sleep(0.3)
            for line in (a, b, c):
                while True:
                    try:
                        line.recv(timeout=0.3)
                    except TimeoutError:
                        break
            counted = numbers(eve)
            post(owner, order=offered(owner, "Raise for me up to this amount, then pass"), amount=50)
            (given,) = owner.now()["orders"]["given"]
            post(owner, cancel=given["about"])
            post(owner, order=offered(owner, "Out for this"))
            assert numbers(eve) == counted
            for line in (a, b, c):
                with pytest.raises(TimeoutError):
                    line.recv(timeout=0.5)
        time.sleep(0.2)
        again = [(w.now(), w.http.get(f"/t/{w.table}").text) for w in watchers]
        assert again == pages_before
        eve.http.close()


def test_the_move_of_an_order_is_a_move_of_the_person_like_any_other(tmp_path: Path):
    """In the log, the record and the database, but for the moment, nothing tells it from a move by hand."""

    async def play(table: Table) -> None:
        _, one, two = auction(table)
        give(table, one, "Raise for me", 10)
        await quiet(table)
        do(table, two, do="pass")

    table = playing(tmp_path, play)
    assert table.reasons == {}
    stored = table.store.load(table.id)
    assert stored
    assert all(move.command and not move.public and not move.private for move in stored.moves)
    for seat in (-1, 0, 1, 2):
        assert all(line.reason is None for line in scene.lines(table, seat))
    assert read_record(table.playing.record()).moves == table.playing.moves


def test_an_order_acts_after_a_delay_drawn_as_that_of_a_bot_whatever_it_decides(tmp_path: Path):
    waits: list[float] = []

    async def play(table: Table) -> None:
        low, high = PACES["fast"]
        _, one, two = auction(table)
        give(table, one, "Raise for me up to this amount, then pass", 50)
        give(table, two, "Raise for me up to this amount, then pass", 50)
        known, begun, late = len(said(table)), time.monotonic(), 0.0
        while table.playing.view(-1)["phase"] == "bid":
            slept = time.monotonic()
            await asyncio.sleep(0.002)
            late += time.monotonic() - slept - 0.002  # the machine had something else to do
            if len(said(table)) > known:
                waits.append(time.monotonic() - begun)
                assert low <= waits[-1] <= high + 0.15 + late
                known, begun, late = len(said(table)), time.monotonic(), 0.0

    playing(tmp_path, play, pace="fast")
    assert len(waits) >= 6


def test_an_order_that_is_given_while_a_bot_thinks_does_not_make_the_bot_slower(tmp_path: Path):
    async def play(table: Table) -> None:
        _, _one, two = auction(table)
        table.driver.wake()
        await asyncio.sleep(0.05)
        table.driver._woken.clear()
        give(table, two, "Out for this animal")
        assert not table.driver._woken.is_set()

    playing(tmp_path, play, pace="slow")


@pytest.mark.slow
def test_notify_says_of_an_order_no_more_than_the_table(cluster: Cluster):
    url = cluster.database()
    store = Store(url)
    settings = Settings(url, pace="instant")
    table, _ = at_once(Tables(store, settings).create(Order("kuhhandel", 3, "Ada", seed=4)))
    for name in ("Ben", "Cy"):
        at_once(table.join(name))
    _seller, one, _two = auction(table)
    with cluster.connect(url) as ear:
        assert isinstance(ear, psycopg.Connection)
        ear.execute("LISTEN outbid")
        give(table, one, "Raise for me", 50)
        at_once(table.orders.cancel(one, table.orders.panel(one, table.playing.hidden(one)).given[0].about))
        told = list(ear.notifies(timeout=1))
    assert {one.payload for one in told} == {table.id}
    store.close()


def test_every_game_that_understands_orders_offers_what_it_can_answer_and_names_what_it_is_about(book: Any, tmp_path: Path):
    """Along a random match: every offer can be given, read and ended, and answers only with moves that can be made."""
    module = automatic_moves.understood(book)
    if module is None:
        return
    table = table_in(tmp_path, book.id)
    match = table.playing
    seen = 0
    for number in range(120):
        if match.over:
            break
        for seat in range(3):
            state = match.hidden(seat)
            for choice in module.offered(state, seat, match.names):
                seen += 1
                order = {**choice.move, **({"amount": choice.amounts[-1]} if choice.amounts else {})}
                assert json.loads(json.dumps(choice.move)) == choice.move
                assert 0 < len(order["about"]) <= 64
                assert module.lasts(order, state, seat)
                assert module.sentence(order, state, seat, match.names).endswith(".")
                answer = module.answer(order, state, seat)
                if seat in match.asked and answer is not None:
                    match.copy().play(seat, answer)
        seat = match.asked[0]
        match.play_steps(seat, choose(match, seat, "random", number).actions)
    assert seen
