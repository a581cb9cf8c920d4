"""Many matches stepped together on the compiled backend.

    batch = game.batch(4096, players=4, seed=0)
    while training:
        batch.step(policy(batch.obs, batch.mask))     # then batch.actor, .mask, .reward, .done, .obs

n matches, A action ids, F features, P players. All arrays are NumPy arrays owned by the batch and written in place:

| array    | type, shape      | is |
| ---      | ---              | --- |
| actor    | int64 (n,)       | the seat that acts next; of several seats asked, a random one (CLOCK: the table's clock) |
| mask     | bool (n, A)      | the actor's legal actions |
| reward   | float32 (n, P)   | 0, and at the end of a match the victory, shared among the winners |
| done     | bool (n,)        | the last step ended a match; a new one has been dealt already |
| episode  | int64 (n,)       | matches ended so far |
| obs      | float32 (n, F)   | the actor's features, made from a hidden copy; computed when first asked for after a step |

Matches are dealt from streams of `seed`, so a batch is the same whatever the number of threads. Each thread serves a
block of its own: neighbouring states would share cache lines.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from outbid.engine import loops
from outbid.engine.chance import stream
from outbid.engine.compiled import entry
from outbid.engine.errors import BadSetup, Illegal
from outbid.engine.rulebook import Rulebook, check_seed

SMALLEST_BLOCK = 256  # below this a second thread costs more than it brings
BEGIN = -1  # the action that deals the first match


class Batch:
    """`n` matches of one game with the same options. Raises BadSetup, BadOption."""

    def __init__(
        self, book: Rulebook, options: Mapping[str, Any], n: int, players: int, seed: int, threads: int | None = None
    ):
        if not isinstance(n, int) or n < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise BadSetup(f"A batch has a whole number of matches, at least 1, not {n!r}.")
        self.rulebook = book
        self.players = book.check_players(players, options)
        self.seed = stream(check_seed(seed), 0)
        self.n = n
        wanted = threads or os.cpu_count() or 1
        blocks = max(1, min(wanted, n // SMALLEST_BLOCK))
        edges = [n * k // blocks for k in range(blocks + 1)]
        self._blocks = list(pairwise(edges))
        self._pool = ThreadPoolExecutor(blocks - 1) if blocks > 1 else None
        self._out = [np.zeros(book.actions + 64, np.int64) for _ in self._blocks]
        self._points = [np.zeros(64, np.int64) for _ in self._blocks]
        self._fresh = np.zeros(1, book.layout.dtype)
        book.fresh(options).to_record(self._fresh, 0)
        self._work = [np.zeros(1, book.layout.dtype) for _ in self._blocks]
        self.states: NDArray[Any] = np.zeros(n, book.layout.dtype)
        self.actor: NDArray[np.int64] = np.zeros(n, np.int64)
        self.mask: NDArray[np.bool_] = np.zeros((n, book.actions), np.bool_)
        self.reward: NDArray[np.float32] = np.zeros((n, self.players), np.float32)
        self.done: NDArray[np.bool_] = np.zeros(n, np.bool_)
        self.episode: NDArray[np.int64] = np.zeros(n, np.int64)
        self._obs: NDArray[np.float32] | None = None
        self._obs_fresh = False
        self._rows = np.arange(n)
        self._actions = np.full(n, BEGIN, np.int64)
        self._samples = 0
        self._steps = -1  # dealing is none
        self._begun: NDArray[np.int64] | None = None
        self._move()

    def _each(self, work: Callable[[int, int, int], Any]) -> None:
        """Run `work(block, first, last)` for every block, the first one in this thread."""
        waiting = []
        if self._pool is not None:
            waiting = [self._pool.submit(work, k, a, b) for k, (a, b) in enumerate(self._blocks) if k > 0]
        work(0, *self._blocks[0])
        for one in waiting:
            one.result()

    def step(self, actions: ArrayLike) -> None:
        """One action (an id that `mask` allows) for every match. Raises Illegal or BadSetup; then nothing changed."""
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise BadSetup(f"The actions must be {self.n} integers, not {given.dtype} of shape {given.shape}.")
        np.copyto(self._actions, given, casting="unsafe")
        lowest, highest = self._actions.min(), self._actions.max()
        if lowest < 0 or highest >= self.rulebook.actions or not self.mask[self._rows, self._actions].all():
            raise Illegal(self._complaint())
        self._move()

    def _move(self) -> None:
        """What `_actions` says, in every match."""
        move = entry(self.rulebook, loops.step_batch)
        self._each(
            lambda k, a, b: move(
                self.states, self._fresh, a, b, self.players, self.seed, self._actions, self.actor, self.mask,
                self.reward, self.done, self.episode, self._out[k], self._points[k],
            )
        )  # fmt: skip
        self._obs_fresh = False
        self._steps += 1

    def _complaint(self) -> str:
        for i, action in enumerate(self._actions.tolist()):
            if not 0 <= action < self.rulebook.actions or not self.mask[i, action]:
                legal = np.flatnonzero(self.mask[i]).tolist()
                return f"Action {action} of seat {int(self.actor[i])} in match {i} is not legal; {legal} are."
        return "An action is not legal."

    def sample(self) -> NDArray[np.int64]:
        """A uniformly random legal action for every match, the same for the same seed and number of calls."""
        self._samples += 1
        seed = stream(self.seed, self._samples)
        actions = np.zeros(self.n, np.int64)
        draw = entry(self.rulebook, loops.sample_batch)
        self._each(lambda k, a, b: draw(self.mask, a, b, seed, actions))
        return actions

    def steady(self, seats: ArrayLike) -> NDArray[np.int64]:
        """What the steady bot answers where it holds the acting seat, −1 in the other matches; the clock is answered, too.

        seats: which seats it holds, bool (P,) or (n, P). It is given a hidden copy. Of several seats asked, one that has
        nothing to say leaves the word to another: call this before `actor`, `mask` and `obs` are read. Raises BadSetup.
        """
        held = np.asarray(seats)
        if held.dtype != np.bool_ or held.shape not in ((self.players,), (self.n, self.players)):
            wanted = f"({self.players},) or ({self.n}, {self.players})"
            raise BadSetup(f"The seats must be bool of shape {wanted}, not {held.dtype} of shape {held.shape}.")
        held = np.ascontiguousarray(np.broadcast_to(held, (self.n, self.players)))
        if self._begun is None:
            self._begun = np.zeros((self.n, self.players), np.int64)
        begun, actions = self._begun, np.zeros(self.n, np.int64)
        answer = entry(self.rulebook, loops.steady_batch)
        self._each(
            lambda k, a, b: answer(
                self.states, self._work[k], 0, a, b, held, self.seed, self._steps, begun, self.actor, self.mask,
                self._out[k], self._points[k], actions,
            )
        )  # fmt: skip
        self._obs_fresh = False
        return actions

    @property
    def obs(self) -> NDArray[np.float32]:
        """The features of every match for the seat that acts."""
        if self._obs is None:
            self._obs = np.zeros((self.n, self.rulebook.features), np.float32)
        if not self._obs_fresh:
            see, obs = entry(self.rulebook, loops.observe_batch), self._obs
            self._each(lambda k, a, b: see(self.states, self._work[k], 0, a, b, self.actor, obs))
            self._obs_fresh = True
        return self._obs

    def __repr__(self) -> str:
        return f"<Batch of {self.n} matches, {self.rulebook.title}, {self.players} players>"
