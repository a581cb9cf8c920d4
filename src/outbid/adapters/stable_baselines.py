"""The games as Stable-Baselines3 has them: a `VecEnv` with action masks, compiled (compiled/single_agent.py).

    from sb3_contrib import MaskablePPO
    from outbid.adapters import stable_baselines
    from outbid.adapters.stable_baselines import policy_kwargs

    env = stable_baselines.vec_env("rivals", 256, players=2, bots="easy", seat=None, reward="margin")
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=4096, gamma=1.0, policy_kwargs=policy_kwargs(env=env))
    model.learn(500_000)                             # examples/train_maskable.py learns to beat easy
    stable_baselines.save(model, "rivals.npz")       # then it plays everywhere as net@rivals.npz

| parameter | is |
| ---       | --- |
| game      | the id of a game, a path to its file, or a `Game` |
| n         | matches at once |
| players   | seats; None: the fewest |
| preset    | a preset of the rulebook |
| seat      | the learner's; None: drawn for each match from its deal |
| bots      | who holds the other seats, as in compiled/single_agent.py: one for all, or a list |
| reward    | "win", "margin", "rank" or "score" (vector.py), paid at the end |
| seed      | row i deals the matches of the seed seed + i |
| threads   | at most so many; None: all cores |
| …         | options of the game |

Observations are float32 (n, F), actions int (n,), `action_masks()` bool (n, A). A match that ends is dealt anew in the same
step; its info has `terminal_observation` and `episode`, with its reward r, its length l and the seconds t since the
environment was made, as `VecMonitor` writes them. Algorithms without masks, such as PPO itself, need illegal="random".
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots.nets.policy import write
from outbid.compiled import inference
from outbid.compiled.single_agent import Against, Who
from outbid.core.errors import BadSetup
from outbid.core.extras import needed
from outbid.facade import Game

with needed("outbid.adapters.stable_baselines", "train"):
    import torch
    from gymnasium import spaces
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.vec_env import VecEnv

    from outbid.adapters.single import chosen, features_space, if_illegal, seats_of

MASKS = "action_masks"
LOOKS = 100  # random steps that say how wide features spread


class BatchVecEnv(VecEnv):  # type: ignore[misc]
    """`n` learners against bots. Raises BadSetup, BadOption."""

    def __init__(
        self,
        game: str | Game,
        n: int = 256,
        players: int | None = None,
        preset: str = "seed",
        seat: int | None = None,
        bots: Who | Sequence[Who] = "steady",
        reward: str = "win",
        seed: int = 0,
        threads: int | None = None,
        illegal: str = "error",
        **options: Any,
    ):
        self.game = chosen(game, preset, options, type(self))
        book = self.game.rulebook
        self.illegal = if_illegal(illegal)
        self.matches: Against = self.game.against(
            n, seats_of(self.game, players), seat=seat, bots=bots, reward=reward, final_obs=True, threads=threads,
            seeds=np.arange(n) + seed,
        )  # fmt: skip
        super().__init__(n, features_space(self.game), spaces.Discrete(book.actions))
        self._begun, self._length = time.monotonic(), np.zeros(n, np.int64)
        self._actions: NDArray[Any] = np.zeros(n, np.int64)

    def reset(self) -> NDArray[np.float32]:
        """Deal anew everywhere; after `seed(k)` row i the match of seed k + i. Gives the features, (n, F)."""
        given = [seed for seed in self._seeds if seed is not None]
        self.matches.reset(seeds=np.array(self._seeds, np.int64) if len(given) == self.num_envs else None)
        self._reset_seeds()
        self._reset_options()
        self._length[:] = 0
        return self.matches.obs.copy()

    def step_async(self, actions: Any) -> None:
        """The learners' actions, integers (n,)."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """What comes of them: features (n, F), rewards (n,), which matches ended (n,), and an info a match. Raises BadSetup,
        Illegal."""
        v = self.matches
        actions = self._actions
        if self.illegal == "random":
            legal = v.mask[np.arange(v.n), actions]
            actions = np.where(legal, actions, v.sample()) if not legal.all() else actions
        v.step(actions)
        self._length += 1
        infos: list[dict[str, Any]] = [{} for _ in range(v.n)]
        rows = np.flatnonzero(v.done)
        if len(rows):
            last, spent = v.final_obs[rows, v.was[rows]], round(time.monotonic() - self._begun, 6)
            for k, i in enumerate(rows.tolist()):
                episode = {"r": float(v.reward[i, v.was[i]]), "l": int(self._length[i]), "t": spent}
                infos[i] = {"terminal_observation": last[k], "episode": episode, "TimeLimit.truncated": False}
            self._length[rows] = 0
        return v.obs.copy(), v.gain.copy(), v.done.copy(), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, bool (n, A)."""
        return self.matches.mask.copy()

    def close(self) -> None:
        """End the threads."""
        self.matches.close()

    # --- what a VecEnv of several environments has ---

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Give an attribute that all rows share, once a row."""
        rows = list(self._get_indices(indices))
        if attr_name == "render_mode":
            return [None] * len(rows)
        if attr_name in ("render", MASKS, "seed", "matches", "game"):
            return [getattr(self, attr_name)] * len(rows)
        raise AttributeError(f"An environment of Outbid has no {attr_name}.")

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """`bots`: who holds the other seats from the next deals on, in all rows. Raises BadSetup."""
        if attr_name != "bots" or indices is not None:
            raise BadSetup(f"{attr_name} cannot be set; what can is bots, for all rows.")
        self.matches.bots = value

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """`action_masks`, for each row."""
        if method_name != MASKS:
            raise BadSetup(f"An environment of Outbid has no method {method_name}; it has {MASKS}.")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Whether there are wrappers: only that of `Monitor` seems to be, since episodes are told of."""
        monitored = wrapper_class.__name__ == "Monitor"
        return [monitored] * len(list(self._get_indices(indices)))

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """None: there are no pictures."""
        return [None] * self.num_envs


