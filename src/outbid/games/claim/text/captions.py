"""What the table says beside its drawings of Claim: short phrases that follow from the rules. Plain Python.

From a state hidden for the viewer, who is the audience of `speak`. Stacks go by their numbers here. What has a capital and a
full stop is a sentence; the rest stands beside a drawing, on a button or in a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from outbid.core.language import i18n
from outbid.core.language.phrases import Speaker, listed
from outbid.games.claim import stacks
from outbid.games.claim.text import outlook
from outbid.games.claim.state import CLAIMED, CODE, LOOPHOLE, LOW
from outbid.games.claim.text.terms import TITLES, capitalized, num, the_stacks
from outbid.games.claim.text.terms import stacks as number_of_stacks
from outbid.games.claim.text.views import bill_name, goal_of, numbers_in

_, ngettext = i18n.words(__package__)


# --- money ------------------------------------------------------------------------------------------------------------


def change(s: Any, speak: Speaker, seat: int, number: int, value: int) -> str:
    """What a stack makes of a seat's money: "money 4 → 10", "+6 money" if the row is covered."""
    then = outlook.money(s, speak.audience, seat, number, value)
    if then is None:
        return _("money {gain}", gain=num(f"{value:+d}"))
    return _("money {now} → {then}", now=num(s.money[seat]), then=num(then))


def gain(s: Any, speak: Speaker, seat: int, number: int) -> str:
    """The same of a stack on the table as it lies there."""
    return change(s, speak, seat, number, outlook.worth(s, number))


# --- who can take a stack ---------------------------------------------------------------------------------------------


def forbids(s: Any, speak: Speaker, seat: int, number: int) -> str:
    """Why a seat can neither claim nor be given a stack; empty if it can. Without its subject if that is another."""
    law = outlook.forbids(s, seat, number)
    if law == "slow":
        words = {"stacks": number_of_stacks(s.count[seat]), "lowest": lowest(s)}
        if seat == speak.audience:
            return _("you have {stacks}, the lowest count is {lowest}", **words)
        return _("has {stacks}, the lowest count is {lowest}", **words)
    if law == "has":
        own = seat == speak.audience
        return _("you have {number}s already", number=num(number)) if own else _("has {number}s already", number=num(number))
    return _("a Penny Pincher takes no {number}s", number=num(number)) if law else ""


def lowest(s: Any) -> int:
    """The lowest count of stacks."""
    return int(min(s.count[: s.players]))


def unclaimed(s: Any, speak: Speaker, number: int) -> str:
    """Why the viewer cannot claim a stack in this window."""
    place = number + LOW
    if s.full >> place & 1:
        return _("full: it can only be pushed")
    if s.done & CLAIMED:
        return _("you have taken your claim")
    if s.closed >> place & 1:
        return _("closed: nobody can take it")
    return forbids(s, speak, speak.audience, number) or _("you have just played a {number}", number=num(number))


def unclaimable(s: Any, speak: Speaker) -> str:
    """Why the viewer can claim no stack at all."""
    me = speak.audience
    if not s.may >> me & 1:
        words = {"stacks": number_of_stacks(s.count[me]), "lowest": lowest(s)}
        return _("you have {stacks}, the lowest count is {lowest}", **words)
    there = numbers_in(s.stacks)
    if len(there) == 1:
        return unclaimed(s, speak, there[0])
    return _("none is open to you")


def standing(s: Any, speak: Speaker, seat: int, number: int, takers: Iterable[int]) -> tuple[str, str]:
    """Whether a seat can take a stack, as a mark (can, wins, ahead, has, never) and in words."""
    own = seat == speak.audience
    if seat in takers:
        wins = outlook.wins_now(s, speak.audience, seat, number)
        said = gain(s, speak, seat, number)
        if wins:
            said = _("{change}, win", change=said) if own else _("{change}, wins", change=said)
        return "wins" if wins else "can", f"{speak.people(seat)}: {said}"
    closed = s.closed >> number + LOW & 1
    if closed:
        said = _("closed")
    else:
        said = forbids(s, speak, seat, number)
        said = said or (_("you have just played one") if own else _("has just played one"))
    kind = "ahead" if not s.may >> seat & 1 else "never" if closed else "has"
    return kind, f"{speak.people(seat)}: {said}"


