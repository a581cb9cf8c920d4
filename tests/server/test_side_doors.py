"""The seven side doors through which tables of other sites let secrets out, for every game that has secrets.

What a seat cannot know changes no byte of what it is sent: that is tested in test_server.py and test_battery.py. Here is
each way out by its name.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from outbid.bots import Decision, EvaluatedMove, LookAhead, Seat, bot, choose
from outbid.bots.executor import InProcess
from outbid.core import contract
from outbid.core.errors import OutbidError
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, rulebook, rulebooks
from outbid.server.domain import scene
from outbid.server.domain.commands import Command
from outbid.server.domain.people.chat import Reader
from outbid.server.domain.setup import Order
from outbid.server.domain.table import Table
from outbid.server.domain.tables import Tables
from outbid.server.domain.timing import pacing
from outbid.server.rate_limits import Bucket, Limits
from outbid.server.settings import Rate, Refused, Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from outbid.server.web import pages
from outbid.server.web.socket import Connection
from outbid.testing.positions import hidden, position, redealt
from tests.kuhhandel.table import position as kuhhandel_position
from tests.support.checks import checks
from tests.support.serving import JSON, Person, at_once, hear, line_to, serving, some_move

SECRET = [name for name, book in rulebooks().items() if book.secrets]
DRAWN = [name for name in SECRET if (rulebook(name).folder / "table.html").exists()]
SHOWN = {
    "table", "seats", "you", "view", "question", "board", "legal", "decision", "waiting", "log", "scores", "winners",
    "clocks", "orders", "hint",
}  # fmt: skip
NAMES = ("Ada", "Ben", "Cy", "Dee")
BASE = "http://here"


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """A server's tables without a server: nothing moves but by the test."""
    settings = Settings(url_of(str(tmp_path / "tables.db")), auction_seconds=10_000)
    store = Store(settings.database)
    yield Tables(store, settings)
    store.close()


def table_of(tables: Tables, game: str, seed: int, **options: Any) -> Table:
    """A table of people."""
    low, high = rulebook(game).players
    players = min(high, max(low, 4))
    table, _ = at_once(tables.create(Order(game, players, NAMES[0], options=options, seed=seed)))
    table.driver.wake = lambda: None  # type: ignore[method-assign]
    for name in NAMES[1:players]:
        at_once(table.join(name))
    return table


def turns(table: Table, seed: int, most: int) -> Iterator[tuple[int | None, Any]]:
    """Random moves as (seat, actions), to be played by whoever asks."""
    rng = random.Random(seed)
    for number in range(most):
        match = table.playing
        if match.over:
            return
        seat = rng.choice([s for s in [*match.asked, *([None] if match.clock else [])] if s is None or match.legal(s)])
        yield seat, {"do": "close"} if seat is None else choose(match, seat, "random", seed * 1000 + number).actions


def viewers(table: Table) -> range:
    """All seats and the spectator."""
    return range(-1, len(table.seats))


def seen(table: Table, seat: int) -> dict[str, Any]:
    """What a program is told of the table."""
    return scene.as_json(scene.live(table, seat, BASE))


def play(table: Table, seat: int | None, move: Any) -> None:
    """One move of the table."""
    asyncio.run(table.act(len(table.playing.moves), seat, move, ({"en": "said to all"}, {"en": "said to nobody"})))


@pytest.mark.parametrize("game", SECRET)
@pytest.mark.slow
def test_door_1_the_log_tells_one_move_to_each_as_it_may_know_it(tables: Tables, game: str):
    table = table_of(tables, game, 4)
    for seat, move in turns(table, 1, 120):
        play(table, seat, move)
    match = table.playing
    logs = {viewer: seen(table, viewer)["log"] for viewer in viewers(table)}
    for viewer, log in logs.items():
        assert [line["text"] for line in log] == [line.text for line in match.log(viewer)]
        if not match.over:
            assert "said to nobody" not in json.dumps(log)
    told: dict[int, set[tuple[str, ...]]] = {}
    for log in logs.values():
        for number in range(len(match.moves)):
            told.setdefault(number, set()).add(tuple(line["text"] for line in log if line["move"] == number))
    assert any(len(ways) > 1 for ways in told.values()) or game == "rivals"  # whose moves are open


