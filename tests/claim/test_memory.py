"""What each seat knows of the hands of Claim, and that redealt worlds agree with it, against an exact count of worlds."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from outbid.core import contract
from outbid.games.claim.hidden import needed
from outbid.games.claim.state import KINDS, NUMBERS, ONE, RESERVE
from outbid.games.claim.text.views import bill_name, hand, known_to_all
from outbid.testing.positions import hidden, redealt

from .checks import check
from .table import ACTION, ALL, SHOP, THREE, deal, holds, known, play, position, to_the_end

World = tuple[tuple[str, ...], ...]


def world_of(s: Any) -> World:
    """The hands."""
    return tuple(tuple(hand(s, p)) for p in range(s.players))


def possible(s: Any, viewer: int) -> set[World]:
    """All hands that agree with what a viewer has seen, by trying every way to spread the bills not seen."""
    seen = hidden(s, viewer)
    sure = [Counter(hand(seen, p)) for p in range(s.players)]
    room = [seen.size[p] - sum(sure[p].values()) for p in range(s.players)]
    pool = Counter(name for p in range(s.players) for name in (Counter(hand(s, p)) - sure[p]).elements())
    pool.update(aside_of(s))
    lacks = [[bill_name(code) for code in range(KINDS) if seen.lacks[p] >> code & 1] for p in range(s.players)]
    found: set[World] = set()

    def spread(p: int, left: Counter[str], hands: list[tuple[str, ...]]) -> None:
        if p == s.players:
            found.add(tuple(hands))
            return
        bills = [name for name in left.elements() if name.split(":")[0] not in lacks[p]]
        for drawn in set(combinations(sorted(bills), room[p])):
            full = sorted([*sure[p].elements(), *drawn], key=sorted_key)
            spread(p + 1, left - Counter(drawn), [*hands, tuple(full)])

    spread(0, pool, [])
    kinds = needed(s)
    names = [bill_name(code) for code in range(KINDS) if kinds >> code & 1]
    return {world for world in found if not kinds or any(name.split(":")[0] in names for name in world[s.asking])}


def sorted_key(name: str) -> tuple[int, int]:
    """The order of a hand in a view."""
    from outbid.games.claim.text.views import order

    return order(name), 0


def aside_of(s: Any) -> Counter[str]:
    """The bills set aside: those not seen by all that are in no hand."""
    left: Counter[str] = Counter()
    for kind in range(KINDS):
        n = s.unseen[kind] - sum(s.hands[p][kind] - s.open[p][kind] for p in range(s.players))
        left[bill_name(kind)] += n
    for v in range(NUMBERS):
        for icon in range(8):
            held = any((s.icons_held[p][v] >> icon) & 1 for p in range(s.players))
            if s.icons_unseen[v] >> icon & 1 and not held:
                left[bill_name(KINDS + 8 * v + icon)] += 1
                left[bill_name(ONE + v)] -= 1
    return +left


NATURAL = {
    "the start": (position, [[["1", "2"], ["2", "3"], ["1", "3"]]], {}, ""),
    "after a reveal": (
        position, [[["2", "1"], ["2", "2", "3"], ["1", "3"]], {2: ["2", "2"]}], {}, "0 play 2 / 0 push 2 to 1"),
    "after a claim without the number": (
        position, [[["1", "2"], ["2", "3"], ["1", "2"]], {3: ["3"]}], {}, "0 play 1 / 0 claim 3"),
    "with bills aside": (position, [[["1", "2"], ["2", "3"]]], {"aside": ["4", "1"], "players": 2}, ""),
    "multinumbers revealed": (
        position, [[["4"], ["1/3", "2", "3"], ["1/4", "w"]], {3: ["3"]}], THREE, "0 play 4 / 0 end / 1 play 2 / 1 claim 3"),
    "audited in vain": (
        position, [[["1:audit", "3"], ["2", "2:vault"], ["1", "3:vault"]]], ACTION, "0 play 1:audit / 0 icon audit 1 for 3"),
    "audited with success": (
        position, [[["1:audit", "3"], ["2", "2:vault"], ["2:merger", "1"]]], ACTION,
        "0 play 1:audit / 0 icon audit 1 for 2 / 1 give 2:vault / 0 give 3"),
    "an audit that has to be answered": (
        position, [[["1:audit", "3"], ["2", "3", "2:vault"], ["2:merger", "1", "4"]]], ACTION,
        "0 play 1:audit / 0 icon audit 1 for 3"),
    "an audit to be answered by a hand of which something is known": (
        position, [[["1:audit", "3"], ["3", "3", "1/3"], ["2/3", "1", "1"]], {1: ["1"], 3: ["3"]}],
        {"bad_investment": True, **ACTION, "full_threshold": 50, "turn": 1},
        "1 play 3 / 1 claim 1 / 1 end / 2 play 1 / 2 end / 0 play 1:audit / 0 icon audit 2 for 2"),
    "an empty table and wild bills": (
        position, [[["w", "1"], ["w", "2"], ["w", "3"]]], {"wild_wagers": True, "turn": 1}, ""),
    "a forced play on a frozen stack": (
        position, [[["1:vault", "2"], ["3", "3:audit"], ["1", "2"]], {3: ["3"]}], {**ACTION, "full_threshold": 50},
        "0 play 1:vault / 0 icon vault 3 frozen / 0 end / 1 play 3"),
    "an offer on the table": (
        position, [[["1", "2", "3"], ["3", "2"], ["1", "3"]]], SHOP, "0 play 1 / 0 offer to 1 give 2 get 3"),
    "an offer accepted": (
        position, [[["1", "2", "3"], ["3", "2"], ["1", "3"]]], SHOP, "0 play 1 / 0 offer to 1 give 2 get 3 / 1 accept"),
}  # fmt: skip


@pytest.mark.parametrize("name", NATURAL)
@pytest.mark.slow
def test_redeal_draws_every_possible_world_and_no_other(name):
    """C14, C22, C40: for every seat and a spectator."""
    make, arguments, options, script = NATURAL[name]
    options = {"players": len(arguments[0]), **options}
    match = play(make(*arguments, **options), script)
    for viewer in range(-1, match.players):
        worlds = possible(match.state, viewer)
        assert world_of(match.state) in worlds
        drawn = Counter(world_of(redealt(match.state, viewer, seed)) for seed in range(40 * len(worlds)))
        assert set(drawn) == worlds, (viewer, set(drawn) ^ worlds)


def test_worlds_that_differ_in_bills_of_one_kind_only_are_about_as_likely():
    """The draw is fair where nothing is known: a 2 and five 1s in two hands of three and one aside."""
    match = position([["1"], ["1", "1", "2"], ["1", "1", "1"]], players=3)
    seen = Counter(world_of(redealt(match.state, 0, seed))[1] for seed in range(2000))
    assert 850 < seen["1", "1", "2"] < 1150


def test_a_spectator_and_a_stranger_know_what_is_open_and_no_more():
    """C14"""
    match = play(position([["2", "1"], ["2", "2", "3"]], {2: ["2", "2"]}, players=3), "0 play 2 / 0 push 2 to 1")
    for viewer in (-1, 2):
        assert hand(hidden(match.state, viewer), 1) == known_to_all(match.state, 1) == ["2", "2"]
    assert match.view(1)["hand"] == ["2", "2", "3"]


def test_whoever_looked_into_a_hand_knows_it_for_good():
    """C22"""
    match = position([["1:audit", "3", "1"], ["2", "4", "2"], ["1"]], players=3, **ACTION)
    play(match, "0 play 1:audit / 0 icon audit 1 for 3 / 0 end / 1 play 2 / 1 end / 2 play 1 / 2 end")
    for seed in range(20):
        assert holds_in(redealt(match.state, 0, seed), 1) == ["2", "4"]
    assert len({tuple(holds_in(redealt(match.state, 2, seed), 1)) for seed in range(40)}) > 1


def holds_in(s: Any, seat: int) -> list[str]:
    """A hand in a world."""
    return hand(s, seat)


def test_the_products_and_the_reserve_to_come_are_nobodys_knowledge():
    """C29, C30"""
    match = deal(4, 5, **SHOP)
    for viewer in range(-1, 4):
        seen = hidden(match.state, viewer)
        assert seen.products[3:] == [-1] * 9
        assert seen.reserve == [-1] * 8
        worlds = [redealt(match.state, viewer, seed) for seed in range(30)]
        assert all(world.products[:3] == match.state.products[:3] for world in worlds)
        assert all(sorted(world.products) == list(range(12)) for world in worlds)
        assert all(sorted(world.reserve) == sorted(RESERVE) for world in worlds)
        assert len({tuple(world.products) for world in worlds}) > 20


def test_a_half_built_move_is_its_owners_secret():
    """Which bill somebody is about to play, offer or pay with."""
    match = position([["1", "1:vault", "1/3"], ["2"]], {3: ["3"]}, players=4, bad_investment=True, **ACTION)
    out = [0] * 90
    for action in (3, 12):  # a 1, of which there are two; the 1/3
        state = match.state.copy()
        contract.apply(state, 0, action)
        assert contract.midway(state, 0)
        assert hidden(state, 0).step
        assert hidden(state, 1) == hidden(match.state, 1)
        assert hidden(state, -1) == hidden(match.state, -1)
        assert contract.legal(state, 0, out)


def test_a_bill_that_is_offered_is_shown_even_if_the_offer_is_refused():
    """C14, C32"""
    match = position([["1", "2", "2"], ["3"], ["1"]], players=3, **SHOP)
    play(match, "0 play 1 / 0 offer to 1 give 2 get 3 / 1 refuse")
    assert known(match, 0) == ["2"]
    assert holds(match, 0) == ["2", "2"]
    assert match.state.unseen[4] == 1


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.slow
def test_worlds_redealt_all_through_a_match_keep_every_memory(seed):
    """C14, C22, C40: every seat, all five expansions; a redealt world looks the same to its seat."""
    options = [ALL, THREE, {**ACTION, "bad_investment": True}, SHOP][seed % 4]
    match = deal(2 + seed % 5, seed, **options)
    rng = random.Random(seed)
    for _ in range(25):
        if match.over:
            break
        match.random_move(match.asked[0], rng.randrange(2**40))
        for viewer in range(-1, match.players):
            world = redealt(match.state, viewer, rng.randrange(2**40))
            check(world)
            assert hidden(world, viewer) == hidden(match.state, viewer)
    to_the_end(match, seed)
