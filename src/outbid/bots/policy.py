"""Policy nets: what to do, from what a seat sees, learned by playing against themselves (engine/nets.py).

    policy(rulebook)          the shipped net of a game, if it has one; examples/train_ppo.py writes games/<game>/policy.npz
    net.likes(state, seat)    from Python: the legal actions and how likely it takes each

The bot `net` (alone.py) and the arena (lab/matches.py) do as such a net likes, in compiled loops (learned.py).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots.shipped import Shipped
from outbid.engine import contract, nets

NAME = "net"  # the bot that does as such a net likes
LAYERS = ("mean", "scale", "body.0.weight", "body.0.bias", "body.2.weight", "body.2.bias", "policy.weight", "policy.bias")


class Policy(Shipped):
    """A policy net of a game."""

    FILE = "policy.npz"

    @property
    def units(self) -> int:
        """Units of a layer."""
        return len(self.arrays["body.0.bias"])

    def leads(self, players: int) -> bool:
        """Whether it takes more from the heuristic than an equal share, alone among so many."""
        share, *_interval = self.facts["share"][self.facts["players"].index(players)]
        return bool(share > 1 / players)

    @cached_property
    def weights(self) -> NDArray[np.float32]:
        """As nets.py has them."""
        mean, scale, first, bias = (self.arrays[name] for name in LAYERS[:4])
        base = bias + first @ np.clip(-mean * scale, -nets.WIDEST, nets.WIDEST)
        parts = [self.arrays[name] for name in LAYERS]
        parts[2], parts[3], parts[4] = first.T, base, parts[4].T  # PyTorch has the rows of outputs, nets.py those of inputs
        return np.concatenate([part.ravel() for part in parts])

    def likes(self, state: Any, seat: int) -> tuple[list[int], NDArray[np.float64]]:
        """The legal actions of an asked seat in a state that is whole or hidden for it, and how likely each is."""
        out, obs = [0] * (self.rulebook.actions + 64), [0.0] * self.rulebook.features
        actions = out[: contract.legal(state, seat, out)]
        contract.observe(state, seat, obs)
        mean, scale, first, first_bias, second, second_bias, last, last_bias = (self.arrays[name] for name in LAYERS)
        seen = np.clip((np.array(obs, np.float32) - mean) * scale, -nets.WIDEST, nets.WIDEST)
        layer = np.maximum(second @ np.maximum(first @ seen + first_bias, 0) + second_bias, 0)
        found = (last @ layer + last_bias)[actions].astype(float)
        likely = np.exp(found - found.max())
        return actions, likely / likely.sum()


policy = Policy.of
