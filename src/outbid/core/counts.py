"""What each viewer knows of rows of counts (knowledge.py), and the exchange of hidden things until it fits. Compiled subset.

counts (rows, kinds): how many of each kind a row has. least, most ((viewers + 1) · rows, kinds): a block of rows for each
viewer, the last one of what all know; so many there are at least, and one more than there are at most, 0 for no bound.
"""

from outbid.core.chance import below, step

PROPOSALS = 80  # for each unknown thing, until a world agrees with what is known of counts
MIXING = 10  # for each unknown thing, once it does
COMMON = 7  # the bit of a mask for what all know, beside those of the seats
LOOSE = 100  # a bound as high as this says nothing, and an i1 holds it


def row_shown(counts, least, most, row, to):
    """All see a row, or one seat does."""
    rows = len(counts)
    for at in range(row, len(least), rows):
        if to < 0 or at == to * rows + row:
            for kind in range(1, len(counts[row])):
                least[at][kind] = counts[row][kind]
                most[at][kind] = counts[row][kind] + 1


def kind_shown(counts, least, most, row, kind, to):
    """All see one of a kind in a row, or one seat does."""
    rows = len(counts)
    for at in range(row, len(least), rows):
        if to < 0 or at == to * rows + row:
            least[at][kind] = max(1, least[at][kind])


def kind_ruled_out(counts, least, most, row, kind, to):
    """All learn that a row has none of a kind, or one seat does."""
    rows = len(counts)
    for at in range(row, len(least), rows):
        if to < 0 or at == to * rows + row:
            most[at][kind] = 1


def row_concealed(counts, least, most, row):
    """Nobody knows a row any more."""
    for at in range(row, len(least), len(counts)):
        for kind in range(len(counts[row])):
            least[at][kind] = 0
            most[at][kind] = 0


def rows_swapped(rows, i, j):
    """Exchange two rows."""
    for kind in range(len(rows[i])):
        kept = rows[i][kind]
        rows[i][kind] = rows[j][kind]
        rows[j][kind] = kept


def knowledge_swapped(counts, least, most, i, j):
    """What each viewer knows of two rows that are exchanged."""
    for first in range(0, len(least), len(counts)):
        rows_swapped(least, first + i, first + j)
        rows_swapped(most, first + i, first + j)


def card_left(counts, least, most, row, kind, known):
    """A card leaves a row; known: who knows its kind, as a bit mask."""
    rows = len(counts)
    for at in range(row, len(least), rows):
        if known_by(known, at // rows, len(least) // rows):
            least[at][kind] = max(0, least[at][kind] - 1)
            most[at][kind] -= most[at][kind] > 1
        else:
            for other in range(1, len(counts[row])):
                least[at][other] = max(0, least[at][other] - 1)


def card_came(counts, least, most, row, kind, known):
    """A card comes into a row; known: who knows its kind, as a bit mask. A bound that says nothing any more is dropped."""
    rows = len(counts)
    for at in range(row, len(least), rows):
        first, last = 1, len(counts[row])
        if known_by(known, at // rows, len(least) // rows):
            least[at][kind] += 1
            first, last = kind, kind + 1
        for other in range(first, last):
            most[at][other] = (most[at][other] + (most[at][other] > 0)) % LOOSE


def known_by(known, viewer, blocks):
    """Whether a viewer is in a mask; the last block is of what all know."""
    return known >> (COMMON if viewer + 1 == blocks else viewer) & 1


def common_only(least, most, rows, seat):
    """Let the other seats know what all know."""
    last = len(least) - rows
    for at in range(last):
        if at // rows != seat:
            for kind in range(len(least[at])):
                least[at][kind] = least[last + at % rows][kind]
                most[at][kind] = most[last + at % rows][kind]


def settle(pool, home, n, counts, most, first, r):
    """Exchange the kinds of n unknown cards at random until no row has more of a kind than the viewer knows it can have, and
    mix on among such worlds. home: the row of each card, −1: elsewhere. first: where the viewer's block of `most` begins.
    Returns the state of the generator; −1 if no world was found."""
    over = 0
    for row in range(len(counts)):
        for kind in range(1, len(counts[row])):
            over += excess(counts, most, first, row, kind, 0)
    calm = MIXING * n * (over > 0)
    left = PROPOSALS * n
    while (over > 0 and left > 0) or (over == 0 and calm > 0):
        left -= 1
        calm -= over == 0
        r = step(r)
        p = below(r, n)
        r = step(r)
        q = below(r, n)
        if home[p] != home[q] and pool[p] != pool[q]:
            change = gained(counts, most, first, home[p], pool[p], pool[q])
            change += gained(counts, most, first, home[q], pool[q], pool[p])
            if change <= 0:
                over += change
                kind = pool[p]
                pool[p] = pool[q]
                pool[q] = kind
                exchanged(counts, home[p], pool[q], pool[p])
                exchanged(counts, home[q], pool[p], pool[q])
    return r if over == 0 else -1


def excess(counts, most, first, row, kind, more):
    """How many of a kind a row would have too many, with so many more."""
    limit = most[first + row][kind]
    return max(0, counts[row][kind] + more - limit + 1) if limit > 0 else 0


def gained(counts, most, first, row, gone, come):
    """How much worse a row is when one kind goes and another comes."""
    if row < 0:
        return 0
    worse = excess(counts, most, first, row, come, 1) - excess(counts, most, first, row, come, 0)
    return worse + excess(counts, most, first, row, gone, -1) - excess(counts, most, first, row, gone, 0)


def exchanged(counts, row, gone, come):
    """One kind goes from a row, and another comes."""
    if row >= 0:
        counts[row][gone] -= 1
        counts[row][come] += 1
