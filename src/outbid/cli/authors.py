"""Commands for authors of games: verify, new-game, examples."""

import json
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated

import typer

from outbid.cli.arguments import (
    MOST_DEALS,
    AsJson,
    Seed,
    names_in,
)
from outbid.core.errors import BadSetup

app = typer.Typer()


@app.command(
    epilog="Examples: outbid verify rivals · outbid verify path/to/game.py --matches 100 · "
    "outbid verify vault.py --property leaks --seed 17 --matches 1 · outbid verify vault.py --compiled --json"
)
def verify(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game's name, or a path to its Python file.")],
    matches: Annotated[
        int, typer.Option("--matches", "-m", min=1, max=MOST_DEALS, help="Random matches for each property.")
    ] = 20,
    seed: Seed = 0,
    prop: Annotated[str, typer.Option("--property", metavar="NAME", help="Only these, comma-separated.")] = "",
    compiled: Annotated[
        bool, typer.Option("--compiled", help="Compile the game and compare the backends, batches and threads, too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Test a game with random matches: leaks, redealt worlds, legal moves, ends, records. Exit 1 if something is wrong.

    Prints what holds, what does not, how to see it again and where the moves that lead there are written, who sees each
    field of the state, and what cannot be known from outside.

    Without --compiled, backends are compared only where the comparison is compiled already.
    """
    from outbid.core.rulebook import check_seed, rulebook
    from outbid.testing import PROPERTIES, Result, battery, closing, header, seen
    from outbid.testing.compiled import BACKENDS, COMPILED, compiled_already

    book = rulebook(game)
    check_seed(seed)
    names = names_in(prop)
    known = {prop.name: prop for prop in (*PROPERTIES, *COMPILED)}
    for name in names:
        if name not in known:
            raise BadSetup(f"There is no property {name!r}; there are {', '.join(known)}.")
    backends = COMPILED if compiled else (BACKENDS,) if compiled_already(book) else ()
    chosen = [known[name] for name in names] or [*PROPERTIES, *backends]

    def tell(*lines: str) -> None:
        if not as_json:
            print(*lines, sep="\n", flush=True)

    def told(result: Result) -> None:
        tell(*result.lines(f"outbid verify {game}"))

    tell(header(book, matches, seed))
    folder = Path(mkdtemp(prefix=f"outbid-verify-{book.id}-"))
    report = battery(book, matches, seed, properties=chosen, tell=told, folder=folder)
    if not any(folder.iterdir()):
        folder.rmdir()
    if not names and report.playable:
        report.seen = seen(book, seed=seed)
    tell(*closing(report))
    if as_json:
        print(json.dumps(report.as_dict()))
    raise typer.Exit(0 if report.passed else 1)


@app.command(name="new-game", epilog="Examples: outbid new-game my_game · outbid play my_game.py · outbid verify my_game.py")
def new_game(name: Annotated[str, typer.Argument(metavar="NAME", help="Small letters, digits and _.")]) -> None:
    """Write NAME.py, a small playable game in one file, to be changed a piece at a time, and its tests.

    docs/write-a-game.md builds a larger one step by step.
    """
    from outbid.testing.new_game import new_game

    game, tests = new_game(name, Path.cwd())
    print(f"{game.name} is a game. Play it with `outbid play {game.name}`; after every change, `outbid verify {game.name}`.")
    print(f"{tests.name} are its tests, for pytest.")


@app.command(epilog="Example: outbid examples here")
def examples(folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder; created if needed.")]) -> None:
    """Copy the examples: a tour as a notebook, trainings, self-play on a small game, a game in one file, bots."""
    from outbid.examples import copied

    for file in copied(folder):
        print(file)
