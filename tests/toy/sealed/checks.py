"""What must hold in every state, and wrong moves."""

from typing import Any

WRONG: list[dict[str, Any]] = [{"do": "seal", "cards": [3]}, {"do": "seal", "card": -1}, {"do": "seal", "card": 10}]


def check(s: Any) -> None:
    """Every card twice: in hands, sealed or played; nobody holds more than is left."""
    for card in range(10):
        held = sum(s.hands[p][card] + (s.choice[p] == card) for p in range(s.players))
        assert 0 <= held + s.played[card] <= 2
    assert all(sum(s.hands[p]) + s.sealed[p] == 4 - s.round for p in range(s.players))
