"""Rivals in words: deals and moves as records have them, and menus. Plain Python.

`steps` and `move` translate between a move as a player says it and the action ids of rules.py. What is seen and told is
in the modules of text/; the engine and the tables know this module only.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from math import perm, prod
from typing import Any

from outbid.core.language.i18n import N_
from outbid.core.deals import Lot, check_counts, check_keys, check_start, order_chance, orders, read
from outbid.core.errors import BadSetup, Illegal, Unreadable
from outbid.core.menu import Choice
from outbid.core.moves import WHOLE, LongMove, LongMoves, MoveField, checker, number
from outbid.core.language.phrases import Mover, listed
from outbid.games.rivals import rules
from outbid.games.rivals.hidden import in_deck
from outbid.games.rivals.hooks.lexicon import lexicon
from outbid.games.rivals.text.reasons import reason
from outbid.games.rivals.text.sentences import (
    HUE_NAMES, board, called, gold, number_of_cards, number_of_points, number_of_times, question, told,
)  # fmt: skip
from outbid.games.rivals.state import (
    BID, CARD, COLOURS, DECK, DONE, HUES, KINDS, OFFER, PAIR, PASS, RANKS, REMOVE, TAKE, TURN, UNCOVER,
)
from outbid.games.rivals.text import _, beforehand
from outbid.games.rivals.text.views import CARDS, card_name, display, layable, view

__all__ = [
    "HUE_NAMES", "beforehand", "board", "called", "deal_of", "deals", "gold", "lexicon", "listed", "load", "move",
    "number_of_cards", "number_of_points", "question", "reason", "told", "view",
]  # fmt: skip

check = checker(_)

NO_CARD = N_("{card!r} is not a card; cards are {colours} with 2 to 10 or x, such as R10 and Rx.")
NO_MOVE = N_("{move!r} is not a move of this game; the moves are {moves}.")
NO_CARD_TYPED = N_(
    "{card!r} is no card; cards are {colours} with 2 to 10 or x, such as R10 and Rx; "
    'for example, "{do} R4" or "{do} nothing".'
)
NOTHING_SAID = N_('Nothing was said; a move is, for example, "uncover" or "bid 1".')
NO_AMOUNT = N_('{line!r} names no amount; a bid is, for example, "bid 3".')
NO_CARD_NAMED = N_('{line!r} names no card; it is, for example, "{do} R4" or "{do} nothing".')
NOT_THERE = N_("{card} is not on display.")

# --- deals ------------------------------------------------------------------------------------------------------------


STARTING = Lot(
    "starting", N_("In the deal's starting seat {seat} must have {number}, not {value!r}."),
    no_card=N_("{value!r} in the deal's starting is not a colour; the colours are {known}."),
    no_hands=N_("The deal's starting must be a list of {players} {lists}, one for each seat."),
)  # fmt: skip
CARDS_LEFT = Lot(
    "deck", N_("The deal's deck must be a list of cards."), CARDS,
    N_("{value!r} in the deal's deck is not a card; cards are {colours} with 2 to 10 or x, such as R10 and Rx."),
)  # fmt: skip


def deal_of(s: Any) -> dict[str, Any]:
    """The deal of a fresh match, as a record writes it."""
    starting = [[COLOURS[c] for c in range(HUES) if s.given[seat] >> c & 1] for seat in range(s.players)]
    return {"start": s.turn, "starting": starting, "deck": [card_name(card) for card in s.deck[: s.size]]}


def load(s: Any, players: int, deal: Any) -> None:
    """Set a given deal. Raises BadSetup naming the key and what is wrong with it."""
    check_keys(deal, ("start", "starting", "deck"))
    start = check_start(deal["start"], players, s.fixed_start)
    given = _starting(s, deal, players)
    (names,) = read(_, deal, players, (CARDS_LEFT, None), colours=", ".join(COLOURS))
    cards = [CARDS[name] for name in names]
    check_counts(Counter(names), {card_name(kind): in_deck(s, kind) for kind in range(KINDS)})
    s.size = len(cards)
    s.deck = cards + [0] * (DECK - len(cards))
    for seat, mask in enumerate(given):
        s.given[seat] = mask
    rules.begin(s, players, start)


def _starting(s: Any, deal: Mapping[str, Any], players: int) -> list[int]:
    """The colours of the starting wagers by seat, as masks."""
    wagers = rules.starting_wagers(s, players)
    number = (_("no colour"), _("one colour"), _("two colours"))[wagers]
    lists = (_("empty lists"), _("lists of one colour"), _("pairs of colours"))[wagers]
    lot = STARTING._replace(known=COLOURS[: s.colours])
    starting = read(_, deal, players, (lot, wagers), number=number, lists=lists)
    used: Counter[str] = Counter()
    for seat, own in enumerate(starting):
        if len(set(own)) < wagers:
            facts = {"seat": seat, "own": own[0]}
            raise BadSetup(_("In the deal's starting seat {seat} has {own} twice; the two must be different.", **facts))
        used.update(own)
    for colour, n in used.items():
        if n > PAIR:
            counts = {"colour": colour, "n": n, "pair": PAIR}
            raise BadSetup(_("The deal's starting has the wager {colour} {n} times; there are only {pair}.", **counts))
    return [sum(1 << COLOURS.index(colour) for colour in own) for own in starting]


def deals(s: Any, players: int) -> Iterator[tuple[dict[str, Any], Fraction]]:
    """Every deal there can be, with its chance: who begins, the starting wagers, the deck."""
    counts = [in_deck(s, kind) for kind in range(KINDS)]
    starts = 1 if s.fixed_start else players
    wagers = list(_wagers(s.colours, rules.starting_wagers(s, players), players))
    total = sum(ways for _, ways in wagers)
    for given, ways in wagers:
        chance = Fraction(ways, total * starts) * order_chance(counts)
        for start in range(starts):
            for deck in orders(counts):
                yield {"start": start, "starting": given, "deck": [card_name(card) for card in deck]}, chance


def _wagers(colours: int, wagers: int, players: int) -> Iterator[tuple[list[list[str]], int]]:
    """Who may get starting wagers of which colours, and in how many ways the cards do that."""
    for hands in product(combinations(range(colours), wagers), repeat=players):
        used = Counter(colour for own in hands for colour in own)
        ways = prod(perm(PAIR, n) for n in used.values())
        if ways > 0:
            yield [[COLOURS[colour] for colour in own] for own in hands], ways


# --- moves ------------------------------------------------------------------------------------------------------------



def _bid_steps(s: Any, seat: int, move: Mapping[str, Any]) -> list[int]:
    amount = move.get("amount")
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise Unreadable(_("A bid is a whole number, not {amount!r}.", amount=amount))
    opens, empty = s.phase == TURN, s.lying == 0 and not s.auction_on_empty_display
    check(not (opens and empty), N_("No card is on display, so there is nothing to auction."))
    least = N_("An auction opens with at least {least}, not {amount}.")
    check(not opens or amount >= s.opening_bid, least, least=s.opening_bid, amount=amount)
    check(opens or amount > s.bid, N_("A bid must be higher than {bid}."), bid=s.bid)
    owns = N_("{who:You own|Seat {who} owns} {gold} gold and cannot bid {amount}.")
    check(amount <= s.gold[seat], owns, seat, gold=s.gold[seat], amount=amount)
    return [OFFER + amount]


def _take_steps(s: Any, seat: int, move: Mapping[str, Any]) -> list[int]:
    cards = move.get("cards")
    if not isinstance(cards, list):
        raise Unreadable(_('take needs a list of cards, such as ["R4", "Rx"]; it has {cards!r}.', cards=cards))
    kinds = sorted(_card(card) for card in cards)
    lying = Counter(s.display[: s.lying])
    for kind, n in Counter(kinds).items():
        card = card_name(kind)
        check(lying[kind], NOT_THERE, card=card)
        if n > lying[kind]:
            facts = {"card": card, "there": number_of_times(lying[kind]), "asked": number_of_times(n)}
            raise Illegal(_("{card} is on display only {there}, not {asked}.", **facts))
        if not rules.can_lay(s, seat, kind):
            raise Illegal(_why_not(s, seat, kind))
    nothing = not s.must_take_at_least_one or not layable(s, seat)
    check(kinds or nothing, N_("At least one card must be taken."))
    return [*(CARD + kind for kind in kinds), DONE]


def _why_not(s: Any, seat: int, kind: int) -> str:
    """Why a card does not fit into its expedition."""
    colour, rank = divmod(kind, RANKS)
    number = s.top[seat][colour] + 1
    facts = {"who": Mover(seat), "card": card_name(kind), "colour": _(HUE_NAMES[colour]), "number": number}
    if rank:
        return _("{who:You|Seat {who}} cannot lay {card}: {who:your|its} {colour} expedition has a {number}.", **facts)
    return _(
        "{who:You|Seat {who}} cannot lay {card}: {who:your|its} {colour} expedition has a {number} already, "
        "and wagers come before numbers.",
        **facts,
    )


def _remove_steps(s: Any, seat: int, move: Mapping[str, Any]) -> list[int]:
    if "card" not in move:
        raise Unreadable(_('remove needs a card, such as "B3", or null for none.'))
    if move["card"] is None:
        return [DONE]
    kind = _card(move["card"])
    check(kind in s.display[: s.lying], NOT_THERE, card=card_name(kind))
    return [CARD + kind]


def _card(card: Any) -> int:
    if not isinstance(card, str) or card not in CARDS:
        raise Unreadable(_(NO_CARD, card=card, colours=", ".join(COLOURS)))
    return CARDS[card]


def move(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    """The move that a complete sequence of actions from this state makes."""
    first = actions[0]
    if s.phase == TAKE:
        return {"do": "take", "cards": [card_name(action - CARD) for action in actions if action != DONE]}
    if s.phase == REMOVE:
        return {"do": "remove", "card": None if first == DONE else card_name(first - CARD)}
    if first == UNCOVER:
        return {"do": "uncover"}
    return {"do": "pass"} if first == PASS else {"do": "bid", "amount": first - OFFER}


def _typed_cards(do: str, words: list[str]) -> list[str] | None:
    cards = [word.capitalize() for word in words if word not in ("nothing", "none")]
    for card in cards:
        if card not in CARDS:
            raise Unreadable(_(NO_CARD_TYPED, card=card, colours=", ".join(COLOURS), do=do))
    return cards if words else None


def _typed_take(words: list[str], line: str) -> dict[str, Any] | None:
    cards = _typed_cards("take", words)
    return None if cards is None else {"cards": cards}


def _typed_remove(words: list[str], line: str) -> dict[str, Any] | None:
    cards = _typed_cards("remove", words)
    if cards and len(cards) > 1:
        raise Unreadable(_('One card may be removed; for example, "remove R4" or "remove nothing".'))
    return None if cards is None else {"card": cards[0] if cards else None}


def _in_short(line: str) -> str:
    """ "red 4 and blue wager" becomes "r4 and bx"; "and" and "the" are left out."""
    for colour, name in zip(COLOURS, HUE_NAMES, strict=True):
        line = re.sub(rf"\b{name} +(?=\d|wager)", colour.lower(), line)
    return re.sub(r"\b(and|the)\b", " ", line.replace("wager", "x"))


def choices(s: Any, seat: int) -> Iterator[Choice | dict[str, Any]]:
    """What an asked seat may do, from a state hidden for it (or the true one: they are the same)."""
    if s.phase in (TURN, BID):
        low = s.bid + 1 if s.phase == BID else s.opening_bid
        amounts = range(low, s.gold[seat] + 1)
        if s.phase == TURN:
            yield {"do": "uncover"}
        if amounts and (s.phase == BID or s.lying > 0 or s.auction_on_empty_display):
            span = _("bid {low} to {high}", low=low, high=amounts[-1]) if len(amounts) > 1 else f"bid {low}"
            yield Choice(span, {"do": "bid"}, amounts=amounts)
        if s.phase == BID:
            yield {"do": "pass"}
    elif s.phase == TAKE:
        cards = layable(s, seat)
        if cards:
            text = _("take at least one of {cards}") if s.must_take_at_least_one else _("take any of {cards}")
            yield Choice(text.format(cards=" ".join(cards)), {"do": "take"}, cards=tuple(cards))
        else:
            yield {"do": "take", "cards": []}
    elif s.phase == REMOVE:
        for card in [*dict.fromkeys(display(s)), None]:
            yield {"do": "remove", "card": card}


MOVES = LongMoves(
    LongMove("uncover", (TURN,), UNCOVER),
    LongMove("bid", (TURN, BID), _bid_steps, {"amount": MoveField(WHOLE, typed=number(r"-?[0-9]{1,99}"))}, unread=NO_AMOUNT),
    LongMove("pass", (BID,), PASS),
    LongMove("take", (TAKE,), _take_steps, {"cards": {"type": "array", "items": {"enum": [*CARDS]}}},
             unread=NO_CARD_NAMED, typed=_typed_take),
    LongMove("remove", (REMOVE,), _remove_steps, {"card": {"enum": [*CARDS, None]}},
             unread=NO_CARD_NAMED, typed=_typed_remove),
    choices=choices, say=_, unknown=NO_MOVE, empty=NOTHING_SAID, barred=lambda s, seat, do: s.taken > 0,
    split=lambda line: re.findall(r"-?\w+", _in_short(line.lower())), arguments=lambda row, move: [move],
)  # fmt: skip
