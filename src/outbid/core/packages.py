"""Plug-ins: games and bots of other packages, found by their entry points; one that cannot be loaded is a warning, and no
more. Files that authors write (games, changed rules, measures, bots) are run as modules, one at a time, whatever
threads ask for it: while one runs, others would find it half made."""

import importlib.util
import sys
import warnings
from collections.abc import Callable
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any


class BrokenPackage(UserWarning):
    """An entry point of another package that cannot be loaded."""


def points(group: str) -> tuple[metadata.EntryPoint, ...]:
    """The entry points of a group. They are looked for once, and again when `sys.path` is another."""
    return _points(group, tuple(sys.path))


@lru_cache(maxsize=16)
def _points(group: str, _path: tuple[str, ...]) -> tuple[metadata.EntryPoint, ...]:
    return tuple(metadata.entry_points(group=group))


_broken: dict[tuple[str, str, str], str] = {}  # what was said of it, by group, name and value


def load(point: metadata.EntryPoint, fits: Callable[[Any], bool], wanted: str) -> Any | None:
    """What an entry point names, if it can be imported and `fits`; else nothing, after a warning. It is tried once.

    wanted: what it must be, for the warning."""
    key = point.group, point.name, point.value
    if key in _broken:
        return None
    try:
        value = point.load()
    except (Exception, SystemExit) as error:  # whatever code of others raises when it is imported
        reason = " ".join(f"{type(error).__name__}: {error}".split())
    else:
        if fits(value):
            return value
        reason = f"it is of the type {type(value).__name__}, and not {wanted}"
    package = point.dist.name if point.dist else point.module
    _broken[key] = f"{point.name!r} of the package {package} ({point.group}, {point.value}) cannot be loaded: {reason}."
    warnings.warn(_broken[key], BrokenPackage, stacklevel=3)
    return None


def why_not(group: str, name: str) -> str | None:
    """Why the entry point of this name was not loaded; None if it was not tried or there is none."""
    return next((reason for (of, called, _value), reason in _broken.items() if (of, called) == (group, name)), None)


reading = RLock()  # held while such a file is run, and by what must not meet one that is


def run(path: Path, name: str) -> ModuleType:
    """The module of a file, which is found as `name` from then on. Raises what its code raises, and keeps nothing then."""
    with reading:
        spec = importlib.util.spec_from_file_location(name, path)
        if spec is None:
            raise ImportError(f"{path.name} does not end in .py", path=str(path))
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        try:  # not what Python keeps of a file, which may be of a second ago
            exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), vars(module))
        except BaseException:
            del sys.modules[name]
            raise
        return module


def once(path: Path, name: str) -> ModuleType:
    """The module of a file, which is run when it is asked for first."""
    with reading:
        return sys.modules.get(name) or run(path, name)
