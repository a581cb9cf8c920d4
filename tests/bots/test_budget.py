"""What a decision may cost: so many rollouts, and so many steps in all of them, whatever the clock says."""

from __future__ import annotations

from dataclasses import replace

import pytest

import outbid
from outbid.bots import BOTS, LEVELS, strong
from outbid.bots.belief import particle_filter
from outbid.bots.heuristic import STEADY
from outbid.bots.search import ismcts, rollouts, sealed_bids, select
from outbid.bots.search.rollouts import RolloutConfig
from outbid.bots.seat import Seat
from outbid.core.match import Match
from outbid.core.rulebook import rulebook, rulebooks
from outbid.runs.loops import opponent_aware
from outbid.runs.seating import Bots


def begun(game: str, moves: int = 6) -> Seat:
    """A seat that is asked early in a match of the heuristic."""
    match = Match.new(rulebook(game), {}, rulebook(game).players[0], 5)
    for number in range(moves):
        match.play_steps(match.asked[0], STEADY.decide(Seat.of(match, match.asked[0], number)).actions)
    return Seat.of(match, match.asked[0], 3)


@pytest.fixture
def evaluated(monkeypatch):
    """Evaluate the moves of a seat with a limit; returns how many there are, their rollouts, the steps of these, and those
    of the longest world."""
    begins, determinize = [], rollouts.determinize

    def dealt(states, i, at, seat, seed, work):
        begins.append(work.steps[0])
        determinize(states, i, at, seat, seed, work)

    def evaluate(seat: Seat, steps: int) -> tuple[int, int, int, int]:
        begins.clear()
        space = strong.Space(seat.rulebook, compiled=False)
        space.put(seat.state)
        space.under(seat.state)
        _, n = rollouts.evaluate(space.states, 0, seat.seat, 5, RolloutConfig(250, -3, 0.02, 30.0, 0, steps), 0, space.work)
        cost = space.work.steps[0]
        longest = max(later - one for one, later in zip(begins, [*begins[1:], cost], strict=True))
        return n, sum(abs(times) for times in space.work.played[:n]), cost, longest

    monkeypatch.setattr(rollouts, "determinize", dealt)
    return evaluate


@pytest.mark.slow
def test_a_decision_ends_in_the_world_in_which_its_steps_are_spent(evaluated):
    seat = begun("rivals")
    whole = n, all_of_them, cost, _ = evaluated(seat, rollouts.NO_LIMIT)
    limit = cost // 2
    same, fewer, less, longest = evaluated(seat, limit)
    assert n == same
    assert n < fewer < all_of_them
    assert limit <= less < limit + longest
    assert evaluated(seat, 2 * cost) == whole


def test_however_small_the_budget_each_move_is_played_on_once_a_round(evaluated):
    seat = begun("rivals")
    n, times, _, _ = evaluated(seat, 1)
    assert times >= n
    assert times < 2 * n + rollouts.rounds_of(n) + 2


def test_a_tree_ends_when_its_steps_are_spent():
    seat = begun("rivals")
    space = strong.Space(seat.rulebook, compiled=False)
    space.put(seat.state)
    tried = []
    for steps in (30, rollouts.NO_LIMIT):
        config = RolloutConfig(12, -8, 0.02, 30.0, 0, steps)
        _, n = ismcts.search(space.states, space.cells, 0, seat.seat, 5, config, space.searches.tree, space.work)
        tried.append(sum(space.work.played[:n]))
    assert 0 < tried[0] < tried[1] <= 12


def test_a_share_of_the_budget_is_that_share_of_rollouts_and_of_steps():
    book = rulebook("rivals")
    settings = strong.SearchSettings.of(book, book.fresh({}), 3)
    whole, quarter = settings.config(1.0), settings.config(0.25)
    assert (whole.budget, whole.steps) == (settings.rollouts, book.search.steps)
    assert (4 * quarter.budget, 4 * quarter.steps) == (whole.budget, whole.steps)
    assert settings.budget(1e-9) == (1, 1)


