"""Left luggage: trunks are sold unopened by sealed bids, and each round one player looks into one of them.

Three trunks stand in a row. Who holds the keys looks into one, alone; then all bid in secret for the first. The highest bid
pays and takes it (of equal ones the first from the holder of the keys on), it is opened, the row moves up, and the keys go
on. What a trunk holds counts 1 to 12, and three coins left are worth a point. `outbid play examples/sealed_trunks.py`

Who knows what is declared (outbid.core.knowledge): `reveal` shows a trunk to one seat, `transfer` takes that along.
"""

import sys

from outbid.core.chance import below, shuffle, step, stream
from outbid.core.components import Cards, Look, Money
from outbid.core.fields import Field, Layout
from outbid.core.hooks.outcome import stands
from outbid.core.knowledge import reveal, transfer
from outbid.core.language.i18n import words
from outbid.core.moves import Move, Moves
from outbid.core.options import number
from outbid.core.rulebook import Rulebook

_ = words(__name__)[0]

SEATS = 5
TRUNKS = 12
ROW = 3
MOST = 30
NONE = -1  # no bid yet
LOOK, BID = range(2)
FACES = Cards(tuple(Look(symbol="trunk", figure=str(n)) for n in range(1, TRUNKS + 1)))

OPTIONS = (number("purse", "Coins", 20, 5, MOST, "what everybody begins with"),)
TRUNK = Field("trunk", shape=(TRUNKS + 1,), high=1, shown=False)  # which there are
STORE = Field("store", shape=(TRUNKS,), seen="nobody", holds="trunk", high=TRUNKS, face=FACES)  # to come, the next one last
ROWED = Field("row", shape=(ROW,), seen="nobody", holds="trunk", learned=True, high=TRUNKS, face=FACES, touch="look")
OPENED = Field("opened", shape=(TRUNKS + 1,), counts="trunk", high=1, face=FACES)
FIELDS = (
    Field("players"),
    Field("phase", names=("look", "bid")),
    Field("round", high=TRUNKS, label="rounds played"),
    Field("keys", seat=True, label="who has the keys"),  # and looks
    TRUNK,
    STORE,
    ROWED,
    OPENED,
    Field("coins", shape=(SEATS,), high=MOST, face=Money(), part=(1, 3)),
    Field("bid", shape=(SEATS,), seen="owner", drawn=(0, "coins"), low=-1, high=MOST, label="sealed bid"),
    Field("points", shape=(SEATS,), high=78, label="from trunks", part=1),
)
MOVES = Moves(
    Move("look", "look into this trunk of the row", "look into trunk {trunk}", trunk=(1, ROW)),
    Move("bid", "seal this bid", amount=(0, MOST)),
)
FIRST_BID = MOVES.first("bid")


def deal(s, players, seed):
    s.players = players
    for i in range(TRUNKS):
        s.store[i] = i + 1
        s.trunk[i + 1] = 1
    shuffle(s.store, TRUNKS, stream(seed, 0))
    for i in range(ROW):
        transfer(s, STORE, TRUNKS - 1 - i, ROWED, i)
    for seat in range(SEATS):
        s.bid[seat] = NONE
        s.coins[seat] = s.purse * (seat < players)


def asked(s):
    if s.round == TRUNKS:
        return 0
    if s.phase == LOOK:
        return 1 << s.keys
    mask = 0
    for seat in range(s.players):
        mask |= (s.bid[seat] == NONE) << seat
    return mask


def standing(s):
    return min(ROW, TRUNKS - s.round)


def legal(s, seat, out):
    if s.phase == LOOK:
        for i in range(standing(s)):
            out[i] = i
        return standing(s)
    for amount in range(s.coins[seat] + 1):
        out[amount] = FIRST_BID + amount
    return s.coins[seat] + 1


def apply(s, seat, action):
    if s.phase == LOOK:
        reveal(s, ROWED, action, seat)
        s.phase = BID
    else:
        s.bid[seat] = action - FIRST_BID
        if asked(s) == 0:
            sell(s)


