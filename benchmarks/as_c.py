"""The same rules as C: a loop of `outbid.compiled.loops` and all it calls, translated statement by statement.

`program(book, loop, types)` gives the C text, `entry(book, loop)` a function that compiles it with gcc -O3 -march=native
when it is first called. It works on the very records of the compiled backend, so that both can be asked for the same
matches; `tests/house/test_peers.py` has them agree byte by byte. It is a yardstick (peers.py): what a C compiler makes of a
program of this design. Raises ValueError where a statement has no translation.

Every integer is 64 bits wide, as in the compiled backend; a record is a packed struct with the layout's field types; each
function is made once for each combination of types it is called with, static, so that all of it can be inlined.
"""

from __future__ import annotations

import ast
import ctypes
import inspect
import subprocess
import tempfile
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from outbid.core import contract
from outbid.core.rulebook import Rulebook

COMPILER = ("gcc", "-O3", "-march=native", "-fwrapv", "-ffp-contract=off", "-w", "-shared", "-fPIC")
HEAD = """#include <stdint.h>
#include <string.h>
typedef struct { long a, b; } pair;
static inline long floored(long a, long b) { long q = a / b; return q - ((a % b != 0) & ((a < 0) != (b < 0))); }
static inline long modulo(long a, long b) { long r = a % b; return r + ((r != 0) & ((r < 0) != (b < 0))) * b; }
static inline long min_long(long a, long b) { return a < b ? a : b; }
static inline long max_long(long a, long b) { return a > b ? a : b; }
"""
NAMES = {"i1": "int8_t", "u1": "uint8_t", "b1": "uint8_t", "i2": "int16_t", "i4": "int32_t", "i8": "int64_t", "f4": "float"}
BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<",
    ast.RShift: ">>",
}  # fmt: skip
COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}

WORDS = {"short", "double", "long", "char", "register", "signed", "default", "switch", "case", "auto", "union", "run"}

# A type is "long", "double", "pair", "state", "states", or (element, shape) for an array or what is left of one.
Type = Any


def declared(kind: Type, name: str) -> str:
    """A parameter or local variable."""
    if isinstance(kind, tuple):
        element, shape = kind
        return f"{element} (*{name}){''.join(f'[{n}]' for n in shape[1:])}" if len(shape) > 1 else f"{element} *{name}"
    return {"state": f"state *{name}", "states": f"state *{name}"}.get(kind, f"{kind} {name}")


class Program:
    """The translation of one loop for one game; `parts` are the C functions in an order in which they may stand."""

    def __init__(self, book: Rulebook):
        self.book = book
        self.made: dict[Any, tuple[str, Type]] = {}
        self.parts: list[str] = []
        self.tables: dict[Any, str] = {}

    def struct(self) -> str:
        """The record."""
        dtype = self.book.layout.dtype
        assert dtype.names is not None
        assert dtype.fields is not None
        lines, at = [], 0
        for name, (kind, offset) in ((name, dtype.fields[name][:2]) for name in dtype.names):
            if offset != at:
                raise ValueError(f"{name} does not follow the field before it.")
            shape = "".join(f"[{n}]" for n in kind.shape)
            lines.append(f"    {NAMES[kind.base.str[1:]]} {name}{shape};")
            at += kind.itemsize
        if dtype.itemsize > at:
            lines.append(f"    int8_t end[{dtype.itemsize - at}];")
        return "typedef struct __attribute__((packed)) {\n" + "\n".join(lines) + "\n} state;\n"

    def field(self, name: str) -> Type:
        """The type of a field."""
        kind = self.book.layout.dtype[name]
        return (NAMES[kind.base.str[1:]], kind.shape) if kind.shape else "long"

    def function(self, f: Callable[..., Any], types: tuple[Type, ...]) -> tuple[str, Type]:
        """The C name and the type of what is returned of a function called with these types."""
        if f.__module__ == contract.__name__:
            f = self.book.function(f.__name__)
        key = (f, types)
        if key not in self.made:
            made = Function(self, f, types)
            self.parts.append(made.text)
            self.made[key] = (made.name, made.returns)
        return self.made[key]

    def table(self, values: tuple[Any, ...]) -> tuple[str, Type]:
        """A constant table."""
        array = np.array(values, np.int64)
        if values not in self.tables:
            self.tables[values] = f"table{len(self.tables)}"
        return self.tables[values], ("int64_t", array.shape)

    def text(self) -> str:
        """The whole program."""
        tables = []
        for values, name in self.tables.items():
            array = np.array(values, np.int64)
            body = str(values).replace("(", "{").replace(")", "}")
            tables.append(f"static const int64_t {name}{''.join(f'[{n}]' for n in array.shape)} = {body};")
        return "\n".join([HEAD, self.struct(), *tables, "", *self.parts])


