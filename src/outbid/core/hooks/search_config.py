"""How a look-ahead goes about a game: what the game itself says of it (Rulebook.search)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from outbid.core.hooks.policy_params import OUTSIDERS


@dataclass(frozen=True)
class Level:
    """How a weaker bot looks ahead. budget: times the rollouts of `strong`, which may cost as much in all; margin: the part
    of a victory by which another move must be better before the heuristic's own is left. led: how it looks ahead
    where `strong` begins with the move of a policy net: from that move, too; none: always from the heuristic's. It remembers
    nothing of what the others did: no particles, no posterior over opponent types."""

    budget: float
    margin: float
    led: Level | None = None


KEEN, SHARP = "keen", "sharp"  # the levels between the heuristic and the whole search


@dataclass(frozen=True)
class SearchConfig:
    """For three players; among more, a rollout takes longer, and fewer are made.

    steps: what a decision may cost, in steps of the match and looks of a value net, at any table, so that none takes much
    longer than the others, however long the match still is: rollouts, what was tried in vain before them, and what the seat
    has tried to follow unseen moves since its last one.

    rollouts: of a decision, each to the end of the match, but after `longest` moves what it has come to is taken for the
    end: under some rules nobody needs to end a match. leaf_rollouts, max_depth: where a value net ends rollouts, how many,
    and after how many moves of each player. unit: a lead of so many points is much. opponent_types: whom an opponent may be,
    of the game's own players (rulebook.personas) and "net", its policy net; none: all are taken for the first. odds: how
    likely each of them is beforehand; none: all alike. doubt: the part of the worlds in which each of them is any of those,
    whatever his moves have said. outsiders: how likely it is beforehand, in proportion to those odds together, that somebody
    is none of those, but plays with parameters of his own: some that are drawn by chance (policy_params.py) are types, too.
    endgame_depth: where the match would end within so many moves a tree is searched, in which everybody looks for the best,
    or it is solved. carries: options that bear little on what nets have learned: where only these differ, nets are used all
    the same; value_carries: the value net, too. levels: how the bots between the heuristic and `strong` look ahead, the
    weaker first. Raises ValueError where there are odds, but not of each, or outsiders among no types."""

    rollouts: int = 250
    steps: int = 100_000
    leaf_rollouts: int = 0
    max_depth: int = 0
    longest: int = 400
    unit: float = 1.0
    opponent_types: tuple[str, ...] = ()
    odds: tuple[float, ...] = ()
    doubt: float = 0.2
    outsiders: float = 0.0
    endgame_depth: int = 24
    carries: tuple[str, ...] = ()
    value_carries: bool = True
    levels: Mapping[str, Level] = field(
        default_factory=lambda: {KEEN: Level(0.1, 0.15), SHARP: Level(0.3, 0.02)}, hash=False
    )

    @property
    def before(self) -> list[float]:
        """How likely it is beforehand that somebody is each of the opponent types, and then each of the outsiders, in
        proportion."""
        odds = [*map(float, self.odds)] or [1.0] * len(self.opponent_types)
        return odds + [self.outsiders * sum(odds) / OUTSIDERS] * (OUTSIDERS if self.outsiders else 0)

    def __post_init__(self) -> None:
        if self.odds and len(self.odds) != len(self.opponent_types):
            types = len(self.opponent_types)
            raise ValueError(f"There are {len(self.odds)} odds for {types} opponent types; each has one, or none has.")
        if self.outsiders and not self.opponent_types:
            raise ValueError("There are outsiders, but no opponent types beside which they stand.")