vec_env = BatchVecEnv


class Standardised(BaseFeaturesExtractor):  # type: ignore[misc]
    """Features with mean 0 and deviation 1, cut off at ±5, as examples/train_ppo.py has them: what is rare or small counts
    as much as the rest. mean, scale: (F,); none: features as they are."""

    def __init__(self, observation_space: spaces.Box, mean: Any = None, scale: Any = None):
        features = int(observation_space.shape[0])
        super().__init__(observation_space, features)
        self.register_buffer("mean", torch.zeros(features) if mean is None else torch.as_tensor(mean))
        self.register_buffer("scale", torch.ones(features) if scale is None else torch.as_tensor(scale))

    def forward(self, obs: Any) -> Any:
        """Standardise rows of features."""
        return ((obs - self.mean) * self.scale).clamp(-inference.WIDEST, inference.WIDEST)


def policy_kwargs(units: int = 128, env: BatchVecEnv | None = None) -> dict[str, Any]:
    """`policy_kwargs` of a policy that `save` can write: two layers of rectified units for the policy, two for the value.
    env: some random play in it says how wide each feature spreads, by which all are standardised."""
    settings: dict[str, Any] = {"activation_fn": torch.nn.ReLU, "net_arch": [units, units]}
    if env is not None:
        seen = [env.reset()]
        for _ in range(LOOKS):
            env.step_async(env.matches.sample())
            seen.append(env.step_wait()[0])
        obs = np.concatenate(seen)
        spread = {"mean": obs.mean(0), "scale": 1 / np.maximum(obs.std(0), 1e-2)}
        settings |= {"features_extractor_class": Standardised, "features_extractor_kwargs": spread}
    return settings


def save(model: Any, path: str | Path, game: Game | None = None) -> Path:
    """Write what a model has learned, so that it plays as `net@PATH`: it draws its actions as the model does.

    model: of `MlpPolicy` with `policy_kwargs()`, as MaskablePPO, PPO and A2C have it. game: None: that of its environment.
    Raises BadSetup."""
    policy = model.policy
    body = list(getattr(getattr(policy, "mlp_extractor", None), "policy_net", ()))
    kinds = [type(layer) for layer in body]
    if kinds != [torch.nn.Linear, torch.nn.ReLU] * 2 or not isinstance(getattr(policy, "action_net", None), torch.nn.Linear):
        names = ", ".join(kind.__name__ for kind in kinds) or type(policy).__name__
        raise BadSetup(
            f"A net that plays has two layers of rectified units, not {names}; make the model with "
            "policy_kwargs=stable_baselines.policy_kwargs(), or let it play as a function, MODULE:NAME."
        )
    if game is None:
        game = model.get_env().get_attr("game")[0]
    linear = (body[0], body[2], policy.action_net)
    layers = [(layer.weight.detach().cpu().numpy(), layer.bias.detach().cpu().numpy()) for layer in linear]
    seen = None
    if isinstance(policy.features_extractor, Standardised):
        seen = policy.features_extractor.mean.cpu().numpy(), policy.features_extractor.scale.cpu().numpy()
    return write(path, game, layers, {"trained": f"{type(model).__name__}, {model.num_timesteps:,} steps"}, seen)