def test_what_was_spent_before_is_taken_off_the_steps_in_proportion_but_a_tenth_stays():
    class Work:
        whole = (1000,)

    def left(steps: int, spent: int) -> int:
        return int(select.less(RolloutConfig(250, -3, 0.02, 30.0, 0, steps), spent, Work).steps)

    assert [left(1000, spent) for spent in (0, 300, 950, 5000)] == [1000, 700, 100, 100]
    assert left(250, 300) == 175
    assert left(rollouts.NO_LIMIT, 0) == rollouts.NO_LIMIT


def test_what_was_tried_in_vain_to_be_solved_is_taken_off_the_tree(monkeypatch):
    match = Match.new(rulebook("claim"), {}, 2, 5)
    seat, found = Seat.of(match, match.asked[0], 3), []
    monkeypatch.setattr(select, "ends_soon", lambda *about: True)
    monkeypatch.setattr(select, "search", lambda *about: found.append((about[5].steps, about[7].steps[0])) or (0, 0))
    replace(BOTS["strong"], compiled=False, budget=100.0).decide(seat)
    ((left, spent),) = found
    whole = seat.rulebook.search.steps
    assert 0 < spent < whole
    assert left == whole - spent


@pytest.mark.slow
def test_a_table_of_sealed_bids_is_part_of_the_budget(monkeypatch):
    match = Match.new(rulebook("money"), {}, 3, 5)
    seat = Seat.of(match, match.asked[0], 3)

    class Evaluated(Exception):
        """It is known now how much may be spent."""

    def evaluate(states, i, who, seed, config, given, work):
        raise Evaluated(config.steps)

    monkeypatch.setattr(sealed_bids, "evaluate", evaluate)
    with pytest.raises(Evaluated) as share:
        replace(BOTS["strong"], compiled=False).decide(seat)
    assert share.value.args == (2 * (seat.rulebook.search.steps // strong.PLAIN) // 3,)


@pytest.mark.slow
def test_what_a_seat_has_tried_to_follow_counts_until_it_moves():
    match = outbid.game("kuhhandel").new(players=3, seed=4)
    costs = []
    while not match.over and len(costs) < 30:
        seat = Seat.of(match, match.asked[0], 9)
        if seat.seat == 0:
            space = strong.space_of(seat.rulebook, False)
            space.put(seat.state)
            strong.learn(seat, space, False)
            since = next((k for k, step in enumerate(reversed(seat.past)) if step.seat == 0), len(seat.past))
            later = seat.past[len(seat.past) - since :]
            unseen = any(step.seat >= 0 and step.action == particle_filter.UNSEEN for step in later)
            costs.append((unseen, int(space.work.filter_steps[0])))
        match.play_steps(seat.seat, STEADY.decide(seat).actions)
    assert any(unseen for unseen, _ in costs)
    assert all((cost > 0) == unseen for unseen, cost in costs)


@pytest.mark.parametrize("game", rulebooks())
def test_the_arena_has_the_budget_of_the_table(game):
    book = rulebook(game)
    names = [f"{name}*0.3" for name in LEVELS if getattr(BOTS[name], "level", None) is not None]
    rows = Bots(book, {}, book.players[0], names).policies
    usual = strong.SearchSettings.of(book, book.fresh({}), book.players[0])
    for row, name in zip(rows, names, strict=True):
        config = usual.at(book, BOTS[name.partition("*")[0]].level).config(0.3)
        assert (row[opponent_aware.BUDGET], row[opponent_aware.LIMIT]) == (config.budget, config.steps)
        assert opponent_aware.config_of(row, config.points_weight, config.unit) == config


def test_a_weaker_level_may_cost_as_much_as_strong_but_makes_fewer_rollouts():
    for book in rulebooks().values():
        whole = strong.SearchSettings.of(book, book.fresh({}), book.players[0])
        for level in book.search.levels:
            one = whole.at(book, level)
            assert one.steps == whole.steps
            assert one.rollouts < whole.rollouts
            assert replace(one, rollouts=whole.rollouts, lead=whole.lead, margin=whole.margin) == whole
