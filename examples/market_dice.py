"""Market dice: everybody rolls in secret, and who bids says how many of a face lie under all cups together.

In turn one bids more (a larger number, or the same of a higher face), or doubts the last bid. Then all cups are lifted: if
so many are there, who doubted loses a die, else who bid, and all roll again. The last one with dice wins. As chance acts in
`deal` alone, later rolls come from a hidden number; it and the dice of others are `drawn` (outbid.core.knowledge).
"""

import sys

from outbid.core.chance import below, step, stream
from outbid.core.components import Dice
from outbid.core.fields import Field, Layout
from outbid.core.hooks.outcome import stands
from outbid.core.language.i18n import words
from outbid.core.moves import Move, Moves
from outbid.core.rulebook import Rulebook

_ = words(__name__)[0]
SEATS, DICE, FACES, LUCK = 5, 3, 6, 2**30
DIE = Field("die", shape=(SEATS, DICE), seen="owner", drawn=(1, FACES), label="dice", face=Dice())
FIELDS = (
    Field("players"), Field("turn", seat=True, shown=False),
    Field("bidder", seat=True, label="last bid by"),
    Field("number", high=SEATS * DICE, label="how many"),  # of the last bid, 0: none
    Field("face", high=FACES, label="of these", face=Dice()),
    Field("counted", high=SEATS * DICE, shown=False),  # when the cups were last lifted
    Field("dice", shape=(SEATS,), high=DICE, shown=False),
    Field("total", high=SEATS * DICE, label="dice under all cups"), DIE,
    Field("lifted", shape=(SEATS, DICE), high=FACES, shown=False),  # what lay under the cups then
    Field("luck", "i4", seen="nobody", drawn=(1, LUCK)),
)  # fmt: skip
BID = Move("bid", "so many of this face lie there", "bid {number} × {face}", number=(1, SEATS * DICE), face=(1, FACES))
MOVES = Moves(BID, Move("doubt", "lift the cups"))
DOUBT = MOVES.first("doubt")


def deal(s, players, seed):
    s.players = players
    for seat in range(players):
        s.dice[seat] = DICE
    s.total = players * DICE
    s.luck = 1 + below(stream(seed, 0), LUCK)
    roll(s)


def roll(s):
    r = stream(s.luck, 0)
    for i in range(s.players * DICE):
        r = step(r)
        s.die[i // DICE][i % DICE] = (1 + below(r, FACES)) * (i % DICE < s.dice[i // DICE])
    s.luck = 1 + below(step(r), LUCK)
    s.number = s.face = 0


def least(s):
    return (s.number - 1) * FACES + s.face if s.number > 0 else 0


def asked(s):
    return (1 << s.turn) * (s.dice[s.turn] < s.total)


def legal(s, seat, out):
    n = (s.total * FACES - least(s)) * (asked(s) > 0)
    for i in range(n):
        out[i] = least(s) + i
    out[n] = DOUBT
    return n + (s.number > 0)


def apply(s, seat, action):
    if action < DOUBT:
        s.number = 1 + action // FACES
        s.face = 1 + action % FACES
        s.bidder = seat
    else:
        s.counted = 0
        for i in range(SEATS * DICE):
            s.lifted[i // DICE][i % DICE] = s.die[i // DICE][i % DICE]
            s.counted += s.die[i // DICE][i % DICE] == s.face
        s.turn = seat if s.counted >= s.number else s.bidder
        s.dice[s.turn] -= 1
        s.total -= 1
        roll(s)
    while s.dice[s.turn] == 0 or (action < DOUBT and s.turn == seat):
        s.turn = (s.turn + 1) % s.players


def score(s, out):
    for seat in range(s.players):
        out[seat] = s.dice[seat]


def is_public(s, seat, action):
    return 1 + (action == DOUBT)  # all see the move, and 2: what comes of it is hidden before


def steady(s, seat, seed, note):
    likely = (s.total - s.dice[seat]) // 3
    for i in range(DICE):
        likely += s.die[seat][i] == s.face
    return DOUBT if s.number > likely or least(s) == s.total * FACES else least(s)


def told(before, seat, said, after, audience, names):
    bid = {"who": names[seat], "n": said.get("number"), "face": said.get("face")}
    if said["do"] == "bid":
        return [_("You bid {n} × {face}.", **bid) if seat == audience else _("{who} bids {n} × {face}.", **bid)]
    loser = next(p for p in range(after.players) if after.dice[p] < before.dice[p])
    facts = {"n": after.counted, "face": before.face, "loser": names[loser]}
    yours = _("{n} × {face} lie there, and you lose a die.", **facts)
    theirs = _("{n} × {face} lie there, and {loser} loses a die.", **facts)
    lifted = {p: after.lifted[p] for p in range(after.players) if any(after.lifted[p])}
    lie = stands(yours if loser == audience else theirs, after, DIE, lifted)
    return [_("You doubt it.") if seat == audience else _("{who} doubts it.", who=names[seat]), lie]


GERMAN = {
    "Market dice": "Marktwürfel",
    "Bid what lies under all cups, or doubt it.": "Biete, was unter allen Bechern liegt, oder zweifle es an.",
    "bid": "bieten", "so many of this face lie there": "so viele mit dieser Zahl liegen da",
    "bid {number} × {face}": "{number} × {face} bieten", "doubt": "anzweifeln", "lift the cups": "die Becher heben",
    "last bid by": "letztes Gebot von", "how many": "wie viele", "of these": "von diesen",
    "dice under all cups": "Würfel unter allen Bechern", "dice": "Würfel",
    "You bid {n} × {face}.": "Du bietest {n} × {face}.", "{who} bids {n} × {face}.": "{who} bietet {n} × {face}.",
    "You doubt it.": "Du zweifelst es an.", "{who} doubts it.": "{who} zweifelt es an.",
    "{n} × {face} lie there, and you lose a die.": "Da liegen {n} × {face}, und du verlierst einen Würfel.",
    "{n} × {face} lie there, and {loser} loses a die.": "Da liegen {n} × {face}, und {loser} verliert einen Würfel.",
}  # fmt: skip


rulebook = Rulebook(
    id="market_dice", title="Market dice", summary="Bid what lies under all cups, or doubt it.", players=(2, SEATS),
    version=1, layout=Layout("market_dice", (), FIELDS), modules=(sys.modules[__name__],), moves=MOVES,
    longest=(SEATS * DICE) * (SEATS * DICE * FACES + 1),
)  # fmt: skip
