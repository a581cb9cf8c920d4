"""Bots of a level and a persona: `easy`, `easy:farmer`, `steady:miser`, `strong:shark` (core/hooks/policy_params.py).

    with_persona(level, name)    the bot of such a name, in any game that has the persona
    personas(book)               what people can choose in a game beside a level
    introduced(book, name)       "easy, a farmer";  title(book, name): "a farmer";  how(book, bot): how it plays
    without_nets(book, bot, options)   whether its nets have not learned such rules

Every level of the game's own player plays the persona itself. A bot that looks ahead evaluates what the persona would
do, and leaves it only for a move that is better by more than `MARGIN`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from outbid.bots.decision import Decision
from outbid.bots.heuristic import Stepwise
from outbid.bots.nets.policy_bot import PolicyBot
from outbid.bots.seat import Seat
from outbid.bots.strong import LookAhead
from outbid.core import contract
from outbid.core.hooks.policy_params import EASY, STEADY
from outbid.core.language.i18n import _
from outbid.core.rulebook import Rulebook

MARGIN = 0.03  # of the victory: so much is a persona's own move worth


@dataclass(frozen=True)
class HeuristicBot:
    """A level of the game's own player, or a level with a persona: `easy`, `easy:farmer`."""

    name: str
    summary: str

    def decide(self, seat: Seat) -> Decision:
        """Its move. Raises BadSetup where the game has no such persona."""
        book = seat.rulebook
        check(book, self.name)
        who = list(book.personas.players).index(self.name)

        def act(state: Any, place: int, seed: int, note: list[int]) -> int:
            return contract.play(state, place, seed, note, who)

        return Stepwise(self.name, self.summary, act, speaks=True).decide(seat)


@dataclass(frozen=True)
class Ahead:
    """A bot that looks ahead, with a persona: `strong:shark`."""

    name: str
    summary: str
    search: LookAhead
    own: HeuristicBot

    def prepare(self, book: Rulebook) -> None:
        """Compile what it needs in a game, or load it."""
        self.search.prepare(book)

    def decide(self, seat: Seat) -> Decision:
        """The persona's move, or a clearly better one. Raises BadSetup where the game has no such persona."""
        own = self.own.decide(seat)
        if not own.actions or not self.search.thinks(seat.rulebook):
            return own
        values, best = self.search.evaluated(seat, [own.actions])
        mine = next((move for move in values if move.actions == own.actions), None)
        if mine is None or not values or values[best].value > mine.value + MARGIN:
            return self.search.answer(values, best) if values else own
        ranked = tuple(sorted(values, key=lambda move: -move.value))
        return Decision(own.actions, own.private, values=ranked)


def with_persona(level: Any, persona: str) -> HeuristicBot | Ahead:
    """A level with a persona. level: the bot of that name."""
    name = f"{level.name}:{persona}"
    if isinstance(level, LookAhead):
        return Ahead(name, level.summary, level, HeuristicBot(f"{STEADY}:{persona}", ""))
    return HeuristicBot(name, level.summary)


def check(book: Rulebook, name: str) -> None:
    """Whether a game has the persona in a bot's name, if there is one. Raises BadSetup."""
    persona = persona_of(name)
    if persona:
        book.personas.persona(persona, book.title)


def persona_of(name: str) -> str:
    """The persona in a bot's name, or nothing: `farmer` of `easy:farmer` and of `strong:farmer*0.1`."""
    return name.partition(":")[2].partition("*")[0]


def personas(book: Rulebook) -> list[tuple[str, str, str]]:
    """The personas that people can choose: ("farmer", "a farmer", "never bluffs")."""
    return [(persona.name, _in_game(book, persona.title), _in_game(book, persona.summary)) for persona in book.personas.each]


def takes_personas(level: Any) -> bool:
    """Whether a bot plays by the game's own judgement, so that it can be told how."""
    return isinstance(level, LookAhead) or level.name in (EASY, STEADY)


def introduced(book: Rulebook, name: str) -> str:
    """A bot's level and persona."""
    level = name.partition(":")[0]
    who = title(book, name)
    return _("{level}, {character}", level=_(level), character=who) if who else _(level)


def title(book: Rulebook, name: str) -> str:
    """The persona in a bot's name, in words; nothing if there is none."""
    persona = persona_of(name)
    return _in_game(book, _persona(book, persona)[0]) if persona else ""


def how(book: Rulebook, bot: Any) -> str:
    """How a bot plays; of one with a persona, what is particular to it."""
    if persona_of(bot.name) in book.personas.names:
        return _in_game(book, _persona(book, persona_of(bot.name))[1])
    own = {EASY: book.personas.easy.summary, STEADY: book.personas.steady}.get(bot.name)
    return _in_game(book, own) if own else _(bot.summary)


def without_nets(book: Rulebook, bot: Any, options: Mapping[str, Any]) -> bool:
    """Whether a bot plays without a net that it has under the usual rules: one that looks ahead goes on to the end of the
    match instead, and `net` plays as the heuristic."""
    if not isinstance(bot, LookAhead | Ahead | PolicyBot):
        return False
    from outbid.bots.nets.policy import policy  # NumPy is loaded only where it is asked for
    from outbid.bots.nets.value import net

    kinds = (policy,) if isinstance(bot, PolicyBot) else (policy, net)
    nets = [shipped for shipped in (kind(book) for kind in kinds) if shipped is not None]
    usual, changed = book.fresh({}), book.fresh(options)
    return any(shipped.serves(usual) and not shipped.serves(changed) for shipped in nets)


def no_nets() -> str:
    """What is said of such a bot."""
    return _("plays without its nets, which have not learned these rules")


def _persona(book: Rulebook, name: str) -> tuple[str, str]:
    """A persona's title and summary; its name where it is not installed any more."""
    return next(((persona.title, persona.summary) for persona in book.personas.each if persona.name == name), (name, ""))


def _in_game(book: Rulebook, text: str) -> str:
    return str(book.say(text))
