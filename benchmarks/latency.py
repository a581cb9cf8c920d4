"""How long bots think about a decision, on one core.

    python benchmarks/latency.py [--only GAME,…] [--preset NAME] [--bots strong,net] [--matches 2] [--markdown]

A bot sits alone among heuristic players, with the fewest and with the most players of each game; its first seat moves. Only
its decisions with a choice are counted. Compiling is done before. Times are of the processor: a busy machine does not make
them longer by waiting, but by what it does to the caches.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from outbid.bots import BOTS, Bot, Seat
from outbid.core import contract
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook, rulebooks
from outbid.runs.seeds import seed_of

GAMES = ("claim", "forex", "kuhhandel", "money", "rivals")
COLUMNS = ("game", "players", "bot", "decisions", "p50", "p90", "p99", "max")


def decisions(book: Rulebook, options: dict[str, Any], players: int, bot: Bot, matches: int) -> Iterator[float]:
    """Milliseconds of each decision."""
    for number in range(matches):
        match = Match.new(book, options, players, seed_of("report", number))
        while not match.over:
            seat = match.asked[0]
            view = Seat.of(match, seat, number)
            if seat == 0 and contract.legal(view.state, seat, [0] * (book.actions + 64)) > 1:
                begin = time.process_time()
                decision = bot.decide(view)
                yield 1000 * (time.process_time() - begin)
            else:
                decision = BOTS["steady"].decide(view)
            match.play_steps(seat, decision.actions)


def row(book: Rulebook, options: dict[str, Any], players: int, name: str, matches: int) -> tuple[Any, ...]:
    """A row of the table."""
    bot = BOTS[name]
    prepare = getattr(bot, "prepare", None)
    if prepare is not None:
        prepare(book)
    list(decisions(book, options, players, bot, 1))
    took = np.array(list(decisions(book, options, players, bot, matches)))
    return book.title, players, name, len(took), *np.percentile(took, [50, 90, 99]), took.max()


def main() -> None:
    """Read the command line and print a table."""
    parser = argparse.ArgumentParser(description="How long bots think about a decision.")
    parser.add_argument("--only", default=",".join(GAMES), help="games, comma-separated")
    parser.add_argument("--preset", help="of the games' options; those without it are left out")
    parser.add_argument("--bots", default="strong", help="bots, comma-separated")
    parser.add_argument("--matches", type=int, default=2, help="of each table")
    parser.add_argument("--markdown", action="store_true", help="print a table for the docs")
    args = parser.parse_args()
    edge, between = ("| ", " | ") if args.markdown else ("", "  ")
    print(edge + between.join(COLUMNS) + edge[::-1] + " (milliseconds)" * (not args.markdown))
    if args.markdown:
        print("| --- " * len(COLUMNS) + "|")
    for game in args.only.split(","):
        book = rulebooks()[game]
        if args.preset and args.preset not in book.presets:
            continue
        options = dict(book.preset(args.preset)) if args.preset else {}
        for players in book.players:
            for name in args.bots.split(","):
                *facts, p50, p90, p99, most = row(book, options, players, name, args.matches)
                cells = [*map(str, facts), *(f"{one:.3g}" for one in (p50, p90, p99, most))]
                print(edge + between.join(cells) + edge[::-1], flush=True)


if __name__ == "__main__":
    main()
