"""Files of Python that authors write are run one at a time, whatever threads ask for them."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from outbid.bots.outside import from_module
from outbid.core.packages import once, run
from outbid.core.rulebook import by_id, rulebook, rulebooks
from outbid.lab.experiments import measures

TUTORIAL = Path(__file__).parents[2] / "examples" / "tutorial_game.py"
SLOWLY = "import time\ntime.sleep(0.3)\n"  # seconds in which other threads ask for the same
AT_ONCE = 4


def asked(function):
    """What each of some threads is given that ask at the same time."""
    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(lambda _: function(), range(AT_ONCE)))


def test_a_game_of_a_file_is_one_game_for_all_threads(tmp_path):
    file = tmp_path / "slow_room.py"
    file.write_text(TUTORIAL.read_text() + SLOWLY)
    first, *others = asked(lambda: rulebook(str(file)))
    assert all(one is first for one in others)
    assert by_id(first.id) is first
    assert rulebooks()[first.id] is first


def test_a_changed_rule_that_measures_too_is_one_for_all_threads(tmp_path):
    file = tmp_path / "coin.py"
    file.write_text(
        f"from outbid.core.rulebook import rulebook as game\nfrom outbid.lab.experiments.rules import changed\n{SLOWLY}"
        f"before = game({str(TUTORIAL)!r}).modules[0].open_bids\n"
        "def open_bids(s):\n    before(s)\n"
        f"rulebook = changed({str(TUTORIAL)!r}, __name__)\n"
        "def _zero(final, players):\n    return final['purse'].sum(1) * 0\n"
    )
    first, *others = asked(lambda: measures.function(f"{file}:_zero"))
    assert all(one is first for one in others)
    file_of_it, game, *_ = sys.modules[first.__module__].rulebook.modules
    assert game.open_bids is file_of_it.open_bids
    file.write_text(file.read_text().replace("* 0", "* 2"))
    assert measures.function(f"{file}:_zero") is not first


def test_a_bot_of_a_file_is_read_once(tmp_path):
    file = tmp_path / "slow_bot.py"
    file.write_text(f"{SLOWLY}def act(obs, mask):\n    return mask.argmax(1)\n")
    made = asked(lambda: from_module("slow", str(file), "act"))
    assert len({id(one.act) for one in made}) == 1


def test_nothing_is_kept_of_a_file_that_fails(tmp_path):
    file = tmp_path / "broken_here.py"
    file.write_text("VALUE = 1\n1 / 0\n")
    with pytest.raises(ZeroDivisionError):
        run(file, "broken_here")
    assert "broken_here" not in sys.modules
    file.write_text("VALUE = 2\n")
    assert once(file, "broken_here").VALUE == 2
    file.write_text("VALUE = 3\n")
    assert once(file, "broken_here").VALUE == 2
    assert run(file, "broken_here").VALUE == 3
    del sys.modules["broken_here"]


def test_what_is_no_module_is_said(tmp_path):
    file = tmp_path / "game.txt"
    file.write_text("VALUE = 1\n")
    with pytest.raises(ImportError, match=r"game\.txt does not end in \.py"):
        run(file, "game_here")
