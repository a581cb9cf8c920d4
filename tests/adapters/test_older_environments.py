"""Environments of older versions: what their names make is what they were, byte for byte; elsewhere they are refused."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

import outbid
from tests.support.lazily import Lazy

pettingzoo = Lazy("outbid.adapters.pettingzoo", "pettingzoo is not installed")
pyspiel = Lazy("pyspiel", "open_spiel is not installed")

STEPS = 300

# each taken with the code of the commit before the one that raised the version
WERE = [
    ("rivals-v1", {"players": 2}, "9e8dbf47e744b289"),
    ("rivals-v1", {"players": 4, "reward": "margin"}, "3df8358ba3000ce5"),
    ("claim-v1", {"players": 2}, "9d7e61324996b421"),
    ("claim-v1", {"players": 4, "reward": "margin"}, "7c6d030559d22b3c"),
    ("claim-v1", {"players": 3, "preset": "everything", "reward": "score"}, "f40e6de637e91640"),
    ("claim-v1", {"players": 2, "preset": "everything"}, "d1f9ae16a78032b4"),
    ("forex-v1", {"players": 3}, "2c7b280f96e795c9"),
    ("forex-v1", {"players": 5, "reward": "margin"}, "02801d6bcaef930a"),
]


def digest(env) -> str:
    """A hash of features, masks, actions and rewards of STEPS steps, match after match."""
    told, seed = hashlib.sha256(), 0
    env.reset(seed=seed)
    for k in range(STEPS):
        if all(env.terminations.values()):
            seed += 1
            env.reset(seed=seed)
        seen, *_ = env.last()
        legal = np.flatnonzero(seen["action_mask"])
        action = int(legal[k * 7919 % len(legal)])
        told.update(seen["observation"].tobytes() + seen["action_mask"].tobytes() + bytes([action]))
        env.step(action)
        told.update(np.array([env.rewards.get(agent, 0) for agent in env.possible_agents], np.float32).tobytes())
    return told.hexdigest()[:16]


@pytest.mark.parametrize(("name", "how", "was"), WERE)
def test_an_older_environment_is_what_it_was_byte_for_byte(name, how, was):
    env = pettingzoo.env(name, **how)
    assert env.metadata["name"] == name.replace("-", "_")
    assert digest(env) == was


@pytest.mark.parametrize(("name", "how", "was"), [WERE[0], WERE[4], WERE[6]])
def test_the_newest_is_another(name, how, was):
    assert digest(pettingzoo.env(name.replace("v1", "v2"), **how)) != was


@pytest.mark.parametrize(
    ("name", "how", "says"),
    [
        ("claim-v1", {"preset": "duel"},
         'claim-v1 sets hand_cap = 13, two_players = "printed"; with two_players = "duel" the environment is claim-v2.'),
        ("rivals-v1", {"pile_distribution": False},
         "rivals-v1 sets pile_distribution = true; with pile_distribution = false the environment is rivals-v2."),
        ("rivals-v3", {}, "There is no environment 'rivals-v3'; there is rivals-v1 and rivals-v2."),
    ],
)  # fmt: skip
def test_where_options_make_another_environment_its_name_is_refused_with_them(name, how, says):
    for door in (outbid.game, pettingzoo.env):
        with pytest.raises(outbid.BadSetup) as refused:
            door(name, **how)
        assert str(refused.value) == says


def test_openspiel_has_every_version_by_its_name():
    __import__("outbid.adapters.openspiel")
    for name, short, options in [
        ("outbid_rivals", "outbid_rivals_v2", {}),
        ("outbid_rivals_v2", "outbid_rivals_v2", {}),
        ("outbid_rivals_v1", "outbid_rivals_v1", {"pile_distribution": True}),
    ]:
        game = pyspiel.load_game(name)
        assert game.get_type().short_name == short
        assert str(game).startswith(short + "(")
        assert game.rules.options == options
    with pytest.raises(outbid.BadSetup, match="with two_players = \"duel\" the environment is claim-v2"):
        pyspiel.load_game("outbid_claim_v1(preset=duel)")
