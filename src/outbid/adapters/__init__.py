"""The games in the interfaces of others: each module needs the package it is named after, and is loaded by nothing else.

    with needed("PettingZoo", "pettingzoo", "research"):   # what is missing is one sentence, with its pip install
        from pettingzoo.utils.env import AECEnv
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from outbid.core.errors import BadSetup


class Missing(BadSetup, ImportError):
    """A package that is not installed."""


@contextmanager
def needed(title: str, package: str, extra: str) -> Iterator[None]:
    """Within it a package is imported that an extra brings. Raises Missing, if it is not there."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise
        raise Missing(f"{title} is not installed: pip install 'outbid[{extra}]'.") from error
