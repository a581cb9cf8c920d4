"""What tests of every game's steady player share: what it says in a position, and matches it plays in."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

from outbid.core import contract
from outbid.testing.positions import hidden

Note = list[int]
BRIEF = {"copies": [0] * 6 + [4] * 3 + [0]}  # a match of Kuhhandel of some hundred moves


def legal(state: Any, seat: int) -> list[int]:
    """The actions open to an asked seat."""
    out = [0] * 256
    return out[: contract.legal(state, seat, out)]


def steady(state: Any, seat: int, seed: int = 0) -> tuple[int, Note]:
    """The steady player's action and note for a true state."""
    note = [0] * 8
    seen = hidden(state, seat)
    return contract.steady(seen, seat, seed, note), note


def in_public(reason: Any, note: Note, names: Any) -> str:
    """What is said of a decision in public: whole sentences, or nothing where the move says as much."""
    for private in (True, False):
        sentence = str(reason(note, names, private))
        if private or sentence:
            assert sentence[0].isupper()
            assert sentence.endswith(".")
        assert "{" not in sentence
    return sentence


def reasons(book: Any, matches: Iterable[tuple[Any, int]], steps: int, thinking: float, enough: int = 0) -> set[int]:
    """The reasons given in mixed play of matches of these options and players, until there are enough."""
    found: set[int] = set()
    for seed, (options, players) in enumerate(matches):
        state = book.fresh(options)
        contract.deal(state, players, seed)
        found |= {note[0] for _, action, note in mixed_play(state, seed, steps, thinking) if action >= 0}
        if enough and len(found) >= enough:
            break
    return found


def mixed_play(state: Any, seed: int, steps: int, thinking: float = 0.7) -> Iterator[tuple[int, int, Note]]:
    """Play on, mostly steadily; yields (seat, action, note) for what the steady player says, before it happens. An action
    below 0 says nothing, which is possible where the clock is asked too."""
    rng = random.Random(seed)
    for _ in range(steps):
        mask = contract.asked(state)
        if mask == 0:
            return
        seat = rng.choice([bit for bit in range(8) if mask >> bit & 1])
        open_now = legal(state, seat)
        if not open_now:
            continue
        action = rng.choice(open_now)
        if seat < state.players and rng.random() < thinking:
            said, note = steady(state, seat, seed)
            yield seat, said, note
            if said < 0:
                continue
            action = said
        contract.apply(state, seat, action)
