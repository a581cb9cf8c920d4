"""Last Coin has every property that a game must have, and its own: run this with `pytest` (pip install pytest)."""

from last_coin import rulebook

pytest_plugins = "outbid.testing.fixtures"


def test_every_property_holds(outbid_property):
    outbid_property.check(rulebook, matches=20)


def test_every_coin_lies_on_the_heap_or_was_taken(outbid_match):
    s = outbid_match.state
    assert s.heap <= s.coins + sum(s.taken[: s.players]) <= s.heap + 3
