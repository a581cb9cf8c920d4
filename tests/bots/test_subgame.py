"""What little can still happen between two players is solved (bots/search/subgame.py)."""

from collections import Counter

import numpy as np
import pytest

import outbid
from outbid import solve
from outbid.bots import LookAhead, Seat, strong
from outbid.bots.heuristic import STEADY
from outbid.compiled.game_tree import N_ACTIONS
from outbid.core import contract
from outbid.core.chance import stream
from outbid.games.money.state import BID

pytestmark = pytest.mark.slow

STRONG = LookAhead("strong", "", compiled=True)


class Opening:
    """`strong` as long as everybody bids, then the heuristic."""

    name, summary = "opening", ""

    def decide(self, seat):
        return STRONG.decide(seat) if seat.state.phase == BID else STEADY.decide(seat)


def asked(game, seed):
    """The first decision of a match for two."""
    match = game.new(2, seed=seed)
    return Seat.of(match, match.asked[0], seed)


def settled(seat, compiled=True):
    """Working space of what is solved after a decision, and what was evaluated."""
    evaluated, best = LookAhead("strong", "", compiled=compiled).evaluated(seat)
    return strong.space_of(seat.rulebook, compiled).searches.subgame, evaluated, best


@pytest.mark.deep
def test_whoever_knows_its_sealed_bids_gains_nothing_by_it():
    """Money! `small`, its bids with what an equilibrium does after them."""
    game = outbid.game("money", preset="small")
    tree = solve.tree(game, 2)
    exact = solve.cfr_plus(tree, 1000)
    bids = solve.policy_of(tree, Opening())
    bidding = np.repeat(tree.views["phase"] == BID, tree.facts[:, N_ACTIONS])
    chances = exact.chances.copy()
    chances[2:][bidding] = bids.chances[2:][bidding]
    assert solve.nash_conv(tree, solve.policy_from(tree, chances)) < 0.02
    steady = solve.policy_of(tree, "steady")
    chances[2:][bidding] = steady.chances[2:][bidding]
    assert solve.nash_conv(tree, solve.policy_from(tree, chances)) > 0.1


@pytest.mark.deep
def test_sealed_bids_are_drawn_and_each_as_often_as_is_said():
    """Money! `small`: what is bid is foreseen by nobody who knows the bot."""
    game = outbid.game("money", preset="small")
    match = game.new(2, seed=0)
    decision = STRONG.decide(Seat.of(match, 0, 1))
    chances = {one.actions: one.chance for one in decision.values}
    assert sum(chances.values()) == pytest.approx(1, abs=0.001)
    assert max(chances.values()) < 0.9
    drawn = Counter(STRONG.decide(Seat.of(match, 0, seed)).actions for seed in range(120))
    for actions, chance in chances.items():
        assert drawn[actions] / 120 == pytest.approx(chance, abs=0.16)
    assert "draw lots" in decision.private["en"]
    assert "lose" in decision.private["de"]
    assert not decision.public  # nothing of it is said to the others


def test_its_moves_are_worth_what_the_equilibrium_says():
    """The mover of Rivals `tiny` wins two matches of three (docs/small-games.md), whatever the order of the pile is."""
    game = outbid.game("rivals", preset="tiny")
    worths = []
    for deal, _ in game.rulebook.deals(game.options, 2):
        match = game.load(["Ada", "Ben"], deal)
        decision = STRONG.decide(Seat.of(match, match.asked[0], 1))
        worths.append(next(one.value for one in decision.values if one.actions == decision.actions))
    assert sum(worths) / len(worths) == pytest.approx((1 - strong.POINTS) * 2 / 3, abs=strong.POINTS)


@pytest.mark.parametrize(("game", "preset", "worlds"), [("rivals", "tiny", 6), ("money", "small", 1)])
@pytest.mark.generic
def test_worlds_are_all_that_everybody_may_hold_for_possible(game, preset, worlds):
    """Rivals: every order of the pile. Money!, where all cards are dealt or open: hands tell each other."""
    for seed in range(5):
        subgame, _, _ = settled(asked(outbid.game(game, preset=preset), seed))
        assert subgame.solved[0] == worlds


