"""`tree(game, players)`: a small game as information sets, sequences and payoffs, grown from its own rules.

Chance acts once, in the deal: the root. Each deal is loaded as a record would and its tree grown compiled
(compiled/game_tree.py); information sets of all deals fall together where a seat cannot tell them apart. Nodes are not kept:
what CFR+ and exact evaluation need is the sequence form (compiled/sequence_form.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from outbid.compiled import game_tree, sequence_form
from outbid.compiled.buffers import allocate
from outbid.core.errors import BadSetup

if TYPE_CHECKING:
    from outbid.core.rulebook import Rulebook
    from outbid.facade import Game

LIMIT = 5_000_000  # histories
DEEPEST = 2048  # decisions on one path
PAYOFFS = {"win": game_tree.WIN, "share": game_tree.SHARE, "margin": game_tree.MARGIN, "score": game_tree.SCORE}

Deals = Iterable[tuple[Any, Any]]


@dataclass(frozen=True, eq=False)
class Tree:
    """A game grown out. Made by `tree`.

    histories: positions after the deal, decided and final ones. infosets: what a seat that decides can know. terminals:
    final positions; ends, gains keep those apart that differ in a player's sequence. deals: the number of deals.
    depth: decisions on the longest path. actions, ends, facts, views, keys: see game_tree.Grown; information sets are in
    order of seats, those of seat p from ranges[p] to ranges[p + 1].
    gains: float64 (ends, players + 1): payoffs times the probability of the deal; the last column is for the opener,
    the seat that decides first."""

    rulebook: Rulebook
    options: Mapping[str, Any]
    players: int
    payoff: str
    deals: int
    histories: int
    terminals: int
    depth: int
    keys: NDArray[np.int64]
    facts: NDArray[np.int64]
    views: NDArray[Any]
    actions: NDArray[np.int64]
    ends: NDArray[np.int64]
    gains: NDArray[np.float64]
    ranges: NDArray[np.int64]

    @property
    def infosets(self) -> int:
        """The number of information sets."""
        return len(self.facts)

    @property
    def sequences(self) -> int:
        """The number of actions at all information sets, and an empty sequence a seat."""
        return len(self.actions)

    @property
    def silence(self) -> int:
        """The action id of staying silent where the table's clock may act."""
        return self.rulebook.actions

    @cached_property
    def places(self) -> dict[tuple[int, int], int]:
        """The number of an information set by its hash."""
        return {(int(a), int(b)): k for k, (a, b) in enumerate(self.keys)}

    def __repr__(self) -> str:
        return (
            f"<Tree of {self.rulebook.title}, {self.players} players: {self.deals} deals, {self.histories} histories, "
            f"{self.infosets} infosets, {self.terminals} terminals>"
        )


def compiled(loop: Callable[..., Any]) -> Any:
    """The compiled form of a loop of compiled/sequence_form.py."""
    from outbid.compiled.backend import entry

    return entry(None, loop)


def tree(game: Game, players: int = 2, limit: int = LIMIT, payoff: str = "win", deals: Deals | None = None) -> Tree:
    """The tree of a game. `deals` are pairs of a deal, as records write it, and its weight; all deals if left out.

    payoff: "win" (players · share of the victory − 1: for two 1, 0, −1), "share" (of the victory), "margin" (own score
    less the mean of the others'), "score". Raises BadSetup where the game is too
    large: more than `limit` histories, or too many deals."""
    book = game.rulebook
    book.check_players(players, game.options)
    if payoff not in PAYOFFS:
        raise BadSetup(f"There is no payoff {payoff!r}; there are {', '.join(PAYOFFS)}.")
    if not isinstance(limit, int) or limit < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadSetup(f"The limit is a number of histories, at least 1, not {limit!r}.")
    if deals is None:
        deals = book.deals(game.options, players)
    return _Grower(game, players, limit, payoff).grown(deals)


