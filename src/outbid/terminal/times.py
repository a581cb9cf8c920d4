"""How long everybody has, in sentences. `at` is the server's clock in milliseconds: that of this machine may be wrong."""

from collections.abc import Sequence

from outbid.core.language.i18n import _, ngettext
from outbid.core.language.phrases import countdown
from outbid.wire.model import ClockFacts, Snapshot


def running(now: Snapshot) -> float | None:
    """What counts down for a viewer: the end of an auction by outcry, else one's own time while it runs; in ms."""
    if now.table.closes is not None:
        return now.table.closes
    return next((clock.due for clock in now.clocks if clock.seat == now.you), None)


def told(now: Snapshot, at: float) -> str:
    """What counts down, as a sentence; nothing if nothing does."""
    until = running(now)
    if until is None:
        return ""
    left = countdown((until - at) / 1000)
    if now.table.closes is not None:
        return _("The auction closes in {time}.", time=left)
    return _("You have {time}.", time=left)


def sentences(now: Snapshot, at: float) -> list[str]:
    """What the clock of the table is, when an auction by outcry closes, and how long each seat has."""
    lines = [now.table.clock] if now.table.clock else []
    if now.table.paused:
        lines.append(_("The table is paused; no time runs."))
    if now.table.closes is not None:
        lines.append(told(now, at))
    names = [seat.name or "" for seat in now.seats]
    for clock in now.clocks:
        if 0 <= clock.seat < len(names):
            lines += _of(clock, names, clock.seat == now.you, at)
    return lines


def _of(clock: ClockFacts, names: Sequence[str], you: bool, at: float) -> list[str]:
    """How long one seat has, and what follows if it had too little."""
    name = names[clock.seat]
    if clock.away:
        return [_("A bot plays for you.") if you else _("A bot plays for {name}.", name=name)]
    lines = []
    if clock.vacation is not None:
        lines.append(_("You are on vacation.") if you else _("{name} is on vacation.", name=name))
    if clock.due is not None:
        left = countdown((clock.due - at) / 1000)
        lines.append(
            _("You have {time}, and your time runs.", time=left)
            if you
            else _("{name} has {time}, and that time runs.", name=name, time=left)
        )
    elif clock.rest is not None:
        left = countdown(clock.rest)
        lines.append(_("You have {time}.", time=left) if you else _("{name} has {time}.", name=name, time=left))
    if clock.missed:
        more = ngettext(
            "{name} ran out of time; a bot played {n} decision.",
            "{name} ran out of time; a bot played {n} decisions.",
            clock.missed,
            name=name,
        )
        lines.append(more)
    if clock.need:
        agreed = len(clock.agree)
        lines.append(_("That a bot takes the seat of {name}: {n} of {need} agree.", name=name, n=agreed, need=clock.need))
    return lines
