"""What a seat believes of what others have laid face down (bots/belief/determinize.py, `retract_hidden` of each game)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outbid.bots import strong
from outbid.bots.belief import determinize
from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, rulebook
from outbid.testing.positions import deal, hidden, redealt, walk

seeds = st.integers(0, 2**40)


def seats_of(mask: int) -> list[int]:
    return [seat for seat in range(8) if mask >> seat & 1]


def imagined(state: Any, seat: int, book: Rulebook, numbers: range) -> list[Any]:
    """Worlds as a seat believes them to be."""
    space = strong.Space(book, 5, False)
    worlds = []
    for number in numbers:
        space.put(hidden(state, seat))
        determinize.determinize(space.states, 0, 1, seat, number, space.work)
        worlds.append(space.states[1].copy())
    return worlds


@given(seed=seeds)
def test_who_took_a_move_back_and_makes_it_again_brings_the_position_back(book, seed):
    state = deal(book, seed)
    last: list[list[int]] = [[] for _ in range(8)]  # the last move of each seat
    whole = [True] * 8
    for seat, action in walk(state, seed, 120):
        asked = [one for one in seats_of(contract.asked(state)) if one < state.players]
        for viewer in asked:
            world = state.copy()
            back = contract.retract_hidden(world, viewer)
            assert not back >> viewer & 1
            if not back:
                assert world == state
            for other in seats_of(back):
                assert contract.asked(world) >> other & 1
                for step in last[other]:
                    contract.apply(world, other, step)
            assert world == state, world.differences(state)
        if whole[seat]:
            last[seat] = []
        last[seat].append(action)
        twin = state.copy()
        contract.apply(twin, seat, action)
        whole[seat] = not contract.midway(twin, seat)


@pytest.mark.slow
@given(seed=seeds)
def test_a_world_that_is_imagined_looks_to_the_seat_as_what_it_has_seen(book, seed):
    state = deal(book, seed)
    for number, _ in enumerate(walk(state, seed, 60)):
        if number % 15 == 0:
            for seat in seats_of(contract.asked(state)):
                if seat < state.players and not contract.midway(state, seat):
                    for world in imagined(state, seat, book, range(seed % 1000, seed % 1000 + 3)):
                        assert hidden(world, seat) == hidden(state, seat)


def replies(games: range, players: int = 3) -> list[Any]:
    """Kuhhandel among the heuristic: positions in which somebody looks at a covered offer of one or more cards."""
    return [state for state in _decisions("kuhhandel", games, players) if state.offered > 0]


def bids(games: range, players: int = 3) -> list[Any]:
    """Money among the heuristic: positions in which the last seat bids and all others have sealed."""
    return [state for state in _decisions("money", games, players) if state.sealed == (1 << (players - 1)) - 1]


def _decisions(game: str, games: range, players: int) -> list[Any]:
    found = []
    for seed in games:
        match = Match.new(rulebook(game), {}, players, seed)
        note = [0] * 64
        while match.asked:
            seat = match.asked[0]
            state = match.state
            if contract.retract_hidden(state.copy(), seat):
                found.append(state)
            state, steps = state.copy(), []
            while not steps or contract.midway(state, seat):
                steps.append(contract.steady(hidden(state, seat), seat, seed + len(match.moves), note))
                contract.apply(state, seat, steps[-1])
            match.play_steps(seat, steps)
    return found


def money_of(cards: Any) -> int:
    from outbid.games.kuhhandel.state import MONEY

    return sum(n * worth for n, worth in zip(cards, MONEY, strict=True))


def bid_of(state: Any, seat: int) -> int:
    return int(state.worth[seat])


CASES = [
    pytest.param("kuhhandel", replies, 10, lambda s: (money_of(s.offer), s.challenged), id="kuhhandel"),
    pytest.param("money", bids, 20, lambda s: (bid_of(s, 0), 2), id="money"),
]


@pytest.mark.parametrize(("game", "positions", "matches", "hidden_sum"), CASES)
@pytest.mark.deep
def test_in_self_play_beliefs_are_calibrated_and_better_than_dealing_evenly(game, positions, matches, hidden_sum):
    """The place of the true sum among those imagined is as often any; a deal without belief has it in the wrong place, and
    is further off."""
    book, n = rulebook(game), 24
    places: dict[str, list[float]] = {"believed": [], "even": []}
    off: dict[str, list[float]] = {"believed": [], "even": []}
    for state in positions(range(40, 40 + matches)):
        true, seat = hidden_sum(state)
        worlds = {
            "believed": imagined(state, seat, book, range(n)),
            "even": [redealt(hidden(state, seat), seat, 1000 + k) for k in range(n)],
        }
        for how, dealt in worlds.items():
            sums = np.array([hidden_sum(world)[0] for world in dealt])
            places[how].append(float(np.mean(sums < true) + np.mean(sums == true) / 2))
            # the continuous ranked probability score of a sample
            off[how].append(float(np.abs(sums - true).mean() - np.abs(sums[:, None] - sums).mean() / 2))
    assert len(places["even"]) >= 100
    error = 1 / np.sqrt(12 * len(places["even"]))
    assert abs(np.mean(places["believed"]) - 0.5) < 4 * error
    assert np.mean(off["believed"]) < 0.85 * np.mean(off["even"])
    assert abs(np.mean(places["even"]) - 0.5) > abs(np.mean(places["believed"]) - 0.5)


def offered_anew(state: Any, seat: int, number: int) -> Any:
    """A world dealt evenly, in which the challenger offers anew as the heuristic does."""
    world, note = redealt(hidden(state, seat), seat, number), [0] * 64
    contract.retract_hidden(world, seat)
    while contract.asked(world) == 1 << state.turn:
        action = contract.steady(hidden(world, state.turn), state.turn, ~number & (1 << 40) - 1, note)
        contract.apply(world, state.turn, action)
    return world


@pytest.mark.deep
def test_every_world_that_fits_can_be_believed_and_more_often_the_likelier_the_offer():
    """The belief is Bayes' rule for the heuristic, mixed with one even deal in eight."""
    book, n = rulebook("kuhhandel"), 3000

    def agreeing(state: Any, numbers: range) -> list[Any]:
        anew = (offered_anew(state, state.challenged, number) for number in numbers)
        return [world for world in anew if world.offered == state.offered]

    state = next(s for s in replies(range(60, 90)) if s.offered == 2 and len(agreeing(s, range(40))) > 10)
    seat = state.challenged
    even = Counter(tuple(redealt(hidden(state, seat), seat, number).offer) for number in range(n))
    believed = Counter(tuple(world.offer) for world in agreeing(state, range(n)))
    found = Counter(tuple(world.offer) for world in imagined(state, seat, book, range(n)))
    accepted = sum(believed.values())
    dealt_evenly = 1 / determinize.EVENLY
    dealt_evenly += (1 - dealt_evenly) * (1 - accepted / n) ** determinize.TRIES  # none of the tries agreed
    for offer in set(even) | set(believed) | set(found):
        expected = dealt_evenly * even[offer] / n + (1 - dealt_evenly) * believed[offer] / accepted
        error = (expected * (1 - expected) * (1 / n + 1 / accepted) + 1e-6) ** 0.5
        assert abs(found[offer] / n - expected) < 5 * error, offer
    assert max(abs(found[offer] - even[offer]) for offer in even) > n / 20
    assert set(even) - set(believed)  # never offered by the heuristic, and believed nevertheless
    assert set(even) - set(believed) <= set(found) | {offer for offer, times in even.items() if times < 50}
