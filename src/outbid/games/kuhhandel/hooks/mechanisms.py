"""What the rules of Kuhhandel make of a move (core/hooks/mechanisms.py): which set it completes or leaves to whom, at what
price, who cannot pay, what a trade is about, and what an offer can be worth. Of the others' money the bounds are told that
the seat can know."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from outbid.core.hooks.mechanisms import Consequence, Sentences
from outbid.core.language.i18n import N_
from outbid.core.language.phrases import grouped
from outbid.games.kuhhandel.bot import offer_at_most
from outbid.games.kuhhandel.rules import cash, may_bid, score
from outbid.games.kuhhandel.state import (
    ACCEPT,
    ANIMALS,
    BID,
    BUY,
    DONE,
    HAMMER,
    KINDS,
    LAY,
    MONEY,
    OFFER,
    PASS,
    PAY,
    REPLY,
    TURN,
)  # fmt: skip
from outbid.games.kuhhandel.text import _, animals, ngettext

PART = 4  # one's money by this is worth telling
LEAST = 30  # of money that is paid for nothing

TEXTS = {
    "completes": N_("{this} completes the {herd} for {who:you}: {points} points more."),
    "may_complete": N_("Winning the trade completes the {herd} for {who:you}: {points} points more."),
    "they_complete": N_("{other} then completes the {herd}: {points} points more."),
    "they_may_complete": N_("{other} can complete the {herd} with it: {points} points more."),
    "for_nothing": N_("{other} then gets {object} for nothing."),
    "insolvent_self": N_("{bid} is more than {who:your} {cash}: if {other} sells, everybody sees that money."),
    "insolvent_sold": N_("{other} cannot pay {bid}: if nobody bids more, everybody sees {who:your} {cash}."),
    "pays": N_("It costs {price}, which goes to {other} and leaves {who:you} {left}."),
    "no_change": N_("There is no change: to pay {bid} takes notes worth {price}."),
    "saves": N_("It leaves {who:you} {left}, with {cards} still in the deck."),
    "saves_more": N_("It leaves {who:you} {left} instead of {other_left}, with {cards} still in the deck."),
    "beyond_all": N_("No other bidder can pay more than {bid}."),
    "sold": N_("{other} pays {who:you} {bid} or more."),
    "sold_if": N_("If {other} can pay, that brings {who:you} {bid} or more."),
    "insolvent": N_("{other} has at most {most} and cannot pay {bid}: {object} is auctioned again."),
    "unbeatable": N_("{other} has at most {most}, so {value} wins the trade."),
    "can_outbid": N_("{other} has at most {most}, less than {who:your} {cash}: this trade can be won for certain."),
    "outbid": N_("{other} has at least {least}, more than {who:your} {cash}, and can always outbid that."),
    "they_win_set": N_("Losing this trade lets {other} complete the {herd}: {points} points more."),
    "no_set": N_("Whoever wins it, the {herd} are not complete after this trade."),
    "about": N_("The trade is about {stake}, and a set of {herd} is worth {points} points."),
    "about_more": N_(
        "The trade is about {stake}: a set of {herd} is worth {points} points, one of {other_herd} {other_points}."
    ),
    "called": N_("Any money that {other} counters with wins {stake}."),
    "works": N_("If {other} accepts, that brings {who:you} {stake} for nothing."),
    "too_little": N_("{other} has at least {least} and can lay more than {value}."),
    "gives_up": N_("{other} gets {stake} from {who:you} for {notes}."),
    "gives_free": N_("{other} gets {stake} from {who:you} for nothing."),
    "beats": N_("It wins the trade against every offer below {value}."),
    "nothing_now": N_("A counter worth nothing loses {stake}, and so does a second tie."),
    "nothing": N_("A counter worth nothing loses {stake}, unless the offer is worth nothing, too."),
    "overpays": N_("{enough} wins the trade as surely: {other} has at most {most}."),
    "overbids": N_("A bid of {enough} wins the auction as surely: nobody else can pay more than {most}."),
    "overpaid": N_("Notes worth {enough} are enough, and there is no change."),
    "hands_over": N_("What is laid, {value}, goes to {other}, whoever wins the trade."),
    "auction": N_("An auction brings {who:you} the highest bid, or the animal for that price."),
    "last_use": N_("After this trade money buys {who:you} nothing more, and at the end it is worth nothing."),
}


def worded(values: Mapping[str, Any]) -> dict[str, Any]:
    """Animals by name, points in groups of digits, cards and notes counted."""
    words, kind = dict(values), values.get("kind", -1)
    words |= {"herd": animals.herd(kind), "this": animals.first(kind), "object": animals.this(kind)} if kind >= 0 else {}
    words |= {"stake": animals.stake(kind, values["stake"])} if "stake" in values else {}
    words |= {"other_herd": animals.herd(values["other_kind"])} if "other_kind" in values else {}
    words |= {name: grouped(values[name]) for name in ("points", "other_points") if name in values}
    words |= {"cards": ngettext("{n} animal", "{n} animals", values["cards"])} if "cards" in values else {}
    return words | (
        {"notes": ngettext("{n} face-down card", "{n} face-down cards", values["notes"])} if "notes" in values else {}
    )


def card(values: Mapping[str, Any]) -> str:
    """The animals of a kind."""
    return f"{ANIMALS[values['kind']]}@" if values.get("kind", -1) >= 0 else ""


UNASKED = dict.fromkeys(("for_nothing", "completes", "unbeatable", "outbid"), 0)
THEMES = {
    N_("sets of four"): "completes may_complete they_complete they_may_complete they_win_set no_set set points",
    N_("auctions and prices"): "pays no_change saves saves_more beyond_all sold sold_if for_nothing auction "
    "overbids overpaid",
    N_("more than one has"): "insolvent insolvent_self insolvent_sold",
    N_("trades"): "about about_more unbeatable can_outbid outbid called works too_little gives_up gives_free "
    "beats nothing nothing_now overpays hands_over last_use",
}
SENTENCES = Sentences(_, TEXTS, worded, card, UNASKED, THEMES)


def consequences(before: Any, after: Any, seat: int, actions: Sequence[int]) -> Iterator[Consequence]:
    """What follows from a move, by what was decided."""
    laid = _laid(actions)
    if dear := _overpaid(before, after, seat, actions):
        name, _move, values, saved = dear
        yield Consequence(name, (), False, 26.0, saved, {"kind": before.kind} | values)
    if before.phase == BID:
        yield from _bidden(before, after, seat, actions[0] == PASS)
    elif before.phase == HAMMER:
        yield from _hammered(before, seat, actions[0] == BUY)
    elif before.phase == PAY:
        values = {"price": laid, "other": before.payee, "left": cash(after, seat)}
        yield Consequence("pays", (), False, 13.0, laid, values)
    elif before.phase == TURN and after.phase == OFFER:
        yield from _challenged(after, seat)
    elif before.phase == TURN:
        yield Consequence("auction", (), True, 12.0)
    elif before.phase == OFFER:
        yield from _offered(before, seat, laid)
    elif before.phase == REPLY:
        yield from _replied(before, seat, actions[0] == ACCEPT, laid)


def cheaper(before: Any, after: Any, seat: int, actions: Sequence[int]) -> dict[str, Any] | None:
    """The move that surely brings the same as another for clearly less, if there is one."""
    dear = _overpaid(before, after, seat, actions)
    return dear[1] if dear else None


def _overpaid(
    before: Any, after: Any, seat: int, actions: Sequence[int]
) -> tuple[str, dict[str, Any], dict[str, Any], int] | None:
    """Of a move that pays clearly more than it takes, whatever the others have: the name of its sentence, the move that is
    enough, the values of the sentence, and what it saves."""
    own, laid = cash(before, seat), _laid(actions)
    if before.phase == BID and actions[0] != PASS and after.bid <= own:
        others = [other for other in range(before.players) if other != seat and not before.excluded >> other & 1]
        most = max(_at_most(before, seat, other) for other in others)
        enough = max(before.bid, most - most % before.bid_step) + before.bid_step
        name, move = "overbids", {"do": "bid", "amount": enough}
        values = {"enough": enough, "most": most}
        saved = _notes(before, seat, after.bid)[0] - _notes(before, seat, enough)[0]
    elif before.phase == PAY:
        enough, cards = _notes(before, seat, before.bid)
        name, move = "overpaid", {"do": "pay", "cards": cards}
        values, saved = {"enough": enough}, laid - enough
    elif laid and not _last(before, seat):
        other = before.challenged if before.phase == OFFER else before.turn
        most = _at_most(before, seat, other)
        if before.phase == REPLY:
            most = min(most, offer_at_most(before, seat))
        enough, cards = _notes(before, seat, most + 1)
        name, move = "overpays", {"do": "offer" if before.phase == OFFER else "counter", "cards": cards}
        values, saved = {"enough": enough, "most": most, "other": other}, laid - enough
    else:
        return None
    return (name, move, values, saved) if saved >= max(LEAST, own // PART) else None


def _laid(actions: Sequence[int]) -> int:
    """The money that a move lays."""
    return sum(MONEY[action - LAY] for action in actions if LAY <= action < DONE)


def _bidden(before: Any, after: Any, seat: int, passes: bool) -> Iterator[Consequence]:
    kind, auctioneer = before.kind, before.turn
    about = {"kind": kind, "other": auctioneer}
    own, left = cash(before, seat), before.size - before.drawn
    if not passes:
        about["bid"] = after.bid
        if own < after.bid:
            name = "insolvent_sold" if _at_most(after, seat, auctioneer) < after.bid else "insolvent_self"  # K8
            yield Consequence(name, (), False, 70.0, after.bid, about | {"cash": own}, topic="insolvent_self")
            return
        price = _notes(after, seat, after.bid)[0]
        if price > after.bid:
            yield Consequence("no_change", (), False, 15.0, price - after.bid, about | {"price": price})
        yield from _completing("completes", before, seat, kind, 1, 30.0)
        if left:
            yield _saved(own - price, left, own)
        rivals = [other for other in range(after.players) if other != seat and (may_bid(after) >> other) & 1]
        if rivals and all(_at_most(after, seat, other) <= after.bid for other in rivals):
            yield Consequence("beyond_all", (), True, 25.0, values=about)
    else:
        if left:
            yield _saved(own, left, own)
        if after.phase != BID and before.leader < 0:
            weight = 20.0 + 30 * _completed(before, auctioneer, kind, 1)
            yield Consequence("for_nothing", (auctioneer,), False, weight, values=about)
            yield from _completing("they_complete", before, auctioneer, kind, 1, 50.0)
        elif before.leader >= 0:
            yield from _completing("they_may_complete", before, before.leader, kind, 1, 35.0)


def _saved(money: int, cards: int, own: int) -> Consequence:
    """Money that is left of what one has, while there are cards in the deck."""
    values = {"left": money, "cards": cards}
    return Consequence("saves", (), True, 13.0, money, values, beside="saves_more", least=own // PART)


def _hammered(before: Any, seat: int, buys: bool) -> Iterator[Consequence]:
    kind, leader, bid = before.kind, before.leader, before.bid
    about = {"kind": kind, "other": leader, "bid": bid, "most": _at_most(before, seat, leader)}
    if buys:
        price = _notes(before, seat, bid)[0]
        yield from _completing("completes", before, seat, kind, 1, 50.0)
        yield Consequence("pays", (), False, 13.0, price, about | {"price": price, "left": cash(before, seat) - price})
    elif about["most"] < bid:
        yield Consequence("insolvent", (), True, 30.0, values=about)
    else:
        sure = before.least[seat][leader] >= bid
        yield Consequence("sold" if sure else "sold_if", (), True, 12.0, bid, about, topic="sold")
        yield from _completing("they_complete", before, leader, kind, 1, 50.0)


def _challenged(after: Any, seat: int) -> Iterator[Consequence]:
    kind, other, own = after.kind, after.challenged, cash(after, seat)
    about = {"kind": kind, "other": other, "cash": own}
    about |= {"most": _at_most(after, seat, other), "least": after.least[seat][other]}
    if own > about["most"]:
        yield Consequence("can_outbid", (), True, 40.0, values=about)
    elif own < after.least[seat][other]:
        yield Consequence("outbid", (kind, other), False, 35.0, values=about)
    values = {"kind": kind, "stake": after.stake, "points": after.values[kind]}
    yield Consequence("about", (), True, 14.0, after.values[kind], values, beside="about_more")
    yield from _completing("may_complete", after, seat, kind, after.stake, 30.0)
    yield from _completing("they_win_set", after, other, kind, after.stake, 20.0)
    if max(after.animals[seat][kind], after.animals[other][kind]) + after.stake < after.copies[kind]:
        yield Consequence("no_set", (), False, 12.0, values=about)


def _offered(before: Any, seat: int, value: int) -> Iterator[Consequence]:
    other = before.challenged
    about = {"kind": before.kind, "other": other, "stake": before.stake, "value": value}
    about |= {"most": _at_most(before, seat, other), "least": before.least[seat][other]}
    if value > about["most"]:
        yield Consequence("unbeatable", (), True, 40.0, values=about)
    elif value == 0:
        yield Consequence("called", (), False, 20.0, 1, about, topic="too_little")
        yield Consequence("works", (), True, 20.0, values=about)
    elif value < about["least"]:
        yield Consequence("too_little", (), False, 18.0, values=about)
    yield from _spent(before, seat, value)


def _replied(before: Any, seat: int, accepts: bool, value: int) -> Iterator[Consequence]:
    kind, other = before.kind, before.turn
    about = {"kind": kind, "other": other, "stake": before.stake, "value": value}
    about["most"] = min(offer_at_most(before, seat), _at_most(before, seat, other))
    if accepts:
        name = "gives_up" if before.offered else "gives_free"
        yield Consequence(name, (), False, 10.0, values=about | {"notes": before.offered})
        yield from _completing("they_complete", before, other, kind, before.stake, 50.0)
    elif value == 0 < about["most"]:
        yield Consequence("nothing_now" if before.again else "nothing", (), False, 12.0, values=about)
    elif value:
        yield Consequence("beats", (), True, 13.0, value, about, least=1 + cash(before, seat) // PART)
    if not accepts:
        yield from _completing("may_complete", before, seat, kind, before.stake, 30.0)
    yield from _spent(before, seat, value)


def _spent(before: Any, seat: int, value: int) -> Iterator[Consequence]:
    """What is laid goes to the other one; or this is the last thing that money can buy: all of its kind is at stake, and
    nothing else is incomplete."""
    if _last(before, seat):
        yield Consequence("last_use", (), True, 30.0, value)
    else:
        values = {"value": value, "other": before.challenged if seat == before.turn else before.turn}
        yield Consequence("hands_over", (), False, 13.0, value, values, least=1 + cash(before, seat) // PART)


def _last(before: Any, seat: int) -> bool:
    """Whether this trade is the last thing that money can buy a seat."""
    others = [kind for kind in range(KINDS) if kind != before.kind and 0 < before.animals[seat][kind] < before.copies[kind]]
    return bool(before.drawn == before.size and not others and 2 * before.stake == before.copies[before.kind])


def _at_most(s: Any, seat: int, other: int) -> int:
    """The most money that another can have: no more than is in play without one's own and what all others have at least."""
    rest = sum(s.least[seat][third] for third in range(s.players) if third not in (seat, other))
    return int(min(s.most[seat][other], s.purse - cash(s, seat) - rest))


