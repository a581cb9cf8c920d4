"""Run Python as if nothing but the core were installed: what only extras bring cannot be imported.

    python -m tests.support.core_only CODE FOLDER
"""

from __future__ import annotations

import os
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _name(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()


def core() -> set[str]:
    """The packages that the core brings, with all that these bring."""
    ahead = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    names = {"outbid"}
    while ahead:
        name = _name(ahead.pop())
        if name not in names:
            names.add(name)
            try:
                ahead += [requirement for requirement in metadata.requires(name) or () if "extra ==" not in requirement]
            except metadata.PackageNotFoundError:  # for another system
                names.discard(name)
    return names


def block() -> None:
    """Let nothing be imported from now on that the core does not bring."""
    names = core()
    for module, packages in metadata.packages_distributions().items():
        if not names & {_name(package) for package in packages} and module not in sys.stdlib_module_names:
            sys.modules.setdefault(module, None)


if __name__ == "__main__":
    block()
    os.chdir(sys.argv[2])
    exec(sys.argv[1], {"__name__": "__main__"})
