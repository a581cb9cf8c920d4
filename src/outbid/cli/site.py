"""The command of a site that plays without a server."""

from pathlib import Path
from typing import Annotated

import typer

from outbid.cli.arguments import progress

app = typer.Typer()


@app.command(epilog="Examples: outbid site public · outbid site public --server https://play.example.org")
def site(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="An empty folder, or one with a former site.")],
    server: Annotated[
        str | None, typer.Option(metavar="URL", help="Where “Play with friends” leads; without it there is no such link.")
    ] = None,
) -> None:
    """Write the games as a folder of static files for any web space: they run in the browser, offline, too.

    Needs Node.js 18 or newer with npm. To look at it: `python -m http.server -d DIR`."""
    from outbid.site.build import build

    with progress("Building the site", None) as advance:
        size = build(folder, server, advance.say)
    print(f"{folder} has {size.raw / 1e6:.1f} MB, {size.gzip / 1e6:.1f} MB as gzip sends them.")
