"""How much of its delay a bot takes. It says nothing of what the bot holds: it follows from the last move, seen by all."""

from __future__ import annotations

import pytest

from outbid.server.domain.timing.pacing import FOLLOWING, OUTBIDDING, part
from outbid.server.settings import PACES


@pytest.mark.parametrize("did", ["bid", "pass"])
def test_who_has_bid_or_passed_looks_at_the_auction_and_is_answered_soon(did: str):
    assert part("normal", did, by_bot=False) == FOLLOWING
    assert part("normal", did, by_bot=True) == OUTBIDDING


@pytest.mark.parametrize("did", ["auction", "uncover", "play"])
def test_what_a_person_does_otherwise_is_seen_before_a_bot_moves(did: str):
    assert part("normal", did, by_bot=False) == 1
    assert part("normal", did, by_bot=True) == FOLLOWING


@pytest.mark.parametrize("pace", sorted({*PACES} - {"normal"}))
@pytest.mark.parametrize("by_bot", [True, False], ids=["a bot", "a person"])
def test_at_another_pace_every_move_takes_as_long(pace: str, by_bot: bool):
    assert {part(pace, did, by_bot) for did in ("bid", "pass", "auction")} == {1}
