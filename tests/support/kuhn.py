"""Kuhn poker as a rulebook: three cards, two players, an ante of one; known to the last digit.

It is no entry point: only the tests of solving use it. Cards are 0, 1, 2; seat 0 begins; actions are 0 (check, fold) and
1 (bet, call). The score is what a seat wins, so that payoff "score" is the game as published.
"""

import itertools
import sys
from typing import Any

from outbid.core.chance import below, step, stream
from outbid.core.derived.spaces import Observation, one_hot
from outbid.core.fields import Field, Layout
from outbid.core.moves import Move, Moves
from outbid.core.rulebook import Rulebook

LAYOUT = Layout("kuhn", (), (Field("players"), Field("cards", shape=(2,)), Field("made"), Field("acts", shape=(3,))))
OBSERVATION = Observation(2, (one_hot("card", ("jack", "queen", "king"), "the own card"),), ())
MOVES = Moves(Move("pass", "check or fold"), Move("bet", "bet or call"))
PAIRS = tuple(itertools.permutations(range(3), 2))


def deal(s, players, seed):
    s.players = players
    n = below(step(stream(seed, 0)), 6)
    s.cards[0] = n // 2
    s.cards[1] = (s.cards[0] + 1 + n % 2) % 3


def asked(s):
    if s.made < 2:
        return 1 << s.made
    if s.made == 2 and s.acts[0] == 0 and s.acts[1] == 1:
        return 1
    return 0


def legal(s, seat, out):
    out[0] = 0
    out[1] = 1
    return 2


def apply(s, seat, action):
    s.acts[s.made] = action
    s.made += 1


def score(s, out):
    first = s.acts[0] if s.made < 3 else s.acts[2]  # whether seat 0 has paid a second chip
    second = s.acts[1]
    won = 1 if s.cards[0] > s.cards[1] else -1
    if first and second:
        won *= 2
    elif first or second:
        won = 1 if first else -1
    out[0] = won
    out[1] = -won


def winners(s, out):
    score(s, out)
    return 1 if out[0] > 0 else 2


def hide(s, seat):
    for other in range(2):
        if other != seat:
            s.cards[other] = -1


def redeal(s, seat, seed):
    pass


def observe(s, seat, out):
    for card in range(3):
        out[card] = 1.0 if s.cards[seat] == card else 0.0


def steady(s, seat, seed, note):
    return 1 if s.cards[seat] == 2 else 0


def load(s: Any, players: int, cards: Any) -> None:
    s.players = players
    s.cards = list(cards)


def deal_of(s: Any) -> Any:
    return list(s.cards)


def view(s: Any, seat: int) -> dict[str, Any]:
    return {"card": s.cards[seat] if seat >= 0 else None, "acts": s.acts[: s.made]}


def deals(options: Any, players: int) -> Any:
    return [(pair, 1) for pair in PAIRS]


MODULE = sys.modules[__name__]
rulebook = Rulebook(
    id="kuhn", title="Kuhn poker", summary="", players=(2, 2), version=1, layout=LAYOUT, modules=(MODULE,), words=MODULE,
    observation=OBSERVATION, moves=MOVES, margin=2, longest=4,
)  # fmt: skip
