"""Records of claim/1, which dealt 13 bills at most, in the duel 12, and set the rest aside."""

from __future__ import annotations

import pytest

import outbid
from outbid.bots.nets import policy, value

from .table import ALL, BOOK, deal, to_the_end

DUEL = {"two_players": "duel"}


@pytest.mark.parametrize(
    ("options", "players", "now"),
    [
        ({}, 4, {"hand_cap": 13}),
        (DUEL, 2, {**DUEL, "hand_cap": 12}),
        (DUEL, 3, {**DUEL, "hand_cap": 13}),
        ({**DUEL, "hand_cap": 13}, 2, {**DUEL, "hand_cap": 12}),  # its default, said
        ({**DUEL, "hand_cap": 5}, 2, {**DUEL, "hand_cap": 5}),
        ({"zero_risk": True, "hand_cap": 9}, 2, {"zero_risk": True, "hand_cap": 9}),
        ({**DUEL, "copies": [3, 3, 3, 0, 0, 0]}, 2, {**DUEL, "hand_cap": 12, "copies": [3, 3, 3, 0, 0, 0], "duel_aside": 0}),
    ],
)
def test_a_record_of_the_first_version_keeps_its_hands(options, players, now):
    assert BOOK.brought_up("claim/1", options, players) == BOOK.changed(now)
    sizes = {len(hand) for hand in deal(players, **now).deal["hands"]}
    assert sizes == {4 if "copies" in now else min(now["hand_cap"], {2: 13, 3: 12, 4: 11}[players])}


@pytest.mark.parametrize(("options", "players", "dealt"), [(ALL, 2, 13), (ALL, 5, 13), ({**ALL, **DUEL}, 2, 12)])
def test_with_expansions_it_is_replayed_with_the_rest_aside(options, players, dealt):
    match = to_the_end(deal(players, 3, hand_cap=dealt, **options), 3)
    old = match.record() | {"rules": "claim/1", "options": dict(options)}
    again = outbid.read_record(old)
    assert again.record() == match.record()
    assert len(again.deal["hands"][0]) == dealt
    with pytest.raises(outbid.BadRecord, match="The deal's hand of seat 0 has"):
        outbid.read_record(old | {"rules": "claim/2"})


def test_the_nets_are_for_its_matches_too():
    """Nothing was set aside in the base game but in the duel, where the cap sets aside as much as the duel now does."""
    for found in (policy.policy(BOOK), value.net(BOOK)):
        assert found.fits(BOOK.fresh({}))
        assert found.fits(BOOK.fresh(BOOK.brought_up("claim/1", {}, 4)))
    net = policy.policy(BOOK)
    for options, players in ((DUEL, 2), (ALL, 3)):
        assert net.fits(BOOK.fresh(options))
        assert net.fits(BOOK.fresh(BOOK.brought_up("claim/1", options, players)))
