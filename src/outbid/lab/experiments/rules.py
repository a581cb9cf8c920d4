"""A changed rule: a file of a few lines that replaces functions of a game, or wraps them, and may declare options.

    \"\"\"The first donkey pays twice.\"\"\"

    from outbid.core.options import number
    from outbid.games.kuhhandel.rules import donkey as before
    from outbid.lab.experiments.rules import changed

    OPTIONS = (number("donkey_times", "First donkey", 2, 1, 4, "how often the first donkey pays"),)

    def donkey(s):                                  # in the compiled subset, as all rules (docs/write-a-game.md)
        ...

    rulebook = changed("kuhhandel", __name__)

Such a file is a game wherever a game is named: `outbid verify house.py`, `outbid play house.py`; an experiment names it in a
variant (`rule = "house.py"`). Every call of a replaced function in the game's own modules goes to the file; what the file
imports from the game is the game as it is given, so that it can call what it replaces. Functions that the game does not have
begin with an underscore.

The game is loaded a second time under another name, so that both can be played side by side.
"""

import hashlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, ClassVar

from outbid.core import contract
from outbid.core.errors import BadRulebook
from outbid.core.fields import Field, Layout
from outbid.core.language.phrases import meant
from outbid.core.packages import reading, run
from outbid.core.rulebook import Rulebook, rulebook

RESUME = contract.resume.__name__


def changed(game: str, name: str) -> Rulebook:
    """The game with the functions and options of the module `name`. Raises BadRulebook."""
    file = sys.modules[name]
    original = rulebook(game)
    where = Path(str(file.__file__)).name
    with reading:
        twin, modules = _twin(original, name)
    own = [function for function in vars(file).values() if inspect.isfunction(function) and function.__module__ == name]
    replaced = [function for function in own if not function.__name__.startswith("_")]
    if not replaced:
        raise BadRulebook(f"{where} replaces no function of {original.title}; it must define one, such as score(s, out).")
    known = {key for module in modules for key, value in vars(module).items() if inspect.isfunction(value)}
    for function in replaced:
        if function.__name__ not in known:
            raise BadRulebook(
                f"{where} defines {function.__name__}, which {original.title} does not have; "
                f"call it _{function.__name__} if the rules do not call it.{meant(function.__name__, known)}"
            )
        _same_parameters(where, function, modules)
        for module in modules:
            if inspect.isfunction(vars(module).get(function.__name__)):
                setattr(module, function.__name__, function)
    if any(function.__name__ in vars(module) for module in modules if hasattr(module, RESUME) for function in replaced):
        # what its player calls is another function now, so that it is to think at each step
        setattr(file, RESUME, FunctionType(contract.nothing_planned.__code__, vars(file), RESUME))
    options = tuple(getattr(file, "OPTIONS", ()))
    fields = twin.layout.fields[len(twin.layout.options) :]
    mark = Field(f"rule_{hashlib.sha256(name.encode()).hexdigest()[:8]}", mark=True)
    stem = Path(where).stem
    return replace(
        twin,
        id=f"{original.id}+{stem}",
        title=f"{original.title} ({stem})",
        layout=Layout(f"{twin.layout.game}_{mark.name}", (*twin.layout.options, *options), (*fields, mark)),
        # the file first: what it defines is the game's; the game as it is last: the file may call it
        modules=(file, *twin.modules, *(module for module in original.modules if module not in twin.modules)),
        personas=twin.personas,
        older={},
        older_environments={},
    )


def says(book: Rulebook) -> str:
    """What a changed rule says of itself: the first line of its file."""
    text = (book.modules[0].__doc__ or "").strip()
    return text.split("\n")[0]


def _same_parameters(where: str, function: Any, modules: Sequence[ModuleType]) -> None:
    name = function.__name__
    before = next(vars(module)[name] for module in modules if inspect.isfunction(vars(module).get(name)))
    own, wanted = (list(inspect.signature(version).parameters) for version in (function, before))
    if len(own) != len(wanted):
        signature = f"{name}({', '.join(own)})"
        raise BadRulebook(f"{where}: {signature} has the wrong parameters; it must be {name}({', '.join(wanted)}).")


def _twin(original: Rulebook, name: str) -> tuple[Rulebook, list[ModuleType]]:
    """The game loaded a second time, and its modules."""
    alias = f"outbid_rule_{hashlib.sha256(name.encode()).hexdigest()[:12]}"
    package = str(original.words.__package__ or "")
    if not hasattr(sys.modules[package], "__path__"):  # a single file
        module = run(Path(str(original.modules[0].__file__)), alias)
        return module.rulebook, [module]
    _Finder.known[alias] = package
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    for key in [key for key in sys.modules if key == alias or key.startswith(f"{alias}.")]:
        del sys.modules[key]
    module = importlib.import_module(alias)
    loaded = [module for key, module in sorted(sys.modules.items()) if key.startswith(f"{alias}.")]
    return module.rulebook, [module for module in loaded if isinstance(module, ModuleType)]


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of packages that are loaded under another name."""

    known: ClassVar[dict[str, str]] = {}  # the package by its other name

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        """A module of such a package: the file of the original."""
        alias, _, rest = fullname.partition(".")
        package = self.known.get(alias)
        if package is None:
            return None
        spec = importlib.util.find_spec(f"{package}.{rest}" if rest else package)
        if spec is None or spec.origin is None:
            return None
        loader, inner = _Loader(fullname, spec.origin, package, alias), spec.submodule_search_locations
        from_file = importlib.util.spec_from_file_location
        return from_file(fullname, spec.origin, loader=loader, submodule_search_locations=inner)


class _Loader(importlib.machinery.SourceFileLoader):
    """Reads a module with the name of its package changed, line by line the same."""

    def __init__(self, fullname: str, path: str, package: str, alias: str):
        super().__init__(fullname, path)
        self.package, self.alias = package, alias

    def get_code(self, fullname: str) -> Any:
        """Compile the changed text; the cache is that of the original."""
        return self.source_to_code(self.get_data(self.path), self.path)

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> Any:  # type: ignore[override]
        """The code of the changed text."""
        text = data.decode() if isinstance(data, bytes) else data
        return compile(text.replace(self.package, self.alias), path, "exec", dont_inherit=True, optimize=_optimize)
