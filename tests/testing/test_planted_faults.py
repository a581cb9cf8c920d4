"""Faults planted in games of one file, which `verify` names by field and line, and what it cannot know."""

import ast
import re
from itertools import count
from pathlib import Path

import pytest

from outbid.core import rulebook as registry
from outbid.testing import PROPERTIES
from tests.support.planted import FAULTS

EXAMPLES = Path(__file__).parents[2] / "examples"
PROPERTY = {prop.name: prop for prop in PROPERTIES}
IMPORTS = "import math\nimport random\nimport sys\nimport time\n"
KEPT = "\nCOUNT, ORDER = [0], list(range(10))\nSEATS"
MATCHES, PATIENCE = 20, 2.0  # seconds for a rule that does not return
_numbers = count(1)


@pytest.fixture
def planted(tmp_path):
    """A game with texts in place of others, as a file that is read only in this test, and the lines of the function or
    declaration where the first of them lies."""

    def read(game, *edits):
        name, first = f"planted{next(_numbers)}", 0
        text = (EXAMPLES / f"{game}.py").read_text(encoding="utf-8")
        for old, new in [("import sys\n", IMPORTS), ("\nSEATS", KEPT), *filter(all, edits)]:
            assert old in text, old
            at = text.index(old) + len(re.match("\n*", old)[0])
            text, first = text.replace(old, new, 1), first or (text[:at].count("\n") + 1) * ((old, new) == edits[0])
        text = re.sub(r'id="\w+"', f'id="{name}"', text)
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
        blocks = [range(node.lineno, node.end_lineno + 1) for node in ast.parse(text).body]
        return registry.rulebook(str(tmp_path / f"{name}.py")), next(block for block in blocks if first in block)

    with registry.GAMES.apart():
        yield read


def cases():
    """One of each kind for `make test`."""
    for kind, faults in FAULTS.items():
        for n, fault in enumerate(faults):
            yield pytest.param(fault, id=f"{kind}: {fault.title}", marks=[pytest.mark.slow] if n else [])


@pytest.mark.parametrize("fault", [*cases()])
def test_a_planted_fault_is_named_with_its_field_and_line(planted, fault):
    book, block = planted(fault.game, fault.edit, fault.more)
    found = list(PROPERTY[fault.property](book, MATCHES, patience=PATIENCE))
    names = {finding: (None, finding.field, *re.findall(r"\w+", finding.sentence)) for finding in found}
    named = [finding for finding in found if fault.field in names[finding]]
    assert named, found
    lines = [int(line) for finding in named for line in re.findall(rf"{book.id}\.py:(\d+)", str(finding))]
    assert lines, named
    assert not fault.here or any(line in block for line in lines), (block, named)


def test_every_fault_can_be_planted(planted):
    for fault in (fault for faults in FAULTS.values() for fault in faults):
        planted(fault.game, fault.edit, fault.more)


def test_the_faults_are_of_many_kinds_and_in_several_games():
    assert len(FAULTS) >= 12
    assert sum(map(len, FAULTS.values())) >= 60
    assert len({fault.game for faults in FAULTS.values() for fault in faults}) >= 3


@pytest.mark.parametrize("name", ["answers", "options", "history", "subset", "tells", "totals", "truth"])
def test_the_game_without_a_fault_has_the_property(planted, name):
    book, _ = planted("tutorial_game", ("def deal(", "def deal("))
    assert list(PROPERTY[name](book, MATCHES)) == []


def test_a_sentence_about_what_its_reader_is_not_told_is_named_with_what_it_is_told(planted):
    secret = "lines = [f\"You bid {said['amount']}.\" if seat == audience else f\"{names[seat]} seals a bid.\"]"
    book, _ = planted("tutorial_game", (secret, "lines = [f\"{names[seat]} bids {said['amount']}.\"]"))
    (finding,) = PROPERTY["log"](book, MATCHES)
    assert re.match(rf"told \(.*/{book.id}.py:\d+\) raises KeyError: 'amount'\. A spectator is told only", finding.sentence)
    assert "{'do': 'bid'} of the move {'do': 'bid', 'amount': " in finding.sentence


def test_what_a_world_contradicts_is_said_as_a_number_and_how_it_is_kept(planted):
    noted = "    s.noted = s.deck[s.left - 1] % 3\n    draw(s, s.turn)"
    field = ("    PAPER,\n", "    PAPER, Field(\"noted\", high=2),\n")
    book, _ = planted("night_office", ("    draw(s, s.turn)\n\n\ndef end", f"{noted}\n\n\ndef end"), field)
    (finding,) = PROPERTY["history"](book, MATCHES)
    what = r"in \d+ of 320 worlds hand\[\d\]\[\d\] is (equal to |above |below )?\d\. In the \d+ worlds of before"
    assert re.search(rf"redeal deals (seat \d|a spectator) what cannot be: {what}", finding.sentence)
    assert "kept for redeal: with reveal or rule_out, or in a field that agrees reads." in finding.sentence


def test_what_a_seat_is_told_of_a_move_and_sees_nowhere_is_named(planted):
    masked = "\n\ndef masked(before, seat, said, audience):\n    return said\n\n\nrulebook = Rulebook("
    book, _ = planted("tutorial_game", ("\n\nrulebook = Rulebook(", masked))
    (finding,) = PROPERTY["log"](book, MATCHES)
    assert "Keep amount in a field that it sees, or let masked hide it." in finding.sentence
