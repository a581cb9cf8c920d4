"""What an extra of the package brings: where it is missing, one sentence says so, with the command that installs it.

    with needed("`outbid serve`", "server"):
        from outbid.server.main import run
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from outbid.core.errors import BadSetup
from outbid.core.language.i18n import _


class Missing(BadSetup, ImportError):
    """A package is not installed that an extra brings."""


@contextmanager
def needed(what: str, extra: str, instead: str = "") -> Iterator[None]:
    """Within it packages are imported that an extra brings. Raises Missing if one of them is not installed.

    what: a command, or whatever else needs them; instead: what can be done without them."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "outbid").partition(".")[0] == "outbid":
            raise
        sentence = _("{what} needs the extra {extra}: pip install 'outbid[{extra}]'", what=what, extra=extra)
        raise Missing(f"{sentence}; {instead}." if instead else f"{sentence}.") from error


def require(what: str, extra: str, *packages: str, instead: str = "") -> None:
    """Raise Missing if one of these packages is not installed; imports none of them."""
    with needed(what, extra, instead):
        for package in packages:
            if find_spec(package) is None:
                raise ModuleNotFoundError(name=package)
