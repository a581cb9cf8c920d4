"""A step of a player who plays by policy parameters and slips now and then. Compiled subset; on plain states it runs as it
is."""

from outbid.core.chance import below, stream
from outbid.core.contract import legal, told

SLIPS_FROM = 1 << 32  # streams of a decision from here on: whether a step is a slip; twice as far: which one
PARTS = 1000  # of a slip rate


def slipping(s, seat, seed, number, slip, note, out, params):
    """The action of an asked seat: in `slip` of PARTS steps any legal one, else what the parameters say; −1: nothing to say.
    s: hidden for the seat; seed: of its decision; number: of the step in its move."""
    if below(stream(seed, SLIPS_FROM + number), PARTS) < slip:
        n = legal(s, seat, out)
        if n == 0:
            return -1
        return out[below(stream(seed, 2 * SLIPS_FROM + number), n)]
    return told(s, seat, seed, note, params)
