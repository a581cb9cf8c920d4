"""Commands for authors of games: verify, dev, new-game, examples."""

import json
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated

import typer

from outbid.cli.arguments import (
    MOST_DEALS,
    AsJson,
    GameName,
    Language,
    Options,
    Players,
    Preset,
    Seed,
    names_in,
    not_for,
    read_options,
    seats_of,
)
from outbid.core.errors import BadSetup
from outbid.core.extras import needed

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

    Without --compiled, backends are compared only where the comparison is compiled already."""
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
        tell(*result.lines(game))

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


@app.command(
    epilog="Examples: outbid dev my_game.py · outbid dev my_game.py --players 3 --seed 7 · "
    "outbid dev my_game.py --from match.jsonl:2 --at 41"
)
def dev(
    context: typer.Context,
    game: GameName,
    players: Players = None,
    seed: Seed = 0,
    option: Options = None,
    preset: Preset = "seed",
    record: Annotated[
        str | None, typer.Option("--from", metavar="FILE", help="A record to begin with; FILE:N is the N-th of several.")
    ] = None,
    at: Annotated[int | None, typer.Option("--at", metavar="N", help="After so many of its moves; else the end.")] = None,
    bot: Annotated[str, typer.Option("--bot", help="The bot that plays on when you tell it to.")] = "steady",
    host: Annotated[str, typer.Option(help="Address to listen on, of this machine alone: the workbench runs your file.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int | None, typer.Option(help="Port; 8710, or the next free one, if left out.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    language: Language = None,
) -> None:
    """A workbench for the game of a file: every seat side by side, anew whenever the file is saved.

    The match is replayed as far as it goes. Go back and on along its moves, let a bot play on, read what `outbid verify`
    says beside it, and open the matches it found.
    """
    from outbid.bots import load_bot
    from outbid.core.language import i18n
    from outbid.core.match import seat_names
    from outbid.core.rulebook import check_seed, rulebook
    from outbid.terminal.lines import spoken

    with i18n.locale(spoken(language)):
        with needed("`outbid dev`", "server"):
            from outbid.server.web.qr import loopback
            from outbid.server.workbench.bench import BenchOrder
            from outbid.server.workbench.line import Course
            from outbid.server.workbench.supervisor import develop

        _ = i18n.words("outbid")[0]
        if not loopback(host):
            sentence = _("The workbench runs your file, so it listens on 127.0.0.1 alone, and not on {host}.", host=host)
            raise BadSetup(sentence)
        book = rulebook(game)
        load_bot(bot, book)
        if record is None:
            not_for(context, _("without --from"), "at")
            options = read_options(book, preset, option)
            seats = seats_of(book, sum(book.players) // 2 if players is None else players, options)
            line = Course(seat_names(seats), book.changed(options), check_seed(seed))
        else:
            not_for(context, _("with --from, where the record says it"), "players", "seed", "option", "preset")
            line = Course.of_record(book, record, at)
        raise typer.Exit(develop(BenchOrder(game, bot, host, 0, browser), line, port))


@app.command(name="new-game", epilog="Examples: outbid new-game my_game · outbid play my_game.py · outbid verify my_game.py")
def new_game(name: Annotated[str, typer.Argument(metavar="NAME", help="Small letters, digits and _.")]) -> None:
    """Write NAME.py, a small playable game in one file, to be changed a piece at a time, and its tests.

    docs/write-a-game.md builds a larger one step by step."""
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
