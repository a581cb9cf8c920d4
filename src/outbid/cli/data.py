"""`outbid data make | from | minari`: what was decided in many matches, in Parquet, to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from outbid.cli.arguments import COMPILING, GameName, Options, Preset, Seed, names_in, progress, read_options, seats_of
from outbid.core.errors import BadSetup
from outbid.core.language.phrases import plural

app = typer.Typer(
    help="Data to learn from: the decisions of bots and people, in Parquet.",
    epilog="Examples: outbid data make rivals --matches 100000 · outbid data from friday.jsonl",
    no_args_is_help=True,
)
Into = Annotated[Path | None, typer.Option(metavar="DIR", help="The folder; outbid-data/GAME if left out.")]


@app.command(
    epilog="Examples: outbid data make rivals --matches 1000000 · outbid data make claim -m 5000 -n 3 --bots easy,steady,net"
)
def make(
    game: GameName,
    matches: Annotated[int, typer.Option("--matches", "-m", min=1, max=100_000_000, help="Number of matches.")] = 1000,
    players: Annotated[
        str, typer.Option("--players", "-n", help="Number of seats, or several, comma-separated; all if left out.")
    ] = "",
    bots: Annotated[
        str, typer.Option(help="Bots, comma-separated, drawn for each seat; all that do not look ahead if left out.")
    ] = "",
    into: Into = None,
    seed: Seed = 0,
    option: Options = None,
    preset: Preset = "seed",
) -> None:
    """Play matches among bots, and write every decision: what was seen, what was legal, what was done, what was hidden.

    The same command goes on where it was stopped, and with more matches adds to them."""
    from outbid.core.rulebook import rulebook
    from outbid.lab.datasets import Matches, mixed
    from outbid.lab.datasets import make as write

    book = rulebook(game)
    options = read_options(book, preset, option)
    low, high = book.seats(options)
    try:
        numbers = [int(part) for part in names_in(players)]
    except ValueError:
        raise BadSetup(f"--players {players} must be numbers, such as {low} or {low},{high}.") from None
    seats = [seats_of(book, number, options) for number in numbers or range(low, high + 1)]
    company = Matches(book, options, seats, names_in(bots) or mixed(book, options), seed)
    folder = into or Path("outbid-data", book.id)
    with progress("Playing", matches, COMPILING) as advance:
        write(company, folder, matches, say=advance.say, progress=advance)
    print(f"{folder} has {plural(matches, 'match', 'matches')} of {book.title}.")


@app.command("from", epilog="Example: outbid admin export friday.jsonl --for-lab, then outbid data from friday.jsonl")
def bring(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Records, one a line (docs/record.md).")],
    game: Annotated[str, typer.Option(help="Of which game, if the file has several.")] = "",
    into: Into = None,
) -> None:
    """Write the decisions of recorded matches, of people and bots, without names.

    Take matches whose players agreed: outbid admin export --for-lab."""
    from outbid.core.rulebook import rulebook
    from outbid.lab.datasets import from_records
    from outbid.runs.recorded import read

    matches = read(file)
    games = sorted({recorded.match.rulebook.id for recorded in matches})
    if not games or (game and game not in games):
        raise BadSetup(f"{file} has no finished match{f' of {game}' if game else ''}.")
    if len(games) > 1 and not game:
        raise BadSetup(f"{file} has matches of {', '.join(games)}; --game says of which.")
    book = rulebook(game or games[0])
    folder = into or Path("outbid-data", book.id)
    print(f"{folder} has {plural(from_records(book, matches, folder), 'match', 'matches')} of {book.title}.")


@app.command(epilog="Example: outbid data minari outbid-data/rivals outbid/rivals/mixed-v0")
def minari(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that `outbid data` wrote.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Of the dataset, such as outbid/rivals/mixed-v0.")],
    root: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where datasets lie; where Minari looks, if left out.")
    ] = None,
) -> None:
    """Write data in the layout of Minari, one episode a seat and match, for minari.load_dataset."""
    from outbid.lab.minari import write

    print(f"{name} has {plural(write(folder, name, root), 'episode')}.")
