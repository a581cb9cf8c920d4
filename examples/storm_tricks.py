"""Storm tricks: pass a card to the left, then follow suit, and keep out of the storms.

All 24 cards, four suits of six, are dealt. Everybody passes one card to the left, in secret and at once. Then there are
tricks: who leads plays any card, the others the same suit if they can; the highest of it takes the trick and leads. Each
storm taken costs a point, and the highest of them two. The fewest points lost win.

Who passed a card knows where it is until it is played, and all know who has no more of a suit: `transfer` and `rule_out`
keep that (outbid.core.knowledge), and bots deal worlds that agree. `outbid play examples/storm_tricks.py`
"""

import sys

from outbid.core.chance import shuffle, stream
from outbid.core.components import Cards, Look, Track
from outbid.core.fields import Field, Layout
from outbid.core.hooks.outcome import stands
from outbid.core.knowledge import EVERYBODY, rule_out, transfer
from outbid.core.language.i18n import words
from outbid.core.moves import Move, Moves
from outbid.core.rulebook import Rulebook

_ = words(__name__)[0]
SEATS = 4
SUITS = ("oar", "sail", "rope", "storm")
DRAWN = (("leaf", "#0072b2"), ("sail", "#009e73"), ("rope", "#b07d00"), ("bolt", "#b3364a"))
RANKS = 6
NAMES = ("none", *(f"{suit}{rank}" for suit in SUITS for rank in range(1, RANKS + 1)))
CARDS = len(NAMES) - 1
STORM = CARDS - RANKS + 1  # the first storm
FACES = Cards(
    tuple(
        Look(suit, colour, symbol, str(rank))
        for suit, (symbol, colour) in zip(SUITS, DRAWN, strict=True)
        for rank in range(1, RANKS + 1)
    )
)
NOTHING = 0
PASS, PLAY = 0, CARDS

CARD = Field("card", shape=(CARDS + 1,), high=1, places=NAMES, shown=False)  # which there are
STACK = Field("stack", shape=(CARDS,), seen="nobody", holds="card", names=NAMES)  # shuffled, in `deal` alone
KNOWN = ("unknown", *NAMES[1:])
HAND = Field("hand", shape=(SEATS, CARDS + 1), seen="owner", counts="card", learned=True, high=8, places=KNOWN, face=FACES)
PASSED = Field("passed", shape=(SEATS,), seen="owner", holds="card", names=NAMES, face=FACES)
TABLE = Field("table", shape=(SEATS,), holds="card", names=NAMES, label="this trick", face=FACES)
TAKEN = Field("taken", shape=(SEATS, CARDS + 1), counts="card", high=1, places=NAMES, face=FACES.pile)
FIELDS = (
    Field("players"),
    Field("playing", names=("no", "yes"), shown=False),
    Field("leader", seat=True, label="who leads"),
    Field("turn", seat=True, shown=False),
    Field("left", high=CARDS, shown=False),  # cards in all hands
    CARD,
    STACK,
    HAND,
    PASSED,
    TABLE,
    TAKEN,
    Field("lost", shape=(SEATS,), high=RANKS + 1, label="points lost", face=Track()),
)
MOVES = Moves(Move("pass", "pass this card to the left", card=NAMES[1:]), Move("play", "play this card", card=NAMES[1:]))


def suit(card):
    return (card - 1) // RANKS


def deal(s, players, seed):
    s.players = players
    for card in range(1, CARDS + 1):
        s.card[card] = 1
        s.stack[card - 1] = card
    shuffle(s.stack, CARDS, stream(seed, 0))
    for i in range(CARDS):
        transfer(s, STACK, i, HAND, i % players)
    s.left = CARDS


def asked(s):
    if s.left == 0:
        return 0
    if s.playing:
        return 1 << s.turn
    mask = 0
    for seat in range(s.players):
        mask |= (s.passed[seat] == NOTHING) << seat
    return mask


def can_follow(s, seat, led):
    n = 0
    for rank in range(RANKS):
        n += s.hand[seat][led * RANKS + rank + 1]
    return n > 0


def legal(s, seat, out):
    n = 0
    led = -1
    if s.playing and s.table[s.leader] != NOTHING and can_follow(s, seat, suit(s.table[s.leader])):
        led = suit(s.table[s.leader])
    for card in range(1, CARDS + 1):
        if s.hand[seat][card] > 0 and (led < 0 or suit(card) == led):
            out[n] = (PLAY if s.playing else PASS) + card - 1
            n += 1
    return n


