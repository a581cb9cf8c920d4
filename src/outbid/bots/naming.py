"""What the name of a bot means, the same in every command and call.

| name | is |
| --- | --- |
| `easy` … `strong` | a level of ours: `LEVELS` is the one list of them, the weakest first |
| `cautious` | a bot of another package (entry points of the group `outbid.bots`) |
| `easy:farmer` | a level with a persona of the game |
| `strong*0.1` | one that looks ahead, with a tenth of the budget |
| `net@FILE` | a policy net that was trained (policy.py): an .npz file |
| `like@FILE` | one that was fitted to people (like.py): a file of `outbid lab people --fit` |
| `MODULE:NAME`, `FILE.py:NAME` | a function of (obs, mask) → actions, or a bot, in a module of yours (outside.py) |

    bot(name)         who is known by this name; no file is read and no code is run for it: for names that come from outside
    load_bot(name)    for names that the person says who runs this program: a file is read, a module is run, and the bot it
                      is is known by this name from then on, here and in processes that are started later
"""

import contextlib
from collections import UserDict
from collections.abc import Iterator
from dataclasses import is_dataclass, replace
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple, Protocol

from outbid.bots.decision import Decision
from outbid.bots.heuristic import BEGINNER, RANDOM, STEADY
from outbid.bots.like import LIKE, LikeBot
from outbid.bots.nets.policy_bot import NET, PolicyBot
from outbid.bots.outside import FILE, AskedBot, FunctionBot, NetBot, NetPolicy, Steps, as_bot, from_module
from outbid.bots.personas import Ahead, HeuristicBot, check, takes_personas, with_persona
from outbid.bots.search import select
from outbid.bots.seat import Seat
from outbid.bots.strong import LookAhead
from outbid.core import packages
from outbid.core.errors import BadSetup
from outbid.core.hooks.policy_params import EASY, FIRST
from outbid.core.hooks.search_config import KEEN, SHARP
from outbid.core.language.i18n import N_, _
from outbid.core.language.phrases import meant
from outbid.core.rulebook import GAMES, Rulebook

GROUP = "outbid.bots"
LONGEST = 64  # characters of a name that a table remembers


class Bot(Protocol):
    """A bot by name. name, summary: pass through `_` where people read them."""

    @property
    def name(self) -> str:
        """How it is called for."""

    @property
    def summary(self) -> str:
        """How it plays."""

    def decide(self, seat: Seat) -> Decision:
        """Its move in an asked seat, and why. The same for the same seat."""


class _Bots(UserDict[str, Bot]):
    """Bots by name. Those of other packages are loaded when the bots are first looked up and not sooner: a package that
    begins with `from outbid.bots import …` may be the reason why this module is being imported.

    loaded: those of files and modules, by the name they have from then on. named: from what they are read, by that name; a
    process that is to know them is given it (`registered`)."""

    def __init__(self, own: dict[str, Bot]):
        self._bots, self._own, self._lock = own, True, RLock()
        self.loaded: dict[str, Bot] = {}
        self.named: dict[str, str] = {}

    @contextlib.contextmanager
    def apart(self) -> Iterator[None]:
        """Begin without bots of files and modules, and forget in the end which were loaded or offered meanwhile."""
        before = self.data, self.loaded, self.named
        self._bots, self.loaded, self.named = dict(self.data), {}, {}
        try:
            yield
        finally:
            self._bots, self.loaded, self.named = before

    @contextlib.contextmanager
    def instead(self, name: str, bot: Bot) -> Iterator[None]:
        """Have another bot under a name, in this process, until the end."""
        before = dict(self.loaded)
        self.loaded[name] = bot
        try:
            yield
        finally:
            self.loaded = before

    @property
    def data(self) -> dict[str, Bot]:  # type: ignore[override]
        """All bots; those of ours keep their names."""
        with self._lock:
            if self._own:
                self._own = False
                for point in packages.points(GROUP):
                    if point.name not in self._bots:
                        loaded = packages.load(point, lambda value: callable(getattr(value, "decide", None)), "a bot")
                        if loaded is not None:
                            self._bots[point.name] = loaded
        return self._bots