class Spelled(ast.NodeTransformer):
    """Variables that are words of C get another spelling."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(f"{node.id}_") if node.id in WORDS else node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(f"{node.arg}_") if node.arg in WORDS else node


class Function:
    """One function for one combination of types."""

    def __init__(self, program: Program, f: Callable[..., Any], types: tuple[Type, ...]):
        self.program, self.scope = program, f.__globals__
        tree = Spelled().visit(ast.parse(textwrap.dedent(inspect.getsource(f)))).body[0]
        assert isinstance(tree, ast.FunctionDef)
        names = [one.arg for one in tree.args.args]
        self.parameters = dict(zip(names, types, strict=True))
        self.locals: dict[str, Type] = {}
        self.returns: Type = "void"
        self.name = f.__name__
        for _ in range(3):  # types of local variables come out of the translation
            self.loops = 0
            body = self.block(tree.body, 1)
        self.name = f"{f.__name__}_{len(program.made)}"
        head = ", ".join(declared(kind, name) for name, kind in self.parameters.items())
        rest = "".join(f"    {declared(kind, name)} = 0;\n" for name, kind in self.locals.items())
        self.text = f"static {self.returns} {self.name}({head}) {{\n{rest}{body}}}\n"

    def block(self, body: list[ast.stmt], deep: int) -> str:
        """Statements, one after the other."""
        return "".join(self.statement(one, deep) for one in body)

    def statement(self, one: ast.stmt, deep: int) -> str:
        """One statement, so deep in blocks."""
        space = "    " * deep
        match one:
            case ast.Expr(ast.Constant()) | ast.Pass():
                return ""
            case ast.Expr(value):
                return f"{space}{self.value(value)[0]};\n"
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)):
                parts = [f"long t{k} = {self.value(value)[0]};" for k, value in enumerate(values)]
                parts += [f"{self.target(target, 'long')} = t{k};" for k, target in enumerate(targets)]
                return f"{space}{{ {' '.join(parts)} }}\n"
            case ast.Assign([ast.Tuple([first, second])], value):
                code, _ = self.value(value)
                a, b = self.target(first, "long"), self.target(second, "long")
                return f"{space}{{ pair both = {code}; {a} = both.a; {b} = both.b; }}\n"
            case ast.Assign([target], value):
                code, kind = self.value(value)
                if isinstance(target, ast.Subscript) and kind == "state":
                    return f"{space}*{self.value(target)[0]} = *{code};\n"
                return f"{space}{self.target(target, kind)} = {code};\n"
            case ast.AugAssign(target, op, value):
                code, kind = self.value(ast.BinOp(target, op, value))
                return f"{space}{self.target(target, kind)} = {code};\n"
            case ast.If(test, body, other):
                text = f"{space}if ({self.value(test)[0]}) {{\n{self.block(body, deep + 1)}{space}}}"
                return text + (f" else {{\n{self.block(other, deep + 1)}{space}}}\n" if other else "\n")
            case ast.While(test, body, []):
                return f"{space}while ({self.value(test)[0]}) {{\n{self.block(body, deep + 1)}{space}}}\n"
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), bounds), body, []):
                return self.counted(name, bounds, body, deep)
            case ast.Return(None):
                return f"{space}return;\n"
            case ast.Return(ast.Tuple([first, second])):
                self.returns = "pair"
                return f"{space}return (pair){{{self.value(first)[0]}, {self.value(second)[0]}}};\n"
            case ast.Return(ast.expr() as value):
                code, kind = self.value(value)
                self.returns = kind
                return f"{space}return {code};\n"
            case ast.Break():
                return f"{space}break;\n"
            case ast.Continue():
                return f"{space}continue;\n"
        raise ValueError(f"{self.name}: no C for {ast.unparse(one)}")

    def counted(self, name: str, bounds: list[ast.expr], body: list[ast.stmt], deep: int) -> str:
        """A loop over a range; the counter is not the variable, which the body may change."""
        codes = [self.value(one)[0] for one in bounds]
        first, last = ("0", codes[0]) if len(codes) == 1 else codes[:2]
        step = ast.literal_eval(bounds[2]) if len(codes) == 3 else 1
        self.loops += 1
        k, end, space = f"k{self.loops}", f"end{self.loops}", "    " * deep
        self.target(ast.Name(name), "long")
        return (
            f"{space}for (long {k} = {first}, {end} = {last}; {k} {'<' if step > 0 else '>'} {end}; {k} += {step}) {{\n"
            f"{space}    {name} = {k};\n{self.block(body, deep + 1)}{space}}}\n"
        )

    def target(self, target: ast.expr, kind: Type) -> str:
        """What is assigned to; a name becomes a local variable of the widest type it is given."""
        if isinstance(target, ast.Name):
            if target.id not in self.parameters and self.locals.get(target.id) != "double":
                self.locals[target.id] = kind
            return target.id
        return self.value(target)[0]

    def value(self, one: ast.expr) -> tuple[str, Type]:
        """The C of an expression, and its type."""
        match one:
            case ast.Constant(bool(value)):
                return str(int(value)), "long"
            case ast.Constant(value):
                return (f"{value}L", "long") if isinstance(value, int) else (repr(value), "double")
            case ast.Name(name):
                return self.named(name)
            case ast.Attribute(owner, name):
                return f"{self.value(owner)[0]}->{name}", self.program.field(name)
            case ast.Subscript(array, index):
                code, kind = self.value(array)
                at = self.value(index)[0]
                if kind == "states":
                    return f"(&{code}[{at}])", "state"
                element, shape = kind
                if len(shape) > 1:
                    return f"{code}[{at}]", (element, shape[1:])
                return f"{code}[{at}]", "double" if element == "float" else "long"
            case ast.BinOp(left, op, right):
                return self.operation(left, op, right)
            case ast.UnaryOp(op, operand):
                code, kind = self.value(operand)
                mark = {ast.USub: "-", ast.Not: "!", ast.Invert: "~", ast.UAdd: "+"}[type(op)]
                return f"({mark}{code})", "long" if mark == "!" else kind
            case ast.BoolOp(op, values):
                word = " && " if isinstance(op, ast.And) else " || "
                return f"({word.join(self.value(value)[0] for value in values)})", "long"
            case ast.Compare(left, ops, rights):
                parts = []
                for before, sign, right in zip([left, *rights], ops, rights, strict=False):
                    parts.append(f"({self.value(before)[0]} {COMPARE[type(sign)]} {self.value(right)[0]})")
                return f"({' && '.join(parts)})", "long"
            case ast.IfExp(test, body, other):
                (yes, kind), (no, _) = self.value(body), self.value(other)
                return f"({self.value(test)[0]} ? {yes} : {no})", kind
            case ast.Call(ast.Name(name), values):
                return self.call(name, values)
        raise ValueError(f"{self.name}: no C for {ast.unparse(one)}")

    def named(self, name: str) -> tuple[str, Type]:
        """A variable or a constant."""
        if name in self.parameters:
            return name, self.parameters[name]
        if name in self.locals:
            return name, self.locals[name]
        value = self.scope[name]
        if isinstance(value, tuple):
            return self.program.table(value)
        return (f"{int(value)}L", "long") if isinstance(value, int) else (repr(float(value)), "double")

    def operation(self, left: ast.expr, op: ast.operator, right: ast.expr) -> tuple[str, Type]:
        """Arithmetic, with Python's division."""
        (a, first), (b, second) = self.value(left), self.value(right)
        kind = "double" if "double" in (first, second) else "long"
        if isinstance(op, ast.Div):
            return f"((double){a} / (double){b})", "double"
        if isinstance(op, ast.FloorDiv):
            return f"floored({a}, {b})", "long"
        if isinstance(op, ast.Mod):
            return f"modulo({a}, {b})", "long"
        if isinstance(op, ast.Pow):
            return str(ast.literal_eval(left) ** ast.literal_eval(right)) + "L", "long"
        wide = "(long)" if kind == "long" else ""  # C would take narrow fields for 32 bits
        return f"({wide}{a} {BINARY[type(op)]} {b})", kind

    def call(self, name: str, values: list[ast.expr]) -> tuple[str, Type]:
        """A call of a built-in, or of another function of the rules or the engine."""
        if name == "len" and isinstance(values[0], ast.Name) and values[0].id in self.scope:
            return f"{len(self.scope[values[0].id])}L", "long"
        made = [self.value(value) for value in values]
        if name == "len":
            return f"{made[0][1][1][0]}L", "long"
        if name in ("int", "bool", "abs"):
            word = {"int": "(long)", "bool": "0 != ", "abs": "labs"}[name]
            return f"({word}({made[0][0]}))", "long"
        if name in ("min", "max"):
            code = made[0][0]
            for other, _ in made[1:]:
                code = f"{name}_long({code}, {other})"
            return code, "long"
        known, kind = self.program.function(self.scope[name], tuple(kind for _, kind in made))
        return f"{known}({', '.join(code for code, _ in made)})", kind


