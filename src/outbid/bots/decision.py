"""What a bot answers with."""

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


LITTLE_WORTH, CLEARLY = 0.01, 0.03  # of the victory: what does not matter; what speaks for another move
LITTLE_CHANCE = 0.02  # of the victory: where no move of a list loses more, points are told, too
MARGIN, CERTAIN = 2.0, 3.0  # errors within which moves are about as good; by which one says so unasked


@dataclass(frozen=True)
class WeighedMove:
    """A move beside the best one of a list, both played on in the same worlds (weighing.py): as one would type it, its
    action ids, by how much the best one is ahead of it, and the error of that; second, doubt: the same by the net of the
    reviews, where one has learned the rules. Shares of the victory; of the best move all are 0. fewer: by how many points
    it clearly ends behind the best one, where the chances to win say little."""

    text: str
    actions: tuple[int, ...]
    ahead: float = 0.0
    error: float = 0.0
    second: float | None = None
    doubt: float = 0.0
    fewer: int = 0

    @property
    def less(self) -> float:
        """How much less of the victory it is worth than the best one, as the more careful judge has it."""
        return max(0.0, self.ahead if self.second is None else min(self.ahead, self.second))

    @property
    def alike(self) -> bool:
        """It is about as good as the best one, as far as rollouts can tell."""
        return not self.fewer and (self.less <= LITTLE_WORTH or self.ahead <= MARGIN * self.error)

    @property
    def sure(self) -> bool:
        """It is worse than the best one by far more than rollouts bring by chance."""
        return self.ahead > CERTAIN * self.error

    @property
    def disputed(self) -> bool:
        """One of the judges clearly prefers it to the best one."""
        against = -self.ahead > max(CLEARLY, MARGIN * self.error)
        return against or (self.second is not None and -self.second > max(CLEARLY, MARGIN * self.doubt))


@dataclass(frozen=True)
class Decision:
    """A bot's answer: the action ids of a whole move (empty: nothing to say) and why, for itself and for everybody.

    private, public: a sentence by language (i18n.py); empty if there is none. values: the moves it evaluated, best first,
    each in worlds of its own. weighed: for a person who asks for advice, the move and others as one judge has them in the
    same worlds, the best first. by: the bot that answered, where it is not the one that was asked. contrast: what the move
    leads to and the next best, which is `other`, does not; at tables only."""

    actions: tuple[int, ...]
    private: Mapping[str, str] = field(default_factory=dict)
    public: Mapping[str, str] = field(default_factory=dict)
    values: tuple[EvaluatedMove, ...] = ()
    weighed: tuple[WeighedMove, ...] = ()
    by: str = ""
    contrast: Contrast | None = None
    other: tuple[int, ...] = ()
