"""Deals of Claim as records write them. Plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from math import factorial
from typing import Any

from outbid.core.deals import check_counts, check_keys, check_start, lots, order_chance, orders
from outbid.core.deals import named as written
from outbid.core.errors import BadSetup
from outbid.core.language import i18n
from outbid.core.language.phrases import listed
from outbid.games.claim import rules, shop
from outbid.games.claim.state import HAND, KINDS, NUMBERS, PRODUCTS, RESERVE
from outbid.games.claim.text.views import CODE_OF, bill_name, hand, left_over, named, order

_, ngettext = i18n.words(__package__)


def deal_of(s: Any) -> dict[str, Any]:
    """The deal of a fresh match, as a record writes it."""
    centre = left_over(s)
    hands = [hand(s, seat) for seat in range(s.players)]
    aside = Counter(_deck(s, s.players))
    aside.subtract(centre)
    for held in hands:
        aside.subtract(held)
    made = {"start": s.turn, "hands": hands, "centre": centre, "aside": sorted(aside.elements(), key=order)}
    if s.shopping_spree:
        made["products"] = [PRODUCTS[product] for product in s.products]
        made["reserve"] = [bill_name(place) for place in s.reserve]
    return made


def _deck(s: Any, players: int) -> list[str]:
    """The names of all bills of the deck."""
    counts = [rules.copies_of(s, players, kind) for kind in range(KINDS)]
    used = range(rules.numbers_used(s, players))
    return named(counts, [shop.printed(s, v) if s.action_fund and v in used else 0 for v in range(NUMBERS)])


def load(s: Any, players: int, deal: Any) -> None:
    """Set a given deal. Raises BadSetup naming the key and what is wrong with it."""
    keys = ["start", "hands", "centre", "aside"] + (["products", "reserve"] if s.shopping_spree else [])
    check_keys(deal, keys)
    start = check_start(deal["start"], players, s.fixed_start)
    deck = _deck(s, players)
    hands = deal["hands"]
    if not isinstance(hands, list) or len(hands) != players:
        raise BadSetup(_("The deal's hands must be a list of {players} hands.", players=players))
    sizes = _sizes(s, players, len(deck))
    titles = [*(f"hand of seat {seat}" for seat in range(players)), "centre", "aside"]
    dealt = [[_bill(name) for name in _listed(lot, title)] for lot, title in _lots(deal, titles)]
    for title, lot, size in zip(titles, dealt, sizes, strict=True):
        if len(lot) != size:
            raise BadSetup(
                ngettext(
                    "The deal's {title} has {n} bill; there must be {size}.",
                    "The deal's {title} has {n} bills; there must be {size}.",
                    len(lot), title=title, size=size,
                )
            )  # fmt: skip
    have, want = Counter(code for lot in dealt for code in lot), Counter(CODE_OF[name] for name in deck)
    check_counts(*({bill_name(code): lots[code] for code in sorted(lots)} for lots in (have, want)))
    if s.shopping_spree:
        s.products = _shuffled(deal["products"], "products", PRODUCTS, list(range(len(PRODUCTS))))
        s.reserve = _shuffled(deal["reserve"], "reserve", [bill_name(place) for place in RESERVE], list(RESERVE))
    rules.stock(s, players)
    for seat in range(players):
        for code in dealt[seat]:
            rules.dealt(s, seat, code)
    for i, code in enumerate(dealt[players]):
        s.centre[i] = 1 + code
    rules.begin(s, players, start)


def _sizes(s: Any, players: int, total: int) -> list[int]:
    """How many bills are in each hand, in the centre and aside."""
    each, centre = rules.hand_size(s, players, total), rules.leftovers(s, players, total)
    return [each] * players + [centre, total - each * players - centre]


def refusal(s: Any, players: int) -> str:
    """Why bills cannot be dealt with these options (C38, C39); empty if they can."""
    total = rules.stock(s, players)
    each = rules.hand_size(s, players, total)
    if each > HAND:
        many = ["copies", "zeros"] if s.zero_risk else ["copies"]
        facts = {"players": players, "each": each, "most": HAND, "names": listed(many, "or")}
        return _(
            "{players} players would be dealt {each} bills each, and {most} are the most: set hand_cap to 1 to {most}, "
            "or lower {names}.",
            **facts,
        )
    if each == 0:
        if total >= players:
            facts = {"aside": s.duel_aside, "bills": total}
            return _("The duel sets {aside} of {bills} bills aside, too many: lower duel_aside, or raise copies.", **facts)
        return ngettext(
            "There is one bill for {players} players: raise copies.",
            "There are {n} bills for {players} players: raise copies.",
            total, players=players,
        )  # fmt: skip
    return ""


def deals(s: Any, players: int) -> Iterator[tuple[dict[str, Any], Fraction]]:
    """Every deal there can be, with its chance. The order of the centre matters with expansions only."""
    have = Counter(_deck(s, players))
    names = sorted(have, key=order)
    counts = [have[name] for name in names]
    starts = [0] if s.fixed_start else list(range(players))
    for found, chance in lots(counts, _sizes(s, players, sum(counts))[:-1]):
        *hands, centre, aside = [written(lot, names) for lot in found]
        laid = found[players]
        lines = [centre] if rules.is_plain(s) else [[names[kind] for kind in line] for line in orders(laid)]
        each = chance / (len(starts) * len(lines))
        for start in starts:
            for line in lines:
                made = {"start": start, "hands": hands, "centre": line, "aside": aside}
                if s.shopping_spree:
                    yield from _shops(made, each)
                else:
                    yield made, each


def _shops(made: dict[str, Any], chance: Fraction) -> Iterator[tuple[dict[str, Any], Fraction]]:
    """The deal with every order of the products and of the reserve."""
    kinds = list(dict.fromkeys(RESERVE))
    counts = [RESERVE.count(kind) for kind in kinds]
    for products in permutations(PRODUCTS):
        for reserve in orders(counts):
            shop = {"products": list(products), "reserve": [bill_name(kinds[kind]) for kind in reserve]}
            yield {**made, **shop}, chance * order_chance(counts) / factorial(len(PRODUCTS))


def merged(s: Any, deal: dict[str, Any]) -> dict[str, Any]:
    """The deal of `deals` that plays like this one."""
    return {**deal, "centre": sorted(deal["centre"], key=order)} if rules.is_plain(s) else deal


def _lots(deal: dict[str, Any], titles: list[str]) -> Iterator[tuple[Any, str]]:
    yield from zip([*deal["hands"], deal["centre"], deal["aside"]], titles, strict=True)


def _listed(lot: Any, title: str) -> list[Any]:
    if not isinstance(lot, list):
        raise BadSetup(_("The deal's {title} must be a list of bills, not {lot!r}.", title=title, lot=lot))
    return lot


def _bill(name: Any) -> int:
    if not isinstance(name, str) or name not in CODE_OF:
        raise BadSetup(_("{name!r} is not a bill; a bill is, for example, 3, -2, w, 1/3 or 3:vault.", name=name))
    return CODE_OF[name]




def _shuffled(names: Any, key: str, expected: Any, codes: list[int]) -> list[int]:
    """The codes of names that must be those expected, in any order."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadSetup(_("The deal's {key} must be a list of names.", key=key))
    if Counter(names) != Counter(expected):
        raise BadSetup(_("The deal's {key} must be these, in any order: {names}.", key=key, names=", ".join(expected)))
    return [codes[list(expected).index(name)] for name in names]
