"""Deals as records write them, and all the ways in which cards can be dealt, with their chances. Plain Python.

A game declares what stands under each key of its deals; `read` checks it, and the checks below what all lots must add up
to. What is wrong is one sentence of the game, which names the key, the value and what is allowed.

    DECK = Lot("deck", N_("The deal's deck must be a list of animals."), ANIMALS, N_("{value!r} is not an animal."))

Small games list their deals. Counts are how many cards there are of each kind. A game's `words.deals(s, players)` yields,
for a fresh state with its option fields set, pairs of a deal (as records write it) and its chance, a Fraction; deals that
differ only in what can never matter (the order within a hand, cards that nobody can draw) are one, which
`words.merged(s, deal)` names, if there are such. `Rulebook.deals` calls it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, factorial, prod
from typing import Any, NamedTuple

from outbid.core.errors import BadSetup
from outbid.core.language.i18n import _

Say = Callable[..., str]
Facts = Mapping[str, Any]
Message = str | Callable[..., str]  # a sentence of the game, translated where it is said, or what makes it of the facts


class Lot(NamedTuple):
    """Cards under a key of a deal: a list of their names, or such a list for each seat.

    no_list: the sentence about what is no list or, without `wrong_size`, not one of {n} cards. no_card: about a name that is
    none of `known` (empty: the game reads them). wrong_size: about {n} cards, where there must be {size}. no_hands: about
    what is no list for each of the {players}; empty: there is one list for all. All may say {title}, {seat}, {value!r} and
    {known}."""

    key: str
    no_list: Message
    known: Collection[str] = ()
    no_card: str = ""
    wrong_size: Message = ""
    no_hands: str = ""

    def parts(self, say: Say, deal: Mapping[str, Any], players: int, facts: Facts) -> Iterator[tuple[Any, Facts]]:
        """The list of each seat, or the only one, with what sentences say of it. Raises BadSetup."""
        lists = deal[self.key]
        if not self.no_hands:
            yield lists, {**facts, "title": self.key}
            return
        if not isinstance(lists, list) or len(lists) != players:
            raise BadSetup(say(self.no_hands, players=players, **facts))
        for seat, cards in enumerate(lists):
            yield cards, {**facts, "title": f"hand of seat {seat}", "seat": seat}

    def check(self, say: Say, cards: Any, size: int | None, facts: Facts) -> None:
        """Raises BadSetup unless it is a list of known cards."""
        if not isinstance(cards, list) or (size is not None and not self.wrong_size and len(cards) != size):
            raise BadSetup(_sentence(say, self.no_list, {**facts, "value": cards, "n": size}))
        for card in cards if self.known else ():
            if not isinstance(card, str) or card not in self.known:
                raise BadSetup(say(self.no_card, **facts, value=card, known=", ".join(self.known)))


def read(say: Say, deal: Mapping[str, Any], players: int, *lots: tuple[Lot, int | None], **facts: Any) -> list[list[Any]]:
    """The cards of some lots of a deal, hand by hand, each with the size it must have (None: any). facts: what the sentences
    say besides. Raises BadSetup."""
    parts = [(lot, size, cards, words) for lot, size in lots for cards, words in lot.parts(say, deal, players, facts)]
    for lot, size, cards, words in parts:
        lot.check(say, cards, size, words)
    for lot, size, cards, words in parts:
        if size is not None and len(cards) != size:
            raise BadSetup(_sentence(say, lot.wrong_size, {**words, "n": len(cards), "size": size}))
    return [cards for _lot, _size, cards, _said in parts]


def _sentence(say: Say, message: Message, facts: Facts) -> str:
    return say(message, **facts) if isinstance(message, str) else message(**facts)


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
        wrongs = [
            _("{want} × {name}, not {have}", want=want.get(name, 0), name=name, have=have.get(name, 0)) for name in wrong
        ]
        raise BadSetup(_("The deal must have {names}.", names="; ".join(wrongs)))


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
