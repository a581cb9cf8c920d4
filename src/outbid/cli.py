"""The command line: `outbid play | serve | join | admin | games | rules | simulate | arena | exploit | check | …`.

Wrong usage, unreadable files and anything that cannot be done is one sentence on standard error and exit code 2;
`check` exits 1 where it found an illegal record, `verify` where a game breaks the contract. `--json` prints one JSON
document and nothing else on standard output.
"""

from __future__ import annotations

import errno
import json
import sys
import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from outbid.core.errors import BadRecord, BadSetup, OutbidError, Unreadable
from outbid.core.language.phrases import plural
from outbid.core.packages import BrokenPackage
from outbid.lab.experiments import cli as lab
from outbid.server import admin
from outbid.version import __version__

app = typer.Typer(
    name="outbid",
    help="Five games of money: play at a table, simulate, measure.",
    epilog="Examples: outbid play · outbid play kuhhandel --plain · outbid simulate kuhhandel --players 4 --games 1000",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

app.add_typer(admin.app, name="admin")
app.add_typer(lab.app, name="lab")

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name (`outbid games` lists them) or file.")]
Players = Annotated[int | None, typer.Option("--players", "-n", help="Number of seats.")]
Seed = Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same matches.")]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule to change.")]
Preset = Annotated[str, typer.Option("--preset", help="A named set of options; `seed` is the given rules with our rulings.")]
Seeds = Annotated[
    str | None, typer.Option(help="What the seeds are for: training, selection or report; report with a ledger.")
]
LedgerFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="FILE",
        help="Write the results there; the same command goes on where it was interrupted, and no pairing is played twice.",
    ),
]
MOST_DEALS, MOST_TRIES = 1_000_000, 10_000
On = Annotated[
    str | None, typer.Option("--on", metavar="WHERE", help="A Dask cluster: its address, local:N, slurm or kubernetes.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"outbid {__version__}")
        raise typer.Exit


def _not_for(context: typer.Context, what: str, *names: str) -> None:
    """Refuse options that were given and do nothing here."""
    sources = {name: context.get_parameter_source(name) for name in names}
    given = [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]
    if given:
        raise BadSetup(f"{', '.join('--' + name.replace('_', '-') for name in given)}: not {what}.")


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Five games of money: play at a table, simulate, measure."""


def read_options(book: Any, preset: str, given: Sequence[str] | None) -> dict[str, Any]:
    """Options from a preset and NAME=VALUE pairs."""
    options: dict[str, Any] = book.preset(preset)
    known = {option.name: option for option in book.options}
    for pair in given or ():
        name, sign, text = pair.partition("=")
        if not sign:
            example = next((f", such as {one.name}={one.default}" for one in book.options), "")
            raise BadSetup(f"{pair!r} is not NAME=VALUE{example}.")
        options[name] = known[name].parse(text) if name in known else text
    book.codes(options)
    return options


def seats_of(book: Any, players: int, options: dict[str, Any]) -> int:
    """The number of seats; what is set and does nothing with so many is said on standard error."""
    seats: int = book.check_players(players, options)
    for sentence in book.idle(options, seats):
        print(sentence, file=sys.stderr)
    return seats


@app.command(epilog="Examples: outbid games · outbid games --json")
def games(as_json: AsJson = False) -> None:
    """List the games, their players, presets and options."""
    from outbid.core.rulebook import rulebooks

    books = rulebooks().values()
    if as_json:
        print(json.dumps([describe(book) for book in books]))
        return
    for book in books:
        low, high = book.players
        print(f"{book.id}  {book.title}, {low} to {high} players\n    {book.summary}")
        if book.presets:
            print(f"    presets: {', '.join(['seed (the given rules with our rulings)', *book.presets])}")
        if book.laboratory:
            print(f"    small enough to solve: {', '.join(book.laboratory)}")


def describe(book: Any) -> dict[str, Any]:
    """A game as JSON. "acts": when an option does anything, all of these."""
    return {
        "id": book.id,
        "title": book.title,
        "summary": book.summary,
        "players": list(book.players),
        "rules": book.rules_id,
        "presets": {"seed": {}, **{name: dict(options) for name, options in book.presets.items()}},
        "laboratory": {name: dict(options) for name, options in book.laboratory.items()},
        "options": [
            {
                **{key: getattr(option, key) for key in ("name", "default", "allowed", "meaning", "view", "knob")},
                "acts": [need.only(book.ids) for need in option.needs],
            }
            for option in book.options
        ],
    }


@app.command(epilog="Example: outbid rules kuhhandel")
def rules(game: GameName) -> None:
    """Print how to play a game and its rulebook, with every ruling and option, in the language of the terminal."""
    from outbid.core.language import i18n
    from outbid.core.rulebook import rulebook
    from outbid.server.web.rulebooks import printed
    from outbid.terminal.lines import spoken

    with i18n.speaking(spoken(None)):
        text = printed(rulebook(game))
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text))
    else:
        print(text, end="")


@app.command(
    epilog="Examples: outbid simulate kuhhandel --players 4 --games 1000 · "
    "outbid simulate kuhhandel -n 3 --bots steady,random --option overbid=forbidden --records games.jsonl · "
    "outbid simulate money -n 3 --bots steady:gambler,easy,steady"
)
def simulate(
    game: GameName,
    players: Players = None,
    games: Annotated[int, typer.Option("--games", "-g", min=1, max=100_000_000, help="Number of matches.")] = 1000,
    seed: Seed = 0,
    bots: Annotated[str, typer.Option(help="Bots, comma-separated, repeated round the table.")] = "random",
    option: Options = None,
    preset: Preset = "seed",
    records: Annotated[Path | None, typer.Option(help="Write the matches to this file, one record a line.")] = None,
    on: On = None,
    as_json: AsJson = False,
) -> None:
    """Play matches among bots and print a summary."""
    from outbid.bots import load_bot
    from outbid.core.files import appearing
    from outbid.core.rulebook import check_seed, rulebook
    from outbid.lab.simulate import simulate as run
    from outbid.lab.simulate import write_records

    book = rulebook(game)
    options = read_options(book, preset, option)
    seats = seats_of(book, book.players[1] if players is None else players, options)
    given = [load_bot(name.strip(), book).name for name in bots.split(",")]
    names = [given[seat % len(given)] for seat in range(seats)]
    check_seed(seed)
    if records is not None:
        with (
            appearing(records, force=True) as made,
            made.open("w", encoding="utf-8") as file,
            progress("Writing records", games) as advance,
        ):
            write_records(file, book, options, seats, games, seed, names, advance)
    with elsewhere(on) as pool, progress("Playing", games) as advance:
        summary = run(book, options, seats, games, seed, names, progress=advance, pool=pool)
    print(json.dumps(summary.as_dict()) if as_json else summary.as_text())


def elsewhere(on: str | None) -> Any:
    """The executor of a cluster, or none: threads of this process."""
    from outbid.lab.executor import executor

    return nullcontext() if on is None else executor(on)


class progress:  # noqa: N801 - used like a function
    """A progress bar on a terminal, nothing in a pipe: `with progress("Playing", 100) as advance: advance(1)`."""

    def __init__(self, words: str, total: int):
        self.words, self.total = words, total

    def __enter__(self) -> Any:
        self.bar: Any = None
        if not sys.stderr.isatty():
            return lambda n: None
        from rich.console import Console
        from rich.progress import Progress

        self.bar = Progress(console=Console(stderr=True), transient=True)
        self.bar.start()
        task = self.bar.add_task(self.words, total=self.total)
        return lambda n: self.bar.advance(task, n)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()


@app.command(
    epilog="Examples: outbid arena rivals --players 3 --bots strong,steady --games 200 · "
    "outbid arena claim -n 4 --bots strong,strong*0.1,steady,random --json · "
    "outbid arena claim -n 3 --bots strong,steady --alone strong --ledger docs/strength.json"
)
def arena(
    game: GameName,
    players: Players = None,
    bots: Annotated[
        str, typer.Option(help="Bots, comma-separated; `strong*0.1` looks ahead a tenth as far.")
    ] = "steady,random",
    games: Annotated[
        int, typer.Option("--games", "-g", min=2, max=MOST_DEALS, help="Deals a pairing, each played from every seat.")
    ] = 200,
    mixed: Annotated[
        int | None,
        typer.Option(min=2, max=MOST_DEALS, help="Deals of mixed tables; as many as --games, or none for two bots."),
    ] = None,
    alone: Annotated[str, typer.Option(help="Only pairings in which one of these sits alone, without mixed tables.")] = "",
    seed: Seed = 0,
    seeds: Seeds = None,
    ledger: LedgerFile = None,
    option: Options = None,
    preset: Preset = "seed",
    picture: Annotated[Path | None, typer.Option("--svg", help="Write the payoffs and the ladder as a picture.")] = None,
    on: On = None,
    as_json: AsJson = False,
) -> None:
    """Measure how strong bots are: each alone among the others, mixed tables, a ladder; in all seats of the same deals."""
    from outbid.core.files import appearing
    from outbid.core.rulebook import rulebook
    from outbid.lab.arena import arena as play
    from outbid.lab.arena import as_text, pairs
    from outbid.lab.plots import draw
    from outbid.lab.results import Ledger

    book = rulebook(game)
    options = read_options(book, preset, option)
    seats = seats_of(book, book.players[1] if players is None else players, options)
    names, single = names_in(bots), names_in(alone)
    tables = games if mixed is None and len(names) > 2 and not single else mixed or 0
    if single and tables:
        raise BadSetup("Mixed tables are for all bots; leave out --alone or --mixed.")
    total = games * seats * len(list(pairs(names, single))) + tables * seats
    kept = None if ledger is None else Ledger(ledger).ready()
    number = numbered(seeds, seed, ledger)
    drawing = nullcontext() if picture is None else appearing(picture, force=True)
    try:
        with drawing as beside, elsewhere(on) as pool, progress("Playing", total) as advance:
            how = {"alone": single, "mixed": tables, "ledger": kept, "pool": pool}
            found = play(book, options, seats, names, games, number, advance, **how)
            if beside is not None:
                beside.write_text(draw(found), encoding="utf-8")
    except KeyboardInterrupt:
        _say_what_is_kept(kept)
        raise
    print(json.dumps(found.as_dict()) if as_json else as_text(found))


def _say_what_is_kept(ledger: Any) -> None:
    if ledger:
        print("Interrupted. Deals that were finished are kept; the same command goes on from there.", file=sys.stderr)


def names_in(text: str) -> list[str]:
    """Names that are separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def numbered(purpose: str | None, seed: int, ledger: Path | None) -> int:
    """The seed with this number, of those for a purpose: what goes into a ledger is a report, all else is a selection."""
    from outbid.lab.seeds import seed_of

    return seed_of(purpose or ("selection" if ledger is None else "report"), seed)


@app.command(
    epilog="Examples: outbid exploit rivals --players 2 --victim steady · "
    "outbid exploit claim -n 3 --victim strong*0.2 --games 60 --json · "
    "outbid exploit claim -n 3 --net runs/claim-3/net.npz · "
    "outbid exploit claim -n 3 --with my_bots.py:spiteful"
)
def exploit(
    game: GameName,
    victim: Annotated[str, typer.Option(help="Who is exploited; named as in `outbid arena`.")] = "steady",
    players: Players = None,
    games: Annotated[
        int, typer.Option("--games", "-g", min=2, max=MOST_DEALS, help="Deals of each measurement, from every seat.")
    ] = 200,
    tries: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MOST_TRIES,
            help="Manners that tuning begins with, 0: none; by default 32, or 8 among who looks ahead.",
        ),
    ] = None,
    stand_in: Annotated[
        str | None,
        typer.Option(help="Whom manners are tuned against: the victim, or, if it looks ahead, a copy with little effort."),
    ] = None,
    net: Annotated[Path | None, typer.Option(help="Another exploiter: a net that examples/train_*.py wrote.")] = None,
    others: Annotated[
        str, typer.Option("--with", metavar="BOTS", help="More exploiters, comma-separated: bots by name, or MODULE:NAME.")
    ] = "",
    seed: Seed = 0,
    ledger: LedgerFile = None,
    option: Options = None,
    preset: Preset = "seed",
    on: On = None,
    as_json: AsJson = False,
) -> None:
    """What an opponent takes who knows a bot: the worst of several exploiters, and what it cost to find it."""
    from outbid.core.rulebook import rulebook
    from outbid.lab.exploit import Tuning, as_text, matches_of
    from outbid.lab.exploit import exploit as find
    from outbid.lab.results import Ledger

    book = rulebook(game)
    options = read_options(book, preset, option)
    seats = seats_of(book, book.players[1] if players is None else players, options)
    tuning, more = Tuning.of(book, victim, tries, stand_in), names_in(others)
    kept = None if ledger is None else Ledger(ledger).ready()
    try:
        total = matches_of(book, options, seats, victim, games, tuning, net, more)
        with elsewhere(on) as pool, progress("Playing", total) as advance:
            found = find(
                book, options, seats, victim, games, seed, tuning, advance, ledger=kept, trained=net, others=more, pool=pool
            )
    except KeyboardInterrupt:
        _say_what_is_kept(kept)
        raise
    print(json.dumps(found.as_dict()) if as_json else as_text(found))