_OWN: dict[str, Bot] = {
    "random": RANDOM,
    EASY: HeuristicBot(N_("easy"), N_("forgets much, and hardly looks at the others")),
    "steady": STEADY,
    KEEN: LookAhead(N_("keen"), N_("looks ahead a little, and sees the big chances"), level=KEEN),
    SHARP: LookAhead(N_("sharp"), N_("looks ahead, and misses only the small chances"), level=SHARP),
    "strong": LookAhead(N_("strong"), N_("plays every move on in its head, in all the worlds it holds possible")),
}
LEVELS = tuple(_OWN)  # what people choose from, the weakest first; each but `random` also with a persona: `easy:farmer`
_OWN["ismcts"] = LookAhead("ismcts", "searches a tree in which everybody looks for the best move", mode=select.TREE)
_OWN[NET.name] = NET
_OWN[BEGINNER.name] = BEGINNER
_OWN[FIRST] = HeuristicBot(FIRST, "plays as the steady player did when bots were first measured")
LABORATORY = tuple(name for name in _OWN if name not in LEVELS)  # to be called by name; no form offers them
BOTS = _Bots(_OWN)


class Registered(NamedTuple):
    """What a process is given that is to know the games of files and the bots that another has loaded."""

    games: tuple[str, ...]
    bots: dict[str, str]

    def adopt(self) -> None:
        """Know them in this process; what is read is read when it is asked for."""
        GAMES.know(self.games)
        BOTS.named.update(self.bots)


def registered() -> Registered:
    """The games of files and the bots that this process has loaded."""
    return Registered(GAMES.files, dict(BOTS.named))


def bot(name: str, book: Rulebook | None = None) -> Bot:
    """The bot with this name, also `LEVEL:PERSONA`, and any that was loaded; book: the game that must have the persona,
    or that the net must have learned. Raises BadSetup."""
    result = _known(name)
    if result is None:
        raise BadSetup(_unknown(name))
    if book is not None:
        _fits(result, book)
    return result


def load_bot(name: str, book: Rulebook | None = None, called: str | None = None) -> Bot:
    """The bot with a name that the person says who runs this program: `strong*0.1`, `net@FILE` and `MODULE:NAME`, too. Files
    are read and modules run. called: the name it has from now on, instead of this one. Raises BadSetup."""
    bot = _known(name)
    if bot is None or called:
        bot = _read(name) if bot is None else bot
        known_as = called or name
        if called and _known(called) is not None:
            raise BadSetup(f"There is a bot {called!r} already; call {name!r} by another name.")
        if called:
            bot = _renamed(bot, called)
        BOTS.loaded[known_as], BOTS.named[known_as] = bot, name
    if book is not None:
        _fits(bot, book)
    return bot


def offer(spec: str) -> Bot:
    """A bot that a host adds to those that people choose from, `[NAME=]BOT`: without a name the file's or the function's own
    is taken, so that no path is shown. Raises BadSetup."""
    called, sign, wanted = spec.partition("=")
    if not sign or not called.replace("_", "").replace("-", "").isalnum():
        called, wanted = "", spec
    if not called:
        called = Path(wanted.removeprefix(FILE)).stem if wanted.startswith(FILE) else wanted.rpartition(":")[2]
    if len(called) > LONGEST:
        raise BadSetup(f"The name {called!r} is too long for a table; give a shorter one: --bot NAME={wanted}.")
    bot = load_bot(wanted, called=called)
    BOTS.data.setdefault(called, bot)
    return bot


def known(name: str) -> Bot | None:
    """The bot with this name, if there is one."""
    try:
        return bot(name)
    except BadSetup:
        return None


def budget_of(name: str, star: str, times: str) -> float:
    """The budget in a name: what follows the star, or 1. Raises BadSetup."""
    try:
        budget = float(times) if star else 1.0
    except ValueError:
        budget = -1.0
    if not 0 < budget <= 100:
        raise BadSetup(f"The budget of {name!r} is {times!r}; it must be a number above 0, at most 100.")
    return budget


