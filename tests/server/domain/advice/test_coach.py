"""The coach: it warns once before a move that loses much, and nobody where it is not wanted."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from outbid.bots import Decision
from outbid.bots.decision import WeighedMove
from outbid.bots.heuristic import STEADY
from outbid.bots.seat import Seat
from outbid.core import contract
from outbid.core.hooks.contrast import Contrast, Fact
from outbid.games.kuhhandel.state import MONEY
from outbid.server.domain.commands import Command
from outbid.server.domain.contests import ladder
from outbid.server.domain.setup import Order
from outbid.server.domain.table import CommandOutcome, Table
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.opening import url_of
from outbid.server.storage.store import Store
from tests.support.coaching import objectionable
from tests.support.hints import Asked, made, shown, until_asked
from tests.support.serving import at_once


def judging(loss: float, error: float = 0.01, second: float | None = 1.0, fewer: int = 0) -> Any:
    """A judge to whom everything but one other move loses so much, and the net of the reviews; or so many points."""

    def decided(seat: Seat) -> Decision:
        world, out = seat.world(0), [0] * 256
        first = [out[k] for k in range(contract.legal(world, seat.seat, out))]
        better = next((step,) for step in first if (step,) != seat.meant)
        weighed = WeighedMove("better", better), WeighedMove("meant", seat.meant, loss, error, second, 0.01, fewer)
        contrast = Contrast(seat.seat, 24, (Fact(("bonus", 1, 0), True, 0.1, 0.8),))
        return Decision(better, weighed=weighed, contrast=contrast, other=seat.meant)

    return Asked(decided)


def play(found: Table, text: str, name: str = "") -> CommandOutcome:
    """Ada makes a move."""

    async def run() -> CommandOutcome:
        number = found.decisions[0]
        outcome = await found.play(0, Command(name or f"{number}-{text}", number, text))
        found.driver.stop()
        return outcome

    return asyncio.run(run())


def at(folder: Path, executor: Any, hints: str = "coach", **order: Any) -> Table:
    """A table of Rivals at which Ada is asked."""
    found = made(folder, executor, game="rivals", hints=hints, **order)
    until_asked(found)
    return found


def test_before_a_move_that_loses_much_it_says_what_comes_of_it_and_asks_once(tmp_path: Path):
    executor = judging(0.25)
    found = at(tmp_path, executor)
    before = len(found.playing.moves)
    warned = play(found, "uncover")
    assert (warned.ok, warned.status, len(found.playing.moves)) == (False, 409, before)
    name = found.seats[1].name
    assert warned.error.startswith("Better: You ")
    assert f"{name} gets the bonus of the red expedition in 1 of 10 cases instead of 8." in warned.error
    assert "Your move has 25 % less chance to win." in warned.error
    now = shown(found, 0)["now"]
    assert "Are you sure?" in now
    assert "Play it anyway" in now
    assert "Are you sure?" not in shown(found, 1)["now"]
    assert "Are you sure?" not in shown(found, -1)["now"]
    assert play(found, "uncover").ok  # the same command, sent again
    assert len(found.playing.moves) == before + 1
    assert executor.asked.count("strong") == 1
    assert "Are you sure?" not in shown(found, 0)["now"]


def test_where_the_match_is_lost_anyway_it_speaks_of_points(tmp_path: Path):
    warned = play(at(tmp_path, judging(0.0, second=0.0, fewer=24)), "uncover")
    assert not warned.ok
    assert "The best move brings 24 points more at the end." in warned.error
    assert "chance to win" not in warned.error


def test_a_few_points_are_not_worth_a_word(tmp_path: Path):
    assert play(at(tmp_path, judging(0.0, second=0.0, fewer=12)), "uncover").ok


def test_it_says_what_follows_from_the_move_by_the_rules(tmp_path: Path):
    found = at(tmp_path, judging(0.25))
    dear = {"do": "bid", "amount": found.playing.state.gold[0]}
    warned = play(found, f"bid {dear['amount']}")
    assert "The display brings you only " in warned.error
    assert f" at once, for {dear['amount']} gold. " in warned.error


@pytest.mark.parametrize(("loss", "error"), [(0.05, 0.001), (0.25, 0.1), (-0.2, 0.01)])
def test_it_is_silent_where_little_is_lost_or_the_judge_is_not_sure(tmp_path: Path, loss: float, error: float):
    found = at(tmp_path, judging(loss, error))
    assert play(found, "uncover").ok


@pytest.mark.parametrize(("second", "said"), [(0.01, ""), (-0.1, ""), (0.12, "12 %"), (0.4, "25 %"), (None, "25 %")])
def test_two_judges_must_agree_and_the_smaller_loss_is_told(tmp_path: Path, second: float | None, said: str):
    found = at(tmp_path, judging(0.25, second=second))
    outcome = play(found, "uncover")
    assert outcome.ok is not bool(said)
    assert said in (outcome.error or "")


def test_a_loss_that_one_judge_hardly_sees_is_told_without_a_figure(tmp_path: Path):
    warned = play(at(tmp_path, judging(0.25, second=0.04)), "uncover")
    assert not warned.ok
    assert "less chance to win" not in warned.error


def test_a_judge_that_fails_stops_no_move(tmp_path: Path):
    def broken(_seat: Seat) -> Decision:
        raise MemoryError

    assert play(at(tmp_path, Asked(broken)), "uncover").ok


def test_what_a_hint_has_advised_is_not_warned_of(tmp_path: Path):
    executor = judging(0.25)
    found = at(tmp_path, executor)
    seat = Seat.of(found.playing, 0, 1)
    hinted = Decision(tuple(found.playing.attempt(0, "uncover")[2]))
    executor.answer, coaching = (lambda _seat: hinted), executor.answer

    async def taken() -> None:
        await found.hints.take(0)
        found.driver.stop()

    asyncio.run(taken())
    executor.answer = coaching
    assert seat.said(hinted.actions) == "uncover"
    assert play(found, "uncover").ok
    assert executor.asked.count("strong") == 1


def test_a_hint_after_a_warning_is_the_warning_once_more(tmp_path: Path):
    executor = judging(0.25)
    found = at(tmp_path, executor)
    assert not play(found, "uncover").ok

    async def taken() -> Any:
        advice = await found.hints.take(0)
        found.driver.stop()
        return advice

    advice = asyncio.run(taken())
    assert executor.asked.count("strong") == 1
    assert advice.move != "uncover"
    assert [other.beside for other in advice.others] == ["25 % less"]


def test_who_does_not_want_it_is_not_warned(tmp_path: Path):
    executor = judging(0.25)
    found = at(tmp_path, executor)
    found.coach.mute(0, True)
    assert play(found, "uncover").ok
    assert "strong" not in executor.asked


def test_a_move_that_is_not_possible_is_refused_as_ever(tmp_path: Path):
    executor = judging(0.25)
    found = at(tmp_path, executor)
    assert play(found, "bid 900").status in (400, 422)
    assert "strong" not in executor.asked


def tables(folder: Path) -> Tables:
    """A house of its own."""
    settings = Settings(url_of(str(folder / "tables.db")))
    return Tables(Store(settings.database), settings, judging(0.25))


@pytest.mark.parametrize(
    ("bots", "mode", "there"),
    [
        (("easy", "steady"), "", True), (("easy:scout",), "", True), (("steady", "strong"), "", False),
        (("easy", "open"), "", False), (("easy",), "off", False), (("easy",), "on", False), (("strong",), "coach", True),
    ],
)  # fmt: skip
def test_it_is_there_by_itself_where_one_person_plays_with_an_easy_bot(tmp_path: Path, bots, mode, there):
    bots = tuple("easy" if bot == "easy:scout" else bot for bot in bots)
    found, _token = at_once(tables(tmp_path).create(Order("rivals", 3, "Ada", bots, hints=mode)))
    if "open" in bots:
        at_once(found.join("Ben"))
    assert found.coach.there(0) is (mode == "coach"), "no page has been opened"
    found.coach.people.add(0)
    assert found.coach.there(0) is there


def test_a_program_is_not_spoken_to_at_a_table_with_an_easy_bot_until_a_browser_has_opened_its_page(tmp_path: Path):
    found, _token = at_once(tables(tmp_path).create(Order("rivals", 3, "Ada", ("easy", "easy"), seed=4, pace="slow")))
    until_asked(found)
    assert play(found, "uncover").ok
    until_asked(found)
    found.coach.people.add(0)
    assert not play(found, "uncover").ok


def unready() -> Asked:
    """Minds of which `strong` is still being compiled."""
    executor = Asked(STEADY.decide)
    executor.compiled = False
    return executor


def against_the_rules(found: Table) -> str:
    """Others play until Ada could make a move that the rules alone speak against; that move."""
    match = found.playing
    while not match.over:
        until_asked(found)
        move = objectionable(match, 0, found.seats[0].seed)
        if move:
            return match.rulebook.words.text(move)
        at_once(found._play(0, STEADY.decide(Seat.of(match, 0, 1)).actions, None, ({}, {})))
    pytest.fail("over")


def test_until_strong_is_ready_the_rules_alone_speak_where_they_are_clear(tmp_path: Path):
    executor = unready()
    found = at(tmp_path, executor)
    move = against_the_rules(found)
    warned = play(found, move)
    assert warned.error.startswith("Better: You ")
    assert "less chance to win" not in warned.error
    assert "With your move: " in warned.error
    assert "so far it goes by the rules alone" in shown(found, 0)["now"]
    assert executor.asked == ["steady"]
    assert "strong" in executor.prepared
    assert play(found, move).ok


def test_of_the_move_that_the_rules_name_it_says_nothing(tmp_path: Path):
    found = at(tmp_path, unready())
    move = against_the_rules(found)
    seat = Seat.of(found.playing, 0, found.seats[0].seed)
    better = seat.said(STEADY.decide(seat).actions)
    assert better != move
    assert play(found, better).ok


def test_a_hint_after_a_word_of_the_rules_is_the_move_that_it_named(tmp_path: Path):
    executor = unready()
    found = at(tmp_path, executor)
    warned = play(found, against_the_rules(found))
    advice = asyncio.run(hinted(found))
    assert executor.asked == ["steady"]
    assert advice.bot == "steady"
    assert f"Better: {advice.said} " in warned.error


async def hinted(found: Table) -> Any:
    """A hint for Ada."""
    advice = await found.hints.take(0)
    found.driver.stop()
    return advice


@pytest.mark.parametrize(
    ("bots", "order", "there"),
    [
        (("strong", "steady"), {}, True), (("steady", "open"), {}, False), (("steady",), {"hints": "off"}, False),
        (("steady",), {"hints": "on"}, False), (("steady",), {"day": "2026-11-29"}, False),
    ],
)  # fmt: skip
def test_a_newcomer_has_one_where_one_person_plays_and_nothing_counts(tmp_path: Path, bots, order, there):
    found, _token = at_once(tables(tmp_path).create(Order("rivals", 3, "Ada", bots, **order)))
    if "open" in bots:
        at_once(found.join("Ben"))
    assert not found.coach.there(0)
    found.coach.newcomers.add(0)
    assert found.coach.there(0) is there
    assert not found.coach.there(1)


def test_a_match_with_a_coach_never_counts(tmp_path: Path):
    found, _token = at_once(tables(tmp_path).create(Order("rivals", 3, "Ada", ("easy",), hints="coach")))
    assert not ladder.counts(found)


def rich(folder: Path, executor: Any) -> Table:
    """A table of Kuhhandel at which Ada bids, who has four 100s more than the others."""
    found = made(folder, executor, hints="coach")
    until_asked(found)
    state = found.playing.state
    state.money[0][MONEY.index(100)] += 4
    state.purse += 400
    return found


@pytest.mark.parametrize("ready", [True, False])
def test_of_what_is_paid_for_nothing_it_speaks_though_no_chance_depends_on_it(tmp_path: Path, ready: bool):
    found = rich(tmp_path, judging(0.0, second=0.0) if ready else unready())
    warned = play(found, "bid 400")
    assert warned.error.startswith("Better: You bid 100. ")
    assert "A bid of 100 wins the auction as surely: nobody else can pay more than 90." in warned.error
    assert asyncio.run(hinted(found)).move == "bid 100"
    assert play(found, "bid 400").ok


def test_of_a_little_more_than_it_takes_it_says_nothing(tmp_path: Path):
    assert play(rich(tmp_path, judging(0.0, second=0.0)), "bid 110").ok
