"""Moves about which the coach has a word before anything is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from outbid.bots.heuristic import RANDOM, STEADY
from outbid.bots.seat import Seat
from outbid.core.hooks.mechanisms import clearly_better
from outbid.core.match import Match

TRIED = 60  # moves at random


def objectionable(match: Match, asked: int, seed: int = 1) -> Mapping[str, Any] | None:
    """A move of which the rules alone say that another is clearly better, if one is found."""
    seat = Seat.of(match, asked, seed)
    better, words = STEADY.decide(seat).actions, seat.rulebook.words
    for stream in range(TRIED):
        actions = RANDOM.decide(replace(seat, seed=stream)).actions
        if actions and actions != better and clearly_better(seat.rulebook, seat.state, asked, better, actions):
            return words.move(seat.world(0), asked, list(actions))
    return None