@pytest.mark.slow(but=("claim", "sealed"))
@pytest.mark.parametrize("game", SECRET)
def test_door_2_looking_back_shows_what_was_seen_then_and_no_more(tables: Tables, game: str):
    table = table_of(tables, game, 5)
    then: list[dict[int, Any]] = []
    for seat, move in turns(table, 2, 60):
        then.append({viewer: seen(table, viewer) for viewer in viewers(table)})
        play(table, seat, move)
    numbers = table.playing.numbers
    # within a round of sealed bids one looks back in the order of the seats, whoever was first
    whole = [number for number in range(len(then)) if sorted(numbers[:number]) == list(range(number))]
    assert len(whole) > len(then) // 4
    for number in whole:
        for viewer, was in then[number].items():
            back = scene.as_json(scene.replay(table, viewer, BASE, number, None))
            assert set(was) == set(back) == SHOWN
            assert back["view"] == was["view"], (number, viewer)
            assert back["board"] == was["board"], (number, viewer)
            assert sorted(line["text"] for line in back["log"]) == sorted(line["text"] for line in was["log"])
            assert back["legal"] == []
    if table.status != "over":
        for viewer in viewers(table):
            for eyes in {"open", *map(str, range(len(table.seats)))} - {str(viewer)}:
                with pytest.raises(Refused, match="when the match is over"):
                    scene.replay(table, viewer, BASE, 0, eyes)


@pytest.mark.slow(but=("money",))
@pytest.mark.parametrize("game", DRAWN)
def test_door_3_neither_deal_nor_seed_nor_token_leaves_before_the_end(tmp_path: Path, game: str):
    """All bytes that the players and a spectator of a running table can get, searched for what is in the database."""
    with serving(tmp_path / "tables.db") as address:
        ada, eve = Person(address), Person(address)
        ada.order(game=game, players=4, bots="random", preset="")
        eve.table = ada.table
        said = ""
        for person in (ada, eve):
            with line_to(person) as line:
                said += json.dumps(hear(line, "regions"))
            for path in ("", "/replay", "/replay?move=0", "/record", "/replay?seat=open"):
                for headers in (JSON, {}):
                    said += person.http.get(f"/t/{ada.table}{path}", headers=headers).text
            said += person.http.get("/").text + person.http.get("/healthz").text + person.http.get("/metrics").text
        own = ada.token
        ada.http.close()
        eve.http.close()
    with closing(sqlite3.connect(tmp_path / "tables.db")) as db:
        deal = json.loads(db.execute("select deal from tables").fetchone()[0])
        hidden = [str(value) for row in db.execute("select seed, token from seats") for value in row if value]
    piles = [pile for pile in deal.values() if isinstance(pile, list) and len(pile) >= 8 and isinstance(pile[0], str)]
    hidden += [own, *(json.dumps(pile[-8:])[1:-1] for pile in piles)]
    assert len(hidden) >= 6
    assert not [secret for secret in hidden if secret in said]


