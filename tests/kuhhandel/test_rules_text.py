"""RULES.md agrees with the program: rulings, options, presets, values, and the table of the seed's sentences."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from outbid.engine.errors import BadOption
from outbid.games.kuhhandel import state, words

from .table import BOOK

TEXT = (BOOK.folder / "RULES.md").read_text(encoding="utf-8")
RULINGS = [f"K{n}" for n in range(1, 32)]
SENTENCES = 61


def section(number):
    """The text of a numbered section."""
    return re.split(r"^## \d+ ", TEXT, flags=re.M)[number]


def rows(text):
    """The rows of the tables in a text, as lists of cells, without heads."""
    cells = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    heads = [n for n, row in enumerate(cells) if set("".join(row)) <= set("- ")]
    return [row for n, row in enumerate(cells) if n not in heads and n + 1 not in heads]


def docstrings():
    """The docstrings of all tests of this game."""
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield ast.get_docstring(node) or ""


def test_the_sections_are_numbered_without_gaps():
    """The rulebook itself."""
    assert [int(n) for n in re.findall(r"^## (\d+) ", TEXT, flags=re.M)] == list(range(1, 15))


def test_the_rulebook_has_every_ruling_once_and_in_order():
    """The rulebook itself."""
    assert [row[0] for row in rows(section(11))] == RULINGS
    assert set(re.findall(r"\bK\d+\b", TEXT)) == set(RULINGS)


def test_every_ruling_is_named_by_a_test():
    """The rulebook itself."""
    named = {ruling for doc in docstrings() for ruling in re.findall(r"\bK\d+\b", doc)}
    assert named == set(RULINGS)


def test_every_ruling_named_in_the_rules_exists():
    """The rulebook itself."""
    for file in ("state.py", "rules.py", "hidden.py", "words.py"):
        assert set(re.findall(r"\bK\d+\b", (BOOK.folder / file).read_text(encoding="utf-8"))) <= set(RULINGS)


def option_rows():
    """Name, values, default of every option and knob in the rulebook, and whether it stands among the knobs."""
    house, knobs = section(12).split("Knobs, for designers.")
    for text, knob in ((house, False), (knobs, True)):
        for name, values, default, meaning in (row for row in rows(text) if len(row) == 4):
            yield re.findall(r"`(\w+)`", name)[0], values, json.loads(default.strip("`")), meaning, "*view*" in name, knob


def test_the_options_of_the_rulebook_are_those_of_the_program():
    """The rulebook itself: names, order, defaults, kinds."""
    written = [(name, default, view) for name, _, default, _, view, _ in option_rows()]
    assert written == [(o.name, o.default, o.view) for o in BOOK.options]
    assert all(meaning for *_, meaning, _, _ in option_rows())


@pytest.mark.parametrize("row", list(option_rows()), ids=lambda row: row[0])
def test_the_values_of_an_option_are_those_of_the_program(row):
    """The rulebook itself: each value is taken, anything else refused."""
    name, values, default, _, _, knob = row
    option = next(o for o in BOOK.options if o.name == name)
    literal = [json.loads(value) for value in re.findall(r"`([^`]+)`", values)]
    if option.words:
        assert literal == list(option.words)
    elif isinstance(option.default, bool):
        assert set(literal) == {True, False}
        assert literal[0] == option.default
    elif option.among:
        assert [int(n) for n in re.findall(r"\d+", values)] == list(option.among)
    else:
        low, high, *step = (int(n) for n in re.findall(r"\d+", values))
        assert (low, high, step or [1]) == (option.low, option.high, [option.step])
        for wrong in (low - 1, high + 1, high - 1 if step else high + 2, True, str(high)):
            with pytest.raises(BadOption, match=name):
                option.encode([wrong] * option.size if option.size else wrong)
    assert option.decode(option.encode(default)) == default
    if option.size:
        assert values.split()[0] == {4: "four", 6: "six", 10: "ten"}[option.size]
    # trade_stall is an option of RECORD.md, though a number
    assert knob == option.knob


def test_the_presets_of_the_rulebook_are_those_of_the_program():
    """The rulebook itself."""
    written = {}
    for row in rows(section(12)):
        if len(row) == 2:
            pairs = re.findall(r"(\w+) = ([^`]+)", row[1])
            written[row[0].strip("`")] = {name: json.loads(value) for name, value in pairs}
    assert written == {"seed": {}, **BOOK.presets}


def test_the_values_and_the_money_of_the_rulebook_are_those_of_the_program():
    """The rulebook itself: section 1."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in section(1).splitlines() if line[:1] == "|"]
    assert tuple(lines[0][1:]) == state.ANIMALS
    defaults = {o.name: o.default for o in BOOK.options}
    assert [int(value) for value in lines[2][1:]] == defaults["values"]
    assert tuple(int(value) for value in lines[3][1:]) == state.MONEY
    printed = [int(value) for value in lines[5][1:]]
    five = [
        5 * (n + defaults["donkey_money"].count(note)) for n, note in zip(defaults["start_money"], state.MONEY, strict=True)
    ]
    assert printed == five
    assert sum(n * note for n, note in zip(printed, state.MONEY, strict=True)) == 4700


def test_the_hard_cap_of_the_rulebook_is_that_of_the_program():
    """The rulebook itself."""
    assert f"{state.MOVE_CAP:,}th move" in TEXT


def test_every_sentence_of_the_seed_is_covered_by_a_section_a_ruling_or_an_option():
    """The rulebook itself: numbers without gaps, topics of two to five words, places that exist."""
    table = rows(section(14))
    assert [int(number) for number, _, _ in table] == list(range(1, SENTENCES + 1))
    names = {o.name for o in BOOK.options}
    for _, topic, where in table:
        assert 2 <= len(topic.split()) <= 5
        for place in where.split(", "):
            if place.startswith("section "):
                assert 1 <= int(place.split()[1]) <= 13
            elif place.startswith("`"):
                assert place.strip("`") in names
            else:
                assert place in RULINGS


def test_every_move_of_the_rulebook_reads_and_prints_as_written():
    """The rulebook itself: section 13."""
    table = rows(section(13))
    done = set()
    for typed, recorded, _ in table:
        move = json.loads(re.findall(r"`([^`]+)`", recorded)[0])
        assert words.parse(typed.strip("`")) == move
        assert words.text(move) == typed.strip("`")
        done.add(move["do"])
    assert done == set(words.EXPECTED)
