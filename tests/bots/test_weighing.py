"""One judge of all that stands in a list: the same worlds for all, and nothing in it is better than what is advised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

import outbid
from outbid.bots import LookAhead, Seat, choose
from outbid.bots.decision import WeighedMove
from outbid.bots.hints import advised
from outbid.bots.strong import long_evaluated, opinions, played_on
from outbid.bots.weighing import ASSUMED_OFF, KINDS, ahead, kind_of, off, weighed
from outbid.core import contract
from outbid.core.language import i18n
from tests.rivals.table import play, position
from tests.support.profile import DEEP

ADVISER = LookAhead("strong", "", 0.4, compiled=False)
POSITIONS, WORLDS = 20 if DEEP else 10, 4


def positions(game: str, seed: int = 1) -> Iterator[Seat]:
    """Seats that have a choice, in matches of bots; the moves of the others count for nothing, which is quicker."""
    while True:
        match = outbid.game(game).new(players=3, seed=seed)
        while not match.over:
            asked = match.asked[0]
            if not match.legal(asked).forced and len(match.moves) % 5 == seed % 5:
                yield replace(Seat.of(match, asked, seed), past=(), counsel=True)
            match.play_steps(asked, choose(match, asked, "steady", seed).actions)
        seed += 1


def beside(game: str, adviser: LookAhead) -> int:
    """How many moves stand beside what is advised in POSITIONS, none of which is better by the one estimate."""
    listed = 0
    for seat in islice(positions(game), POSITIONS):
        decision = adviser.decide(seat)
        if not decision.weighed:
            continue
        best, *others = decision.weighed
        assert best.actions == decision.actions
        assert (best.ahead, best.less, best.disputed) == (0.0, 0.0, False)
        for move in others:
            assert 0 <= move.less <= max(move.ahead, 0)
            assert move.ahead >= 0 or (move.second or 0) >= 0, "one judge at least does not think more of it"
        told = advised(seat, decision, "strong")
        assert [rated.less for rated in told.others] == [round(100 * move.less) for move in others]
        listed += len(others)
    return listed


@pytest.mark.slow
def test_nothing_that_stands_beside_an_advice_is_better():
    assert beside("claim", ADVISER)


@pytest.mark.generic
@pytest.mark.parametrize("game", ["claim", "forex", "kuhhandel", "money", "rivals"])
def test_nothing_that_stands_beside_an_advice_is_better_in_any_game(game: str):
    assert beside(game, LookAhead("strong", "", 0.05, compiled=True)) >= POSITIONS // 2


def test_what_a_move_is_worth_does_not_depend_on_what_stands_beside_it():
    seat = next(positions("claim"))
    moves = [move.actions for move in ADVISER.decide(seat).values][:3]
    whole, pair = (played_on(seat, moves[:many], WORLDS, compiled=False) for many in (len(moves), 2))
    assert (whole[:, :2] == pair).all()
    turned = weighed(seat, moves[::-1], whole[:, ::-1], opinions(seat, moves[::-1]))
    for move in weighed(seat, moves, whole, opinions(seat, moves)):
        assert move in turned or len({other.ahead for other in turned}) < len(turned), "or two are alike"


def test_moves_are_weighed_by_what_the_seat_knows():
    match = outbid.game("kuhhandel").new(players=3, seed=2)
    while len(match.moves) < 12 or match.legal(match.asked[0]).forced:
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", 1).actions)
    asked, other = match.asked[0], match.copy()
    contract.redeal(other.state, asked, 99)
    assert other.state != match.state
    known, replaced = (replace(Seat.of(each, asked, 1), past=(), counsel=True) for each in (match, other))
    adviser = replace(ADVISER, budget=0.1)
    assert adviser.decide(known) == adviser.decide(replaced)


@pytest.mark.slow
def test_a_move_that_is_meant_stands_in_the_list_and_leaves_the_rest_as_it_is():
    for seat in islice(positions("claim"), POSITIONS):
        without, out = ADVISER.decide(seat), [0] * 256
        listed = {move.actions for move in without.weighed}
        for step in out[: contract.legal(seat.state, seat.seat, out)]:
            decision = ADVISER.decide(replace(seat, meant=(step,)))
            weighed = {move.actions for move in decision.weighed}
            if weighed == listed or not listed:
                continue
            assert weighed == listed | {(step,)}
            assert decision.actions in (without.actions, (step,))
            return
    pytest.fail("every move was listed anyway")


def test_what_judges_think_is_told_by_the_more_careful_one():
    both, against = WeighedMove("", (), 0.2, 0.02, 0.1), WeighedMove("", (), 0.2, 0.02, -0.1)
    alone = WeighedMove("", (), 0.2, 0.02)
    assert [round(move.less, 3) for move in (both, against, alone)] == [0.1, 0.0, 0.2]
    assert [move.disputed for move in (both, against, alone)] == [False, True, False]
    assert WeighedMove("", (), -0.1, 0.02, 0.2).disputed
    assert not WeighedMove("", (), -0.1, 0.09, 0.2).disputed, "that is within the error"
    assert WeighedMove("", (), 0.2, 0.15, 0.1).alike
    assert not WeighedMove("", (), 0.2, 0.15, 0.1).sure


def test_where_there_is_no_time_to_weigh_moves_only_the_move_is_told():
    seat = next(positions("claim"))
    decision = ADVISER.decide(replace(seat, until=0.0))
    assert decision.weighed == ()
    assert advised(seat, decision, "strong").others == ()


def test_the_error_of_a_difference_is_that_of_the_same_worlds():
    worlds = np.array([[0.0, 0.5], [1.0, 0.5 + 1.0], [0.0, 0.5]])
    mean, error = ahead(worlds, 1, 0)
    assert (mean, error) == (pytest.approx(0.5), pytest.approx(0.0))


@pytest.mark.slow
def test_a_bot_names_no_better_move_than_its_own_beside_it():
    """Where another did better, but not clearly, it says that it stays."""
    plain, told = LookAhead("strong", "", 0.4, compiled=False), set[str]()
    for seat in islice(positions("claim"), POSITIONS):
        decision = plain.decide(replace(seat, counsel=False))
        own = next((move for move in decision.values if move.actions == decision.actions), None)
        if own is None or own.chance is not None or len(decision.values) < 2:
            continue
        said = decision.private["en"]
        assert "% of the victory" not in said
        stays = any(move.value > own.value for move in long_evaluated(decision.values, own))
        assert (f"stay with {own.text}" if stays else f"{own.text} did best") in said
        told.add("stay with" if stays else "did best")
    assert "did best" in told


def behind() -> Seat:
    """Ada at a table of Rivals whose last cards cannot bring her near Ben."""
    trips = ["Rx R2 R3", "Gx G3 G4 G5 G6 G7 G8", "Bx"]
    match = play(position("R4 R5 G9", trips, gold=(4, 3, 5), drawn=77, turn=1), "1 bid 3 / 2 pass")
    return replace(Seat.of(match, 0, 1), past=(), counsel=True)


def test_whoever_is_beyond_hope_is_told_how_many_points_a_move_brings():
    seat = behind()
    decision = ADVISER.decide(seat)
    best, other = decision.weighed
    assert (best.fewer, best.less, other.less, other.alike) == (0, 0.0, 0.0, False)
    assert other.fewer > 0
    advice = advised(seat, decision, "strong")
    assert f"at the end this brings {other.fewer} points more than the next best move." in advice.reason
    assert [rated.beside for rated in advice.others] == [f"{other.fewer} points less"]
    with i18n.locale("de"):
        assert f"am Ende bringt das {other.fewer} Punkte mehr als der nächstbeste Zug." in advice.reason
        assert [rated.beside for rated in advice.others] == [f"{other.fewer} Punkte weniger"]


def test_points_decide_only_where_they_clearly_differ():
    seat, moves = behind(), [(1,), (58,), (59,)]
    lost, scores = (
        np.zeros((4, 3)),
        np.array([[10.0, 22.0, 9.0], [12.0, 24.0, 13.0], [10.0, 21.0, 11.0], [12.0, 25.0, 11.0]]),
    )
    best, near, _far = weighed(seat, moves, lost, None, scores)
    assert [best.actions, best.fewer, near.fewer] == [(58,), 0, 12]
    noisy = np.array([[0.0, 40.0, 0.0], [40.0, 0.0, 0.0], [0.0, 50.0, 0.0], [40.0, 0.0, 90.0]])
    assert [move.fewer for move in weighed(seat, moves, lost, None, noisy)] == [0, 0, 0]


@pytest.mark.slow
def test_where_chances_differ_nothing_is_said_of_points():
    for seat in islice(positions("claim"), POSITIONS):
        weighed_moves = ADVISER.decide(seat).weighed
        assert not any(move.fewer for move in weighed_moves) or all(move.less <= 0.02 for move in weighed_moves)


def test_the_net_has_as_much_say_as_its_measured_error_leaves_it():
    seat, moves = behind(), [(1,), (58,)]
    rollouts = np.array([[0.5, 0.4], [0.6, 0.5], [0.5, 0.45], [0.6, 0.55], [0.4, 0.2]])  # the first, by 0.1 ± 0.03
    net = np.array([[0.3, 0.4]])
    assert weighed(seat, moves, rollouts, net)[0].actions == (1,), "the net is farther off than that in Rivals"
    vague = rollouts + np.array([[0.0, 0.9], [0.9, 0.0], [0.0, -0.9], [-0.9, 0.0], [0.0, 0.0]])
    assert weighed(seat, moves, vague, net)[0].actions == (58,)
    assert [kind_of(share) for share in (0.0, 0.3, 0.6, 1.0)] == ["behind", "open", "ahead", "ahead"]
    assert off("unheard-of", "open") == ASSUMED_OFF
    assert off("rivals", "ahead") == max(off("rivals", kind) for kind, _below in KINDS), "too few were of that kind"
    assert all(0.0 < off("rivals", kind) < 0.5 for kind, _below in KINDS)
