"""What nobody sees yet is drawn by lot (bots/search/sealed_bids.py)."""

from itertools import product

import numpy as np
import pytest

import outbid
from outbid.bots import LookAhead, Seat, strong
from outbid.bots.belief import determinize
from outbid.bots.heuristic import STEADY
from outbid.bots.nets import net_policy
from outbid.bots.search import ismcts, rollouts, sealed_bids, subgame
from outbid.compiled.buffers import allocate
from outbid.core import contract
from outbid.games.kuhhandel.state import OFFER, REPLY, TURN
from outbid.games.money.state import BID

STRONG = LookAhead("strong", "", compiled=True)
QUICK = LookAhead("strong", "", 0.1, compiled=True)


def chances(decision):
    """The moves that may be drawn, and how likely each is."""
    return {one.actions: one.chance for one in decision.values if one.chance}


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.deep
def test_sealed_bids_among_more_than_two_are_drawn(players):
    """Whoever knows the bot, and even its hand and what it evaluates, does not foresee all its bids."""
    match = outbid.game("money").new(players, seed=3)
    several = 0
    for number in range(4 * players):
        decision = STRONG.decide(Seat.of(match, number % players, number))
        drawn = chances(decision)
        assert sum(drawn.values()) == pytest.approx(1)
        assert drawn[decision.actions] > 0
        assert all(chance >= 0.04 for chance in drawn.values())
        several += len(drawn) > 1
    assert several


def test_a_bid_is_drawn_as_often_as_is_said():
    chosen = np.zeros(3)
    subgame = strong.Space(outbid.game("money").rulebook, compiled=False).searches.subgame
    for seed in range(4000):
        subgame.chance[:3] = 3, 0, 1
        chosen[sealed_bids.drawn(3, seed * 7919, subgame)] += 1
    assert chosen / 4000 == pytest.approx([0.75, 0, 0.25], abs=0.03)
    assert subgame.chance[:3] == pytest.approx([0.75, 0, 0.25])


@pytest.mark.deep
def test_the_first_who_seals_draws_and_so_does_the_last():
    """Nobody has seen anything of what the others have sealed."""
    match = outbid.game("money").new(3, seed=3)
    first = STRONG.decide(Seat.of(match, 2, 5))
    for seat in (0, 1):
        match.play_steps(seat, STEADY.decide(Seat.of(match, seat, 1)).actions)
    last = Seat.of(match, 2, 5)
    assert last.state.phase == BID
    assert chances(first)
    assert chances(STRONG.decide(last))


def test_where_the_number_of_cards_shows_nothing_is_drawn_from_a_table():
    """What the others have bid is then no choice made at the same time any more."""
    found = []
    for counts in ("hidden", "visible_on_commit"):
        match = outbid.game("money", bid_counts=counts).new(3, seed=3)
        match.play_steps(0, STEADY.decide(Seat.of(match, 0, 1)).actions)
        space = strong.space_of(match.rulebook, False)
        space.put(Seat.of(match, 2, 5).state)
        found.append(sealed_bids.chosen_together(space.states, 0, 2, 5, space.searches.subgame, space.work))
    assert found == [True, False]


def test_an_answer_to_what_lies_covered_is_no_choice_made_at_the_same_time():
    """Kuhhandel: not even where the challenger had no money, so that nothing shows of what he chose."""
    no_donkeys = [4, 4, 4, 4, 4, 4, 0, 4, 4, 4]
    match = outbid.game("kuhhandel", quick_deal4=True, start_money=[0] * 6, copies=no_donkeys).new(3, seed=2)
    while match.state.phase != REPLY:
        match.random_move(match.asked[0], 1)
    assert match.state.cards[match.state.turn] == 0
    seat = Seat.of(match, match.asked[0], 5)
    space = strong.space_of(match.rulebook, False)
    space.put(seat.state)
    assert not sealed_bids.chosen_together(space.states, 0, seat.seat, 5, space.searches.subgame, space.work)


def guaranteed(payoffs, mine):
    """What the own chances bring where the other plays its first move with a chance of TRUST, else what is worst."""
    expected = mine @ payoffs
    return sealed_bids.TRUST * expected[0] + (1 - sealed_bids.TRUST) * expected.min()


@pytest.mark.parametrize(
    "payoffs",
    [
        [[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]],  # paper, scissors, stone
        [[0.9, 0.1, 0.2], [0.3, 0.8, 0.4], [0.2, 0.3, 0.9]],
        [[0.6, 0.6, 0.6], [0.5, 0.5, 0.5], [0.4, 0.4, 0.4]],
    ],
)
def test_regret_matching_finds_what_is_best_against_whom_it_half_trusts(payoffs):
    payoffs = np.array(payoffs)
    table = allocate(sealed_bids.PayoffTable, {})
    for w in range(2):
        table.payoffs[w, :3, :3, 0] = payoffs
        table.payoffs[w, :3, :3, 1] = 1 - payoffs
    table.others[0] = 1
    table.mine[sealed_bids.KNOWN, :3] = payoffs[:, 0]
    sealed_bids.regret_matching(2, 3, 3, 1, 3, 0, table)
    mine = table.mine[sealed_bids.SUM, :3] / table.mine[sealed_bids.SUM, :3].sum()
    grid = [np.array([a, b, 20 - a - b]) / 20 for a, b in product(range(21), repeat=2) if a + b <= 20]
    assert guaranteed(payoffs, mine) > max(guaranteed(payoffs, one) for one in grid) - 0.02


@pytest.mark.deep
def test_an_offer_that_stays_covered_is_drawn():
    """Kuhhandel: a trade is begun with notes that nobody sees; everything else everybody sees, and nothing is drawn."""
    game = outbid.game("kuhhandel")
    covered, open_to_all = 0, 0
    for seed in range(40):
        match = game.new(3, seed=seed)
        for number in range(400):
            if not match.asked or covered > 3:
                break
            seat = match.asked[0]
            here = Seat.of(match, seat, number)
            if match.state.phase == OFFER:
                drawn = chances(QUICK.decide(here))
                covered += len(drawn) > 1
                assert not drawn or sum(drawn.values()) == pytest.approx(1)
            elif match.state.phase == TURN and not open_to_all:
                assert not chances(QUICK.decide(here))
                open_to_all += 1
            match.play_steps(seat, STEADY.decide(here).actions)
    assert covered > 3
    assert open_to_all


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["claim", "kuhhandel", *(pytest.param(name, marks=pytest.mark.deep) for name in ("forex", "money", "rivals"))]
)
def test_in_all_that_it_imagines_only_legal_steps_are_made(name, monkeypatch):
    """Whatever way it goes about a decision (bots/search/select.py)."""
    game = outbid.game(name)
    steps = 0

    def checked(s, seat, action):
        nonlocal steps
        steps += 1
        out = [0] * game.rulebook.actions
        assert contract.asked(s) >> seat & 1
        assert action in out[: contract.legal(s, seat, out)]
        contract.apply(s, seat, action)

    for module in (determinize, subgame, ismcts, net_policy, rollouts, sealed_bids):
        monkeypatch.setattr(module, "apply", checked)
    plain = LookAhead("strong", "", compiled=False)
    decided = 0
    match = game.new(game.rulebook.players[0] + 1, seed=7)
    while match.asked and decided < 3:
        seat = Seat.of(match, match.asked[-1], len(match.moves))
        if len(match.moves) % 9 == 0:
            decided += 1
            plain.decide(seat)
        match.play_steps(seat.seat, STEADY.decide(seat).actions)
    assert decided
    assert steps > 500
