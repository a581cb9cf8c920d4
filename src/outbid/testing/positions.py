"""Positions reached by random play under random options, for tests of every game. The same seed gives the same."""

import random
from collections.abc import Iterator
from typing import Any

from outbid.core import contract
from outbid.core.errors import BadOption
from outbid.core.match import Match
from outbid.core.match import hidden as hidden
from outbid.core.options import Option
from outbid.core.rulebook import Rulebook, whole

UNWRITTEN = -(2**40)  # what no rule writes


class Broken(Exception):
    """A game that breaks the contract; the message is one sentence. rule: the function in which to look for it."""

    def __init__(self, sentence: str, rule: str = ""):
        super().__init__(sentence)
        self.rule = rule


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


def random_options(book: Rulebook, rng: random.Random, tunable: bool = True) -> dict[str, Any]:
    """Some options changed, with which as many as there may be can play; often none, sometimes those of a small game."""
    if rng.random() < 0.3:
        return {}
    if book.laboratory and rng.random() < 0.2:
        options = book.preset(rng.choice(sorted(book.laboratory)))
    else:
        options = {o.name: random_value(o, rng) for o in book.options if rng.random() < 0.35 and (tunable or not o.tunable)}
    try:
        book.check_players(book.players[1], options)
    except BadOption:
        return random_options(book, rng, tunable)
    return options


def random_setup(book: Rulebook, rng: random.Random, tunable: bool = True, players: int = 0) -> tuple[dict[str, Any], int]:
    """Random options, and a number of players who can play with them."""
    while True:
        options = random_options(book, rng, tunable)
        many = players or rng.randint(*book.seats(options))
        try:
            book.check_players(many, options)
        except BadOption:
            continue
        return options, many


def deal(book: Rulebook, seed: int, tunable: bool = True) -> Any:
    """A fresh match for a random number of players under random options."""
    options, players = random_setup(book, random.Random(seed), tunable)
    state = book.fresh(options)
    contract.deal(state, players, seed)
    return state


def places(state: Any) -> list[int]:
    """The seats that are asked, and the clock. Raises Broken if one of them is not there."""
    mask: Any = contract.asked(state)
    if whole(mask) is None or mask < 0:
        raise Broken(f"asked returns {mask!r}; it must return a bit mask of seats.", "asked")
    asked = [bit for bit in range(max(8, mask.bit_length())) if mask >> bit & 1]
    strange = [place for place in asked if place >= state.players and place != contract.CLOCK]
    if strange:
        raise Broken(
            f"asked names seat {strange[0]}; the seats are 0 to {state.players - 1}, and {contract.CLOCK} the clock.",
            "asked",
        )
    return asked


def actions_of(state: Any, place: int) -> list[int]:
    """The legal actions of an asked seat, or of the clock. Raises Broken if legal does not say how many there are."""
    out = [UNWRITTEN] * max(256, state.book.actions + 1)
    n: Any = contract.legal(state, place, out)
    if whole(n) is None:
        raise Broken(f"legal returns {n!r}; it must return how many actions it has written.", "legal")
    if UNWRITTEN in out[:n]:
        raise Broken(f"legal of seat {place} returns {n} and writes {out.index(UNWRITTEN)} actions only.", "legal")
    return out[:n]


def walk(state: Any, seed: int, steps: int, evenly: bool = False) -> Iterator[tuple[int, int]]:
    """Random steps from a state, in place; yields (seat, action) before each. evenly: each kind of move is as likely.
    Raises Broken if nobody can act."""
    rng = random.Random(seed)
    for _ in range(steps):
        asked = places(state)
        if not asked:
            return
        seat = rng.choice(asked)
        legal = actions_of(state, seat)
        if not legal:
            if contract.CLOCK not in asked:
                raise Broken(f"Seat {seat} is asked and has no legal action, and no clock is asked.", "legal")
            continue
        if evenly:
            kinds = [state.book.action_table[action].name.partition(" ")[0] for action in legal]
            chosen = rng.choice(sorted(set(kinds)))
            legal = [action for action, kind in zip(legal, kinds, strict=True) if kind == chosen]
        action = rng.choice(legal)
        yield seat, action
        contract.apply(state, seat, action)


def length(book: Rulebook, seed: int, longest: int = 4000) -> int:
    """How many steps a random position is from the deal, often few."""
    rng = random.Random(seed + 1)
    return rng.randint(0, min(rng.choice((30, 300, longest)), book.longest))


def position(book: Rulebook, seed: int, longest: int = 4000) -> Any:
    """A random position of a random match, also in the middle of a move."""
    state = deal(book, seed)
    for _ in walk(state, seed, length(book, seed, longest)):
        pass
    return state


def playing(book: Rulebook, seed: int, moves: int) -> Iterator[Match]:
    """A random match of at most so many moves: as it is begun, and after each move."""
    rng = random.Random(seed)
    match = Match.new(book, *random_setup(book, rng, tunable=False), seed)
    yield match
    for n in range(moves):
        if match.over:
            break
        seat = rng.choice(places(match.state))
        if actions_of(match.state, seat):
            match.random_move(seat, seed + n)
            yield match
        elif contract.CLOCK not in places(match.state):
            raise Broken(f"Seat {seat} is asked and has no legal action, and no clock is asked.", "legal")


def played(book: Rulebook, seed: int, moves: int) -> Match:
    """A random match at its end, after at most so many moves."""
    *_, match = playing(book, seed, moves)
    return match


def some_moves(book: Rulebook, seed: int) -> int:
    """How many moves a random match has, often few."""
    return random.Random(seed + 2).randint(0, min(70, book.longest))


def some_played(book: Rulebook, seed: int) -> Match:
    """A random match of a random number of moves."""
    return played(book, seed, some_moves(book, seed))


class Counted(list[Any]):
    """A list whose indices count from the beginning, as those of compiled rules do."""

    def __getitem__(self, at: Any) -> Any:
        return super().__getitem__(_inside(at, self))

    def __setitem__(self, at: Any, value: Any) -> None:
        super().__setitem__(_inside(at, self), value)


def _inside(at: Any, row: list[Any]) -> Any:
    if not isinstance(at, slice) and not 0 <= at < len(row):
        raise IndexError(f"the index {at} is out of 0 to {len(row) - 1}")
    return at


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


def redealt(state: Any, seat: int, seed: int) -> Any:
    """A copy in which what the seat cannot know is dealt anew."""
    twin = state.copy()
    contract.redeal(twin, seat, seed)
    return twin
