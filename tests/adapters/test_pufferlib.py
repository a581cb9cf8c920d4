"""PufferLib's own vectoriser on a native environment: zero copy, seeds, all seats as agents, its models act."""

from __future__ import annotations

import numpy as np
import pytest

import outbid
from tests.support.lazily import Lazy

WHY = "PufferLib and PyTorch are not installed: pip install 'outbid[puffer]'"
models, vector = Lazy("pufferlib.models", WHY), Lazy("pufferlib.vector", WHY)  # with PyTorch, which takes seconds to import
torch, adapter = Lazy("torch", WHY), Lazy("outbid.adapters.pufferlib", WHY)

pytestmark = pytest.mark.filterwarnings("default")


def test_the_batch_writes_into_pufferlibs_own_arrays_and_plays_the_matches_of_the_seeds():
    vecenv = vector.make(
        adapter.env("rivals", n=8, players=2, reward="score"), backend=vector.Serial, num_envs=2, seed=3
    )
    inner = vecenv.envs[1]
    assert inner.matches.obs.base is not None
    assert np.shares_memory(inner.matches.obs, vecenv.observations)
    twins = [outbid.game("rivals").against(8, 2, seat=None, reward="score", seeds=np.arange(8) + k) for k in (20, 21)]
    obs, _ = vecenv.reset(seed=20)
    ended = 0
    for _ in range(80):
        np.testing.assert_array_equal(obs, np.concatenate([one.obs for one in twins]))
        actions = np.concatenate([one.sample() for one in twins])
        obs, paid, over, late, infos = vecenv.step(actions)
        for k, one in enumerate(twins):
            one.step(actions[8 * k : 8 * k + 8])
        np.testing.assert_array_equal(paid, np.concatenate([one.gain for one in twins]))
        np.testing.assert_array_equal(over, np.concatenate([one.done for one in twins]))
        assert not late.any()
        assert bool(infos) == bool(over.any())
        ended += int(over.sum())
    assert ended > 2
    vecenv.close()


def test_every_seat_is_an_agent_where_nobody_else_plays():
    env = adapter.BatchPufferEnv("sealed", n=4, players=3, bots=None, reward="win")
    env.reset(seed=1)
    assert env.observations.shape == (12, outbid.game("sealed").observation.size)
    total = np.zeros(12)
    ended = 0
    for _ in range(60):
        assert (env.masks == env.action_mask.any(1)).all()
        _, paid, over, _, infos = env.step(np.zeros(12, np.int32))
        total += paid
        ended += int(over.sum()) // 3
        assert (over.reshape(4, 3).all(1) == over.reshape(4, 3).any(1)).all()
        assert all(info["episode_length"] > 0 for info in infos)
    assert ended > 0
    assert total.sum() == pytest.approx(ended, abs=1e-4)


def test_the_mask_may_stand_in_the_observation_and_pufferlibs_default_model_acts_on_it():
    env = adapter.BatchPufferEnv("rivals", n=8, players=2, mask=True)
    obs, _ = env.reset(seed=1)
    features = outbid.game("rivals").observation.size
    model = models.Default(env, hidden_size=32)
    for _ in range(10):
        np.testing.assert_array_equal(obs[:, features:], env.action_mask)
        logits, _value = model.forward_eval(torch.from_numpy(obs))
        actions = torch.distributions.Categorical(logits=logits).sample()
        obs, *_ = env.step(actions.numpy())


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"game": "chess"}, "There is no game"),
        ({"illegal": "never"}, "illegal is"),
        ({"bots": ["steady", "steady"]}, "There must be 1 bot,"),
        ({"speed": 1}, "has no option"),
    ],
)
def test_a_wrong_environment_is_one_sentence(how, says):
    with pytest.raises(outbid.OutbidError, match=says):
        adapter.BatchPufferEnv(**{"game": "rivals", "n": 2, "players": 2, **how})


def test_an_illegal_action_is_an_error_where_that_is_wanted():
    env = adapter.BatchPufferEnv("rivals", n=2, illegal="error")
    env.reset(seed=1)
    with pytest.raises(outbid.Illegal):
        env.step(env.action_mask.argmin(1))
