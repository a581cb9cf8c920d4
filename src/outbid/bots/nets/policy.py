"""Policy nets: what to do, from what a seat sees, learned by playing against themselves (compiled/inference.py).

    policy(rulebook)          the shipped net of a game, if it has one; examples/train_ppo.py writes games/<game>/policy.npz
    net.priors(state, seat)    from Python: the legal actions and how likely it takes each
    write(path, game, layers) a net that was trained elsewhere, to play as net@FILE

The bot `net` (policy_bot.py) and the arena (runs/loops/matches.py) do as such a net likes, in compiled loops
(net_policy.py).
"""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from outbid.bots.nets.weights import Shipped
from outbid.compiled import inference
from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.facade import Game

LAYERS = ("mean", "scale", "body.0.weight", "body.0.bias", "body.2.weight", "body.2.bias", "policy.weight", "policy.bias")
LEADS = 1.25  # times an equal share, taken from the heuristic: from there a search begins with the net's move


class PolicyNet(Shipped):
    """A policy net of a game."""

    FILE = "policy.npz"

    @property
    def units(self) -> int:
        """Units of a layer."""
        return len(self.arrays["body.0.bias"])

    def leads(self, players: int) -> bool:
        """Whether it takes clearly more from the heuristic than an equal share, alone among so many."""
        share, *_interval = self.facts["share"][self.facts["players"].index(players)]
        return bool(share > LEADS / players)

    @cached_property
    def weights(self) -> NDArray[np.float32]:
        """All in one row, (W,), as inference.py has them."""
        mean, scale, first, bias = (self.arrays[name] for name in LAYERS[:4])
        base = bias + first @ np.clip(-mean * scale, -inference.WIDEST, inference.WIDEST)
        parts = [self.arrays[name] for name in LAYERS]
        parts[2], parts[3], parts[4] = first.T, base, parts[4].T  # rows of outputs in PyTorch, of inputs in inference.py
        return np.concatenate([part.ravel() for part in parts])

    def priors(self, state: Any, seat: int) -> tuple[list[int], NDArray[np.float64]]:
        """The k legal actions of an asked seat in a state that is whole or hidden for it, and how likely each is, (k,)."""
        out, obs = [0] * (self.rulebook.actions + 64), [0.0] * self.rulebook.features
        actions = out[: contract.legal(state, seat, out)]
        contract.observe(state, seat, obs)
        mean, scale, first, first_bias, second, second_bias, last, last_bias = (self.arrays[name] for name in LAYERS)
        seen = np.clip((np.array(obs, np.float32) - mean) * scale, -inference.WIDEST, inference.WIDEST)
        layer = np.maximum(second @ np.maximum(first @ seen + first_bias, 0) + second_bias, 0)
        logits = (last @ layer + last_bias)[actions].astype(float)
        likely = np.exp(logits - logits.max())
        return actions, likely / likely.sum()


policy = PolicyNet.of


def write(
    path: str | Path, game: Game, layers: Sequence[tuple[ArrayLike, ArrayLike]], facts: Mapping[str, Any] | None = None,
    seen: tuple[ArrayLike, ArrayLike] | None = None,
) -> Path:  # fmt: skip
    """Write a net that was trained elsewhere, so that it plays as `net@FILE`, under the rules of the game.

    layers: two hidden ones with rectified units and the one that gives the actions, each weights (out, in) and bias (out,),
    as PyTorch has them: features → H → H → actions. facts: what else is to be known of it. seen: mean and scale (F,) by
    which the net has its features standardised, (obs − mean) · scale, cut off at ±5; None: as they are. Raises BadSetup.
    """
    book = game.rulebook
    arrays = [(np.asarray(weights, np.float32), np.asarray(bias, np.float32)) for weights, bias in layers]
    shapes = [weights.shape for weights, _ in arrays]
    if len(arrays) != 3 or (shapes[0][1], shapes[-1][0]) != (book.features, book.actions):
        wanted = f"{book.features} → H → H → {book.actions}"
        raise BadSetup(f"The net has the layers {shapes}; as a bot in {book.title} it has three, {wanted}.")
    units = max(shapes[0][0], shapes[1][0])
    tensors: dict[str, Any] = {}
    for name, (weights, bias), rows, columns in zip(
        ("body.0", "body.2", "policy"), arrays, (units, units, book.actions), (book.features, units, units), strict=True
    ):
        tensors[f"{name}.weight"] = np.zeros((rows, columns), np.float32)
        tensors[f"{name}.weight"][: weights.shape[0], : weights.shape[1]] = weights
        tensors[f"{name}.bias"] = np.zeros(rows, np.float32)
        tensors[f"{name}.bias"][: len(bias)] = bias
    if seen is None:
        widest = np.maximum(np.abs(book.observation.low), np.abs(book.observation.high))
        scale = np.minimum(1, inference.WIDEST / np.maximum(widest, 1e-9)).astype(np.float32)  # so that none is cut off
        tensors["body.0.weight"] /= scale
        tensors |= {"mean": np.zeros(book.features, np.float32), "scale": scale}
    else:
        tensors |= {name: np.asarray(array, np.float32) for name, array in zip(("mean", "scale"), seen, strict=True)}
    known = {"game": book.id, "environment": book.environment_id, "features": book.features, "presets": [game.options]}
    path = Path(path)
    with path.open("wb") as file:
        np.savez_compressed(file, facts=json.dumps({**(facts or {}), **known}), **tensors)
    return path
