"""What all doors have in common: what is missing is a sentence, games come as they are, critics see all, backends agree."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import outbid
from outbid.core import contract

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")

import outbid.adapters.gymnasium as single  # noqa: E402
from outbid.adapters import pettingzoo  # noqa: E402

DOORS = [
    ("gymnasium", "gymnasium", "research"),
    ("pettingzoo", "pettingzoo", "research"),
    ("openspiel", "pyspiel", "research"),
    ("stable_baselines", "stable_baselines3", "train"),
    ("stable_baselines", "torch", "train"),
    ("pufferlib", "pufferlib", "puffer"),
    ("pufferlib", "gymnasium", "puffer"),
    ("inspect", "inspect_ai", "inspect"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("door", "package", "extra"), DOORS)
def test_a_missing_package_is_one_sentence_with_the_command_that_installs_it(door, package, extra):
    code = f"""if True:
        import sys
        sys.modules[{package!r}] = None
        class Gone:
            def find_spec(self, name, path=None, target=None):
                if name == {package!r}:
                    raise ModuleNotFoundError("No module named " + name, name=name)
        del sys.modules[{package!r}]
        sys.meta_path.insert(0, Gone())
        try:
            import outbid.adapters.{door}
        except ImportError as error:
            print(error)
    """
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert said == f"outbid.adapters.{door} needs the extra {extra}: pip install 'outbid[{extra}]'."


@pytest.mark.slow
@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.parallel_env, single.SeatEnv, single.SeatVectorEnv])
def test_a_game_may_be_given_as_it_is(make):
    game = outbid.game("rivals", "tiny")
    key = {"num_envs": 2} if make is single.SeatVectorEnv else {}
    env = make(game=game, players=2, **key)
    env.reset(seed=1)
    with pytest.raises(outbid.BadSetup, match="has its options already"):
        make(game=game, dead_cards="discard", **key)


def test_a_critic_sees_what_all_seats_observe_and_the_space_says_so(book):
    for make in (pettingzoo.env, pettingzoo.parallel_env):
        env = make(book.id)
        with pytest.raises(outbid.BadSetup, match="reset"):
            env.state()
        env.reset(seed=3)
        state, size = env.state(), book.features
        assert env.state_space.contains(state)
        for seat, agent in enumerate(env.possible_agents):
            row = [0.0] * size
            contract.observe(env.match.hidden(seat), seat, row)
            np.testing.assert_array_equal(state[seat * size : (seat + 1) * size], np.array(row, np.float32))
            assert env.observation_space(agent)["observation"].shape == (size,)


@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.parallel_env])
def test_with_the_mask_in_the_infos_an_observation_is_the_features_alone(make):
    env, twin = make("rivals", players=3, mask="info"), make("rivals", players=3)
    env.reset(seed=2)
    twin.reset(seed=2)
    agent = env.agents[0]
    seen = env.observe(agent) if make is pettingzoo.env else env.reset(seed=2)[0][agent]
    both = twin.observe(agent) if make is pettingzoo.env else twin.reset(seed=2)[0][agent]
    np.testing.assert_array_equal(seen, both["observation"])
    assert env.observation_space(agent).contains(seen)
    with pytest.raises(outbid.BadSetup, match="mask is 'nowhere'"):
        make("rivals", mask="nowhere")


def test_the_mask_of_gymnasium_is_reached_without_and_through_wrappers():
    env = gymnasium.make("outbid/rivals-v2", players=2)
    with pytest.raises(outbid.BadSetup, match="reset"):
        env.step(0)
    env.reset(seed=1)
    assert env.action_masks().any()
    wrapped = gymnasium.make("outbid/rivals-v2", players=2, max_episode_steps=5)
    wrapped.reset(seed=1)
    np.testing.assert_array_equal(wrapped.get_wrapper_attr("action_masks")(), env.action_masks())


@pytest.mark.slow
@pytest.mark.parametrize(
    "how", [{"seat": None, "players": 3, "reward": "score"}, {"seat": 1, "players": 2, "bots": "random"}]
)
def test_a_single_environment_has_the_same_matches_on_either_backend(how):
    plain, compiled = (single.SeatEnv("rivals", compiled=one, **how) for one in (False, True))
    rng, ended = np.random.default_rng(5), 0
    for n in range(4):
        a, b = (env.reset(seed=7 if n == 0 else None) for env in (plain, compiled))
        np.testing.assert_array_equal(a[0], b[0])
        over = False
        while not over:
            np.testing.assert_array_equal(plain.action_masks(), compiled.action_masks())
            assert plain.match.state == compiled.match.state
            action = int(rng.choice(np.flatnonzero(plain.action_masks())))
            (seen, paid, over, _, info), (other, had, done, _, facts) = plain.step(action), compiled.step(action)
            np.testing.assert_array_equal(seen, other)
            assert (paid, over, info["seat"]) == (had, done, facts["seat"])
        assert plain.match.state == compiled.match.state
        assert not compiled.action_masks().any()
        ended += 1
        if n == 1:  # a reset in the middle goes on to the next match, too
            for env in (plain, compiled):
                env.reset()
    assert ended == 4