@app.command(epilog="Examples: outbid check game.json · outbid check *.jsonl")
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records: JSON, or JSON lines.")],
    as_json: AsJson = False,
) -> None:
    """Replay and verify records: exit 0, or 1 with a line for each bad one, or 2 for an unreadable file."""
    from outbid.core.record import read_record
    from outbid.core.record import records as read_records

    good, bad, unreadable = 0, [], []
    for file in files:
        try:
            for number, record in read_records(file):
                try:
                    read_record(record)
                    good += 1
                except BadRecord as error:
                    bad.append({"file": str(file), "record": number, "move": error.move, "reason": error.reason})
                    if not as_json:
                        print(f"{file}:{number}: {_one_line(error)}")
        except Unreadable as error:
            unreadable.append(_one_line(error))
            print(unreadable[-1], file=sys.stderr)
    if as_json:
        print(json.dumps({"good": good, "bad": bad, "unreadable": unreadable}))
    elif not bad and not unreadable:
        print(f"{plural(good, 'record')}, all good.")
    raise typer.Exit(2 if unreadable else 1 if bad else 0)


@app.command(
    epilog="Examples: outbid verify rivals · outbid verify path/to/game.py --matches 100 · "
    "outbid verify vault --property leaks --seed 17 --matches 1 · outbid verify vault --compiled --json"
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
    """Try a game with random matches: leaks, worlds dealt anew, what is legal, ends, records. Exit 1 if something is wrong.

    Prints what holds, what does not and how to see it again, and who sees each field of the state.

    Without --compiled, backends are compared only where the comparison is compiled already.
    """
    from outbid.core.rulebook import check_seed, rulebook
    from outbid.testing import PROPERTIES, as_text, battery, seen
    from outbid.testing.compiled import BACKENDS, COMPILED, compiled_already

    book = rulebook(game)
    check_seed(seed)
    names = names_in(prop)
    known = {one.name: one for one in (*PROPERTIES, *COMPILED)}
    for name in names:
        if name not in known:
            raise BadSetup(f"There is no property {name!r}; there are {', '.join(known)}.")
    backends = COMPILED if compiled else (BACKENDS,) if compiled_already(book) else ()
    chosen = [known[name] for name in names] or [*PROPERTIES, *backends]
    with progress(f"Trying {book.title}", len(chosen)) as advance:
        report = battery(book, matches, seed, properties=chosen, tell=advance)
    if not names and report.playable:
        report.seen = seen(book, seed=seed)
    print(json.dumps(report.as_dict()) if as_json else as_text(report, f"outbid verify {game}"))
    raise typer.Exit(0 if report.passed else 1)


@app.command(name="new-game", epilog="Examples: outbid new-game my_game · outbid play my_game.py · outbid verify my_game.py")
def new_game(name: Annotated[str, typer.Argument(metavar="NAME", help="Small letters, digits and _.")]) -> None:
    """Write NAME.py: a small game in one file that can be played at once, to be changed a piece at a time.

    docs/write-a-game.md builds a larger one step by step.
    """
    from outbid.testing.new_game import new_game

    path = new_game(name, Path.cwd())
    print(f"{path.name} is a game. Play it with `outbid play {path.name}`; after every change, `outbid verify {path.name}`.")


def _one_line(error: object) -> str:
    return " ".join(str(error).split())


@app.command(
    epilog="Examples: outbid puzzles rivals --matches 20 --file rivals.jsonl · "
    "outbid puzzles --from games.jsonl --file mine.jsonl"
)
def puzzles(
    game: Annotated[str | None, typer.Argument(help="The game whose bots play the matches.")] = None,
    file: Annotated[Path | None, typer.Option(help="Write the puzzles to this file, one a line; it is continued.")] = None,
    source: Annotated[Path | None, typer.Option("--from", help="Finished matches, JSON lines; instead of a game.")] = None,
    matches: Annotated[int, typer.Option(min=1, max=100_000)] = 10,
    players: Annotated[int | None, typer.Option(help="Seats at the table of the bots.")] = None,
    most: Annotated[int | None, typer.Option(min=1, help="Stop after so many puzzles.")] = None,
    seed: Seed = 0,
) -> None:
    """Collect puzzles: positions in which one move is better by far, and the judge is sure."""
    from outbid.core.record import read_record
    from outbid.core.record import records as read_records
    from outbid.core.rulebook import by_id
    from outbid.review.puzzles import collect, played

    if (game is None) == (source is None):
        raise BadSetup("Say a game whose bots play, or --from FILE with finished matches: one of the two.")
    if source is not None:
        given = (read_record(record) for _line, record in read_records(source))
    else:
        book = by_id(game or "")
        given = (played(book, players or min(book.players[1], 4), seed + n) for n in range(matches))
    found = 0
    for n, match in enumerate(given):
        for puzzle in collect(match, seed + n):
            line = json.dumps(puzzle.as_json(), ensure_ascii=False, separators=(",", ":"))
            if file is None:
                print(line)
            else:
                with file.open("a", encoding="utf-8") as out:
                    print(line, file=out)
            found += 1
            if most is not None and found >= most:
                return


@app.command(
    epilog="Examples: outbid analyse game.json · outbid analyse games.jsonl --record 3 --html review.html · "
    "outbid analyse game.json --json"
)
def analyse(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A finished match: JSON, or JSON lines with --record.")],
    record: Annotated[int | None, typer.Option(min=1, help="Which record of the file, from 1.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the review as a page to this file.")] = None,
    effort: Annotated[float, typer.Option(min=0.05, max=20, help="How far to look ahead; 1: as far as `strong`.")] = 0.3,
    worlds: Annotated[int, typer.Option(min=2, max=10_000, help="In how many worlds each position is judged.")] = 48,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Review a finished match: who was winning, what each decision lost and what was better, luck apart from skill."""
    from outbid.core.files import appearing
    from outbid.core.record import read_record
    from outbid.core.record import records as read_records
    from outbid.core.rulebook import check_seed
    from outbid.review.review import review
    from outbid.review.text import Teller, as_text

    check_seed(seed)
    found = dict(read_records(file))
    if record is None and len(found) > 1:
        raise BadSetup(f"{file} holds {len(found)} records; --record says which one, from 1.")
    if (record or 1) not in found:
        raise BadSetup(f"{file} has no record {record or 1}; it has {len(found)}.")
    try:
        match = read_record(found[record or 1])
    except BadRecord as error:
        raise BadSetup(f"{file}:{record or 1}: {error}") from error
    reached = 0
    page = nullcontext() if html is None else appearing(html, force=True)
    with page as beside, progress("Reviewing", 1000) as advance:

        def tell(done: float, so_far: Any) -> None:
            nonlocal reached
            advance(round(1000 * done) - reached)
            reached = round(1000 * done)

        made = review(match, worlds=worlds, effort=effort, seed=seed, tell=tell)
        if beside is not None:
            from outbid.server.web.routes.reviews import alone

            beside.write_text(alone(match, made), encoding="utf-8")
    print(json.dumps(made) if as_json else as_text(Teller(match, made)))


@app.command(epilog="Examples: outbid bench · outbid bench kuhhandel --json")
def bench(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all if left out.")] = None,
    seconds: Annotated[float, typer.Option(help="Time for each measurement.", min=0.1)] = 2.0,
    as_json: AsJson = False,
) -> None:
    """Measure decisions a second: compiled and plain, one thread and all, batches, matches and record moves."""
    from outbid.core.rulebook import rulebook, rulebooks
    from outbid.lab.bench import measure, table

    books = [rulebook(game)] if game else list(rulebooks().values())
    results = []
    for book in books:
        results.append(measure(book, seconds))
        if not as_json:
            print(table(results[-1:]), flush=True)
    if as_json:
        print(json.dumps(results))


@app.command(epilog="Examples: outbid solve claim · outbid solve kuhhandel --preset small --iterations 200 --json · "
    "outbid solve rivals --bots random,steady,strong")
def solve(
    game: GameName,
    preset: Annotated[str, typer.Option("--preset", help="A game small enough; `outbid games` lists them.")] = "tiny",
    players: Annotated[int, typer.Option("--players", "-n", help="Number of seats.")] = 2,
    iterations: Annotated[int, typer.Option("--iterations", "-i", min=0, help="Iterations of CFR+.")] = 1000,
    payoff: Annotated[str, typer.Option(help="What is played for: win, share, margin or score.")] = "win",
    limit: Annotated[int, typer.Option(min=1, help="Refuse a game of more histories.")] = 5_000_000,
    bots: Annotated[str, typer.Option(help="Bots whose NashConv is wanted, too, comma-separated.")] = "",
    samples: Annotated[int, typer.Option(min=1, help="How often such a bot is asked at each place.")] = 8,
    ledger: LedgerFile = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Solve a small game exactly: its size, its value, and how far CFR+ is from an equilibrium as it goes on."""
    from outbid.core.rulebook import rulebook
    from outbid.facade import Game
    from outbid.lab import exploitability
    from outbid.lab.results import Ledger
    from outbid.solve.report import as_text, course

    book = rulebook(game)
    made = Game(book, read_options(book, preset, option))
    names = names_in(bots)
    for name in names:
        exploitability.named(name)
    if ledger is not None and not names:
        raise BadSetup("--ledger keeps how far bots are from an equilibrium; name some with --bots.")
    kept = None if ledger is None else Ledger(ledger).ready()
    with progress("Solving", max(1, iterations)) as advance:
        found = course(made, preset, players, iterations, payoff, limit, advance)
    if names:
        with progress("Asking bots", len(names)) as advance:
            found["bots"] = exploitability.nash_convs(made, preset, players, names, samples, payoff=payoff, tell=advance)
        if kept is not None:
            for one in found["bots"]:
                kept.add(one)
    if as_json:
        print(json.dumps(found))
    else:
        print("\n".join([as_text(found), *(exploitability.lines(found["bots"]) if names else ())]))


@app.command(epilog="Example: outbid warm kuhhandel")
def warm(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; all if left out.")] = None,
) -> None:
    """Compile the rules and the bots now, so that no table, batch or simulation waits for it later.

    Measurements (arena, exploit) and reviews compile loops of their own when they are first used.
    """
    from outbid.bots import BOTS
    from outbid.core.rulebook import rulebook, rulebooks

    pieces = ["", *(name for name, bot in BOTS.items() if hasattr(bot, "prepare"))]
    for book in [rulebook(game)] if game else rulebooks().values():
        with progress(f"Compiling {book.id}", len(pieces)) as advance:
            for bot in pieces:
                _compile_apart(book.id, bot)
                advance(1)
        print(f"{book.id} is compiled.")


def _compile_apart(game: str, bot: str) -> None:
    """Compile a bot for a game, or its rules (no bot), in a process that ends then: no memory is kept for the next."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    try:
        with ProcessPoolExecutor(1, get_context("spawn")) as apart:
            apart.submit(_compile, game, bot).result()
    except BrokenProcessPool as error:
        raise OutbidError(f"{game} could not be compiled: the process was killed, perhaps as no memory was left.") from error


def _compile(game: str, bot: str) -> None:
    from outbid.bots import prepare
    from outbid.compiled.warm import compile_all
    from outbid.core.rulebook import rulebook

    if bot:
        prepare(bot, rulebook(game))
    else:
        compile_all(rulebook(game))


Bots = Annotated[str, typer.Option(help="Bots for the other seats, comma-separated, repeated round the table.")]
Language = Annotated[
    str | None, typer.Option("--language", metavar="CODE", help="en or de; that of the terminal if left out.")
]


@app.command(epilog="Examples: outbid play · outbid play kuhhandel -n 3 --plain · outbid play --option bidding=dropout")
def play(
    context: typer.Context,
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="The game, or its file.")] = "kuhhandel",
    players: Players = None,
    name: Annotated[str, typer.Option(help="Your name at the table.")] = "Player",
    bots: Bots = "steady",
    option: Options = None,
    preset: Preset = "seed",
    plain: Annotated[bool, typer.Option("--plain", help="Play in this terminal, line by line.")] = False,
    screen: Annotated[bool, typer.Option("--screen", help="Play on the full screen of this terminal.")] = False,
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="The deal; random if left out.")] = None,
    port: Annotated[int | None, typer.Option(help="Port of the server; the next free one if left out.")] = None,
    database: Annotated[str | None, typer.Option(help="File or URL; a file in your data folder if left out.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    language: Language = None,
) -> None:
    """Play a match against bots: in the browser, or with --plain or --screen in the terminal."""
    import secrets

    from outbid.bots import load_bot
    from outbid.core.language import i18n
    from outbid.core.rulebook import check_seed, rulebook
    from outbid.terminal.lines import spoken

    with i18n.speaking(spoken(language)):
        book = rulebook(game)
        options = read_options(book, preset, option)
        seats = seats_of(book, sum(book.players) // 2 if players is None else players, options)
        given = [load_bot(one.strip(), book).name for one in bots.split(",")]
        others = [given[seat % len(given)] for seat in range(seats - 1)]
        seed = secrets.randbits(62) if seed is None else check_seed(seed)
        if plain or screen:
            flag = "--screen" if screen else "--plain"
            _not_for(context, f"with {flag}, which needs no server", "port", "database", "browser")
            from outbid.terminal.local import play as play_here

            play_here(book, options, name, others, seed, screen)
            return
        from outbid.server.main import run

        run(
            port=port,
            database=database,
            open_browser=browser,
            table={"game": book.id, "players": seats, "name": name, "bots": others, "options": options, "seed": seed},
        )


@app.command(
    epilog="Examples: outbid serve · outbid serve --host 0.0.0.0 --port 8080 --database tables.db · "
    "outbid serve --base-url https://table.example --keep-days 365 --log json"
)
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for guests from the network.")] = "127.0.0.1",
    port: Annotated[int | None, typer.Option(help="Port; 8710, or the next free one, if left out.")] = None,
    database: Annotated[str | None, typer.Option(help="File or URL; a file in your data folder if left out.")] = None,
    base_url: Annotated[
        str | None, typer.Option("--base-url", metavar="URL", help="How guests reach the server behind a proxy.")
    ] = None,
    keep_days: Annotated[
        float | None, typer.Option("--keep-days", metavar="N", help="Delete tables N days after their end, with a warning.")
    ] = None,
    log: Annotated[str, typer.Option("--log", metavar="STYLE", help="The log on standard error: text or json.")] = "text",
    metrics: Annotated[bool, typer.Option("--metrics", help="/metrics for everybody, not only this machine.")] = False,
    backup_to: Annotated[
        str | None, typer.Option("--backup-to", metavar="DIR", help="Copy the database there now and then.")
    ] = None,
    every: Annotated[str, typer.Option(metavar="TIME", help="How often, with --backup-to: 30m, 6h, 1d.")] = "1d",
    keep: Annotated[int, typer.Option(metavar="N", help="How many copies are kept, with --backup-to.")] = 14,
    reload: Annotated[
        bool, typer.Option("--reload", help="For developers: begin again when a source or a template changes.")
    ] = False,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="[NAME=]BOT", help="One more bot for tables: net@FILE, MODULE:NAME, strong*0.1."),
    ] = None,
) -> None:
    """Run the table server for guests."""
    from outbid.bots.naming import offer
    from outbid.server.main import run

    if reload:
        from outbid.server.reload import supervise

        raise typer.Exit(supervise([word for word in sys.argv[1:] if word != "--reload"]))

    for said in bot or ():
        offer(said)
    run(
        host=host,
        port=port,
        database=database,
        open_browser=False,
        base_url=base_url,
        keep_days=keep_days,
        log=log,
        metrics=metrics,
        backup_to=backup_to,
        every=every,
        keep=keep,
    )


@app.command(
    epilog="Examples: outbid join http://192.168.1.5:8710/t/abc234 --name Ben · "
    "outbid join https://table.example/t/abc234 --plain"
)
def join(
    link: Annotated[str, typer.Argument(metavar="LINK", help="The link of a table, or of a seat at it.")],
    name: Annotated[str | None, typer.Option(help="Your name at the table; asked for if it is needed.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Line by line, for screen readers and pipes.")] = False,
    password: Annotated[
        bool, typer.Option("--password", help="Sign in with a kept name; the password is asked for.")
    ] = False,
    language: Language = None,
) -> None:
    """Sit down at a table of a running server, in this terminal; with no open seat, watch."""
    from outbid.core.language import i18n
    from outbid.terminal import join as sit
    from outbid.terminal.lines import spoken

    with i18n.speaking(spoken(language)):
        code = sit(link, name, plain, password)
    raise typer.Exit(code)


@app.command(
    epilog="Examples: outbid mcp · outbid mcp --http --port 8711 · "
    "outbid mcp kuhhandel -n 4 --bots steady,random --seed 7 --obfuscate 1 --withhold"
)
def mcp(
    context: typer.Context,
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One match, set for the agent.")] = None,
    players: Players = None,
    bots: Bots = "steady",
    option: Options = None,
    preset: Preset = "seed",
    seed: Annotated[int | None, typer.Option("--seed", "-s", help="The deal; random if left out.")] = None,
    seat: Annotated[int, typer.Option(help="The agent's seat.")] = 0,
    obfuscate: Annotated[int | None, typer.Option(metavar="SEED", help="Made-up names for the game's own.")] = None,
    withhold: Annotated[bool, typer.Option("--withhold", help="Do not list the legal moves.")] = False,
    http: Annotated[bool, typer.Option("--http", help="Over HTTP on this machine, not standard input and output.")] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port, with --http.")] = 8711,
) -> None:
    """A seat for language-model agents: a server of the Model Context Protocol, for matches against bots and for tables."""
    import importlib.util

    if importlib.util.find_spec("mcp") is None:
        raise BadSetup("The Model Context Protocol needs its SDK: pip install 'outbid[research]'.")
    from outbid.agents.mcp import run, server, set_match
    from outbid.core.rulebook import rulebook

    if not http:
        _not_for(context, "without --http", "port")
    if game is None:
        settings = ("players", "bots", "option", "preset", "seed", "seat", "obfuscate", "withhold")
        _not_for(context, "without a GAME, as the agent chooses its match itself", *settings)
        run(server(shared=http), http, port)
        return
    if http:
        raise BadSetup("A match that is set is for one agent over standard input and output; leave out GAME or --http.")
    from outbid.bots import load_bot

    book = rulebook(game)
    options = read_options(book, "seed", option)
    for one in bots.split(","):
        load_bot(one.strip(), book)
    given = set_match(book, players, seat, bots, seed, preset, options, obfuscate, not withhold)
    run(server(given=given))


@app.command(epilog="Example: outbid examples here")
def examples(folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to; made if it is not there.")]) -> None:
    """Copy the examples: a tour as a notebook, trainings, self-play on a small game, a game in one file."""
    from outbid.examples import copied

    for file in copied(folder):
        print(file)


def _say_warning(told: Any, message: Any, category: type[Warning], *where: Any, **how: Any) -> None:
    """A warning as one line: of ours the sentence alone."""
    if issubclass(category, BrokenPackage):
        print(f"Warning: {message}", file=sys.stderr)
    else:
        told(message, category, *where, **how)


def main() -> None:
    """Entry point of the command `outbid`."""
    warnings.showwarning = partial(_say_warning, warnings.showwarning)
    try:
        app()
    except OutbidError as error:
        print(_one_line(error), file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        print(f"There is no room for what is written: {error.strerror}.", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
