"""Fixtures of pytest for those who write a game; nothing loads them but a test module, or a conftest, that asks for them:

    from my_game import rulebook

    pytest_plugins = "outbid.testing.fixtures"

    def test_every_property_holds(outbid_property):          # as many tests as there are properties
        outbid_property.check(rulebook, matches=20)

    def test_nobody_owes_anything(outbid_match):             # twenty tests, each with a random position
        assert min(outbid_match.state.purse) >= 0
"""

from typing import Any, cast

import pytest

from outbid.core.match import Match
from outbid.core.rulebook import Rulebook
from outbid.testing import PROPERTIES, Property
from outbid.testing.positions import some_played


@pytest.fixture(params=PROPERTIES, ids=str)
def outbid_property(request: pytest.FixtureRequest) -> Property:
    """What holds for every game, one property after the other."""
    return cast(Property, request.param)


@pytest.fixture
def outbid_rulebook(request: pytest.FixtureRequest) -> Rulebook:
    """The game of `outbid_match`: the `rulebook` of the test's module, unless a fixture of this name gives another."""
    rulebook: Any = getattr(request.module, "rulebook", None)
    if not isinstance(rulebook, Rulebook):
        raise pytest.UsageError(f"{request.module.__name__} imports no rulebook; write `from my_game import rulebook`.")
    return rulebook


@pytest.fixture(params=range(20), ids="match {}".format)
def outbid_match(request: pytest.FixtureRequest, outbid_rulebook: Rulebook) -> Match:
    """A random match of the game after a random number of moves, for a random number of players and with random options."""
    return some_played(outbid_rulebook, request.param)
