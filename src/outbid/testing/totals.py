"""What a game conserves, found by experiment, and whether worlds dealt anew conserve it.

The sums of the fields of many true states span a space; every linear equation that holds in all of it (the cards in hands,
played and in the deck are 40) must hold in a world dealt anew, too. And what is often so in worlds of a fresh match, such
as a card of the deck that lies on the table, must be so in some true deal (relations.py).
"""

import random
from collections.abc import Iterator
from typing import Any

from outbid.core import contract
from outbid.core.fields import flat
from outbid.testing.findings import Finding, Property, Trial
from outbid.testing.positions import hidden, redealt, seats, walk
from outbid.testing.relations import Relations, asked_of

MATCHES, ROWS, STRIDES = 24, 24, (1, 8, 64)  # true matches, so many states of each, so many steps between them
TRIED = 6  # further matches whose states are dealt anew
NOISE = 1e-9
DEALS, SHARE = 200, 12  # fresh matches, and how many worlds of so many must have something that none of them has


def _states(t: Trial, players: int, first: int, matches: int) -> Iterator[Any]:
    for seed in range(first, first + matches):
        state = t.book.fresh({})
        contract.deal(state, players, seed)
        stride = random.Random(seed).choice(STRIDES)
        for n, _ in enumerate(walk(state, seed, stride * ROWS)):
            if n % stride == 0:
                yield state


def _totals(t: Trial) -> Iterator[Finding]:
    import numpy as np

    names = [field.name for field in t.book.layout.fields]

    def sums(state: Any) -> dict[str, int]:
        return {name: sum(flat(getattr(state, name))) for name in names}

    low, high = t.book.seats({})
    players = random.Random(t.seed).randint(low, high)
    rows = np.array([[1, *sums(state).values()] for state in _states(t, players, t.seed, MATCHES)], float)
    if len(rows) < 4 * len(names):
        return  # too few to tell an equation from chance
    scale = np.abs(rows).max(axis=0).clip(1)
    _, sizes, base = np.linalg.svd(rows / scale, full_matrices=True)
    rank = int((sizes > NOISE * sizes[0]).sum())
    equations = base[rank:]

    def broken(totals: dict[str, int]) -> Any:
        return np.abs(equations @ (np.array([1, *totals.values()], float) / scale)) > 1e-6

    for state in _states(t, players, t.seed + MATCHES, TRIED):
        true = sums(state)
        for seat in seats(state):
            world, blank = redealt(state, seat, t.seed), hidden(state, seat)
            dealt = {name: total for name, total in sums(world).items() if getattr(world, name) != getattr(blank, name)}
            apart = {name: total for name, total in dealt.items() if total != true[name]}
            if apart and (broken({**true, **apart}) & ~broken(true)).any():
                totals = ", ".join(
                    f"{name} adds up to {total}, in the truth to {true[name]}" for name, total in apart.items()
                )
                who = "a spectator" if seat < 0 else f"seat {seat}"
                sentence = f"A world dealt anew for {who} loses or adds something: {totals}."
                yield t.found(sentence, next(iter(apart)), "redeal")
                return
    yield from _dealt_alike(t, players)


def _dealt_alike(t: Trial, players: int) -> Iterator[Finding]:
    truths, worlds, dealt, hides = [], [], set[str](), set[str]()
    for seed in range(t.seed, t.seed + DEALS):
        state = t.book.fresh({})
        contract.deal(state, players, seed)
        seat = seed % (players + 1) - 1
        truths.append(state)
        worlds.append(redealt(state, seat, seed))
        blank = hidden(state, seat)
        dealt.update(worlds[-1].differences(blank))
        hides.update(state.differences(blank))
    left = hides - dealt  # what a world need not have
    facts = [field for field in t.book.layout.facts if not field.knows and field.name not in left]
    relations = Relations(facts, [*dealt])
    new = relations.new(relations.numbers(worlds), relations.numbers(truths), DEALS // SHARE)
    for name, what, count in sorted(new, key=lambda relation: -relation[2])[:1]:
        often = f"in {count} of {DEALS} worlds dealt anew at the beginning, and in none of {DEALS} true deals"
        yield t.found(f"{what[0].upper()}{what[1:]} {often}.", name, "redeal")
        return
    public = [field for field in facts if field.name not in hides or field.name in dealt]
    relations = Relations(public, [*dealt])
    told = relations.told(relations.numbers(truths), relations.numbers(worlds), DEALS // SHARE)
    for place, secret, count in sorted(told, key=lambda relation: -relation[2])[:1]:
        yield t.found(f"After the deal, {asked_of(place, secret, DEALS, 'matches', count)}", place[0], "deal", asks=True)


TOTALS = Property("totals", "a world dealt anew adds up and is made as every match is", _totals, once=True)