def program(book: Rulebook, loop: Callable[..., Any], types: tuple[Type, ...]) -> str:
    """The C text; its last function, `run`, takes what the loop takes."""
    made = Program(book)
    name, _ = made.function(loop, types)
    names = list(inspect.signature(loop).parameters)
    head = ", ".join(declared(kind, name) for name, kind in zip(names, types, strict=True))
    return f"{made.text()}\nlong run({head}) {{ return {name}({', '.join(names)}); }}\n"


def built(book: Rulebook, loop: Callable[..., Any], types: tuple[Type, ...]) -> Any:
    """The compiled program's `run`; addresses stand for the arrays."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "game.c", Path(folder) / "game.so"
        source.write_text(program(book, loop, types))
        subprocess.run([*COMPILER, "-o", str(library), str(source)], check=True)
        run = ctypes.CDLL(str(library)).run
    run.argtypes = [ctypes.c_long if kind == "long" else ctypes.c_void_p for kind in types]
    run.restype = ctypes.c_long
    return run


def entry(book: Rulebook, loop: Callable[..., Any]) -> Callable[..., int]:
    """The loop in C, called as that of `outbid.compiled.backend.entry`: states first, then integers and arrays."""
    made: dict[tuple[Type, ...], Any] = {}

    def call(*given: Any) -> int:
        arrays = [isinstance(one, np.ndarray) for one in given]
        types: tuple[Type, ...] = tuple(
            "states" if k == 0 else (NAMES[one.dtype.str[1:]], one.shape) if array else "long"
            for k, (one, array) in enumerate(zip(given, arrays, strict=True))
        )
        if types not in made:
            made[types] = built(book, loop, types)
        return int(made[types](*(one.ctypes.data if array else one for one, array in zip(given, arrays, strict=True))))

    return call
