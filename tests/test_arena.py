"""The arena: honest measures of how strong bots are."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import outbid
from outbid.engine.rulebook import rulebook
from outbid.lab.arena import arena, budget_of, one_against_others, table


@pytest.mark.parametrize("name", ["steady", "random", "strong*0.02"])
def test_identical_bots_have_exactly_one_nth_with_no_error(name):
    found = one_against_others(rulebook("rivals"), {}, 3, name, name, 4, 7)
    assert found.share == pytest.approx(1 / 3, abs=1e-12)
    assert found.error == pytest.approx(0, abs=1e-12)


def test_the_same_arena_again_says_the_same_on_any_number_of_threads():
    book = rulebook("rivals")
    short = {"copies": [1] * 9, "wagers": 1}
    one = one_against_others(book, short, 2, "strong*0.02", "steady", 12, 3, threads=1)
    assert one == one_against_others(book, short, 2, "strong*0.02", "steady", 12, 3, threads=2)
    assert one.error > 0


def test_steady_beats_random_alone_and_in_company():
    steady, random = arena(rulebook("rivals"), {}, 3, ["steady", "random"], 60, 1)
    assert (steady.bot, random.bot, steady.equal) == ("steady", "random", 1 / 3)
    assert steady.share - 3 * steady.error > 0.8
    assert random.share + 3 * random.error < 0.1


def test_looking_ahead_beats_the_heuristic_it_looks_ahead_with():
    short = {"copies": [1] * 9, "wagers": 1}
    found = one_against_others(rulebook("rivals"), short, 2, "strong*0.2", "steady", 16, 11)
    assert found.share - 3 * found.error > 0.5


def test_progress_counts_every_match():
    done = []
    one_against_others(rulebook("rivals"), {}, 3, "steady", "random", 5, 1, progress=done.append)
    assert sum(done) == 5 * 3


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda book: arena(book, {}, 3, ["steady"], 5, 1), "two different bots"),
        (lambda book: arena(book, {}, 3, ["steady", "steady"], 5, 1), "two different bots"),
        (lambda book: arena(book, {}, 9, ["steady", "random"], 5, 1), "not 9"),
        (lambda book: one_against_others(book, {}, 3, "steady", "random", 1, 1), "at least two"),
        (lambda book: budget_of(book, "genius"), "no bot 'genius'"),
        (lambda book: budget_of(book, "strong*x"), "must be a number"),
        (lambda book: budget_of(book, "steady*2"), "no bot 'steady\\*2' in the arena"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_sentence(call, sentence):
    with pytest.raises(outbid.BadSetup, match=sentence):
        call(rulebook("rivals"))


def test_the_table_has_the_row_s_bot_alone_among_the_column_s():
    text = table(arena(rulebook("rivals"), {}, 2, ["steady", "random"], 10, 1))
    assert text.splitlines()[0] == "2 players, 10 deals from every seat; an equal share is 50.0 %"
    assert text.splitlines()[2].startswith("steady")


def test_the_command_prints_one_json_document():
    command = ["-c", "from outbid.cli import main; main()", "arena", "rivals", "-n", "2", "--bots", "steady,random"]
    done = subprocess.run([sys.executable, *command, "--games", "4", "--json"], capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)
    assert said["game"] == "rivals"
    assert {one["bot"] for one in said["pairings"]} == {"steady", "random"}