def loaded() -> dict[str, Bot]:
    """The bot that was loaded under a name, here or before this process was started."""
    for name in list(BOTS.named):
        _known(name)
    return dict(BOTS.loaded)


def outside(who: Any, book: Rulebook, state: Any) -> Steps | AskedBot:
    """A bot, by name or as it is, as a batch asks it under the rules of a state; it is prepared. Raises BadSetup."""
    from outbid.bots.nets.policy import policy

    bot = load_bot(who, book) if isinstance(who, str) else as_bot(who)
    if isinstance(bot, NetBot):
        return NetPolicy(bot.under(state))
    if isinstance(bot, PolicyBot):
        net = policy(book)
        if net is None or not net.fits(state):
            raise BadSetup(f"No net has learned {book.title} under these rules.")
        return NetPolicy(net)
    if isinstance(bot, FunctionBot):
        return bot
    if prepare := getattr(bot, "prepare", None):
        prepare(book)
    return AskedBot(bot, book)


def _known(name: str) -> Bot | None:
    """Without running anything but what was loaded before this process was started."""
    if name in BOTS.loaded:
        return BOTS.loaded[name]
    level, colon, persona = name.partition(":")
    if level in BOTS and not colon:
        return BOTS[level]
    if level in BOTS and persona and "*" not in persona and takes_personas(BOTS[level]):
        return with_persona(BOTS[level], persona)
    if name in BOTS.named:
        BOTS.loaded[name] = _renamed(_read(BOTS.named[name]), name)
        return BOTS.loaded[name]
    return None


def _renamed(bot: Any, name: str) -> Bot:
    """A copy of a bot with another name, if it lets itself be renamed; else the bot."""
    renamed: Any = replace
    copy: Bot = renamed(bot, name=name) if is_dataclass(bot) else bot
    return copy


def _read(name: str) -> Bot:
    """What a name says that is nobody's yet. Raises BadSetup."""
    called, star, times = name.partition("*")
    if name.startswith(FILE):
        return NetBot.load(name)
    if name.startswith(LIKE):
        return LikeBot.load(name)
    if star and (bot := _known(called)) is not None:
        return _with_budget(bot, name, budget_of(name, star, times))
    module, colon, attribute = name.rpartition(":")
    if colon and module and attribute and module not in BOTS:
        return from_module(name, module, attribute)
    if name.endswith(".py"):
        raise BadSetup(f"{name!r} is a file; a bot of a file is FILE.py:NAME, after the object in it that plays.")
    raise BadSetup(_unknown(name))


def _with_budget(bot: Any, name: str, budget: float) -> Bot:
    if isinstance(bot, LookAhead):
        return replace(bot, name=name, budget=budget * bot.budget)
    if isinstance(bot, Ahead):
        search = replace(bot.search, budget=budget * bot.search.budget)
        return replace(bot, name=name, search=search)
    raise BadSetup(f"The bot {bot.name} does not look ahead; a budget is for those that do.")


def _fits(bot: Any, book: Rulebook) -> None:
    check(book, bot.name if isinstance(bot, HeuristicBot | Ahead) else "")
    if isinstance(bot, NetBot | LikeBot):
        bot.of(book)


def _unknown(name: str) -> str:
    level = name.partition(":")[0].partition("*")[0]
    broken = packages.why_not(GROUP, level)
    if broken:
        return broken
    known = ", ".join([*BOTS, *(each for each in BOTS.loaded if "@" not in each)])
    sentence = _("There is no bot {name}; there are {bots}.", name=repr(name[:40]), bots=known)
    if name.startswith((FILE, LIKE)) or (level not in BOTS and ":" in name) or (level in BOTS and "*" in name):
        return sentence + " " + _("Files, modules and budgets are for the host to allow.")
    return sentence + meant(level, BOTS)
