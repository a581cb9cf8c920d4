"""Write the tables of docs/strength.md from the results store docs/strength.json: `python docs/strength.py`.

    python docs/strength.py --missing                                  # what is wanted and not in the store, as commands
    python docs/strength.py --measure [--game claim] [--minutes 60]    # runs them, and writes the tables

A table stands between its two marks, `<!-- table: NAME -->` and `<!-- end of table -->`; the rest of the page is written by
hand. What is wanted is said by `wanted`. A test compares the page with the store.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from outbid import bots
from outbid.bots.nets.policy import policy
from outbid.bots.nets.policy_bot import NET
from outbid.core.rulebook import rulebook, rulebooks
from outbid.lab.results_store import ResultsStore, key
from outbid.lab.shares import share_from

PAGE = Path(__file__).parent / "strength.md"
STORE = Path(__file__).parent / "strength.json"
TABLE = re.compile(r"<!-- table: ([a-z-]+) -->\n(.*?)<!-- end of table -->", re.DOTALL)
MATCHES = 2000  # of a pairing, at least
PAIRS = (  # who sits alone; among whom
    ("strong", "steady@1"), ("steady@1", "strong"), ("easy", "steady@1"), ("steady@1", "easy"), ("easy", "random"),
    ("random", "easy"), ("net", "steady@1"),
)  # fmt: skip
VICTIMS = (("strong", 200), ("steady", 700))  # who; deals
LEVELS = (("easy", "random"), ("easy", "steady@1"), ("random", "easy"), ("steady@1", "easy"))  # have a table of their own
RUNGS = tuple(name for name in bots.LEVELS if name != "random")  # of the ladder of levels …
LADDER = (3, 24, 80)  # … at this number of players, deals a pairing and of mixed tables
STRANGE = "strong*0.25", "steady"  # bots among strangers
KEPT, MORE = 0.8, 1.1  # of the share at the defaults, under a changed option; of what `steady` takes, among strangers
SOLVED = {"random": 8, "steady": 8, "strong": 2}  # bots in small games; how often each is asked

Results = Sequence[Mapping[str, Any]]


class Wanted(NamedTuple):
    """A result that is wanted: what it is known by, and the arguments of `outbid` that bring it."""

    facts: tuple[tuple[str, Any], ...]
    arguments: tuple[str, ...]

    @property
    def command(self) -> str:
        """The command that brings it."""
        return shlex.join(["outbid", *self.arguments, "--ledger", "docs/strength.json"])

    def among(self, results: Results) -> bool:
        """Whether it is there."""
        return any(all(one.get(name) == value for name, value in self.facts) for one in results)


def wanted(game: str = "") -> Iterator[Wanted]:
    """Everything that should be in the store, of one game or all."""
    for book in rulebooks().values():
        if game not in ("", book.id):
            continue
        for players in range(book.players[0], book.players[1] + 1):
            place = (("game", book.id), ("players", players), ("options", {}), ("seeds", "report"), ("seed", 0))
            table = (book.id, "--players", str(players))
            for bot, others in PAIRS:
                if bot == NET.name and policy(book) is None:
                    continue
                deals = str(-(-MATCHES // players))
                more = ("--deals", deals, "--bots", f"{bot},{others}", "--alone", bot)
                facts = (("kind", "pairing"), *place, ("bot", bot), ("others", others))
                yield Wanted(facts, ("arena", *table, *more))
            if players == LADDER[0]:
                _players, games, mixed = LADDER
                more = ("--deals", str(games), "--mixed", str(mixed), "--bots", ",".join(RUNGS))
                yield Wanted((("kind", "ladder"), *place, ("bots", sorted(RUNGS))), ("arena", *table, *more))
            for victim, deals in VICTIMS:
                more = ("--victim", victim, "--deals", str(deals))
                yield Wanted((("kind", "exploit"), *place, ("victim", victim)), ("exploit", *table, *more))
        for preset in book.laboratory:
            for bot, times in SOLVED.items():
                facts = (("kind", "nash_conv"), ("game", book.id), ("preset", preset), ("bot", bot))
                yield Wanted(facts, ("solve", book.id, "--preset", preset, "--bots", bot, "--samples", str(times)))


def missing(results: Results, game: str = "", kind: str = "") -> list[Wanted]:
    """What is not there, of one kind or all."""
    return [one for one in wanted(game) if kind in ("", dict(one.facts)["kind"]) and not one.among(results)]


def written(page: str, results: Results) -> str:
    """The page with its tables anew."""
    return TABLE.sub(lambda found: f"<!-- table: {found[1]} -->\n{_table(found[1], results)}<!-- end of table -->", page)


def _table(name: str, results: Results) -> str:
    kind, heads, rows_of = TABLES[name]
    rows = rows_of([one for one in results if one["kind"] == kind and one["seeds"] in ("report", "none")])
    if not rows:
        return "\nNothing has been measured yet.\n\n"
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n\n"


def _levels(results: Results) -> list[list[str]]:
    rows: dict[tuple[str, int], dict[tuple[str, str], str]] = {}
    for one in pooled(results):
        if (one["bot"], one["others"]) in LEVELS and not one["options"]:
            rows.setdefault((_title(one), one["players"]), {})[one["bot"], one["others"]] = _share(one)
    return [
        [game, str(players), f"{100 / players:.1f} %", *(row.get(pair, "") for pair in LEVELS)]
        for (game, players), row in rows.items()
    ]


def _pairings(results: Results) -> list[list[str]]:
    """Those with a bot that looks ahead, and those of many matches; not those of the table of levels."""
    many = [one for one in pooled(results) if (one["bot"], one["others"]) not in LEVELS]
    return [_pairing(one) for one in many if one["playouts"] or one["deals"] * one["players"] >= MATCHES]


def pooled(results: Results) -> list[Mapping[str, Any]]:
    """Pairings that were played on several seeds as one each: no deal is in two of them."""
    alike: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for one in results:
        alike.setdefault(key({**one, "seed": 0}), []).append(one)
    return [_pool(many) for many in alike.values()]


def _pool(many: Results) -> Mapping[str, Any]:
    deals = sum(one["deals"] for one in many)
    share = sum(one["deals"] * one["share"] for one in many) / deals
    error = math.hypot(*(one["deals"] * one["error"] for one in many)) / deals
    return {**many[0], "deals": deals, "share": share, "error": error, "date": max(one["date"] for one in many)}


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


def _exploit(one: Mapping[str, Any]) -> list[str]:
    equal, effort = 1 / one["players"], one["playouts"].get(one["victim"])
    best = f"`{one['bot']}`" if one["exploiter"] != "tuned" else f"policy parameters found in {one['matches']:,} matches"
    rollouts = one["playouts"].get(one["bot"])
    return [
        _game(one), str(one["players"]), f"`{one['victim']}`" + (f", {effort:,} rollouts" if effort else ""),
        best + (f", {rollouts:,} rollouts" if rollouts else ""), str(len(one["tried"])), f"**{_share(one)}**",
        f"{100 * equal:.1f} %", f"{100 * one['gain']:+.1f}", f"{one['deals'] * one['players']:,}", one["date"],
    ]  # fmt: skip


def _strangers(results: Results) -> list[list[str]]:
    """A row for each game, number of players and of strangers: `strong*0.25`, and `steady` beside it in the same deals."""
    cells: dict[tuple[str, int, str, int], dict[str, Mapping[str, Any]]] = {}
    for one in pooled(results):
        cells.setdefault((_title(one), one["players"], one["others"], one["deals"]), {})[one["bot"]] = one
    strong, steady = STRANGE
    both = [(where, cell) for where, cell in cells.items() if strong in cell and steady in cell]
    return [_strange(*where[:2], cell[strong], cell[steady]) for where, cell in both]


def _strange(game: str, players: int, strong: Mapping[str, Any], steady: Mapping[str, Any]) -> list[str]:
    reached = "yes" if strong["share"] >= MORE * steady["share"] - 1e-9 else "**no**"
    one, other = (share_from(each["share"], each["error"], each["deals"], players) for each in (strong, steady))
    if one.low < MORE * other.high and MORE * other.low < one.high:
        reached += ", open"
    return [
        game, str(players), f"{100 / players:.1f} %", f"**{_share(strong)}**", _share(steady), reached,
        f"{_matches(strong)} and {_matches(steady)}", strong["date"],
    ]  # fmt: skip


def _variants(results: Results) -> list[list[str]]:
    """A row for each changed option, after that of the defaults."""
    found = pooled(results)
    usual = {(one["game"], one["players"]): one for one in found if not one["options"]}
    return [_variant(one, usual[one["game"], one["players"]]) for one in sorted(found, key=_changed)]


def _changed(one: Mapping[str, Any]) -> tuple[str, int, bool]:
    return one["game"], one["players"], bool(one["options"])


def _variant(one: Mapping[str, Any], usual: Mapping[str, Any]) -> list[str]:
    kept = one["share"] / usual["share"]
    return [
        _title(one), str(one["players"]), _options(one) or "the defaults", f"**{_share(one)}**",
        f"{kept:.2f}" if kept >= KEPT else f"**{kept:.2f}**", _nets(one),
        f"{one['seconds']:.1f}", _matches(one), one["date"],
    ]  # fmt: skip


def _nets(one: Mapping[str, Any]) -> str:
    """Whether the bot of a pairing plays with nets."""
    if policy(rulebook(one["game"])) is None:
        return "has none"
    return "no" if one["without_nets"] else "yes"


def _solved(results: Results) -> list[list[str]]:
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for one in results:
        row = rows.setdefault((_title(one), one["preset"]), {"CFR+": f"{one['equilibrium']:.1g}"})
        row[one["bot"]] = f"{max(0.0, one['nash_conv']):.3f}"
    return [[game, f"`{preset}`", *(row.get(bot, "") for bot in (*SOLVED, "CFR+"))] for (game, preset), row in rows.items()]


def _each(row: Callable[[Mapping[str, Any]], list[str]]) -> Callable[[Results], list[list[str]]]:
    return lambda results: [row(one) for one in results]


def _matches(one: Mapping[str, Any]) -> str:
    return f"{one['deals'] * one['players']:,}"


TABLES: Mapping[str, tuple[str, list[str], Callable[[Results], list[list[str]]]]] = {
    "strangers": (
        "strangers",
        ["game", "players", "equal share", *(f"`{bot}`" for bot in STRANGE), "a tenth more", "matches", "measured"],
        _strangers,
    ),
    "variants": (
        "variant",
        ["game", "players", "changed", f"`{STRANGE[0]}` among `{STRANGE[1]}`", "kept", "nets", "s", "matches", "measured"],
        _variants,
    ),
    "pairings": (
        "pairing",
        ["game", "players", "the one", "the others", "share of the victories", "equal share", "", "matches", "measured"],
        _pairings,
    ),
    "levels": (
        "pairing",
        ["game", "players", "equal share", *(f"`{one}` among `{others}`" for one, others in LEVELS)],
        _levels,
    ),
    "ladders": ("ladder", ["game", "players", "ladder (95 % interval)", "deals", "measured"], _each(_ladder)),
    "exploiters": (
        "exploit",
        [
            "game",
            "players",
            "victim",
            "best exploiter",
            "of",
            "its share",
            "equal share",
            "points more",
            "matches",
            "measured",
        ],
        _each(_exploit),
    ),
    "solved": ("nash_conv", ["game", "preset", *(f"`{bot}`" for bot in SOLVED), "CFR+"], _solved),
}


def _game(one: Mapping[str, Any]) -> str:
    options = _options(one)
    return _title(one) + (f" ({options})" if options else "")


def _options(one: Mapping[str, Any]) -> str:
    return ", ".join(f"`{name}={json.dumps(value)}`" for name, value in one["options"].items())


def _title(one: Mapping[str, Any]) -> str:
    return rulebook(one["game"]).title


def _bot(one: Mapping[str, Any], part: str) -> str:
    rollouts = one["playouts"].get(one[part])
    return f"`{one[part]}`" + (f", {rollouts:,} rollouts" if rollouts else "")


def _share(one: Mapping[str, Any]) -> str:
    return str(share_from(one["share"], one["error"], one["deals"], one["players"]))


def main() -> None:
    """Read the command line, play what is missing if that is wanted, and write the tables."""
    parser = argparse.ArgumentParser(description="The tables of docs/strength.md, from docs/strength.json.")
    parser.add_argument("--missing", action="store_true", help="print the commands that bring what is missing")
    parser.add_argument("--measure", action="store_true", help="run them")
    parser.add_argument("--game", default="", help="of one game only")
    parser.add_argument("--kind", default="", help="of one kind only: pairing, ladder, exploit, nash_conv")
    parser.add_argument("--minutes", type=float, default=1e9, help="begin nothing more after so long")
    args = parser.parse_args()
    store, begin = ResultsStore(STORE), time.monotonic()
    for one in missing(store.results, args.game, args.kind) if args.missing or args.measure else ():
        print(one.command, flush=True)
        if args.measure and time.monotonic() - begin < 60 * args.minutes:
            command = [sys.executable, "-c", "from outbid.cli import main; main()", *one.arguments, "--ledger", str(STORE)]
            subprocess.run(command, check=True)
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), store.results), encoding="utf-8")


if __name__ == "__main__":
    main()
