"""How well bots hold among strangers, and under changed options.

    found = among(book, {}, players=3, bots=["strong*0.25", "steady"], many=20, deals=60, seed=seed_of("report", 0))
    for changes in variants(book, players=3):           # {"overbid": "forbidden"}, …: each option alone has another value

A stranger (mixed.stranger) plays by the game's own judgement with parameters drawn from wide ranges; `strangers` draws so
many for a seed, others for each purpose of seeds.py. At a table one bot sits with some of them, drawn anew for each deal;
every bot meets the same strangers in the same deals, and sits in every seat of each. The result is a pairing (arena.py)
whose `others` are "20 strangers".
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbid.core.errors import BadSetup, OutbidError
from outbid.core.options import Option
from outbid.core.rulebook import Rulebook
from outbid.lab.arena import Pairing
from outbid.lab.shares import share_of
from outbid.lab.training.mixed import WIDE, stranger
from outbid.runs.runner import play
from outbid.runs.seeds import place_of

MANY = 20  # strangers
PART = 4  # a number that may be large is changed by a quarter


def strangers(book: Rulebook, seed: int, many: int = MANY) -> list[str]:
    """The names of so many strangers, no two of them alike; fewer where the game has no personas."""
    wide = WIDE.get(str(place_of(seed)["seeds"]), WIDE["report"])
    random = np.random.default_rng([seed, *map(ord, book.id)])
    names: dict[str, None] = {}
    for _ in range(100 * many):
        names[stranger(book, random, wide)] = None
        if len(names) == many:
            break
    return list(names)


def called(many: int) -> str:
    """What so many strangers are called in a pairing."""
    return f"{many} strangers"


def among(
    book: Rulebook,
    options: Mapping[str, Any],
    players: int,
    bots: Sequence[str],
    many: int,
    deals: int,
    seed: int,
    **how: Any,
) -> list[Pairing]:
    """Each bot alone among strangers, in every seat of the same deals. how: as `runner.play` takes it. Raises BadSetup."""
    book.check_players(players, options)
    if many < 2:
        raise BadSetup(f"There are {many} strangers; there must be at least two.")
    others, pairings = strangers(book, seed, many), []
    seating = _seating(players, len(others), deals, seed)
    for bot in bots:
        played = play(book, options, players, [bot, *others], seating, seed, **how)
        share = share_of(played.share_of(0), players)
        pairings.append(Pairing(bot, called(many), players, deals, share.mean, share.error))
    return pairings


def _seating(players: int, many: int, deals: int, seed: int) -> NDArray[np.int64]:
    """Number 0 and strangers, none of them twice while there are enough."""
    random = np.random.default_rng([seed, players])
    seating = np.zeros((deals, players), np.int64)
    for row in seating:
        row[1:] = 1 + random.choice(many, players - 1, replace=many < players - 1)
    return seating


def variants(book: Rulebook, players: int, tunable: bool = False) -> Iterator[dict[str, Any]]:
    """Changes of one option each, to every other value; of a number or a list, a step up and a step down. Those that do
    nothing or cannot be played for so many are left out. tunable: those that only a designer turns, too."""
    for option in book.options:
        for value in _others(option) if tunable or not option.tunable else ():
            changes = {option.name: value}
            try:
                book.check_players(players, changes)
                idle = book.lacking(changes, players)
            except OutbidError:
                continue
            if not idle:
                yield changes


def _others(option: Option) -> list[Any]:
    usual = option.default
    if isinstance(usual, bool):
        return [not usual]
    if option.words:
        return [word for word in option.words if word != usual]
    others: list[Any] = [word for word in option.besides if word != usual]
    if option.size:
        return [[*map(step, usual)] for step in (_stepper(option, 1), _stepper(option, -1)) if [*map(step, usual)] != usual]
    number = usual if isinstance(usual, int) else max(option.low, min(option.high, 5))
    others += [value for value in (_stepper(option, way)(number) for way in (1, -1)) if value != usual]
    return list(dict.fromkeys(others))


def _stepper(option: Option, way: int) -> Any:
    """Goes a step up or down from a number, as far as the option allows."""

    def stepped(number: int) -> int:
        if option.among:
            at = option.among.index(number) + way
            return option.among[max(0, min(at, len(option.among) - 1))]
        size = abs(number) // PART if option.high - option.low > 100 else 0
        return max(option.low, min(number + way * max(option.step, size // option.step * option.step), option.high))

    return stepped
