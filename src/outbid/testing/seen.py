"""Who sees each field of a state, as far as random matches tell: what `hide` overwrites, and for whom."""

import contextlib
from collections.abc import Iterator
from typing import Any

from outbid.core.rulebook import Rulebook
from outbid.testing.positions import deal, hidden, seats, walk
from outbid.testing.source import within
from outbid.testing.watch import IMPATIENCE, Stuck, limited

ALL, OWNER, NOBODY, UNUSED = "all", "owner", "nobody", "never used"


def seen(book: Rulebook, matches: int = 30, seed: int = 0) -> dict[str, str]:
    """For each field that is no option: "all", "owner" (of what stands at a seat's place only this seat sees it), "nobody",
    several of these where it depends, "never used" where it held nothing but its first value. A match that breaks off, which
    the properties find, tells what it told until then."""
    names = [field.name for field in book.layout.facts]
    seers: dict[str, set[str]] = {name: set() for name in names}
    used: set[str] = set()
    for number in range(seed, seed + matches):
        with contextlib.suppress(Exception, Stuck), limited(within(book), IMPATIENCE):
            state = deal(book, number, tunable=False)
            for n, _ in enumerate(walk(state, number, 300)):
                if n % 7 and n > 20:
                    continue
                used.update(state.differences(book.fresh({})))
                shown = {seat: hidden(state, seat) for seat in seats(state)}
                for name in names:
                    seers[name] |= set(_seers(state, shown, name))
            used.update(state.differences(book.fresh({})))  # by the last move
    return {name: _said(seers[name], name in used) for name in names}


def _seers(state: Any, shown: dict[int, Any], name: str) -> Iterator[str]:
    """Who sees the elements of a field that are hidden from anybody."""
    true = getattr(state, name)
    if all(getattr(blank, name) == true for blank in shown.values()):
        return
    views = {seat: getattr(blank, name) for seat, blank in shown.items()}
    for place, value in enumerate(true) if isinstance(true, list) else ((None, true),):
        at = {seat: view if place is None else view[place] for seat, view in views.items()}
        if isinstance(value, list):
            columns = [(value[k], {seat: row[k] for seat, row in at.items()}) for k in range(len(value))]
        else:
            columns = [(value, at)]
        for element, views_of in columns:
            sees = {seat for seat, view in views_of.items() if view == element}
            if len(sees) < len(views_of):
                yield NOBODY if not sees else OWNER if sees == {place} else "one seat" if len(sees) == 1 else "some seats"


def _said(who: set[str], used: bool) -> str:
    if not used:
        return UNUSED
    names = [name for name in (OWNER, "one seat", "some seats", NOBODY) if name in who] or [ALL]
    return names[0] if len(names) == 1 else f"changes in play: {', '.join(names[:-1])} or {names[-1]}"