@pytest.mark.slow(but=("money",))
@pytest.mark.parametrize("game", DRAWN)
def test_door_4_who_comes_back_and_who_watches_are_sent_what_the_live_view_is(tables: Tables, game: str):
    table = table_of(tables, game, 6)
    lines = {viewer: line_of(table, viewer) for viewer in viewers(table)}
    kept: dict[int, dict[str, str]] = {viewer: {} for viewer in lines}
    logs = dict.fromkeys(lines, "")
    for number, (seat, move) in enumerate(turns(table, 3, 60)):
        for viewer, line in lines.items():
            news = line.news()
            if news:
                kept[viewer] |= news["regions"]
                logs[viewer] += news["append"].get("log", "")
            if number % 20 == 0:
                fresh = line_of(table, viewer).news()
                assert fresh
                page = pages.table(scene.live(table, viewer, BASE), table.chat.talk(Reader(viewer, "")))
                for name, html in fresh["regions"].items():
                    assert name == "log" or kept[viewer][name] == html, (number, viewer, name)
                    assert html in page
                assert listed(kept[viewer]["log"]) + listed(logs[viewer]) == listed(fresh["regions"]["log"])
        play(table, seat, move)


def line_of(table: Table, viewer: int) -> Connection:
    """What a socket of this viewer is sent, without the socket."""
    socket: Any = SimpleNamespace(scope={"client": ("127.0.0.1", 1)})
    return Connection(socket, table, viewer, BASE, Limits(table.settings), Bucket(Rate(1, 1)))


def listed(html: str) -> list[str]:
    """The lines of a log."""
    return [part.split("</li>")[0] for part in html.split("<li")[1:]]


@pytest.mark.parametrize("game", SECRET)
@pytest.mark.slow
def test_door_5_who_is_asked_depends_on_nothing_a_spectator_cannot_know(game: str):
    book = rulebook(game)
    worlds = 0
    for seed in range(150):
        state = position(book, seed)
        if any(contract.midway(state, seat) for seat in range(state.players)):
            continue  # a move that is half said has not left its seat
        other = redealt(state, -1, seed)
        worlds += other != state
        assert contract.asked(other) == contract.asked(state)
    assert worlds > 20


def test_door_5_a_poor_bidder_is_asked_exactly_as_a_rich_one():
    """Nobody passes for who cannot raise: the same bids ask the same seats, whatever the third has in hand."""
    asked = []
    for purse in ([], [0], [10, 10], [500, 200, 200, 100, 100, 50, 50]):
        match = kuhhandel_position([[0, 50], [100, 100, 100], purse, [100, 100, 100]], deck=["cow"])
        match.play(0, "auction")
        questions = []
        for amount in range(10, 300, 10):
            (seat,) = match.asked
            questions.append((seat, match.question(-1), match.question(seat)))
            match.play(seat, "pass" if seat == 2 or amount > 120 else f"bid {amount}")
            if match.view(-1)["phase"] != "bid":
                break
        asked.append(questions)
    assert [seat for seat, *_ in asked[0]].count(2) >= 3
    assert all(questions == asked[0] for questions in asked)


@pytest.mark.parametrize("thinks", [0.0, 0.15])
def test_door_6_how_long_a_bot_takes_says_nothing_of_what_it_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, thinks: float
):
    """The delay is drawn before the bot is asked, from a range that only the pace sets, and thinking happens within it."""
    events: list[Any] = []

    class Chance(random.Random):
        def uniform(self, a: float, b: float) -> float:
            events.append((a, b))
            return 0.3

    class Thinking(InProcess):
        async def think(self, seat: Seat, name: str, seconds: float = 1.0, wall: float = math.inf) -> Decision:
            events.append("asked")
            await asyncio.sleep(thinks)
            return await super().think(seat, name, seconds, wall)

    monkeypatch.setattr(pacing, "chance", Chance(1))

    async def first() -> tuple[float, float]:
        settings = Settings(url_of(str(tmp_path / "tables.db")))
        kept = Tables(Store(settings.database), settings, Thinking())
        ordered = time.monotonic()
        table, _ = await kept.create(Order("kuhhandel", 3, "Ada", ["random"], pace="fast", seed=first_bot()))
        begun = time.monotonic()
        while not table.playing.moves:
            await asyncio.sleep(0.002)
        moved = time.monotonic()
        await kept.close()
        kept.store.close()
        return moved - ordered, moved - begun

    longest, shortest = asyncio.run(first())
    assert events[:2] == [pacing.PACES["fast"], "asked"]
    assert longest >= 0.28
    assert shortest < 0.6


