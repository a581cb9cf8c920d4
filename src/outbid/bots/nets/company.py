"""Features of who sits at a table, for a value net that judges reviews (value.py), made of what belief/company.py counted.

    types_of(book)             whom a player may be, by name
    numbers_of(book, …)        the same by number, for compiled code
    features(told, types)      by seat: how much there is to go by, how often it did what each type would have done, and a
                               posterior over the types and one who does anything; then the means over the others
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots.belief.company import ANYBODY, EVEN, LIKE, STEPS
from outbid.bots.belief.opponent_types import AS_NET
from outbid.bots.nets import NAME, policy
from outbid.core.hooks.policy_params import EASY, STEADY
from outbid.core.rulebook import Rulebook


def types_of(book: Rulebook) -> tuple[str, ...]:
    """Those that a game names for its bots, and at least its two levels and its policy net."""
    least = (STEADY, EASY, *([NAME] if policy.policy(book) else []))
    return least + tuple(name for name in book.search.opponent_types if name not in least)


def numbers_of(book: Rulebook, types: Sequence[str], state: Any) -> NDArray[np.int64]:
    """The types' numbers in the game, (G,), under the options of a state: a net that has not learned them is taken for the
    steady player."""
    known = {name: number for number, name in enumerate(book.personas.players)}
    net = policy.policy(book)
    known[NAME] = AS_NET if net is not None and net.fits(state) else known[STEADY]
    return np.array([known[name] for name in types], np.int64)


def columns(types: int) -> int:
    """The columns of what is taken down of each seat."""
    return LIKE + 2 * types


def width(types: int) -> int:
    """How many features a judge is told of a seat."""
    return 2 * (3 + 2 * types)


def alike(types: Sequence[str], level: str) -> list[int]:
    """The numbers of the types that are this level, with any persona or none."""
    return [number for number, name in enumerate(types) if name.split(":")[0] == level]


def odds(known: NDArray[np.float32], types: int) -> NDArray[np.float32]:
    """The posterior among features (…, P, width): of each seat's own over the types, then one who does anything,
    (…, P, G + 1)."""
    return known[..., 2 + types : 3 + 2 * types]


def posterior(told: NDArray[Any], types: int) -> NDArray[np.float64]:
    """How likely each seat is of each type, or of none of them, (…, P, G + 1), after what is taken down of each."""
    logs = np.concatenate([told[..., LIKE + types :], told[..., ANYBODY, None]], -1)
    odds = np.exp(logs - logs.max(-1, keepdims=True))
    return np.asarray(odds / odds.sum(-1, keepdims=True))


def features(told: NDArray[Any], types: int) -> NDArray[np.float32]:
    """What a judge is told, (…, P, width), of what is taken down of each seat, (…, P, columns)."""
    steps = told[..., STEPS, None]
    agreed = (told[..., LIKE : LIKE + types] + 1) / (steps + 2)
    even = (told[..., EVEN, None] + 1) / (steps + 2)
    own = np.concatenate([np.log1p(steps) / 4, even, agreed, posterior(told, types)], -1)
    others = (own.sum(-2, keepdims=True) - own) / (own.shape[-2] - 1)
    return np.concatenate([own, others], -1).astype(np.float32)
