"""Faults planted in a game of one file, which only the property that is meant finds, by field and line."""

from itertools import count
from pathlib import Path

import pytest

from outbid.core import rulebook as registry
from outbid.testing import PROPERTIES

GAME = Path(__file__).parents[2] / "examples" / "tutorial_game.py"
PROPERTY = {prop.name: prop for prop in PROPERTIES}
STEADY = "    return min(fair, s.purse[seat])"
_numbers = count(1)
FAULTS = {
    # the property, text, text in its place, the field that is named, a part of the sentence
    "a bid beyond the purse": (
        "conserved", "range(s.purse[seat] + 1):\n        out[amount] = amount\n    return s.purse[seat] + 1",
        "range(21):\n        out[amount] = amount\n    return 21", "purse", "declared for 0 to 20"),
    "points beyond their field": ("conserved", "+= s.prize", "+= s.prize * 6", "points", "declared for 0 to 50"),
    "a price that is paid twice": ("conserved", "s.purse[winner] -= best", "s.purse[winner] -= 2 * best", "purse", "is -"),
    "points that tell a sealed bid": (
        "tells", "s.bid[seat] = action", "s.bid[seat] = action\n    s.points[seat] += action", "points", "is that meant?"),
    "a world in which more was bid than was there": (
        "history", "below(r, s.purse[other] + 1)", "below(r, RICHEST + 1)", "bid", "would not have been legal"),
    "a world that forgets what was spent": (
        "redeal", "s.proven[other] + below(r, RICHEST - s.proven[other] + 1)", "POOREST + below(r, RICHEST - POOREST + 1)",
        "purse", "declared for 0 to 20"),
    "a world with another prize": (
        "redeal", "s.deck[left] = prize", "s.deck[left] = prize + 1", "deck", "declared for 0 to 10"),
    "a fraction in the score": ("subset", "s.purse[seat] // 3", "s.purse[seat] / 3", None, "score: a fraction"),
    "dice of its own": ("subset", STEADY, "    random.random()\n" + STEADY, None, "steady: random is not in the subset"),
    "a rule that calls itself": ("subset", "    s.round += 1", "    s.round += 1\n    open_bids(s)", None, "recursion"),
}  # fmt: skip


@pytest.fixture
def planted(tmp_path):
    """The game with a text in place of another, as a file that is read only in this test."""

    def read(old, new):
        text = GAME.read_text(encoding="utf-8")
        assert old in text
        name = f"planted{next(_numbers)}"
        file = tmp_path / f"{name}.py"
        text = text.replace(old, new, 1).replace("strongroom", name)
        file.write_text(text.replace("import sys\n", "import random\nimport sys\n", 1), encoding="utf-8")
        return registry.rulebook(str(file))

    with registry.GAMES.apart():
        yield read


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named_with_its_field_and_line(planted, fault):
    name, old, new, field, says = FAULTS[fault]
    book = planted(old, new)
    found = list(PROPERTY[name](book, 20))
    assert any(says in finding.sentence and finding.field == field for finding in found), found
    assert all(f"{book.id}.py:" in str(finding) for finding in found)


@pytest.mark.parametrize("name", ["conserved", "redeal", "history", "subset", "tells"])
def test_the_game_without_a_fault_has_the_property(planted, name):
    assert list(PROPERTY[name](planted("s.round += 1", "s.round += 1"), 20)) == []
