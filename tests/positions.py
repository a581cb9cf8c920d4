"""Positions reached by random play, under the name by which the tests know them (outbid.testing.positions)."""

from outbid.testing.positions import deal, hidden, position, random_options, random_setup, redealt, seats, walk

__all__ = ["deal", "hidden", "position", "random_options", "random_setup", "redealt", "seats", "walk"]
