"""What several commands share: arguments and options, how they are read, progress, one-line errors."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Timer
from typing import Annotated, Any

import typer

from outbid.core.errors import BadSetup
from outbid.core.language.phrases import plural

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name (`outbid games` lists them) or file.")]
Players = Annotated[int | None, typer.Option("--players", "-n", help="Number of seats.")]
Seed = Annotated[int, typer.Option("--seed", "-s", help="The same seed gives the same matches.")]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule to change.")]
Preset = Annotated[str, typer.Option("--preset", help="A named set of options; `seed` is the given rules with our rulings.")]
Seeds = Annotated[
    str | None, typer.Option(help="What the seeds are for: training, selection or report; report with --ledger.")
]
StoreFile = Annotated[
    Path | None,
    typer.Option(
        "--ledger",
        metavar="FILE",
        help="Write the results there, and skip pairings that are already there.",
    ),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Play everything again, even what --ledger or an interrupted run has.")]
PATIENCE, MINUTE = 10.0, 60.0  # seconds without any news: until one says what is going on, and until one says it again
COMPILING = (
    "No match is over yet. At first use rules and bots are compiled, which takes a minute or two, longer on a busy machine; "
    "the result is kept."
)
COUNTED = {"deals": "each of which is played from every seat", "matches": "each with a deal of its own"}
MOST_DEALS, MOST_TRIES = 1_000_000, 10_000
On = Annotated[
    str | None, typer.Option("--on", metavar="WHERE", help="A Dask cluster: its address, local:N, slurm:N or kubernetes:N.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


def also_spelled(counts: str, **older: str) -> dict[str, Any]:
    """The settings of a command that counts matches or deals, and whose options are also taken by older names, which its
    help does not list. Raises BadSetup where it is given a number of the other."""

    def spelled(name: str) -> str:
        if name in COUNTED and name != counts:
            raise BadSetup(f"This command counts {counts}, {COUNTED[counts]}; give their number with --{counts}.")
        return older.get(name, name)

    return {"token_normalize_func": spelled}


def not_for(context: typer.Context, what: str, *names: str) -> None:
    """Refuse options that were given but have no effect here."""
    sources = {name: context.get_parameter_source(name) for name in names}
    given = [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]
    if given:
        raise BadSetup(f"{', '.join('--' + name.replace('_', '-') for name in given)}: not {what}.")


def read_options(book: Any, preset: str, given: Sequence[str] | None) -> dict[str, Any]:
    """Options from a preset and NAME=VALUE pairs."""
    options: dict[str, Any] = book.preset(preset)
    known = {option.name: option for option in book.options}
    for pair in given or ():
        name, sign, text = pair.partition("=")
        if not sign:
            example = next((f", such as {option.name}={option.default}" for option in book.options), "")
            raise BadSetup(f"{pair!r} is not NAME=VALUE{example}.")
        options[name] = known[name].parse(text) if name in known else text
    book.codes(options)
    return options


def seats_of(book: Any, players: int, options: dict[str, Any]) -> int:
    """The number of seats; says on standard error which options have no effect with so many."""
    seats: int = book.check_players(players, options)
    for sentence in book.idle(options, seats):
        print(sentence, file=sys.stderr)
    return seats


def set_up(game: str, preset: str, option: Sequence[str] | None, players: int | None) -> tuple[Any, dict[str, Any], int]:
    """A game's rulebook, its options, and the number of seats: the most there may be, if none is given."""
    from outbid.core.rulebook import rulebook

    book = rulebook(game)
    options = read_options(book, preset, option)
    return book, options, seats_of(book, book.players[1] if players is None else players, options)


def cluster(on: str | None) -> Any:
    """The executor of a cluster, or none: threads of this process."""
    from outbid.runs.executor import executor

    return nullcontext() if on is None else executor(on)


