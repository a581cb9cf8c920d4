"""Cards 0 to 9, twice; four each. Four rounds: all seal a card at once; the highest wins its own number, ties share none."""

from outbid.core.chance import below, shuffle, step, stream
from outbid.core.derived.spaces import Actions, Observation, actions, amount, amounts
from outbid.core.fields import Field, Layout
from outbid.core.options import number
from outbid.core.seats import highest

SEATS = 4
CARDS = 20
HAND = 4
OPTIONS = (number("rounds", "Rounds", HAND, 1, HAND, "rounds played"),)
LAYOUT = Layout(
    "sealed",
    OPTIONS,
    (
        Field("players"),
        Field("round"),
        Field("deck", shape=(CARDS,), low=-1),  # −1: hidden
        Field("hands", shape=(SEATS, 10)),
        Field("played", shape=(10,)),
        Field("choice", shape=(SEATS,), low=-1),  # −1: not sealed yet
        Field("sealed", shape=(SEATS,)),
        Field("points", "i2", (SEATS,)),
    ),
)
OBSERVATION = Observation(
    SEATS,
    (
        amounts("hand", map(str, range(10)), "the own cards", high=2),
        amount("round", "rounds played", HAND),
    ),
    (amount("points", "points so far", 10, high=4),),
)
TABLE = Actions(10, actions(0, [f"seal {card}" for card in range(10)], "seal this card"))


def deal(s, players, seed):
    for i in range(CARDS):
        s.deck[i] = i // 2
    r = stream(seed, 0)
    shuffle(s.deck, CARDS, r)
    begin(s, players)


def begin(s, players):
    s.players = players
    for seat in range(players):
        s.choice[seat] = -1
        for i in range(HAND):
            s.hands[seat][s.deck[seat * HAND + i]] += 1


def asked(s):
    mask = 0
    if s.round < s.rounds:
        for seat in range(s.players):
            if not s.sealed[seat]:
                mask |= 1 << seat
    return mask


def midway(s, seat):
    return 0


def legal(s, seat, out):
    n = 0
    for card in range(10):
        if s.hands[seat][card] > 0:
            out[n] = card
            n += 1
    return n


def apply(s, seat, action):
    s.hands[seat][action] -= 1
    s.choice[seat] = action
    s.sealed[seat] = 1
    for other in range(s.players):
        if not s.sealed[other]:
            return
    reveal(s)


def reveal(s):
    best = 0
    for seat in range(s.players):
        best = max(best, s.choice[seat])
    n = 0
    winner = 0
    for seat in range(s.players):
        s.played[s.choice[seat]] += 1
        if s.choice[seat] == best:
            n += 1
            winner = seat
    if n == 1:
        s.points[winner] += best
    for seat in range(s.players):
        s.choice[seat] = -1
        s.sealed[seat] = 0
    s.round += 1


def score(s, out):
    for seat in range(s.players):
        out[seat] = s.points[seat]


def winners(s, out):
    score(s, out)
    return highest(out, s.players)


def hide(s, seat):
    for i in range(CARDS):
        s.deck[i] = -1
    for other in range(s.players):
        if other != seat:
            s.choice[other] = -1
            for card in range(10):
                s.hands[other][card] = 0


def redeal(s, seat, seed):
    hide(s, seat)
    r = stream(seed, 1)
    for other in range(s.players):
        if other == seat:
            continue
        for _ in range(HAND - s.round):
            left = 0
            for card in range(10):
                left += unseen(s, card)
            r = step(r)
            n = below(r, left)
            for card in range(10):
                n -= unseen(s, card)
                if n < 0:
                    s.hands[other][card] += 1
                    break
    for other in range(s.players):
        if other != seat and s.sealed[other]:
            r = step(r)
            n = below(r, HAND - s.round)
            for card in range(10):
                n -= s.hands[other][card]
                if n < 0:
                    s.hands[other][card] -= 1
                    s.choice[other] = card
                    break


def unseen(s, card):
    n = 2 - s.played[card]
    for seat in range(s.players):
        n -= s.hands[seat][card]
        if s.choice[seat] == card:
            n -= 1
    return n


def observe(s, seat, out):
    for card in range(10):
        out[card] = s.hands[seat][card]
    out[10] = s.round / HAND
    for far in range(SEATS):
        out[11 + far] = 0.0
    for far in range(s.players):
        out[11 + far] = s.points[(seat + far) % s.players] / 10


def steady(s, seat, seed, note):
    best = 0
    for card in range(10):
        if s.hands[seat][card] > 0:
            best = card
    return best
