"""The errors a user meets. Each message is one sentence that says what was wrong, where, and what would be right.

Three of them concern a move: `Unreadable` (it is no move of this game), `Illegal` (it is one, but not now; `legal`
lists what is), `NotYourTurn`. `BadRecord` adds the number of the move to one of them. `BadOption` and `BadSetup`
concern a match that has not begun. What was given is repeated in the sentence, but never at any length.
"""

from typing import Any

from outbid.core.language.i18n import _

LONGEST = 4000  # characters of a sentence


class OutbidError(ValueError):
    """Base of every error that speaks to the person; `str(error)` is the sentence, without its middle if it is too long."""

    def __init__(self, sentence: object):
        sentence = str(sentence)  # Gymnasium's AsyncVectorEnv makes the error of a worker anew from the error itself
        if len(sentence) > LONGEST:
            sentence = f"{sentence[: LONGEST // 2]} … {sentence[-LONGEST // 4 :]}"
        super().__init__(sentence)

    def __reduce__(self) -> Any:
        return _restored, (type(self), self.args, vars(self))  # whatever else a subclass is made from


def _restored(kind: type[OutbidError], arguments: tuple[Any, ...], facts: dict[str, Any]) -> OutbidError:
    """The error that was pickled or copied."""
    error = kind.__new__(kind, *arguments)
    vars(error).update(facts)
    return error


def one_line(error: object) -> str:
    """What an error says, in one line."""
    return " ".join(str(error).split())


class Unreadable(OutbidError):
    """The text or object is not a move (or not a record) of this game."""


class Illegal(OutbidError):
    """A readable move that the rules do not allow now. `legal`: what the seat may do instead, as text."""

    def __init__(self, reason: object, legal: tuple[str, ...] = ()):
        self.reason = str(reason)
        self.legal = legal
        super().__init__(_("{reason} Legal: {moves}.", reason=reason, moves="; ".join(legal)) if legal else reason)


class Ambiguous(Unreadable):
    """An answer that could mean more than one move. `candidates`: what it could mean, as text."""

    def __init__(self, reason: str, candidates: tuple[str, ...] = ()):
        self.candidates = candidates
        super().__init__(reason)


class NotYourTurn(OutbidError):
    """The seat is not asked now."""


class BadOption(OutbidError):
    """An option that does not exist, or a value it does not take."""


class BadSetup(OutbidError):
    """An unknown game, preset or bot, a number of players the game is not for, a seed or a deal that cannot be."""


class BadRulebook(OutbidError):
    """A game that lacks something it must declare, or declares it wrongly: for its author."""


class NoWorld(OutbidError):
    """No world was found that agrees with what a seat has seen: what a game declares and what it plays do not agree."""


class NoEffect(UserWarning):
    """An option that is set and can do nothing in this match: "zero_goal has no effect without zero_risk"."""


class BadRecord(OutbidError):
    """A record that cannot be replayed. `move`: number of the first bad move, counted from 0; None if it is the record."""

    def __init__(self, reason: object, move: int | None = None):
        self.reason = str(reason)
        self.move = move
        super().__init__(reason if move is None else _("move {n}: {reason}", n=move, reason=reason))
