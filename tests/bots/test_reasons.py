"""What bots say why: to all only where it says more than the move."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from outbid.bots import BOTS
from outbid.bots.seat import Seat
from outbid.core.match import Match
from outbid.core.rulebook import Rulebook

SENTENCE = re.compile(r"[A-Z][^{}]*\.")


@pytest.mark.slow(but=("rivals", "claim", "money"))
@pytest.mark.parametrize("level", ["easy", "steady"])
def test_over_a_match_every_reason_is_a_sentence_and_no_public_one_is_said_again_and_again(book: Rulebook, level: str):
    """Each move has a reason for its seat; in public none stands at more than one in six of a seat's moves, or four."""
    for seed in range(3):
        match, public, moves = Match.new(book, {}, book.players[0], seed), Counter[tuple[int, str]](), Counter[int]()
        while not match.over:
            seat = match.asked[0]
            decision = BOTS[level].decide(Seat.of(match, seat, len(match.moves)))
            assert SENTENCE.fullmatch(decision.private["en"])
            said = decision.public.get("en", "")
            assert not said or SENTENCE.fullmatch(said)
            public[seat, said] += bool(said)
            moves[seat] += 1
            match.play_steps(seat, decision.actions)
        for (seat, said), count in public.items():
            assert count <= max(4, moves[seat] / 6), said