class _Grower:
    """The arrays while they grow; each is doubled when it is full, and the deal begun again."""

    def __init__(self, game: Game, players: int, limit: int, payoff: str):
        from outbid.compiled.backend import entry

        book = game.rulebook
        self.game, self.book, self.players, self.limit, self.payoff = game, book, players, limit, payoff
        self.grow, self.enter = entry(book, game_tree.grow), entry(book, game_tree.enter)
        depth = min(book.longest + 1, DEEPEST)
        sizes = {"D": depth, "P": players, "A": book.actions, "K": 1024, "J": 4096, "Z": 2048, "hash table": 4096}
        self.path: game_tree.Path = allocate(game_tree.Path, sizes, book)
        self.made: game_tree.Grown = allocate(game_tree.Grown, sizes, book)
        self.points, self.out = np.zeros(64, np.int64), np.zeros(book.actions + 64, np.int64)
        self.made.used[game_tree.SEQUENCES] = players
        self.parts: list[tuple[int, int, int, float]] = []  # terminals from, to; opener; weight of a deal

    def grown(self, deals: Deals) -> Tree:
        """The tree of every deal, grown to its end."""
        names = [f"Player {seat + 1}" for seat in range(self.players)]
        for deal, weight in deals:
            state = self.book.fresh(self.game.options)
            self.book.words.load(state, len(names), deal)
            self._grow(state, float(weight))
        if not self.parts:
            raise BadSetup("There must be at least one deal.")
        return self._finished()

    def _grow(self, state: Any, weight: float) -> None:
        before = self.made.used.copy()
        while True:
            state.to_record(self.path.states, 0)
            result = self.grow(
                self.path, self.made, self.players, self.book.actions, PAYOFFS[self.payoff], 0.0, 1.0, self.limit,
                self.points, self.out,
            )  # fmt: skip
            if result == game_tree.GROWN:
                break
            if result == game_tree.TOO_MANY:
                raise BadSetup(f"{self._named} has more than {self.limit} histories; take a smaller preset.")
            if result == game_tree.TOO_DEEP:
                raise BadSetup(f"{self._named} has a path of more than {DEEPEST} decisions; take a smaller preset.")
            if result == game_tree.FORGETFUL:
                raise BadSetup(f"{self._named}: a seat with the same history is offered different actions.")
            self._double()
            for place in (game_tree.TERMINALS, game_tree.HISTORIES):
                self.made.used[place] = before[place]
        first, last = int(before[game_tree.TERMINALS]), int(self.made.used[game_tree.TERMINALS])
        self.parts.append((first, last, int(self.path.marks[0, game_tree.WHO]) if last - first > 1 else 0, weight))

    @property
    def _named(self) -> str:
        return f"{self.book.title} for {self.players} players"

    def _double(self) -> None:
        """Twice the room wherever more than half is used."""
        grown = self.made
        for names, used in (
            (("keys", "facts", "views"), grown.used[game_tree.INFOSETS]),
            (("actions",), grown.used[game_tree.SEQUENCES]),
            (("ends", "payoffs"), grown.used[game_tree.TERMINALS]),
        ):
            for name in names:
                old = getattr(grown, name)
                if 2 * used > len(old):
                    new = np.zeros((2 * len(old), *old.shape[1:]), old.dtype)
                    new[: len(old)] = old
                    grown = grown._replace(**{name: new})
        self.made = grown._replace(table=np.full(4 * len(grown.keys), -1, np.int64))
        self.enter(self.made.table, self.made.keys, int(grown.used[game_tree.INFOSETS]))

    def _finished(self) -> Tree:
        """The arrays cut to their lengths, information sets seat by seat."""
        grown = self.made
        n, named = int(grown.used[game_tree.INFOSETS]), int(grown.used[game_tree.SEQUENCES])
        facts, order = np.zeros((n, 4), np.int64), np.zeros(n, np.int64)
        origin, renamed = np.zeros(named, np.int64), np.zeros(named, np.int64)
        ranges = np.zeros(self.players + 1, np.int64)
        compiled(sequence_form.by_seats)(grown.facts, n, self.players, facts, order, origin, renamed, ranges)
        terminals = int(grown.used[game_tree.TERMINALS])
        total = sum(part[3] for part in self.parts)
        gains = np.zeros((terminals, self.players + 1))
        for first, last, opener, weight in self.parts:
            gains[first:last, :-1] = grown.payoffs[first:last] * (weight / total)
            gains[first:last, -1] = gains[first:last, opener]
        ends, gains = _merged(renamed[grown.ends[:terminals]], gains, named)
        return Tree(
            rulebook=self.book,
            options=self.game.options,
            players=self.players,
            payoff=self.payoff,
            deals=len(self.parts),
            histories=int(grown.used[game_tree.HISTORIES]),
            terminals=terminals,
            depth=int(grown.used[game_tree.DEEPEST]),
            keys=grown.keys[:n][order],
            facts=facts,
            views=grown.views[:n][order],
            actions=grown.actions[origin],
            ends=ends,
            gains=gains,
            ranges=ranges,
        )


def _merged(ends: NDArray[np.int64], gains: NDArray[np.float64], sequences: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """One row for all terminals at which every seat has the same sequence."""
    key = np.zeros(len(ends), np.int64)
    for column in ends.T:
        key = np.unique(key * sequences + column, return_inverse=True)[1].astype(np.int64)
    rows = int(key.max()) + 1
    merged = np.zeros((rows, ends.shape[1]), np.int64)
    merged[key] = ends
    sums = np.stack([np.bincount(key, weights=column, minlength=rows) for column in gains.T], axis=1)
    return merged, np.ascontiguousarray(sums)
