"""Money! in words: deals and moves as records have them, and menus. Plain Python.

`steps` and `move` translate between a move as a player says it and the action ids of rules.py. What is seen and told is
in the modules of text/; the engine and the tests know this module only.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, permutations
from math import perm
from typing import Any

from outbid.core.language.i18n import N_
from outbid.core.deals import Lot, check_counts, check_keys, lots, named, read
from outbid.core.errors import BadSetup, Unreadable
from outbid.core.menu import Choice
from outbid.core.moves import WHOLE, MoveField, LongMove, LongMoves, checker, number
from outbid.games.money import rules
from outbid.games.money.hooks.lexicon import lexicon
from outbid.games.money.text.reasons import reason
from outbid.games.money.text.sentences import ACT, ACTS, FAMILIES, TITLES, board, masked, number_of_cards, question, told
from outbid.games.money.state import (
    BID, BLUFF, BY_PLAYERS, CARDS, CLASSIC, CURRENCIES, EXCHANGE, GOLD, KEEP, SEAL, SEATS, SILVER_AND_GOLD,
    SILVER_GOLD, SWAP, TAKE_LEFT, TAKE_RIGHT,
)  # fmt: skip
from outbid.games.money.text import _, ngettext
from outbid.games.money.text.views import DISPLAYS, card_name, hand, names_at, view

__all__ = [
    "ACT", "ACTS", "EXPECTED", "FAMILIES", "TITLES", "board", "canonical", "deal_of", "deals", "in_order", "lexicon", "load",
    "masked", "menu", "merged", "move", "number_of_cards", "parse", "question", "reason", "steps", "text", "told", "view",
]  # fmt: skip

check = checker(_)

CARD = re.compile(r"([A-Z]+)([1-9][0-9]?)#([1-9][0-9]?)", re.ASCII)
NO_CARD = N_("{name!r} is not a card; a card is, for example, USD20#17 or COIN10#64.")

# --- deals ------------------------------------------------------------------------------------------------------------

KEYS = ("removed", "hands", "right", "left", "pile")
REMOVED = Lot(
    "removed", N_("The deal's removed must list the currencies left out (here {n}), not {value!r}."),
    CURRENCIES, N_("{value!r} is not a currency; the currencies are {known}."),
)  # fmt: skip
NO_HANDS = N_("The deal's hands must be a list of {players} hands.")
HANDS, RIGHT_LOT, LEFT_LOT, PILE = (
    Lot(
        key, N_("The deal's {title} must be a list of cards, not {value!r}."), no_hands=NO_HANDS if key == "hands" else "",
        wrong_size=lambda n, **facts: ngettext(
            "The deal's {title} has {n} card; there must be {size}.",
            "The deal's {title} has {n} cards; there must be {size}.", n, **facts),
    )
    for key in KEYS[1:]
)  # fmt: skip


def deal_of(s: Any) -> dict[str, Any]:
    """The deal of a fresh match, as a record writes it."""
    return {
        "removed": [name for c, name in enumerate(CURRENCIES) if s.removed >> c & 1],
        "hands": [hand(s, seat) for seat in range(s.players)],
        "right": names_at(s, DISPLAYS["right"]),
        "left": names_at(s, DISPLAYS["left"]),
        "pile": [card_name(s, card) for card in s.pile[s.drawn : s.size]],
    }


def load(s: Any, players: int, deal: Any) -> None:
    """Set a given deal. Raises BadSetup naming the key and what is wrong with it."""
    check_keys(deal, KEYS)
    s.removed = _removed(s, deal, players)
    each, right, left = _sizes(s, players)[-3:]
    lots = (HANDS, each), (RIGHT_LOT, right), (LEFT_LOT, left), (PILE, None)
    named = [*chain(*read(_, deal, players, *lots))]
    numbers = _numbers(s, named)
    for card in range(CARDS):
        s.serial[card] = 0
    for n, name in enumerate(named):
        s.pile[n] = numbers[name]
        s.serial[numbers[name]] = _read(name)[2]
    rules.begin(s, players)


def _sizes(s: Any, players: int) -> list[int]:
    """How many cards are in the hands, the right and the left display, once the removed currencies are known."""
    left = sum(rules.in_play(s, card) for card in range(CARDS))
    sizes = [min(s.hand_cards, left // players)] * players
    for _display in DISPLAYS:
        sizes.append(min(s.display_cards, left - sum(sizes)))
    return sizes


def _removed(s: Any, deal: Mapping[str, Any], players: int) -> int:
    """The bit mask of the removed currencies."""
    fixed = s.currencies != BY_PLAYERS
    number = len(CURRENCIES) - s.currencies if fixed else SEATS - players
    mask = 0
    for name in read(_, deal, players, (REMOVED, number))[0]:
        if mask >> CURRENCIES.index(name) & 1:
            raise BadSetup(_("The deal's removed names {name} twice.", name=name))
        mask |= 1 << CURRENCIES.index(name)
    if fixed and mask != rules.not_in_play(s):
        left = ", ".join(CURRENCIES[s.currencies :])
        raise BadSetup(_("The deal's removed must be {names}; the option currencies says so.", names=left))
    return mask


def deals(s: Any, players: int) -> Iterator[tuple[dict[str, Any], Fraction]]:
    """Every deal there can be, with its chance. The order of a pile matters as far as it can be drawn."""
    numbers = SILVER_GOLD if s.coins == SILVER_AND_GOLD and s.coin_cards > 0 else CLASSIC
    out = 0 if s.currencies != BY_PLAYERS else SEATS - players
    choices = list(combinations(range(len(CURRENCIES)), out))
    for removed in choices:
        s.removed = sum(1 << kind for kind in removed) if s.currencies == BY_PLAYERS else rules.not_in_play(s)
        gone = [name for kind, name in enumerate(CURRENCIES) if s.removed >> kind & 1]
        cards = [card for card in range(CARDS) if rules.in_play(s, card)]
        for card in cards:
            s.serial[card] = numbers[card]
        names = [card_name(s, card) for card in cards]
        sizes = _sizes(s, players)
        for (*drawn, rest), chance in lots([1] * len(cards), sizes):
            pile = named(rest, names)
            reach = min(len(pile), drawable(s))
            hands = [named(lot, names) for lot in drawn]
            deal = {"removed": gone, "hands": hands[:players], "right": hands[-2], "left": hands[-1]}
            for top in permutations(pile, reach):
                below = [name for name in pile if name not in top]
                each = Fraction(1, len(choices) * perm(len(pile), reach))
                yield {**deal, "pile": [*top, *below]}, chance * each


def drawable(s: Any) -> int:
    """At most how many cards of the pile can be drawn: a refill draws two displays."""
    return 2 * s.display_cards * (s.rounds - 1) if s.rounds > 0 else CARDS


def merged(s: Any, deal: dict[str, Any]) -> dict[str, Any]:
    """The deal of `deals` that plays like this one."""
    pile = deal["pile"]
    bottom = pile[drawable(s) :]
    place = {card_name(s, card): card for card in range(CARDS)}
    return {**deal, "pile": [*pile[: drawable(s)], *sorted(bottom, key=lambda name: place[name])]}


def in_order(names: Sequence[str]) -> list[str]:
    """Cards of one currency, ascending."""
    return sorted(names, key=lambda name: _read(name)[1:])


def _read(name: Any) -> tuple[str, int, int]:
    """The parts of a card's name. Raises Unreadable."""
    match = CARD.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise Unreadable(_(NO_CARD, name=name))
    return match[1], int(match[2]), int(match[3])