def first_bot() -> int:
    """The seed of a deal in which a bot begins."""
    book = rulebook("kuhhandel")
    for seed in range(50):
        state = book.fresh({})
        contract.deal(state, 3, seed)
        if not contract.asked(state) & 1:
            return seed
    raise AssertionError("the first seat always begins")


SEALED = {"kuhhandel": {"offer_count_view": "hidden", "hand_count_view": "hidden"}, "money": {}, "sealed": {}}


@pytest.mark.slow(but=("money", "sealed"))
@pytest.mark.parametrize("game", SEALED)
def test_door_6_a_sealed_choice_is_acknowledged_and_shown_in_the_same_bytes_whatever_it_is(tables: Tables, game: str):
    """Two tables, the same but for one sealed choice: the answers have one size, and the others are sent the same."""
    found = 0
    for seed in range(20):
        if found == 2:
            return
        one, two = (table_of(tables, game, seed, **SEALED[game]) for _ in range(2))
        for seat, move in turns(one, seed, 100):
            if seat is not None and sealed_apart(one, two, seat, seed):
                found += 1
                break
            play(one, seat, move)
            play(two, seat, move)
    raise AssertionError("too few sealed choices were found")


def sealed_apart(one: Table, two: Table, seat: int, seed: int) -> bool:
    """Whether a seat had two choices that no other can tell apart; then they are made and compared."""
    match = one.playing
    choices: list[dict[str, Any]] = []
    shown: Any = None
    for n in range(6):
        after = match.copy()
        said = after.play_steps(seat, choose(match, seat, "random", seed * 77 + n).actions)
        views = [after.view(viewer) for viewer in viewers(one) if viewer != seat]
        if said not in choices and shown in (None, views):
            shown = views
            choices.append(said)
        if n == 2 and len(choices) < 2:
            return False  # what is open to all
    if len(choices) < 2:
        return False
    answers = []
    for table, said in zip((one, two), choices[:2], strict=True):
        command = Command(f"{seed}", table.decisions[seat], {key: value for key, value in said.items() if key != "seat"})
        outcome = asyncio.run(table.play(seat, command))
        line = line_of(table, seat)
        line.answer(command.id, outcome)
        assert outcome.ok
        answers.append(json.dumps(line.answers))
    assert answers[0] == answers[1]
    for viewer in viewers(one):
        if viewer != seat:
            assert all_of(one, viewer) == all_of(two, viewer), viewer
    return True


def all_of(table: Table, viewer: int) -> str:
    """All that a viewer is sent, but for the name of the table."""
    said = json.dumps(seen(table, viewer))
    if table.book.id in DRAWN:
        said += json.dumps(pages.render_regions(scene.live(table, viewer, BASE)))
    return said.replace(table.id, "TABLE")


def test_door_7_a_refusal_goes_to_its_sender_only(tmp_path: Path):
    with serving(tmp_path / "tables.db") as address:
        ada, eve = Person(address), Person(address)
        ada.order()
        decision = ada.asked()["decision"]
        ada.http.post(f"/t/{ada.table}/pace", data={"paused": "true"})
        eve.table = ada.table
        with line_to(ada) as own, line_to(eve) as other:
            hear(own, "regions")
            hear(other, "regions")
            quiet(own)
            quiet(other)
            for do in ("dance", "pay", "offer", "bid"):
                assert ada.send({"do": do, "cards": [500]}, decision).status_code in (400, 422)
                own.send(json.dumps({"type": "move", "id": do, "fields": {"decision": decision, "do": do}}))
                assert not hear(own, "ack")["ok"]
            assert quiet(other) == []
            assert quiet(own) == []
            assert ada.send(some_move(ada.now(), random.Random(1)), decision).status_code == 200
            assert hear(other, "regions")
        ada.http.close()
        eve.http.close()