def sell(s):
    winner = s.keys
    for far in range(s.players):
        seat = (s.keys + far) % s.players
        if s.bid[seat] > s.bid[winner]:
            winner = seat
    s.coins[winner] -= s.bid[winner]
    s.points[winner] += transfer(s, ROWED, 0, OPENED, 0)
    for seat in range(s.players):
        s.bid[seat] = NONE
    for i in range(1, standing(s)):
        transfer(s, ROWED, i, ROWED, i - 1)
    s.round += 1
    if s.round + ROW <= TRUNKS:
        transfer(s, STORE, TRUNKS - ROW - s.round, ROWED, ROW - 1)
    s.keys = (s.keys + 1) % s.players
    s.phase = LOOK


def score(s, out):
    for seat in range(s.players):
        out[seat] = s.points[seat] + s.coins[seat] // 3


def is_public(s, seat, action):
    return action < FIRST_BID


def steady(s, seat, seed, note):
    r = step(stream(seed, 0))
    if s.phase == LOOK:
        return 0
    worth = s.row[0] if s.row[0] > 0 else 6
    return FIRST_BID + min(s.coins[seat], worth // 2 + below(r, 3))


def told(before, seat, said, after, audience, names):
    who = names[seat]
    if said["do"] == "look":
        trunk = said["trunk"]
        if seat == audience:
            return [_("You look into trunk {trunk}, which holds {n}.", trunk=trunk, n=after.row[trunk - 1])]
        return [_("{who} looks into trunk {trunk}.", who=who, trunk=trunk)]
    lines = [_("You bid {n}.", n=said["amount"]) if seat == audience else _("{who} seals a bid.", who=who)]
    if after.round > before.round:
        winner = next(p for p in range(after.players) if after.points[p] > before.points[p])
        price = before.coins[winner] - after.coins[winner]
        holds = after.points[winner] - before.points[winner]
        line = _("{who} takes a trunk for {price}; it holds {n}.", who=names[winner], price=price, n=holds)
        if winner == audience:
            line = _("You take a trunk for {price}; it holds {n}.", price=price, n=holds)
        lines.append(stands(line, after, OPENED, {winner: [holds]}, {winner: price}))
    return lines


GERMAN = {
    "Left luggage": "Fundkoffer",
    "Sealed bids for unopened trunks; one player has looked into one of them.":
        "Verdeckte Gebote auf verschlossene Koffer; in einen davon hat jemand hineingesehen.",
    "Coins": "Münzen",
    "what everybody begins with": "womit alle beginnen",
    "look": "hineinsehen",
    "look into trunk {trunk}": "in Koffer {trunk} hineinsehen",
    "look into this trunk of the row": "in diesen Koffer der Reihe hineinsehen",
    "bid": "bieten",
    "seal this bid": "verdeckt bieten",
    "phase": "Phase",
    "rounds played": "gespielte Runden",
    "who has the keys": "wer die Schlüssel hat",
    "trunk": "Koffer",
    "store": "Lager",
    "row": "Reihe",
    "opened": "geöffnet",
    "coins": "Münzen",
    "sealed bid": "Gebot",
    "from trunks": "aus Koffern",
    "You look into trunk {trunk}, which holds {n}.": "Du siehst in Koffer {trunk} hinein; darin sind {n}.",
    "{who} looks into trunk {trunk}.": "{who} sieht in Koffer {trunk} hinein.",
    "You bid {n}.": "Du bietest {n}.",
    "{who} seals a bid.": "{who} bietet verdeckt.",
    "You take a trunk for {price}; it holds {n}.": "Du bekommst für {price} einen Koffer; darin sind {n}.",
    "{who} takes a trunk for {price}; it holds {n}.": "{who} bekommt für {price} einen Koffer; darin sind {n}.",
}  # fmt: skip


rulebook = Rulebook(
    id="left_luggage",
    title="Left luggage",
    summary="Sealed bids for unopened trunks; one player has looked into one of them.",
    players=(2, SEATS),
    version=1,
    layout=Layout("left_luggage", OPTIONS, FIELDS),
    modules=(sys.modules[__name__],),
    moves=MOVES,
    longest=(SEATS + 1) * TRUNKS,
)
