"""A `Rulebook` is what a game's package exports: everything about the game, found through the entry point group
`outbid.games`. A sixth game, also in another package, needs nothing but such an entry.
"""

import contextlib
import importlib
import json
import operator
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from outbid.core import contract, packages
from outbid.core.declaration import Declaration
from outbid.core.derived import validation, visibility
from outbid.core.derived.defaults import Defaults, spoken
from outbid.core.derived.spaces import Actions, Observation
from outbid.core.errors import BadOption, BadRulebook, BadSetup, NoEffect, OutbidError
from outbid.core.language import passages
from outbid.core.language.i18n import _
from outbid.core.language.phrases import listed, meant
from outbid.core.needs import Ids, If, Naming, Need, Setup
from outbid.core.options import Option
from outbid.core.packages import reading, run


class Rulebook(Declaration):
    """A game as its folder declares it, complete: what the declaration leaves out is filled in. Raises BadRulebook if
    something is missing or of the wrong kind (validation.py)."""

    words: contract.Words
    observation: Observation
    action_table: Actions

    def __post_init__(self) -> None:
        settle = partial(object.__setattr__, self)  # what is left out is filled in once
        declared: Declaration = self
        if declared.moves and not declared.action_table:
            settle("action_table", declared.moves.table)
        validation.check(self)
        words = declared.words or self.modules[-1]
        if module := visibility.module(self):
            settle("observation", declared.observation or visibility.observation(self))
            settle("modules", (*self.modules, module))
        settle("words", spoken(self, words))

    def __reduce__(self) -> Any:
        return _unpickled, (self.id, file_of(self))  # copied and pickled as what is installed, or the game of a file

    def submodule(self, name: str) -> ModuleType | None:
        """A module of the game's folder `hooks`, such as `faces`; none if it has no such module, or is a single file."""
        return _hook(self.words.__package__, name)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options, in the order of the rulebook."""
        return self.layout.options

    @property
    def actions(self) -> int:
        """The size of the action id space."""
        return len(self.action_table)

    @property
    def features(self) -> int:
        """The length of an observation."""
        return self.observation.size

    @property
    def rules_id(self) -> str:
        """The name of the rules with their version, as records write it: "rivals/2"."""
        return f"{self.id}/{self.version}"

    @property
    def known_rules(self) -> tuple[str, ...]:
        """The versions of the rules by which this program can play a match, the oldest first."""
        return tuple(f"{self.id}/{version}" for version in sorted((*self.older, self.version)))

    @property
    def environment_id(self) -> str:
        """The name of the environment with its version: "rivals-v2"."""
        return f"{self.id}-v{self.environment}"

    @property
    def known_environments(self) -> dict[str, dict[str, Any]]:
        """The environments by name that this program has, each with the options that make it, the newest last."""
        older = {f"{self.id}-v{version}": dict(options) for version, options in sorted(self.older_environments.items())}
        return {**older, self.environment_id: {}}

    def in_environment(self, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """These options and those that an environment sets, which they may not contradict. Raises BadOption, BadSetup."""
        fixed = self.known_environments[name]
        together = {**fixed, **options}
        values = self._values(together)
        for option, value in fixed.items():
            if values[option] != value:
                every = ", ".join(f"{key} = {json.dumps(set_to)}" for key, set_to in fixed.items())
                given, newest = json.dumps(values[option]), self.environment_id
                raise BadSetup(f"{name} sets {every}; with {option} = {given} the environment is {newest}.")
        return together

    @cached_property
    def folder(self) -> Path:
        """Where RULES.md and table.html lie."""
        return Path(self.words.__file__).parent

    @cached_property
    def written(self) -> str:
        """RULES.md, the rulebook that people read; the summary where there is none."""
        return passages.unmarked(self._written)

    def written_for(self, options: Mapping[str, Any]) -> str:
        """Of the same what holds with these options; those that are left out have their defaults."""
        return passages.in_force(self._written, {**{o.name: o.default for o in self.options}, **options})

    @cached_property
    def _written(self) -> str:
        file = self.folder / "RULES.md"
        return passages.read(file, self.options) if file.exists() else self.summary

    def function(self, name: str) -> Callable[..., Any]:
        """One of the game's functions of the contract."""
        definition = contract.defined(self.modules, name)
        return contract.LEFT_OUT[name] if definition is None else definition[1]

    @cached_property
    def plain(self) -> type[Any]:
        """The class of plain states, bound to this game's rules."""
        kind = self.layout.plain
        kind.book = self
        functions = {name: self.function(name) for name in validation.RULES}
        kind.rules = SimpleNamespace(**functions, params=self.personas.all)
        return kind

    def codes(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The option fields of a state. Raises BadOption for an unknown name or value."""
        known = {o.name: o for o in self.options}
        for name in options:
            if not known:
                raise BadOption(_("{game} has no option {name}; it has none.", game=self.title, name=repr(name)))
            if name not in known:
                facts = {"game": self.title, "name": repr(name), "options": ", ".join(known)}
                raise BadOption(_("{game} has no option {name}; it has {options}.", **facts) + meant(name, known))
        return {name: o.encode(options.get(name, o.default)) for name, o in known.items()}

    def changed(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Only the options that differ from the default, in the rulebook's order and as canonical JSON values."""
        values = self._values(options)
        return {o.name: values[o.name] for o in self.options if values[o.name] != o.default}

    def _values(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their canonical JSON values."""
        codes = self.codes(options)
        return {o.name: o.decode(codes[o.name]) for o in self.options}

    def brought_up(self, rules: object, options: Mapping[str, Any], players: int) -> dict[str, Any]:
        """The options with which the newest rules play a match of these rules ("rivals/1"). Raises BadSetup, BadOption."""
        if rules not in self.known_rules:
            facts = {"rules": repr(rules), "known": listed(self.known_rules)}
            raise BadSetup(_("The match was played by the rules {rules}; this program knows {known}.", **facts))
        version = int(rules.partition("/")[2])
        return self.changed(self.older[version](dict(options), players) if version in self.older else options)

    def preset(self, name: str) -> dict[str, Any]:
        """The options of a preset; `seed` is the given rules with our rulings: all defaults."""
        presets = {"seed": {}, **self.presets, **self.laboratory}
        named: object = name  # that it is text is not certain
        if not isinstance(named, str) or name not in presets:
            facts = {"game": self.title, "name": repr(name), "presets": ", ".join(presets)}
            raise BadSetup(_("{game} has no preset {name}; it has {presets}.", **facts) + meant(name, presets))
        return dict(presets[name])

    def fresh(self, options: Mapping[str, Any]) -> Any:
        """A plain state with its option fields set, before the deal."""
        state = self.plain()
        for name, code in self.codes(options).items():
            setattr(state, name, code)
        return state

    def seats(self, options: Mapping[str, Any]) -> tuple[int, int]:
        """The fewest and the most players with these options."""
        low, high = self.players
        return min(low, self.codes(options).get("least_players", low)), high

    @cached_property
    def _refuses(self) -> bool:
        """Whether the game itself says of some options that they cannot be played."""
        return not isinstance(getattr(self.words.refusal, "__self__", None), Defaults)

    def check_players(self, players: object, options: Mapping[str, Any] | None = None, new: bool = True) -> int:
        """The number of players, if the game is for that many and can be played with these options. new: with what a new
        match needs; one of a record may be from before that was asked."""
        low, high = self.seats(options or {})
        number = whole(players)
        if number is None or not low <= number <= high:
            facts = {"game": self.title, "low": low, "high": high, "said": repr(players)}
            raise BadSetup(_("{game} is for {low} to {high} players, not {said}.", **facts))
        if self._refuses and (refusal := self.words.refusal(self.fresh(options or {}), number)):
            raise BadOption(refusal)
        lack = _unplayable(self, json.dumps(self.changed(options or {})), number)
        if isinstance(lack, If) and new:
            words = self.ids.words(lack.words)
            raise BadOption(_("{game} can only be played if {words}.", game=self.title, words=words))
        if lack is True:
            sentence = _("With these options {game} cannot be dealt for {players} players.", game=self.title, players=number)
            raise BadOption(sentence)
        return number

    def lacking(self, options: Mapping[str, Any], players: int) -> dict[str, Need]:
        """The options that are set and do nothing at a table for so many, each with the first condition that it lacks."""
        return dict(_lacking(self, json.dumps(self.changed(options)), players))

    def idle(self, options: Mapping[str, Any], players: int, naming: Naming | None = None) -> list[str]:
        """What is said before the match: a sentence for each option that is set and does nothing. Options are named by their
        ids, or as `naming` says."""
        named, values = naming or self.ids, self._values(options)
        lacking = self.lacking(options, players)
        return [need.lack(named.option(name), values, players, named) for name, need in lacking.items()]

    @property
    def ids(self) -> Ids:
        """The options as one types them, for sentences about them."""
        return Ids(self.say)

    def warn(self, options: Mapping[str, Any], players: int) -> None:
        """Warn of what is set and does nothing, at the line of the program that asked for the match."""
        for sentence in self.idle(options, players):
            frame, level = sys._getframe(1), 2
            while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("outbid."):
                frame, level = frame.f_back, level + 1
            warnings.warn(sentence, NoEffect, stacklevel=level)

    def _dealt(self, options: Mapping[str, Any], players: int, seed: int) -> Any:
        state = self.fresh(options)
        contract.deal(state, players, seed)
        return state

    def deals(self, options: Mapping[str, Any], players: int, limit: int = 100_000) -> list[tuple[dict[str, Any], Fraction]]:
        """All deals of a small game, as records write them, with their chances, which add up to 1 (deals.py).

        Raises BadSetup if there are more than `limit`, or if the game cannot list them."""
        self.check_players(players, options)
        listing = list(islice(self.words.deals(self.fresh(options), players), limit + 1))
        if len(listing) > limit:
            raise BadSetup(
                f"{self.title} with these options and {players} players has more than {limit} deals; "
                f"only small games ({', '.join(self.laboratory) or 'none here'}) can list theirs."
            )
        return listing


@cache
def _hook(package: str, name: str) -> ModuleType | None:
    try:
        return importlib.import_module(f"{package}.hooks.{name}") if package else None
    except ModuleNotFoundError as error:
        if error.name not in (f"{package}.hooks", f"{package}.hooks.{name}"):
            raise
        return None


@lru_cache(maxsize=4096)
def _unplayable(book: Rulebook, options: str, players: int) -> If | bool:
    """What a set-up lacks so that it can be played; true if it cannot even be dealt."""
    try:
        state = book._dealt(json.loads(options), players, 0)
    except (IndexError, ZeroDivisionError):
        return True
    return next((need for need in book.needs if not need.test(state, state)), False)


@lru_cache(maxsize=4096)
def _lacking(book: Rulebook, options: str, players: int) -> tuple[tuple[str, Need], ...]:
    """The options that do nothing, with what they lack: judged by the match as it is dealt with each of them and without."""
    changed = json.loads(options)
    values, idle = book._values(changed), []
    dealt = [book._dealt(changed, players, seed) for seed in range(2)]
    for option in book.options:
        if option.name in changed and option.needs:
            rest = {name: value for name, value in changed.items() if name != option.name}
            try:
                book.check_players(players, rest)
            except OutbidError:
                continue  # without the option nothing could be played: it acts
            pairs = tuple((state, book._dealt(rest, players, seed)) for seed, state in enumerate(dealt))
            setup = Setup(option.name, values, players, pairs)
            idle += [(option.name, need) for need in option.needs if not need.met(setup)][:1]
    return tuple(idle)


def check_seed(seed: object) -> int:
    """A seed: a whole number from 0 to 2**63 − 1."""
    number = whole(seed)
    if number is None or not 0 <= number < 2**63:
        raise BadSetup(f"The seed is {seed!r}; it must be a whole number from 0 to 2**63 - 1.")
    return number


def whole(value: Any) -> int | None:
    """A whole number, of NumPy too; none if it is something else."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


GROUP = "outbid.games"
FILES = "OUTBID_GAMES"  # in the environment: files of games, separated as in PATH


class Games:
    """The games by id: those that are installed, and those of files, which are read once.

    A process that is to know the same games is given `files`, and hands them to `know`."""

    def __init__(self) -> None:
        self._books: dict[str, Rulebook] = {}
        self._read: dict[Path, Rulebook] = {}
        self._named: dict[Path, None] = {}  # files that are read when a game is looked for
        self._running: set[Path] = set()  # files whose code is being run: one that changes a rule asks for the game it is of
        self._listeners: list[Callable[[Rulebook], None]] = []

    @property
    def files(self) -> tuple[str, ...]:
        """The files of games that have been read or named, in the environment, too."""
        named = [_resolved(file) for file in os.environ.get(FILES, "").split(os.pathsep) if file]
        return tuple(dict.fromkeys(map(str, (*named, *self._named, *self._read))))

    def know(self, files: Iterable[str]) -> None:
        """Read these files, as far as they are there, as soon as a game is looked for."""
        self._named |= {path: None for path in map(Path, files) if path.is_file()}

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """Forget in the end which games of files were read or named meanwhile."""
        before = dict(self._books), dict(self._read), dict(self._named)
        try:
            yield
        finally:
            self._books, self._read, self._named = before

    def all(self) -> dict[str, Rulebook]:
        """All games by id: those that are installed, and those of files."""
        with reading:
            self._load()
            self._load_files()
            return dict(sorted(self._books.items()))

    def rulebook(self, game: str) -> Rulebook:
        """The game with this id, or of this file, which ends in .py: its code is run. Raises BadSetup, BadRulebook.

        A name that comes from outside, as in a record or a request, is looked up by `by_id`, which runs no file."""
        named: object = game  # that it is text is not certain
        if isinstance(named, str) and game.endswith(".py"):
            return self.from_file(game)
        try:
            return self.by_id(game)
        except BadSetup as error:
            if isinstance(named, str) and Path(game + ".py").is_file():
                raise BadSetup(f"{error} The file {game}.py is named with its ending.") from None
            raise

    def by_id(self, game: str) -> Rulebook:
        """The game with this id. Raises BadSetup."""
        named: object = game  # that it is text is not certain
        if isinstance(named, str) and game not in self._books:
            with reading:
                self._load(name=game)
                self._load_files()
        if not isinstance(named, str) or game not in self._books:
            broken = packages.why_not(GROUP, named) if isinstance(named, str) else None
            if broken:
                raise BadSetup(broken)
            unknown = _("There is no game {game}; there is {names}.", game=repr(game), names=", ".join(self.all()))
            raise BadSetup(unknown + meant(game, self.all()))
        return self._books[game]

    def environment(self, name: str) -> tuple[Rulebook, str]:
        """The game of an id, of a file or of an environment ("rivals-v1"), and which of its environments is meant: the
        newest if none is named. Raises BadSetup, BadRulebook."""
        named: object = name  # that it is text is not certain
        game, _dash, version = name.rpartition("-v") if isinstance(named, str) else ("", "", "")
        if not game or not version.isdigit():
            book = self.rulebook(name)
            return book, book.environment_id
        book = self.by_id(game)
        if name not in book.known_environments:
            raise BadSetup(f"There is no environment {name!r}; there is {listed(list(book.known_environments))}.")
        return book, name

    def from_file(self, file: str) -> Rulebook:
        """The game of a file: its module is run once. Raises BadSetup, BadRulebook."""
        path = _resolved(file)
        if path in self._read:
            return self._read[path]
        with reading:
            return self._read[path] if path in self._read else self._from_file(file, path)

    def file_of(self, book: Rulebook) -> str:
        """The file that a game was read from; "" for one of a package."""
        return next((str(path) for path, read in self._read.items() if read is book), "")

    def called(self, book: Rulebook) -> str:
        """What a command line calls a game: its id, or its file as it is named from here."""
        path = Path(self.file_of(book))
        if not path.name:
            return book.id
        return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)

    def tell(self, listener: Callable[[Rulebook], None]) -> None:
        """Call `listener` with every game that there is, and later with each that is read from a file."""
        for book in self.all().values():
            listener(book)
        self._listeners.append(listener)

    def _load(self, name: str | None = None) -> None:
        """Find the installed games, or the one of this name; what cannot be loaded is a warning (packages.py)."""
        for point in packages.points(GROUP):
            if point.name not in self._books and name in (None, point.name):
                book = packages.load(point, lambda value: isinstance(value, Rulebook), "a Rulebook")
                if book is not None:
                    self._books[point.name] = book

    def _load_files(self) -> None:
        for file in self.files:
            if Path(file) not in self._running:
                self.from_file(file)

    def _from_file(self, file: str, path: Path) -> Rulebook:
        if not path.is_file():
            raise BadSetup(f"There is no file {file}; a game is an id, such as rivals, or a file that ends in .py.")
        name = f"{path.stem}_{sha256(str(path).encode()).hexdigest()[:8]}"  # no module of another name is hidden
        self._running.add(path)
        try:
            module = _run(file, path, name)
        finally:
            self._running.discard(path)
        book = getattr(module, "rulebook", None)
        if not isinstance(book, Rulebook):
            del sys.modules[name]
            raise BadRulebook(f"{file} defines no rulebook; its last lines must be rulebook = Rulebook(…).")
        if book.id not in self._books:
            self._load(name=book.id)
        if book.id in self._books:
            del sys.modules[name]
            raise BadRulebook(f"{file}: the id {book.id!r} is that of another game; the game must have an id of its own.")
        self._read[path] = self._books[book.id] = book
        for listener in self._listeners:
            listener(book)
        return book


GAMES = Games()
rulebooks, rulebook, by_id, from_file, tell = GAMES.all, GAMES.rulebook, GAMES.by_id, GAMES.from_file, GAMES.tell
file_of, called, environment = GAMES.file_of, GAMES.called, GAMES.environment


def _unpickled(game: str, file: str) -> Rulebook:
    return from_file(file) if file and Path(file).is_file() else by_id(game)


def _resolved(file: str) -> Path:
    return Path(file).expanduser().resolve()


def _run(file: str, path: Path, name: str) -> ModuleType:
    """The module of a file. Raises BadRulebook, with the line of the file."""
    try:
        return run(path, name)
    except (Exception, SystemExit) as error:
        lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == str(path)]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        kind = "" if isinstance(error, OutbidError) else f"{type(error).__name__}: "
        reason = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
        raise BadRulebook(f"{file}{f':{line}' if line else ''}: {kind}{reason}") from error
