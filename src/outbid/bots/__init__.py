"""Bots: who they are and how one is asked for a move.

    decision.py   Decision: a move, why, and what else was weighed
    seat.py       Seat: what a bot is given; a seat's hidden state and a stream of its own, never the match
    stepwise.py   bots that answer step by step: random ones, and the game's own heuristic
    characters.py its levels and characters: easy:farmer
    belief.py     the worlds a seat holds possible
    lookahead.py  worlds × candidate moves × playouts;  ismcts.py  a tree of what everybody sees;  endgame.py  what is small
                  enough is solved;  lots.py  what nobody sees yet is drawn;  thinking.py  when which;
                  styles.py  who the others are
    strong.py     the bots that use them
    value.py      what is learned of chances to win, and policy.py of what to do;  shipped.py, learned.py, alone.py

    minds.py      where bots think, each decision in its time;  worker.py  a process that holds nothing but seats

A bot is anything with a `name`, a `summary` and `decide(seat) -> Decision`, which may raise `Lost` if it sees that it will
be late (`Seat.until`). If it has `prepare(rulebook)`, too, it is asked for nothing in a game before that was called in the
same process. Other packages add theirs by entry points in the group `outbid.bots`.
"""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterable
from itertools import chain, count
from threading import RLock
from typing import Protocol

from outbid.bots import thinking
from outbid.bots.alone import NET
from outbid.bots.characters import InCharacter, check, in_character, takes_characters
from outbid.bots.decision import Decision, Weighed
from outbid.bots.seat import Seat
from outbid.bots.stepwise import NOTE, RANDOM, STEADY, Stepwise
from outbid.bots.strong import LookAhead
from outbid.engine import packages, tongue
from outbid.engine.errors import BadSetup
from outbid.engine.manners import EASY, FIRST
from outbid.engine.match import Match
from outbid.engine.names import alike
from outbid.engine.rulebook import Rulebook
from outbid.engine.tongue import mark

_, ngettext = tongue.words("outbid")

__all__ = [
    "BOTS", "CALLED", "LABORATORY", "LEVELS", "NOTE", "Bot", "Decision", "LookAhead", "Seat", "Stepwise", "Weighed", "bot",
    "called", "choose", "known", "prepare",
]  # fmt: skip

GROUP = "outbid.bots"


class Bot(Protocol):
    """A bot by name. name, summary: pass through `_` where people read them."""

    @property
    def name(self) -> str:
        """How it is called for."""

    @property
    def summary(self) -> str:
        """How it plays."""

    def decide(self, seat: Seat) -> Decision:
        """Its move in an asked seat, and why. The same for the same seat."""


class _Bots(UserDict[str, Bot]):
    """Bots by name. Those of other packages are loaded when the bots are first looked up and not sooner: a package that
    begins with `from outbid.bots import …` may be the reason why this module is being imported."""

    def __init__(self, own: dict[str, Bot]):
        self._bots, self._own, self._lock = own, True, RLock()

    @property
    def data(self) -> dict[str, Bot]:  # type: ignore[override]
        """All bots; those of ours keep their names."""
        with self._lock:
            if self._own:
                self._own = False
                for point in packages.points(GROUP):
                    if point.name not in self._bots:
                        found = packages.load(point, lambda one: callable(getattr(one, "decide", None)), "a bot")
                        if found is not None:
                            self._bots[point.name] = found
        return self._bots


_OWN: dict[str, Bot] = {
    "random": RANDOM,
    EASY: InCharacter(mark("easy"), mark("forgets much, and hardly looks at the others")),
    "steady": STEADY,
    "strong": LookAhead(mark("strong"), mark("plays every move on in its head, in all the worlds it holds possible")),
}
LEVELS = tuple(_OWN)  # what people choose from; each but `random` also with a character of the game: `easy:farmer`
_OWN["ismcts"] = LookAhead("ismcts", "searches a tree in which everybody looks for the best move", way=thinking.TREE)
_OWN[NET.name] = NET
_OWN[FIRST] = InCharacter(FIRST, "plays as the steady player did when bots were first measured")
LABORATORY = tuple(name for name in _OWN if name not in LEVELS)  # to be called by name; no form offers them
BOTS = _Bots(_OWN)


CALLED = ("Bruno", "Clara", "Dora", "Emil", "Frida", "Gustav", "Hanna", "Ivo")


def called(taken: Iterable[str]) -> str:
    """A name for a bot's seat that nobody at the table has, so that letters and log tell the seats apart."""
    names = list(taken)
    return next(name for name in chain(CALLED, (f"Bot {n}" for n in count(1))) if alike(name, names) is None)


def bot(name: str, book: Rulebook | None = None) -> Bot:
    """The bot with this name, also `LEVEL:CHARACTER`; book: the game that must have the character. Raises BadSetup."""
    level, colon, character = name.partition(":")
    if level not in BOTS or (colon and not (takes_characters(BOTS[level]) and character)):
        broken = packages.why_not(GROUP, level)
        if broken:
            raise BadSetup(broken)
        raise BadSetup(_("There is no bot {name}; there are {bots}.", name=repr(name[:40]), bots=", ".join(BOTS)))
    if book is not None:
        check(book, name)
    return in_character(BOTS[level], character) if colon else BOTS[level]


def known(name: str) -> Bot | None:
    """The bot with this name, if there is one."""
    try:
        return bot(name)
    except BadSetup:
        return None


def prepare(name: str, book: Rulebook) -> None:
    """Prepare a bot for a game in this process, if it needs that; some compile for a minute the first time. Raises
    BadSetup."""
    needed = getattr(bot(name, book), "prepare", None)
    if needed:
        needed(book)


def choose(match: Match, seat: int, name: str, seed: int) -> Decision:
    """Ask a bot for the move of an asked seat; `seed` is the bot's own stream. The match itself is not changed."""
    return bot(name).decide(Seat.of(match, seat, seed))