@pytest.mark.parametrize(("game", "preset", "seed"), [("money", "tiny", 2), ("rivals", "tiny", 1)])
@pytest.mark.generic
def test_compiled_and_plain_the_same_is_solved(game, preset, seed):
    """Shortly before the end, where the plain backend has room for it."""
    match = outbid.game(game, preset=preset).new(2, seed=seed)
    alike = 0
    while match.asked:
        seat = Seat.of(match, match.asked[0], seed)
        subgame, plain, best = settled(seat, False)
        if subgame.solved[0]:
            _, quick, same = settled(seat)
            assert [(one.actions, one.chance) for one in plain] == [(one.actions, one.chance) for one in quick]
            assert [one.value for one in plain] == pytest.approx([one.value for one in quick])
            assert best == same
            alike += 1
        match.play_steps(seat.seat, STRONG.decide(seat).actions)
    assert alike


def test_what_the_seat_cannot_know_changes_nothing_that_is_solved():
    game = outbid.game("rivals", preset="tiny")
    for seed in range(6):
        match = game.new(2, seed=seed)
        while match.asked:
            seat = match.asked[0]
            decision = STRONG.decide(Seat.of(match, seat, seed))
            assert decision.values[0].chance is not None
            other = match.copy()
            contract.redeal(other.state, seat, stream(seed, 1))
            assert STRONG.decide(Seat.of(other, seat, seed)) == decision
            match.play_steps(seat, decision.actions)


def test_where_much_can_happen_and_among_more_players_nothing_is_solved():
    for game, players in ((outbid.game("rivals"), 2), (outbid.game("rivals", preset="tiny"), 3)):
        match = game.new(players, seed=1)
        subgame, evaluated, _ = settled(Seat.of(match, match.asked[0], 1))
        assert not subgame.solved[0]
        assert all(one.chance is None for one in evaluated)


def test_against_strong_the_equilibrium_loses_nothing():
    """Both begin equally often: what each has is what the game is worth to it."""
    game = outbid.game("rivals", preset="tiny")
    tree = solve.tree(game, 2)
    strong_policy = solve.policy_of(tree, STRONG)
    exact = solve.cfr_plus(tree, 1000)
    for seat in range(2):
        mixed = solve.policy_from(tree, exact.chances)
        first, last = tree.ranges[seat], tree.ranges[seat + 1]
        lo, hi = int(tree.facts[first, 1]), int(tree.facts[last - 1, 1] + tree.facts[last - 1, 2])
        mixed.chances[lo:hi] = strong_policy.chances[lo:hi]
        assert solve.value(tree, mixed)[seat] == pytest.approx(solve.value(tree, exact)[seat], abs=0.01)


@pytest.mark.deep
def test_where_some_worlds_are_likelier_than_others_nothing_is_solved():
    """Claim: bills lie aside whose kinds nobody knows. Where all are in the two hands, the end is solved."""
    for preset, lie_aside in (("duel", True), ("tiny", False)):
        match = outbid.game("claim", preset=preset).new(2, seed=1)
        assert contract.has_uniform_prior(match.state) == (not lie_aside)
    for changes in ({"two_players": "duel", "goal": 6, "full_threshold": 4}, {"goal": 6, "full_threshold": 4}):
        match = outbid.game("claim", **changes).new(2, seed=1)
        solved = 0
        while match.asked:
            seat = Seat.of(match, match.asked[0], 1)
            solved += settled(seat)[0].solved[0]
            match.play_steps(seat.seat, STEADY.decide(seat).actions)
        assert bool(solved) == ("two_players" not in changes)


@pytest.mark.parametrize(("counts", "solved"), [("hidden", True), ("visible_on_commit", False)])
def test_what_is_seen_of_a_sealed_bid_is_not_solved_away(counts, solved):
    """Whoever sees how many cards the other has laid does not choose at the same time as the other."""
    match = outbid.game("money", preset="tiny", bid_counts=counts).new(2, seed=0)
    subgame, _, _ = settled(Seat.of(match, match.asked[0], 1), False)
    assert bool(subgame.solved[0]) == solved
    first = Seat.of(match, 0, 1)
    match.play_steps(0, STEADY.decide(first).actions)
    subgame, _, _ = settled(Seat.of(match, 1, 1), False)
    assert bool(subgame.solved[0]) == solved
