"""An exact memory by brute force: every world of hidden money that agrees with all a viewer has seen.

It follows a match move by move and, wherever the viewer does not see the cards, tries all sets of cards that the rules
allow. It shares nothing with hidden.py; of the true states it reads only what everybody sees.
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

from outbid.games.kuhhandel.state import MONEY, OVER, PAY, REPLY

Notes = tuple[int, ...]  # how many of each card: 0, 10, 50, 100, 200, 500
World = tuple[tuple[Notes, ...], Notes]  # the hands by seat, and the offer on the table

NONE: Notes = (0,) * 6


class TooMany(Exception):
    """More worlds than can be followed."""


def counted(cards: list[int]) -> Notes:
    """Cards by note."""
    return tuple(cards.count(note) for note in MONEY)


def worth(notes: Notes) -> int:
    """Their sum."""
    return sum(n * note for n, note in zip(notes, MONEY, strict=True))


def plus(one: Notes, two: Notes) -> Notes:
    """Two sets of cards together."""
    return tuple(a + b for a, b in zip(one, two, strict=True))


def minus(one: Notes, two: Notes) -> Notes:
    """What is left of one set without the other."""
    return tuple(a - b for a, b in zip(one, two, strict=True))


def without_zeros(notes: Notes) -> Notes:
    """Only cards worth something."""
    return (0, *notes[1:])


@cache
def subsets(hand: Notes, size: int | None) -> tuple[Notes, ...]:
    """All sets of cards out of a hand, of a given size or of any."""
    every = itertools.product(*(range(n + 1) for n in hand))
    return tuple(laid for laid in every if size is None or sum(laid) == size)


@cache
def payments(hand: Notes, price: int, payment: int, size: int | None) -> tuple[Notes, ...]:
    """The sets of cards that may pay a price (K10); payment 0: none could be left out, 1: smallest sum, 2: any."""
    reach = [laid for laid in subsets(hand, None) if laid[0] == 0 and worth(laid) >= price]
    if payment == 0:
        reach = [x for x in reach if worth(x) - min(note for note, n in zip(MONEY, x, strict=True) if n) < price]
    elif payment == 1:
        least = min(map(worth, reach), default=0)
        reach = [x for x in reach if worth(x) == least]
    return tuple(x for x in reach if size is None or sum(x) == size)


def follow(match: Any, viewer: int, limit: int = 20_000) -> set[World]:
    """The worlds that agree with everything `viewer` (−1: a spectator) has seen of a match. Raises TooMany."""
    first = match._start
    worlds: set[World] = {(tuple(tuple(first.money[p]) for p in range(first.players)), NONE)}
    again = match.at(0)
    for move in match.moves:
        before = again.state
        again.play(move["seat"], move)
        after = again.state
        worlds = set(_step(worlds, viewer, before, after, move, limit))
        if after.phase == OVER and after.final_tie:  # K25: all money is shown
            worlds = {w for w in worlds if w[0] == world_of(after)[0]}
        if not after.hand_count_view:
            sizes = [sum(after.money[p]) for p in range(after.players)]
            worlds = {w for w in worlds if [sum(hand) for hand in w[0]] == sizes}
    return worlds


def _step(worlds: set[World], viewer: int, before: Any, after: Any, move: dict[str, Any], limit: int) -> Any:
    for made, world in enumerate(_moved(worlds, viewer, before, after, move)):
        if made > limit:
            raise TooMany
        yield world


def _moved(worlds: set[World], viewer: int, before: Any, after: Any, move: dict[str, Any]) -> Any:
    do, seat = move["do"], move["seat"]
    if do == "auction":
        paid = NONE
        if after.donkeys > before.donkeys:
            paid = tuple(int(n == before.donkey_money[before.donkeys]) for n in range(6))
        for hands, offer in worlds:
            yield tuple(plus(hand, paid) for hand in hands), offer
    elif do == "bid":
        for hands, offer in worlds:
            limit = (10**6, 2 * worth(hands[seat]) + 100, worth(hands[seat]))[before.overbid]
            if move["amount"] <= limit:
                yield hands, offer
    elif do in ("sell", "buy"):
        payer = before.leader if do == "sell" else seat
        exposed = None if after.phase == PAY else tuple(before.money[payer])
        for hands, offer in worlds:
            if hands[payer] == exposed or (exposed is None and worth(hands[payer]) >= before.bid):
                yield hands, offer
    elif do == "pay":
        yield from _paid(worlds, viewer, before, counted(move["cards"]))
    elif do == "offer":
        yield from _offered(worlds, viewer, before, counted(move["cards"]))
    elif do == "accept":
        for hands, offer in worlds:
            if viewer != seat or offer == tuple(before.offer):
                moving = without_zeros(offer) if before.zeros_return else offer
                yield _passed_on(hands, before.turn, seat, moving), NONE
    elif do == "counter":
        yield from _countered(worlds, viewer, before, after, counted(move["cards"]))
    else:
        yield from worlds


def _passed_on(hands: tuple[Notes, ...], giver: int, taker: int, notes: Notes) -> tuple[Notes, ...]:
    made = list(hands)
    made[giver] = minus(made[giver], notes)
    made[taker] = plus(made[taker], notes)
    return tuple(made)


def _paid(worlds: set[World], viewer: int, before: Any, true: Notes) -> Any:
    seen = viewer in (before.payer, before.payee) or before.auction_payment_view
    for hands, offer in worlds:
        for laid in payments(hands[before.payer], before.bid, before.payment, sum(true)):
            if not seen or laid == true:
                yield _passed_on(hands, before.payer, before.payee, laid), offer


def _offered(worlds: set[World], viewer: int, before: Any, true: Notes) -> Any:
    size = None if before.offer_count_view else sum(true)
    for hands, _ in worlds:
        for laid in [true] if viewer == before.turn else subsets(hands[before.turn], size):
            if before.empty_offer or sum(laid) or not sum(hands[before.turn]):
                yield hands, laid


def _countered(worlds: set[World], viewer: int, before: Any, after: Any, true: Notes) -> Any:
    challenger, challenged = before.turn, before.challenged
    true_offer = tuple(before.offer)
    result = sign(worth(true_offer) - worth(true))  # everybody sees who won, or that it was a tie
    size = None if before.offer_count_view else sum(true)
    for hands, offer in worlds:
        if viewer == challenged and offer != true_offer:
            continue
        own = viewer in (challenger, challenged)
        for laid in [true] if own else subsets(hands[challenged], size):
            if any(a > b for a, b in zip(laid, hands[challenged], strict=True)):
                continue
            if not before.empty_offer and sum(hands[challenged]) and not sum(laid):
                continue
            if sign(worth(offer) - worth(laid)) != result:
                continue
            there, back = offer, laid
            if before.winner_pays and result:
                there, back = (there, NONE) if result > 0 else (NONE, back)
            if before.tie_money and not result:
                there = back = NONE
            if before.zeros_return:
                there, back = without_zeros(there), without_zeros(back)
            moved = _passed_on(hands, challenger, challenged, there)
            yield _passed_on(moved, challenged, challenger, back), NONE


def sign(n: int) -> int:
    """−1, 0 or 1."""
    return (n > 0) - (n < 0)


def world_of(state: Any) -> World:
    """The world of a state."""
    hands = tuple(tuple(state.money[p]) for p in range(state.players))
    return hands, tuple(state.offer) if state.phase == REPLY else NONE
