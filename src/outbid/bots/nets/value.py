"""Value nets: every seat's chance to win a match as it stands (compiled/inference.py), learned from matches of other bots.

    dataset.py          compiled: plays matches and writes what each seat saw, and how the match ended; trained on by
                        examples/train_value.py, which writes games/<game>/value.npz (float16)
    net(rulebook)       the shipped net of a game, if it has one;  net.fits(state): whether it has seen such rules
    net.chances(state)  from Python, without compiled code
    judge(rulebook)     the net that reviews believe: in Claim another one, which says better how likely a victory is, though
                        a search with it plays worse
    net.believed(state) its chances as victories came among players like those it learned from

A net sees better who is ahead than by how much: `believed` divides its numbers by a temperature, fitted for each number of
players (C. Guo and others, On Calibration of Modern Neural Networks, ICML 2017). A search needs none.

Nets are trained under the presets they name; in matches with other options a look-ahead plays on to the end instead.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots.nets.weights import Shipped
from outbid.core import contract
from outbid.core.rulebook import Rulebook


class Net(Shipped):
    """A value net of a game."""

    FILE = "value.npz"

    @property
    def weights(self) -> NDArray[np.float32]:
        """As inference.py has them."""
        return self.arrays["weights"]

    @cached_property
    def units(self) -> int:
        """Units of a layer."""
        return int(self.facts["units"])

    def chances(self, state: Any) -> tuple[float, ...]:
        """The chance of each seat in a whole state, not hidden."""
        found = np.array([self._strength(state, seat) for seat in range(state.players)])
        found = np.exp(found - found.max())
        return tuple(float(one) for one in found / found.sum())

    def believed(self, state: Any) -> tuple[float, ...]:
        """The chance of each seat in a whole state at the temperature for so many players."""
        held = next(one for one in self.facts["held_out"] if one["players"] == state.players)
        found = np.array(self.chances(state)) ** (1 / held["temperature"])
        return tuple(float(one) for one in found / found.sum())

    def _strength(self, state: Any, seat: int) -> float:
        obs = [0.0] * self.rulebook.features
        contract.observe(state, seat, obs)
        first, first_bias, second, second_bias, last = self.layers
        layer = np.maximum(np.array(obs, np.float32) @ first + first_bias, 0)
        return float(np.maximum(layer @ second + second_bias, 0) @ last)

    @cached_property
    def layers(self) -> list[NDArray[np.float32]]:
        """First layer (F, H) and its bias, second (H, H) and its bias, output (H,)."""
        features, units = self.rulebook.features, self.units
        shapes = [(features, units), (units,), (units, units), (units,), (units,)]
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
        return [part.reshape(shape) for part, shape in zip(np.split(self.weights, ends[:-1]), shapes, strict=True)]


class Judge(Net):
    """One for reviews alone."""

    FILE = "review.npz"


net = Net.of


def judge(book: Rulebook) -> Net | None:
    """The net that reviews believe, if the game has one."""
    return Judge.of(book) or net(book)