def ways(s: Any, speak: Speaker, number: int) -> str:
    """To whom a stack can go, and to whom not, and why."""
    takers = outlook.takers(s, number)
    can = some(speak, takers)
    barred = listed([_barred(s, speak, seat, number) for seat in range(s.players) if seat not in takers])
    if not can:
        return _("They can go to nobody, not to {barred}.", barred=barred)
    if barred:
        return _("They can go to {names}, not to {barred}.", names=can, barred=barred)
    return _("They can go to {names}.", names=can)


def _barred(s: Any, speak: Speaker, seat: int, number: int) -> str:
    why = forbids(s, speak, seat, number)
    if why:
        return _("{who:you} ({why})", who=speak.people(seat), why=why)
    return _("{who:you}", who=speak.people(seat))


def some(speak: Speaker, seats: Iterable[int]) -> str:
    """ "Bo, Cleo and you", to whom something can go."""
    return listed([_("{who:you}", who=speak.people(seat)) for seat in seats])


def one_of(speak: Speaker, seats: Iterable[int], turn: int = -1) -> str:
    """ "Bo, Cleo or you", to one of whom something goes; of who has the turn "yourself" or "themselves"."""
    return listed([_receiver(speak, seat, turn) for seat in seats], "or")


def _receiver(speak: Speaker, seat: int, turn: int) -> str:
    if seat == turn:
        return _("yourself") if speak.about(seat) else _("themselves")
    return _("{who:you}", who=speak.people(seat))


# --- playing ----------------------------------------------------------------------------------------------------------


def fills(s: Any, number: int, on: int | None) -> bool:
    """Whether a bill of a number fills the stack of a number (none: a new one)."""
    return outlook.is_full(s, number, number + outlook.value(s, on)) and not outlook.is_closed(s, on)


def brief(s: Any, number: int, on: int | None) -> str:
    """What a bill makes of the stack it goes on."""
    full = fills(s, number, on)
    if not outlook.lies(s, on):
        return _("new stack: full") if full else _("new stack")
    value = num(number + outlook.value(s, on))
    return _("worth {value}: full", value=value) if full else _("worth {value}", value=value)


def landing(s: Any, speak: Speaker, number: int, on: int | None, wild: bool = False) -> str:
    """What a bill makes of the stack it goes on, and what follows."""
    full, closed = fills(s, number, on), outlook.is_closed(s, on)
    value = number + outlook.value(s, on)
    said = _grown(number, on if outlook.lies(s, on) else None, full, closed)
    said = said.format(number=num(number), on=num(on), value=num(value))
    if closed:
        return said
    if full:
        return f"{said} {_receivers(s, speak, number, outlook.worth_after(s, number, on, wild))}"
    if number == 0:
        return said + " " + _("They are never full.")
    more = outlook.missing(s, number, value)
    if s.diversity_b and not stacks.has(s, speak.audience, LOOPHOLE):
        return said + " " + ngettext(
            "{n} more fills them; you cannot claim {number}s this turn.",
            "{n} more fill them; you cannot claim {number}s this turn.",
            more, number=num(number),
        )  # fmt: skip
    return said + " " + ngettext("{n} more fills them.", "{n} more fill them.", more)


def _grown(number: int, on: int | None, full: bool, closed: bool) -> str:
    """That a stack has grown from a bill of a number; `on` is what it was, none: it is new."""
    if on is None:
        if full:
            return _("A new stack of {number}s, worth {value}: full.")
        return _("A new stack of {number}s, worth {value}.")
    if on != number:
        if closed:
            return _("The {on}s become {number}s, worth {value}; they are closed, so nobody takes them.")
        if full:
            return _("The {on}s become {number}s, worth {value}: full.")
        return _("The {on}s become {number}s, worth {value}.")
    if closed:
        return _("The {on}s become worth {value}; they are closed, so nobody takes them.")
    return _("The {on}s become worth {value}: full.") if full else _("The {on}s become worth {value}.")


