"""The truth files (tests/truth): records replay, playthroughs and path counts are still the same, for every game."""

from __future__ import annotations

import json
import sys
from types import CodeType, FrameType
from typing import Any

import pytest

from outbid import read_record
from outbid.core.match import FORMAT
from outbid.core.rulebook import Rulebook, rulebook
from tests.support.checks import checks
from tests.support.profile import DEEP
from tests.truth.make import ROOT, files, load, perft, playthrough, written

GAMES = sorted(folder.name for folder in ROOT.iterdir() if (folder / "stories.py").exists())
RECORDS = [(game, file) for game in GAMES for file in files(game, "records")]
OLDER = [file for game in GAMES if (ROOT / game / "older").exists() for file in files(game, "older")]
PLAYTHROUGHS = [(game, file) for game in GAMES for file in files(game, "playthroughs")]
PERFT = [
    (game, name, row)
    for game in GAMES
    for name, row in json.loads((ROOT / game / "perft.json").read_text(encoding="utf-8")).items()
]


@pytest.mark.parametrize("file", [file for _, file in RECORDS], ids=[f"{game}-{file.stem}" for game, file in RECORDS])
def test_a_record_replays_to_its_scores_and_to_the_same_record(file):
    match = load(file)  # verifies every move, the scores and the winners
    assert match.over
    assert written(match.record()) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("file", OLDER, ids=[f"{file.parts[-3]}-{file.stem}" for file in OLDER])
def test_a_record_of_older_rules_replays_to_its_scores_and_is_the_same_match_by_the_newest(file):
    old = json.loads(file.read_text(encoding="utf-8"))
    new = load(file).record()  # verifies every move, the scores and the winners
    assert old["rules"] != new["rules"]
    assert new | {"rules": old["rules"], "options": old["options"]} == old
    assert read_record(new).record() == new


@pytest.mark.parametrize(("game", "file"), PLAYTHROUGHS, ids=[f"{game}-{file.stem}" for game, file in PLAYTHROUGHS])
def test_everybody_sees_and_is_told_the_same_as_ever(game, file):
    told = playthrough(load(ROOT / game / "records" / f"{file.stem}.json"))
    assert told.splitlines() == file.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("row", [row for *_, row in PERFT], ids=[f"{game}-{name}" for game, name, _ in PERFT])
@pytest.mark.deeper
def test_as_many_step_paths_and_states_as_ever(row):
    record = {key: value for key, value in row.items() if key not in ("paths", "states")}
    state = read_record({"format": FORMAT, **record}).state
    for depth, expected in enumerate(zip(row["paths"], row["states"], strict=True), 1):
        if DEEP or expected[0] <= 2000:
            assert perft(state, depth) == expected


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_at_least_ten_records_and_its_readme_names_them(game):
    text = (ROOT / game / "README.md").read_text(encoding="utf-8")
    named = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    assert named == {file.stem for file in files(game, "records")}
    assert len(named) >= 10


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(but=("rivals",))
def test_the_records_reach_every_line_of_the_rules_between_them(game):
    book = rulebook(game)
    modules = {str(module.__file__): module for module in played_by(book)}
    reached: dict[str, set[int]] = {file: set() for file in modules}

    def line(frame: FrameType, event: str, arg: Any) -> Any:
        reached[frame.f_code.co_filename].add(frame.f_lineno)
        return line

    def call(frame: FrameType, event: str, arg: Any) -> Any:
        return line if frame.f_code.co_filename in modules else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        for file in files(game, "records"):
            load(file)
    finally:
        sys.settrace(before)
    beyond = getattr(checks(book), "beyond_records", lambda lines, n: False)
    missed = []
    for name, module in modules.items():
        with open(name, encoding="utf-8") as text:
            lines = ["", *text.read().splitlines()]
        lost = sorted(executable(module) - reached[name])
        missed += [f"{name}:{n}: {lines[n].strip()}" for n in lost if not beyond(lines, n)]
    assert missed == []


def played_by(book: Rulebook) -> list[Any]:
    """The modules in which a game is played: its rule modules without memory, bots and declarations."""
    return [module for module in book.modules if module.__name__.rsplit(".", 1)[-1] not in ("hidden", "bot", "state")]


def executable(module: Any) -> set[int]:
    """The lines of a module's functions that can run, `deal` left out: a record has its chance written down."""
    found: set[int] = set()
    for name, value in vars(module).items():
        code = getattr(value, "__code__", None)
        if isinstance(code, CodeType) and code.co_filename == module.__file__ and name != "deal":
            found |= {n for _, _, n in code.co_lines() if n is not None and n != code.co_firstlineno}
    return found
