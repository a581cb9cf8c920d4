"""Value nets: every seat's chance to win a match as it stands (compiled/inference.py), learned from matches of other bots.

    dataset.py          compiled: plays matches and writes what each seat saw, and how the match ended; trained on by
                        examples/train_value.py, which writes games/<game>/value.npz (float16)
    net(rulebook)       the shipped net of a game, if it has one;  net.fits(state): whether it has seen such rules
    net.chances(state)  from Python, without compiled code
    judge(rulebook)     the net that reviews believe: one of its own, which learned from mixed company
                        (lab/training/mixed.py) and is told who sits there (company.py)
    after(net, seat, moves)     what a seat may expect after each of some moves, by what it knows
    net.believed(state, told)   its chances as victories came among players like those it learned from

A net sees better who is ahead than by how much: `believed` divides its numbers by a temperature, fitted for each number of
players (C. Guo and others, On Calibration of Modern Neural Networks, ICML 2017). A judge has another one where all seats are
surely the same player: a lead among equals is lost less often, or more, than elsewhere. A search needs none, and knows
nothing of the company: it plays on as its own guesses of who sits there would.

Nets are trained under the presets they name; in matches with other options a look-ahead plays on to the end instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from outbid.bots.nets import company
from outbid.bots.nets.weights import Shipped
from outbid.core import contract
from outbid.core.rulebook import Rulebook

if TYPE_CHECKING:
    from outbid.bots.seat import Seat


class Net(Shipped):
    """A value net of a game."""

    FILE = "value.npz"

    @property
    def weights(self) -> NDArray[np.float32]:
        """All in one row, (W,), as inference.py has them."""
        return self.arrays["weights"]

    @property
    def carries(self) -> tuple[str, ...]:
        """None, if the game says that only its policy net carries over."""
        return self.rulebook.search.carries if self.rulebook.search.value_carries else ()

    @cached_property
    def units(self) -> int:
        """Units of a layer."""
        return int(self.facts["units"])

    def chances(self, state: Any) -> tuple[float, ...]:
        """The chance of each seat in a whole state, not hidden."""
        return _softmax(self.strengths(self.seen(state)))

    def believed(self, state: Any, told: NDArray[np.float64] | None = None) -> tuple[float, ...]:
        """The chance of each seat in a whole state at the temperature for so many players. told: what the moves so far say
        of who sits there, (P, columns) of belief/company.py, if the net asks for it."""
        return _softmax(self.strengths(self.seen(state)) / self.temperature(state.players))

    def temperature(self, players: int) -> float:
        """The one that was fitted."""
        return float(next(row["temperature"] for row in self.facts["held_out"] if row["players"] == players))

    def seen(self, state: Any) -> NDArray[np.float32]:
        """What each seat sees, (P, F)."""
        rows = []
        for seat in range(state.players):
            obs = [0.0] * self.rulebook.features
            contract.observe(state, seat, obs)
            rows.append(obs)
        return np.array(rows, np.float32)

    def strengths(self, seen: NDArray[np.float32]) -> NDArray[np.float32]:
        """The net's numbers (…) for the inputs of seats (…, inputs)."""
        first, first_bias, second, second_bias, last = self.layers
        numbers: NDArray[np.float32] = (
            np.maximum(np.maximum(seen @ first + first_bias, 0) @ second + second_bias, 0) @ last
        )
        return numbers

    @property
    def inputs(self) -> int:
        """How many numbers it is given of a seat."""
        return self.rulebook.features

    @cached_property
    def layers(self) -> list[NDArray[np.float32]]:
        """First layer (inputs, H) and its bias, second (H, H) and its bias, output (H,)."""
        inputs, units = self.inputs, self.units
        shapes = [(inputs, units), (units,), (units, units), (units,), (units,)]
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
        return [part.reshape(shape) for part, shape in zip(np.split(self.weights, ends[:-1]), shapes, strict=True)]


class Judge(Net):
    """One for reviews alone, which is told who sits there: its inputs are what a seat sees, and company.features of it."""

    FILE = "review.npz"

    @property
    def types(self) -> tuple[str, ...]:
        """Whom a player may be; files call them guises."""
        return tuple(self.facts["guises"])

    @property
    def inputs(self) -> int:
        """How many numbers it is given of a seat."""
        return self.rulebook.features + company.width(len(self.types))

    def chances(self, state: Any) -> tuple[float, ...]:
        """The chance of each seat in a whole state, of whose players nothing is known."""
        return self.believed(state)

    def believed(self, state: Any, told: NDArray[np.float64] | None = None) -> tuple[float, ...]:
        """The chance of each seat in a whole state; told: (P, columns), none: nothing is known of anybody."""
        if told is None:
            told = np.zeros((state.players, company.columns(len(self.types))))
        return tuple(map(float, self.among(self.seen(state), told)))

    def among(self, seen: NDArray[np.float32], told: NDArray[Any]) -> NDArray[np.float64]:
        """The chances (…, P) of positions: what seats see, (…, P, F), and what is known of them, (…, P, columns)."""
        known = company.features(told, len(self.types))
        numbers = self.strengths(np.concatenate([seen, known], -1)).astype(np.float64)
        numbers /= self.heat(known)[..., None]
        odds: NDArray[np.float64] = np.exp(numbers - numbers.max(-1, keepdims=True))
        return odds / odds.sum(-1, keepdims=True)

    def heat(self, known: NDArray[np.float32]) -> NDArray[np.float64]:
        """The temperature of positions (…) by company.features of their seats, (…, P, width): the one for so many players,
        times that of the company as far as it is likelier than not that all seats are it, with any persona or none."""
        players = known.shape[-2]
        temperatures = np.full(known.shape[:-2], self.temperature(players))
        odds = company.odds(known, len(self.types))
        for name, factor in self.facts.get("companies", {}).get(str(players), {}).items():
            sure = 2.0 * odds[..., company.alike(self.types, name)].sum(-1).min(-1) - 1.0
            temperatures *= factor ** np.maximum(sure, 0.0)
        return temperatures


net = Net.of


def judge(book: Rulebook) -> Net | None:
    """The net that reviews believe, if the game has one."""
    return Judge.of(book) or net(book)


KNOWN_WORLDS = 8  # that agree with what a seat knows, in which its moves are judged


def after(
    net: Net, seat: Seat, moves: Sequence[Sequence[int]], told: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """What a seat may expect after each of some moves of its own, action ids, in worlds that agree with what it knows,
    (W, M). told: as `Judge.believed` has it."""
    worlds = KNOWN_WORLDS if seat.world(0) != seat.world(1) else 1
    worths = np.zeros((worlds, len(moves)))
    for world in range(worlds):
        for k, actions in enumerate(moves):
            state = seat.world(world)
            for action in actions:
                contract.apply(state, seat.seat, action)
            each = net.believed(state, told) if contract.asked(state) else shares(state)
            worths[world, k] = each[seat.seat]
    return worths


def shares(state: Any) -> NDArray[np.float64]:
    """What each seat has of the victory when the match is over, (P,)."""
    mask = contract.winners(state, [0] * state.players)
    won = np.array([mask >> seat & 1 for seat in range(state.players)], np.float64)
    return won / won.sum()


def _softmax(numbers: NDArray[np.float32]) -> tuple[float, ...]:
    odds = np.exp(numbers - numbers.max())
    return tuple(float(part) for part in odds / odds.sum())
