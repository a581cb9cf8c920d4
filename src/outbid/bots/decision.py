"""What a bot answers with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from outbid.core.errors import OutbidError
from outbid.core.hooks.contrast import Contrast


class Lost(OutbidError):
    """There is no answer in time."""


@dataclass(frozen=True)
class EvaluatedMove:
    """A move that was evaluated: as one would type it, what it was worth (0 to 1), in how many rollouts, its action ids; and
    where the match was solved instead, and a move is drawn, the chance of this one."""

    text: str
    value: float
    rollouts: int
    actions: tuple[int, ...]
    chance: float | None = None


@dataclass(frozen=True)
class Decision:
    """A bot's answer: the action ids of a whole move (empty: nothing to say) and why, for itself and for everybody.

    private, public: a sentence by language (i18n.py); empty if there is none. values: the moves it evaluated, best first.
    by: the bot that answered, where it is not the one that was asked. contrast: what the move leads to and the next best,
    which is `other`, does not; at tables only.
    """

    actions: tuple[int, ...]
    private: Mapping[str, str] = field(default_factory=dict)
    public: Mapping[str, str] = field(default_factory=dict)
    values: tuple[EvaluatedMove, ...] = ()
    by: str = ""
    contrast: Contrast | None = None
    other: tuple[int, ...] = ()
