"""`outbid examples DIR` copies what runs; a misspelt name is answered with the right one."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from typer.testing import CliRunner

import outbid
from outbid import examples
from outbid.bots import load_bot
from outbid.cli import app
from outbid.core.rulebook import rulebook


def test_the_examples_are_copied_once_and_what_is_there_is_not_replaced(tmp_path):
    folder = tmp_path / "new" / "here"
    run = CliRunner().invoke(app, ["examples", str(folder)])
    assert run.exit_code == 0
    names = {Path(line).relative_to(folder).as_posix() for line in run.stdout.split()}
    assert {"tour.ipynb", "train_ppo.py", "fictitious_play.py", "tutorial_game.py", "three_bots/three_bots.py"} <= names
    for file in folder.glob("*.py"):
        ast.parse(file.read_text(encoding="utf-8"))
    (folder / "train_ppo.py").write_text("mine", encoding="utf-8")
    with pytest.raises(outbid.BadSetup, match="already; name another folder"):
        examples.copied(folder)
    assert (folder / "train_ppo.py").read_text(encoding="utf-8") == "mine"


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(outbid.BadSetup, match="cannot be written"):
        examples.copied(tmp_path / "file" / "below")


@pytest.mark.parametrize(
    ("call", "word"),
    [
        (lambda: outbid.game("kuhandel"), "kuhhandel"),
        (lambda: outbid.game("kuhhandel", overbids="forbidden"), "overbid"),
        (lambda: outbid.game("rivals", "publishd"), "published"),
        (lambda: load_bot("stron"), "strong"),
        (lambda: load_bot("easy:explorr", rulebook("rivals")), "explorer"),
    ],
)
def test_a_misspelt_game_option_preset_or_bot_is_answered_with_what_may_have_been_meant(call, word):
    with pytest.raises(outbid.OutbidError, match=rf"Did you mean '{word}'\?"):
        call()


def test_nothing_is_guessed_where_nothing_is_near():
    with pytest.raises(outbid.BadSetup) as caught:
        outbid.game("bridge")
    assert "Did you mean" not in str(caught.value)
