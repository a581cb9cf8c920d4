"""What must hold in every state of Rivals, its rulings, and wrong moves: what the tests of every game ask for."""

from __future__ import annotations

from typing import Any

from outbid.games.rivals.hidden import in_deck
from outbid.games.rivals.state import BID, HUES, KINDS, OVER, RANKS, REMOVE, TAKE

RULINGS = [f"L{n}" for n in range(1, 29)]
SENTENCES = 61  # of the seed
STEADY = (3, 95)  # at a table of so many, it beats the others, random, so often in 100 matches
WRONG: list[dict[str, Any]] = [
    *({"do": "bid", "amount": amount} for amount in (0, 1, -3, 7, 36, 10**9, True, 2.0, "3", None)),
    *({"do": "take", "cards": cards} for cards in (["R2", "R2", "R2"], ["B10", "Bx", "Bx", "Bx", "Bx"], [4], "R2", None)),
    *({"do": "remove", "card": card} for card in ("G7", "r2", "", 5, ["G7"])),
    {"do": "trade"},
]


def check(s: Any) -> None:
    """All cards and all gold, a sorted display, and sums that agree with the cards they are about."""
    undrawn = s.deck[s.drawn : s.size]
    display = s.display[: s.lying]
    assert display == sorted(display)
    for card in range(KINDS):
        started = sum(s.given[p] >> card // RANKS & 1 for p in range(s.players)) if card % RANKS == 0 else 0
        owned = sum(s.owned[p][card] for p in range(s.players)) - started
        gone = in_deck(s, card) - owned - display.count(card) - undrawn.count(card)
        assert min(owned, gone) >= 0
        assert s.deck[: s.size].count(card) == in_deck(s, card)
    assert sum(s.gold[: s.players]) + s.supply == s.coins
    assert min(s.gold) >= 0
    assert s.supply >= 0
    for seat in range(s.players):
        for colour in range(HUES):
            check_expedition(s, seat, colour)
    assert s.phase == OVER or s.size * s.pile // s.piles <= s.drawn < s.pile_end
    assert (s.drawn == s.size) == (s.phase == OVER)
    if s.phase in (BID, TAKE, REMOVE):
        assert s.leader >= 0
        assert s.lying > 0 or s.phase == TAKE or (s.phase == BID and s.auction_on_empty_display)
    else:
        assert s.leader == -1
        assert s.bid == s.passed == 0
    assert s.phase == TAKE or s.taken == 0
    if s.phase == BID:
        assert s.asking != s.leader
        assert s.gold[s.asking] > s.bid
        assert not s.passed >> s.asking & 1


def check_expedition(s: Any, seat: int, colour: int) -> None:
    """The sums of one expedition."""
    cards = s.owned[seat][colour * RANKS : (colour + 1) * RANKS]
    assert s.shakes[seat][colour] == cards[0]
    assert s.numbers[seat][colour] == sum(cards[1:])
    assert s.feet[seat][colour] == sum(n * f for n, f in zip(cards[1:], s.footprints, strict=True))
    assert s.top[seat][colour] == max((rank for rank in range(1, RANKS) if cards[rank]), default=0)


def beyond_records(lines: list[str], n: int) -> bool:
    """A line no record reaches: the dealing of the starting wagers, which a record has written down."""
    while not lines[n].startswith("def "):
        n -= 1
    return lines[n].startswith("def deal_wagers(")
