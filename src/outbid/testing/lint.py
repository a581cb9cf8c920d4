"""The compiled subset, checked on the source: what Numba would refuse with a page of its own is one sentence here.

Rules are functions over integers and arrays: assignments, `if`, `for`, `while`, calls. Only functions that a function of the
contract calls are checked; words and declarations may be any Python.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from outbid.core import contract
from outbid.core.rulebook import Rulebook
from outbid.testing.findings import Finding, Property, Trial, placed

FAULTS: dict[type[ast.AST], str] = {
    ast.ListComp: "a list comprehension is not in the subset; use a loop over a field",
    ast.SetComp: "a set comprehension is not in the subset; use a loop and a bit mask",
    ast.DictComp: "a dict comprehension is not in the subset; use a loop over a field",
    ast.GeneratorExp: "a generator expression is not in the subset; use a loop",
    ast.Yield: "a generator is not in the subset; use a loop",
    ast.YieldFrom: "a generator is not in the subset; use a loop",
    ast.Try: "try is not in the subset; ask beforehand with if",
    ast.TryStar: "try is not in the subset; ask beforehand with if",
    ast.With: "with is not in the subset; leave it out",
    ast.ClassDef: "a class is not in the subset; use fields of the state",
    ast.FunctionDef: "a function within a function is not in the subset; write it beside the others",
    ast.AsyncFunctionDef: "an async function is not in the subset; write a plain one",
    ast.Await: "await is not in the subset; leave it out",
    ast.Lambda: "a lambda is not in the subset; write a function beside the others",
    ast.JoinedStr: "an f-string is not in the subset; sentences belong to the words module",
    ast.List: "a list is not in the subset; use a field, or a tuple of the module",
    ast.Dict: "a dict is not in the subset; use a field, or a tuple of the module",
    ast.Set: "a set is not in the subset; use a bit mask",
    ast.Is: "`is` is not in the subset; compare numbers with ==",
    ast.IsNot: "`is not` is not in the subset; compare numbers with !=",
    ast.In: "`in` is not in the subset; use a loop over the field",
    ast.NotIn: "`not in` is not in the subset; use a loop over the field",
    ast.Import: "an import within a function is not in the subset; import at the top of the module",
    ast.ImportFrom: "an import within a function is not in the subset; import at the top of the module",
    ast.Global: "global is not in the subset; use a field of the state",
    ast.Nonlocal: "nonlocal is not in the subset; use a field of the state",
    ast.keyword: "an argument by name is not in the subset; give it by its place",
}


def lint(book: Rulebook) -> Iterator[str]:
    """What is not in the subset: "vault/rules.py:95 reveal: try is not in the subset; ask beforehand with if"."""
    homes = {module.__name__: module for module in book.modules}
    ahead = [book.function(generic.__name__) for generic in contract.FUNCTIONS]
    known = set(ahead)
    while ahead:
        function = ahead.pop()
        home = homes.get(function.__module__)
        node = None if home is None else functions(home).get(function.__name__)
        if home is None or node is None:
            continue
        yield from faults(home, node)
        for called in _called(home, node):
            if called not in known:
                known.add(called)
                ahead.append(called)


def faults(home: ModuleType, function: ast.FunctionDef) -> Iterator[str]:
    """What is not in the subset in one function of a module."""
    file = str(home.__file__)
    for node in (inner for part in function.body for inner in ast.walk(part)):
        sentence = FAULTS.get(type(node))
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and not isinstance(node.ctx, ast.Load):
            sentence = "a slice that is assigned is not in the subset; use a loop"
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
            sentence = "two indices in one pair of brackets are not in the subset; write [seat][kind]"
        if isinstance(node, ast.Compare):
            line = node.lineno
            for operator in node.ops:
                if type(operator) in FAULTS:
                    yield f"{placed(file, line)} {function.name}: {FAULTS[type(operator)]}"
        elif sentence is not None and not isinstance(node, ast.cmpop):
            yield f"{placed(file, getattr(node, 'lineno', None))} {function.name}: {sentence}"


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


def _called(home: ModuleType, function: ast.FunctionDef) -> Iterator[Callable[..., Any]]:
    """The functions that a function names, itself or through a module."""
    for node in ast.walk(function):
        value: Any = None
        if isinstance(node, ast.Name):
            value = vars(home).get(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = vars(home).get(node.value.id)
            value = getattr(module, node.attr, None) if inspect.ismodule(module) else None
        if inspect.isfunction(value):
            yield value


def _subset(t: Trial) -> Iterator[Finding]:
    for sentence in lint(t.book):
        yield t.found(sentence)


SUBSET = Property("subset", "the rules keep to the compiled subset", _subset, once=True)
