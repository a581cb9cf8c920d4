"""RULES.md of every game agrees with the program: rulings, options, presets, moves, and the table of the seed's sentences.

A rulebook has numbered sections, `## 1 Components` and on; those named "Rulings", "Options", "How moves are written" and
"The seed, sentence by sentence" are checked here.
"""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

from outbid.core.errors import BadOption
from outbid.core.language import passages
from outbid.core.options import MOST
from tests.support.checks import checks
from tests.support.rulebooks import BOOKS, ROOT, rows, rulings_in, section, text

every_game = pytest.mark.parametrize("game", BOOKS, ids=[book.id for book in BOOKS])
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def docstrings(game):
    """The docstrings of all tests of a game."""
    for file in sorted((ROOT / game.id).glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield ast.get_docstring(node) or ""


@every_game
def test_the_sections_are_numbered_without_gaps(game):
    found = [int(n) for n in re.findall(r"^## (\d+) ", text(game), flags=re.M)]
    assert found == list(range(1, len(found) + 1))


@every_game
def test_rulings_come_after_the_rules_the_options_and_the_moves(game):
    titles = re.findall(r"^## \d+ (.*)$", text(game), flags=re.M)
    assert titles[-1] == "Rulings"
    assert titles.index("Options") < titles.index("How moves are written")


@every_game
def test_what_a_rulebook_marks_as_holding_with_an_option_names_options_and_their_values(game):
    assert passages.read(game.folder / "RULES.md", game.options) == text(game)
    assert "<!--" not in game.written
    for line in game.written_for({}).splitlines():
        assert line in game.written


@every_game
def test_the_rulebook_has_every_ruling_once_and_in_order(game):
    assert [row[0] for row in rows(section(game, "Rulings"))] == checks(game).RULINGS
    assert rulings_in(game, text(game)) == set(checks(game).RULINGS)


@every_game
def test_every_ruling_is_named_by_a_test(game):
    assert {ruling for doc in docstrings(game) for ruling in rulings_in(game, doc)} == set(checks(game).RULINGS)


@every_game
def test_every_ruling_named_in_the_rules_exists(game):
    for module in [*game.modules, game.words]:
        assert rulings_in(game, Path(module.__file__).read_text(encoding="utf-8")) <= set(checks(game).RULINGS)


def option_rows(game):
    """Name, values, default of every option in a rulebook, and whether it stands among the tunable parameters."""
    house, _, parameters = section(game, "Options").partition("Tunable parameters, for designers.")
    for part, tunable in ((house, False), (parameters, True)):
        for name, values, default, meaning in (row for row in rows(part) if len(row) == 4):
            yield re.findall(r"`(\w+)`", name)[0], values, json.loads(default.strip("`")), meaning, "*view*" in name, tunable


@every_game
def test_the_options_of_the_rulebook_are_those_of_the_program(game):
    written = [(name, default, view, tunable) for name, _, default, _, view, tunable in option_rows(game)]
    assert written == [(o.name, o.default, o.view, o.tunable) for o in game.options]
    assert all(meaning for *_, meaning, _, _ in option_rows(game))


@every_game
def test_every_option_and_every_word_of_one_has_a_name_for_people_and_no_two_the_same(game):
    titles = [option.title for option in game.options]
    assert len(set(titles)) == len(titles)
    for option in game.options:
        words = (*option.words, *option.besides)
        assert len(words) == len(option.labels) == len(set(option.labels)) == len({option.label(word) for word in words})
        assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9:,' ]+", said) for said in (option.title, *option.labels))


OPTIONS = [(book, row) for book in BOOKS for row in option_rows(book)]


@pytest.mark.parametrize(("game", "row"), OPTIONS, ids=[f"{book.id}-{row[0]}" for book, row in OPTIONS])
def test_the_values_of_an_option_are_those_of_the_program(game, row):
    name, values, default, *_ = row
    option = next(o for o in game.options if o.name == name)
    literal = [json.loads(value) for value in re.findall(r"`([^`]+)`", values)]
    numerals = [int(n) for n in re.findall(r"-?\d+", re.sub(r"`[^`]+`", "", values))]
    if option.words:
        assert literal == list(option.words)
    elif isinstance(option.default, bool):
        assert literal in ([True, False], [False, True])
        assert literal[0] == option.default
    elif option.among:
        assert numerals[-len(option.among) :] == list(option.among)
    else:
        numerals += [MOST] * values.endswith(" up")
        numerals[:0] = [-MOST] * values.startswith("at most")
        low, high, *step = numerals if len(numerals) > 1 else numerals * 2
        assert (low, high, step or [1], literal) == (option.low, option.high, [option.step], list(option.besides))
        below, above = [low - 1] * (low > -MOST), [high + 1, high - 1 if step else high + 2] * (high < MOST)
        for wrong in (*below, *above, True, str(high)):
            with pytest.raises(BadOption, match=name):
                option.encode([wrong] * option.size if option.size else wrong)
        for word in option.besides:
            assert option.decode(option.encode(word)) == word
    assert option.decode(option.encode(default)) == default
    if option.size:
        assert values.split()[0] in (str(option.size), NUMBERS[min(option.size, 12)])


@every_game
def test_the_presets_of_the_rulebook_are_those_of_the_program(game):
    written = {}
    for row in rows(section(game, "Options")):
        if len(row) == 2:
            pairs = re.findall(r"(\w+) = ([^`]+)", row[1])
            written[row[0].strip("`")] = {name: json.loads(value) for name, value in pairs}
    assert written == {"seed": {}, **game.presets, **game.laboratory}


@every_game
def test_every_sentence_of_the_seed_is_covered_by_a_section_a_ruling_or_an_option(game):
    table = rows(section(game, "The seed, sentence by sentence"))
    assert [int(number) for number, _, _ in table] == list(range(1, checks(game).SENTENCES + 1))
    sections = dict(re.findall(r"^## (\d+) (.*)$", text(game), flags=re.M))
    names = {o.name for o in game.options}
    for _, topic, where in table:
        assert 2 <= len(topic.split()) <= 6
        for place in where.split(", "):
            if place.startswith("section "):
                assert not sections[place.split()[1]].startswith("The seed")
            elif place.startswith("`"):
                assert place.strip("`") in names
            else:
                assert place in checks(game).RULINGS


def counts(option):
    """Whether an option is a number, or a list of them, that any other value changes."""
    return not option.words and not isinstance(option.default, bool)


def options_in(cell):
    """The options that a cell names, with the value it gives each, or none."""
    for named in re.findall(r"`([^`]+)`", cell):
        name, _, value = named.partition(" = ")
        yield name, json.loads(value) if value else None


@every_game
def test_one_table_says_where_a_default_completes_or_overrules_the_seed_and_what_brings_the_other_reading_back(game):
    table = {row[0]: row[1:] for row in rows(section(game, "The seed and the defaults"))}
    rulings = {row[0]: row[1:] for row in rows(section(game, "Rulings"))}
    options = {option.name: option for option in game.options}
    assert list(table) == [ruling for ruling in checks(game).RULINGS if ruling in table]
    published = {}
    for ruling, (sentences, status, preset, others) in table.items():
        assert all(1 <= int(n) <= checks(game).SENTENCES for n in sentences.split(", "))
        kind, _, why = status.partition(": ")
        assert kind.startswith("silent") or kind in ("contradictory", "overruled", "as written")
        assert why or kind not in ("contradictory", "overruled")
        published.update(options_in(preset))
        for name, value in options_in(others):
            option = options[name]
            assert counts(option) if value is None else option.decode(option.encode(value)) == value != option.default
        named = {name for name, _ in options_in(others)}
        assert named >= {name for name, _ in options_in(rulings[ruling][2]) if name in options}
        assert set(options_in(preset)) <= set(options_in(others))
    assert published == game.presets.get("published", {})
    for ruling, (_, answer, given) in rulings.items():  # those that speak of a sentence, and those with another reading
        readings = [options[name] for name, _ in options_in(given)]
        assert ruling in table or not ("entence" in answer or not all(map(counts, readings)))


@every_game
def test_every_move_of_the_rulebook_reads_and_prints_as_written(game):
    done = set()
    for typed, recorded, _ in rows(section(game, "How moves are written")):
        move = json.loads(re.findall(r"`([^`]+)`", recorded)[0])
        assert game.words.parse(typed.strip("`")) == move
        assert game.words.text(move) == typed.strip("`")
        done.add(move["do"])
    assert done == set(game.words.EXPECTED)
