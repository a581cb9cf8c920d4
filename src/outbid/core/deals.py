"""All the ways in which cards can be dealt, for small decks whose deals are listed with their chances. Plain Python.

Counts are how many cards there are of each kind. A game's `words.deals(s, players)` yields, for a fresh state with its
option fields set, pairs of a deal (as records write it) and its chance, a Fraction; deals that differ only in what
can never matter (the order within a hand, cards that nobody can draw) are one, which `words.merged(s, deal)` names.
`Rulebook.deals` calls it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, factorial, prod
from typing import Any

from outbid.core.errors import BadSetup
from outbid.core.language import i18n

_ = i18n.words("outbid")[0]


def check_keys(deal: Any, keys: Sequence[str]) -> None:
    """A deal is an object with these keys and no other. Raises BadSetup."""
    names = ", ".join(keys)
    if not isinstance(deal, dict):
        raise BadSetup(_("The deal must be an object with {names}.", names=names))
    for key in keys:
        if key not in deal:
            raise BadSetup(_("The deal lacks the key {key!r}; it needs {names}.", key=key, names=names))
    for key in deal:
        if key not in keys:
            raise BadSetup(_("The deal has an unknown key {key!r}; it needs {names}.", key=key, names=names))


def check_start(start: Any, players: int, fixed: bool) -> int:
    """The seat that begins; fixed: it must be the first. Raises BadSetup."""
    if not isinstance(start, int) or isinstance(start, bool) or not 0 <= start < players:
        raise BadSetup(
            _("The deal's start is {start!r}; it must be a seat from 0 to {last}.", start=start, last=players - 1)
        )
    if fixed and start != 0:
        raise BadSetup(_("The deal's start is {start}; with fixed_start it must be 0.", start=start))
    return start


def check_counts(have: Mapping[str, int], want: Mapping[str, int]) -> None:
    """A deal has each card, by name, as often as it must. Raises BadSetup: what there is too much of comes first."""
    wrong = [name for name in dict.fromkeys([*want, *have]) if have.get(name, 0) != want.get(name, 0)]
    if wrong:
        wrong.sort(key=lambda name: have.get(name, 0) < want.get(name, 0))
        said = [
            _("{want} × {name}, not {have}", want=want.get(name, 0), name=name, have=have.get(name, 0)) for name in wrong
        ]
        raise BadSetup(_("The deal must have {names}.", names="; ".join(said)))


def orders(counts: Sequence[int]) -> Iterator[list[int]]:
    """Every order of the cards as a list of kinds; each is as likely as any other."""
    left = list(counts)
    order: list[int] = []

    def go(n: int) -> Iterator[list[int]]:
        if n == 0:
            yield order[:]
            return
        for kind, have in enumerate(left):
            if have > 0:
                left[kind] -= 1
                order.append(kind)
                yield from go(n - 1)
                order.pop()
                left[kind] += 1

    yield from go(sum(left))


def order_chance(counts: Sequence[int]) -> Fraction:
    """The chance of each order."""
    return Fraction(prod(factorial(n) for n in counts), factorial(sum(counts)))


def draws(counts: Sequence[int], n: int) -> Iterator[tuple[list[int], Fraction]]:
    """Every way to draw n cards without their order, as a number of each kind, with its chance."""
    total = comb(sum(counts), n)
    drawn = [0] * len(counts)

    def go(kind: int, left: int, ways: int, rest: int) -> Iterator[tuple[list[int], Fraction]]:
        if kind == len(counts):
            yield drawn[:], Fraction(ways, total)
            return
        rest -= counts[kind]  # cards of the kinds after this one
        for take in range(max(0, left - rest), min(left, counts[kind]) + 1):
            drawn[kind] = take
            yield from go(kind + 1, left - take, ways * comb(counts[kind], take), rest)
        drawn[kind] = 0

    yield from go(0, n, 1, sum(counts))


def lots(counts: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[list[list[int]], Fraction]]:
    """Every way to draw lots of these sizes one after another, as numbers of each kind; what is left is the last lot."""
    if not sizes:
        yield [list(counts)], Fraction(1)
        return
    for lot, chance in draws(counts, sizes[0]):
        left = [have - taken for have, taken in zip(counts, lot, strict=True)]
        for rest, then in lots(left, sizes[1:]):
            yield [lot, *rest], chance * then


def named(counts: Sequence[int], names: Sequence[str]) -> list[str]:
    """The names of so many cards of each kind."""
    return [name for name, n in zip(names, counts, strict=True) for _ in range(n)]
