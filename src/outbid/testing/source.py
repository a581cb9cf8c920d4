"""The source of a game's rules: its functions, which of them call which, and the lines that a finding names."""

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from outbid.core.rulebook import Rulebook


def placed(file: str, line: int | None) -> str:
    """A line as authors look for it: "vault/rules.py:95"."""
    return f"{'/'.join(Path(file).parts[-2:])}:{line}"


def within_game(frame: FrameType, book: Rulebook) -> bool:
    """Whether a frame runs code of the game, in whichever of its modules."""
    module, package = frame.f_globals.get("__name__", ""), book.words.__package__
    inside = bool(package) and f"{module}.".startswith(f"{package}.")
    return inside or module in {home.__name__ for home in book.modules}


def functions(home: ModuleType) -> dict[str, ast.FunctionDef]:
    """The functions of a module by name; none where it has no source."""
    file = getattr(home, "__file__", None)
    if not file or not Path(file).is_file():
        return {}
    return _parsed(Path(file), Path(file).stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _parsed(file: Path, changed: int) -> dict[str, ast.FunctionDef]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def reached(book: Rulebook, rules: Iterable[str]) -> dict[Callable[..., Any], tuple[ModuleType, ast.FunctionDef]]:
    """The game's functions that these rules call, themselves and through others, with their module and source."""
    homes = {module.__name__: module for module in book.modules}
    ahead = [book.function(name) for name in rules]
    known: dict[Callable[..., Any], tuple[ModuleType, ast.FunctionDef]] = {}
    while ahead:
        function = ahead.pop(0)
        home = homes.get(function.__module__)
        node = None if home is None else functions(home).get(function.__name__)
        if home is not None and node is not None and function not in known:
            known[function] = home, node
            ahead += called(home, node)
    return known


def called(home: ModuleType, function: ast.FunctionDef) -> Iterator[Callable[..., Any]]:
    """The functions that a function names, itself or through a module."""
    for node in ast.walk(function):
        value = named(home, node)
        if inspect.isfunction(value):
            yield value


def named(home: ModuleType, node: ast.AST) -> Any:
    """What a name of a module stands for, also a name in another module that it names; None if it is no such name."""
    if isinstance(node, ast.Name):
        return vars(home).get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        module = vars(home).get(node.value.id)
        return getattr(module, node.attr, None) if inspect.ismodule(module) else None
    return None


def line_of(book: Rulebook, rule: str, field: str | None) -> str:
    """Where to look for a fault of a rule: the line that first names the field, or else the rule itself. Empty if the game
    leaves the rule out."""
    sources = list(reached(book, [rule]).values())
    naming = [
        placed(str(home.__file__), node.lineno)
        for home, function in sources
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and node.attr == field and isinstance(node.value, ast.Name)
    ]
    return (naming or [placed(str(home.__file__), node.lineno) for home, node in sources] or [""])[0]
