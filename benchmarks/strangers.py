"""Whether bots hold among strangers, and under every single changed option:

    python benchmarks/strangers.py [--games GAME,…] [--players 3,4] [--bots strong*0.25,steady] [--strangers 20]
                                   [--deals 60] [--purpose selection] [--seed 0] [--ledger FILE]
    python benchmarks/strangers.py --options [--tunable] [--only overbid,payment] [--others steady] [--deals 10] …

Among strangers (lab/strangers.py) each of the bots sits alone, in every seat of the same deals; a cell is a game and a
number of players. With --options the first of the bots sits alone among `--others`, at the defaults and with each option
changed by itself. Printed are the share of the victory, its 95 % interval, processor seconds a match, and whether a bot
plays without its nets. The purpose is that of the seeds (runs/seeds.py): what is chosen by `selection` is measured on
`report`. With --ledger docs/strength.json, `python docs/strength.py` makes the tables of docs/strength.md of it.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from outbid import bots as all_bots
from outbid.bots.personas import without_nets
from outbid.core.rulebook import Rulebook, rulebooks
from outbid.lab.arena import Pairing, one_against_others
from outbid.lab.results_store import ResultsStore
from outbid.lab.strangers import MANY, among, variants
from outbid.runs.seating import budgets
from outbid.runs.seeds import RANGES, place_of, seed_of
from outbid.version import __version__


def main() -> None:
    """Read the command line and measure cell by cell."""
    parser = argparse.ArgumentParser(description="Bots among strangers, and under changed options.")
    parser.add_argument("--games", default="", help="comma-separated; all if left out")
    parser.add_argument("--players", default="", help="comma-separated numbers; all of the game if left out")
    parser.add_argument("--bots", default="strong*0.25,steady", help="each of them alone")
    parser.add_argument("--strangers", type=int, default=MANY, help="how many there are to be met")
    parser.add_argument("--options", action="store_true", help="among --others, with every single option changed")
    parser.add_argument("--tunable", action="store_true", help="the numbers that designers turn, too")
    parser.add_argument("--only", default="", help="only these options, comma-separated")
    parser.add_argument("--others", default="steady", help="among whom options are changed")
    parser.add_argument("--deals", type=int, default=20, help="of a cell, each played from every seat")
    parser.add_argument("--purpose", default="selection", choices=list(RANGES), help="of the seeds")
    parser.add_argument("--seed", type=int, default=0, help="its number among those of the purpose")
    parser.add_argument("--ledger", type=Path, help="a results store that results are added to")
    args = parser.parse_args()
    for book in rulebooks().values():
        if args.games and book.id not in args.games.split(","):
            continue
        for players in range(book.players[0], book.players[1] + 1):
            if not args.players or str(players) in args.players.split(","):
                changed(book, players, args) if args.options else strange(book, players, args)


def strange(book: Rulebook, players: int, args: argparse.Namespace) -> None:
    """A cell: every bot among strangers."""
    for bot in args.bots.split(","):
        begin = time.process_time()
        (found,) = among(book, {}, players, [bot], args.strangers, args.deals, seed_of(args.purpose, args.seed))
        said(book, {}, found, time.process_time() - begin, args)


def changed(book: Rulebook, players: int, args: argparse.Namespace) -> None:
    """A bot among others, at the defaults and with each option changed."""
    bot, seed = args.bots.split(",")[0], seed_of(args.purpose, args.seed)
    only = args.only.split(",") if args.only else None
    for changes in ({}, *variants(book, players, args.tunable)):
        if only is None or not changes or set(changes) & set(only):
            begin = time.process_time()
            found = one_against_others(book, changes, players, bot, args.others, args.deals, seed)
            said(book, changes, found, time.process_time() - begin, args)


def said(book: Rulebook, changes: dict[str, Any], found: Pairing, seconds: float, args: argparse.Namespace) -> None:
    """Print a result, and add it to the results store if there is one."""
    matches = found.deals * found.players
    bare = without_nets(book, all_bots.known(found.bot.partition("*")[0]), changes)
    options = ", ".join(f"{name}={json.dumps(value)}" for name, value in changes.items()) or "defaults"
    notes = f"{seconds / matches:.2f} s a match{', without nets' if bare else ''}"
    said = f"{book.id} {found.players} {options}: {found.bot} among {found.others}: {found.measured}"
    print(f"{said}, {matches} matches, {notes}", flush=True)
    if args.ledger:
        kind = "variant" if args.options else "strangers"
        seeds = place_of(seed_of(args.purpose, args.seed))
        place = {"kind": kind, "game": book.id, "options": book.changed(changes), **seeds}
        playouts = budgets(book, changes, found.players, [found.bot])
        more = {"playouts": playouts, "without_nets": bare, "seconds": round(seconds / matches, 2), "version": __version__}
        ResultsStore(args.ledger).add({**found.as_dict(), **place, **more})


if __name__ == "__main__":
    main()