def _numbers(s: Any, named: list[Any]) -> dict[str, int]:
    """The number of every card of a deal. Raises BadSetup unless each card of the match is there once."""
    highest = CARDS if s.coins == SILVER_AND_GOLD else GOLD
    kinds: dict[tuple[str, int], list[int]] = defaultdict(list)
    for card in range(CARDS):
        if rules.in_play(s, card):
            name = card_name(s, card).split("#")[0]
            kinds[(re.sub(r"\d", "", name), rules.value(card))].append(card)
    serials: dict[int, str] = {}
    held: dict[tuple[str, int], list[tuple[int, str]]] = defaultdict(list)
    for name in named:
        try:
            family, value, serial = _read(name)
        except Unreadable as error:
            raise BadSetup(_(NO_CARD, name=name)) from error
        if (family, value) not in kinds:
            raise BadSetup(_("{name} is no card of this match; it has {kinds}.", name=name, kinds=_families(kinds)))
        if not 1 <= serial <= highest:
            raise BadSetup(_("The serial number of {name} must be from 1 to {highest}.", name=name, highest=highest))
        if serial in serials:
            if serials[serial] == name:
                raise BadSetup(_("The deal has {name} twice.", name=name))
            raise BadSetup(_("{serial} and {name} have the same serial number.", serial=serials[serial], name=name))
        serials[serial] = name
        held[(family, value)].append((serial, name))
    counts = ({f"{family}{value}": len(cards) for (family, value), cards in lots.items()} for lots in (held, kinds))
    check_counts(*counts)
    numbers: dict[str, int] = {}
    for kind, cards in kinds.items():
        for card, (_serial, name) in zip(cards, sorted(held[kind]), strict=True):
            numbers[name] = card
    return numbers


def _families(kinds: Iterable[tuple[str, int]]) -> str:
    values: dict[str, list[str]] = defaultdict(list)
    for family, value in kinds:
        values[family].append(str(value))
    return ", ".join(f"{family} {'/'.join(numbers)}" for family, numbers in values.items())


# --- moves ------------------------------------------------------------------------------------------------------------

NO_MOVE = N_("{move!r} is not a move of this game; the moves are {moves}.")
NOTHING_SAID = N_('Nothing was said; a move is, for example, "bid USD20#17 GBP60#3" or "stay out".')
NO_BID = N_('{line!r} names no card; a bid is, for example, "bid USD20#17 GBP60#3"; or "stay out".')
NO_DISPLAY = N_('{line!r} names no display; it is "take left" or "take right".')
NO_SEAT = N_('{line!r} names no seat; it is, for example, "swap with 2".')
SIDES = {"right": TAKE_RIGHT, "left": TAKE_LEFT}


