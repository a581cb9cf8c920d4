"""Last Coin: the player who takes the last coin of the heap wins. Replace everything below, a piece at a time.

    outbid verify FILE             # after every change: what leaks, what is lost, what is refused
    outbid play FILE               # in the browser; with --plain in the terminal
    outbid simulate FILE --players 3 --matches 1000 --bots steady,random
"""

import sys

from outbid.core.chance import below, step, stream
from outbid.core.fields import Field, Layout
from outbid.core.moves import Move, Moves
from outbid.core.options import number
from outbid.core.rulebook import Rulebook

SEATS = 4
MOST = 5  # coins that one may take at once

OPTIONS = (number("heap", "Heap", 21, 2, 40, "coins at the beginning, and up to three more"),)
FIELDS = (  # the state: who sees a field is seen="all", "owner" (its first dimension is the seat) or "nobody"
    Field("players"),
    Field("turn", seat=True),
    Field("coins", high=43),
    Field("taken", shape=(SEATS,), high=43),
    Field("last", shape=(SEATS,), high=1),
)
MOVES = Moves(Move("take", "take so many coins", amount=(1, MOST)))


# The rules: whole numbers, lists of them, if, for, functions. `s` is the state; chance acts in `deal` alone.


def deal(s, players, seed):
    s.players = players
    s.coins = s.heap + below(step(stream(seed, 0)), 4)


def asked(s):
    """The seats that may answer now, as a bit mask; 0 when the match is over. Sealed bids ask several at once."""
    if s.coins == 0:
        return 0
    return 1 << s.turn


def legal(s, seat, out):
    """Write the open actions to `out`; return how many there are. Action 0 is "take 1"."""
    n = min(MOST, s.coins)
    for k in range(n):
        out[k] = k
    return n


def apply(s, seat, action):
    s.coins -= action + 1
    s.taken[seat] += action + 1
    if s.coins == 0:
        s.last[seat] = 1
    s.turn = (s.turn + 1) % s.players


def score(s, out):
    for seat in range(s.players):
        out[seat] = s.last[seat]


def steady(s, seat, seed, note):
    """The bot `steady`: an action. It must not read what its seat cannot know, and need not: that is hidden from it."""
    return max(0, s.coins % (MOST + 1) - 1)


# With a field that not everybody sees, leave out secrets=False, and write redeal(s, seat, seed), which fills what the seat
# cannot know with a random world: docs/write-a-game.md, section 4.

rulebook = Rulebook(
    id="last_coin",
    title="Last Coin",
    summary="The player who takes the last coin of the heap wins.",
    players=(2, SEATS),
    version=1,
    layout=Layout("last_coin", OPTIONS, FIELDS),
    modules=(sys.modules[__name__],),
    moves=MOVES,
    longest=43,
    secrets=False,
)
