"""Learner steps a processor second through each door of the environment suite, on this machine.

    python benchmarks/doors.py                 # Rivals for two against easy, a table for docs/research.md
    python benchmarks/doors.py --game money --seconds 5

Processor time counts, of all threads, so that other work on the machine disturbs little. The first rows play at random: what
the door itself costs; in PettingZoo and OpenSpiel, and where PufferLib has all seats, each seat is a learner. The last two
learn: MaskablePPO of sb3-contrib, one epoch, on one thread of PyTorch. Libraries that are missing are left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import outbid


def rate(step: Callable[[], int], seconds: float) -> float:
    """Steps a processor second; step: does some, and says how many."""
    step()
    begun, n = time.process_time(), 0
    while time.process_time() - begun < seconds:
        n += step()
    return n / (time.process_time() - begun)


def doors(game: str, players: int, seconds: float) -> Iterator[tuple[str, float]]:
    """The doors and their rates; those whose library is missing are left out."""
    v = outbid.game(game).against(1024, players, bots="easy", seat=None)

    def batch() -> int:
        v.step(v.sample())
        return v.n

    yield "`game.against`, 1,024 matches", rate(batch, seconds)

    def act(obs: Any, mask: Any) -> Any:
        return mask.argmax(1)

    w = outbid.game(game).against(1024, players, bots=act, seat=None)

    def functions() -> int:
        w.step(w.sample())
        return w.n

    yield "the same against a function of (obs, mask)", rate(functions, seconds)
    import gymnasium

    from outbid.adapters.gymnasium import SeatEnv

    name = f"outbid/{outbid.game(game).rulebook.environment_id}"
    envs = gymnasium.make_vec(name, num_envs=1024, players=players, bots="easy")
    envs.reset(seed=1)

    def many() -> int:
        envs.step(envs.action_space.sample())
        return 1024

    yield "Gymnasium, `make_vec`, 1,024", rate(many, seconds)
    one = SeatEnv(game, players=players, bots="easy", compiled=True)
    one.reset(seed=1)
    rng = np.random.default_rng(1)

    def single() -> int:
        if one.step(int(rng.choice(np.flatnonzero(one.action_masks()))))[2]:
            one.reset()
        return 1

    yield "Gymnasium, one environment", rate(single, seconds)
    yield from others(game, players, seconds, rng)
    try:
        import torch
        from sb3_contrib import MaskablePPO

        from outbid.adapters import stable_baselines
    except ImportError:
        return
    torch.set_num_threads(1)
    env = stable_baselines.vec_env(game, 256, players=players, bots="easy")
    how = {"n_epochs": 1, "policy_kwargs": stable_baselines.policy_kwargs()}
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=4096, **how)
    begun, before = time.process_time(), model.num_timesteps
    model.learn(int(seconds * 16_384))
    spent = time.process_time() - begun
    yield "MaskablePPO learns, `stable_baselines.vec_env`, 256", (model.num_timesteps - before) / spent
    inner = SeatEnv(game, players=players, bots="easy", compiled=True)
    alone = MaskablePPO("MlpPolicy", inner, n_steps=512, batch_size=128, n_epochs=1)
    begun = time.process_time()
    alone.learn(1024)
    yield "MaskablePPO learns, one environment", 1024 / (time.process_time() - begun)


def others(game: str, players: int, seconds: float, rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    """PufferLib, PettingZoo and OpenSpiel."""
    try:
        from outbid.adapters import pufferlib

        for bots, said in (("easy", "one learner"), (None, "every seat")):
            puffer = pufferlib.BatchPufferEnv(game, n=1024, players=players, bots=bots)
            puffer.reset(seed=1)
            made = rng.integers(0, puffer.single_action_space.n, (64, puffer.num_agents))

            def row(puffer: Any = puffer, made: Any = made) -> int:
                puffer.step(made[rng.integers(64)])
                return int(np.sum(puffer.masks)) if puffer.masks is not None else puffer.num_agents

            yield f"PufferLib, 1,024, {said}", rate(row, seconds)
    except ImportError:
        pass
    from outbid.adapters import pettingzoo

    turns, all_at_once = pettingzoo.env(game, players=players), pettingzoo.parallel_env(game, players=players)
    turns.reset(seed=1)
    seen_by = [all_at_once.reset(seed=1)[0]]

    def turn() -> int:
        seen, _, over, _, _ = turns.last()
        turns.step(None if over or not seen else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        if not turns.agents:
            turns.reset()
        return 1

    def together() -> int:
        legal = {agent: np.flatnonzero(seen["action_mask"]) for agent, seen in seen_by[0].items()}
        asked = sum(int(actions[0] != all_at_once.wait) for actions in legal.values())
        seen_by[0] = all_at_once.step({agent: int(rng.choice(actions)) for agent, actions in legal.items()})[0]
        if not all_at_once.agents:
            seen_by[0] = all_at_once.reset()[0]
        return asked

    yield "PettingZoo, `env`", rate(turn, seconds)
    yield "PettingZoo, `parallel_env`", rate(together, seconds)
    try:
        import pyspiel

        import outbid.adapters.openspiel  # noqa: F401 - registers the games
    except ImportError:
        return
    spiel = pyspiel.load_game(f"outbid_{game}(players={players},deals=100)")
    state = [spiel.new_initial_state()]

    def spiel_step() -> int:
        if state[0].is_terminal():
            state[0] = spiel.new_initial_state()
        legal = state[0].legal_actions()
        state[0].apply_action(legal[rng.integers(len(legal))])
        if not state[0].is_terminal() and not state[0].is_chance_node():
            state[0].observation_tensor(state[0].current_player())
        return 1

    yield "OpenSpiel, a state in Python", rate(spiel_step, seconds)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--game", default="rivals")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=3.0, help="of processor time, for each row")
    args = parser.parse_args()
    print("| door | learner steps a processor second |\n| --- | --- |")
    for name, found in doors(args.game, args.players, args.seconds):
        print(f"| {name} | {found:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
