"""What is used or held in a match and counted: the things of a game (core/hooks/measuring.py), or its actions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.core.language import i18n
from outbid.core.rulebook import Rulebook

UNCOUNTED = -1


@dataclass(frozen=True, eq=False)
class Things:
    """The things of a game. names: in English, as columns keep them; kinds: what they mean, "" where a name says it; first:
    the first action of each; of: the thing of each action, int64 (A,), or UNCOUNTED; held: how many, the last ones, are what
    one has in the end."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    first: tuple[int, ...]
    of: NDArray[np.int64]
    held: int = 0

    @property
    def deciding(self) -> slice:
        """Those by which it is decided whether one is too strong: what one has, where a game says so, else what one does."""
        return slice(len(self) - self.held if self.held else 0, len(self))

    def __len__(self) -> int:
        return len(self.names)


def _hook(book: Rulebook, name: str) -> Any:
    home = book.submodule("measures") or book.modules[-1]
    return getattr(home, name, None) or getattr(book.modules[0], name, None)


def named(book: Rulebook) -> Callable[[int], str] | None:
    """The function by which a game names what an action is a part of."""
    naming = _hook(book, "thing")
    return naming if callable(naming) else None


def in_the_end(book: Rulebook, final: NDArray[Any], won: NDArray[np.int64], players: int, parts: int) -> NDArray[np.int64]:
    """What became of those who held each thing at the end of matches, (HELD, 8), as loops/observed.py counts it. final: last
    states; won: masks of the winners."""
    held = np.asarray(_hook(book, "held")(final, players), np.int64)
    winners = won[:, None] >> np.arange(players) & 1
    shares = (held * (winners * (parts // np.maximum(winners.sum(1, keepdims=True), 1)))[:, :, None]).sum(1)
    users = held.sum(1)
    sums = [users, users, users > 0, users, shares, users**2, shares**2, users * shares]
    return np.stack([column.sum(0, dtype=np.int64) for column in sums], 1)


@cache
def things_of(book: Rulebook) -> Things:
    """The things of a game, in the order of their first actions."""
    name, table = named(book), book.action_table
    with i18n.locale(i18n.SOURCE):
        called = [name(action) if name else table[action].name for action in range(book.actions)]
        held = [name(book.actions + k) for k in range(_hook(book, "HELD") or 0)] if name else []
    called += held
    first = {thing: called.index(thing) for thing in dict.fromkeys(called) if thing}
    place = {thing: k for k, thing in enumerate(first)}
    of = np.array([place.get(thing, UNCOUNTED) for thing in called[: book.actions]], np.int64)
    kinds = tuple("" if name else table[action].meaning for action in first.values())
    return Things(tuple(first), kinds, tuple(first.values()), of, len(held))
