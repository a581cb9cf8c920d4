"""What must hold in every state of a game: conservation, and memories that contain the truth. One function a game."""

from __future__ import annotations

from typing import Any

from outbid.games.kuhhandel.state import KINDS, MONEY, NOTES, SEATS


def kuhhandel(s: Any) -> None:
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


def sealed(s: Any) -> None:
    """Every card twice: in hands, sealed or played; nobody holds more than is left."""
    for card in range(10):
        held = sum(s.hands[p][card] + (s.choice[p] == card) for p in range(s.players))
        assert 0 <= held + s.played[card] <= 2
    assert all(sum(s.hands[p]) + s.sealed[p] == 4 - s.round for p in range(s.players))


CHECKS = {"kuhhandel": kuhhandel, "sealed": sealed}
