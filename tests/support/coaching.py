"""Moves about which the coach has a word before anything is compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from outbid.bots import choose
from outbid.bots.heuristic import RANDOM, STEADY
from outbid.bots.seat import Seat
from outbid.core.hooks.mechanisms import clearly_better
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.support.gallery import NAMES, Piece, phase

TRIED = 12  # moves at random


def objectionable(match: Match, asked: int, seed: int = 1) -> Mapping[str, Any] | None:
    """A move of which the rules alone say that another is clearly better, if one is found."""
    seat = Seat.of(match, asked, seed)
    better, words = STEADY.decide(seat).actions, seat.rulebook.words
    for stream in range(TRIED):
        actions = RANDOM.decide(replace(seat, seed=stream)).actions
        if actions and actions != better and clearly_better(seat.rulebook, seat.state, asked, better, actions):
            return words.move(seat.world(0), asked, list(actions))
    return None


def objections(game: str) -> Iterator[tuple[Piece, Mapping[str, Any]]]:
    """Positions of matches for three, each with a move that the coach objects to."""
    for seed in range(20):
        match = Match.new(rulebook(game), {}, 3, seed, NAMES[:3])
        while not match.over:
            seat = match.asked[0]
            if move := objectionable(match, seat):
                yield Piece(phase(match, seat), match.copy(), seat), move
            match.play_steps(seat, choose(match, seat, "easy", seed).actions)