def quiet(line: Any) -> list[Any]:
    """What still comes before there is silence."""
    heard = []
    try:
        while True:
            heard.append(json.loads(line.recv(timeout=0.5)))
    except TimeoutError:
        return heard


# --- what bots say to all -----------------------------------------------------------------------------------------------


def appearance(book: Rulebook, state: Any, seat: int, actions: Any, viewer: int, names: tuple[str, ...]) -> tuple[str, ...]:
    """What a viewer is told of a move."""
    said, after = book.words.move(state, seat, list(actions)), state.copy()
    for action in actions:
        contract.apply(after, seat, action)
    was, now = hidden(state, viewer), hidden(after, viewer)
    return tuple(book.words.told(was, seat, book.words.masked(state, seat, said, viewer), now, viewer, names))


@pytest.mark.slow
@pytest.mark.parametrize("game", SECRET)
def test_of_two_moves_that_look_alike_a_bot_says_the_same_to_all(game: str):
    """Another hand, another reason: if nobody sees another move, nobody is told another reason."""
    book = rulebook(game)
    bots = ["steady", "easy", *(f"steady:{one.name}" for one in book.personas.each)]
    for name in bots:
        compared, match = 0, Match.new(book, {}, 3, 0, NAMES[:3])
        for _ in range(20):
            if not match.asked:
                break
            seat = match.asked[0]
            viewer, said = (seat + 1) % match.players, defaultdict(set)
            for number in range(6):
                world = redealt(match.state, viewer, number)
                mind = bot(name, book).decide(Seat(book, NAMES, seat, len(match.moves), 0, hidden(world, seat)))
                look = appearance(book, world, seat, mind.actions, viewer, NAMES)
                compared += look in said
                said[look].add(mind.public.get("en"))
            assert all(len(reasons) == 1 for reasons in said.values()), said
            match.play_steps(seat, choose(match, seat, "steady", 0).actions)
        assert compared > 5, name


def test_what_strong_says_to_all_is_the_same_however_much_there_was_to_evaluate():
    """How many moves it evaluates depends on its hand."""
    some = [EvaluatedMove(f"bid {n}", 0.5 - 0.1 * n, 40 + n, (n,)) for n in range(4)]
    drawn = [replace(one, rollouts=0, chance=0.25) for one in some]
    strong = bot("strong")
    assert isinstance(strong, LookAhead)
    answers = [strong.answer(values, 0) for values in (some[:1], some[:2], some, drawn)]
    assert not any(answer.public for answer in answers)
    assert len({answer.private["en"] for answer in answers}) == 4


@pytest.mark.slow(but=("sealed",))
@pytest.mark.parametrize("game", SECRET)
def test_door_7_a_refusal_depends_on_nothing_its_sender_cannot_know(tables: Tables, game: str):
    table = table_of(tables, game, 9)
    compared = 0
    for number, (seat, move) in enumerate(turns(table, 5, 60)):
        match = table.playing
        for sender in range(len(table.seats)) if number % 6 == 0 else ():
            truth = match.state
            told = [refusals(table, sender)]
            for seed in range(2):
                match.state = truth.copy()
                contract.redeal(match.state, sender, seed)
                compared += match.state != truth
                told.append(refusals(table, sender))
            match.state = truth
            assert told[0] == told[1] == told[2], (number, sender)
        play(table, seat, move)
    assert compared > 5


def refusals(table: Table, seat: int) -> list[Any]:
    """What a seat is told to moves that are wrong."""
    told: list[Any] = []
    for n, move in enumerate([{}, {"do": "sit"}, *checks(table.book).WRONG]):
        try:
            table.playing.copy().play(seat, move)
        except OutbidError:
            told.append(at_once(table._answer(seat, Command(f"{n}", table.decisions.get(seat, 0), move))))
            assert not told[-1].ok
    return told
