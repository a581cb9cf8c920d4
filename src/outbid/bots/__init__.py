"""Bots: who they are and how one is asked for a move.

    decision.py   Decision: a move, why, and what else was evaluated
    seat.py       Seat: what a bot is given; a seat's hidden state and a stream of its own, never the match
    heuristic.py   bots that answer step by step: random ones, and the game's own heuristic
    personas.py its levels and personas: easy:farmer
    determinize.py     determinizations: worlds that a seat holds possible
    rollouts.py  worlds × candidate moves × rollouts;  ismcts.py  a tree of what everybody sees;  subgame.py  what is small
                  enough is solved;  sealed_bids.py  what nobody sees yet is drawn;  select.py  when which;
                  margin.py  how a weaker level leaves the heuristic's move;
                  opponent_types.py  who the others are
    strong.py     the bots that use them
    value.py      what is learned of chances to win, and policy.py of what to do;  weights.py, net_policy.py, policy_bot.py

    naming.py     what a name means: `strong*0.1`, `net@FILE`, `module:function`;  outside.py  bots made elsewhere
    executor.py      where bots think, each decision in its time;  worker.py  a process that holds nothing but seats

A bot is anything with a `name`, a `summary` and `decide(seat) -> Decision`, which may raise `Lost` if it sees that it will
be late (`Seat.until`). If it has `prepare(rulebook)`, too, it is asked for nothing in a game before that was called in the
same process. Other packages add theirs by entry points in the group `outbid.bots`.
"""

from collections.abc import Iterable
from itertools import chain, count

from outbid.bots.decision import Decision, EvaluatedMove
from outbid.bots.heuristic import NOTE, STEADY, Stepwise
from outbid.bots.naming import BOTS, LABORATORY, LEVELS, Bot, bot, known, load_bot
from outbid.bots.outside import FunctionBot, NetBot
from outbid.bots.seat import Seat
from outbid.bots.strong import LookAhead
from outbid.core.language.names import alike
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook

__all__ = [
    "BOTS", "CALLED", "LABORATORY", "LEVELS", "NOTE", "STEADY", "Bot", "Decision", "EvaluatedMove", "FunctionBot",
    "LookAhead", "NetBot", "Seat", "Stepwise", "bot", "called", "choose", "known", "load_bot", "prepare",
]  # fmt: skip

CALLED = ("Bruno", "Clara", "Dora", "Emil", "Frida", "Gustav", "Hanna", "Ivo")


def called(taken: Iterable[str]) -> str:
    """A name for a bot's seat that nobody at the table has, so that letters and log tell the seats apart."""
    names = list(taken)
    return next(name for name in chain(CALLED, (f"Bot {n}" for n in count(1))) if alike(name, names) is None)


def prepare(name: str, book: Rulebook) -> None:
    """Prepare a bot for a game in this process, if it needs that; some compile for a minute the first time. Raises
    BadSetup."""
    needed = getattr(bot(name, book), "prepare", None)
    if needed:
        needed(book)


def choose(match: Match, seat: int, name: str, seed: int) -> Decision:
    """Ask a bot for the move of an asked seat; `seed` is the bot's own stream. The match itself is not changed. The name is
    yours: files are read and modules run for it (naming.py). Raises BadSetup."""
    return load_bot(name, match.rulebook).decide(Seat.of(match, seat, seed))
