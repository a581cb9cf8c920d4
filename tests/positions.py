"""Positions reached by random play under random options, for tests of every game."""

from __future__ import annotations

import random
from typing import Any

from outbid.engine import contract
from outbid.engine.errors import BadOption
from outbid.engine.options import Option
from outbid.engine.rulebook import Rulebook


def random_value(option: Option, rng: random.Random) -> Any:
    """An allowed value; numbers mostly small."""

    def one() -> int:
        if option.among:
            return rng.choice(option.among)
        steps = (option.high - option.low) // option.step
        return option.low + option.step * rng.randint(0, min(steps, rng.choice((1, 3, 10, steps))))

    if option.size:
        return [one() for _ in range(option.size)]
    if isinstance(option.default, bool):
        return rng.random() < 0.5
    if option.besides and rng.random() < 0.4:
        return rng.choice(option.besides)
    return rng.choice(option.words) if option.words else one()


def random_options(book: Rulebook, rng: random.Random, knobs: bool = True) -> dict[str, Any]:
    """Some options changed, with which as many as there may be can play; often none, sometimes those of a small game."""
    if rng.random() < 0.3:
        return {}
    if book.laboratory and rng.random() < 0.2:
        options = book.preset(rng.choice(sorted(book.laboratory)))
    else:
        options = {o.name: random_value(o, rng) for o in book.options if rng.random() < 0.35 and (knobs or not o.knob)}
    try:
        book.check_players(book.players[1], options)
    except BadOption:
        return random_options(book, rng, knobs)
    return options


def random_setup(book: Rulebook, rng: random.Random, knobs: bool = True, players: int = 0) -> tuple[dict[str, Any], int]:
    """Random options, and a number of players who can play with them."""
    while True:
        options = random_options(book, rng, knobs)
        many = players or rng.randint(*book.seats(options))
        try:
            book.check_players(many, options)
        except BadOption:
            continue
        return options, many


def deal(book: Rulebook, seed: int, knobs: bool = True) -> Any:
    """A fresh match for a random number of players under random options."""
    options, players = random_setup(book, random.Random(seed), knobs)
    state = book.fresh(options)
    contract.deal(state, players, seed)
    return state


def walk(state: Any, seed: int, steps: int) -> Any:
    """Random steps from a state, in place; yields (seat, action) before each."""
    rng = random.Random(seed)
    out = [0] * 256
    for _ in range(steps):
        mask = contract.asked(state)
        if not mask:
            return
        seat = rng.choice([bit for bit in range(8) if mask >> bit & 1])
        n = contract.legal(state, seat, out)
        if n == 0 and mask >> contract.CLOCK & 1:
            continue
        action = rng.choice(out[:n])
        yield seat, action
        contract.apply(state, seat, action)


def position(book: Rulebook, seed: int, longest: int = 4000) -> Any:
    """A random position of a random match, also in the middle of a move."""
    state = deal(book, seed)
    rng = random.Random(seed + 1)
    for _ in walk(state, seed, rng.randint(0, rng.choice((30, 300, longest)))):
        pass
    return state


class Counted(list[Any]):
    """A list whose indices count from the beginning, as those of compiled rules do."""

    def __getitem__(self, at: Any) -> Any:
        assert at >= 0, f"index {at}"
        return super().__getitem__(at)

    def __setitem__(self, at: Any, value: Any) -> None:
        assert at >= 0, f"index {at}"
        super().__setitem__(at, value)


def counted(book: Rulebook, state: Any) -> Any:
    """A copy of a state, of such lists."""
    twin = state.copy()
    for field in book.layout.fields:
        value = getattr(twin, field.name)
        if isinstance(value, list):
            setattr(twin, field.name, Counted(Counted(row) if isinstance(row, list) else row for row in value))
    return twin


def seats(state: Any) -> range:
    """All seats and the spectator."""
    return range(-1, state.players)


def hidden(state: Any, seat: int) -> Any:
    """A hidden copy."""
    twin = state.copy()
    contract.hide(twin, seat)
    return twin


def redealt(state: Any, seat: int, seed: int) -> Any:
    """A copy in which what the seat cannot know is dealt anew."""
    twin = state.copy()
    contract.redeal(twin, seat, seed)
    return twin
