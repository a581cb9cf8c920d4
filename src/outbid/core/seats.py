"""Bit masks of seats: bit 0 is seat 0. Compiled subset."""


def lowest(mask):
    """The lowest set bit of a mask of up to 8 bits, without a branch."""
    bit = mask & -mask
    return ((bit & 0xF0) > 0) * 4 + ((bit & 0xCC) > 0) * 2 + ((bit & 0xAA) > 0)


def how_many(mask, players):
    """How many of so many seats are in a mask."""
    n = 0
    for seat in range(players):
        n += (mask >> seat) & 1
    return n


def highest(points, players):
    """The seats with the most points, as a bit mask."""
    best = points[0]
    mask = 1
    for seat in range(1, players):
        if points[seat] > best:
            best = points[seat]
            mask = 0
        if points[seat] == best:
            mask |= 1 << seat
    return mask