def _receivers(s: Any, speak: Speaker, number: int, worth: int) -> str:
    """To whom a stack that becomes full could be pushed, and who would win with it."""
    good: list[str] = []
    bad: list[str] = []
    for seat in outlook.takers_after(s, speak.audience, number):
        win = outlook.wins(s, speak.audience, seat, number, worth)
        if seat == speak.audience:
            good.append(_("yourself and win") if win else _("yourself"))
        else:
            (bad if win else good).append(speak.names[seat])
    if not good and not bad:
        if s.no_target_rule:
            return _("Nobody can take them as it stands.")
        return _("Nobody can take them as it stands: then anybody may be given them.")
    said = [_("You can push them to {names}.", names=listed(good, "or"))] if good else []
    if bad and good:
        said.append(ngettext("{names} would win with them.", "{names} would win with them.", len(bad), names=listed(bad)))
    elif bad:
        said.append(ngettext(
            "{names} would win with them, and as it stands nobody else can take them.",
            "{names} would win with them, and as it stands nobody else can take them.",
            len(bad), names=listed(bad),
        ))  # fmt: skip
    return " ".join(said)


# --- the window -------------------------------------------------------------------------------------------------------


def pushed(s: Any, speak: Speaker, to: int, number: int) -> str:
    """What it means that somebody is given a stack."""
    words = {"number": num(number), "change": gain(s, speak, to, number)}
    if not outlook.wins_now(s, speak.audience, to, number):
        said = speak(to, _("You get the {number}s: {change}."), _("{who} gets the {number}s: {change}."), **words)
        return f"{said} {_taken(s, speak, to, number)}"
    own = _("You get the {number}s: {change}, and you win.")
    other = _("{who} gets the {number}s: {change}, and {who} wins the match.")
    return speak(to, own, other, **words)


def claimed(s: Any, speak: Speaker, number: int) -> str:
    """What it means that the viewer claims a stack."""
    me = speak.audience
    words = {"change": gain(s, speak, me, number), "goal": goal_of(s, me)}
    if outlook.wins_now(s, me, me, number):
        return _("They go to your row: {change} of {goal}, and you win.", **words)
    return _("They go to your row: {change} of {goal}.", **words) + " " + _taken(s, speak, me, number)


def accepted(s: Any, speak: Speaker, number: int) -> str:
    """What it means that the viewer, who is insured, takes what was pushed."""
    me = speak.audience
    said = _("They go to your row: {change}.", change=gain(s, speak, me, number))
    return said if outlook.wins_now(s, me, me, number) else f"{said} {_taken(s, speak, me, number)}"


def _taken(s: Any, speak: Speaker, seat: int, number: int) -> str:
    """What else happens when somebody takes a stack and does not win."""
    own, other = _("You have then {stacks}."), _("{who} has then {stacks}.")
    if s.reveal:
        own = _("You have then {stacks} and turn all {number}s in hand face up.")
        other = _("{who} has then {stacks} and turns all {number}s in hand face up.")
    said = speak(seat, own, other, stacks=number_of_stacks(s.count[seat] + 1), number=num(number))
    _number, _colon, icon = bill_name(s.nodes[CODE + 4 * s.top[number + LOW]]).partition(":")
    if icon:
        said += " " + speak(seat, _("Yours to use: {icon}."), _("{who}’s to use: {icon}."), icon=_(TITLES[icon]))
    return said


def coming(s: Any, speak: Speaker) -> str:
    """Who takes the next turn."""
    seat = outlook.following(s)
    if seat < 0:
        return _("the match ends")
    return speak(seat, _("you are next again"), _("{who} is next"))


def passing(s: Any, speak: Speaker, numbers: Iterable[int]) -> str:
    """What it means to end the turn without a claim that is possible."""
    said = _("You claim nothing this turn, though you could claim {stacks}.", stacks=the_stacks(map(num, numbers)))
    return f"{said} {capitalized(coming(s, speak))}."


def errands(buy: bool, purchase: bool, offer: bool) -> str:
    """What one can do in the shop: "Buy, purchase or offer a deal"."""
    found = ([_("buy")] if buy else []) + ([_("purchase")] if purchase else []) + ([_("offer a deal")] if offer else [])
    return capitalized(listed(found, "or"))
