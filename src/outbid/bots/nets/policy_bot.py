"""The bot `net`: it draws its moves from a policy net (policy.py), without a search, and says how sure it was.

Under rules that no net has learned the heuristic plays. Its moves are drawn in compiled code (net_policy.py) if that is
ready, else step by step from Python, the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from outbid.bots import strong
from outbid.bots.decision import Decision
from outbid.bots.heuristic import STEADY
from outbid.bots.nets import NAME, net_policy
from outbid.bots.seat import Seat
from outbid.compiled import inference
from outbid.core.language import i18n
from outbid.core.language.i18n import _, ngettext
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook

if TYPE_CHECKING:
    from outbid.bots.nets.policy import PolicyNet


@dataclass(frozen=True)
class PolicyBot:
    """A bot that does what its net likes. compiled: whether by compiled code; none: if it is ready."""

    name: str
    summary: str
    compiled: bool | None = None

    def prepare(self, book: Rulebook) -> None:
        """Compile what it needs in a game, or load it."""
        if _net(book) is not None:
            match = Match.new(book, {}, book.players[0], 1)
            PolicyBot(self.name, self.summary, True).decide(Seat.of(match, match.asked[0], 1))

    def decide(self, seat: Seat) -> Decision:
        """Its move."""
        net = _net(seat.rulebook)
        if net is None or not net.serves(seat.state):
            return replace(STEADY.decide(seat), by=STEADY.name)
        compiled = strong.ready(seat.rulebook, net_policy.net_move) if self.compiled is None else self.compiled
        actions, likely = _compiled(seat) if compiled else _plain(net, seat)
        return Decision(actions, i18n.everywhere(partial(_liked, likely)))


def _net(book: Rulebook) -> PolicyNet | None:
    """The net of a game. NumPy is loaded only where a bot plays by one."""
    from outbid.bots.nets.policy import policy

    return policy(book)


def _compiled(seat: Seat) -> tuple[tuple[int, ...], float]:
    space = strong.space_of(seat.rulebook, True)
    space.put(seat.state)
    move = strong.entry_of(seat.rulebook, net_policy.net_move)
    n, likely = move(space.states, 0, seat.seat, seat.stream, space.work)
    return tuple(int(action) for action in space.work.moves[0][:n]), float(likely)


def _plain(net: PolicyNet, seat: Seat) -> tuple[tuple[int, ...], float]:
    likely = 1.0

    def one(seen: Any, number: int) -> int:
        nonlocal likely
        actions, chances = net.priors(seen, seat.seat)
        k = inference.place(chances, len(actions), net_policy.draw_of(seat.stream, number))
        likely *= chances[k]
        return actions[k]

    return seat.whole(one), likely


def _liked(likely: float) -> str:
    if likely < 0.005:
        return _("I have learned to do this less than once in a hundred times where things stand like that.")
    return ngettext(
        "I have learned to do this once in a hundred times where things stand like that.",
        "I have learned to do this {n} times in a hundred where things stand like that.",
        round(100 * likely),
    )


NET = PolicyBot(NAME, "does what it has learned by playing against itself, without looking ahead")
