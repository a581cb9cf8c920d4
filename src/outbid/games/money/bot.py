"""The steady player: Money!'s own judgement, from what one seat may know (rules/money.md §8)."""

from outbid.games.money.state import BID, BLUFF, KEEP


def steady(s, seat, seed, note):
    """The next action of an asked seat from a hidden state."""
    if s.phase == BID:
        return BLUFF
    return KEEP
