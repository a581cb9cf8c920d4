"""Families of instances: a game with values, numbers of cards and their order drawn, so that nobody knows it by heart.

    game = family("kuhhandel", split="train", seed=7)      # a Game with its own options, playable for all numbers of players
    split_of(game)                                         # "train"

families.toml says what is drawn from where; all else is as in the preset `seed`. An instance belongs to one of the splits by
the hash of its options: no instance of training is ever one of the test, whatever the seeds are.
"""

import hashlib
import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from outbid.core.chance import below, stream
from outbid.core.errors import BadOption, BadSetup
from outbid.core.rulebook import Rulebook, rulebook
from outbid.facade import Game

SPLITS = ("train", "test")
DRAWN = 1 << 45  # streams: of instances


@cache
def ranges() -> dict[str, dict[str, dict[str, Any]]]:
    """What is drawn, by game and option."""
    text = Path(__file__).with_name("families.toml").read_text(encoding="utf-8")
    drawn: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(text)
    return drawn


def family(game: str, split: str, seed: int) -> Game:
    """An instance of a game. split: "train" or "test". The same seed gives the same instance. Raises BadSetup."""
    book = rulebook(game)
    if book.id not in ranges():
        raise BadSetup(f"{book.title} has no instances; there are those of {', '.join(ranges())}.")
    if split not in SPLITS:
        raise BadSetup(f"There is no split {split!r}; there are {' and '.join(SPLITS)}.")
    number = 0
    while True:
        instance = Game(book, book.preset("seed") | options_of(book, stream(stream(seed, DRAWN), number)))
        if split_of(instance) == split and playable(instance):
            return instance
        number += 1


def split_of(game: Game) -> str:
    """The split that an instance belongs to."""
    drawn = {name: game.options.get(name) for name in ranges()[game.rulebook.id]}
    return SPLITS[hashlib.sha256(json.dumps(drawn, sort_keys=True).encode()).digest()[0] % 2]


def playable(game: Game) -> bool:
    """Whether it can be dealt and played for every number of players."""
    low, high = game.rulebook.players
    try:
        for players in range(low, high + 1):
            game.rulebook.check_players(players, game.options)
    except BadOption:
        return False
    return True


def options_of(book: Rulebook, seed: int) -> dict[str, Any]:
    """The options that a seed draws, whatever their split."""
    options: dict[str, Any] = {}
    for place, (name, drawn) in enumerate(ranges()[book.id].items()):
        r, single = stream(seed, place), isinstance(drawn["low"], int)
        lows, highs = ([drawn[key]] if single else drawn[key] for key in ("low", "high"))
        step, numbers = drawn.get("step", 1), list[int]()
        for k, (low, high) in enumerate(zip(lows, highs, strict=True)):
            numbers.append(low + step * below(stream(r, k), (high - low) // step + 1))
        if drawn.get("order") == "sorted":
            numbers.sort()
        if drawn.get("order") == "shuffled":
            for k in range(len(numbers) - 1, 0, -1):
                other = below(stream(r, len(numbers) + k), k + 1)
                numbers[k], numbers[other] = numbers[other], numbers[k]
        options[name] = numbers[0] if single else numbers
    return options
