"""How long what concerns a player stands on the stage of their page, in a match against steady bots, if they tap nothing.

    python benchmarks/server/moments.py [GAME …] [--size desk|phone] [--guide on|off] [--films FOLDER]
        [--preset NAME] [--option NAME=VALUE …] [--seeds N …]

For every game, both sizes, with the first-time cards and without, unless told: how many outcomes concerned the player, the
shortest time one of them stood on the stage (goal 1.5 s), and the waits from an answer to the next question, holds included.
The player does what the heuristic would do. With --films pictures of the page are kept, five a second, one folder for each
match. A preset and options belong to every game that is measured: `claim --preset everything`.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from outbid.cli.arguments import read_options
from outbid.core.match import Match, seat_names
from outbid.core.rulebook import rulebook
from tests.support.browsing import DESK, PHONE, chromium
from tests.support.moments import measured
from tests.support.serving import serving

PLAYERS = {"kuhhandel": 4, "money": 3, "rivals": 3, "forex": 3, "claim": 4}
SIZES = {"desk": DESK, "phone": PHONE}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(PLAYERS), metavar="GAME", help=", ".join(PLAYERS))
    parser.add_argument("--size", choices=SIZES)
    parser.add_argument("--guide", choices=["on", "off"])
    parser.add_argument("--films", type=Path, metavar="FOLDER")
    parser.add_argument("--preset", default="seed")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seeds", nargs="*", type=int, default=[0], metavar="N", help="one match for each")
    wanted = parser.parse_args()
    print("game, size, guide, seed: decisions; outcomes; the shortest time of one on the stage; waits of the match")
    ways = [
        (game, size, guide, seed)
        for game in wanted.games
        for size in ([wanted.size] if wanted.size else SIZES)
        for guide in ([wanted.guide] if wanted.guide else ("on", "off"))
        for seed in wanted.seeds
    ]
    for end in (signal.SIGTERM, signal.SIGHUP):  # the server and the browser end with this process
        signal.signal(end, lambda number, _: sys.exit(128 + number))
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(database := Path(folder) / "tables.db", pace="normal") as address,
        chromium() as browser,
    ):
        for game, size, guide, seed in ways:
            name = f"{game}-{size}-{guide}-{seed}"
            frames = wanted.films and wanted.films / name
            if frames:
                frames.mkdir(parents=True, exist_ok=True)
            book = rulebook(game)
            names = seat_names(PLAYERS[game])
            match = Match.new(book, read_options(book, wanted.preset, wanted.option), PLAYERS[game], seed, names)
            seen = measured(browser, (address, database), match, SIZES[size], guide=guide == "on", frames=frames)
            told = f"{seen.decisions}; {len(seen.shown)}; {seen.shortest:.2f} s; {sum(seen.waits):.0f} s"
            print(f"{name.replace('-', ', ')}: {told}", flush=True)


if __name__ == "__main__":  # processes of the server are forked from one that reads this file, too
    main()