class progress:  # noqa: N801 - used like a function
    """A progress bar on a terminal, nothing in a pipe: `with progress("Playing", 100) as advance: advance(1)`. waiting: said
    on standard error if nothing has come after some seconds; from then on each minute says how long it has been. figures:
    stands behind the bar, instead of a share and the time left, until `show` puts something else there."""

    def __init__(self, words: str, total: int | None, waiting: str = "", figures: str = ""):
        self.words, self.total, self.figures = words, total, figures
        self.waiting, self.minutes, self.silent = waiting, 0, not waiting
        self.patience = Timer(PATIENCE, self._wait)
        self.patience.daemon = True
        self.bar: Any = None
        self.task: Any = None

    def _wait(self) -> None:
        if self.silent:
            return
        news = f"No match is over yet, after {plural(self.minutes, 'minute')}." if self.minutes else self.waiting
        print(news, file=sys.stderr, flush=True)
        self.minutes += 1
        self.patience = Timer(MINUTE - (PATIENCE if self.minutes == 1 else 0), self._wait)
        self.patience.daemon = True
        self.patience.start()

    def __enter__(self) -> progress:
        if not self.silent:
            self.patience.start()
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            behind = [TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[figures]}")]
            columns = behind if self.figures else Progress.get_default_columns()
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task(self.words, total=self.total, figures=self.figures)
        return self

    def __call__(self, n: float) -> None:
        """So much more is done."""
        self._hear()
        if self.bar is not None:
            self.bar.advance(self.task, n)

    def show(self, done: int, total: int, figures: str) -> None:
        """So much of so much is done, in figures."""
        if self.bar is not None:
            self.bar.update(self.task, total=total, completed=done, figures=figures)

    def say(self, text: str) -> None:
        """Print a text above the bar, or on standard error where there is none."""
        if self.bar is not None:
            self.bar.console.print(text, highlight=False, markup=False)
        else:
            print(text, file=sys.stderr)

    def _hear(self) -> None:
        """Stop the sentence that a wait would bring: something is done."""
        self.silent = True
        self.patience.cancel()

    def close(self) -> None:
        self._hear()
        if self.bar is not None:
            self.bar.stop()
            self.bar = None

    def __exit__(self, *_: object) -> None:
        self.close()


def names_in(text: str) -> list[str]:
    """Names that are separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def seed_number(purpose: str | None, seed: int, store: Path | None) -> int:
    """The seed with this number, of those for a purpose: what goes into a results store is a report, all else is a
    selection."""
    from outbid.runs.seeds import seed_of

    return seed_of(purpose or ("selection" if store is None else "report"), seed)


@contextmanager
def resumable(book: Any, bots: Sequence[str], store: Path | None, fresh: bool) -> Iterator[tuple[Any, Any]]:
    """A results store, or none, and where matches are kept until their measurement is finished, so that the same command
    goes on where it was interrupted; an interruption says so. Without a store that is the user's cache folder; but nothing
    is kept there of bots that come neither from outbid nor from a file, since it is unknown whether they have changed."""
    from outbid.lab.results_store import ResultsStore
    from outbid.runs.checkpoint import Checkpoint

    results = None if store is None else ResultsStore(store).ready()
    if results is not None:
        checkpoint: Checkpoint | None = Checkpoint.beside(results.path, fresh)
    else:
        checkpoint = Checkpoint.in_cache(fresh) if all(_is_known(book, name) for name in bots) else None
    try:
        yield results, checkpoint
    except KeyboardInterrupt:
        if checkpoint is not None and not checkpoint.stopped:
            print("Interrupted. Deals that were finished are kept; the same command goes on from there.", file=sys.stderr)
        raise
    if checkpoint is not None and checkpoint.found:
        deals = plural(checkpoint.found, "deal")
        news = f"Of these, {deals} had been played before this was interrupted; --fresh plays all anew."
        print(news, file=sys.stderr)


def _is_known(book: Any, name: str) -> bool:
    """Whether all that a bot depends on is known; not so of one that is not there, which the measurement says."""
    from outbid.runs.seating import asks
    from outbid.runs.sources import files_of

    try:
        return not asks(book, [name]) or bool(files_of([name]))
    except BadSetup:
        return False


Bots = Annotated[str, typer.Option(help="Bots for the other seats, comma-separated, repeated round the table.")]
Language = Annotated[
    str | None, typer.Option("--language", metavar="CODE", help="en or de; that of the terminal if left out.")
]
