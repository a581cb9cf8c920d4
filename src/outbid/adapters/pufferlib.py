"""The games as PufferLib has them: a native `PufferEnv` that writes into PufferLib's own arrays, compiled.

    import pufferlib.vector
    from outbid.adapters import pufferlib as outbid_puffer

    vecenv = pufferlib.vector.make(outbid_puffer.env("rivals", n=1024, bots="easy", reward="margin"))

| parameter | is |
| ---       | --- |
| game      | the id of a game, a path to its file, or a `Game` |
| n         | matches at once |
| players   | seats; None: the fewest |
| preset    | a preset of the rulebook |
| bots      | who holds the other seats of one learner (compiled/single_agent.py); None: P · n agents, every seat one |
| seat      | the learner's; None: drawn for each match from its deal |
| reward    | "win", "margin", "rank" or "score" (vector.py), paid at the end |
| illegal   | "random": a legal action is drawn for one that is not, since PufferLib's policies know no masks; or "error" |
| mask      | True: the legal actions follow the features in each observation, float32 (F + A,), which costs a copy |
| threads   | at most so many; None: all cores |
| …         | options of the game |

`action_mask`, bool (agents, A), is the mask of the batch itself. Where every seat is an agent, agent i · P + p has seat p of
match i; all who are asked act in one step, and `masks` says who that is: what the others say is not looked at. Seeds: row i
deals the matches of the seed seed + i. Infos tell the mean return and length of the matches that a step ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.compiled.single_agent import Against, Who
from outbid.compiled.vector import Vector
from outbid.core.extras import needed
from outbid.facade import Game

with needed("outbid.adapters.pufferlib", "puffer"):
    from gymnasium import spaces
    from pufferlib import PufferEnv

    from outbid.adapters.single import chosen, features_space, if_illegal, seats_of


class BatchPufferEnv(PufferEnv):  # type: ignore[misc]
    """`n` matches, one learner in each or all. Raises BadSetup, BadOption."""

    def __init__(
        self,
        game: str | Game = "kuhhandel",
        n: int = 1024,
        players: int | None = None,
        preset: str = "seed",
        bots: Who | Sequence[Who] | None = "steady",
        seat: int | None = None,
        reward: str = "win",
        illegal: str = "random",
        mask: bool = False,
        threads: int | None = None,
        buf: Any = None,
        seed: int | None = 0,
        **options: Any,
    ):
        self.game = chosen(game, preset, options, type(self))
        book = self.game.rulebook
        self.illegal, self._shows = if_illegal(illegal), mask
        seats = book.check_players(seats_of(self.game, players), self.game.options)
        self._each = seats if bots is None else 1
        self.num_agents = n * self._each
        seen = features_space(self.game)
        more = book.actions if mask else 0
        low, high = np.append(seen.low, np.zeros(more)), np.append(seen.high, np.ones(more))
        self.single_observation_space = spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)
        self.single_action_space = spaces.Discrete(book.actions)
        super().__init__(buf)
        how: dict[str, Any] = {"reward": reward, "threads": threads, "seeds": np.arange(n) + (seed or 0)}
        buffers = {} if mask else {"obs": self.observations}
        if bots is not None:
            # the rows of a learner lie one behind the other, in PufferLib's array as in the batch
            self.matches: Vector = self.game.against(n, seats, bots=bots, seat=seat, buffers=buffers, **how)
        else:
            shapes = {"obs": (n, seats, book.features)}
            given = {name: array.reshape(shapes[name]) for name, array in buffers.items()}
            given["reward"] = self.rewards.reshape(n, seats)
            self.matches = self.game.vector(n, seats, joint=True, buffers=given, **how)
        self._length = np.zeros(n, np.int64)

    @property
    def action_mask(self) -> NDArray[np.bool_]:
        """The legal actions, bool (agents, A)."""
        return self.matches.mask.reshape(self.num_agents, -1)

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.float32], list[dict[str, Any]]]:
        """Deal anew everywhere; with a seed row i the match of seed + i. Gives the features, (agents, F)."""
        n = self.matches.n
        self.matches.reset(seeds=None if seed is None else np.arange(n) + seed)
        self.rewards[:], self.terminals[:], self.truncations[:] = 0, False, False
        self._length[:] = 0
        self._show()
        return self.observations, []

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, list[dict[str, Any]]]:
        """An action of every agent. Raises BadSetup, Illegal."""
        v, taken = self.matches, np.asarray(actions).reshape(self.num_agents)
        asked = self.masks if self._each > 1 else np.ones(self.num_agents, np.bool_)
        if self.illegal == "random":
            known = (taken >= 0) & (taken < self.single_action_space.n)
            legal = known & self.action_mask[np.arange(self.num_agents), np.where(known, taken, 0)]
            taken = np.where(legal, taken, v.sample().reshape(-1)) if not legal[asked].all() else taken
        taken = np.where(asked, taken, -1)
        v.step(taken.reshape(v.n, self._each) if self._each > 1 else taken)
        self._length += 1
        if isinstance(v, Against):
            self.rewards[:] = v.gain
        self.terminals[:] = np.repeat(v.done, self._each)
        infos = []
        if v.done.any():
            paid = self.rewards[self.terminals]
            infos.append({"episode_return": float(paid.mean()), "episode_length": float(self._length[v.done].mean())})
            self._length[v.done] = 0
        self._show()
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def close(self) -> None:
        """End the threads."""
        self.matches.close()

    def _show(self) -> None:
        """What is not written by the batch itself."""
        v = self.matches
        if self._each > 1:
            self.masks[:] = (v.actor >= 0).reshape(-1)
        if self._shows:
            features = self.game.rulebook.features
            self.observations[:, :features] = v.obs.reshape(self.num_agents, features)
            self.observations[:, features:] = self.action_mask


def env(*args: Any, **how: Any) -> Callable[..., BatchPufferEnv]:
    """What `pufferlib.vector.make` makes environments with; the parameters are above."""
    return partial(BatchPufferEnv, *args, **how)
