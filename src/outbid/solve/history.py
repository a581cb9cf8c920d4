"""What a seat of a plain match has seen: its information-state hash, the same as game_tree.py gives the compiled tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from outbid.compiled import game_tree
from outbid.core import contract
from outbid.core.errors import BadSetup
from outbid.core.match import Match, hidden
from outbid.core.rulebook import Rulebook


class SeatHistory:
    """The information-state hash of one seat, kept up to date step by step."""

    def __init__(self, book: Rulebook, seat: int, state: Any):
        import numpy as np

        self.seat = seat
        self._record: Any = np.zeros(1, book.layout.dtype)
        self._info_hash = [0] * 4
        game_tree.begin(self._info_hash, seat)
        self._see(state, False)

    @property
    def info_hash(self) -> tuple[int, int]:
        """The information-state hash of the history so far."""
        return self._info_hash[0], self._info_hash[1]

    def after(self, actor: int, action: int, state: Any) -> None:
        """`actor` has acted, and the clock perhaps after it; `state` is the result."""
        if actor == self.seat:
            game_tree.add_action(self._info_hash, action)
        self._see(state, actor == self.seat)

    def _see(self, state: Any, acted: bool) -> None:
        hidden(state, self.seat).to_record(self._record, 0)
        cells = list(self._record.tobytes())
        game_tree.add_observation(self._info_hash, cells, len(cells), acted)


class TreeWalk:
    """A plain state stepped in the tree's order of play. `who`: who decides next, or OVER; `silent`: see game_tree.py;
    `closed`: how often the clock has acted."""

    def __init__(self, state: Any, silence: int, silent: int = 0):
        self.state = state
        self.silence = silence
        self.silent = silent
        self.closed = 0
        self.who = game_tree.OVER
        self._settle()

    @property
    def open(self) -> list[int]:
        """The actions open to the player who decides."""
        out = [0] * (self.silence + 64)
        return out[: game_tree.choices(self.state, self.who, self.silence, out)] if self.who != game_tree.OVER else []

    def act(self, action: int) -> None:
        """A step, or silence, of the player who decides; then the clock if all are silent."""
        if action == self.silence:
            self.silent |= 1 << self.who
        else:
            contract.apply(self.state, self.who, action)
            self.silent = 0
        self._settle()

    def _settle(self) -> None:
        self.who = game_tree.mover(self.state, self.silent)
        while self.who == contract.CLOCK:
            out = [0] * (self.silence + 64)
            contract.legal(self.state, contract.CLOCK, out)
            contract.apply(self.state, contract.CLOCK, out[0])
            self.silent = 0
            self.closed += 1
            self.who = game_tree.mover(self.state, 0)

    def copy(self) -> TreeWalk:
        twin = object.__new__(TreeWalk)
        twin.state, twin.silence = self.state.copy(), self.silence
        twin.silent, twin.closed, twin.who = self.silent, self.closed, self.who
        return twin


def of_match(match: Match, seat: int, begun: Sequence[int] = ()) -> tuple[int, int]:
    """The history of an asked seat, after the steps `begun` of a move."""
    if seat not in match.asked:
        raise BadSetup(f"Seat {seat} is not asked now.")
    start = Match.load(match.rulebook, match.options, match.names, match.deal).state
    walk = TreeWalk(start, match.rulebook.actions)
    seen = SeatHistory(match.rulebook, seat, walk.state)
    for actor, action in _in_order(match, walk, seat, begun):
        walk.act(action)
        seen.after(actor, action, walk.state)
    return seen.info_hash


def _in_order(match: Match, walk: TreeWalk, seat: int, begun: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The steps of a match in the tree's order, up to the decision of `seat`. A seat that decides before it there, but not
    yet in the match, does anything: the seat cannot see it."""
    start = Match.load(match.rulebook, match.options, match.names, match.deal).state
    moves = list(match.stepped(start, match.moves))
    clock = 0  # acts of the clock that are struck from `moves`
    while True:
        while clock < walk.closed:
            clock += 1
            moves.remove(next(move for move in moves if move[0] == contract.CLOCK))
        if contract.asked(walk.state) >> contract.CLOCK & 1:
            move = moves[0] if moves and moves[0][0] == walk.who else None
            instead = walk.silence
        else:
            move = next((move for move in moves if move[0] == walk.who), None)
            instead = walk.open[0]
        if move is None and walk.who == seat and (not moves or instead != walk.silence):
            break
        if move is None:
            yield walk.who, instead
            continue
        moves.remove(move)
        for action in move[1]:
            yield move[0], action
    for action in begun:
        yield seat, action
