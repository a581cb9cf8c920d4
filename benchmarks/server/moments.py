"""How long what concerns a player stands on the stage of their page, in a match against steady bots, if they tap nothing.

    python benchmarks/server/moments.py [GAME …] [--size desk|phone] [--guide on|off] [--films FOLDER]
        [--preset NAME] [--option NAME=VALUE …]

For every game, both sizes, with the first-time cards and without, unless told: how many outcomes concerned the player, the
shortest time one of them stood on the stage (goal 1.5 s), and the waits from an answer to the next question, holds included.
With --films pictures of the page are kept, five a second, one folder for each match. A preset and options, as in the form of
the set-up, belong to every game that is measured: `claim --preset everything`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

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
    parser.add_argument("--preset", default="")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    wanted = parser.parse_args()
    options = {f"option:{name}": value for name, _, value in (option.partition("=") for option in wanted.option)}
    print("game, size, guide: outcomes; the shortest time of one on the stage; waits of the match")
    ways = [
        (game, size, guide)
        for game in wanted.games
        for size in ([wanted.size] if wanted.size else SIZES)
        for guide in ([wanted.guide] if wanted.guide else ("on", "off"))
    ]
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "tables.db", pace="normal") as address,
        chromium() as browser,
    ):
        for game, size, guide in ways:
            frames = wanted.films and wanted.films / f"{game}-{size}-{guide}"
            if frames:
                frames.mkdir(parents=True, exist_ok=True)
            facts = {"guide": guide == "on", "frames": frames, "preset": wanted.preset, **options}
            match = measured(browser, address, game, PLAYERS[game], SIZES[size], **facts)
            told = f"{len(match.shown)}; {match.shortest:.2f} s; {sum(match.waits):.0f} s"
            print(f"{game}, {size}, {guide}: {told}", flush=True)


if __name__ == "__main__":  # processes of the server are forked from one that reads this file, too
    main()
