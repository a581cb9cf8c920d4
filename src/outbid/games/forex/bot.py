"""The steady player of For-Ex. Compiled subset."""

from outbid.games.forex.state import (
    COUNT, CURRENCY, DIVESTING, KINDS, REFUSE, REPLY, RESOLVE, START, TURN,
)


def steady(s, seat, seed, note):
    """The next action of an asked seat."""
    if s.step != START:
        return COUNT + 1
    if s.phase == TURN:
        return RESOLVE
    if s.phase == REPLY:
        return REFUSE
    if s.phase == DIVESTING:
        return COUNT
    for kind in range(KINDS):
        if (s.choices >> kind) & 1:
            return CURRENCY + kind
    return 0
