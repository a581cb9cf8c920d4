"""Kuhhandel in words: deals and moves as records have them, and menus. Plain Python.

`steps` and `move` translate between a move as a player says it and the action ids of rules.py. What is seen and told is
in the modules of text/; the engine and the tables know this module only.
"""

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, product
from typing import Any

from outbid.core.language.i18n import N_
from outbid.core.deals import Lot, check_counts, check_keys, check_start, lots, named, order_chance, orders, read
from outbid.core.menu import Choice
from outbid.core.moves import WHOLE, MoveField, LongMove, LongMoves, checker, number
from outbid.games.kuhhandel import rules
from outbid.games.kuhhandel.hooks.lexicon import lexicon
from outbid.games.kuhhandel.text.reasons import reason
from outbid.games.kuhhandel.text.sentences import amount, board, masked, number_of_cards, question, told
from outbid.games.kuhhandel.state import (
    ACCEPT, ANIMALS, AUCTION, BID, BUY, CALL, CLOCK, CLOSE, DECK, DONE, FREE, HAMMER, IRREDUNDANT, KINDS, LAY, MIN_OVERPAY,
    MONEY, NOTES, OFFER, PASS, PAY, RAISE, RAISES, REALTIME, REPLY, SELL, TRADE, TURN,
)
from outbid.games.kuhhandel.text import _, animals, ngettext
from outbid.games.kuhhandel.text.views import hand, view

check = checker(_)

__all__ = [
    "amount", "animals", "board", "deal_of", "deals", "lexicon", "load", "masked", "merged", "move", "number_of_cards",
    "question", "reason", "told", "view",
]  # fmt: skip

# --- deals ------------------------------------------------------------------------------------------------------------

NOT_AN_ANIMAL = N_("{value!r} is not an animal; the animals are {known}.")
ANIMALS_LEFT = Lot("deck", N_("The deal's deck must be a list of animals."), ANIMALS, NOT_AN_ANIMAL)
DEALT = Lot(
    "dealt",
    lambda n, **facts: ngettext(
        "Seat {seat} must be dealt {n} animal.", "Seat {seat} must be dealt {n} animals.", n, **facts),
    ANIMALS, NOT_AN_ANIMAL, no_hands=N_("The deal's dealt must be a list of {players} hands."),
)  # fmt: skip


def deal_of(s: Any) -> dict[str, Any]:
    """The deal of a fresh match, as a record writes it."""
    deck = [ANIMALS[kind] for kind in s.deck[: s.size]]
    deal: dict[str, Any] = {"start": 0 if s.fixed_start else s.turn, "deck": deck[s.drawn :]}
    if s.quick_deal4:
        each = s.drawn // s.players
        deal["dealt"] = [deck[seat * each : (seat + 1) * each] for seat in range(s.players)]
    return deal


