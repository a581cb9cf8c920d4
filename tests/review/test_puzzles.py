"""Puzzles: what is shipped can be played, tells nothing that is hidden, and is rated."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from outbid import cli
from outbid.bots import Seat
from outbid.core.errors import BadSetup
from outbid.core.hooks.contrast import speaks_for
from outbid.core.rulebook import rulebooks
from outbid.review.puzzles import GAP, SURE, Puzzle, agreed, collect, shipped
from outbid.server.web.screens.puzzles.routes import Solver, choices
from tests.support.serving import JSON, sentence, serving

GAMES = ("claim", "forex", "kuhhandel", "money", "rivals")
SHIPPED = {name: shipped(book) for name, book in rulebooks().items() if shipped(book)}


def test_every_game_has_fifty_puzzles():
    assert {name: len(found) for name, found in SHIPPED.items()} == dict.fromkeys(GAMES, 50)


@pytest.mark.parametrize("game", SHIPPED)
def test_every_shipped_puzzle_is_a_position_whose_moves_are_possible_and_whose_best_is_better_by_far(game):
    assert len({one.id for one in SHIPPED[game]}) == len(SHIPPED[game])
    for puzzle in SHIPPED[game]:
        match = puzzle.match
        assert match.rulebook.id == game
        assert puzzle.seat in match.asked
        assert 2 <= len(puzzle.moves) <= 4
        for move, worth in puzzle.moves:
            match.copy().play(puzzle.seat, move)
            assert 0 <= worth <= 1
        assert puzzle.gap >= GAP
        assert puzzle.gap >= SURE * puzzle.error - 0.01
        costs = getattr(match.rulebook.submodule("contrast"), "COSTS", ())
        assert speaks_for(puzzle.contrast.facts[0], puzzle.seat, costs), "there is a reason"
        assert Puzzle.of_json(json.loads(json.dumps(puzzle.as_json()))) == puzzle


@pytest.mark.slow(but=("rivals",))
@pytest.mark.parametrize("game", SHIPPED)
def test_the_judge_of_reviews_thinks_the_best_better_too_in_most_worlds_that_could_be(game):
    for puzzle in SHIPPED[game]:
        match = puzzle.match
        best, *others = (match.rulebook.words.steps(match.state, puzzle.seat, move) for move, _worth in puzzle.moves)
        seats = [Seat.of(match, puzzle.seat, seed) for seed in range(1, 6)]
        for other in others:
            assert sum(agreed(match, seat, best, other, compiled=False) for seat in seats) >= 3, puzzle.id


@pytest.mark.slow(but=("rivals", "claim"))
@pytest.mark.parametrize("game", SHIPPED)
def test_no_choice_is_told_as_one_would_type_it(game):
    for puzzle in SHIPPED[game]:
        words = puzzle.match.rulebook.words
        typed = {words.text(move) for move, _worth in puzzle.moves}
        assert not typed & {said for _n, said in choices(puzzle)}


@pytest.mark.parametrize("game", SHIPPED)
def test_choices_differ_in_words_and_their_order_is_not_always_the_same(game):
    first = []
    for puzzle in SHIPPED[game][:8]:
        told = choices(puzzle)
        assert sorted(n for n, _said in told) == list(range(len(puzzle.moves)))
        assert len({said for _n, said in told}) == len(told)
        first.append(told[0][0])
    assert len(set(first)) > 1


def test_a_match_in_which_nothing_is_clear_gives_no_puzzle(monkeypatch: pytest.MonkeyPatch):
    from outbid.review import puzzles

    match = SHIPPED["rivals"][0].match
    while not match.over:
        match.random_move(match.asked[0], len(match.moves))
    asked: list[int] = []
    monkeypatch.setattr(puzzles, "puzzle_at", lambda earlier, seat, seed, compiled: asked.append(seat))
    assert list(collect(match, 1)) == []
    assert asked


def test_whoever_solves_a_puzzle_rises_and_whoever_does_not_falls():
    puzzle = SHIPPED["rivals"][0]
    begun = Solver()
    assert begun.after(puzzle, True).points > begun.points > begun.after(puzzle, False).points
    assert begun.after(puzzle, True).seen == (puzzle.id,)


def test_the_page_asks_answers_with_the_reason_and_counts_once(tmp_path: Path):
    puzzle = next(one for one in SHIPPED["rivals"] if one.contrast.facts)
    with serving(tmp_path / "tables.db") as address, httpx.Client(base_url=address, timeout=60) as http:
        page = http.get(f"/puzzles/rivals/{puzzle.id}").text
        assert page.count('name="choice"') == len(puzzle.moves)
        answers = [http.post(f"/puzzles/rivals/{puzzle.id}", data={"choice": "0"}) for _ in range(2)]
        for answer in answers:
            assert "Right." in answer.text
            assert "With the best move" in answer.text
            shares = set(re.findall(r"(\d+) % less", answer.text))
            assert shares == {str(round(100 * puzzle.gap))}, "one number: what was played on to the end"
            assert "wins " not in answer.text
        assert "(+" in answers[0].text
        assert "(+" not in answers[1].text
        assert "Choose one" in sentence(http.post(f"/puzzles/rivals/{puzzle.id}", data={"choice": "9"}, headers=JSON), 400)
        assert http.get("/puzzles/rivals/0000000000").status_code == 404
        assert http.get("/puzzles/nothing").status_code == 404
        assert "Rivals" in http.get("/puzzles").text


def test_a_puzzle_shows_nothing_that_the_seat_does_not_know():
    puzzle = SHIPPED["kuhhandel"][0]
    match = puzzle.match
    other = match.copy()
    other.state = Seat.of(match, puzzle.seat, 1).world(5)
    assert other.state != match.state
    assert match.view(puzzle.seat) == other.view(puzzle.seat)


def test_the_command_continues_a_file_says_how_many_are_new_and_refuses_a_folder_that_is_not_there(tmp_path, monkeypatch):
    puzzle = SHIPPED["rivals"][0]
    monkeypatch.setattr("outbid.review.puzzles.played", lambda book, players, seed: None)
    monkeypatch.setattr("outbid.review.puzzles.collect", lambda match, seed: iter([puzzle]))
    file = tmp_path / "rivals.jsonl"
    for said in ("1 new puzzle", "0 new puzzles"):
        done = CliRunner().invoke(cli.app, ["puzzles", "rivals", "--matches", "2", "--file", str(file)])
        assert done.exception is None
        assert done.stdout.strip() == f"{said} in {file}, which has 1 now."
    assert Puzzle.of_json(json.loads(file.read_text(encoding="utf-8"))) == puzzle
    printed = CliRunner().invoke(cli.app, ["puzzles", "rivals", "--matches", "1"]).stdout
    assert Puzzle.of_json(json.loads(printed)) == puzzle
    nowhere = CliRunner().invoke(cli.app, ["puzzles", "rivals", "--file", str(tmp_path / "no" / "x.jsonl")])
    assert isinstance(nowhere.exception, BadSetup)
    assert "cannot be written" in str(nowhere.exception)


def test_a_file_that_is_continued_has_one_puzzle_a_line_also_if_its_last_line_was_not_ended(tmp_path, monkeypatch):
    one, other = SHIPPED["rivals"][:2]
    found = iter([one, other])
    monkeypatch.setattr("outbid.review.puzzles.played", lambda book, players, seed: None)
    monkeypatch.setattr("outbid.review.puzzles.collect", lambda match, seed: iter([next(found)]))
    file = tmp_path / "rivals.jsonl"
    for said in ("1 new puzzle", "1 new puzzle"):
        done = CliRunner().invoke(cli.app, ["puzzles", "rivals", "--matches", "1", "--file", str(file)])
        assert done.stdout.startswith(said)
        file.write_text(file.read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8")
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [Puzzle.of_json(json.loads(line)) for line in lines] == [one, other]
