"""The steady player: Rivals' own judgement, from what everybody can see (rules/rivals.md §8)."""

from outbid.games.rivals.rules import can_lay
from outbid.games.rivals.state import BID, CARD, DONE, PASS, TURN, UNCOVER


def steady(s, seat, seed, note):
    """The next action of an asked seat."""
    if s.phase == TURN:
        return UNCOVER
    if s.phase == BID:
        return PASS
    if s.must_take_at_least_one and s.taken == 0:
        for i in range(s.lying):
            if can_lay(s, seat, s.display[i]):
                return CARD + s.display[i]
    return DONE
