"""The source of a game's rules: its functions, which of them call which, and the lines that a finding names."""

import ast
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from outbid.core.rulebook import Rulebook


def placed(file: str, line: int | None) -> str:
    """A line as authors look for it: "vault/rules.py:95"."""
    return f"{'/'.join(Path(file).parts[-2:])}:{line}"


def within(book: Rulebook) -> Callable[[FrameType], bool]:
    """Whether a frame runs code of the game, in whichever of its modules."""
    package, homes = book.words.__package__, {home.__name__ for home in book.modules}

    def inside(frame: FrameType) -> bool:
        module = frame.f_globals.get("__name__", "")
        return module in homes or (bool(package) and f"{module}.".startswith(f"{package}."))

    return inside


def functions(home: ModuleType) -> dict[str, ast.FunctionDef]:
    """The functions of a module by name; none where it has no source."""
    return {node.name: node for node in _tree(home).body if isinstance(node, ast.FunctionDef)}


def _tree(home: ModuleType) -> ast.Module:
    file = Path(getattr(home, "__file__", None) or "")
    return _parsed(file, file.stat().st_mtime_ns) if file.is_file() else ast.Module([], [])


@lru_cache(maxsize=64)
def _parsed(file: Path, changed: int) -> ast.Module:
    return ast.parse(file.read_bytes())  # which says itself how it is encoded


def declared(book: Rulebook, name: str) -> str:
    """The line that declares a field, an option or an argument of the rulebook; empty if it is not in a rule module."""
    for home in book.modules:
        for node in ast.walk(_tree(home)):
            first = node.args[0] if isinstance(node, ast.Call) and node.args else None
            named = node.arg if isinstance(node, ast.keyword) else getattr(first, "value", None)
            if named == name:
                return placed(str(home.__file__), node.lineno)  # type: ignore[attr-defined]
    return ""


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
    rules = [placed(str(home.__file__), node.lineno) for home, node in sources]
    return (naming or rules or [declared(book, field or "")])[0]


class _Row(list[Any]):
    """A list that tells of each write to it."""

    def __init__(self, parts: Any, tell: Callable[[], None]):
        super().__init__(parts)
        self.tell = tell

    def __setitem__(self, at: Any, value: Any) -> None:
        super().__setitem__(at, value)
        self.tell()


def blamed(state: Any, name: str, act: Callable[[Any], object], fault: Callable[[Any], object]) -> str:
    """The line of the game that leaves a field with a fault, where `act` changes a copy of the state; if none does, the last
    line that writes the field. Empty if none does."""
    lines: list[tuple[bool, str]] = []
    inside = within(state.book)

    def tell() -> None:
        frame = sys._getframe(2)
        while frame.f_back is not None and not inside(frame):
            frame = frame.f_back
        lines.append((bool(fault(twin)), placed(frame.f_code.co_filename, frame.f_lineno)))

    def watched(value: Any) -> Any:
        return _Row(map(watched, value), tell) if isinstance(value, list) else value

    def set_and_tell(self: Any, attribute: str, value: Any) -> None:
        object.__setattr__(self, attribute, value)
        if attribute == name and self is twin:
            tell()

    kind: Any = type("Watched", (type(state),), {"__slots__": (), "__setattr__": set_and_tell})
    twin: Any = None
    copy = object.__new__(kind)
    for field in state.layout.fields:
        value = getattr(state.copy(), field.name)
        setattr(copy, field.name, watched(value) if field.name == name else value)
    twin = copy
    try:
        act(twin)
    except Exception:  # it is told elsewhere
        return ""
    return next((line for wrong, line in reversed(lines) if wrong), lines[-1][1] if lines else "")
