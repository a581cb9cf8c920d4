"""The games as PettingZoo has them, turn by turn (AEC) and all at once (parallel).

    from outbid.adapters import pettingzoo
    env = pettingzoo.env("kuhhandel", players=4, reward="win", overbid="forbidden")
    env = pettingzoo.parallel_env("money")

| parameter   | is |
| ---         | --- |
| game        | the id of a game or of an environment ("rivals-v1"), a path to its file, or a `Game` |
| players     | seats, called player_0, player_1, … clockwise; None: the fewest |
| preset      | a preset of the rulebook; "seed" is the given rules, with our rulings |
| reward      | "win", "margin", "rank" or "score" (vector.py), paid at the end |
| mask        | "observation": beside the features; "info": only in the infos, and an observation is the features alone |
| max_cycles  | truncate: AEC when an agent would act once more than so often, parallel after so many steps; None: never |
| render_mode | "ansi" gives text, "human" prints it at every step, "rgb_array" is the text as an image |
| …           | options of the game |

An observation is {"observation": float32 (F,), "action_mask": int8}, or with mask="info" float32 (F,); the
layout is `outbid.game(id).observation`, the
actions are `.actions`; `infos` has the mask, too. `reset(seed=k)` deals what `outbid.game(id).new(players, seed=k)` does,
later resets the matches after it (those that are over as dealt are passed over); `options` mean nothing here. `state()`,
for a critic that sees all, is float32 (P · F,): what each seat observes, one after the other.

AEC. The action space is Discrete(A), the action ids of the game. Of several agents who are asked at once, as for sealed
bids, a random one is selected first; the next does not see what it did. Who is not asked has an empty mask.

Parallel. All who are asked act in the same step. The action space is Discrete(A + 1): the last action is to wait, the only
one for an agent who is not asked, who may also be left out of the actions. Where the table's clock may act, one seat or the
clock is drawn.

`action_space(agent).sample()` without a mask draws a legal action. The render shows what the selected agent sees (after the
end, and in a parallel environment always: a spectator). Wrong use raises an OutbidError (a ValueError): an action that is
not legal or of the wrong type, an agent that is not there, a step before `reset` or after the end; then nothing changed.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.compiled.single_agent import TRIES
from outbid.core import contract
from outbid.core.errors import BadSetup, Illegal
from outbid.core.extras import needed
from outbid.facade import Game

with needed("outbid.adapters.pettingzoo", "research"):
    from gymnasium import spaces
    from pettingzoo.utils.env import AECEnv, ParallelEnv

    from outbid.adapters.single import RENDER_MODES, Legal, Single, features_space, whole

Seen = dict[str, Any]
MASKS = ("observation", "info")
SPECTATOR = -1


class _Seats:
    """What the two environments share: the match, the agents and their spaces. more: actions that are not the game's."""

    more = 0

    def __init__(
        self,
        game: str | Game = "kuhhandel",
        players: int | None = None,
        preset: str = "seed",
        reward: str = "win",
        max_cycles: int | None = None,
        mask: str = "observation",
        render_mode: str | None = None,
        **options: Any,
    ):
        self.match = Single(game, preset, options, players, reward, render_mode, type(self))
        book = self.match.book
        if max_cycles is not None and whole(max_cycles, 2**31) < 1:
            raise BadSetup(f"max_cycles is {max_cycles}; it must be at least 1.")
        self.max_cycles, self.render_mode = max_cycles, render_mode
        self.metadata = {
            "name": self.match.rules.environment.replace("-v", "_v"),
            "render_modes": RENDER_MODES,
            "render_fps": 2,
            "is_parallelizable": self.more > 0,  # not turn by turn: there is no cycle in which everybody acts once
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.match.players)]
        self.agents: list[str] = []
        self._begun = False
        self._asked: tuple[int, ...] = ()
        self._steps = [0]
        self._actions = {agent: Legal(book.actions + self.more) for agent in self.possible_agents}
        if mask not in MASKS:
            raise BadSetup(f"mask is {mask!r}; it must be {' or '.join(MASKS)}.")
        self._flat = mask == "info"
        seen = features_space(self.match.rules)
        allowed = spaces.Box(0, 1, (book.actions + self.more,), np.int8)
        both: Any = {"observation": seen, "action_mask": allowed}
        self._seen = {agent: seen if self._flat else spaces.Dict(both) for agent in self.possible_agents}
        low, high = (np.tile(bound, self.match.players) for bound in (seen.low, seen.high))
        self.state_space = spaces.Box(low, high, dtype=np.float32)

    def state(self) -> NDArray[np.float32]:
        """What all seats observe, float32 (P · F,), for a critic that sees all. Raises BadSetup."""
        self._open()
        return np.concatenate([self.match.features(seat) for seat in range(self.match.players)])

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations, with its action mask."""
        return self._seen[self._agent(agent)]

    def action_space(self, agent: str) -> Legal:
        """What the agent may do."""
        return self._actions[self._agent(agent)]

    def render(self) -> str | NDArray[np.uint8] | None:
        """What the selected agent sees, after the end and of a parallel environment what a spectator does: a text, or the
        image of `single.picture`."""
        self._open()
        return self.match.render(self._asked[0] if self._asked and not self.more else SPECTATOR)

    def close(self) -> None:
        """There is nothing to close."""

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _agent(self, agent: Any) -> str:
        if not isinstance(agent, str) or agent not in self._actions:
            raise BadSetup(f"There is no agent {agent!r}; there are {', '.join(self._actions)}.")
        return agent

    def _seat(self, agent: Any) -> int:
        return self.possible_agents.index(self._agent(agent))

    def _open(self) -> None:
        if not self._begun:
            raise BadSetup("The environment has no match yet; call reset() first.")

    def _running(self) -> None:
        self._open()
        if not self.agents:
            raise BadSetup("The match is over; call reset() to begin another.")

    def _deal(self, seed: int | None) -> None:
        self.match.begin(seed, int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1))
        for _ in range(TRIES):
            self._steps = [0]
            self._asked = self.match.answering(self.more > 0, self._steps)
            if self._asked:
                break
            self.match.again(later=1)
        else:
            raise BadSetup(f"With these options {TRIES} matches in a row were over as they were dealt.")
        self._begun = True
        self.agents = list(self.possible_agents)

    def _masks(self) -> dict[str, dict[str, Any]]:
        """The infos: of each agent what it may do now."""
        infos = {}
        for seat, agent in enumerate(self.possible_agents):
            mask = self.match.mask(seat, seat in self._asked, self.more)
            if self.more and seat not in self._asked:
                mask[-1] = 1
            self._actions[agent].legal = mask
            infos[agent] = {"action_mask": mask.copy()}
        return infos

    def _observed(self, agent: str) -> Any:
        if self._flat:
            return self.match.features(self._seat(agent))
        return {"observation": self.match.features(self._seat(agent)), "action_mask": self._actions[agent].legal.copy()}


class TurnEnv(_Seats, AECEnv):  # type: ignore[misc]
    """One agent at a time (AEC)."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a match; `options` mean nothing."""
        self._deal(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._acted = [0] * self.match.players
        self._skip_agent_selection: str | None = None
        self._select()
        self._show()

    def step(self, action: Any) -> None:
        """An action of the selected agent; None for one whose match has ended. Raises BadSetup, Illegal."""
        self._running()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise BadSetup(f"The match of {agent} is over, so that its only action is None, not {action!r}.")
            self._was_dead_step(None)
            return
        if action is None:
            raise BadSetup(f"{agent} must act; None is for agents whose match is over.")
        seat = self._seat(agent)
        action_id = self.match.check(seat, whole(action, self.match.book.actions), agent)
        contract.apply(self.match.state, seat, action_id)
        self._steps[0] += 1
        self._acted[seat] += 1
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._next()
        self._accumulate_rewards()
        self._show()

    def observe(self, agent: str) -> Seen:
        """What an agent sees now."""
        self._open()
        return self._observed(self._agent(agent))

    def last(self, observe: bool = True) -> tuple[Seen | None, float, bool, bool, dict[str, Any]]:
        """Give what the selected agent sees, what it was paid since it acted, whether the match is over, whether it was
        broken off, and the info. Raises BadSetup."""
        self._open()
        seen: tuple[Seen | None, float, bool, bool, dict[str, Any]] = super().last(observe)
        return seen

    def _next(self) -> None:
        """Who acts next, or how it ended."""
        self._asked = self.match.answering(False, self._steps)
        if not self._asked:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, self.match.rewards(), strict=True))
        elif self.max_cycles is not None and self._acted[self._asked[0]] >= self.max_cycles:
            self._asked = ()
            self.truncations = dict.fromkeys(self.agents, True)
        self._select()

    def _select(self) -> None:
        self.infos = self._masks()
        self.agent_selection = self.possible_agents[self._asked[0] if self._asked else 0]


