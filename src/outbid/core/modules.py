"""Files of Python that authors write (games, changed rules, measures, bots), as modules. One is run at a time, whatever
threads ask for it: while it runs, others would find it half made."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from threading import RLock
from types import ModuleType

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
    """The same, run when it is asked for first."""
    with reading:
        return sys.modules.get(name) or run(path, name)
