"""What must hold in every state of Money!, its rulings, and wrong moves: what the tests of every game ask for."""

from __future__ import annotations

from typing import Any

from outbid.games.money.rules import in_play, value
from outbid.games.money.state import (
    BID,
    CARDS,
    CURRENCIES,
    EXCHANGE,
    GONE,
    LEFT,
    OVER,
    PILE,
    RIGHT,
    ROUND_CAP,
    SEATS,
    SILVER_AND_GOLD,
    TABLE,
)  # fmt: skip

RULINGS = [f"E{n}" for n in range(1, 25)]
SENTENCES = 71  # of the seed
STEADY = (4, 95)  # at a table of so many, it beats the others, random, so often in 100 matches
WRONG: list[dict[str, Any]] = [
    *({"do": "bid", "cards": cards, "bluff": False} for cards in (None, "USD20#3", [20], ["USD20"], ["EUR70#3"])),
    *({"do": "bid", "cards": cards, "bluff": False} for cards in (["USD20#3"], ["USD20#3", "USD20#3"], ["COIN10#16"])),
    *({"do": "bid", "cards": [], "bluff": bluff} for bluff in (None, 1, "true")),
    *({"do": "take", "display": side} for side in (None, "middle", 1, ["left"])),
    *({"do": "swap", "with": seat} for seat in (None, -1, 0, 1, 2, 3, 4, 5, True, 1.0, "1")),
    {"do": "pass"},
    {"do": ["bid"]},
]  # fmt: skip


def check(s: Any) -> None:
    """All cards once, every count right, bids and displays as the phase has them, unseen cards where they can be."""
    cards = [card for card in range(CARDS) if s.place[card] != GONE]
    assert cards == [card for card in range(CARDS) if in_play(s, card)]
    coins = s.coin_cards * (2 if s.coins == SILVER_AND_GOLD else 1)
    notes = sum(map(min, s.denominations, (3, 3, 1, 1, 1)))
    currencies = s.currencies if s.currencies <= len(CURRENCIES) else len(CURRENCIES) - (SEATS - s.players)
    assert len(cards) == s.size == notes * currencies + coins
    each = min(s.hand_cards, s.size // s.players)
    enough = each > 0 and s.size > each * s.players + s.display_cards  # everybody has a card, and so have both displays
    serials = [s.serial[card] for card in cards]
    assert sorted(set(serials)) == sorted(serials)
    assert min(serials, default=1) >= 1
    assert [card for card in range(CARDS) if s.place[card] == PILE] == sorted(s.pile[s.drawn : s.size])
    assert set(s.pile[: s.drawn] + s.pile[s.size :]) <= {-1}
    for side, place in enumerate((RIGHT, LEFT)):
        lying = [card for card in cards if s.place[card] == place]
        assert len(lying) == s.shown[side] >= enough  # E12
        assert all(s.seen[card] for card in lying)
    for seat in range(s.players):
        check_seat(s, seat, cards, enough)
    assert s.rounds == 0 or s.round < s.rounds or (s.round == s.rounds and s.final)
    assert not any(s.seen[card] for card in cards if s.place[card] == PILE)
    assert all(place < s.players or TABLE <= place < TABLE + s.players or place >= RIGHT for place in s.place)
    assert 1 <= s.round <= ROUND_CAP
    assert s.stall < s.stall_rounds or s.stall_rounds == 0 or s.final or s.phase == OVER
    if s.phase == EXCHANGE:
        assert s.sealed == (1 << s.players) - 1
        assert s.key[s.actor] == max(s.key)
        assert s.key[s.actor] >= 0
    else:
        assert s.actor == -1
        assert set(s.key[: s.players]) == {-1}
        assert s.sealed < (1 << s.players) - 1


def check_seat(s: Any, seat: int, cards: list[int], enough: bool) -> None:
    """Hand and bid of one seat."""
    hand = [card for card in cards if s.place[card] == seat]
    bid = [card for card in cards if s.place[card] == TABLE + seat]
    assert len(hand) + len(bid) == s.held[seat] >= enough  # E5
    assert len(bid) == s.laid[seat]
    if s.phase == BID:
        assert s.worth[seat] == sum(map(value, bid))
        assert s.lowest[seat] == min((s.serial[card] for card in bid), default=0)
        assert s.last[seat] == max(bid, default=-1)
        assert s.pieces[seat] == (len(bid) + (s.bluffed >> seat & 1) if s.sealed >> seat & 1 else 0)
        assert not s.bluffed & ~s.sealed
    else:
        assert (len(bid) > 0) == (s.key[seat] >= 0)
        assert all(s.seen[card] for card in bid)
    if s.phase == OVER:
        assert all(s.seen[card] for card in hand)
    unseen = sum(not s.seen[card] for card in hand + bid)
    assert unseen == s.covered[seat] <= s.hand_cards
