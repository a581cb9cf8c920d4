"""Whether moves have shown anybody what lay hidden before them: then they cannot be taken back.

No game says what its moves reveal. What a seat knows before a move is a state hidden for it; `redeal` fills that with worlds
that agree with it. If the same move, made in such worlds, shows the seat the same as it did, it has told the seat nothing
of the world; one world in which the seat sees something else is enough to know that it has. What a player chose to do is no
secret of the world: who bids 40 has shown that they would. Move by move: an offer of hidden cards reveals nothing, and to
take it does.

Chance acts in the deal and nowhere else (contract.py), so a card that is turned over is a case of this. Where several seats
are asked at once, their answers are sealed, and nothing is taken back.
"""

import contextlib
from typing import Any

from outbid.core.errors import OutbidError
from outbid.core.match import SPECTATOR, Match, hidden

WORLDS = 32  # drawn for each viewer; two equally likely ones are taken for the same once in four billion times


def revealed(match: Match, count: int) -> bool:
    """Whether one of the last `count` moves has shown a seat, or a spectator, anything that lay hidden before it."""
    before = match.copy()
    before.take_back(count)
    for move in match.moves[-count:]:
        after = before.copy()
        after.play(move["seat"], move)
        if any(len(at.awaited()) > 1 for at in (before, after)):
            return True
        if any(_learned(before, move, viewer, after) for viewer in range(SPECTATOR, match.players)):
            return True
        before = after
    return False


def _learned(before: Match, move: dict[str, Any], viewer: int, after: Match) -> bool:
    """Whether a viewer would see something else after a move in another world that agrees with what it knew; also, if the
    move is possible in no world that was drawn."""
    seen, possible = hidden(after.state, viewer).packed(), False
    for seed in range(WORLDS):
        world = before.in_world(viewer, seed)
        with contextlib.suppress(OutbidError):
            world.play(move["seat"], move)
            possible = True
            if hidden(world.state, viewer).packed() != seen:
                return True
    return not possible
