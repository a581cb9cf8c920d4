"""Bots that were made elsewhere: policy nets from files, and functions of (obs, mask) → actions.

    NetBot.load("net@runs/net.npz")          does what a net likes that was trained (policy.py)
    FunctionBot("mine", act)                 act(obs, mask) → actions; obs float32 (k, F), mask bool (k, A), actions int (k,)
    from_module(name, "package.module", "act")   a function, a class or an object of a module, or of a file that ends in .py

Each is a bot like any other (`decide`). In batches of matches (compiled/single_agent.py) they are asked together: a `Steps`
answers for many seats at once, a `Moves` is asked for whole moves, seat by seat (naming.outside says which).
"""

from __future__ import annotations

import importlib
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from zipfile import BadZipFile

from outbid.bots.decision import Decision
from outbid.bots.nets.net_policy import draw_of
from outbid.bots.seat import Seat
from outbid.compiled import inference
from outbid.core import contract
from outbid.core.errors import BadSetup, Illegal
from outbid.core.language.i18n import N_
from outbid.core.match import seat_names
from outbid.core.packages import once
from outbid.core.rulebook import Rulebook, by_id

if TYPE_CHECKING:
    from outbid.bots.nets.policy import PolicyNet

FILE = "net@"  # before the file of a net


class Steps(Protocol):
    """Who answers step by step, for many seats at once."""

    def answers(self, obs: Any, mask: Any, legal: Any, keys: Any) -> Any:
        """The actions, int (k,), for float32 (k, F) and bool (k, A). legal: int16 (k, …), the legal actions in their order;
        keys: int64 (5, k): how many they are, and from what a net draws, as in net_policy.priors_batch."""


@dataclass(frozen=True)
class AskedBot:
    """Who is asked for whole moves: any bot."""

    bot: Any
    book: Rulebook

    def move(self, state: Any, seat: int, number: int, seed: int) -> tuple[int, ...]:
        """The action ids of its move; none: it has nothing to say. state: hidden for the seat."""
        asked = Seat(self.book, tuple(seat_names(state.players)), seat, number, seed, state)
        return tuple(self.bot.decide(asked).actions)


# --- nets -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NetBot:
    """A bot that does what a net from a file likes."""

    name: str
    path: str
    summary: str = N_("does what a net has learned")

    @classmethod
    def load(cls, name: str) -> NetBot:
        """The bot `net@FILE`. Raises BadSetup."""
        bot = cls(name, str(Path(name.removeprefix(FILE)).expanduser().resolve()))
        bot.game  # noqa: B018 - read once, so that a wrong file is said at once
        return bot

    @property
    def game(self) -> Rulebook:
        """The game that it has learned. Raises BadSetup."""
        return _net(self.path).rulebook

    def of(self, book: Rulebook) -> PolicyNet:
        """Its net for a game. Raises BadSetup."""
        net = _net(self.path)
        if net.rulebook is not book:
            raise BadSetup(f"{self.name} is a net for {net.rulebook.title}, not for {book.title}.")
        return net

    def under(self, state: Any) -> PolicyNet:
        """Its net for the rules of a state. Raises BadSetup."""
        net = self.of(type(state).book)
        if not net.fits(state):
            raise BadSetup(f"{self.name} has not learned {net.rulebook.title} under these rules.")
        return net

    def decide(self, seat: Seat) -> Decision:
        """Its move."""
        net = self.under(seat.state)

        def act(seen: Any, number: int) -> int:
            actions, chances = net.priors(seen, seat.seat)
            return actions[inference.place(chances, len(actions), draw_of(seat.stream, number))]

        return Decision(seat.whole(act))


@dataclass(frozen=True)
class NetPolicy:
    """A net that answers for many seats."""

    net: PolicyNet

    def answers(self, obs: Any, mask: Any, legal: Any, keys: Any) -> Any:
        import numpy as np

        from outbid.bots.nets.net_policy import priors_batch
        from outbid.compiled.backend import entry

        actions = np.zeros(len(obs), np.int64)
        room = np.zeros((2, self.net.units), np.float32), np.zeros(mask.shape[1])
        choices = np.ascontiguousarray(legal, np.int16)
        entry(None, priors_batch)(np.array(obs), self.net.weights, *room, choices, keys, actions)
        return actions


@lru_cache(maxsize=256)
def _net(path: str) -> PolicyNet:
    """The net of a file. Raises BadSetup."""
    from outbid.bots.nets.policy import PolicyNet
    from outbid.bots.nets.weights import facts_of

    try:
        book = by_id(facts_of(Path(path))["game"])
        return PolicyNet.load(book, Path(path))
    except OSError as error:
        raise BadSetup(f"{FILE}{path}: {error.strerror or error}.") from error
    except BadSetup as error:
        raise BadSetup(f"{FILE}{path} is no policy net: {error}") from error
    except (ValueError, KeyError, TypeError, BadZipFile, EOFError) as error:
        raise BadSetup(f"{FILE}{path} is no policy net: it must be an .npz file that Outbid has written.") from error