class JointEnv(_Seats, ParallelEnv):  # type: ignore[misc]
    """All agents at once (parallel)."""

    more = 1
    _cycles = 0

    @property
    def wait(self) -> int:
        """The action of an agent who is not asked."""
        return self.match.book.actions

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Deal a match; `options` mean nothing."""
        self._deal(seed)
        self._cycles = 0
        infos = self._masks()
        self._show()
        return {agent: self._observed(agent) for agent in self.agents}, infos

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """An action of every agent who is asked; the others wait. Raises BadSetup, Illegal."""
        self._running()
        for seat, action in self._checked(actions).items():
            contract.apply(self.match.state, seat, action)
            self._steps[0] += 1
        self._cycles += 1
        agents, self._asked = self.agents, self.match.answering(True, self._steps)
        over = not self._asked
        late = not over and self.max_cycles is not None and self._cycles >= self.max_cycles
        paid = self.match.rewards() if over else [0.0] * self.match.players
        if over or late:
            self._asked, self.agents = (), []
        infos = self._masks()
        self._show()
        return (
            {agent: self._observed(agent) for agent in agents},
            dict(zip(agents, paid, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, late),
            infos,
        )

    def _checked(self, actions: Any) -> dict[int, int]:
        """The actions by seat, of those who are asked. Raises BadSetup, Illegal."""
        if not isinstance(actions, dict):
            raise BadSetup(f"The actions are a dictionary by agent, not {actions!r}.")
        actions_by_seat = {self._seat(agent): whole(action, self.wait + 1) for agent, action in actions.items()}
        for seat, action in actions_by_seat.items():
            if seat not in self._asked and action != self.wait:
                who = self.possible_agents[seat]
                raise Illegal(f"{who} is not asked; its action must be {self.wait} (wait), not {action}.")
        for seat in self._asked:
            if seat not in actions_by_seat:
                raise BadSetup(f"{self.possible_agents[seat]} is asked and must act; it is not among the actions.")
            self.match.check(seat, actions_by_seat[seat], self.possible_agents[seat])
        return {seat: actions_by_seat[seat] for seat in self._asked}


env = raw_env = TurnEnv
parallel_env = JointEnv
