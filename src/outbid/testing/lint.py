"""The compiled subset, checked on the source: what Numba would refuse with a page of its own is one sentence here.

Rules are functions over integers and arrays: assignments, `if`, `for`, `while`, calls, without recursion. The game's own
players and a learner's features may use fractions. Only functions that a function of the contract calls are checked; words
and declarations may be any Python.
"""

import ast
import builtins
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

from outbid.core import contract
from outbid.core.rulebook import Rulebook
from outbid.testing.findings import Property
from outbid.testing.source import called, named, placed, reached

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


METHOD = "a method is not in the subset; use a loop over the field"
WORD = "a word is not in the subset; compare numbers, and give them names in the module"
LARGE = "a number beyond 64 bits is not in the subset"
KEPT = "what stands in the module is not in the subset to be changed; use a field of the state"
WHOLE = "a whole field or row of {name} is not in the subset as a number; use its places, in a loop"
BUILTIN = "{name} is not in the subset; use a loop over the field"
BUILTINS = ("abs", "bool", "divmod", "enumerate", "float", "int", "len", "max", "min", "pow", "range", "round", "sum", "zip")
FRACTION = "a fraction is not in the subset of rules and scores, which count in whole numbers; use // and whole numbers"
PLAYERS = ("steady", "play", "observe", "redeal")  # they may weigh in fractions
NUMBERS = ("math", "builtins")  # modules of Python that rules may use
CHANCE = "below(step(stream(seed, 0)), n)"


def lint(book: Rulebook) -> Iterator[str]:
    """What is not in the subset: "vault/rules.py:95 reveal: try is not in the subset; ask beforehand with if"."""
    rules = [function.__name__ for function in contract.FUNCTIONS]
    strict = reached(book, [name for name in rules if name not in PLAYERS])
    sources = reached(book, rules)
    for function, (home, node) in sources.items():
        yield from faults(home, node)
        if function in strict:
            yield from _fractions(home, node)
        yield from _foreign(home, node)
        yield from _awkward(book, home, node)
    for cycle in _cycles({function: [*called(*source)] for function, source in sources.items()}):
        home, node = sources[cycle[0]]
        names = " calls ".join(function.__name__ for function in (*cycle, cycle[0]))
        yield f"{placed(str(home.__file__), node.lineno)} {node.name}: recursion is not in the subset ({names}); use a loop"


def _fractions(home: ModuleType, function: ast.FunctionDef) -> Iterator[str]:
    """The lines of a rule in which a number may not be whole."""
    for node in _inner(function):
        value = node.value if isinstance(node, ast.Constant) else named(home, node)
        divided = isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.Div)
        if divided or isinstance(value, float) or (isinstance(node, ast.Name) and node.id == "float"):
            yield f"{placed(str(home.__file__), node.lineno)} {function.name}: {FRACTION}"  # type: ignore[attr-defined]


def _foreign(home: ModuleType, function: ast.FunctionDef) -> Iterator[str]:
    """The lines in which a rule calls what no compiler and no record knows, such as the module random."""
    for call in (node for node in _inner(function) if isinstance(node, ast.Call)):
        root: ast.AST = call.func
        while isinstance(root, ast.Attribute):
            root = root.value
        value = named(home, root)
        value = getattr(value, "__self__", None) or value  # of a method, such as what `from random import randint` gives
        module = value if inspect.ismodule(value) else inspect.getmodule(value if callable(value) else type(value))
        name = (module.__name__ if module and value is not None else "").partition(".")[0]
        if name in sys.stdlib_module_names and name not in NUMBERS:
            instead = f"draw from the seed: {CHANCE}" if name in ("random", "secrets") else "rules know the state alone"
            yield f"{placed(str(home.__file__), call.lineno)} {function.name}: {name} is not in the subset; {instead}"


def _awkward(book: Rulebook, home: ModuleType, function: ast.FunctionDef) -> Iterator[str]:
    """The lines of a rule which plain Python understands otherwise than compiled code, or compiled code not at all."""
    shapes = {field.name: len(field.shape) for field in book.layout.fields}
    own = {argument.arg for argument in function.args.args}
    own |= {node.id for node in _inner(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    state = function.args.args[0].arg if function.args.args else ""

    def whole(node: ast.AST) -> str:
        """The field, if it is a list of the state and no number."""
        depth = 0
        while isinstance(node, ast.Subscript):
            node, depth = node.value, depth + 1
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == state:
            return node.attr * (depth < shapes.get(node.attr, 0))
        return ""

    def kept(node: ast.AST) -> bool:
        """Whether it is a place of a list of the module."""
        inside = isinstance(node, ast.Subscript)
        while isinstance(node, ast.Subscript):
            node = node.value
        return inside and isinstance(node, ast.Name) and node.id not in own

    for node in _inner(function):
        sentence = ""
        if isinstance(node, ast.Call):
            value = named(home, node.func)
            if isinstance(node.func, ast.Attribute) and not inspect.ismodule(named(home, node.func.value)):
                sentence = METHOD
            elif inspect.isbuiltin(value or vars(builtins).get(getattr(node.func, "id", ""))) or inspect.isclass(value):
                name = getattr(node.func, "id", "")
                sentence = "" if name in BUILTINS or not name else BUILTIN.format(name=name)
        elif isinstance(node, ast.Constant):
            words = isinstance(node.value, str) and not any(
                isinstance(line, ast.Expr) and line.value is node for line in function.body
            )
            sentence = WORD if words else LARGE if isinstance(node.value, int) and node.value >= 2**63 else ""
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            name = next(filter(None, map(whole, targets)), "")
            sentence = WHOLE.format(name=name) if name else KEPT if any(map(kept, targets)) else ""
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
            continue  # it is told already
        elif isinstance(node, (ast.Compare, ast.BoolOp, ast.BinOp, ast.If, ast.While, ast.UnaryOp)):
            name = next(filter(None, map(whole, ast.iter_child_nodes(node))), "")
            sentence = WHOLE.format(name=name) if name else ""
        if sentence:
            yield f"{placed(str(home.__file__), node.lineno)} {function.name}: {sentence}"  # type: ignore[attr-defined]


def _cycles(calls: Mapping[Any, Sequence[Any]]) -> Iterator[list[Any]]:
    """Functions that call themselves, perhaps through others: each cycle once."""
    told: set[Any] = set()
    for first in calls:
        paths = [[first]]
        seen = {first}
        while paths and first not in told:
            path = paths.pop(0)
            if first in calls.get(path[-1], ()):
                told.update(path)
                yield path
            for following in calls.get(path[-1], ()):
                if following not in seen and following in calls:
                    seen.add(following)
                    paths.append([*path, following])


def _inner(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function's body."""
    for part in function.body:
        yield from ast.walk(part)


def faults(home: ModuleType, function: ast.FunctionDef) -> Iterator[str]:
    """What is not in the subset in one function of a module."""
    file = str(home.__file__)
    for node in _inner(function):
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


SUBSET = Property(
    "subset", "the rules keep to the compiled subset", lambda t: map(t.found, lint(t.book)), once=True
)
