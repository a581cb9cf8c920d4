"""Puzzles: what is shipped can be played, tells nothing that is hidden, and is rated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from outbid import cli
from outbid.bots import Seat
from outbid.bots.decision import Decision, WeighedMove
from outbid.bots.executor import Unready
from outbid.core.errors import BadSetup
from outbid.core.hooks.contrast import speaks_for
from outbid.core.hooks.mechanisms import theme, wins
from outbid.core.language import i18n
from outbid.core.rulebook import rulebooks
from outbid.review.balance import BOUND, figures
from outbid.review.puzzles import AHEAD, FILE, GAP, SURE, Kinds, Puzzle, agreed, collect, puzzle_at, shipped, themed
from outbid.server.settings import Settings
from outbid.server.web.app import create_app
from outbid.server.web.screens.puzzles.routes import RUN_SPELLED, ClockRun, Solver, choices
from tests.support.hints import Asked
from tests.support.profile import DEEP
from tests.support.serving import JSON, sentence, serving

GAMES = ("claim", "forex", "kuhhandel", "money", "rivals")
SHIPPED = {name: shipped(book) for name, book in rulebooks().items() if shipped(book)}


def test_every_game_has_puzzles_and_together_they_are_small():
    assert set(SHIPPED) == set(GAMES)
    assert sum((book.folder / FILE).stat().st_size for book in rulebooks().values() if shipped(book)) < 1_500_000


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.slow(but=("rivals",))
def test_what_is_shipped_is_solved_by_nobody_without_looking(game):
    assert figures(SHIPPED[game]).above <= BOUND, figures(SHIPPED[game])


def test_half_of_the_puzzles_of_money_are_about_a_bid():
    about = [any(move["do"] == "bid" for move, _less in puzzle.moves) for puzzle in SHIPPED["money"]]
    assert 2 * sum(about) >= len(about)


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.slow(but=("rivals",))
def test_every_shipped_puzzle_is_a_position_whose_moves_are_possible_and_whose_best_is_better_by_far(game):
    assert len({one.id for one in SHIPPED[game]}) == len(SHIPPED[game])
    for puzzle in SHIPPED[game]:
        match = puzzle.match
        assert match.rulebook.id == game
        assert puzzle.seat in match.asked
        told = themed(puzzle)
        assert told
        assert puzzle.theme == told.theme, "run `python docs/reasons.py`"
        assert 2 <= len(puzzle.moves) <= 4
        assert [less for _move, less in puzzle.moves] == sorted(less for _move, less in puzzle.moves)
        assert puzzle.moves[0][1] == 0
        assert puzzle.moves[1][1] == puzzle.gap >= GAP
        for move, less in (*puzzle.moves, *puzzle.also):
            after = match.copy()
            after.play(puzzle.seat, move)
            assert puzzle.less(move) == less
            assert not (after.over and less == 0), "the table says that it wins"
            actions = match.attempt(puzzle.seat, move).actions
            assert less == 0 or not wins(match.rulebook, match.state, puzzle.seat, actions), "it is as good as the best"
        assert puzzle.gap >= SURE * puzzle.error - 0.01
        costs = getattr(match.rulebook.submodule("contrast"), "COSTS", ())
        assert speaks_for(puzzle.contrast.facts[0], puzzle.seat, costs), "there is a reason"
        assert Puzzle.of_json(json.loads(puzzle.line)) == puzzle


@pytest.mark.parametrize("game", SHIPPED)
def test_few_puzzles_list_one_other_move_where_there_are_more(game):
    listed = [(len(puzzle.moves), [*puzzle.match.legal(puzzle.seat)]) for puzzle in SHIPPED[game]]
    fewer = [moves for moves, there in listed if moves == 2 and not (len(there) == 2 and all(each.whole for each in there))]
    assert len(fewer) <= 0.4 * len(listed)


@pytest.mark.slow
@pytest.mark.deeper
@pytest.mark.parametrize("game", SHIPPED)
def test_the_judge_of_reviews_thinks_the_best_better_too_in_most_worlds_that_could_be(game):
    for puzzle in SHIPPED[game][:: 1 if DEEP else 3]:
        match = puzzle.match
        best, *others = (match.rulebook.words.steps(match.state, puzzle.seat, move) for move, _less in puzzle.moves)
        seats = [Seat.of(match, puzzle.seat, seed) for seed in range(1, 6)]
        for other in others:
            agreeing = (seat for seat in seats if agreed(match, seat, best, other, compiled=False))
            assert len(list(islice(agreeing, 3))) == 3, puzzle.id


def test_a_reason_that_is_about_the_other_move_alone_is_told_without_the_best_one(tmp_path: Path):
    puzzle = next(one for one in SHIPPED["claim"] if one.id == "7716668d14")
    with serving(tmp_path / "tables.db") as base:
        answer = httpx.post(f"{base}/puzzles/claim/{puzzle.id}", data={"choice": "0"}, timeout=60).text
    assert "Otherwise: The next 3 fills the 3s" in answer
    assert "With the best move" not in answer


@pytest.mark.slow
@pytest.mark.parametrize("game", SHIPPED)
def test_no_choice_is_told_as_one_would_type_it(game):
    for puzzle in SHIPPED[game]:
        words = puzzle.match.rulebook.words
        typed = {words.text(move) for move, _less in puzzle.moves}
        assert not typed & {said for _n, said in choices(puzzle)}


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.slow(but=("rivals",))
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
    monkeypatch.setattr(puzzles, "puzzle_at", lambda earlier, seat, seed, compiled, kinds: asked.append(seat))
    assert list(collect(match, 1)) == []
    assert asked


def test_no_match_is_played_on_where_no_mechanism_could_be_the_reason(monkeypatch: pytest.MonkeyPatch):
    from outbid.review import puzzles

    puzzle = next(puzzle for puzzle in SHIPPED["forex"] if len(puzzle.moves) > 2)
    listed = puzzle.listed(puzzle.match)
    options = [SimpleNamespace(actions=actions, value=-n, text=str(n)) for n, actions in enumerate(listed)]
    played_on: list[int] = []

    def losses(_seat: Seat, moves: list[Any], *_rest: Any) -> list[tuple[float, float]]:
        played_on.append(len(moves))
        return [(0.0, 0.0)] * len(moves)

    monkeypatch.setattr(puzzles.LookAhead, "evaluated", lambda self, seat, every: (options, 0))
    monkeypatch.setattr(puzzles, "_losses", losses)
    for _ in "with a mechanism", "without":
        assert puzzle_at(puzzle.match, puzzle.seat, 1, compiled=False) is None
        assert played_on == [len(listed)]
        monkeypatch.setattr(puzzles, "telling", lambda *args: [])


def test_a_kind_of_move_that_is_nearly_always_the_better_one_waits_for_the_other():
    passed = next(puzzle for puzzle in SHIPPED["money"] if puzzle.moves[0][0]["do"] != puzzle.moves[1][0]["do"])
    best, *others = [move["do"] for move, _less in passed.moves]
    kinds = Kinds()
    for _puzzle in range(AHEAD):
        kinds.add(passed)
    assert not kinds.common(best, others)
    assert not kinds.rare(others[0], [best])
    kinds.add(passed)
    assert kinds.common(best, others)
    assert kinds.rare(others[0], [best])
    assert not kinds.common(best, [best, "another"]), "of two of a kind none is the commoner"
    turned = replace(passed, moves=(passed.moves[1], passed.moves[0]))
    kinds.add(turned)
    assert not kinds.common(best, others[:1]), "it has caught up"


def test_whoever_solves_a_puzzle_rises_and_whoever_misses_the_first_does_not_fall_far():
    puzzle = SHIPPED["rivals"][0]
    begun = Solver()
    assert begun.after(puzzle, True).points > begun.points > begun.after(puzzle, False).points >= begun.points - 40
    assert begun.after(puzzle, True).answers == ((puzzle.id, True),)
    assert begun.after(puzzle, True).knows(puzzle)


def test_the_page_asks_at_the_table_answers_with_the_reason_and_counts_once(tmp_path: Path):
    puzzle = next(each for each in SHIPPED["rivals"] if each.reasons(["Ada", "Ben", "Cem", "Dan"])[0])
    address, page = f"/puzzles/rivals/{puzzle.id}", "/puzzles/rivals"
    with serving(tmp_path / "tables.db") as base, httpx.Client(base_url=base, timeout=60) as http:
        asked = http.get(address).text
        assert asked.count('name="choice"') == len(puzzle.moves)
        assert f'action="{address}"' in asked[asked.index('id="dock"') :], "the table itself sends its moves here"
        answers = [http.post(address, data={"choice": "0"}) for _ in range(2)]
        for answer in answers:
            assert "Right." in answer.text
            assert "With the best move" in answer.text
            shares = set(re.findall(r"(\d+) % less", answer.text))
            assert shares == {str(round(100 * puzzle.gap))}, "one number: what was played on to the end"
        assert "(+" in answers[0].text
        assert "(+" not in answers[1].text
        assert "Choose one" in sentence(http.post(address, data={"choice": "9"}, headers=JSON), 400)
        assert http.get(f"{page}/0000000000").status_code == 404
        assert http.get("/puzzles/nothing").status_code == 404
        assert http.post("/puzzles/nothing").status_code == 404
        overview = http.get("/puzzles").text
        assert "Rivals" in overview
        assert f'href="{address}" aria-label="solved"' in overview


@contextmanager
def judged_by(folder: Path, answer: Callable[[Seat], Any]) -> Iterator[TestClient]:
    """A server whose bots answer so."""
    settings = Settings(f"sqlite:///{folder / 'tables.db'}", daily={}, thinking=1)
    with TestClient(create_app(settings, executor=Asked(answer)), "http://127.0.0.1", headers=JSON) as http:
        yield http


@pytest.mark.parametrize("game", SHIPPED)
@pytest.mark.slow(but=("rivals",))
def test_any_legal_move_may_be_made_and_what_nobody_can_judge_is_neither_right_nor_wrong(tmp_path: Path, game: str):
    with judged_by(tmp_path, lambda _seat: Unready("Not yet.")) as http:
        for puzzle in SHIPPED[game][:3]:
            match = puzzle.match
            for move in (choice.move for choice in match.legal(puzzle.seat) if choice.whole):
                http.cookies.clear()
                fields = {"decision": str(len(match.moves)), "move": json.dumps(move)}
                answer = http.post(f"/puzzles/{game}/{puzzle.id}", data=fields).json()
                less = puzzle.less(match.attempt(puzzle.seat, move).move)
                assert (answer["less"], answer["solved"]) == (less, less == 0)
                assert (answer["rating"] == Solver().points) == (less is None)
            wrong = {"decision": str(len(match.moves)), "text": "jump"}
            assert http.post(f"/puzzles/{game}/{puzzle.id}", data=wrong).status_code == 400


@pytest.mark.parametrize(("loss", "error", "less"), [(0.3, 0.01, 0.3), (0.05, 0.04, 0.0)], ids=["worse", "about as good"])
@pytest.mark.slow
def test_a_move_that_nobody_has_measured_is_judged_when_it_is_made(tmp_path: Path, loss: float, error: float, less: float):
    puzzle, move = next(
        (puzzle, choice.move)
        for puzzle in SHIPPED["claim"]
        for choice in puzzle.match.legal(puzzle.seat)
        if choice.whole and puzzle.less(choice.move) is None
    )
    best = puzzle.match.attempt(puzzle.seat, puzzle.moves[0][0]).actions

    def answer(seat: Seat) -> Decision:
        assert seat.counsel
        return Decision(best, weighed=(WeighedMove("", best), WeighedMove("", seat.meant, loss, error)))

    with judged_by(tmp_path, answer) as http:
        fields = {"decision": "0", "move": json.dumps(move)}
        answered = http.post(f"/puzzles/claim/{puzzle.id}", data=fields).json()
        assert (answered["less"], answered["solved"]) == (less, less == 0)
        assert answered["rating"] != Solver().points
        page = http.post(f"/puzzles/claim/{puzzle.id}", data=fields, headers={"Accept": "text/html"}).text
        assert ("Your choice has 30 % less chance to win." in page) == (less > 0)
        assert "cannot be judged" not in page


def test_a_position_is_tried_at_a_table_of_its_own(tmp_path: Path):
    puzzle = SHIPPED["rivals"][0]
    with serving(tmp_path / "tables.db") as base, httpx.Client(base_url=base, timeout=60) as http:
        made = http.post(f"/puzzles/rivals/{puzzle.id}/try", headers=JSON)
        assert made.status_code == 201
        view = http.get(f"/t/{made.json()['table']}", headers=JSON).json()["view"]
        assert (view["seat"], view["asked"]) == (puzzle.seat, [puzzle.seat])


def test_a_run_goes_from_puzzle_to_puzzle_and_says_how_many_were_solved(tmp_path: Path):
    with serving(tmp_path / "tables.db") as base, httpx.Client(base_url=base, timeout=60) as http:
        first = http.post("/puzzles/money").headers["location"]
        assert "data-left" in http.get(first).text
        second = http.post(first, data={"choice": "0"}).headers["location"]
        assert second.startswith("/puzzles/money/")
        assert second != first
        third = http.post(second, data={"choice": "1"}).headers["location"]
        assert "1 solved" in http.get(third).text
        again = http.post(first, data={"choice": "0"})
        assert again.status_code == 200, "what the run does not ask is a puzzle like any other"


def test_a_run_that_is_over_leaves_its_result_and_a_later_one_keeps_the_best():
    run = ClockRun("rivals", 1).after(True).after(True).after(False)
    assert (run.left, run.solved, run.missed, run.best) == (0, 2, 1, 2)
    assert RUN_SPELLED.fullmatch(run.spelled)


@pytest.mark.parametrize("game", SHIPPED)
def test_the_themes_of_puzzles_have_words_and_the_next_one_may_be_asked_for_by_theme(tmp_path: Path, game: str):
    book = rulebooks()[game]
    sentences = book.submodule("mechanisms").SENTENCES
    named = " ".join(sentences.themes.values()).split()
    assert len(named) == len(set(named)) > 10
    assert set(sentences.texts) <= set(named)
    themes = {puzzle.id: theme(book, puzzle.theme) for puzzle in SHIPPED[game]}
    assert all(themes.values())
    with judged_by(tmp_path, lambda _seat: Unready("Not yet.")) as http:
        for wanted in set(themes.values()):
            answer = http.get(f"/puzzles/{game}", params={"theme": wanted}, follow_redirects=False)
            assert themes[answer.headers["location"].rsplit("/", 1)[-1]] == wanted
        assert http.get(f"/puzzles/{game}?theme=none", follow_redirects=False).headers["location"] == "/puzzles"
        page = http.get("/puzzles", headers={"Accept": "text/html", "Accept-Language": "de"}).text
        with i18n.locale("de"):
            words = {i18n.words(book.words.__package__)[0](wanted) for wanted in themes.values()}
        assert all(f">{word}</a>" in page for word in words)
        assert not words & set(themes.values()), "in German, too"


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
    monkeypatch.setattr("outbid.review.puzzles.collect", lambda match, seed, kinds: iter([puzzle]))
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
    monkeypatch.setattr("outbid.review.puzzles.collect", lambda match, seed, kinds: iter([next(found)]))
    file = tmp_path / "rivals.jsonl"
    for said in ("1 new puzzle", "1 new puzzle"):
        done = CliRunner().invoke(cli.app, ["puzzles", "rivals", "--matches", "1", "--file", str(file)])
        assert done.stdout.startswith(said)
        file.write_text(file.read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8")
    lines = file.read_text(encoding="utf-8").splitlines()
    assert [Puzzle.of_json(json.loads(line)) for line in lines] == [one, other]
