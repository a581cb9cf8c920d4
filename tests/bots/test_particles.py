"""Particles that a seat keeps from move to move (bots/belief/particle_filter.py), in the game that says how: Kuhhandel."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from outbid.bots import BOTS, Seat, choose, strong
from outbid.bots.belief import determinize, opponent_types, particle_filter
from outbid.bots.decision import Lost
from outbid.bots.search import select
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.fields import Records
from outbid.core.match import Match
from outbid.core.rulebook import rulebook, rulebooks
from outbid.games.kuhhandel.state import BID, MONEY, OFFER, PAY

BOOK = rulebook("kuhhandel")
KEEPING = [book.id for book in rulebooks().values() if strong.kept(book, True)]


def match_of(*bots: str, seed: int = 3, options: dict[str, Any] | None = None) -> Any:
    """A match of these bots, before each of its moves."""
    match = Match.new(BOOK, options or {}, len(bots), seed)
    while not match.over:
        yield match
        if not match.asked:
            match.play(None, "close")
            continue
        seat = match.asked[len(match.moves) % len(match.asked)]
        actions = choose(match, seat, bots[seat], stream(seed, seat)).actions
        if actions:
            match.play_steps(seat, actions)
        else:
            match.play(None, "close")


def learned(seat: Seat, compiled: bool = True) -> strong.Space:
    space = strong.space_of(BOOK, compiled)
    space.put(seat.state)
    strong.learn(seat, space, compiled)
    return space


def particles_of(space: strong.Space, seat: int) -> list[Any]:
    """The particles that this seat keeps."""
    return [plain(space.states, strong.RECORDS + n) for n in np.flatnonzero(space.work.odds[seat])]


def sums_of(space: strong.Space, seat: int, other: int) -> tuple[Any, Any]:
    """What another has in each of the particles that a seat keeps, and the odds of these particles."""
    odds = space.work.odds[seat]
    return np.array([money(world.money[other]) for world in particles_of(space, seat)]), odds[odds > 0]


def off_by(found: Any, odds: Any, true: float) -> float:
    """The continuous ranked probability score of what is believed."""
    return float(odds @ np.abs(found - true) - odds @ np.abs(found[:, None] - found) @ odds / 2)


def plain(states: Any, at: int) -> Any:
    return states[at].copy() if isinstance(states, Records) else BOOK.plain.from_record(states, at)


def imagined(seat: Seat, kept: strong.Space, seed: int) -> Any:
    """A determinization for a decision, taken from the particles."""
    many = len(kept.work.odds[seat.seat])
    space = strong.Space(BOOK, strong.RECORDS + many, False)
    space.put(seat.state)
    for n in range(many):
        space.states[strong.RECORDS + n] = plain(kept.states, strong.RECORDS + n)
    work = space.work._replace(odds=kept.work.odds, particles=kept.work.particles)
    determinize.determinize(space.states, 0, 1, seat.seat, seed, work)
    return space.states[1].copy()


def money(hand: Any) -> int:
    return sum(int(n) * worth for n, worth in zip(hand, MONEY, strict=True))


def replace_spare(world: Any, state: Any) -> Any:
    """A state with the working space and undrawn deck of another."""
    twin = state.copy()
    twin.spare[:], twin.deck[:] = world.spare, world.deck
    return twin


def forget() -> None:
    """As if this process had seen no match."""
    strong._own.__dict__.pop("filters", None)


PLAYERS = [
    pytest.param(("steady", "steady", "steady"), {}, id="the heuristic"),
    pytest.param(("easy", "net", "steady:shark", "steady", "random"), {}, id="anybody"),
    pytest.param(("random", "random", "random"), {"overbid": "forbidden"}, id="bids that some hands do not allow"),
    pytest.param(("steady", "random", "steady", "easy"), {"hand_count_view": "hidden", "offer_count_view": "hidden"},
                 id="hands and offers uncounted"),
    pytest.param(("random", "steady", "random"), {"zeros_return": True, "winner_pays": True, "tie_money": "returned"},
                 id="stacks that go back"),
]  # fmt: skip


@pytest.mark.parametrize(("bots", "options"), PLAYERS)
@pytest.mark.deep
def test_a_world_that_was_kept_looks_to_the_seat_as_what_it_sees(bots, options):
    kept, hands = 0, set()
    for match in match_of(*bots, options=options):
        seat = match.asked[0]
        if len(match.moves) % 11 or len(match.moves) > 600:
            continue
        view = Seat.of(match, seat, 8)
        space = learned(view)
        particles = particles_of(space, seat)
        assert space.work.particles[0] == strong.RECORDS
        for number in range(3):
            world = imagined(view, space, stream(7, number))
            kept += world.money in [one.money for one in particles]
            assert all(card >= 0 for card in world.deck[: world.size])
            contract.hide(world, seat)
            world.spare[:] = view.state.spare
            assert world == view.state, world.differences(view.state)
        hands |= {str(world.money) for world in particles}
    assert kept > 60
    assert len(hands) > 10


@pytest.fixture(scope="module")
def self_play():
    """The place of the true money among the particles kept, and by how much these and even deals are off, by the continuous
    ranked probability score."""
    place, off = [], {"kept": [], "even": []}
    r = np.random.default_rng(1)
    for seed in range(4):
        for match in match_of("steady", "steady", "steady", seed=seed):
            if match.asked[0] != 0 or match.state.phase == BID or len(match.moves) < 40:
                continue
            seat = Seat.of(match, 0, 8)
            space, even = learned(seat), [seat.world(number) for number in range(16)]
            for other in (1, 2):
                true = money(match.state.money[other])
                found, odds = sums_of(space, 0, other)
                off["kept"].append(off_by(found, odds, true))
                dealt = np.array([money(world.money[other]) for world in even])
                off["even"].append(off_by(dealt, np.full(16, 1 / 16), true))
                place.append(odds @ (found < true) + odds @ (found == true) * r.random())
    assert len(place) > 150
    return place, off


@pytest.mark.deep
def test_in_self_play_what_others_have_is_believed_calibrated(self_play):
    """The place of the true money among the particles kept is as often any."""
    place, _off = self_play
    assert abs(np.mean(place) - 0.5) < 4 / np.sqrt(12 * len(place))
    assert 0.7 < np.std(place) * np.sqrt(12) < 1.3


@pytest.mark.deep
@pytest.mark.xfail(strict=True, reason="0.22 of the error of even deals since Kuhhandel's bots raise in larger steps")
def test_in_self_play_what_others_have_is_believed_much_closer_than_dealing_evenly(self_play):
    _place, off = self_play
    assert np.mean(off["kept"]) < 0.15 * np.mean(off["even"])


def observed(state: Any, viewer: int) -> bytes:
    out = np.zeros(BOOK.features, np.float32)
    contract.observe(state, viewer, out)
    return out.tobytes()


def done(world: Any, seat: int, actions: Any) -> Any:
    """The world after a move that all have seen; None where it is not possible."""
    out = [0] * (BOOK.actions + 64)
    for action in actions:
        if action not in out[: contract.legal(world, seat, out)]:
            return None
        contract.apply(world, seat, action)
    return world


def done_unseen(world: Any, seat: int, number: int) -> Any:
    """The world after a move of the heuristic."""
    while contract.asked(world) == 1 << seat:
        hidden = world.copy()
        contract.hide(hidden, seat)
        contract.apply(world, seat, contract.steady(hidden, seat, stream(911, number), [0] * 64))
        if not contract.midway(world, seat):
            break
    return world


def reckoned_apart(seed: int, trades: int, draws: int) -> Any:
    """The match so far before each decision of the first seat, and the chances of what the second seat has: Bayes' rule for
    the heuristic in a dictionary of everything that can have come about, without a limit. It pays a price in one way."""
    match = Match.new(BOOK, {}, 3, seed)
    exact = {b"": (match.state.copy(), 1.0)}
    while trades:
        seat = match.asked[0]
        if seat == 0 and len(exact) > 1:
            sums: dict[int, float] = {}
            for world, chance in exact.values():
                sums[money(world.money[1])] = sums.get(money(world.money[1]), 0) + chance
            yield match, sums
        actions = choose(match, seat, "steady", stream(seed, len(match.moves))).actions
        unseen = seat != 0 and contract.is_public(match.state, seat, actions[0]) == 0
        times = range(1 if not unseen else 2 if match.state.phase == PAY else draws)
        trades -= unseen and match.state.phase == OFFER
        match.play_steps(seat, actions)
        came: dict[bytes, tuple[Any, float]] = {}
        for world, chance in exact.values():
            contract.observe_chance(world, match.state)
            for number in times:
                after = done_unseen(world.copy(), seat, number) if unseen else done(world.copy(), seat, actions)
                if after is not None and observed(after, 0) == observed(match.state, 0):
                    mark = b"".join(observed(after, viewer) for viewer in range(3))
                    came[mark] = after, came.get(mark, (after, 0.0))[1] + chance / len(times)
        total = sum(chance for _, chance in came.values())
        exact = {mark: (world, chance / total) for mark, (world, chance) in came.items()}


@pytest.mark.deep
def test_for_three_the_odds_are_those_of_bayes_rule_over_everything_that_can_have_come_about(monkeypatch):
    """Where everybody is taken for the heuristic; what is left between the two is that both draw what it might do."""
    monkeypatch.setattr(particle_filter, "type_at", lambda place, other, work: opponent_types.AS_STEADY)
    monkeypatch.setattr(strong, "FEW", particle_filter.MANY)
    monkeypatch.setattr(strong, "_own", threading.local())
    apart: dict[str, list[float]] = {"kept": [], "even": []}
    for match, sums in reckoned_apart(12, 5, 150):
        seat = Seat.of(match, 0, 8)
        dealt = np.array([money(seat.world(number).money[1]) for number in range(100)])
        for how, (found, odds) in {
            "kept": sums_of(learned(seat, compiled=False), 0, 1), "even": (dealt, np.full(100, 0.01)),
        }.items():  # fmt: skip
            believed = {int(one): float(odds[found == one].sum()) for one in set(found)}
            apart[how].append(sum(abs(sums.get(one, 0) - believed.get(one, 0)) for one in {*sums, *believed}) / 2)
    assert len(apart["kept"]) > 2
    assert np.mean(apart["kept"]) < 0.2 < 0.6 < np.mean(apart["even"])


@pytest.mark.deep
def test_whoever_plays_as_nobody_is_expected_to_is_no_riddle():
    """All particles may die; then they are dealt anew, and what is possible stays so."""
    truly = 0
    for match in match_of("random", "random", "random", seed=5):
        if match.asked[0] == 0 and len(match.moves) > 100 and len(match.moves) < 500:
            space = learned(Seat.of(match, 0, 8))
            found = [sums_of(space, 0, other)[0] for other in (1, 2)]
            true = [money(match.state.money[other]) for other in (1, 2)]
            truly += all(min(sums) <= one <= max(sums) for sums, one in zip(found, true, strict=True))
    assert truly > 10


def kept_by(view: Seat) -> Any:
    """The particles of a seat, their odds, and who it takes the others for."""
    space = learned(view)
    work = space.work
    return particles_of(space, view.seat), work.odds[view.seat].tolist(), work.posterior.tolist(),
    int(work.filter_steps[view.seat])


@pytest.mark.deep
def test_who_goes_on_from_an_earlier_decision_comes_to_the_same_worlds_as_who_begins_anew():
    views = [Seat.of(match, 0, 8) for match in match_of("steady", "easy", "random", seed=2) if match.asked[0] == 0]
    for k in (5, 20, len(views) - 1):
        going_on = kept_by(views[k])
        forget()
        assert kept_by(views[k]) == going_on
    learned(views[20])
    past = list(views[20].past)
    last = max(k for k, step in enumerate(past) if step.after)
    past[last] = past[last]._replace(after=past[last - 1].after or past[0].after)
    other = replace(views[20], past=tuple(past))
    after_another = kept_by(other)
    forget()
    assert kept_by(other) == after_another != going_on, "after another move in its place, too"


@pytest.mark.deep
def test_a_match_too_long_to_be_remembered_begins_with_a_later_look_the_same_for_whoever_comes_late(monkeypatch):
    monkeypatch.setattr(strong, "LONG", 100)
    monkeypatch.setattr(strong, "BLOCK", 20)
    views = [Seat.of(match, 0, 8) for match in match_of("steady", "easy", "steady", seed=2) if match.asked[0] == 0]
    assert len(views[-1].past) > 300
    forget()
    came = [kept_by(view) for view in views]
    for k in range(1, len(views), 9):
        forget()
        assert kept_by(views[k]) == came[k]
    for world in came[-1][0]:
        contract.hide(world, 0)
        assert world.packed() == replace_spare(world, views[-1].state).packed()


@pytest.mark.deep
def test_in_portions_a_match_is_lived_through_as_at_once(monkeypatch):
    match = next(match for match in match_of("steady", "net", "easy", seed=4) if len(match.moves) == 120)
    seat = Seat.of(match, match.asked[0], 8)
    found = []
    for portion in (1, 7, 10_000):
        monkeypatch.setattr(strong, "PORTION", portion)
        forget()
        found.append(kept_by(seat))
    assert found[0] == found[1] == found[2]


@pytest.mark.deep
def test_who_has_no_time_to_live_through_a_match_says_so_and_is_further_the_next_time(monkeypatch):
    monkeypatch.setattr(strong, "PORTION", 30)
    match = next(match for match in match_of("steady", "steady", "easy", seed=4) if len(match.moves) == 120)
    seat = Seat.of(match, match.asked[0], 8)
    bot = replace(BOTS["strong"], budget=0.01, compiled=True)
    forget()
    decided = bot.decide(seat)
    forget()
    hasty, late = replace(seat, until=0.0), []
    while len(late) < len(seat.past):
        try:
            assert bot.decide(hasty) == decided
            break
        except Lost as error:
            late.append(str(error))
    assert len(seat.past) / 30 - 2 < len(late) < len(seat.past) / 30
    assert len(set(late)) == len(late)


@pytest.mark.deep
def test_a_bot_that_was_prepared_compiles_nothing_at_a_table():
    match = next(match for match in match_of("steady", "steady", "steady", seed=2) if len(match.moves) == 30)
    replace(BOTS["strong"], budget=0.01).prepare(BOOK)
    loops = [strong.entry_of(BOOK, loop) for loop in (select.think, particle_filter.replay)]
    prepared = [len(loop.signatures) for loop in loops]
    forget()
    for moves in (1, 2, 3, 30):
        seat = Seat.of(match.at(moves), match.at(moves).asked[0], 4)
        replace(BOTS["strong"], budget=0.01, compiled=True).decide(seat)
    assert [len(loop.signatures) for loop in loops] == prepared == [1, 1]


@pytest.mark.deep
def test_compiled_or_not_the_worlds_are_the_same(monkeypatch):
    monkeypatch.setattr(particle_filter, "MANY", strong.FEW)
    monkeypatch.setattr(strong, "_own", threading.local())
    match = next(match for match in match_of("steady", "net", "easy", seed=4) if len(match.moves) == 60)
    seat = Seat.of(match, match.asked[0], 8)
    found = [learned(seat, compiled) for compiled in (True, False)]
    assert particles_of(found[0], seat.seat) == particles_of(found[1], seat.seat)
    assert found[0].work.odds.tolist() == found[1].work.odds.tolist()


@pytest.mark.deep
def test_what_a_seat_brings_and_decides_does_not_depend_on_what_it_has_not_seen():
    """Two offers of one card, one of nothing and one of 50, until somebody looks at them."""
    bot = replace(BOTS["strong"], compiled=True, budget=0.02)
    played = match_of("steady", "steady", "steady", seed=6)
    match = next(one for one in played if one.state.phase == OFFER and all(one.state.money[one.asked[0]][1:3]))
    challenger, challenged = match.state.turn, match.state.challenged
    twins = [match.copy(), match.copy()]
    for twin, card in zip(twins, (10, 50), strict=True):
        twin.play(challenger, f"offer {card}")
    third = 3 - challenger - challenged
    for viewer in (challenged, third):
        assert twins[0].past(viewer) == twins[1].past(viewer)
    assert twins[0].past(challenger) != twins[1].past(challenger)
    decided = [bot.decide(Seat.of(twin, challenged, 9)) for twin in twins]
    assert decided[0] == decided[1]


@pytest.mark.deep
def test_where_anybody_may_speak_at_any_time_no_worlds_are_kept():
    found = set()
    for match in match_of("steady", "steady", "steady", options={"bidding": "realtime"}):
        if match.asked and len(match.moves) < 80:
            space = learned(Seat.of(match, match.asked[0], 8))
            found.add((bool(match.moves), int(space.work.particles[0]) == opponent_types.NOWHERE))
    assert found == {(False, False), (True, True)}


@pytest.mark.parametrize("game", KEEPING)
def test_what_chance_has_brought_is_foretold_and_the_rest_drawn_anew(game):
    book = rulebook(game)
    begun = Match.new(book, {}, book.players[1], 7)
    later = begun.copy()
    for _ in range(60):
        if later.asked:
            later.random_move(later.asked[0], 3)
    other = begun.state.copy()
    contract.redeal(other, 0, 12)
    contract.observe_chance(other, later.hidden(0))
    again, orders = Match(book, {}, begun.names, other), set()
    for move in later.moves[:3]:
        again.play(move["seat"], move)
    told = again.state.copy()
    for number in range(8):
        contract.reshuffle_unseen(told, number)
        for seat in range(-1, begun.players):
            seen, as_was = told.copy(), again.state.copy()
            contract.hide(seen, seat)
            contract.hide(as_was, seat)
            assert seen == as_was
        orders.add(told.packed())
    assert len(orders) == 8
