"""Worlds that a seat keeps from move to move (bots/particles.py), in the game that says how: Kuhhandel."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from outbid.bots import BOTS, Seat, belief, choose, particles, strong, styles, thinking
from outbid.engine import contract
from outbid.engine.chance import stream
from outbid.engine.fields import Records
from outbid.engine.match import Match
from outbid.engine.rulebook import rulebook, rulebooks
from outbid.games.kuhhandel.state import BID, MONEY, OFFER

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
    strong.learn(seat, space, False, compiled)
    return space


def worlds_of(space: strong.Space) -> list[Any]:
    """The worlds that it keeps."""
    many = strong.kept(BOOK, not isinstance(space.states, Records))
    return [plain(space.states, strong.RECORDS + n) for n in range(many)]


def plain(states: Any, at: int) -> Any:
    return states[at].copy() if isinstance(states, Records) else BOOK.plain.from_record(states, at)


def imagined(seat: Seat, worlds: list[Any], work: Any, seed: int) -> Any:
    """A world for a decision, taken from those that are kept."""
    space = strong.Space(BOOK, strong.RECORDS + len(worlds), False)
    space.put(seat.state)
    for n, world in enumerate(worlds):
        space.states[strong.RECORDS + n] = world
    belief.imagine(space.states, 0, 1, seat.seat, seed, space.work._replace(alive=work.alive, kept=work.kept))
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
    strong._own.__dict__.pop("lives", None)


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
def test_a_world_that_was_kept_looks_to_the_seat_as_what_it_sees(bots, options):
    kept, hands = 0, set()
    for match in match_of(*bots, options=options):
        seat = match.asked[0]
        if len(match.moves) % 11 or len(match.moves) > 600:
            continue
        view = Seat.of(match, seat, 8)
        space, worlds = learned(view), worlds_of(learned(view))
        assert space.work.kept[0] == strong.RECORDS
        for number in range(3):
            world = imagined(view, worlds, space.work, stream(7, number))
            kept += world.money in [one.money for one in worlds]
            assert all(card >= 0 for card in world.deck[: world.size])
            contract.hide(world, seat)
            world.spare[:] = view.state.spare
            assert world == view.state, world.differences(view.state)
        hands |= {str(world.money) for world in worlds}
    assert kept > 60
    assert len(hands) > 10


def test_in_self_play_what_others_have_is_believed_calibrated_and_much_closer_than_dealing_evenly():
    """The place of the true money among the worlds kept is as often any; and they are far less off than even deals are, by
    the continuous ranked probability score."""
    place, off = [], {"kept": [], "even": []}
    r = np.random.default_rng(1)
    for seed in range(4):
        for match in match_of("steady", "steady", "steady", seed=seed):
            if match.asked[0] != 0 or match.state.phase == BID or len(match.moves) < 40:
                continue
            seat = Seat.of(match, 0, 8)
            worlds = {"kept": worlds_of(learned(seat)), "even": [seat.world(number) for number in range(16)]}
            for other in (1, 2):
                true = money(match.state.money[other])
                for how, dealt in worlds.items():
                    found = np.array([money(world.money[other]) for world in dealt])
                    off[how].append(np.abs(found - true).mean() - np.abs(found[:, None] - found).mean() / 2)
                found = np.array([money(world.money[other]) for world in worlds["kept"]])
                place.append(np.mean(found < true) + np.mean(found == true) * r.random())
    assert len(place) > 150
    assert abs(np.mean(place) - 0.5) < 4 / np.sqrt(12 * len(place))
    assert 0.7 < np.std(place) * np.sqrt(12) < 1.3
    assert np.mean(off["kept"]) < 0.4 * np.mean(off["even"])


def test_whoever_plays_as_nobody_is_expected_to_is_no_riddle():
    """All worlds may die; then they are dealt anew, and what is possible stays so."""
    truly = 0
    for match in match_of("random", "random", "random", seed=5):
        if match.asked[0] == 0 and len(match.moves) > 100 and len(match.moves) < 500:
            space = learned(Seat.of(match, 0, 8))
            found = [[money(world.money[other]) for other in (1, 2)] for world in worlds_of(space)]
            low, high = np.min(found, axis=0), np.max(found, axis=0)
            true = [money(match.state.money[other]) for other in (1, 2)]
            truly += all(low <= true) and all(true <= high)
    assert truly > 10


def test_who_goes_on_from_an_earlier_decision_comes_to_the_same_worlds_as_who_begins_anew():
    views = [Seat.of(match, 0, 8) for match in match_of("steady", "easy", "random", seed=2) if match.asked[0] == 0]
    for k in (5, 20, len(views) - 1):
        going_on = worlds_of(learned(views[k]))
        forget()
        assert worlds_of(learned(views[k])) == going_on
    learned(views[20])
    past = list(views[20].past)
    last = max(k for k, step in enumerate(past) if step.after)
    past[last] = past[last]._replace(after=past[last - 1].after or past[0].after)
    other = replace(views[20], past=tuple(past))
    after_another = worlds_of(learned(other))
    forget()
    assert worlds_of(learned(other)) == after_another != going_on, "after another move in its place, too"


def test_a_match_too_long_to_be_lived_through_at_once_begins_with_a_later_look(monkeypatch):
    monkeypatch.setattr(strong, "LONG", 40)
    forget()
    match = next(match for match in match_of("steady", "steady", "steady", seed=2) if len(match.moves) == 150)
    seat = Seat.of(match, match.asked[0], 8)
    for world in worlds_of(learned(seat)):
        contract.hide(world, seat.seat)
        assert world.packed() == replace_spare(world, seat.state).packed()
    forget()


def test_a_bot_that_was_prepared_compiles_nothing_at_a_table():
    match = next(match for match in match_of("steady", "steady", "steady", seed=2) if len(match.moves) == 30)
    replace(BOTS["strong"], effort=0.01).prepare(BOOK)
    loops = [strong.entry_of(BOOK, loop) for loop in (thinking.think, particles.go_over)]
    prepared = [len(loop.signatures) for loop in loops]
    forget()
    for moves in (1, 2, 3, 30):
        seat = Seat.of(match.at(moves), match.at(moves).asked[0], 4)
        replace(BOTS["strong"], effort=0.01, compiled=True).decide(seat)
    assert [len(loop.signatures) for loop in loops] == prepared == [1, 1]


def test_compiled_or_not_the_worlds_are_the_same(monkeypatch):
    monkeypatch.setattr(particles, "MANY", strong.FEW)
    monkeypatch.setattr(strong, "_own", threading.local())
    match = next(match for match in match_of("steady", "net", "easy", seed=4) if len(match.moves) == 60)
    seat = Seat.of(match, match.asked[0], 8)
    found = [worlds_of(learned(seat, compiled)) for compiled in (True, False)]
    assert found[0] == found[1]


def test_what_a_seat_brings_and_decides_does_not_depend_on_what_it_has_not_seen():
    """Two offers of one card, one of nothing and one of 50, until somebody looks at them."""
    bot = replace(BOTS["strong"], compiled=True, effort=0.02)
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


def test_where_anybody_may_speak_at_any_time_no_worlds_are_kept():
    found = set()
    for match in match_of("steady", "steady", "steady", options={"bidding": "realtime"}):
        if match.asked and len(match.moves) < 80:
            space = learned(Seat.of(match, match.asked[0], 8))
            found.add((bool(match.moves), int(space.work.kept[0]) == styles.NOWHERE))
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
    contract.foretell(other, later.hidden(0))
    again, orders = Match(book, {}, begun.names, other), set()
    for move in later.moves[:3]:
        again.play(move["seat"], move)
    told = again.state.copy()
    for number in range(8):
        contract.shuffle(told, number)
        for seat in range(-1, begun.players):
            seen, as_was = told.copy(), again.state.copy()
            contract.hide(seen, seat)
            contract.hide(as_was, seat)
            assert seen == as_was
        orders.add(told.packed())
    assert len(orders) == 8
