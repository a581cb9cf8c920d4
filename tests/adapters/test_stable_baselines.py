"""Stable-Baselines3 and MaskablePPO on compiled batches: masks, ends, what was trained plays, and it learns."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

import outbid
from outbid.bots import load_bot, naming
from outbid.compiled.single_agent import Against
from outbid.core.rulebook import rulebooks
from tests.support.lazily import Lazy

WHY = "Stable-Baselines3 and PyTorch are not installed: pip install 'outbid[train]'"
torch, sb3_contrib, stable_baselines3 = (Lazy(name, WHY) for name in ("torch", "sb3_contrib", "stable_baselines3"))
evaluation, vec_envs = (Lazy(f"stable_baselines3.common.{name}", WHY) for name in ("evaluation", "vec_env"))
adapter = Lazy("outbid.adapters.stable_baselines", WHY)

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)
    assert stable_baselines3.PPO
    assert sb3_contrib.MaskablePPO  # or the test is skipped
    with naming.BOTS.apart():
        yield


def trained(env, steps, **how):
    model = sb3_contrib.MaskablePPO(
        "MlpPolicy", env, n_steps=32, batch_size=1024, seed=1, policy_kwargs=adapter.policy_kwargs(64), device="cpu", **how
    )
    return model.learn(steps)


def test_the_rows_are_those_of_a_batch_and_an_end_is_told_as_stable_baselines_wants_it():
    env = adapter.vec_env("rivals", 8, players=2, seat=None, reward="score", seed=5)
    twin = outbid.game("rivals").against(8, 2, seat=None, reward="score", seeds=np.arange(8) + 5, final_obs=True)
    env.seed(5)
    np.testing.assert_array_equal(env.reset(), twin.obs)
    length, ends = np.zeros(8, int), 0
    for _ in range(120):
        np.testing.assert_array_equal(np.stack(env.env_method("action_masks")), twin.mask)
        actions = twin.sample()
        obs, paid, done, infos = env.step(actions)
        twin.step(actions)
        length += 1
        for i in range(8):
            assert ("terminal_observation" in infos[i]) == twin.done[i]
            if twin.done[i]:
                ends += 1
                assert infos[i]["episode"]["l"] == length[i]
                assert infos[i]["episode"]["r"] == paid[i] == twin.gain[i]
                np.testing.assert_array_equal(infos[i]["terminal_observation"], twin.final_obs[i, twin.was[i]])
                length[i] = 0
        np.testing.assert_array_equal(obs, twin.obs)
        np.testing.assert_array_equal(done, twin.done)
    assert ends > 2


@pytest.mark.parametrize("game", ["sealed", pytest.param("rivals", marks=pytest.mark.deep)])
def test_maskable_ppo_learns_a_little_and_plays_as_net(game, tmp_path):
    env = adapter.vec_env(game, 32, bots="random", reward="margin")
    model = trained(vec_envs.VecMonitor(env), 32 * 32 * 2)
    assert len(model.ep_info_buffer) > 0
    obs = env.reset()
    mask = env.action_masks()
    net = load_bot(f"net@{adapter.save(model, tmp_path / 'net.npz')}").of(outbid.game(game).rulebook)
    wanted = model.policy.get_distribution(torch.from_numpy(obs), action_masks=mask).distribution.probs.detach().numpy()
    for i in range(8):
        state = net.rulebook.plain.from_record(env.matches.states, i)
        actions, chances = net.priors(state, int(env.matches.actor[i]))
        np.testing.assert_allclose(chances, wanted[i, actions], atol=2e-3)
    v = outbid.game(game).against(8, net.rulebook.players[0], bots=f"net@{tmp_path / 'net.npz'}", seat=0)
    v.step(v.sample())


def test_evaluation_wrappers_and_an_algorithm_without_masks_run():
    env = adapter.vec_env("rivals", 8, reward="margin", illegal="random")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapped = vec_envs.VecNormalize(env)
        model = stable_baselines3.PPO("MlpPolicy", wrapped, n_steps=16, batch_size=64, device="cpu", seed=1).learn(8 * 16)
    assert np.isfinite(evaluation.evaluate_policy(model, env, n_eval_episodes=4)[0])
    env.set_attr("bots", "random")
    assert env.matches.bots == "random"
    env.close()


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"game": "chess"}, "There is no game"),
        ({"illegal": "never"}, "illegal is"),
        ({"bots": "genius"}, "no bot 'genius'"),
        ({"players": 9}, "players"),
        ({"speed": 1}, "has no option"),
    ],
)
def test_a_wrong_environment_is_one_sentence(how, says):
    with pytest.raises(outbid.OutbidError, match=says):
        adapter.vec_env(**{"game": "rivals", "n": 2, **how})


def test_wrong_actions_and_a_policy_that_cannot_be_written_are_one_sentence(tmp_path):
    env = adapter.vec_env("rivals", 4)
    env.reset()
    with pytest.raises(outbid.Illegal):
        env.step(np.argmin(env.action_masks(), axis=1))
    with pytest.raises(AttributeError, match="has no wings"):
        env.get_attr("wings")
    model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=8, device="cpu")
    with pytest.raises(outbid.BadSetup, match="two layers of rectified units, not Linear, Tanh"):
        adapter.save(model, tmp_path / "net.npz")


@pytest.mark.deep
def test_maskable_ppo_learns_to_win_matches_from_easy_of_which_a_beginner_wins_none():
    env = adapter.vec_env("rivals", 256, players=2, bots="easy", reward="margin")
    model = trained(vec_envs.VecMonitor(env), 350_000, learning_rate=1e-3, ent_coef=0.01, n_epochs=3)
    wins = adapter.vec_env("rivals", 256, players=2, bots="easy", reward="win", seed=1 << 40)
    shares = []
    obs = wins.reset()
    while len(shares) < 512:
        actions, _ = model.predict(obs, action_masks=wins.action_masks())
        obs, _, _, infos = wins.step(actions)
        shares += [info["episode"]["r"] for info in infos if info]
    assert np.mean(shares) > 0.1


def test_a_policy_with_standardised_features_likes_what_its_saved_net_likes(tmp_path):
    from outbid.bots.nets.policy import PolicyNet

    env = adapter.vec_env("rivals", 8, players=2, bots="easy")
    kwargs = adapter.policy_kwargs(32, env)
    assert kwargs["features_extractor_kwargs"]["scale"].max() > 1  # rare features are made wider
    model = sb3_contrib.MaskablePPO(
        "MlpPolicy", env, n_steps=8, batch_size=64, n_epochs=1, seed=1, policy_kwargs=kwargs, device="cpu"
    ).learn(64)
    book = rulebooks()["rivals"]
    net = PolicyNet.load(book, adapter.save(model, tmp_path / "net.npz"))
    obs, mask = env.reset(), env.action_masks()
    with torch.no_grad():
        wanted = model.policy.get_distribution(torch.from_numpy(obs), mask).distribution.probs.numpy()
    for i in range(8):
        state = book.plain.from_record(env.matches.states, i)
        actions, likely = net.priors(state, int(env.matches.actor[i]))
        np.testing.assert_allclose(wanted[i][actions], likely, atol=1e-4)


@pytest.mark.deep
def test_a_training_that_is_stopped_while_it_is_taught_is_taught_on(tmp_path, monkeypatch, capsys):
    path = Path(__file__).parents[2] / "examples" / "train_maskable.py"
    spec = spec_from_file_location("train_maskable", path)
    example = module_from_spec(spec)
    spec.loader.exec_module(example)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    # 256 steps of 32 matches are taught at a time, three times in half of 40,000
    told = ["x", "--game", "sealed", "--steps", "40000", "--teach", "0.5", "--matches", "32", "--out", str(tmp_path)]
    told += ["--points", "1", "--deals", "4", "--last-deals", "4"]
    monkeypatch.setattr(sys, "argv", [*told, "--go-on"])
    with pytest.raises(SystemExit):
        example.main()
    assert f"no training was stopped in {tmp_path}: there is no stopped.pt" in capsys.readouterr().err
    steady, asked = Against.steady, []

    def interrupted(v, seats):
        asked.append(seats)
        if len(asked) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return steady(v, seats)

    try:
        with monkeypatch.context() as patch:
            patch.setattr(Against, "steady", interrupted)
            patch.setattr(sys, "argv", told)
            example.main()
        assert capsys.readouterr().out.count("taught until") == 1
        assert (tmp_path / "net.npz").exists()
        example.main()
        assert capsys.readouterr().out.count("taught until") == 2
        example.main()
        assert capsys.readouterr().out.count("taught until") == 0
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
