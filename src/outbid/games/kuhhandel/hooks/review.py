"""Looking back at a match (core/hooks/review.py): the order of the deck, and bluffs.

An offer is a bluff if at least half of its cards are zeros and the others are tens: the challenged player sees how many
cards there are, not what they are worth. It has worked if the challenger got the animals. A bid is one if it is more than
the bidder has; it has not worked if it was called, but if somebody else took the card for more, or the auctioneer paid to
keep it. A counter-offer deceives nobody: it is compared at once.
"""

from collections.abc import Sequence
from typing import Any

from outbid.core.chance import shuffle_from, stream
from outbid.core.hooks.review import Laid, Made
from outbid.games.kuhhandel import rules
from outbid.games.kuhhandel.text import _, animals
from outbid.games.kuhhandel.text.sentences import amount

SMALL = 10  # the largest card of a bluff


def reshuffle(s: Any, seed: int) -> None:
    """The undrawn animals in a new order."""
    shuffle_from(s.deck, s.drawn, s.size, stream(seed, 1))


def bluffs(moves: Sequence[Made]) -> list[Laid]:
    """All offers, and the bids that were more than their bidders had."""
    stakes = []
    for n, move in enumerate(moves):
        if move.said["do"] == "offer" and move.said["cards"]:
            stakes.append(_offer(moves, n))
        elif move.said["do"] == "bid" and move.seat is not None and rules.cash(move.before, move.seat) < move.said["amount"]:
            stakes.append(_bid(moves, n))
    return stakes


def _offer(moves: Sequence[Made], n: int) -> Laid:
    move, cards = moves[n], moves[n].said["cards"]
    assert move.seat is not None
    text = _("{cards} offered for {animal}", cards=amount(cards), animal=animals.stake(move.before.kind, move.before.stake))
    answer = moves[n + 1]
    worked = answer.after.animals[move.seat][move.before.kind] > answer.before.animals[move.seat][move.before.kind]
    return Laid(move.number, move.seat, 2 * cards.count(0) >= len(cards) and max(cards) <= SMALL, worked, text)


def _bid(moves: Sequence[Made], n: int) -> Laid:
    move = moves[n]
    assert move.seat is not None
    cash = rules.cash(move.before, move.seat)
    fate = next((later.said["do"] for later in moves[n + 1 :] if later.said["do"] in ("bid", "buy", "sell")), "")
    animal, bid = animals.this(move.before.kind), move.said["amount"]
    text = _("{bid} bid for {animal}, with {cash} in hand", bid=bid, animal=animal, cash=cash)
    return Laid(move.number, move.seat, True, fate != "sell", text)
