"""Write the tables of docs/bots.md from the ledger docs/strength.json: `python docs/strength.py`.

    python docs/strength.py --missing                                  # what is wanted and not in the ledger, as commands
    python docs/strength.py --measure [--game claim] [--minutes 60]    # plays that, and writes the tables

A table stands between its two marks, `<!-- table: NAME -->` and `<!-- end of table -->`; the rest of the page is written by
hand. What is wanted is WANTED. A test compares the page with the ledger.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from outbid.engine.rulebook import rulebook, rulebooks
from outbid.lab.arena import arena
from outbid.lab.ledger import Ledger
from outbid.lab.seeds import seed_of

PAGE = Path(__file__).parent / "bots.md"
LEDGER = Path(__file__).parent / "strength.json"
TABLE = re.compile(r"<!-- table: ([a-z-]+) -->\n(.*?)<!-- end of table -->", re.DOTALL)
MATCHES = 2000  # of a pairing, at least
WANTED = (("strong", "steady"), ("steady", "strong"), ("steady", "random"), ("random", "steady"))  # alone; among those

Results = Sequence[Mapping[str, Any]]


class Pair(NamedTuple):
    """A pairing that is wanted."""

    game: str
    players: int
    bot: str
    others: str

    @property
    def deals(self) -> int:
        """So many that there are MATCHES."""
        return -(-MATCHES // self.players)

    @property
    def command(self) -> str:
        """What plays it."""
        return (
            f"outbid arena {self.game} --players {self.players} --games {self.deals} --bots {self.bot},{self.others} "
            f"--alone {self.bot} --ledger docs/strength.json"
        )


def wanted(game: str = "") -> Iterator[Pair]:
    """Every pairing that should be in the ledger, of one game or all."""
    for book in rulebooks().values():
        if game in ("", book.id):
            for players in range(book.players[0], book.players[1] + 1):
                yield from (Pair(book.id, players, *pair) for pair in WANTED)


def missing(results: Results, game: str = "") -> list[Pair]:
    """Those that are not there, for the game as it is played without options."""
    there = {
        (one["game"], one["players"], one["bot"], one["others"])
        for one in results
        if one["kind"] == "pairing" and not one["options"] and one["seeds"] == "report"
    }
    return [pair for pair in wanted(game) if pair not in there]


def written(page: str, results: Results) -> str:
    """The page with its tables anew."""
    return TABLE.sub(lambda found: f"<!-- table: {found[1]} -->\n{_table(found[1], results)}<!-- end of table -->", page)


def _table(name: str, results: Results) -> str:
    kind, heads, row = TABLES[name]
    rows = [row(one) for one in results if one["kind"] == kind and one["seeds"] == "report"]
    if not rows:
        return "\nNothing has been measured yet.\n\n"
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n\n"


def _pairing(one: Mapping[str, Any]) -> list[str]:
    equal = 1 / one["players"]
    return [
        _game(one), str(one["players"]), _bot(one, "bot"), _bot(one, "others"), f"**{_share(one)}**",
        f"{100 * equal:.1f} %", f"{one['share'] / equal:.2f} ×", f"{one['deals'] * one['players']:,}", one["date"],
    ]  # fmt: skip


def _ladder(one: Mapping[str, Any]) -> list[str]:
    rungs = (f"`{r['bot']}` **{r['rating']:.0f}** ({r['low']:.0f} … {r['high']:.0f})" for r in one["ladder"])
    deals = f"{one['deals']:,} a pairing, {one['mixed_deals']:,} mixed"
    return [_game(one), str(one["players"]), ", ".join(rungs), deals, one["date"]]


TABLES: Mapping[str, tuple[str, list[str], Callable[[Mapping[str, Any]], list[str]]]] = {
    "pairings": (
        "pairing",
        ["game", "players", "the one", "the others", "share of the victories", "equal share", "", "matches", "measured"],
        _pairing,
    ),
    "ladders": ("ladder", ["game", "players", "ladder (95 % interval)", "deals", "measured"], _ladder),
}


def _game(one: Mapping[str, Any]) -> str:
    options = ", ".join(f"{name} {value}" for name, value in one["options"].items())
    return rulebook(one["game"]).title + (f" ({options})" if options else "")


def _bot(one: Mapping[str, Any], part: str) -> str:
    playouts = one["playouts"].get(one[part])
    return f"`{one[part]}`" + (f", {playouts:,} playouts" if playouts else "")


def _share(one: Mapping[str, Any]) -> str:
    return f"{100 * one['share']:.1f} ± {100 * one['error']:.1f} %"


def main() -> None:
    """Read the command line, play what is missing if that is wanted, and write the tables."""
    parser = argparse.ArgumentParser(description="The tables of docs/bots.md, from docs/strength.json.")
    parser.add_argument("--missing", action="store_true", help="print the commands that play what is missing")
    parser.add_argument("--measure", action="store_true", help="play what is missing")
    parser.add_argument("--game", default="", help="of one game only")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin nothing more after so long")
    args = parser.parse_args()
    ledger, begin = Ledger(LEDGER), time.monotonic()
    for pair in missing(ledger.results, args.game) if args.missing or args.measure else ():
        print(pair.command, flush=True)
        if args.measure and time.monotonic() - begin < 60 * args.minutes:
            book, seed = rulebook(pair.game), seed_of("report", 0)
            arena(book, {}, pair.players, (pair.bot, pair.others), pair.deals, seed, alone=(pair.bot,), ledger=ledger)
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), ledger.results), encoding="utf-8")


if __name__ == "__main__":
    main()
