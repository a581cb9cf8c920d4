"""Who sits where in a run: names of bots as rows that compiled loops read, and turns of the table.

    bots = Bots(book, options, players, ["strong", "strong*0.1>easy", "net@net.npz"])
    bots.policies, bots.records                     # a row each (loops/matches.py); models come after those that have them
    turned(("strong", "easy", "easy"), 1)           # everybody has moved on by a seat
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from outbid.bots import BOTS, LEVELS, LookAhead, known, load_bot, strong
from outbid.bots.naming import budget_of
from outbid.bots.nets.policy import PolicyNet, policy
from outbid.bots.nets.policy_bot import NET
from outbid.bots.outside import FILE
from outbid.bots.search import select
from outbid.bots.seat import learns
from outbid.core.errors import BadSetup
from outbid.core.hooks.policy_params import PolicyParams
from outbid.core.language.phrases import meant
from outbid.core.rulebook import Rulebook
from outbid.runs.loops import matches, opponent_aware

MOST = 10**9  # of a policy parameter
DEEP = 1  # moves of others that a model which looks ahead searches


def rotations(seats: Sequence[str]) -> int:
    """The smallest turn of the table after which everybody sits as before."""
    return next(n for n in range(1, len(seats) + 1) if turned(seats, n) == tuple(seats))


def turned(seats: Sequence[str], rotation: int) -> tuple[str, ...]:
    """Who sits where after everybody has moved on by so many seats."""
    return tuple(seats[(seat - rotation) % len(seats)] for seat in range(len(seats)))


class Bots:
    """Bots by their names, as rows of `policies` and `params` (matches.py); the models they have come after them.

    A name is `random`; `net`, under rules it has learned; one of the game's own players, `steady`, `easy`, `steady:miser`, …
    (rulebook.personas), with policy parameters changed if wanted: `steady[reserve=50;denial=0]`; one that looks ahead,
    with a budget if wanted and with the bot that it takes all others for: `strong`, `strong*0.1`, `strong*0.5>easy`; or a
    policy net from a file: `net@runs/claim-3/net.npz`, and then no bot takes others for one that looks ahead. All other
    names (bots/naming.py), and several nets from files, are `asked` move by move, which takes longer. Raises BadSetup.
    """

    def __init__(self, book: Rulebook, options: Mapping[str, Any], players: int, names: Sequence[str]):
        self.book, self.names = book, list(names)
        self.options, self._fresh = options, book.fresh(options)
        self.asked = asks(book, names)
        """Whether matches are played on the plain backend, by asking every bot for moves."""
        self.trained: PolicyNet | None = None
        """The net from a file."""
        self.limit, self.hesitant = opponent_aware.FAR, False  # as in matches.Roster
        self._settings = strong.SearchSettings.of(book, self._fresh, players)
        self._rows: list[list[int]] = [[0] * matches.COLUMNS for _ in names]
        self._params: list[PolicyParams] = [book.personas.usual for _ in names]
        for number, name in enumerate(names if not self.asked else ()):
            self._put(number, name)
        budgets = [row[opponent_aware.BUDGET] for row in self._rows]
        if opponent_aware.OTHER in budgets and max(budgets[len(names) :], default=0) > 0:
            raise BadSetup(f"Beside {FILE}… nobody can take others for a bot that looks ahead: {', '.join(names)}.")

    @property
    def policies(self) -> NDArray[np.int64]:
        """The rows, (bots, matches.COLUMNS)."""
        return np.array(self._rows, np.int64)

    @property
    def params(self) -> list[PolicyParams]:
        """Their policy parameters."""
        return self._params

    @property
    def records(self) -> NDArray[Any]:
        """The policy parameters for compiled code, (bots,)."""
        return np.frombuffer(b"".join(params.tobytes() for params in self._params), self.book.personas.usual.dtype).copy()

    @property
    def search(self) -> bool:
        """Whether the loop needs what searches work in."""
        return any(row[opponent_aware.BUDGET] > 0 for row in self._rows)

    @property
    def loop(self) -> Any:
        """The loop that plays them (loops/matches.py)."""
        return matches.matches if self.search else matches.quick

    @property
    def watching(self) -> int:
        """How some of them learn from the moves who the others are (matches.py); 0: none does."""
        if not learns(self.book) or all(row[opponent_aware.BUDGET] <= 0 for row in self._rows):
            return 0
        return matches.SECRET if self.book.secrets else matches.OPEN

    @property
    def budgets(self) -> dict[str, int]:
        """What a results store says of them besides their names: how many rollouts a decision of those that look ahead
        has."""
        budgets = {name: self._rows[number][opponent_aware.BUDGET] for number, name in enumerate(self.names)}
        return {name: n for name, n in sorted(budgets.items()) if n > 0}

    def slip(self, number: int, often: int) -> None:
        """Let a bot make any legal step in so many of a thousand, unless it looks ahead."""
        self._rows[number][opponent_aware.SLIP] = often

    def _put(self, number: int, name: str) -> None:
        row = self._rows[number]
        row[opponent_aware.MODEL] = -1
        ahead, takes, model = name.partition(">")
        called, star, times = ahead.partition("*")
        bot = BOTS.get(called)
        if isinstance(bot, LookAhead):
            settings = self._settings.at(self.book, bot.level)
            budget = settings.budget(bot.budget * budget_of(name, star, times))
            row[opponent_aware.BUDGET], row[opponent_aware.LIMIT] = budget
            row[opponent_aware.MAX_DEPTH] = settings.max_depth
            row[opponent_aware.MODE] = select.EACH if bot.level else bot.mode
            row[opponent_aware.LEAD] = settings.lead
            row[opponent_aware.MARGIN] = round(matches.MILLION * settings.margin)
            if takes:
                row[opponent_aware.MODEL], row[opponent_aware.DEEP] = len(self._rows), DEEP
                self._rows.append([0] * matches.COLUMNS)
                self._params.append(self.book.personas.usual)
                self._put(len(self._rows) - 1, model)
        elif name == NET.name:
            net = policy(self.book)
            if net is None or not net.serves(self._fresh):
                raise BadSetup(f"No net has learned {self.book.title} under these rules.")
            row[opponent_aware.BUDGET] = opponent_aware.NET
        elif name.startswith(FILE):
            row[opponent_aware.BUDGET] = opponent_aware.OTHER
            self._load(name, number)
        elif name == "random":
            row[opponent_aware.BUDGET] = opponent_aware.ANYTHING
        else:
            row[opponent_aware.BUDGET] = opponent_aware.HEURISTIC
            self._params[number] = self._params_of(name)

    def _load(self, name: str, number: int) -> None:
        if number >= len(self.names):
            raise BadSetup(f"{name} comes from a file, and nobody can take others for it.")
        try:
            self.trained = PolicyNet.load(self.book, Path(name.removeprefix(FILE)))
        except OSError as error:
            raise BadSetup(f"{name}: {error.strerror or error}.") from error
        except (ValueError, KeyError, BadZipFile) as error:
            raise BadSetup(f"{name} is no policy net of {self.book.title}: {error}") from error
        if not self.trained.fits(self._fresh):
            raise BadSetup(f"{name} has not learned {self.book.title} under these rules.")

    def _params_of(self, name: str) -> PolicyParams:
        called, bracket, changes = name.partition("[")
        players = self.book.personas.players
        if called not in players:
            ahead = [level for level in LEVELS if isinstance(BOTS[level], LookAhead)]
            names = ["random", "net", "net@FILE", *players, *ahead, f"{ahead[-1]}*0.1"]
            hint = meant(called, [*names, *BOTS])
            raise BadSetup(f"There is no bot {name!r} in the arena; there are {', '.join(names)}.{hint}")
        if not bracket:
            return players[called]
        try:
            numbers = {key: int(value) for key, value in (pair.split("=") for pair in changes.removesuffix("]").split(";"))}
            params = players[called].but(numbers)
        except (AttributeError, ValueError) as error:
            raise BadSetup(f"The policy parameters of {name!r} cannot be read: {error}") from error
        if max(map(abs, numbers.values())) > MOST:
            raise BadSetup(f"{name!r} has a policy parameter beyond {MOST:,}.")
        return params


def asks(book: Rulebook, names: Sequence[str]) -> bool:
    """Whether a bot among these plays outside of compiled loops. Raises BadSetup, if a name leads outside and no bot is
    there."""
    compiled = {"random", NET.name, *book.personas.players, *(bot for bot in BOTS if isinstance(BOTS[bot], LookAhead))}
    outside = len({name for name in names if name.startswith(FILE)}) > 1
    for name in names:
        called = name.partition(">")[0].partition("*")[0].partition("[")[0]
        if called not in compiled and not name.startswith(FILE) and (called in BOTS or ":" in name or known(name)):
            outside = True
    for name in names if outside else ():
        load_bot(name, book)
    return outside


def budgets(book: Rulebook, options: Mapping[str, Any], players: int, names: Sequence[str]) -> dict[str, int]:
    """The rollouts of a decision, by name, of those that look ahead."""
    return Bots(book, options, players, names).budgets
