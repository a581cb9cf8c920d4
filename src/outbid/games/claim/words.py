"""Claim in words: deals as records have them, and all that the engine and the tables ask for. Plain Python.

The rest stands in text/: the declaration of the moves, what steps each is, and moves made of steps in moves.py, what is
typed in phrases.py; menus.py; what is seen and told in views.py, sentences.py and reasons.py; what the table shows besides
in captions.py and terms.py.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from math import factorial
from typing import Any

from outbid.core.deals import Lot, check_counts, check_keys, check_start, lots, order_chance, orders, read
from outbid.core.deals import named as written
from outbid.core.errors import BadSetup
from outbid.core.language.i18n import N_
from outbid.core.language.phrases import listed
from outbid.games.claim import rules, shop
from outbid.games.claim.state import HAND, KINDS, NUMBERS, PRODUCTS, RESERVE
from outbid.games.claim.hooks.lexicon import lexicon
from outbid.games.claim.text import _, captions, ngettext, terms
from outbid.games.claim.text.moves import MOVES, canonical, move
from outbid.games.claim.text.phrases import complete, parse
from outbid.games.claim.text.reasons import reason
from outbid.games.claim.text.sentences import board, goal_words, masked, question, told
from outbid.games.claim.text.views import CODE_OF, bill_name, hand, left_over, named, order, purse, view

__all__ = [
    "MOVES", "board", "canonical", "captions", "complete", "deal_of", "deals", "goal_words", "hand", "lexicon", "load",
    "masked", "merged", "move", "parse", "purse", "question", "reason", "refusal", "terms", "told", "view",
]  # fmt: skip


def _too_many(n: int, **facts: Any) -> str:
    """The sentence about a lot of another size."""
    return ngettext(
        "The deal's {title} has {n} bill; there must be {size}.", "The deal's {title} has {n} bills; there must be {size}.",
        n, **facts,
    )  # fmt: skip


LOT = Lot(
    "centre", N_("The deal's {title} must be a list of bills, not {value!r}."), CODE_OF,
    N_("{value!r} is not a bill; a bill is, for example, 3, -2, w, 1/3 or 3:vault."), _too_many,
)  # fmt: skip
CENTRE, ASIDE = LOT, LOT._replace(key="aside")
HANDS = LOT._replace(key="hands", no_hands=N_("The deal's hands must be a list of {players} hands."))


def deal_of(s: Any) -> dict[str, Any]:
    """The deal of a fresh match, as a record writes it."""
    centre = left_over(s)
    hands = [hand(s, seat) for seat in range(s.players)]
    aside = Counter(_deck(s, s.players))
    aside.subtract(centre)
    for held in hands:
        aside.subtract(held)
    deal = {"start": s.turn, "hands": hands, "centre": centre, "aside": sorted(aside.elements(), key=order)}
    if s.shopping_spree:
        deal["products"] = [PRODUCTS[product] for product in s.products]
        deal["reserve"] = [bill_name(place) for place in s.reserve]
    return deal


def _deck(s: Any, players: int) -> list[str]:
    """The names of all bills of the deck."""
    counts = [rules.copies_of(s, players, kind) for kind in range(KINDS)]
    used = range(rules.numbers_used(s, players))
    return named(counts, [shop.printed(s, v) if s.action_fund and v in used else 0 for v in range(NUMBERS)])


def load(s: Any, players: int, deal: Any) -> None:
    """Set a given deal. Raises BadSetup naming the key and what is wrong with it."""
    check_keys(deal, ["start", "hands", "centre", "aside"] + (["products", "reserve"] if s.shopping_spree else []))
    start = check_start(deal["start"], players, s.fixed_start)
    deck = _deck(s, players)
    hand_size, centre, aside = _sizes(s, players, len(deck))
    lots = read(_, deal, players, (HANDS, hand_size), (CENTRE, centre), (ASIDE, aside))
    dealt = [[CODE_OF[name] for name in lot] for lot in lots]
    have, want = Counter(code for lot in dealt for code in lot), Counter(CODE_OF[name] for name in deck)
    check_counts(*({bill_name(code): counts[code] for code in sorted(counts)} for counts in (have, want)))
    if s.shopping_spree:
        s.products = [PRODUCTS.index(name) for name in _shuffled(deal, "products", PRODUCTS)]
        s.reserve = [CODE_OF[name] for name in _shuffled(deal, "reserve", [bill_name(place) for place in RESERVE])]
    rules.stock(s, players)
    for seat in range(players):
        for code in dealt[seat]:
            rules.dealt(s, seat, code)
    for i, code in enumerate(dealt[players]):
        s.centre[i] = 1 + code
    rules.begin(s, players, start)


def _shuffled(deal: dict[str, Any], key: str, expected: Sequence[str]) -> list[str]:
    """The names under a key, which must be those expected, in any order."""
    names = deal[key]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadSetup(_("The deal's {key} must be a list of names.", key=key))
    if Counter(names) != Counter(expected):
        raise BadSetup(_("The deal's {key} must be these, in any order: {names}.", key=key, names=", ".join(expected)))
    return names


def _sizes(s: Any, players: int, total: int) -> tuple[int, int, int]:
    """How many bills are in each hand, in the centre and aside."""
    hand_size, centre = rules.hand_size(s, players, total), rules.leftovers(s, players, total)
    return hand_size, centre, total - hand_size * players - centre


def refusal(s: Any, players: int) -> str:
    """Why bills cannot be dealt with these options (C38, C39); empty if they can."""
    total = rules.stock(s, players)
    hand_size = rules.hand_size(s, players, total)
    if hand_size > HAND:
        many = ["copies", "zeros"] if s.zero_risk else ["copies"]
        facts = {"players": players, "each": hand_size, "most": HAND, "names": listed(many, "or")}
        return _(
            "{players} players would be dealt {each} bills each, and {most} are the most: set hand_cap to 1 to {most}, "
            "or lower {names}.",
            **facts,
        )
    if hand_size == 0:
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
    hand, leftovers, _aside = _sizes(s, players, sum(counts))
    for drawn, chance in lots(counts, [hand] * players + [leftovers]):
        *hands, centre, aside = [written(lot, names) for lot in drawn]
        lines = [centre] if rules.is_plain(s) else [[names[kind] for kind in line] for line in orders(drawn[players])]
        chance_each = chance / (len(starts) * len(lines))
        for start in starts:
            for line in lines:
                deal = {"start": start, "hands": hands, "centre": line, "aside": aside}
                if s.shopping_spree:
                    yield from _shops(deal, chance_each)
                else:
                    yield deal, chance_each


def _shops(deal: dict[str, Any], chance: Fraction) -> Iterator[tuple[dict[str, Any], Fraction]]:
    """The deal with every order of the products and of the reserve."""
    kinds = list(dict.fromkeys(RESERVE))
    counts = [RESERVE.count(kind) for kind in kinds]
    for products in permutations(PRODUCTS):
        for reserve in orders(counts):
            shop = {"products": list(products), "reserve": [bill_name(kinds[kind]) for kind in reserve]}
            yield {**deal, **shop}, chance * order_chance(counts) / factorial(len(PRODUCTS))


def merged(s: Any, deal: dict[str, Any]) -> dict[str, Any]:
    """The deal of `deals` that plays like this one."""
    return {**deal, "centre": sorted(deal["centre"], key=order)} if rules.is_plain(s) else deal
