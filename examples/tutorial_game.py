"""Strongroom: prizes are sold by sealed bids, and nobody knows what is in another's purse. A whole game in one file.

Everybody begins with a hidden purse of 10 to 20 coins. Each round a prize of 1 to 10 points is shown, and all bid in secret.
Then the bids are turned over: the highest pays and takes the prize; if two bid as much, nobody pays and nobody takes it. In
the end three coins are worth a point. `outbid play examples/tutorial_game.py` plays it, docs/write-a-game.md builds it.
"""

import sys

from outbid.core.chance import below, shuffle, step, stream
from outbid.core.fields import Field, Layout
from outbid.core.moves import Move, Moves
from outbid.core.options import number
from outbid.core.rulebook import Rulebook

SEATS = 5
PRIZES = 10
POOREST = 10
RICHEST = 20

OPTIONS = (number("rounds", "Rounds", 6, 1, PRIZES, "prizes that are sold"),)
FIELDS = (
    Field("players"),
    Field("round", high=PRIZES),
    Field("prize", high=PRIZES),  # what is sold now
    Field("shown", shape=(PRIZES + 1,), high=1),  # the prizes that have been on the table
    Field("deck", shape=(PRIZES,), seen="nobody", high=PRIZES),  # those to come, the next one last
    Field("purse", shape=(SEATS,), seen="owner", high=RICHEST),
    Field("bid", shape=(SEATS,), seen="owner", high=RICHEST),
    Field("sealed", shape=(SEATS,), high=1),
    Field("spent", shape=(SEATS,), high=RICHEST),
    Field("opened", shape=(SEATS,), high=RICHEST),  # the last bids, turned over
    Field("proven", shape=(SEATS,), high=RICHEST),  # what they began with at least, as their bids have shown
    Field("points", shape=(SEATS,), high=50),
)
MOVES = Moves(Move("bid", "seal this bid", amount=(0, RICHEST)))


def deal(s, players, seed):
    s.players = players
    for i in range(PRIZES):
        s.deck[i] = i + 1
    r = shuffle(s.deck, PRIZES, stream(seed, 0))
    for seat in range(players):
        s.proven[seat] = POOREST
        r = step(r)
        s.purse[seat] = POOREST + below(r, RICHEST - POOREST + 1)
    show_prize(s)


def show_prize(s):
    top = PRIZES - 1 - s.round
    s.prize = s.deck[top]
    s.deck[top] = 0
    s.shown[s.prize] = 1


def asked(s):
    mask = 0
    if s.round < s.rounds:
        for seat in range(s.players):
            if s.sealed[seat] == 0:
                mask |= 1 << seat
    return mask


def legal(s, seat, out):
    for amount in range(s.purse[seat] + 1):
        out[amount] = amount
    return s.purse[seat] + 1


def apply(s, seat, action):
    s.bid[seat] = action
    s.sealed[seat] = 1
    if asked(s) == 0:
        open_bids(s)


def open_bids(s):
    best = -1
    winner = -1
    for seat in range(s.players):
        if s.bid[seat] == best:
            winner = -1
        if s.bid[seat] > best:
            best = s.bid[seat]
            winner = seat
        s.opened[seat] = s.bid[seat]
        s.proven[seat] = max(s.proven[seat], s.spent[seat] + s.bid[seat])
        s.bid[seat] = 0
        s.sealed[seat] = 0
    if winner >= 0:
        s.purse[winner] -= best
        s.spent[winner] += best
        s.points[winner] += s.prize
    s.round += 1
    if s.round < s.rounds:
        show_prize(s)


def score(s, out):
    for seat in range(s.players):
        out[seat] = s.points[seat] + s.purse[seat] // 3


def redeal(s, seat, seed):
    left = 0
    for prize in range(1, PRIZES + 1):
        if s.shown[prize] == 0:
            s.deck[left] = prize
            left += 1
    for i in range(left, PRIZES):
        s.deck[i] = 0
    r = shuffle(s.deck, left, stream(seed, 1))
    for other in range(s.players):
        if other != seat:
            r = step(r)
            s.purse[other] = s.proven[other] + below(r, RICHEST - s.proven[other] + 1) - s.spent[other]
            r = step(r)
            s.bid[other] = below(r, s.purse[other] + 1) * s.sealed[other]


def steady(s, seat, seed, note):
    fair = s.prize // 2 + below(step(stream(seed, 0)), 3)
    return min(fair, s.purse[seat])


def told(before, seat, said, after, audience, names):
    lines = [f"You bid {said['amount']}." if seat == audience else f"{names[seat]} seals a bid."]
    if after.round > before.round:
        lines.append("Two bid the same: nobody takes the prize.")
        for other in range(after.players):
            if after.points[other] > before.points[other]:
                price = after.spent[other] - before.spent[other]
                lines[1] = f"{names[other]} takes the prize of {before.prize} for {price}."
    return lines


rulebook = Rulebook(
    id="strongroom",
    title="Strongroom",
    summary="Sealed bids for prizes, from purses that nobody else knows.",
    players=(2, SEATS),
    version=1,
    layout=Layout("strongroom", OPTIONS, FIELDS),
    modules=(sys.modules[__name__],),
    moves=MOVES,
    longest=SEATS * PRIZES,
)
