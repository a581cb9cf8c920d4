"""The command line: `outbid play | serve | join | admin | games | rules | simulate | arena | exploit | check | …`.

Wrong usage, unreadable files and anything that cannot be done is one sentence on standard error and exit code 2;
`check` exits 1 where it found an illegal record, `verify` where a game breaks the contract. `--json` prints one JSON
document and nothing else on standard output.
"""

import errno
import sys
import sysconfig
import traceback
import warnings
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from outbid.cli import authors, console, data, evaluation, laboratory, play, records, research, site
from outbid.core.errors import OutbidError, one_line
from outbid.core.packages import BrokenPackage
from outbid.server.operating import desk_tools
from outbid.version import __version__

__all__ = ["app", "main"]

UsageError: Any = typer.BadParameter.__base__  # typer has no other name for it

app = typer.Typer(
    name="outbid",
    help="Five games of money: play at a table, simulate, measure.",
    epilog="Examples: outbid play · outbid play kuhhandel --plain · outbid simulate kuhhandel --players 4 --matches 1000",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

for part in (play, research, evaluation, records, authors, site):  # in this order they are listed
    app.add_typer(part.app)
app.add_typer(desk_tools.app, name="admin")
app.add_typer(laboratory.app, name="lab")
app.add_typer(data.app, name="data")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"outbid {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Five games of money: play at a table, simulate, measure."""


def _say_warning(told: Any, message: Any, category: type[Warning], *where: Any, **how: Any) -> None:
    """A warning as one line: of ours the sentence alone."""
    if issubclass(category, BrokenPackage):
        print(f"Warning: {message}", file=sys.stderr)
    else:
        told(message, category, *where, **how)


def _authors_fault(error: Exception) -> str:
    """Where the code of an author (a game, a bot, a measure of a file) raised an error, as a sentence; nothing where our own
    code or a library's did."""
    others = [Path(__file__).parents[1], *(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib"))]
    own = [
        frame for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.endswith(".py") and not any(Path(frame.filename).is_relative_to(folder) for folder in others)
    ]
    if not own:
        return ""
    return f"{own[-1].filename}, line {own[-1].lineno}, in {own[-1].name}: {type(error).__name__}: {error}"


def main() -> None:
    """Entry point of the command `outbid`."""
    console.prepare()
    warnings.showwarning = partial(_say_warning, warnings.showwarning)
    try:
        sys.exit(app(standalone_mode=False) or 0)
    except UsageError as error:
        if type(error).__name__ != "NoArgsIsHelpError":  # whose help was printed
            sentence = f"{error.format_message().rstrip('.')}. `{error.ctx.command_path} --help` says more."
            print(one_line(sentence), file=sys.stderr)
        sys.exit(2)
    except typer.Abort:
        print("Aborted.", file=sys.stderr)
        sys.exit(1)
    except OutbidError as error:
        print(one_line(error), file=sys.stderr)
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
    except Exception as error:
        fault = _authors_fault(error)
        if not fault:
            raise
        print(one_line(fault), file=sys.stderr)
        sys.exit(2)
