"""What the rules of For-Ex make of a move (core/hooks/mechanisms.py): which contract or loan cannot be paid when it comes
up, what a certificate costs and its dividends bring, whom a stronger or weaker currency helps, how much one has of all that
everybody has and is still to get, and what a spot transaction settles. As things stand: if everybody only resolves from then
on (`account`)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from outbid.core.hooks.mechanisms import Consequence, Sentences, ended
from outbid.core.language.i18n import N_
from outbid.games.forex.bot import favourite, price
from outbid.games.forex.rules import (
    answer, can_buy, converted, end_turn, leave, measure, pays_nothing, resolve, sell, spend_dividend, strengthen,
    weaken, winners,
)  # fmt: skip
from outbid.games.forex.state import (
    BUCK, CONTRACTED, CURRENCIES, CURRENCY, DIVESTING, KINDS, LENT, NOBODY, OVER, REPLY, RESOLVE, STACK, STRENGTHEN,
    TURN,
)  # fmt: skip
from outbid.games.forex.text import _
from outbid.games.forex.text.sentences import figure, money, sums
from outbid.games.forex.text.views import bucks

Due = tuple[bool, int, int]
"""Whether what falls due is a loan, a currency, and how much of it is missing."""


class Prospect(NamedTuple):
    """What comes if everybody only resolves: what falls due for a seat; what the dividends pay for a certificate before the
    end; and who goes bankrupt (NOBODY: all debts are paid), with the currency and how much of it is missing."""

    dues: list[Due]
    dividends: int
    bankrupt: int
    missing: tuple[int, int]


OPEN = 1 << 30  # more than any move brings: what a seat may still do in the same turn speaks against none
FELT = 0.005  # of all money, by a stronger or weaker currency

TEXTS = {
    "ahead": N_("The match ends, with a victory for {who:you}."),
    "behind": N_("The match ends, with a victory for {other}."),
    "ruin": N_("As things stand, {other:your} loan falls due with {sum} missing, which is bankruptcy and ends the match."),
    "ruin_new": N_(
        "As things stand, {other:your} contract cannot be paid when it falls due and becomes a loan, of which {sum} will be "
        "missing: bankruptcy, which ends the match."
    ),
    "bought": N_("What is bought costs {cost}, and can still get {later} from the dividends that are left."),
    "bought_more": N_(
        "What is bought costs {cost}, and can still get {later} from the dividends that are left, instead of "
        "{other_later} for {other_cost}."
    ),
    "sold": N_("What is sold brings {cost}; held, it can still get {later} from the dividends that are left."),
    "sold_more": N_(
        "It gives up {later} of the dividends that are left instead of {other_later}, which is more, counted in {unit}."
    ),
    "weaker": N_(
        "It weakens {currency}{rate}: that costs {who:you} most, with {own} in hand and still due, against {sum} for "
        "{other:you}."
    ),
    "stronger": N_(
        "It strengthens {currency}{rate}: that helps {who:you} most, with {own} in hand and still due, against {sum} for "
        "{other:you}."
    ),
    "repaid": N_("It pays back {who:your} loan, {lent}."),
    "dividend": N_("The dividend pays {other:you} {sum}, more than anybody else."),
    "share": N_(
        "At the rates then, with the dividends and contracts still to come, it gives {who:you} {percent} % of all money."
    ),
    "share_more": N_(
        "At the rates then, with the dividends and contracts still to come, it gives {who:you} {percent} % of all money "
        "instead of {other_percent} %."
    ),
    "idle": N_("Certificates of {currency} pay no dividend while a pair stands on the 8 space."),
    "woken": N_("It takes {currency} off the 8 space, so that its certificates pay dividends again."),
    "swap_short": N_("If {other} agrees, that leaves {who:you} {sum}, too little for a certificate of {currency}."),
    "swap_saves": N_(
        "If {other} agrees, nothing is missing any more, as things stand, when {who:your} loan falls due: no bankruptcy."
    ),
}


def worded(values: Mapping[str, Any]) -> dict[str, Any]:
    """Sums of money and currencies by name."""
    words = dict(values)
    words |= {"sum": money(*values["sum"])} if "sum" in values else {}
    words |= {name: sums(values[name]) for name in ("cost", "later", "other_later", "other_cost", "lent") if name in values}
    if "unit" in values:
        words["unit"] = CURRENCIES[values["unit"]]
    if "own" in values:
        words["own"] = money(*values["own"])
        words["rate"] = _turned(*values["pair"])
    return words | ({"currency": CURRENCIES[values["kind"]]} if "kind" in values else {})


def _turned(kind: int, other: int, was: int, now: int) -> str:
    """What a move makes of a pair: two rates in half-bucks, below 0 where the second currency is the stronger."""
    if (was > 0) != (now > 0):
        turned = _(" (then stronger than {currency})") if now > 0 else _(" (then weaker than {currency})")
        return turned.format(currency=CURRENCIES[other])
    if was == now:
        return ""
    strong, weak = (CURRENCIES[each] for each in ((kind, other) if now > 0 else (other, kind)))
    rates = {"rate": figure(bucks(abs(now))), "before": figure(bucks(abs(was)))}
    return _(" (1 {strong} is then {rate} {weak} instead of {before})", strong=strong, weak=weak, **rates)


def card(values: Mapping[str, Any]) -> str:
    """The money of a currency."""
    kind = values["kind"] if "kind" in values else values.get("sum", (None,))[0]
    return "" if kind is None else f"{CURRENCIES[kind]}@"


UNASKED = dict.fromkeys(("ahead", "behind"), 0)
THEMES = {
    N_("the end of the match"): "ahead behind won",
    N_("contracts and loans"): "ruin ruin_new repaid swap_saves swap_short bankrupt",
    N_("dividends"): "dividend bought bought_more sold sold_more idle woken",
    N_("the share of all money"): "share share_more",
    N_("strong and weak currencies"): "weaker stronger strongest",
}
SENTENCES = Sentences(_, TEXTS, worded, card, UNASKED, THEMES, ("ruin", "ruin_new"))


def consequences(before: Any, after: Any, seat: int, actions: Sequence[int]) -> Iterator[Consequence]:
    """What follows from a move."""
    if after.phase == OVER:
        yield ended(winners(after, [0] * after.players), seat, 98.0)
        return
    course = account(after, seat)
    if after.phase == REPLY:  # the action is still to come
        yield from _offered(after, seat, course)
        return
    if course.bankrupt != NOBODY:  # more or less of it missing makes no difference
        owner, name = course.bankrupt, "ruin" if after.loan[course.bankrupt] != NOBODY else "ruin_new"
        values = {"sum": course.missing, "other": owner, "mine": owner == seat}
        yield Consequence(name, (owner,), owner != seat, 60.0 * (owner == seat), values=values, topic="ruin")
        if owner == seat:  # who is bankrupt gets no more dividends than who sells everything
            yield Consequence("sold", (), False, 0.0, OPEN)
    front = before.queue[0]
    if before.phase == TURN and before.loan[seat] == front != STACK and after.loan[seat] == NOBODY:
        yield Consequence("repaid", (), True, 16.0, values={"lent": tuple(map(int, before.debt[seat]))})
    if before.phase == TURN and actions[0] == RESOLVE and front == STACK:
        yield from _paid_out(before, seat)
    yield from _papers(before, after, seat, course)
    yield from _rates(before, after, seat, actions, course)
    for kind in range(KINDS):
        sold, bought = before.certs[seat][kind] > after.certs[seat][kind], before.certs[seat][kind] < after.certs[seat][kind]
        if (sold or bought) and pays_nothing(after, kind):
            yield Consequence("idle", (kind, sold), sold, 20.0, values={"kind": kind})
        elif bought and pays_nothing(before, kind):
            yield Consequence("woken", (kind,), True, 19.0, values={"kind": kind})


def account(s: Any, seat: int) -> Prospect:
    """What follows if everybody only resolves from then on, offers are refused, and nobody sells but for a loan, whose owner
    must have a turn before it falls due."""
    then = s.copy()
    if then.phase == REPLY:
        then.phase, then.asking = TURN, then.turn
    elif then.phase == DIVESTING:
        end_turn(then)
    cards = then.dividend_cards
    then.dividend_cards += 1  # so that what is behind the last card is gone through item by item, too
    dues, paid, missing, moved = list[Due](), 0, (0, 0), set[int]()
    while then.queued and then.bankrupt == NOBODY:
        item = then.queue[0]
        moved.add(then.turn)
        if then.phase == STRENGTHEN:
            kind, then.choices = favourite(then, then.turn), 0
            strengthen(then, kind)
            spend_dividend(then)
        elif item == STACK and then.dividend == cards:
            leave(then, STACK)
        else:
            if item == STACK:
                paid += BUCK * then.dividends[then.dividend]
            else:
                owner = then.owner[item]
                due = _due(then, item, owner)
                missing = due[1:]
                dues += [due] * (owner == seat)
                if due[0] and owner in moved:
                    _sold_for(then, owner)
            resolve(then)
    return Prospect(dues, paid, then.bankrupt, missing)


def _sold_for(s: Any, owner: int) -> None:
    """The certificates are sold that bring what is missing for a loan, if they bring all of it."""
    short = [max(0, debt - own) for debt, own in zip(s.debt[owner], s.money[owner], strict=True)]
    if all(lack <= BUCK * s.sale * n for lack, n in zip(short, s.certs[owner], strict=True)):
        for kind in range(KINDS):
            while s.money[owner][kind] < s.debt[owner][kind]:
                sell(s, owner, kind, 1)


def _due(s: Any, item: int, seat: int) -> Due:
    """An item of a seat at the front of the queue: the currency that is missing, or else due."""
    lent, pays = s.use[item] == LENT, max(0, s.pays[item])
    owed = s.debt[seat] if lent else [s.paid[item] * (kind == pays) for kind in range(KINDS)]
    lacks = [max(0, debt - own) for debt, own in zip(owed, s.money[seat], strict=True)]
    missing = next((kind for kind in range(KINDS) if lacks[kind]), pays)
    return lent, missing, lacks[missing]


def _offered(after: Any, seat: int, course: Prospect) -> Iterator[Consequence]:
    """What a spot offer brings if the other one agrees. Whatever else a move can bring may still follow from the action."""
    agreed = after.copy()
    answer(agreed, True)
    now, then = (any(lent and lack for lent, _kind, lack in each.dues) for each in (course, account(agreed, seat)))
    if now and not then:
        yield Consequence("swap_saves", (), True, 62.0, values={"other": after.partner})
    give, get = after.give, after.get
    fewer = can_buy(after, seat, give) and not can_buy(agreed, seat, give)
    more = can_buy(agreed, seat, get) and not can_buy(after, seat, get)
    if fewer and not more and after.price < sum(after.dividends[after.dividend : after.dividend_cards]):
        values = {"other": after.partner, "kind": give, "sum": (give, agreed.money[seat][give])}
        yield Consequence("swap_short", (), False, 16.0, values=values)
    for name in ("bought", "sold", "share", "dividend", "repaid"):
        yield Consequence(name, (), True, 0.0, OPEN)
    for kind in range(KINDS):
        yield from (Consequence(name, (kind,), True, 0.0, OPEN) for name in ("stronger", "weaker", "idle"))


def _paid_out(before: Any, seat: int) -> Iterator[Consequence]:
    """Whom the next dividend pays most."""
    target, amount = measure(before), BUCK * before.dividends[before.dividend]
    gains = [
        sum(converted(before, kind, n * amount * (not pays_nothing(before, kind)), target) for kind, n in enumerate(row))
        for row in before.certs[: before.players]
    ]
    best = gains.index(max(gains))
    if gains.count(gains[best]) == 1:
        values = {"other": best, "sum": (target, BUCK * gains[best])}
        yield Consequence("dividend", (), best == seat, 20.0, gains[best], values)


def _papers(before: Any, after: Any, seat: int, course: Prospect) -> Iterator[Consequence]:
    """What certificates cost or bring now, and by the dividends that are still paid, each in its currency; of what is bought
    only where that is more than what is added to a contract for which the money is missing, and where no loan is lost."""
    dues, left = course.dues, course.dividends
    change = [now - was for now, was in zip(after.certs[seat], before.certs[seat], strict=True)]
    later = [abs(n) * left * (not pays_nothing(after, kind)) for kind, n in enumerate(change)]
    cost = [BUCK * (n * after.price if n > 0 else -n * after.sale) for n in change]
    target, buys = measure(before), max(change) > 0
    more = sum(price(before, kind, target, n - cost[kind]) for kind, n in enumerate(later))
    missing = {kind: lent and course.bankrupt == seat for lent, kind, lack in dues if lack and (lent or change[kind])}
    if sum(later) > sum(cost) + buys * BUCK * after.surcharge * len(missing) and not (buys and any(missing.values())):
        name, weight = ("bought", 18.0) if buys else ("sold", 24.0)
        values = {"cost": tuple(cost), "later": tuple(later), "unit": target}
        yield Consequence(name, (), buys, weight, more, values, beside=f"{name}_more")


def _rates(before: Any, after: Any, seat: int, actions: Sequence[int], course: Prospect) -> Iterator[Consequence]:
    """What is a seat's of all that everybody has and is still to have, told if all debts can be paid; and whom it helps or
    costs most that a currency is strengthened or weakened: who has most of it of that, where the seat's part changes
    accordingly."""
    due, solvent = [_due_to(after, other) for other in range(after.players)], course.bankrupt == NOBODY
    part = _part(after, due, seat, measure(after))
    if 0 <= part <= 1:  # who owes more than all are to get has no share
        thousandths = round(1000 * part)
        percent = {"percent": (thousandths + 5) // 10}
        yield Consequence("share", (), True, 17.0 * solvent, thousandths, percent, beside="share_more", least=10)
    steps = [now - was for now, was in zip(after.held, before.held, strict=True)]
    if before.phase == STRENGTHEN:
        steps[actions[0] - CURRENCY] = 1
    for kind, n in enumerate(steps):
        then, target = after.copy(), measure(after)
        for _step in range(abs(n)):
            weaken(then, kind) if n > 0 else strengthen(then, kind)
        change = part - _part(then, due, seat, target)
        own, others = due[seat][kind], [(row[kind], other) for other, row in enumerate(due) if other != seat]
        most, holder = max(others)
        beyond = max((each for each in range(KINDS) if each != kind), key=lambda each: before.strength[each])
        pair = (kind, beyond, *(_rate(s, kind, beyond) for s in (before, after)))
        values: dict[str, Any] = {"kind": kind, "own": (kind, own), "sum": (kind, max(0, most)), "other": holder}
        felt = solvent and abs(change) >= FELT and own > most >= 0 and (change > 0) == (n > 0)
        yield Consequence("stronger" if n > 0 else "weaker", (kind,), n > 0, 18.0 * felt, abs(n), values | {"pair": pair})


def _rate(s: Any, kind: int, other: int) -> int:
    """The rate of a pair in half-bucks, below 0 where the second currency is the stronger."""
    space = s.scale[kind][other]
    return int(s.rates[abs(space) - 1] * (1 if space > 0 else -1))


def _due_to(s: Any, seat: int) -> list[int]:
    """What a seat has of each currency, and is still to have from dividends and contracts, less what it owes."""
    left = BUCK * sum(s.dividends[s.dividend : s.dividend_cards])
    due = [
        s.money[seat][kind] - s.debt[seat][kind] + s.certs[seat][kind] * left * (not pays_nothing(s, kind))
        for kind in range(KINDS)
    ]
    for item in s.queue[: s.queued]:
        if item != STACK and s.owner[item] == seat and s.use[item] == CONTRACTED:
            due[s.gets[item]] += s.got[item]
            due[s.pays[item]] -= s.paid[item]
    return due


def _part(s: Any, due: list[list[int]], seat: int, target: int) -> float:
    """The part of a seat in what all have and are to have, in a currency, nothing rounded."""
    wealth = [sum(price(s, kind, target, n) for kind, n in enumerate(row)) for row in due]
    return wealth[seat] / max(1, sum(wealth))
