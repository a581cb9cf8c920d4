"""What decides how a match goes: the deal, or what the bots draw in it? Then how many matches common deals can save.

    python benchmarks/variances.py                         # every game, 400 deals among steady
    python benchmarks/variances.py --game money --deals 2000 --company easy

Each deal is played twice, by the same bots with other random choices. The covariance of the two matches over the deals is
what the deal decides; divided by the variance it is the part of it, from 0 to 1. Where bots draw nothing both matches are
the same, and the part is 1. Two sets of rules that are compared on common deals share this part at most: it is saved where
the rules do not change play, and the less of it the more they do.
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from outbid.bots import choose, prepare
from outbid.compiled import loops
from outbid.core.chance import stream
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.lab.experiments.measures import MEASURES, USUAL, Seen, TimeModel, columns
from outbid.runs.blocks import Block, observe_match, results
from outbid.runs.replay import play_on

PLAYERS = {"kuhhandel": 4, "money": 4, "rivals": 3, "forex": 3, "claim": 4}
MEASURED = [measure.name for measure in MEASURES if measure.of and measure.name in USUAL]
SEED, OTHER = 1, 2  # of the deals and of the first choices; of the second ones
PART = 20  # deals of a task


def main() -> None:
    """Measure and print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=PLAYERS)
    parser.add_argument("--company", default="steady")
    parser.add_argument("--deals", type=int, default=400)
    given = parser.parse_args()
    games = [given.game] if given.game else [*PLAYERS]
    names = [*MEASURED, "seat share"]
    print(f"| game | {' | '.join(names)} |\n| --- |{' ---: |' * len(names)}", flush=True)
    with ProcessPoolExecutor() as pool:
        for game in games:
            parts = pool.map(partial(matches, game, given.company, given.deals), range(0, given.deals, PART))
            first, second = (np.concatenate(half) for half in zip(*parts, strict=True))
            shown = (f"{share:.2f}" if share is not None else "–" for share in decided(first, second))
            print(f"| {rulebook(game).title}, {PLAYERS[game]} | {' | '.join(shown)} |", flush=True)


def decided(first: NDArray[np.float64], second: NDArray[np.float64]) -> list[float | None]:
    """The part of the variance that the deal decides, by measure; the seats' shares together are the last. first, second:
    (deals, measures + seats). None: there is no variance."""
    apart = [np.array([a, b]) for a, b in zip(first.T, second.T, strict=True)]
    both = [(float(np.cov(pair)[0, 1]), float(pair.var(1, ddof=1).mean())) for pair in apart]
    usual, seats = both[: len(MEASURED)], np.sum(both[len(MEASURED) :], axis=0)
    return [covariance / variance if variance else None for covariance, variance in (*usual, seats)]


def matches(game: str, company: str, deals: int, begin: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Deals from `begin` on, each played twice: rows of measures and seats' shares."""
    os.nice(19 - os.nice(0))
    numbers = range(begin, min(begin + PART, deals))
    first, second = (np.array([played(game, company, number, seed) for number in numbers]) for seed in (SEED, OTHER))
    return first, second


def played(game: str, company: str, number: int, seed: int) -> list[float]:
    """The measures and the seats' shares of a match. seed: of the bots' choices."""
    book, players = rulebook(game), PLAYERS[game]
    names = (company,) * players
    prepare(company, book)
    match = Match.new(book, {}, players, stream(SEED, number), [f"Bot {seat + 1}" for seat in range(players)])
    streams = [stream(stream(seed, number), loops.SEATS_FROM + seat) for seat in range(players)]
    play_on(match, lambda seat: choose(match, seat, company, streams[seat]).actions)
    found = results(book, Block(game, {}, names, seed, 0, 1), False)
    observe_match(book, match, found.rows[0], found.seats[0], found.usage)
    seen = Seen(found.rows, found.seats, TimeModel())
    measured = columns(seen, {})
    return [*(float(measured[name][0]) for name in MEASURED), *map(float, seen.shares[0])]


if __name__ == "__main__":
    main()
