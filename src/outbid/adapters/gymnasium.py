"""The games as Gymnasium has them: one learner's seat against given bots.

    import gymnasium
    import outbid.adapters.gymnasium        # registers outbid/kuhhandel-v1, outbid/rivals-v2, …
    env = gymnasium.make("outbid/kuhhandel-v1", players=4, bots="steady")
    envs = gymnasium.make_vec("outbid/kuhhandel-v1", num_envs=4096, players=4, bots="steady", seat=None)

| parameter   | is |
| ---         | --- |
| players     | seats; None: the fewest |
| preset      | a preset of the rulebook; "seed" is the given rules, with our rulings |
| seat        | the learner's; None: drawn for each match from its deal |
| bots        | one for all others, or a list: bots[k] is the k-th clockwise after the learner (single_agent.py) |
| reward      | "win", "margin", "rank" or "score" (vector.py), paid at the end |
| illegal     | "error": an illegal action raises Illegal; "random": a legal one is drawn for it, info["replaced"] is True |
| render_mode | of one environment: "ansi" gives text, "human" prints it at every step, "rgb_array" is the text as an image |
| …           | options of the game |

An observation is the learner's features, float32 (F,) (`outbid.game(id).observation` is the layout), an action one of the A
action ids (`.actions`). `info` has action_mask (int8 (A,)), seat and replaced. `action_space.sample()` without a mask draws
a legal action, and `action_masks()` is the mask as MaskablePPO wants it; through a wrapper, which forwards no methods, it is
`env.get_wrapper_attr("action_masks")()`. A move of several steps is several actions.

`reset(seed=k)` deals what `outbid.game(id).new(players, seed=k)` does, later resets the matches after it; `options` mean
nothing. A match in which the learner is not asked once is passed over. Wrong use raises an OutbidError (a ValueError): an
illegal action, one of the wrong type, a step before `reset` or after the end; then nothing has changed.

`make_vec` gives `SeatVectorEnv`: all matches and bots compiled (compiled/single_agent.py), row i with the seed seed + i and
the same matches as a single environment with that seed. A match that ends is dealt anew in the same step (SAME_STEP):
`final_obs` and `final_info` are those of the match that ended. `illegal` is "error" there. More parameters: `threads`, and
`copy` (True; False: observations and masks are the arrays that the next step writes to).

Gymnasium looks for no plug-ins: import this module, or name it: make("outbid.adapters.gymnasium:outbid/kuhhandel-v1").
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.compiled import loops
from outbid.compiled.backend import ready
from outbid.compiled.single_agent import TRIES, Against, Asking, Opponents, Who, check_seat, clock_acts, moves_made
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.errors import BadSetup, Illegal
from outbid.core.extras import needed
from outbid.core.rulebook import Rulebook, check_seed, file_of, tell
from outbid.facade import Game

with needed("outbid.adapters.gymnasium", "research"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from outbid.adapters.single import RENDER_MODES, Legal, Single, chosen, features_space, if_illegal, seats_of, whole

Features = NDArray[np.float32]

PAYS = 1000  # steps on the plain backend, after which it pays to compile


class SeatEnv(gymnasium.Env[Features, np.int64]):
    """One learner against bots. compiled: whether on the compiled backend; None: if it is compiled already, or after PAYS
    steps. The matches are the same. Raises BadSetup, BadOption."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
        game: str | Game = "kuhhandel",
        players: int | None = None,
        preset: str = "seed",
        seat: int | None = 0,
        bots: Who | Sequence[Who] = "steady",
        reward: str = "win",
        illegal: str = "error",
        render_mode: str | None = None,
        compiled: bool | None = None,
        **options: Any,
    ):
        self.match = Single(game, preset, options, players, reward, render_mode, type(self))
        self.illegal, self.render_mode = if_illegal(illegal), render_mode
        self._place = -1 if seat is None else check_seat(seat, self.match.players)
        fresh = self.match.book.fresh(self.match.rules.options)
        self._others = Opponents(self.match.book, fresh, bots, self.match.players - 1)
        self._pools, self._sizes = self._others.pools.tolist(), self._others.sizes.tolist()
        self._asking = Asking(1)
        self._compiled, self._made = compiled, 0
        self._batch: Against | None = None  # of one match, if it is played on the compiled backend
        self._how: dict[str, Any] = {"seat": seat, "bots": bots, "reward": reward, "final_obs": True, "threads": 1}
        self._policies = [loops.RANDOM] * self.match.players
        self._note = [0] * 64
        self._tally: list[int] = []
        self.seat = max(self._place, 0)  # the learner's in the running match
        self._running = self._begun = False
        self.observation_space: Any = features_space(self.match.rules)
        self.action_space: Legal = Legal(self.match.book.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Deal a match, and let the bots act until the learner is asked."""
        super().reset(seed=None if seed is None else check_seed(seed))
        self.match.begin(seed, int(self.np_random.integers(2**63)))
        self._begun = True
        if self._batch is None and self._compiles():
            self._batch = self.match.rules.against(1, self.match.players, seeds=[self.match.deal], **self._how)
        for _ in range(TRIES):
            if self._seated():
                break
            self.match.again(later=1)
        else:
            raise BadSetup(f"The learner was not asked once in {TRIES} matches with these options.")
        self._show()
        return self._seen(), self._info(False)

    def step(self, action: Any) -> tuple[Features, float, bool, bool, dict[str, Any]]:
        """An action of the learner, and what the others do until it is asked again. Raises BadSetup, Illegal."""
        if not self._running:
            raise BadSetup(f"{'The match is over' if self._begun else 'There is no match yet'}; call reset() first.")
        action_id, replaced = whole(action, self.match.book.actions), False
        legal = np.flatnonzero(self._mask())
        if action_id not in legal:
            if self.illegal != "random":
                raise Illegal(self.match.rules.actions.refusal(action_id, f"seat {self.seat}", legal.tolist()))
            action_id, replaced = int(self.np_random.choice(legal)), True
        self._made += 1
        paid = self._stepped(action_id)
        over = not self._running
        self._show()
        return self._seen(), paid, over, False, self._info(replaced)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, bool (A,); none when the match is over."""
        return self._mask().astype(np.bool_)

    def _compiles(self) -> bool:
        """Whether matches are played on the compiled backend from now on: if it is there, or if it pays."""
        if self._compiled is None and self._made < PAYS:
            return ready(self.match.book, loops.against_batch)
        return self._compiled is not False

    def _mask(self) -> NDArray[np.int8]:
        if self._batch is None or not self._running:
            return self.match.mask(self.seat, self._running)
        return self._batch.mask[0].astype(np.int8)

    def _seen(self) -> Features:
        if self._batch is None:
            return self.match.features(self.seat)
        return (self._batch.obs[0] if self._running else self._batch.final_obs[0, self.seat]).copy()

    def _stepped(self, action: int) -> float:
        """Act, and let the others act; what the learner is paid."""
        if self._batch is None:
            contract.apply(self.match.state, self.seat, action)
            loops.count_step(self.match.state, self.seat, self.match.players, self._tally)
            self._running = self._asked()
            return 0.0 if self._running else self.match.rewards()[self.seat]
        batch = self._batch
        batch.step([action])
        self._running = not bool(batch.done[0])
        self.match.elsewhere = self._plain
        return 0.0 if self._running else float(batch.reward[0, self.seat])

    def _plain(self) -> Any:
        """The state of the match that the batch plays."""
        batch = self._batch
        assert batch is not None
        return self.match.book.plain.from_record(batch.states if self._running else batch._rows.ended, 0)

    def render(self) -> Any:
        """Draw what the learner sees, in the form of `render_mode`. Raises BadSetup before `reset`."""
        if not self._begun:
            raise BadSetup("There is no match yet; call reset() first.")
        return self.match.render(self.seat)

    def _seated(self) -> bool:
        """Seat everybody in a match just dealt; whether the learner is ever asked."""
        if self._batch is not None:
            batch = self._batch
            batch.reset(seeds=[self.match.deal])
            self.seat = int(batch.learner[0])
            self._running = int(batch.deal[0]) == self.match.deal  # else it went on to a match in which it is asked
            self.match.elsewhere = self._plain
            return self._running
        self.seat = loops.seated(self._place, self.match.players, self.match.deal)
        loops.assign_bots(self._policies, self._pools, self._sizes, self.seat, self.match.players, self.match.deal)
        self._asking.forget(np.ones(1, np.bool_))
        self._tally = [0] * loops.columns(self.match.players)
        self._running = self._asked()
        return self._running

    def _asked(self) -> bool:
        """Let the bots act; whether the learner is asked then."""
        match = self.match
        out = [0] * (match.book.actions + 64)
        while True:
            who = loops.until_learner(
                match.records, 0, match.deal, self._policies, match.players, out, self._note, self._tally
            )
            if who < 0 or who == self.seat:
                return bool(who >= 0)
            acting, action = self._answered(who)
            contract.apply(match.state, acting, action)
            loops.count_step(match.state, acting, match.players, self._tally)

    def _answered(self, seat: int) -> tuple[int, int]:
        """Who acts, and how, where a bot outside of the loops is asked."""
        match, asked_bot = self.match, self._others.asked[loops.OUTSIDE - self._policies[seat]]
        number = int(moves_made(np.array([self._tally]), np.array([match.players]))[0])
        step = self._asking.step([0], seat, number, match.deal)
        if hasattr(asked_bot, "answers"):
            mask, legal = match.mask(seat, True).astype(np.bool_), match.legal(seat)
            keys = np.array([[len(legal)], [match.deal], [seat], [number], [int(step[0])]])
            return seat, int(asked_bot.answers(match.features(seat)[None], mask[None], np.array([legal]), keys)[0])
        left = self._asking.left.setdefault(0, [])
        if not left:
            left += asked_bot.move(match.hidden(seat), seat, number, stream(match.deal, loops.SEATS_FROM + seat))
        if not left:
            return contract.CLOCK, clock_acts(match.state, match.book, "the match")
        return seat, match.check(seat, left.pop(0), f"the bot in seat {seat}")

    def _info(self, replaced: bool) -> dict[str, Any]:
        self.action_space.legal = self._mask()
        return {"action_mask": self.action_space.legal.copy(), "seat": self.seat, "replaced": replaced}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class LegalMany(spaces.MultiDiscrete[np.int64]):
    """The action of every match, in which `sample()` without a mask draws legal ones (`legal`, bool (n, A))."""

    def __init__(self, n: int, actions: int):
        super().__init__([actions] * n)
        self.legal: NDArray[np.bool_] = np.ones((n, actions), np.bool_)

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[np.int64]:
        """A legal action for every match, (n,); with `mask` or `probability` drawn by these."""
        if mask is not None or probability is not None:
            return super().sample(mask, probability)
        return np.argmax(self.legal * (1 - self.np_random.random(self.legal.shape)), axis=1)


class SeatVectorEnv(VectorEnv[Features, NDArray[np.int64], NDArray[Any]]):
    """Many of them, compiled. Raises BadSetup, BadOption."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        game: str | Game = "kuhhandel",
        players: int | None = None,
        preset: str = "seed",
        seat: int | None = 0,
        bots: Who | Sequence[Who] = "steady",
        reward: str = "win",
        illegal: str = "error",
        render_mode: str | None = None,
        threads: int | None = None,
        copy: bool = True,
        **options: Any,
    ):
        if illegal != "error":
            raise BadSetup(f"illegal is {illegal!r}; in a vector environment it must be error.")
        if render_mode is not None:
            raise BadSetup("A vector environment is not rendered; make a single one.")
        rules = chosen(game, preset, options, type(self))
        self.matches: Against = rules.against(
            num_envs, seats_of(rules, players), seat=seat, bots=bots, reward=reward, final_obs=True, threads=threads,
            seeds=self._seeds(None, num_envs),
        )  # fmt: skip
        self.num_envs, self._copy, self._begun = num_envs, copy, False
        self.single_observation_space = features_space(rules)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = spaces.Discrete(rules.rulebook.actions)
        self.action_space: LegalMany = LegalMany(num_envs, rules.rulebook.actions)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Features, dict[str, Any]]:
        """Deal anew: everywhere, or where options["reset_mask"] (bool (n,)) is True. seed: of row 0, or one for each."""
        where = (options or {}).get("reset_mask")
        self.matches.reset(seeds=None if seed is None else self._seeds(seed, self.num_envs), where=where)
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
        self._begun = True
        return self._seen(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[Features, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """The learner's action in every match, integers (n,). Gives what the learner sees now, its rewards, which matches
        ended and which were broken off (none), (n,) each, and the info. Raises BadSetup, Illegal."""
        if not self._begun:
            raise BadSetup("There is no match yet; call reset() first.")
        self.matches.step(actions)
        info, done = self._info(), self.matches.done.copy()
        if done.any():
            info |= self._final(done)
        paid = self.matches.gain.astype(np.float64)
        return self._seen(), paid, done, np.zeros(self.num_envs, np.bool_), info

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        self.matches.close()

    def _seeds(self, seed: Any, n: int) -> NDArray[np.int64]:
        """One seed a row: drawn if none is given, counted up from a number."""
        if seed is None:
            return self.np_random.integers(2**63, size=n)
        if isinstance(seed, (int, np.integer)):
            if not 0 <= seed <= 2**63 - n:
                raise BadSetup(f"The seed is {seed}; it must be a whole number from 0 to 2**63 - {n}.")
            return np.arange(n) + int(seed)
        return np.asarray([int(self.np_random.integers(2**63)) if given is None else given for given in seed])

    def _seen(self) -> Features:
        return self.matches.obs.copy() if self._copy else self.matches.obs

    def _info(self) -> dict[str, Any]:
        mask = self.matches.mask.view(np.int8)
        self.action_space.legal = self.matches.mask
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": mask.copy() if self._copy else mask,
            "_action_mask": everywhere,
            "seat": self.matches.learner.copy(),
            "_seat": everywhere.copy(),
        }

    def _final(self, done: NDArray[np.bool_]) -> dict[str, Any]:
        """What the learner saw where a match has ended, and where it sat."""
        rows = np.flatnonzero(done)
        seen: NDArray[Any] = np.full(self.num_envs, None, dtype=object)
        last = self.matches.final_obs[rows, self.matches.was[rows]]
        for k, i in enumerate(rows):
            seen[i] = last[k]
        seat = np.where(done, self.matches.was, 0)
        final = {"seat": seat, "_seat": done.copy()}
        return {"final_obs": seen, "_final_obs": done.copy(), "final_info": final, "_final_info": done.copy()}


def _register(book: Rulebook) -> None:
    file = file_of(book)
    for environment, options in book.known_environments.items():
        name = f"outbid/{environment.replace('+', '-')}"  # a game with a rule changed has a plus, which no id may have
        game = {"game": file, **options} if file else {"game": environment}
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="outbid.adapters.gymnasium:SeatEnv",
                vector_entry_point="outbid.adapters.gymnasium:SeatVectorEnv",
                kwargs=game,  # in another process the file is read again
                order_enforce=False,  # it says so itself, and wrappers would hide action_masks
                disable_env_checker=True,
            )


tell(_register)
