"""What the rules of Money! make of a move (core/hooks/mechanisms.py): which series and which full currency it completes or
breaks, what the next player can take, what a bid can get and what of it would be missed, and what all cards add up to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from outbid.core.hooks.contrast import Key, points
from outbid.core.hooks.mechanisms import Consequence, Sentences
from outbid.core.language.i18n import N_
from outbid.games.money.hooks.contrast import events
from outbid.games.money.hooks.faces import CURRENCIES
from outbid.games.money.rules import owns, score, value
from outbid.games.money.state import BID, CARDS, COINS, EXCHANGE, GONE, LEFT, NOTES, OVER, RIGHT, TABLE
from outbid.games.money.text import _

TEXTS = {
    "series": N_("It gives {who:you} all three {note}s of {currency}."),
    "full": N_("It brings {who:you} to {full} {currency} or more, from which nothing is deducted."),
    "breaks_series": N_("It breaks up {who:your} three {note}s of {currency}, and their bonus is gone."),
    "breaks_full": N_("It leaves {who:you} less than {full} {currency}, from which {penalty} are deducted."),
    "worth": N_("As things stand, that leaves {who:you} with {points} instead of {other_total}."),
    "cards": N_(
        "{who:Your} cards then add up to {cards} instead of {other_cards}, as printed: that counts once a currency is full."
    ),
    "they_series": N_("{other} then has all three {note}s of {currency}."),
    "next_series": N_("{other} chooses next and can get all three {note}s of {currency}."),
    "next_full": N_("{other} chooses next and can get {full} {currency} or more, from which nothing is deducted."),
    "out": N_("Without a card in the bid nothing can be taken in this round."),
    "aim": N_("Swapped for the better display, the bid leaves {who:you} with {points}, as things stand."),
    "aim_more": N_(
        "Swapped for the better display, the bid leaves {who:you} with {points} instead of {other_total}, as things stand."
    ),
    "lays": N_("The cards in the bid add up to {cards} instead of {other_cards}, as printed; they go with any swap."),
    "risks": N_("The cards in the bid are worth {points} to {who:you}; they go with any swap."),
    "risks_more": N_("The cards in the bid are worth {points} to {who:you} instead of {other_lost}; they go with any swap."),
    "stakes_series": N_("The bid breaks up {who:your} three {note}s of {currency}: with any swap their bonus is gone."),
    "stakes_pair": N_(
        "The bid breaks up {who:your} two {note}s of {currency}, which lack only the third for a bonus of {bonus}."
    ),
    "stakes_full": N_("With any swap of the bid, less than {full} {currency} is left, from which {penalty} are deducted."),
}


def worded(values: Mapping[str, Any]) -> dict[str, Any]:
    """Points in words, and currencies by name."""
    words, currency = dict(values), values.get("currency")
    words |= {"points": points(str(values["points"]))} if "points" in values else {}
    return words | ({} if currency is None else {"currency": CURRENCIES[currency][0]})


def card(values: Mapping[str, Any]) -> str:
    """The notes of a currency."""
    currency = values.get("currency")
    return "" if currency is None else CURRENCIES[currency][0]


AT_ONCE = ("full", "breaks_series", "breaks_full", "stakes_series", "stakes_full", "they_series", "out")
UNASKED = dict.fromkeys(AT_ONCE, 0) | {"worth": 30}
THEMES = {
    N_("series of three"): "series breaks_series they_series next_series stakes_series stakes_pair",
    N_("full currencies"): "full breaks_full next_full stakes_full",
    N_("points in the hand"): "worth cards currency coins",
    N_("bids"): "out aim aim_more lays risks risks_more",
}
MUCH, FELT = 40, 20  # by which two bids must differ, as printed and in points
SENTENCES = Sentences(_, TEXTS, worded, card, UNASKED, THEMES)


def consequences(before: Any, after: Any, seat: int, actions: Sequence[int]) -> Iterator[Consequence]:
    """What follows from a move, by what was decided."""
    if before.phase == BID:
        yield from _bidden(before, seat, [action for action in actions if action < CARDS])
    elif before.phase == EXCHANGE:
        total = _points(after, seat)
        values = {"points": total, "total": total}
        yield Consequence("worth", (), True, 12.0, total, values, beside="worth")
        printed = sum(value(card) for card in range(CARDS) if owns(after, seat, card))
        yield Consequence("cards", (), True, 12.0 * (not before.final), printed, {"cards": printed}, beside="cards")
        was, now = events(before), events(after)
        yield from _sets(after, "", True, now - was, seat, 35.0)
        theirs = {key[2:] for key in now - was if key[0] == "series" and key[1] != seat}
        kept = {key for key in was - now if key[0] != "series" or key[2:] not in theirs or after.phase == OVER}
        yield from _sets(after, "breaks_", False, kept, seat, 30.0)
        for other in range(after.players):
            if other != seat and after.phase != OVER:  # then hands are open that were hidden before
                gained = {key for key in now - was if key[0] == "series"}
                yield from _sets(after, "they_", False, gained, other, 30.0)
        if after.phase == EXCHANGE and after.actor != seat:
            others = [*_sets(after, "next_", False, _reach(after, after.actor) - now, after.actor, 22.0)]
            yield from (replace(each, about=(), topic="next", size=len(others)) for each in others)


def _bidden(before: Any, seat: int, cards: Sequence[int]) -> Iterator[Consequence]:
    if not cards:
        yield Consequence("out", (), False, 12.0)
        yield Consequence("lays", (), False, 0.0, CARDS * MUCH)  # who lays nothing because of that will not win
        return
    lost = before.copy()
    for card in cards:
        lost.place[card] = GONE
    got = max(_points(_holding(lost, seat, display), seat) for display in (RIGHT, LEFT))
    yield Consequence("aim", (), True, 16.0, got, {"points": got, "total": got}, beside="aim_more")
    laid = sum(map(value, cards))
    yield Consequence("lays", (), False, 13.0, laid, {"cards": laid}, beside="lays", least=MUCH)
    cost = _points(before, seat) - _points(lost, seat)
    if cost > 0:  # a coin is worth little
        worth = {"points": cost, "lost": cost}
        yield Consequence("risks", (), False, 14.0 * (cost >= FELT), cost, worth, "", "risks_more", FELT)
    yield from _sets(before, "stakes_", False, events(before) - events(lost), seat, 25.0)
    for currency, (first, note) in product(range(COINS // NOTES), ((0, 20), (3, 30))):
        own = {card for card in range(first, first + 3) if owns(before, seat, NOTES * currency + card)}
        if len(own) == 2 and before.triplet_bonus and own & {card - NOTES * currency for card in cards}:
            values = {"currency": currency, "note": note, "bonus": before.triplet_bonus}
            yield Consequence("stakes_pair", (currency, note), False, 13.5, values=values)


def _sets(s: Any, prefix: str, good: bool, keys: set[Key], owner: int, weight: float) -> Iterator[Consequence]:
    """Series and full currencies that a seat has on one side of a move, if they matter; of what the next player can
    get, the series alone where there are both."""
    for name, seat, currency, *note in sorted(keys, key=str):
        matters = s.triplet_bonus if note else s.penalty
        if not note and prefix == "next_":
            matters = matters and not any(("series", seat, currency, each) in keys for each in (20, 30))
        if seat == owner and matters:
            values = {"other": owner, "currency": currency, "note": note[0] if note else 0}
            values |= {"full": s.full_value, "penalty": s.penalty}
            about = (owner, int(currency), *map(int, note))
            yield Consequence(f"{prefix}{name}", about, good, weight + 3 * bool(note), values=values)


def _reach(s: Any, seat: int) -> set[Key]:
    """The series and full currencies that a seat can have with a display, or with another bid, for its own."""
    reach = set[Key]()
    for source in (RIGHT, LEFT, *(TABLE + other for other in range(s.players) if other != seat)):
        reach |= events(_holding(s, seat, source))
    return reach


def _holding(s: Any, seat: int, source: int) -> Any:
    """The state after a seat has taken a display or a bid for its own."""
    then = s.copy()
    then.place = [seat if at == source else source if at == TABLE + seat else at for at in s.place]
    return then


def _points(s: Any, seat: int) -> int:
    totals = [0] * s.players
    score(s, totals)
    return totals[seat]
