"""Other people's checks and examples on our environments, unmodified, with what they print: docs/libraries.txt.

    python benchmarks/libraries.py                  # all that are installed
    python benchmarks/libraries.py torchrl tianshou

Nothing here is told to a library that its own documentation does not say; what is not installed is left out and named.
"""

from __future__ import annotations

import importlib
import logging
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version

GAMES = ("claim", "forex", "kuhhandel", "money", "rivals")


def gymnasium() -> None:
    """Its checker, on all games."""
    from gymnasium import make, registry
    from gymnasium.utils.env_checker import check_env

    import outbid.adapters.gymnasium  # noqa: F401 - registers the games

    for game in GAMES:
        name = next(one for one in registry if one.startswith(f"outbid/{game}"))
        check_env(make(name, illegal="random").unwrapped, skip_render_check=True)
        print(f"gymnasium.utils.env_checker.check_env({name}): no complaint")


def pettingzoo() -> None:
    """Its API tests, on all games."""
    from pettingzoo.test import api_test, parallel_api_test

    from outbid.adapters import pettingzoo as door

    for game in GAMES:
        print(f"{game}:")
        api_test(door.env(game), num_cycles=200)
        parallel_api_test(door.parallel_env(game), num_cycles=200)


def stable_baselines3() -> None:
    """Its checker, and its first example: PPO learns, and its policy is evaluated."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_checker import check_env
    from stable_baselines3.common.evaluation import evaluate_policy

    from outbid.adapters.gymnasium import SeatEnv

    env = SeatEnv("rivals", players=2, bots="easy", illegal="random", reward="margin")
    check_env(env)
    print("stable_baselines3.common.env_checker.check_env(rivals): no complaint")
    model = PPO("MlpPolicy", env, n_steps=256, seed=1).learn(512)
    mean, deviation = evaluate_policy(model, env, n_eval_episodes=10, warn=False)
    print(f"{type(model).__name__}, {model.num_timesteps} steps: mean_reward = {mean:.2f} +/- {deviation:.2f}")


def sb3_contrib() -> None:
    """Its example of MaskablePPO, with its own evaluation."""
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy

    from outbid.adapters.gymnasium import SeatEnv

    env = SeatEnv("rivals", players=2, bots="easy", reward="margin")
    model = MaskablePPO("MlpPolicy", env, n_steps=256, gamma=0.4, seed=32).learn(512)
    mean, deviation = evaluate_policy(model, env, n_eval_episodes=10, warn=False)
    print(f"{type(model).__name__}, {model.num_timesteps} steps: mean_reward = {mean:.2f} +/- {deviation:.2f}")


def pufferlib() -> None:
    """Its vectorisation, serial, and its default model."""
    import pufferlib.models
    import pufferlib.vector
    import torch

    from outbid.adapters import pufferlib as door

    vecenv = pufferlib.vector.make(door.env("rivals", n=256, players=2, bots="easy"))
    policy = pufferlib.models.Default(vecenv.driver_env)
    obs, _ = vecenv.reset(seed=1)
    done = 0
    for _ in range(100):
        logits, _value = policy.forward_eval(torch.as_tensor(obs))
        obs, _rewards, over, _late, infos = vecenv.step(logits.argmax(-1).numpy())
        done += int(over.sum())
    print(f"pufferlib.vector.make: {vecenv.num_agents} agents, observations {obs.shape}; 100 steps of its Default model, "
          f"{done} matches ended, infos such as {infos[-1] if infos else {}}")  # fmt: skip


def open_spiel() -> None:
    """Its random simulation, its playthrough, and CFR of its own."""
    import pyspiel
    from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough

    import outbid.adapters.openspiel  # noqa: F401 - registers the games

    for game in GAMES:
        pyspiel.random_sim_test(pyspiel.load_game(f"outbid_{game}(deals=10)"), 1, False, False)
        text = generate_playthrough.playthrough(f"outbid_{game}(deals=10)", action_sequence=None, seed=1)
        print(f"{game}: random_sim_test passed, generate_playthrough wrote {len(text.splitlines()):,} lines")
    small = pyspiel.load_game("outbid_claim(preset=tiny,options=goal:4;copies:3 3 0 0 0 0)")
    solver = cfr.CFRPlusSolver(small)
    for iteration in range(1, 21):
        solver.evaluate_and_update_policy()
        if iteration in (1, 5, 20):
            conv = exploitability.nash_conv(small, solver.average_policy())
            print(f"CFR+, iteration {iteration}: NashConv {conv:.5f}")


def torchrl() -> None:
    """Its specification check of both wrappers, and a rollout."""
    from gymnasium import make, registry
    from torchrl.envs import GymWrapper, PettingZooWrapper, check_env_specs

    import outbid.adapters.gymnasium  # noqa: F401 - registers the games
    from outbid.adapters import pettingzoo as door

    for game in GAMES:
        name = next(one for one in registry if one.startswith(f"outbid/{game}"))
        env = GymWrapper(make(name, illegal="random"))
        check_env_specs(env)
        turns = PettingZooWrapper(door.env(game), use_mask=True)
        check_env_specs(turns)
        together = PettingZooWrapper(door.parallel_env(game), return_state=True)
        check_env_specs(together)
        print(f"{game}: check_env_specs succeeded for GymWrapper and PettingZooWrapper (turn by turn, parallel); "
              f"a rollout has batch size {tuple(turns.rollout(50).batch_size)}")  # fmt: skip


def tianshou() -> None:
    """Its PettingZoo wrapper under its collector, with its masked random policy in every seat."""
    from tianshou.algorithm import MARLRandomDiscreteMaskedOffPolicyAlgorithm as Anybody
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.data import Collector
    from tianshou.env import DummyVectorEnv, PettingZooEnv

    from outbid.adapters import pettingzoo as door

    env = PettingZooEnv(door.env("rivals", players=2))
    players = MultiAgentOffPolicyAlgorithm(algorithms=[Anybody(action_space=env.action_space) for _ in env.agents], env=env)
    venv = DummyVectorEnv([lambda: PettingZooEnv(door.env("rivals", players=2)) for _ in range(4)])
    found = Collector(players, venv).collect(n_episode=8, reset_before_collect=True)
    print(f"tianshou.data.Collector: {found.n_collected_episodes} matches, {found.n_collected_steps} steps")


def supersuit() -> None:
    """Its vector environment of a parallel one."""
    import supersuit as ss

    from outbid.adapters import pettingzoo as door

    for game in GAMES:
        alone = ss.pettingzoo_env_to_vec_env_v1(ss.black_death_v3(door.parallel_env(game, mask="info")))
        many = ss.concat_vec_envs_v1(alone, 4, num_cpus=1, base_class="gymnasium")
        obs, _ = many.reset(seed=1)
        wait = alone.par_env.unwrapped.wait
        print(f"{game}: concat_vec_envs_v1 has observations {obs.shape}, actions {wait + 1} with the one to wait")


LIBRARIES: dict[str, tuple[str, Callable[[], None]]] = {
    "gymnasium": ("gymnasium", gymnasium),
    "pettingzoo": ("pettingzoo", pettingzoo),
    "stable_baselines3": ("stable_baselines3", stable_baselines3),
    "sb3_contrib": ("sb3_contrib", sb3_contrib),
    "pufferlib": ("pufferlib-core", pufferlib),
    "open_spiel": ("open-spiel", open_spiel),
    "torchrl": ("torchrl", torchrl),
    "tianshou": ("tianshou", tianshou),
    "supersuit": ("supersuit", supersuit),
}


def main() -> int:
    """Run those that are named, or all, and print."""
    failed = 0
    logging.disable(logging.INFO)
    warnings.simplefilter("ignore")
    for name in sys.argv[1:] or LIBRARIES:
        package, run = LIBRARIES[name]
        try:
            importlib.import_module(name)
        except ImportError:
            print(f"== {package} is not installed\n")
            continue
        print(f"== {package} {version(package)}: {run.__doc__}")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                run()
        except Exception as error:
            failed += 1
            print(f"FAILED: {type(error).__name__}: {error}")
        print(flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