# --- functions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FunctionBot:
    """A bot that is a function: act(obs, mask) → actions. obs: float32 (k, F); mask: bool (k, A); actions: int (k,)."""

    name: str
    act: Callable[[Any, Any], Any] = field(compare=False)
    summary: str = N_("does what a function says")

    def answers(self, obs: Any, mask: Any, legal: Any = None, keys: Any = None) -> Any:
        """The actions, int64 (k,). Raises BadSetup, Illegal."""
        import numpy as np

        given = np.asarray(self.act(obs, mask))
        if given.shape != (len(obs),) or given.dtype.kind not in "iu":
            wanted = f"{len(obs)} whole number{'s' * (len(obs) != 1)}"
            actual = f"{given.dtype} of shape {given.shape}" if given.dtype.kind in "biufc" else repr(given.tolist())
            raise BadSetup(f"The bot {self.name} must answer {wanted}, not {actual}.")
        actions = given.astype(np.int64)
        valid = (actions >= 0) & (actions < mask.shape[1])
        wrong = np.flatnonzero(~(valid & mask[np.arange(len(actions)), np.where(valid, actions, 0)]))
        if len(wrong):
            k = int(wrong[0])
            legal_now = ", ".join(map(str, np.flatnonzero(mask[k])))
            raise Illegal(f"The bot {self.name} answered {actions[k]}; legal: {legal_now}.")
        return actions

    def decide(self, seat: Seat) -> Decision:
        """Its move."""
        import numpy as np

        book = seat.rulebook
        out, row = [0] * (book.actions + 64), [0.0] * book.features

        def act(seen: Any, _number: int) -> int:
            mask = np.zeros((1, book.actions), np.bool_)
            mask[0, out[: contract.legal(seen, seat.seat, out)]] = True
            if not mask.any():
                return -1
            contract.observe(seen, seat.seat, row)
            return int(self.answers(np.array([row], np.float32), mask)[0])

        return Decision(seat.whole(act))


def from_module(name: str, module: str, attribute: str) -> Any:
    """The bot in a module, which is imported (also from the folder one is in), or in a file that ends in .py, which is run.
    Raises BadSetup."""
    target: Any = _module(name, module)
    for part in attribute.split("."):
        if not hasattr(target, part):
            own = getattr(target, "__name__", module)
            names = [member for member, value in vars(target).items() if getattr(value, "__module__", "") == own]
            raise BadSetup(f"{module} has no {part!r}; it has {', '.join(names) or 'nothing that could play'}.")
        target = getattr(target, part)
    if inspect.isclass(target):
        try:
            target = target()
        except TypeError as error:
            raise BadSetup(f"The class {name} cannot be made without arguments: {error}.") from error
    return as_bot(target, name)


def as_bot(target: Any, name: str = "") -> Any:
    """A bot of whatever may be one: an object with `decide`, or a function. Raises BadSetup."""
    if callable(getattr(target, "decide", None)):
        return target if hasattr(target, "name") else _Decider(name or type(target).__name__, target)
    if callable(target):
        return FunctionBot(name or getattr(target, "__name__", type(target).__name__), target)
    raise BadSetup(f"{name or target!r} is neither a function of (obs, mask) nor a bot with a method decide.")


@dataclass(frozen=True)
class _Decider:
    """An object that decides and has no name of its own."""

    name: str
    decider: Any
    summary: str = N_("decides as it was written")

    @property
    def tokens(self) -> Any:
        """How many it says to have spent; none: it does not count them."""
        return getattr(self.decider, "tokens", None)

    def decide(self, seat: Seat) -> Decision:
        decision: Decision = self.decider.decide(seat)
        return decision


def _module(name: str, module: str) -> Any:
    try:
        if module.endswith(".py"):
            path = Path(module).expanduser().resolve()
            _look_in(path.parent)
            return _run(path)
        _look_in(Path.cwd())
        return importlib.import_module(module)
    except (Exception, SystemExit) as error:  # whatever code of others raises when it is imported
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        frames = [at for at in traceback.extract_tb(error.__traceback__) if Path(at.filename).stem == Path(module).stem]
        reason += f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
        raise BadSetup(f"{name} cannot be loaded: {reason}.") from error


def _look_in(folder: Path) -> None:
    """Let modules be imported from a folder, where a command does not look by itself."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _run(path: Path) -> Any:
    name = f"{path.stem}_{sha256(str(path).encode()).hexdigest()[:8]}"
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path.name}")
    return once(path, name)
