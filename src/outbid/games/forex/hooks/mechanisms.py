"""What the rules of For-Ex make of a move (core/hooks/mechanisms.py): which contract or loan cannot be paid when it comes
up, what a dividend pays to whom, which currency is the strongest then, how much of all money that makes, and what a spot
transaction changes of that."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from outbid.core.hooks.mechanisms import Consequence, Sentences, ended
from outbid.core.language.i18n import N_
from outbid.games.forex.hooks.contrast import LEAST
from outbid.games.forex.rules import answer, converted, measure, pays_nothing, score, settle, winners
from outbid.games.forex.state import BUCK, CONTRACTED, CURRENCIES, KINDS, LENT, OVER, REPLY, STACK, TURN
from outbid.games.forex.text import _
from outbid.games.forex.text.sentences import money

TEXTS = {
    "ahead": N_("The match ends, with a victory for {who:you}."),
    "behind": N_("The match ends, with a victory for {other}."),
    "ruin": N_("As things stand, {who:your} loan falls due with {sum} missing, which is bankruptcy and ends the match."),
    "unpaid": N_("As things stand, {who:your} contract falls due with {sum} missing, and becomes a loan."),
    "paid": N_("It settles {who:your} contract: {sum} for {owed}."),
    "dividend": N_("The dividend pays {who:you} {sum}, more than anybody else."),
    "dividend_other": N_("The dividend pays {other} {sum}, and {who:you} less."),
    "leads": N_("That makes {percent} % of all money for {who:you}, more than anybody else has."),
    "share": N_("That makes {percent} % of all money for {who:you}, counted in {currency}."),
    "share_more": N_("That makes {percent} % of all money for {who:you} instead of {other_percent} %."),
    "falls": N_("{currency} is the strongest then, and {who:your} share of all money falls from {was} % to {percent} %."),
    "idle": N_("Certificates of {currency} pay no dividend while a pair stands on the 8 space."),
    "strengthens": N_(
        "The next dividend strengthens {currency}, which has the most certificates then; nobody holds more of them."
    ),
    "swap_pays": N_("If {other} agrees, nothing is missing any more, as things stand, when {who:your} contract falls due."),
    "swap_saves": N_(
        "If {other} agrees, nothing is missing any more, as things stand, when {who:your} loan falls due: no bankruptcy."
    ),
    "swap_rises": N_("As things stand, the next dividend strengthens {currency}; the swap brings {who:you} {sum}."),
    "swap_falls": N_("As things stand, the next dividend strengthens {currency}; the swap costs {who:you} {sum}."),
}


def worded(values: Mapping[str, Any]) -> dict[str, Any]:
    """Sums of money and currencies by name."""
    words = dict(values)
    words |= {name: money(*values[name]) for name in ("sum", "owed") if name in values}
    return words | ({"currency": CURRENCIES[values["kind"]]} if "kind" in values else {})


def card(values: Mapping[str, Any]) -> str:
    """The money of a currency."""
    kind = values["kind"] if "kind" in values else values.get("sum", (None,))[0]
    return "" if kind is None else f"{CURRENCIES[kind]}@"


UNASKED = dict.fromkeys(("ahead", "behind", "ruin", "unpaid", "swap_saves"), 0)
THEMES = {
    N_("the end of the match"): "ahead behind won",
    N_("contracts and loans"): "ruin unpaid paid swap_pays swap_saves bankrupt",
    N_("dividends"): "dividend dividend_other idle strengthens strongest swap_rises swap_falls",
    N_("the share of all money"): "leads share share_more falls",
}
SENTENCES = Sentences(_, TEXTS, worded, card, UNASKED, THEMES)


def consequences(before: Any, after: Any, seat: int, actions: Sequence[int]) -> Iterator[Consequence]:
    """What follows from a move."""
    if after.phase == OVER:
        yield ended(winners(after, [0] * after.players), seat, 98.0)
        return
    for lent, item, kind, lack in _lacking(after, seat):  # more or less of it missing makes no difference
        name, about, weight = ("ruin", (), 60.0) if lent else ("unpaid", (item,), 40.0)
        yield Consequence(name, about, False, weight, values={"sum": (kind, lack)})
    if after.phase == REPLY:
        yield from _offered(after, seat)
    elif before.phase == REPLY:
        yield from _exposed(before, after, seat)
    front = before.queue[0]
    contracted = front != STACK and before.use[front] == CONTRACTED and before.owner[front] == seat
    if before.phase == TURN and contracted and after.use[front] != CONTRACTED:
        kind, owed = before.pays[front], before.paid[front]
        if (lack := owed - before.money[seat][kind]) > 0:
            yield Consequence("unpaid", (front,), False, 40.0, values={"sum": (kind, lack)})
        else:
            values = {"sum": (before.gets[front], before.got[front]), "owed": (kind, owed)}
            yield Consequence("paid", (), True, 15.0, values=values)
    yield from _riches(before, after, seat)
    if before.phase == TURN and before.queue[0] == STACK and after.dividend > before.dividend:
        yield from _paid_out(before, after, seat)
    for kind in range(KINDS):
        if after.certs[seat][kind] <= before.certs[seat][kind]:
            continue
        if pays_nothing(after, kind):
            yield Consequence("idle", (kind,), False, 20.0, values={"kind": kind})
        most = after.held[kind] == max(after.held) > max(before.held[other] for other in range(KINDS) if other != kind)
        if most and after.certs[seat][kind] == max(after.certs[other][kind] for other in range(after.players)):
            yield Consequence("strengthens", (kind,), True, 12.0, values={"kind": kind})


def _lacking(after: Any, seat: int) -> Iterator[tuple[bool, int, int, int]]:
    """What a seat lacks for its items of the queue, in their order, with the money that is there now and what the next
    dividend pays: whether it is a loan, the item, the currency, and how much of it is missing."""
    then = after.copy()
    for item in list(after.queue[: after.queued]):
        if item == STACK:
            amount = BUCK * then.dividends[then.dividend]
            for kind in range(KINDS):
                then.money[seat][kind] += then.certs[seat][kind] * amount * (not pays_nothing(then, kind))
            continue
        if after.owner[item] != seat:
            continue
        lent = after.use[item] == LENT
        owed = then.debt[seat] if lent else [then.paid[item] * (kind == then.pays[item]) for kind in range(KINDS)]
        for kind in range(KINDS):
            if (lack := owed[kind] - then.money[seat][kind]) > 0:
                yield lent, item, kind, lack
                break
        if settle(then, item):
            return


def _offered(after: Any, seat: int) -> Iterator[Consequence]:
    """What a spot offer brings if the other one agrees."""
    agreed = after.copy()
    answer(agreed, True)
    due, then = ({lent for lent, *_rest in _lacking(s, seat)} for s in (after, agreed))
    for lent in due - then:
        name, weight = ("swap_saves", 62.0) if lent else ("swap_pays", 42.0)
        yield Consequence(name, (), True, weight, values={"other": after.partner})
    yield from _exposed(after, agreed, seat)


def _exposed(before: Any, after: Any, seat: int) -> Iterator[Consequence]:
    """Whether a swap brings or costs some of the currency that the next dividend strengthens."""
    kind = max(range(KINDS), key=lambda each: before.held[each])
    change = after.money[seat][kind] - before.money[seat][kind]
    if change and sorted(before.held)[-2] < before.held[kind]:
        name = "swap_rises" if change > 0 else "swap_falls"
        yield Consequence(name, (), change > 0, 14.0, abs(change), {"kind": kind, "sum": (kind, abs(change))})


def _riches(before: Any, after: Any, seat: int) -> Iterator[Consequence]:
    (was, led), (now, first) = _share(before, seat), _share(after, seat)
    values = {"percent": now, "kind": measure(after)}
    if first and not led:
        yield Consequence("leads", (), True, 13.0, values=values)
    yield Consequence("share", (), True, 11.0, now // LEAST["share"], values, beside="share_more")
    if measure(after) != measure(before) and now <= was - LEAST["share"]:
        yield Consequence("falls", (), False, 25.0, was - now, values | {"was": was})


def _share(s: Any, seat: int) -> tuple[int, bool]:
    """How many percent of all money a seat has, in the strongest currency, and whether that is the most."""
    totals = [0] * s.players
    score(s, totals)
    most = all(totals[seat] > totals[other] for other in range(s.players) if other != seat)
    return round(100 * totals[seat] / max(1, sum(totals))), most


def _paid_out(before: Any, after: Any, seat: int) -> Iterator[Consequence]:
    target = measure(before)
    gains = [
        sum(converted(before, kind, after.money[other][kind] - before.money[other][kind], target) for kind in range(KINDS))
        for other in range(before.players)
    ]
    best = max(range(before.players), key=lambda other: (gains[other], other == seat))
    if gains[best] > 0:
        name = "dividend" if best == seat else "dividend_other"
        values = {"other": best, "sum": (target, BUCK * gains[best])}
        yield Consequence(name, (), best == seat, 20.0, gains[best], values)
