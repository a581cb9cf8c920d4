"""The check of a rulebook when it is made: what the contract (contract.py) demands is there and of the right kind.

Each fault is one sentence for the author of the game: the game, the member, its signature, and where to write it.
"""

import inspect
import keyword
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from outbid.core import contract
from outbid.core.declaration import Declaration
from outbid.core.derived import visibility, worlds
from outbid.core.derived.spaces import Actions, Observation
from outbid.core.errors import BadRulebook
from outbid.core.fields import RANGES, Layout, Plain
from outbid.core.moves import Declared

RULES = tuple(function.__name__ for function in contract.FUNCTIONS)
SPOKEN = tuple(name for name in vars(contract.Words) if not name.startswith("_"))
KINDS: dict[str, tuple[type, str]] = {
    "id": (str, 'a short name, such as "auction"'),
    "title": (str, "a text"),
    "summary": (str, "a sentence"),
    "version": (int, "a whole number, such as 1"),
    "layout": (Layout, "a Layout (fields.py)"),
    "moves": (Declared, 'Moves, such as Moves(Move("pass"))'),
    "observation": (Observation, "an Observation (outbid.core.derived.spaces)"),
    "action_table": (Actions, "an Actions (outbid.core.derived.spaces), or declare its moves (moves=Moves(…))"),
    "margin": (int, "a whole number"),
    "longest": (int, "a whole number"),
}


def check(book: Declaration) -> None:
    """Raises BadRulebook if anything that the contract demands of a game is missing or of another kind."""
    modules: object = book.modules
    if not isinstance(modules, tuple) or not modules or not all(isinstance(module, ModuleType) for module in modules):
        wanted = "a tuple of modules, such as (rules,), or (sys.modules[__name__],) in a single file"
        raise _wrong(book, "modules", modules, wanted)
    left_out = ["moves", *(["observation"] if contract.defined(book.modules, "observe") is None else [])]
    for name, (kind, wanted) in KINDS.items():
        value = getattr(book, name)
        if not isinstance(value, kind) and not (value is None and name in left_out):
            raise _wrong(book, name, value, wanted)
    _check_fields(book)
    low_high: Any = book.players
    whole = isinstance(low_high, tuple) and [type(number) for number in low_high] == [int, int]
    if not whole or not 1 <= low_high[0] <= low_high[1] < contract.CLOCK:
        wanted = f"the fewest and the most, such as (2, 5), at most {contract.CLOCK - 1}"
        raise BadRulebook(f"In the game {book.id}, players is {low_high!r}; it must be {wanted}.")
    if (actions := len(book.action_table or ())) > contract.MOST_ACTIONS:
        raise BadRulebook(
            f"The game {book.id} has {actions} actions; there may be {contract.MOST_ACTIONS}: "
            "say a large amount in several steps."
        )
    for name in RULES:
        definition = contract.defined(book.modules, name)
        if definition is not None:
            _check_function(book, contract.Rules, name, definition[1], definition[0])
        elif not _may_be_left_out(book, name):
            raise _missing(book, contract.Rules, name, book.modules, _otherwise(book) if name == "redeal" else "")
    visibility.check(book)


def _check_fields(book: Declaration) -> None:
    """Each field and option can be a field of both kinds of state."""
    names: set[str] = set()
    for field in book.layout.fields:
        name, what = field.name, f"In the game {book.id}, the field {field.name!r}"
        if name in names:
            raise BadRulebook(f"{what} is declared twice; options are fields, too.")
        names.add(name)
        if not name.isidentifier() or name.startswith("_") or keyword.iskeyword(name) or hasattr(Plain, name):
            raise BadRulebook(f"{what} cannot be called so: the name is taken, or no name in Python; choose another.")
        if field.type not in RANGES:
            raise BadRulebook(f"{what} has the type {field.type!r}; there are {', '.join(RANGES)}.")
        sizes: object = field.shape
        if not isinstance(sizes, tuple) or len(sizes) > 2 or not all(type(size) is int and size > 0 for size in sizes):
            raise BadRulebook(f"{what} has the shape {sizes!r}; a shape is such as (), (6,) or (6, 3).")
    if not any(field.name == visibility.PLAYERS and not field.shape for field in book.layout.facts):
        raise BadRulebook(
            f"The game {book.id} lacks the field {visibility.PLAYERS}, how many play: "
            f'declare Field("{visibility.PLAYERS}") and set it in deal.'
        )


def _may_be_left_out(book: Declaration, name: str) -> bool:
    """Whether a rule has a default in this game."""
    redeal = visibility.nothing_hidden(book) or worlds.filled(book)
    default = {"observe": not book.observation, "redeal": redeal}.get(name, name in visibility.MAKE)
    return default or name in contract.LEFT_OUT


def _otherwise(book: Declaration) -> str:
    """What a game that has begun to say what fills its fields can do instead of writing `redeal`."""
    if not any(field.filled for field in book.layout.facts):
        return ""
    return f", or say what fills {', '.join(field.name for field in worlds.unfilled(book))}: holds=, counts= or drawn="


def check_words(book: Declaration, module: Any, needed: Iterable[str]) -> None:
    """What a game says itself is of the right kind, and `needed` is there. Raises BadRulebook."""
    for name in SPOKEN:
        if hasattr(module, name):
            _check_function(book, contract.Words, name, getattr(module, name), module, any_callable=True)
    for name in needed:
        if not hasattr(module, name):
            raise _missing(book, contract.Words, name, [module], ", or declare the moves of the game (moves.py)")


def signature(of: type, name: str) -> str:
    """A member of the contract as one calls it: "legal(s, seat, out)"."""
    return f"{name}({', '.join(_parameters(getattr(of, name))[1:])})"


def _check_function(book: Declaration, of: type, name: str, function: Any, module: Any, any_callable: bool = False) -> None:
    wanted, where = signature(of, name), _file(module)
    if not (callable(function) if any_callable else inspect.isfunction(function)):
        kind = type(function).__name__
        raise BadRulebook(f"In the game {book.id}, {name} ({where}) is of the type {kind}; it must be a function {wanted}.")
    if inspect.isfunction(function):
        many = len(_parameters(getattr(of, name))) - 1
        own, spare = _parameters(function), len(function.__defaults__ or ())
        if not len(own) - spare <= many <= len(own):
            written = f"{name}({', '.join(own)})"
            raise BadRulebook(f"In the game {book.id}, {written} ({where}) has the wrong parameters; it must be {wanted}.")


def _missing(book: Declaration, of: type, name: str, modules: Iterable[Any], otherwise: str = "") -> BadRulebook:
    meaning = " ".join(str(getattr(of, name).__doc__).split()).rstrip(".")
    where = " or ".join(_file(module) for module in modules)
    return BadRulebook(
        f"The game {book.id} lacks {signature(of, name)}; write this function in {where}{otherwise}. It is for: {meaning}."
    )


def _wrong(book: Declaration, name: str, value: object, wanted: str) -> BadRulebook:
    if value is None:
        return BadRulebook(f"The game {book.id} lacks {name}; give its Rulebook {name}: {wanted}.")
    return BadRulebook(f"In the game {book.id}, {name} is of the type {type(value).__name__}; it must be {wanted}.")


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]


def _file(module: object) -> str:
    return Path(str(getattr(module, "__file__", None) or getattr(module, "__name__", "its module"))).name
