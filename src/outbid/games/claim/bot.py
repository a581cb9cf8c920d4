"""The steady player of Claim."""

from outbid.games.claim.rules import legal


def steady(s, seat, seed, note):
    """The next action."""
    note[0] = 0
    legal(s, seat, s.products)
    return 0
