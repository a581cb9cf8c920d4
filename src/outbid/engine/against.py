"""One learner against bots, in many matches at once on the compiled backend.

    v = game.against(4096, players=4, bots="steady", seat=None, seed=0)
    while training:
        v.step(policy(v.obs, v.mask))     # then v.gain, v.done, v.obs, v.mask

A `Vector` (vector.py) in which everybody but the learner is a bot. One step is an action of the learner in every match and
all that the bots and the clock do until it is asked again, so that `actor` is always the learner, and `steps` counts its
actions. Besides the arrays of a vector there are

| array   | type, shape  | is |
| ---     | ---          | --- |
| learner | int64 (n,)   | its seat in the running match |
| was     | int64 (n,)   | its seat in the match that the last step ended; elsewhere what it was before |
| gain    | float32 (n,) | its reward: 0, and at the end what the scheme gives |

A bot draws from its seat's stream of the deal, as in `outbid simulate`: the same deal and the same actions give the same
match, whatever the other rows and the number of threads. A match in which the learner is not asked once counts for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.engine import loops
from outbid.engine.compiled import entry
from outbid.engine.errors import BadSetup
from outbid.engine.rulebook import Rulebook
from outbid.engine.vector import SCHEMES, Vector, _seen

TRIES = 1000  # matches in a row without a question to the learner


class Against(Vector):
    """`n` matches of one game, a learner in each. Raises BadSetup, BadOption.

    seat: the learner's; None: drawn for each match from its deal. With `rotate` it moves on within a group of duplicate
    deals. bots: a name for all others, or a list of names: the k-th clockwise after the learner is bots[k]. All else as for
    a Vector, without `joint`.
    """

    def __init__(
        self,
        book: Rulebook,
        options: Mapping[str, Any],
        n: int,
        players: Any,
        seed: int = 0,
        *,
        seat: int | None = 0,
        bots: str | Sequence[str] = "steady",
        **how: Any,
    ):
        if how.get("joint"):
            raise BadSetup("A learner against bots acts turn by turn, not in joint mode.")
        self._wanted, self._named = seat, bots
        super().__init__(book, options, n, players, seed, **how)

    def _prepare(self) -> None:
        fewest = int(self._seats.min())
        place = -1 if self._wanted is None else check_seat(self._wanted, fewest)
        self._place = np.full(self.n, -1) if place < 0 else (place + self._shift) % self._seats
        row = policies(self.rulebook, self._named, self.players - 1)
        self._bots = np.zeros((self.n, self.players), np.int64)
        self._bots[:, : len(row)] = row
        self._learner, self._was = np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
        self._policies = np.zeros((self.n, self.players), np.int64)
        self._tally = np.zeros((self.n, loops.columns(self.players)), np.int64)
        self._rooms = [np.zeros(2, self.rulebook.layout.dtype) for _ in self._blocks]
        self._notes = [np.zeros(64, np.int64) for _ in self._blocks]

    def _move(self) -> None:
        move, scheme = entry(self.rulebook, loops.against_batch), SCHEMES.index(self.scheme)
        self._each(
            lambda k, a, b: move(
                self.states, self._rooms[k], self._fresh, self._setup, self._seats, a, b, self._seeds, self._number,
                self._deal, self._todo, self._bots, self._place, self._learner, self._was, self._policies, self._tally,
                self._turn, self._actions, self._mask, self._allowed, self._choices, self._count, self.reward, self._done,
                self._episode, self._steps, self._ended, scheme, float(self.rulebook.margin), TRIES, self._out[k],
                self._notes[k], self._points[k],
            )
        )  # fmt: skip
        if (self._turn < 0).any():
            bad = int(np.flatnonzero(self._turn[:, 0] < 0)[0])
            raise BadSetup(f"The learner in match {bad} was not asked once in {TRIES} matches with its options.")
        self._changed()
        self._final_fresh = False

    @property
    def learner(self) -> NDArray[np.int64]:
        """The learner's seat in the running matches."""
        return _seen(self._learner)

    @property
    def was(self) -> NDArray[np.int64]:
        """The learner's seat in the matches that the last step ended."""
        return _seen(self._was)

    @property
    def gain(self) -> NDArray[np.float32]:
        """The learner's rewards."""
        return np.where(self._done, self.reward[np.arange(self.n), self._was], np.float32(0))


def check_seat(seat: Any, players: int) -> int:
    """A seat of the match. Raises BadSetup."""
    if not isinstance(seat, (int, np.integer)) or isinstance(seat, bool) or not 0 <= seat < players:
        raise BadSetup(f"There is no seat {seat!r} for the learner; the seats are 0 to {players - 1}.")
    return int(seat)


def policies(book: Rulebook, bots: str | Sequence[str], others: int) -> list[int]:
    """The policies of the other seats, clockwise after the learner's. Raises BadSetup."""
    names = [bots] * others if isinstance(bots, str) else list(bots)
    if len(names) != others:
        raise BadSetup(f"There must be {others} bots, one for each other seat, not {len(names)}.")
    for name in names:
        if name not in book.characters.policies:
            raise BadSetup(f"There is no bot {name!r} in the laboratory; there are {', '.join(book.characters.policies)}.")
    return [book.characters.policies[name] for name in names]