def apply(s, seat, action):
    if action < PLAY:
        transfer(s, HAND, (seat, action + 1), PASSED, seat)
        if asked(s) == 0:
            for giver in range(s.players):
                transfer(s, PASSED, giver, HAND, (giver + 1) % s.players)
            s.playing = 1
        return
    card = action - PLAY + 1
    transfer(s, HAND, (seat, card), TABLE, seat)
    s.left -= 1
    led = suit(s.table[s.leader])
    if suit(card) != led:
        for rank in range(RANKS):
            rule_out(s, HAND, (seat, led * RANKS + rank + 1), EVERYBODY)
    s.turn = (seat + 1) % s.players
    if s.turn == s.leader:
        take(s, led)


def take(s, led):
    best = s.leader
    for seat in range(s.players):
        if suit(s.table[seat]) == led and s.table[seat] > s.table[best]:
            best = seat
    for seat in range(s.players):
        card = transfer(s, TABLE, seat, TAKEN, best)
        s.lost[best] += (card >= STORM) + (card == CARDS)
    s.leader = best
    s.turn = best


def score(s, out):
    for seat in range(s.players):
        out[seat] = -s.lost[seat]


def is_public(s, seat, action):
    return action >= PLAY


def steady(s, seat, seed, note):
    """Pass the highest card; play high where the trick has no storm and goes well, else low."""
    out = -1
    low = -1
    for card in range(1, CARDS + 1):
        if s.hand[seat][card] > 0:
            if out < 0 or (card - 1) % RANKS >= (out - 1) % RANKS:
                out = card
            follows = s.table[s.leader] == NOTHING or suit(card) == suit(s.table[s.leader])
            if follows and (low < 0 or (card - 1) % RANKS < (low - 1) % RANKS):
                low = card
    if s.playing == 0:
        return PASS + out - 1
    return PLAY + (low if low > 0 else out) - 1


def told(before, seat, said, after, audience, names):
    you, who, card = seat == audience, names[seat], _(said.get("card", ""))
    if said["do"] == "pass":
        return [_("You pass {card} to the left.", card=card) if you else _("{who} passes a card to the left.", who=who)]
    lines = [_("You play {card}.", card=card) if you else _("{who} plays {card}.", who=who, card=card)]
    if after.left % after.players == 0:
        trick = {p: [NAMES.index(said["card"]) if p == seat else before.table[p]] for p in range(after.players)}
        mine = after.leader == audience
        line = _("You take the trick.") if mine else _("{who} takes the trick.", who=names[after.leader])
        lines.append(stands(line, after, TABLE, trick))
    return lines


ENGLISH = {f"{suit}{n}": f"{suit} {n}" for suit in SUITS for n in range(1, RANKS + 1)}  # one word is typed, two are read
SUITS_IN_GERMAN = dict(zip(SUITS, ("Ruder", "Segel", "Tau", "Sturm"), strict=True))
GERMAN = SUITS_IN_GERMAN | {
    "Storm tricks": "Sturmstiche",
    "Pass a card, follow suit, and keep out of the storms.": "Gib eine Karte weiter, bediene und meide die Stürme.",
    "pass": "weitergeben", "pass this card to the left": "diese Karte nach links geben", "none": "keine", "hand": "Hand",
    "play": "ausspielen", "play this card": "diese Karte ausspielen", "who leads": "wer ausspielt", "card": "Karten",
    "passed": "weitergegeben", "this trick": "dieser Stich", "taken": "Stiche", "points lost": "Minuspunkte",
    "You pass {card} to the left.": "Du gibst {card} nach links.",
    "{who} passes a card to the left.": "{who} gibt eine Karte nach links.", "You play {card}.": "Du spielst {card}.",
    "{who} plays {card}.": "{who} spielt {card}.", "{who} takes the trick.": "{who} bekommt den Stich.",
    "You take the trick.": "Du bekommst den Stich.",
    **{f"{suit}{n}": f"{german} {n}" for suit, german in SUITS_IN_GERMAN.items() for n in range(1, RANKS + 1)},
}  # fmt: skip


rulebook = Rulebook(
    id="storm_tricks",
    title="Storm tricks",
    summary="Pass a card, follow suit, and keep out of the storms.",
    players=(3, SEATS),
    version=1,
    layout=Layout("storm_tricks", (), FIELDS),
    modules=(sys.modules[__name__],),
    moves=MOVES,
    longest=CARDS + SEATS,
)
