"""Many matches stepped together on the compiled backend, in arrays that learners read and write.

    v = game.vector(4096, players=4, seed=0)
    while training:
        v.step(policy(v.obs, v.mask))     # then v.actor, v.mask, v.obs, v.reward, v.done

n matches, A action ids, F features, P players (the most of any match). The arrays stay the same objects and are written in
place by `step` and `reset`; `buffers` gives them (zero-copy: torch.from_numpy(v.obs), or a tensor's .numpy() as buffer).

| array    | type, shape      | joint     | is |
| ---      | ---              | ---       | --- |
| actor    | int64 (n,)       | (n, P)    | the seat that acts, of several asked a random one (CLOCK: the clock); joint: −1 |
| mask     | bool (n, A)      | (n, P, A) | the legal actions |
| count    | int64 (n,)       | (n, P)    | how many they are |
| obs      | float32 (n, F)   | (n, P, F) | features of what the seat may know; 0 for who is not asked, and the clock |
| reward   | float32 (n, P)   |           | by seat: 0, and at the end what the scheme gives; 0 where no player sits |
| done     | bool (n,)        |           | the last step ended a match; a new one has been dealt already |
| episode  | int64 (n,)       |           | matches ended so far |
| steps    | int64 (n,)       |           | actions in the running match |
| deal     | int64 (n,)       |           | the seed of its deal: `game.new(players, seed=deal[i])` has the same |
| seats    | int64 (n,)       |           | its players |
| shift    | int64 (n,)       |           | the seat of player 0 (`duplicate`, `rotate`) |

actor, count, episode, steps, deal, seats and shift are read-only views.

A match that ends is rewarded and dealt anew within the same step (Gymnasium's SAME_STEP): `reward` and `done` are those of
the match that ended, actor, mask and obs those of the new one; `final_obs`, if asked for, is what each seat saw at the end.

Row i deals its matches from seeds[i]: the first from this very number, the k-th after it from stream(seeds[i], k). Nothing
depends on the number of threads; each serves a block of its own: neighbouring states would share cache lines.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from outbid.compiled import loops
from outbid.compiled.backend import entry
from outbid.compiled.buffers import allocate
from outbid.core.chance import stream
from outbid.core.contract import CLOCK
from outbid.core.errors import BadSetup, Illegal
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, check_seed

SMALLEST_BLOCK = 256  # below this a second thread costs more than it brings
REWARDS = {
    "win": "1 for the winner, shared equally among several; 0 for the others",
    "margin": "the points ahead of the mean of the others, divided by the game's margin",
    "rank": "the share of the others that are behind, ties counting half: 1 first, 0 last; winners come before all others",
    "score": "the final points",
}
SCHEMES = tuple(REWARDS)  # in the order of loops.WIN, MARGIN, RANK, SCORE


class Vector:
    """`n` matches of one game. Raises BadSetup, BadOption.

    players: a number, or one for each match. seeds: a number for each deal (n, or n // duplicate); without them they are
    drawn from `seed`. options: names and values over those of the game, or a list of them, one a match; a name of a preset
    may stand for options. duplicate: so many consecutive matches share their deals; with `rotate` player p sits in the j-th
    of them at seat p + j. joint: all seats that are asked act at once. observe: whether `step` writes `obs`; otherwise it
    is computed when first read after a step. final_obs: whether that can be read. threads: at most so many; None: all cores.
    """

    def __init__(
        self,
        book: Rulebook,
        options: Mapping[str, Any],
        n: int,
        players: int | ArrayLike,
        seed: int = 0,
        *,
        seeds: ArrayLike | None = None,
        variants: Mapping[str, Any] | str | Sequence[Mapping[str, Any] | str] | None = None,
        reward: str = "win",
        duplicate: int = 1,
        rotate: bool = False,
        joint: bool = False,
        observe: bool = True,
        final_obs: bool = False,
        buffers: Mapping[str, NDArray[Any]] | None = None,
        threads: int | None = None,
    ):
        self.rulebook = book
        self.n = _whole("a number of matches", n)
        if reward not in SCHEMES:
            raise BadSetup(f"There is no reward {reward!r}; there are {', '.join(SCHEMES)}.")
        self.scheme = reward
        self.joint = bool(joint)
        self.duplicate = _whole("a number of matches that share a deal", duplicate)
        if self.n % self.duplicate:
            raise BadSetup(f"{self.n} matches cannot be divided into groups of {self.duplicate} with the same deal.")
        fresh, setup, seats = self._setups(options, variants, players)
        self.seed = stream(check_seed(seed), 0)
        self.players = int(seats.max())
        columns = self.players if self.joint else 1
        given = {"fresh": fresh, "setup": setup, "players": seats, "seeds": self._given_seeds(seeds)}
        shift = np.arange(self.n) % self.duplicate if rotate else np.zeros(self.n, np.int64)
        self._shift: NDArray[np.int64] = shift % seats
        self._buffers(dict(buffers or {}), columns)
        sizes = {"n": self.n, "C": columns, "A": book.actions, "ended": max(2, self.n) if final_obs else 1}
        self._rows: loops.Rows = allocate(loops.Rows, sizes, book, **given, **self._written(columns))
        self._observed = observe or "obs" in (buffers or {})
        self._final: NDArray[np.float32] | None = None
        self._final_fresh = False
        self._begun: NDArray[np.int64] | None = None
        self._samples = 0
        self._closed = False
        self._threads(threads)
        self._prepare()
        self._begin(np.ones(self.n, np.bool_))
        count = self._rows.count
        if not count.any(axis=1).all():
            bad = int(np.flatnonzero(~count.any(axis=1))[0])
            raise BadSetup(f"Match {bad} is over before it begins, with its options and {int(seats[bad])} players.")

    # --- making ---

    def _setups(
        self, options: Mapping[str, Any], variants: Any, players: Any
    ) -> tuple[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]:
        """The records that matches begin from, which of them each begins from, and the players of each."""
        book = self.rulebook
        shared = variants is None or isinstance(variants, (str, Mapping))
        wanted = [variants] if shared else list(variants)
        if not shared and len(wanted) != self.n:
            raise BadSetup(f"There must be options for {self.n} matches, not for {len(wanted)}.")
        known: dict[str, int] = {}
        setup: list[int] = []
        rules: list[dict[str, Any]] = []
        for variant in wanted:
            merged = {**options, **(book.preset(variant) if isinstance(variant, str) else variant or {})}
            key = json.dumps(book.changed(merged))
            if key not in known:
                known[key] = len(rules)
                rules.append(merged)
            setup.append(known[key])
        fresh = np.zeros(len(rules), book.layout.dtype)
        for k, merged in enumerate(rules):
            book.fresh(merged).to_record(fresh, k)
        which = np.resize(np.array(setup, np.int64), self.n)
        many = np.asarray(players)
        if many.shape not in ((), (self.n,)) or many.dtype.kind not in "iu":
            raise BadSetup(f"The players must be a whole number, or one for each of {self.n} matches, not {players!r}.")
        seats = np.array(np.broadcast_to(many, (self.n,)), np.int64)  # what is read-only is compiled anew
        for pair in dict.fromkeys(zip(seats.tolist(), which.tolist(), strict=True)):
            book.check_players(pair[0], rules[pair[1]])
            book.warn(rules[pair[1]], pair[0])
        return fresh, which, seats

    def _given_seeds(self, seeds: ArrayLike | None) -> NDArray[np.int64]:
        """The seed of each match; those of one group are the same."""
        groups = self.n // self.duplicate
        if seeds is None:
            numbers = np.array([stream(self.seed, k) for k in range(groups)], np.int64)
        else:
            given = np.asarray(seeds)
            if given.shape != (groups,) or given.dtype.kind not in "iu":
                raise BadSetup(f"The seeds must be {groups} integers, not {given.dtype} of shape {given.shape}.")
            numbers = given.astype(np.int64)
            if (numbers < 0).any():
                raise BadSetup(f"A seed is {int(given[numbers < 0][0])}; it must be a whole number from 0 to 2**63 - 1.")
        return np.repeat(numbers, self.duplicate)

    def _buffers(self, given: dict[str, NDArray[Any]], columns: int) -> None:
        """The arrays that are written: the caller's, or new ones."""
        seats = (columns,) if self.joint else ()
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "obs": ((self.n, *seats, self.rulebook.features), np.float32),
            "mask": ((self.n, *seats, self.rulebook.actions), np.bool_),
            "reward": ((self.n, self.players), np.float32),
            "done": ((self.n,), np.bool_),
            "actor": ((self.n, *seats), np.int64),
        }
        for name in given.keys() - shapes.keys():
            raise BadSetup(f"There is no buffer {name!r}; there are {', '.join(shapes)}.")
        for name, array in given.items():
            shape, kind = shapes[name]
            bytewise = kind is np.bool_ and getattr(array, "dtype", None) == np.uint8
            if not isinstance(array, np.ndarray) or array.shape != shape or not (array.dtype == kind or bytewise):
                actual = f"{array.dtype} of {array.shape}" if isinstance(array, np.ndarray) else repr(type(array).__name__)
                raise BadSetup(f"The buffer {name!r} must be a {np.dtype(kind)} array of shape {shape}, not {actual}.")
            if not array.flags.c_contiguous or not array.flags.writeable:
                raise BadSetup(f"The buffer {name!r} must be contiguous (C order) and writeable.")

        def taken(name: str) -> NDArray[Any]:
            return given[name] if name in given else np.zeros(*shapes[name])

        self.mask: NDArray[np.bool_] = taken("mask")
        self.reward: NDArray[np.float32] = taken("reward")
        self.done: NDArray[np.bool_] = taken("done")
        self._actor = given.get("actor")
        self._obs: NDArray[np.float32] | None = given.get("obs")
        self._obs_fresh = False
        self._obs_shape = shapes["obs"][0]

    def _written(self, columns: int) -> dict[str, NDArray[Any]]:
        """The arrays that are seen outside, as the loops write them."""
        mask = self.mask.view(np.bool_).reshape(self.n, columns, self.rulebook.actions)
        return {"mask": mask, "done": self.done.view(np.bool_), "reward": self.reward}

    def __getstate__(self) -> dict[str, Any]:
        rows = self._rows._replace(mask=None, done=None)  # these would be copied once more, and then no longer be seen
        return {name: value for name, value in vars(self).items() if name != "_pool"} | {"_rows": rows}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._rows = self._rows._replace(**self._written(self._rows.turn.shape[1]))
        self._begin_threads()

    def _threads(self, threads: int | None) -> None:
        wanted = threads if threads is not None else os.cpu_count() or 1
        blocks = max(1, min(_whole("a number of threads", wanted), self.n // SMALLEST_BLOCK))
        edges = [self.n * k // blocks for k in range(blocks + 1)]
        self._blocks = list(pairwise(edges))
        self._begin_threads()
        sizes = {"A": self.rulebook.actions}
        self._scratch: list[loops.Scratch] = [allocate(loops.Scratch, sizes, self.rulebook) for _ in self._blocks]

    def _begin_threads(self) -> None:
        self._pool = ThreadPoolExecutor(len(self._blocks) - 1) if len(self._blocks) > 1 and not self._closed else None

    def _prepare(self) -> None:
        """What a subclass makes besides, before the first deals."""

    def _each(self, work: Callable[[int, int, int], Any]) -> None:
        """Run `work(block, first, last)` for every block, the first one in this thread."""
        waiting = []
        if self._pool is not None:
            waiting = [self._pool.submit(work, k, a, b) for k, (a, b) in enumerate(self._blocks) if k > 0]
        work(0, *self._blocks[0])
        for future in waiting:
            future.result()

    # --- playing ---

    def step(self, actions: ArrayLike) -> None:
        """One action for every match, that `mask` allows: integers (n,); joint: (n, P), −1 for who is not asked.

        Raises Illegal or BadSetup; then nothing has changed."""
        self._open()
        given = np.asarray(actions)
        wanted = self._rows.turn.shape if self.joint else (self.n,)
        if given.shape != wanted or given.dtype.kind not in "iu":
            shape = f"{self.n} integers" if not self.joint else f"integers of shape {wanted}"
            raise BadSetup(f"The actions must be {shape}, not {given.dtype} of shape {given.shape}.")
        np.copyto(self._rows.actions, given.reshape(self._rows.actions.shape), casting="unsafe")
        find = entry(self.rulebook, loops.wrong_batch)
        wrong = int(find(0, self.n, self._rows.turn, self._rows.allowed, self._rows.actions))
        if wrong >= 0:
            raise Illegal(self._complaint(wrong))
        self._rows.todo[:] = loops.PLAY
        self._move()

    def reset(self, seeds: ArrayLike | None = None, where: ArrayLike | None = None) -> None:
        """Break off the matches of `where` (bool (n,); None: all) and deal new ones; reward 0, done False.

        seeds: as when made, used in the rows of `where`. Without them each goes on to its next deal, and a match in which
        nothing has been played yet stays. Raises BadSetup; then nothing has changed."""
        self._open()
        rows = np.ones(self.n, np.bool_) if where is None else np.asarray(where)
        if rows.dtype != np.bool_ or rows.shape != (self.n,):
            raise BadSetup(f"where must be bool of shape ({self.n},), not {rows.dtype} of shape {rows.shape}.")
        if seeds is None:
            self._rows.number[:] += rows & (self._rows.steps > 0)
        else:
            self._rows.seeds[:] = np.where(rows, self._given_seeds(seeds), self._rows.seeds)
            self._rows.number[rows] = 0
        self._begin(rows)

    def _begin(self, rows: NDArray[np.bool_]) -> None:
        self._rows.todo[:] = np.where(rows, loops.BEGIN, loops.LEAVE)
        self._move()

    def _move(self) -> None:
        """What `_todo` and `_actions` say, in every match."""
        move, scheme = entry(self.rulebook, loops.step_batch), SCHEMES.index(self.scheme)
        unit = float(self.rulebook.margin)
        self._each(lambda k, a, b: move(self._rows, a, b, self.joint, scheme, unit, self._scratch[k]))
        self._changed()
        self._final_fresh = False

    def _changed(self) -> None:
        """Others act now than before."""
        if self._actor is not None:
            np.copyto(self._actor, self._rows.turn.reshape(self._actor.shape))
        self._obs_fresh = False
        if self._observed:
            self._look()

    def put(self, rows: ArrayLike, source: ArrayLike | Match | Sequence[Match]) -> None:
        """Set matches to where others stand, to go on from there: rows of this batch, or a `Match`, or one for each row.

        rows: numbers of matches, int (k,). source: as many, or one for all. Reward and done are 0 there. Later deals of the
        row are its own. Raises BadSetup; then nothing has changed."""
        self._open()
        at, of = _rows(rows, self.n), None
        if isinstance(source, Match) or (isinstance(source, Sequence) and any(isinstance(part, Match) for part in source)):
            matches = [source] * len(at) if isinstance(source, Match) else list(source)
            if len(matches) != len(at):
                raise BadSetup(f"There are {len(matches)} matches for {len(at)} rows.")
            for row, match in zip(at.tolist(), matches, strict=True):
                self._fits(row, match)
            for row, match in zip(at.tolist(), matches, strict=True):
                match.state.to_record(self.states, row)
                self._rows.steps[row] = 0
        else:
            given = _rows(np.asarray(source), self.n)
            if len(given) not in (1, len(at)):
                raise BadSetup(f"There are {len(given)} rows to copy for {len(at)} rows.")
            of = np.broadcast_to(given, at.shape)
            if (self._rows.players[of] != self._rows.players[at]).any():
                raise BadSetup("A match is set to another one of as many players.")
            for array in self._of_a_match():
                array[at] = array[of].copy()
        self._put(at, of is not None)
        self.reward[at], self._rows.done[at] = 0.0, False
        self._changed()
        self._final_fresh = False

    def _of_a_match(self) -> list[NDArray[Any]]:
        """What belongs to the running match of a row."""
        return [self._rows.states, self._rows.steps, self._rows.deals]

    def _fits(self, row: int, match: Match) -> None:
        if not isinstance(match, Match) or match.rulebook is not self.rulebook:
            raise BadSetup(f"Row {row} is a match of {self.rulebook.title}, and is set to another one of it.")
        if match.players != int(self._rows.players[row]):
            raise BadSetup(f"Row {row} is a match of {int(self._rows.players[row])} players, not of {match.players}.")
        if match.over:
            raise BadSetup(f"The match for row {row} is over.")

    def _put(self, rows: NDArray[np.int64], copied: bool) -> None:
        """Who answers in these rows, which have been set. copied: from other rows."""
        self._begun = None
        entry(self.rulebook, loops.write_questions)(self._rows, rows, self.joint, self._scratch[0].out)

    def sample(self) -> NDArray[np.int64]:
        """A uniformly random legal action for every match, (n,), joint: for every seat that is asked, (n, P); the same for
        the same seed and number of calls."""
        self._open()
        self._samples += 1
        seed = stream(self.seed, (1 << 40) + self._samples)
        actions = np.zeros(self._rows.turn.shape, np.int64)
        draw = entry(self.rulebook, loops.sample_batch)
        self._each(lambda k, a, b: draw(a, b, seed, self._rows.turn, self._rows.choices, self._rows.count, actions))
        return actions if self.joint else actions[:, 0]

    def steady(self, seats: ArrayLike) -> NDArray[np.int64]:
        """What the steady bot answers where it holds the acting seat, (n,), −1 in the other matches; the clock is answered,
        too.

        seats: which seats it holds, bool (P,) or (n, P). It is given a hidden copy. Of several seats asked, one that has
        nothing to say leaves the word to another: call this before `actor`, `mask` and `obs` are read. Raises BadSetup.
        """
        self._open()
        if self.joint:
            raise BadSetup("The steady bot answers turn by turn, not in joint mode.")
        held = np.asarray(seats)
        if held.dtype != np.bool_ or held.shape not in ((self.players,), (self.n, self.players)):
            wanted = f"({self.players},) or ({self.n}, {self.players})"
            raise BadSetup(f"The seats must be bool of shape {wanted}, not {held.dtype} of shape {held.shape}.")
        held = np.array(np.broadcast_to(held, (self.n, self.players)), order="C")
        if self._begun is None:
            self._begun = np.zeros((self.n, self.players), np.int64)
        begun, actions, before = self._begun, np.zeros(self.n, np.int64), self._rows.turn.copy()
        answer = entry(self.rulebook, loops.steady_batch)
        self._each(lambda k, a, b: answer(self._rows, a, b, held, begun, actions, self._scratch[k]))
        if (before != self._rows.turn).any():
            self._changed()
        return actions

    def close(self) -> None:
        """End the threads. The arrays stay; whatever else is called afterwards raises BadSetup."""
        self._closed = True
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __enter__(self) -> Vector:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what is seen ---

    @property
    def states(self) -> NDArray[Any]:
        """The running matches, as records, (n,)."""
        return self._rows.states

    @property
    def obs(self) -> NDArray[np.float32]:
        """The features for the seat that acts, float32 (n, F); joint: for each seat that is asked, (n, P, F)."""
        if not self._obs_fresh:
            self._open()
            self._look()
        assert self._obs is not None
        return self._obs

    def _look(self) -> None:
        if self._obs is None:
            self._obs = np.zeros(self._obs_shape, np.float32)
        see, obs = entry(self.rulebook, loops.observe_batch), self._obs.reshape(*self._rows.turn.shape, -1)
        self._each(lambda k, a, b: see(self.states, a, b, self._rows.turn, obs))
        self._obs_fresh = True

    @property
    def final_obs(self) -> NDArray[np.float32]:
        """float32 (n, P, F): what each seat saw at the end of the matches that the last step ended; 0 in the other rows.

        Raises BadSetup unless the batch was made with final_obs=True."""
        self._open()
        if len(self._rows.ended) < self.n:
            raise BadSetup("The final observations are kept only if the batch is made with final_obs=True.")
        if self._final is None:
            self._final = np.zeros((self.n, self.players, self.rulebook.features), np.float32)
        if not self._final_fresh:
            seat = np.arange(self.players)
            turn = np.where(self._rows.done[:, None] & (seat < self._rows.players[:, None]), seat, loops.NOBODY)
            see, final = entry(self.rulebook, loops.observe_batch), self._final
            self._each(lambda k, a, b: see(self._rows.ended, a, b, turn, final))
            self._final_fresh = True
        return self._final

    @property
    def actor(self) -> NDArray[np.int64]:
        """The seat that acts, (n,); joint: each seat that is asked in its own column, (n, P), −1 elsewhere."""
        return _seen(self._rows.turn if self.joint else self._rows.turn[:, 0])

    @property
    def count(self) -> NDArray[np.int64]:
        """How many actions are legal, (n,); joint: for each seat, (n, P)."""
        return _seen(self._rows.count if self.joint else self._rows.count[:, 0])

    @property
    def player(self) -> NDArray[np.int64]:
        """The player who acts, (n,), whom `rotate` seats at (player + shift); CLOCK for the clock. Not in joint mode."""
        actor = self.actor
        if self.joint:
            raise BadSetup("In joint mode several players may act; seat_of(player) says where each sits.")
        return np.where(actor == CLOCK, CLOCK, (actor - self._shift) % self._rows.players)

    def seat_of(self, player: int) -> NDArray[np.int64]:
        """The seat of a player in every match, (n,): `reward[np.arange(n), seat_of(0)]` are the rewards of player 0; −1 in a
        match of fewer players. Raises BadSetup if no match has that many."""
        most = int(self._rows.players.max())
        if not 0 <= player < most:
            raise BadSetup(f"There is no player {player!r}; the players are 0 to {most - 1}.")
        return np.where(player < self._rows.players, (player + self._shift) % self._rows.players, -1)

    @property
    def episode(self) -> NDArray[np.int64]:
        """Matches ended so far, (n,)."""
        return _seen(self._rows.episode)

    @property
    def steps(self) -> NDArray[np.int64]:
        """Actions in the running match, (n,)."""
        return _seen(self._rows.steps)

    @property
    def deal(self) -> NDArray[np.int64]:
        """The seed of the deal of the running match, (n,)."""
        return _seen(self._rows.deals)

    @property
    def seats(self) -> NDArray[np.int64]:
        """The players of each match, (n,)."""
        return _seen(self._rows.players)

    @property
    def shift(self) -> NDArray[np.int64]:
        """The seat of player 0 in each match, (n,)."""
        return _seen(self._shift)

    # --- refusals ---

    def _open(self) -> None:
        if self._closed:
            raise BadSetup("The batch is closed.")

    def _complaint(self, i: int) -> str:
        for column, action in enumerate(self._rows.actions[i].tolist()):
            seat, n = int(self._rows.turn[i, column]), int(self._rows.count[i, column])
            legal = sorted(self._rows.choices[i, column, :n].tolist())
            if seat < 0:
                if action != -1:
                    return f"Seat {column} is not asked in match {i}; its action must be -1, not {action}."
            elif action not in legal:
                who = "the clock" if seat == CLOCK else f"seat {seat}"
                return self.rulebook.action_table.refusal(action, f"{who} in match {i}", legal)
        return "An action is not legal."

    def __repr__(self) -> str:
        seats = sorted(set(self._rows.players.tolist()))
        many = str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"
        return f"<{type(self).__name__} of {self.n} matches, {self.rulebook.title}, {many} players>"


def _rows(rows: ArrayLike, n: int) -> NDArray[np.int64]:
    """Numbers of matches. Raises BadSetup."""
    numbers = np.atleast_1d(np.asarray(rows))
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or (len(numbers) and not 0 <= numbers.min() <= numbers.max() < n):
        raise BadSetup(f"Rows are whole numbers from 0 to {n - 1}, not {rows!r}.")
    return numbers.astype(np.int64)


def _whole(what: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadSetup(f"A batch has {what}, a whole number from 1, not {value!r}.")
    return value


def _seen(array: NDArray[Any]) -> NDArray[Any]:
    """A view of an array that cannot be written to."""
    view = array.view()
    view.flags.writeable = False
    return view
