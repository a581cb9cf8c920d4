"""What is used in a match and counted: the things of a game (core/hooks/measuring.py), or its actions."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from outbid.core.language import i18n
from outbid.core.rulebook import Rulebook

UNCOUNTED = -1


@dataclass(frozen=True, eq=False)
class Things:
    """The things of a game. names: in English, as columns keep them; kinds: what they mean, "" where a name says it; first:
    the first action of each; of: the thing of each action, int64 (A,), or UNCOUNTED."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    first: tuple[int, ...]
    of: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.names)


def named(book: Rulebook) -> Callable[[int], str] | None:
    """The function by which a game names what an action is a part of."""
    home = book.submodule("measures") or book.modules[-1]
    naming = getattr(home, "thing", None) or getattr(book.modules[0], "thing", None)
    return naming if callable(naming) else None


@cache
def things_of(book: Rulebook) -> Things:
    """The things of a game, in the order of their first actions."""
    name, table = named(book), book.action_table
    with i18n.locale(i18n.SOURCE):
        called = [name(action) if name else table[action].name for action in range(book.actions)]
    first = {thing: called.index(thing) for thing in dict.fromkeys(called) if thing}
    place = {thing: k for k, thing in enumerate(first)}
    of = np.array([place.get(thing, UNCOUNTED) for thing in called], np.int64)
    kinds = tuple("" if name else table[action].meaning for action in first.values())
    return Things(tuple(first), kinds, tuple(first.values()), of)
