"""Bots: who they are and how one is asked for a move.

A bot is never given the match. `choose` hands it a copy of the state hidden for its seat, step by step, and a random
stream of its own; it answers with action ids and a note from which the game makes a sentence (`reasons.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, count
from typing import Any

from outbid.engine import contract, tongue
from outbid.engine.chance import below, step, stream
from outbid.engine.errors import BadSetup
from outbid.engine.match import Match
from outbid.engine.tongue import mark

_, ngettext = tongue.words("outbid")

NOTE = 8  # integers in the note a bot leaves


@dataclass(frozen=True)
class Decision:
    """A bot's answer: the action ids of a whole move (empty: nothing to say) and why, for itself and for everybody.

    private, public: a sentence by language (tongue.py); empty if there is none.
    """

    actions: tuple[int, ...]
    private: Mapping[str, str] = field(default_factory=dict)
    public: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Bot:
    """A bot by name. act(state, seat, seed, note) → action id, or −1 for nothing to say; `state` is hidden.

    name, summary: pass through `_` where people read them.
    """

    name: str
    summary: str
    act: Callable[[Any, int, int, list[int]], int]
    speaks: bool


def _random(state: Any, seat: int, seed: int, note: list[int]) -> int:
    """Uniformly random among the legal steps."""
    out = [0] * 256
    n = contract.legal(state, seat, out)
    return out[below(step(stream(seed, note[-1])), n)]


BOTS = {
    "random": Bot(mark("random"), mark("plays any legal step, without thought"), _random, speaks=False),
    "steady": Bot(mark("steady"), mark("counts, keeps a reserve, and does not bluff much"), contract.steady, speaks=True),
}


CALLED = ("Bruno", "Clara", "Dora", "Emil", "Frida", "Gustav", "Hanna", "Ivo")


def called(taken: Iterable[str]) -> str:
    """A name for a bot's seat that nobody at the table has, so that letters and log tell the seats apart."""
    names = {name.casefold() for name in taken}
    return next(name for name in chain(CALLED, (f"Bot {n}" for n in count(1))) if name.casefold() not in names)


def bot(name: str) -> Bot:
    """The bot with this name. Raises BadSetup."""
    if name not in BOTS:
        raise BadSetup(_("There is no bot {name}; there are {bots}.", name=repr(name), bots=", ".join(BOTS)))
    return BOTS[name]


def choose(match: Match, seat: int, name: str, seed: int) -> Decision:
    """Ask a bot for the move of an asked seat; `seed` is the bot's own stream. The match itself is not changed."""
    player = bot(name)
    state = match.state.copy()
    actions: list[int] = []
    note = [0] * NOTE
    while not actions or contract.midway(state, seat):
        view = state.copy()
        contract.hide(view, seat)
        note = [0] * NOTE
        note[-1] = len(actions)  # which step of the move this is
        action = player.act(view, seat, stream(seed, len(match.moves)), note)
        if action < 0:
            return Decision(())
        actions.append(action)
        contract.apply(state, seat, action)
    if not player.speaks:
        return Decision(tuple(actions))
    reason = match.rulebook.words.reason
    private, public = (tongue.everywhere(partial(reason, note, match.names, secret)) for secret in (True, False))
    return Decision(tuple(actions), private, public)
