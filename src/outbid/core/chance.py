"""The random generator: a counter of 62 bits, scrambled by Feistel rounds of 31-bit products.

No intermediate value leaves the 63 bits of a non-negative int64 (compiled signed overflow is undefined and does go
wrong), so Python's integers and compiled code give the same numbers. The state is one number below 2**62. A draw is two
steps: `r = step(r)`, then `below(r, n)`. Compiled subset.
"""

WORD = 0x7FFFFFFF  # 31 bits
STATE = 0x3FFFFFFFFFFFFFFF  # 62 bits
WEYL = 0x1E3779B97F4A7C15
BYTES = 7  # of a word
ROUND1 = 0x6C8E9CF5
ROUND2 = 0x7A5F2D43
ROUND3 = 0x5851F42D
ROUND4 = 0x4C957F2F


def step(r):
    """The next state of the generator `r`."""
    return (r + WEYL) & STATE


def scramble(half, factor):
    """31 bits that depend on all 31 bits of `half`."""
    product = half * factor
    return ((product >> 31) ^ product) & WORD


def below(r, n):
    """A number from 0 to n − 1 (n < 2**31) from the state `r`; the bias is below n · 2**-31."""
    a = r & WORD
    b = r >> 31
    b ^= scramble(a, ROUND1)
    a ^= scramble(b, ROUND2)
    b ^= scramble(a, ROUND3)
    return (b * n) >> 31


def bits(r):
    """62 well-mixed bits of the state `r`."""
    a = r & WORD
    b = r >> 31
    b ^= scramble(a, ROUND1)
    a ^= scramble(b, ROUND2)
    b ^= scramble(a, ROUND3)
    a ^= scramble(b, ROUND4)
    b ^= scramble(a, ROUND1)
    a ^= scramble(b, ROUND2)
    return (a << 31) | b


def mixed(cells, size, place):
    """62 bits by which the first `size` bytes are told from others: the sum of all words of BYTES, each scrambled with its
    place, so that none waits for the one before. place: where to begin; other places give other bits."""
    found = 0
    for at in range(0, size, BYTES):
        place = step(place)
        word = 0
        for k in range(at, min(at + BYTES, size)):
            word = (word << 8) | cells[k]
        if word != 0:
            found = (found + bits((word + place) & STATE)) & STATE
    return found


def stream(seed, number):
    """The start of the `number`-th independent stream of `seed`: one for each match, seat or bot."""
    return bits((bits(seed & STATE) ^ (seed >> 62) ^ bits((number + WEYL) & STATE)) & STATE)


def shuffle(cards, n, r):
    """Put the first n cards in an order drawn from the generator `r`; its state afterwards is returned."""
    return shuffle_from(cards, 0, n, r)


def shuffle_from(cards, first, n, r):
    """Shuffle the cards from `first` on; those before stay as they are."""
    for i in range(n - 1, first, -1):
        r = step(r)
        j = first + below(r, i + 1 - first)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
    return r