def _completing(name: str, s: Any, owner: int, kind: int, more: int, weight: float) -> Iterator[Consequence]:
    """A set that so many more animals complete, and its points; good if the name is that of an own one."""
    if not _completed(s, owner, kind, more):
        return
    points, then = [0] * s.players, s.copy()
    score(s, points)
    was = points[owner]
    then.animals[owner][kind] = s.copies[kind]
    score(then, points)
    values = {"kind": kind, "other": owner, "points": points[owner] - was}
    yield Consequence(name, (kind,), not name.startswith("they"), weight, values=values)


def _completed(s: Any, owner: int, kind: int, more: int) -> bool:
    return bool(s.animals[owner][kind] + more == s.copies[kind])


def _notes(s: Any, seat: int, amount: int) -> tuple[int, list[int]]:
    """The smallest sum of own notes that reaches an amount, and the fewest notes that make it; all money if none does."""
    fewest: dict[int, list[int]] = {0: []}
    for note in (note for note, n in zip(MONEY[1:], s.money[seat][1:], strict=True) for _copy in range(n)):
        for value, notes in tuple(fewest.items()):
            if value + note not in fewest or len(fewest[value + note]) > len(notes) + 1:
                fewest[value + note] = [note, *notes]
    value = min((value for value in fewest if value >= amount), default=max(fewest))
    return value, fewest[value]
