"""Balance: a set that is solved without looking is cut, and what is said of it is counted by hand."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from outbid import cli
from outbid.core.errors import BadSetup
from outbid.core.rulebook import rulebook
from outbid.review.balance import BOUND, Rule, balanced, blind, figures, judged, solved_by_trees
from outbid.review.puzzles import pack, read, shipped, size

TAKES = (("take", 0, 1), ("take", 1, 0), ("keep", 0, 0))
LARGEST = (("take", 1, 0), ("take", 0, 1), ("keep", 0, 0))
KEEPS = (("keep", 0, 0), ("take", 0, 1), ("take", 1, 0))


def test_a_rule_takes_the_first_kind_that_is_there_and_shares_what_it_cannot_tell_apart():
    assert Rule(("take", "keep"), "largest").solves(LARGEST) == 1
    assert Rule(("take", "keep"), "smallest").solves(LARGEST) == 0
    assert Rule(("take", "keep"), "any").solves(LARGEST) == 0.5
    assert Rule(("bid", "keep"), "any").solves(KEEPS) == 1
    assert Rule(("bid",), "largest").solves(KEEPS) == pytest.approx(1 / 3)


def test_a_set_that_a_rule_solves_is_seen_through_by_the_trees_too():
    told, without = judged([LARGEST] * 30 + [TAKES] * 3)
    assert told.chance == pytest.approx(1 / 3)
    assert told.by_rule == pytest.approx(30 / 33)
    assert told.by_tree > 0.8
    assert max(without[:30]) < min(without[30:]), "those that it solves are left out first"


def test_trees_find_nothing_where_every_move_is_as_often_the_best():
    even = [LARGEST, TAKES, KEEPS] * 20
    assert sum(solved_by_trees(even)) / len(even) < 1 / 3 + BOUND
    assert judged(even)[0].above < 0.01


@pytest.mark.parametrize(
    ("move", "large"),
    [
        ({"do": "bid", "amount": 40}, 40),
        ({"do": "bid", "cards": ["USD20#28", "COIN10#50"], "bluff": False}, 30),
        ({"do": "take", "display": "left"}, 90),
        ({"do": "pass"}, 0),
    ],
)
def test_a_move_is_as_large_as_its_numbers_or_the_cards_it_names(move, large):
    assert size(move, {"displays": {"left": {"cards": ["USD60#3", "CHF30#9"]}}, "round": 3}) == large


@pytest.mark.parametrize("game", ["money", "forex"])
@pytest.mark.slow
def test_a_set_that_is_solved_blindly_is_cut_until_it_is_not(game: str):
    puzzles = list(shipped(rulebook(game)))
    rule = figures(puzzles).rule
    easy = [puzzle for puzzle in puzzles if rule.solves(blind(puzzle)) == 1]
    again = [*puzzles, *easy, *easy]
    assert figures(again).above > BOUND
    kept = balanced(again)
    assert len(kept) < len(again)
    assert not kept or figures(kept).above <= BOUND


def test_the_command_balances_a_file_and_says_the_figures(tmp_path: Path):
    puzzles = shipped(rulebook("money"))
    pool, out = tmp_path / "money.jsonl", tmp_path / "puzzles.jsonl.gz"
    pool.write_text("".join(f"{puzzle.line}\n" for puzzle in puzzles), encoding="utf-8")
    done = CliRunner().invoke(cli.app, ["puzzles", "--balance", str(pool), "--half", "bid", "--file", str(out)])
    assert done.exception is None
    assert f"before: {len(puzzles)} puzzles, solved by chance" in done.stderr
    assert "after: " in done.stderr
    kept = read(gzip.decompress(out.read_bytes()).decode().splitlines())
    assert {puzzle.id for puzzle in kept} <= {puzzle.id for puzzle in puzzles}
    assert out.read_bytes() == pack(kept), "the file is the same each time"


@pytest.mark.parametrize("text", ['{"format": "outbid-puzzle/1"}', "no puzzle", "\\xff"])
def test_a_file_that_has_other_lines_is_refused_in_a_sentence(tmp_path: Path, text: str):
    pool = tmp_path / "pool.jsonl"
    pool.write_text(text, encoding="utf-8")
    for command in (["--balance", str(pool)], ["rivals", "--matches", "1", "--file", str(pool)]):
        refused = CliRunner().invoke(cli.app, ["puzzles", *command]).exception
        assert isinstance(refused, BadSetup)
        assert "Line 1 of the puzzles" in str(refused)
    assert pool.read_text(encoding="utf-8").strip() == text
    nowhere = CliRunner().invoke(cli.app, ["puzzles", "--balance", str(tmp_path / "none")]).exception
    assert "cannot be read" in str(nowhere)


def test_a_run_of_an_hour_goes_on_where_the_last_one_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    puzzle = shipped(rulebook("rivals"))[0]
    file, seeds = tmp_path / "rivals.jsonl", []
    seats = len(puzzle.record["players"])
    monkeypatch.setattr("outbid.review.puzzles.played", lambda book, players, seed: seeds.append(seed))
    monkeypatch.setattr("outbid.review.puzzles.collect", lambda match, seed, kinds: iter([]))
    line = json.dumps({**puzzle.as_json(), "seed": 41}, ensure_ascii=False, separators=(",", ":"))
    file.write_text(f"{line}\n", encoding="utf-8")
    for players, first in ((seats, 42), (2 if seats != 2 else 3, 0)):
        seeds.clear()
        command = ["puzzles", "rivals", "--players", str(players), "--matches", "2", "--file", str(file)]
        assert CliRunner().invoke(cli.app, command).exception is None
        assert seeds == [first, first + 1]
    done = CliRunner().invoke(cli.app, ["puzzles", "rivals", "--hours", "0.001", "--file", str(file)])
    assert done.exception is None, "an hour, or less, ends it: there are matches without end"