def _bid_steps(s: Any, seat: int, cards: list[Any], bluff: bool) -> list[int]:
    mine = {card_name(s, card): card for card in range(CARDS) if s.place[card] == seat}
    laid: list[int] = []
    for name in cards:
        _read(name)
        check(name in mine, N_("{who:You do|Seat {who} does} not hold {name}."), seat, name=name)
        check(mine[name] not in laid, N_("{name} is named twice."), name=name)
        laid.append(mine[name])
    return [*sorted(laid), BLUFF if bluff or not laid else SEAL]


def _swap_steps(s: Any, seat: int, other: int) -> list[int]:
    check(0 <= other < s.players and other != seat, N_("Seat {other} is no other player."), other=other)
    check(s.key[other] >= 0, N_("Seat {other} has no bid on the table."), other=other)
    return [SWAP + (other - seat) % s.players - 1]


def move(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    """The move that a complete sequence of actions from this state makes."""
    first = actions[0]
    if first <= BLUFF:
        cards = [card_name(s, action) for action in actions if action < CARDS]
        return {"do": "bid", "cards": cards, "bluff": actions[-1] == BLUFF}
    if first == KEEP:
        return {"do": "keep"}
    if first >= SWAP:
        return {"do": "swap", "with": (seat + first - SWAP + 1) % s.players}
    return {"do": "take", "display": "left" if first == TAKE_LEFT else "right"}


def canonical(move: Mapping[str, Any]) -> dict[str, Any]:
    """A move with only its own keys, in the order a record has them; a bid without any card is staying out (E3)."""
    tidy = MOVES.canonical(move)
    if tidy.get("cards") == [] and tidy.get("bluff") is False:
        tidy["bluff"] = True
    return tidy


def _bid_text(move: Mapping[str, Any]) -> str:
    bluff = " with bluff" if move.get("bluff") else ""
    return f"bid {' '.join(map(str, move['cards']))}{bluff}" if move.get("cards") else "stay out"


def _typed_bid(words: list[str], line: str) -> dict[str, Any] | None:
    if not words:
        return None
    cards = [word.upper() for word in words if word not in ("bluff", "with", "and", "the", "card", "nothing")]
    for card in cards:
        _read(card)
    return {"cards": cards, "bluff": "bluff" in words or not cards}


def parse(line: str) -> dict[str, Any]:
    """The move a person typed; also "stay out" and "pass". Raises Unreadable with an example."""
    words = _split(line)
    if words[:1] == ["pass"] or words == ["stay", "out"]:
        return {"do": "bid", "cards": [], "bluff": True}
    return MOVES.parse(line)


def _split(line: str) -> list[str]:
    return re.findall(r"[\w#-]+", line.lower())


def choices(s: Any, seat: int) -> Iterator[Choice | dict[str, Any]]:
    """What an asked seat may do, from a state hidden for it (or the true one: they are the same)."""
    if s.phase == BID:
        if hand(s, seat):
            mine = tuple(hand(s, seat))
            yield Choice(f"bid any of {' '.join(mine)}", {"do": "bid"}, cards=mine)
        yield {"do": "bid", "cards": [], "bluff": True}
    elif s.phase == EXCHANGE:
        yield from ({"do": "take", "display": side} for side in ("left", "right"))
        for far in range(1, s.players):
            other = (seat + far) % s.players
            if s.key[other] >= 0:
                yield {"do": "swap", "with": other}
        yield {"do": "keep"}


A_BID = {
    "cards": MoveField({"type": "array", "items": {"type": "string"}},
                       N_('A bid needs a list of cards, such as ["USD20#17"]; it has {value!r}.')),
    "bluff": MoveField({"type": "boolean"},
                       N_("A bid says whether the bluff card lies with it, true or false, not {value!r}.")),
}  # fmt: skip
SIDE = MoveField({"enum": [*SIDES]}, N_("One takes the display left or right, not {value!r}."),
                 lambda word: word if word in SIDES else None)
SEAT = MoveField(WHOLE, N_("One swaps with a seat, a whole number, not {value!r}."), number(r"\d{1,9}"))
MOVES = LongMoves(
    LongMove("bid", (BID,), _bid_steps, A_BID, _bid_text, unread=NO_BID, typed=_typed_bid),
    LongMove("take", (EXCHANGE,), lambda s, seat, display: [SIDES[display]], {"display": SIDE}, unread=NO_DISPLAY,
             skipped=("the", "display")),
    LongMove("swap", (EXCHANGE,), _swap_steps, {"with": SEAT}, "swap with {with}", unread=NO_SEAT, skipped=("with", "seat")),
    LongMove("keep", (EXCHANGE,), KEEP),
    choices=choices, say=_, unknown=NO_MOVE, empty=NOTHING_SAID, split=_split, also=("stay out",),
)  # fmt: skip
EXPECTED, menu, steps, text = MOVES.EXPECTED, MOVES.menu, MOVES.steps, MOVES.text