def load(s: Any, players: int, deal: Any) -> None:
    """Set a given deal. Raises BadSetup naming the key and what is wrong with it."""
    check_keys(deal, ("dealt", "deck", "start") if s.quick_deal4 else ("deck", "start"))
    start = check_start(deal["start"], players, s.fixed_start)
    lots = [(DEALT, min(4, sum(s.copies) // players)), (ANIMALS_LEFT, None)]
    names = [*chain(*read(_, deal, players, *lots[not s.quick_deal4 :]))]
    check_counts(Counter(names), dict(zip(ANIMALS, s.copies, strict=True)))
    s.size = len(names)
    s.deck = [ANIMALS.index(name) for name in names] + [0] * (DECK - len(names))
    rules.begin(s, players, start)


def deals(s: Any, players: int) -> Iterator[tuple[dict[str, Any], Fraction]]:
    """Every deal there can be, with its chance: who begins, the hands of `quick_deal4` without their order, the deck."""
    each = min(4, sum(s.copies) // players) if s.quick_deal4 else 0
    starts = 1 if s.fixed_start else players
    for (*hands, rest), chance in lots(s.copies, [each] * players if s.quick_deal4 else []):
        for order in orders(rest):
            for start in range(starts):
                deal: dict[str, Any] = {"start": start, "deck": [ANIMALS[kind] for kind in order]}
                if s.quick_deal4:
                    deal["dealt"] = [named(hand, ANIMALS) for hand in hands]
                yield deal, chance * order_chance(rest) / starts


def merged(s: Any, deal: dict[str, Any]) -> dict[str, Any]:
    """The deal of `deals` that plays like this one."""
    if not s.quick_deal4:
        return deal
    return {**deal, "dealt": [sorted(hand, key=ANIMALS.index) for hand in deal["dealt"]]}


# --- moves ------------------------------------------------------------------------------------------------------------

NO_MOVE = N_("{move!r} is not a move of this game; the moves are {moves}.")
NOTHING_SAID = N_('Nothing was said; a move is, for example, "bid 40" or "auction".')
NO_TRADE = N_('{line!r} names no animal and seat; a trade is, for example, "trade cow with 2".')
NO_AMOUNT = N_('{line!r} names no amount; a bid is, for example, "bid 40".')
NO_CARDS = N_('{line!r} does not list cards; it is, for example, "{do} 50 10" or "{do} nothing".')


def _auction_steps(s: Any, seat: int) -> list[int]:
    check(s.drawn < s.size, N_("The deck is empty."))
    return [AUCTION]


def _buy_steps(s: Any, seat: int) -> list[int]:
    check(rules.cash(s, seat) >= s.bid, N_("{who:You cannot|Seat {who} cannot} cover {bid}."), seat, bid=s.bid)
    return [BUY]


def _trade_steps(s: Any, seat: int, other: int, animal: str) -> list[int]:
    kind = ANIMALS.index(animal)
    check(0 <= other < s.players and other != seat, N_("Seat {other} is no other player."), other=other)
    check(s.animals[seat][kind], N_("{who:You own|Seat {who} owns} no {animal}."), seat, animal=_(animal))
    check(s.animals[other][kind], N_("Seat {other} owns no {animal}."), other=other, animal=_(animal))
    return [TRADE + KINDS * ((other - seat) % s.players - 1) + kind]


def _bid_steps(s: Any, seat: int, amount: int) -> list[int]:
    limit = rules.bid_limit(s, seat)
    check(amount % s.bid_step == 0, N_("Bids are multiples of {step}, not {amount}."), step=s.bid_step, amount=amount)
    check(amount > s.bid, N_("A bid must be higher than {bid}."), bid=s.bid)
    check(amount <= limit, N_("{amount} is more than the {limit} that may be bid."), amount=amount, limit=limit)
    taken = []
    units = (amount - s.bid) // s.bid_step
    for size in reversed(range(len(RAISES))):
        taken += [RAISE + size] * (units // RAISES[size])
        units %= RAISES[size]
    return [*taken, CALL]


def _laid(s: Any, seat: int, cards: list[int]) -> list[int]:
    """The cards of a move as note indices, most valuable first, checked against the hand."""
    notes = sorted((MONEY.index(card) for card in cards), reverse=True)
    for note, n in Counter(notes).items():
        facts = {"have": s.money[seat][note], "card": MONEY[note], "n": n}
        check(n <= facts["have"], N_("{who:You hold|Seat {who} holds} {have} of the card {card}, not {n}."), seat, **facts)
    return notes


def _pay_steps(s: Any, seat: int, cards: list[int]) -> list[int]:
    notes, total = _laid(s, seat, cards), sum(cards)
    check(0 not in notes, N_("A 0 is no payment."))
    check(total >= s.bid, N_("{sum} does not reach the price of {bid}."), sum=total, bid=s.bid)
    least, smallest = rules.smallest_sum(s, s.bid), MONEY[notes[-1]]
    near = s.payment != MIN_OVERPAY or total <= least
    check(near, N_("{sum} overpays; {least} can be laid."), sum=total, least=least)
    check(s.payment != IRREDUNDANT or total - smallest < s.bid, N_("A {card} could be left out."), card=smallest)
    return [LAY + note for note in notes] + ([DONE] if s.payment == FREE else [])


def _offer_steps(s: Any, seat: int, cards: list[int]) -> list[int]:
    notes = _laid(s, seat, cards)
    check(notes or s.empty_offer or not s.cards[seat], N_("At least one card must be laid."))
    return [*(LAY + note for note in notes), DONE]


def move(s: Any, seat: int, actions: list[int]) -> dict[str, Any]:
    """The move that a complete sequence of actions from this state makes."""
    first = actions[0]
    if first == AUCTION:
        return {"do": "auction"}
    if TRADE <= first < PASS:
        far, kind = divmod(first - TRADE, KINDS)
        return {"do": "trade", "with": (seat + far + 1) % s.players, "animal": ANIMALS[kind]}
    if RAISE <= first <= CALL:
        raised = sum(RAISES[action - RAISE] for action in actions if action != CALL)
        return {"do": "bid", "amount": s.bid + raised * s.bid_step}
    if LAY <= first <= DONE:
        cards = [MONEY[action - LAY] for action in actions if action != DONE]
        return {"do": {PAY: "pay", OFFER: "offer", REPLY: "counter"}[s.phase], "cards": cards}
    return {"do": {PASS: "pass", SELL: "sell", BUY: "buy", ACCEPT: "accept", CLOSE: "close"}[first]}


def choices(s: Any, seat: int) -> Iterator[Choice | dict[str, Any]]:
    """What an asked seat may do, from a state hidden for it (or the true one: they are the same)."""
    if s.phase == TURN:
        if s.drawn < s.size:
            yield {"do": "auction"}
        for far in range(1, s.players):
            other = (seat + far) % s.players
            for kind, animal in enumerate(ANIMALS):
                if s.animals[seat][kind] and s.animals[other][kind]:
                    yield {"do": "trade", "with": other, "animal": animal}
    elif s.phase == BID and seat == CLOCK:
        yield {"do": "close"}
    elif s.phase == BID:
        limit = rules.bid_limit(s, seat)
        amounts = range(s.bid + s.bid_step, limit - limit % s.bid_step + 1, s.bid_step)
        if amounts:
            low, high = amounts[0], amounts[-1]
            yield Choice(_("bid {low} to {high}", low=low, high=high), {"do": "bid"}, amounts=amounts)
        if s.bidding != REALTIME:
            yield {"do": "pass"}
    elif s.phase == HAMMER:
        yield {"do": "sell"}
        if rules.cash(s, seat) >= s.bid:
            yield {"do": "buy"}
    elif s.phase == PAY:
        able = _payable(s)
        cards = tuple(card for card in hand(s, seat) if card in able)
        yield Choice(_payment(s), {"do": "pay"}, cards=cards)
    elif s.phase in (OFFER, REPLY):
        cards = tuple(hand(s, seat))
        if s.phase == REPLY:
            yield {"do": "accept"}
        do = "offer" if s.phase == OFFER else "counter"
        words = _("{do} any cards", do=do) if s.empty_offer or not cards else _("{do} at least one card", do=do)
        yield Choice(words, {"do": do}, cards=cards)


def _payment(s: Any) -> str:
    """Which sets of cards are a payment (K10)."""
    if s.payment == FREE:
        return _("pay any cards but 0 that reach {bid}", bid=s.bid)
    if s.payment == MIN_OVERPAY:
        return _("pay cards worth exactly {least}", least=rules.smallest_sum(s, s.bid))
    return _("pay cards that reach {bid}, none of which could be left out", bid=s.bid)


def one_payment(s: Any) -> bool:
    """Just one set of cards pays (K10)."""
    held = s.money[s.payer]
    least = rules.smallest_sum(s, s.bid)
    payments = 0
    for laid in product(*(range(held[note] + 1) for note in range(1, NOTES))):
        total = sum(n * MONEY[note] for note, n in enumerate(laid, 1))
        smallest = min((MONEY[note] for note, n in enumerate(laid, 1) if n), default=0)
        spare = (s.payment == IRREDUNDANT and total - smallest >= s.bid) or (s.payment == MIN_OVERPAY and total > least)
        payments += total >= s.bid and not spare
        if payments > 1:
            break
    return payments == 1


def _payable(s: Any) -> set[int]:
    """The cards that some payment holds.

    A set of cards that reaches the price can be thinned out until none could be left out, and a card of it stays if the rest
    does not reach the price without it. So a card needs others worth less than the price, and enough with it."""
    mine = [note for note in range(1, NOTES) for _copy in range(s.money[s.payer][note])]
    if s.payment == FREE:
        return {MONEY[note] for note in mine}
    least = rules.smallest_sum(s, s.bid) if s.payment == MIN_OVERPAY else s.bid
    able = set()
    for note in set(mine):
        sums = {0}
        rest = mine.copy()
        rest.remove(note)
        for other in rest:
            sums |= {total + MONEY[other] for total in sums if total + MONEY[other] < s.bid}
        if any(total + MONEY[note] == least if s.payment == MIN_OVERPAY else total + MONEY[note] >= s.bid for total in sums):
            able.add(MONEY[note])
    return able


SEAT, AMOUNT = number(r"\d{1,9}"), number(r"-?[0-9]{1,99}")
SHOWN = MoveField({"enum": [*MONEY]}, N_("{value!r} is not a money card; they are {known}."), SEAT)
CARDS = {"cards": MoveField({"type": "array", "items": SHOWN},
                            N_("{do} needs a list of cards, such as [50, 10]; it has {value!r}."))}
TRADED = {
    "with": MoveField(WHOLE, N_("A trade is with a seat, a whole number, not {value!r}."), SEAT),
    "animal": MoveField({"enum": [*ANIMALS]}, NOT_AN_ANIMAL),
}
MOVES = LongMoves(
    LongMove("auction", (TURN,), _auction_steps),
    LongMove("trade", (TURN,), _trade_steps, TRADED, "trade {animal} with {with}",
             unread=NO_TRADE, skipped=("with", "seat", "for", "the")),
    LongMove("bid", (BID,), _bid_steps, {"amount": MoveField(WHOLE, N_("A bid is a whole number, not {value!r}."), AMOUNT)},
             unread=NO_AMOUNT),
    LongMove("pass", (BID,), PASS),
    LongMove("close", (BID,), CLOSE),
    LongMove("sell", (HAMMER,), SELL),
    LongMove("buy", (HAMMER,), _buy_steps),
    LongMove("pay", (PAY,), _pay_steps, CARDS, unread=NO_CARDS),
    LongMove("offer", (OFFER,), _offer_steps, CARDS, unread=NO_CARDS),
    LongMove("accept", (REPLY,), ACCEPT),
    LongMove("counter", (REPLY,), _offer_steps, CARDS, unread=NO_CARDS),
    choices=choices, say=_, unknown=NO_MOVE, empty=NOTHING_SAID,
    barred=lambda s, seat, do: (do == "close") != (seat == CLOCK) or (do == "pass" and s.bidding == REALTIME),
    split=lambda line: re.findall(r"-?\w+", line.lower()),
)  # fmt: skip
