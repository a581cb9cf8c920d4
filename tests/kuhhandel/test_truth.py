"""The truth files of Kuhhandel (tests/truth/kuhhandel): records replay, playthroughs and path counts are still the same."""

from __future__ import annotations

import json
import sys
from types import CodeType, FrameType
from typing import Any

import pytest
from truth.make import ROOT, files, load, perft, playthrough, written

from outbid.games.kuhhandel import rules

FOLDER = ROOT / "kuhhandel"
PERFT = json.loads((FOLDER / "perft.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", files("kuhhandel", "records"), ids=lambda file: file.stem)
def test_a_record_replays_to_its_scores_and_to_the_same_record(file):
    """Truth files: K1 to K31 in play; `read_record` verifies every move, the scores and the winners."""
    match = load(file)
    assert match.over
    assert written(match.record()) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("file", files("kuhhandel", "playthroughs"), ids=lambda file: file.stem)
def test_everybody_sees_and_is_told_the_same_as_ever(file):
    """Truth files: section 10 of the rulebook."""
    told = playthrough(load(FOLDER / "records" / f"{file.stem}.json"))
    kept = file.read_text(encoding="utf-8")
    assert told.splitlines() == kept.splitlines()


@pytest.mark.parametrize("name", PERFT)
def test_as_many_step_paths_and_states_as_ever(name):
    """Truth files: what is legal, and how many ways lead where."""
    row = PERFT[name]
    state = load_position(row)
    for depth, expected in enumerate(zip(row["paths"], row["states"], strict=True), 1):
        assert perft(state, depth) == expected


def load_position(row: dict[str, Any]) -> Any:
    """The state of an unfinished record."""
    from outbid import read_record

    return read_record({key: value for key, value in row.items() if key not in ("paths", "states")}).state


def test_the_readme_names_every_record():
    """Truth files."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    named = {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}
    assert named == {file.stem for file in files("kuhhandel", "records")}


def test_the_records_reach_every_line_of_the_rules_between_them():
    """Truth files: the branches of the rules."""
    source = rules.__file__
    reached: set[int] = set()

    def line(frame: FrameType, event: str, arg: Any) -> Any:
        reached.add(frame.f_lineno)
        return line

    def call(frame: FrameType, event: str, arg: Any) -> Any:
        return line if frame.f_code.co_filename == source else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        for file in files("kuhhandel", "records"):
            load(file)
    finally:
        sys.settrace(before)
    with open(source, encoding="utf-8") as text:
        lines = ["", *text.read().splitlines()]
    missed = sorted(n for n in executable(rules) - reached)
    assert [f"{n}: {lines[n].strip()}" for n in missed if not beyond_records(lines, n)] == []


def executable(module: Any) -> set[int]:
    """The lines of a module's functions that can run, `deal` left out: a record has its chance written down."""
    found: set[int] = set()
    for name, value in vars(module).items():
        code = getattr(value, "__code__", None)
        if isinstance(code, CodeType) and code.co_filename == module.__file__ and name != "deal":
            found |= {n for _, _, n in code.co_lines() if n is not None and n != code.co_firstlineno}
    return found


def beyond_records(lines: list[str], n: int) -> bool:
    """The line belongs to the end after 20,000 moves, or to a first player who is skipped, which a record has done."""
    above = n - 1
    while len(lines[above]) - len(lines[above].lstrip()) >= len(lines[n]) - len(lines[n].lstrip()):
        above -= 1
    return "MOVE_CAP" in lines[above] or "can_trade(s, start)" in lines[above]
