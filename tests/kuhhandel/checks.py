"""What must hold in every state of Kuhhandel, its rulings, and wrong moves: what the tests of every game ask for."""

from __future__ import annotations

from typing import Any

from outbid.games.kuhhandel.state import KINDS, MONEY, NOTES, SEATS

RULINGS = [f"K{n}" for n in range(1, 32)]
SENTENCES = 61  # of the seed
STEADY = (4, 95)  # at a table of so many, it beats the others, random, so often in 100 matches
WRONG: list[dict[str, Any]] = [
    {"do": do, "cards": cards}
    for do in ("pay", "offer", "counter", "bid")
    for cards in ([], [10], [50, 10], [500, 0], [3])
] + [{"do": "bid", "amount": amount} for amount in (0, 5, 10, 90, 400, 10**9)]


def check(s: Any) -> None:
    """40 animals, all money, and each memory's bounds around the hand it is about."""
    for kind in range(KINDS):
        owned = sum(s.animals[p][kind] for p in range(s.players))
        undrawn = s.deck[s.drawn : s.size].count(kind)
        on_block = int(s.phase in (1, 2, 3) and s.kind == kind)
        assert owned + undrawn + on_block == s.copies[kind]
    for note in range(NOTES):
        assert sum(s.money[p][note] for p in range(s.players)) == s.notes[note]
        for p in range(s.players):
            assert s.money[p][note] >= 0
    assert sum(n * MONEY[i] for i, n in enumerate(s.notes)) == s.purse
    assert s.spare == [0] * NOTES
    for i in range(s.players):
        assert sum(s.money[i]) == s.cards[i]
        for j in range(s.players):
            cash = sum(n * MONEY[k] for k, n in enumerate(s.money[j]))
            assert s.least[i][j] <= cash <= s.most[i][j], (i, j, s.least[i][j], cash, s.most[i][j])
            assert all(s.known[i * SEATS + j][k] <= s.money[j][k] for k in range(NOTES)), (i, j)


def beyond_records(lines: list[str], n: int) -> bool:
    """A line no record reaches: the end after 20,000 moves, or a first player who is skipped, which a record has done."""
    above = n - 1
    while len(lines[above]) - len(lines[above].lstrip()) >= len(lines[n]) - len(lines[n].lstrip()):
        above -= 1
    return "MOVE_CAP" in lines[above] or "can_trade(s, start)" in lines[above]
