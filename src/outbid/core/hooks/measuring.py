"""What a game may measure of its own matches: `MEASURES` in its module `hooks/measures.py`, or in its file. Plain Python.

    MEASURES = (
        Measure("money_left", "Money left", "money in all hands at the end", lambda s, players: s["purse"], unit="money"),
    )

Where actions are finer than what one asks about, `thing(action)` beside it names what an action is a part of, in the
language of the moment: actions of one name are counted as one thing, those of which it is "" not at all.

    def thing(action: int) -> str:
        return _("bid") if action < PASS else _("pass")

Where what counts is not what one does but what one has in the end, `HELD` says of how many things that is so, and
`held(final, players)` who has them, bool (M, P, HELD). `thing` names them by the numbers that follow the last action. They
decide whether a card is too strong.

`PLACES` names the places of options that are lists, in the language of the moment: "no horses" says more than
`copies[9]: 0`.

    PLACES = {"copies": Places(lambda place: _(HERDS[place]), counted=True)}
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from outbid.core.language.i18n import N_


@dataclass(frozen=True)
class Measure:
    """One number a match, made of its last state.

    title: how a table calls it. definition: what it is, a phrase. of: given an array of last states (records of the game's
    layout, M) and the number of players; M numbers. unit: "", "share" (0 to 1), "points", or any noun. better: "lower" or
    "higher" where designers agree; digits: shown after the point."""

    name: str
    title: str
    definition: str
    of: Callable[[Any, int], Any]
    unit: str = ""
    better: str = ""
    digits: int = 1
    source: str = N_("the game's own")


@dataclass(frozen=True)
class Places:
    """The places of an option that is a list. of: given a place from 0, its name, as of several things; counted: whether the
    number at a place says how many of these there are."""

    of: Callable[[int], str]
    counted: bool = False
