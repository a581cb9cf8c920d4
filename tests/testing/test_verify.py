"""The battery for any game (outbid.testing, `outbid verify`): it passes a sound game and names every planted fault."""

import doctest
import gc
import importlib
import json
import re
import shutil
import subprocess
import sys
import textwrap
import threading
from itertools import count
from pathlib import Path
from time import monotonic
from types import FrameType

import pytest
from typer.testing import CliRunner

import outbid
import outbid.testing
from outbid.cli import app
from outbid.core import rulebook as books
from outbid.core.errors import BadRulebook
from outbid.core.rulebook import rulebook
from outbid.testing import PROPERTIES, battery, seen
from outbid.testing.compiled import BACKENDS, ROLLOUTS
from outbid.testing.lint import lint
from outbid.testing.moves import ASKS
from outbid.testing.new_game import new_game
from outbid.testing.source import functions
from outbid.testing.watch import Lookout

DOCS = Path(__file__).parents[2] / "docs" / "debugging-rules.md"
TOY = Path(__file__).parents[1] / "toy" / "sealed"
_numbers = count(1)
PROPERTY = {one.name: one for one in PROPERTIES}


@pytest.fixture
def broken(tmp_path, monkeypatch):
    """A copy of the toy game, under another name, in which some texts are others: (file, text, text in its place); a file
    that it has not, where the text is empty."""

    def copy(*edits):
        name = f"broken{next(_numbers)}"
        shutil.copytree(TOY, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        for file, old, new in edits:
            if not old:
                (tmp_path / name / file).write_text(new)
        for source in (tmp_path / name).glob("*.py"):
            text = source.read_text().replace("from sealed", f"from {name}").replace('id="sealed"', f'id="{name}"')
            for file, old, new in edits:
                if source.name == file and old:
                    assert old in text, old
                    text = text.replace(old, new, 1)
            if source.name == "rules.py":  # compiled code tells games by their fields
                text = text.replace('Field("round")', f'Field("{name}"), Field("round")').replace("s.own", f"s.{name}")
                text += "\nimport random\nPOINTS = [0] * SEATS\nDRAWN = iter(range(10**9))\n"
            source.write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        importlib.invalidate_caches()
        return importlib.import_module(name).rulebook

    yield copy
    for name in [name for name in sys.modules if name.startswith("broken")]:
        del sys.modules[name]


HIDE = "                s.hands[other][card] = 0\n"
REDEAL = "def redeal(s, seat, seed):\n"
OBSERVE = "        out[card] = s.hands[seat][card]\n"
LEGAL = "        if s.hands[seat][card] > 0:\n            out[n] = card"
ASKED = "    if s.round < s.rounds:\n"
FAULTS = {
    # the property that finds it, file, text, text in its place; the field that is named, a part of the sentence
    "a view shows what others have sealed": (
        "leaks", "rules.py", "            s.choice[other] = -1\n            for", "            for",
        "choice", "sees that choice"),
    "hide leaves the hands of others": ("leaks", "rules.py", HIDE, "                pass\n", "hands", "sees that hands"),
    "redeal returns the truth": (
        "redeal", "rules.py", REDEAL, REDEAL + "    return\n",
        "deck", "leaves deck as it finds it"),
    "redeal looks at what lies hidden": (
        "redeal", "rules.py", "    hide(s, seat)\n    r = stream(seed, 1)\n",
        "    r = stream(seed + s.deck[9], 1)\n    hide(s, seat)\n",
        "hands", "reads what is hidden"),
    "redeal always returns one world": (
        "truth", "rules.py", REDEAL, REDEAL + "    return\n",
        "deck", "returns the truth in"),
    "redeal loses a card": (
        "totals", "rules.py", "range(HAND - s.round):", "range(HAND - s.round - 1):",
        "hands", "adds up to"),
    "a world dealt anew cannot be played on": (
        "worlds", "rules.py", "range(HAND - s.round):", "range(HAND - s.round - 1):",
        None, "has no legal action"),
    "observe writes one feature too many": (
        "features", "rules.py", "for far in range(SEATS):", "for far in range(SEATS + 1):",
        None, "index 15 is out of 0 to 14"),
    "observe leaves a feature": (
        "features", "rules.py", "for far in range(SEATS):", "for far in range(SEATS - 1):",
        None, "feature 14 (seat3.points)"),
    "observe reads a hidden hand": (
        "features", "rules.py", OBSERVE, OBSERVE.replace("[seat]", "[(seat + 1) % s.players]"),
        "hands", "observe reads hands"),
    "an index counts from the end": (
        "indices", "rules.py", "s.played[s.choice[seat]] += 1", "s.played[s.choice[seat] - 10] += 1",
        None, "is out of 0 to 9"),
    "a match ends in the middle": (
        "asks", "rules.py", ASKED, "    if s.round != 2:\n",
        None, "Nobody is asked, as if the match were over, but the menu"),
    "a seat is asked that is not there": (
        "asks", "rules.py", ASKED, "    mask = 1 << s.players\n" + ASKED,
        None, "asked names seat"),
    "a seat is asked that can do nothing": ("asks", "rules.py", ASKED, "    if s.round < 5:\n", None, "no legal action"),
    "nobody wins": ("asks", "rules.py", "return highest(out, s.players)", "return 0", None, "winners gives"),
    "legal lists a card that is not held": (
        "accepted", "rules.py", LEGAL, LEGAL.replace("> 0", ">= 0"),
        None, "is refused: The hand has no"),
    "the steps of a move make another": (
        "accepted", "words.py", "return [card]", "return [min(c for c in range(10) if s.hands[seat][c])]",
        "hands", "than its steps"),
    "a field overflows": (
        "conserved", "rules.py", "s.points[winner] += best", "s.points[winner] += best * 10000",
        "points", "(i2) holds"),
    "a match never ends": ("ends", "rules.py", "    s.hands[seat][action] -= 1\n", "    s.round = 0\n", None, "bound"),
    "hiding twice changes more": (
        "hide", "rules.py", "        s.deck[i] = -1", "        s.deck[i] = -1 - (s.deck[i] < 0)",
        "deck", "again"),
    "what is legal depends on others": (
        "choices", "rules.py", LEGAL,
        LEGAL.replace(" > 0", " > 0 and (n == 0 or s.hands[(seat + 1) % s.players][card] == 0)"),
        "hands", "hands decides"),
    "a field holds what is not declared": (
        "conserved", "rules.py", "s.points[winner] += best", "s.points[winner] -= best",
        "points", "the field is declared for 0 to 32767."),
    "the log tells what others seal": (
        "log", "words.py", 'return said if seat == audience else {"do": "seal"}', "return said",
        "hands", "is told"),
    "the menu offers a card that is not held": (
        "menu", "words.py", "if s.hands[seat][card]]", "if s.hands[seat][card] or card == 3]",
        None, "offers 'seal 3'"),
    "the game's own player plays a card that is not held": (
        "steady", "rules.py",
        "            best = card\n    return best", "            best = card\n    return (best + 1) % 10",
        None, "which is not legal; legal is '"),
    "the game's own player returns no action": (
        "steady", "rules.py", "            best = card\n    return best", "            best = card",
        None, "plays action None, which is not legal"),
    "legal forgets to say how many there are": (
        "asks", "rules.py", "            n += 1\n    return n\n", "            n += 1\n",
        None, "legal returns None; it must return how many actions it has written"),
    "a copy shares a list": (
        "copies", "rules.py", "        s.points[winner] += best",
        "        POINTS[winner] += best\n        s.points = POINTS",
        "points", "changes points of the original"),
    "a record has another deal": (
        "records", "words.py", '{"deck": list(s.deck)}', '{"deck": s.deck[::-1]}',
        None, "does not replay"),
    "a move is read as another": (
        "typed", "words.py", '"card": int(words[1])}', '"card": min(int(words[1]), 8)}',
        None, "is read as"),
    "a deal is drawn from elsewhere": (
        "seeds", "rules.py", "    r = stream(seed, 0)", "    r = stream(next(DRAWN), 0)",
        None, "have another"),
    "a passage of the rulebook holds with an option that is none": (
        "written", "RULES.md", "", "# Sealed\n\nTen cards. <!-- with gold -->\n",
        None, "RULES.md, line 3: a mark names gold, which is no option"),
    "the page names what the words lack": (
        "page", "table.html", "", "{{ t.words.text({}) }}{{ t.words.hand_of(t.view) }}",
        None, "table.html, line 1: the page names words.hand_of, which the game does not define."),
    "nothing can be dealt": (
        "deal", "rules.py", "        s.deck[i] = i // 2", "        s.deck[i + 1] = i // 2",
        None, "IndexError"),
    "deal forgets how many play": (
        "deal", "rules.py", "    s.players = players\n", "    pass\n",
        "players", "the field players is 0; deal must set it"),
    "a rule makes a list": (
        "subset", "rules.py", "    best = 0\n    for seat", "    best = max([s.choice[k] for k in range(1)])\n    for seat",
        None, "rules.py:87 reveal: a list comprehension is not in the subset; use a loop over a field"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_and_named(broken, fault):
    name, file, old, new, field, says = FAULTS[fault]
    book = broken((file, old, new))
    found = list(PROPERTY[name](book, 20))
    assert any(says in finding.sentence and finding.field == field for finding in found), found
    assert {finding.property for finding in found} == {name}
    assert list(PROPERTY[name](book, 1, found[0].seed)) == found  # the seed shows it again


@pytest.mark.parametrize("fault", ["redeal loses a card", "observe writes one feature too many", "a match never ends"])
@pytest.mark.slow
def test_the_whole_battery_does_not_pass_a_broken_game(broken, fault):
    name, file, old, new, _, says = FAULTS[fault]
    report = battery(broken((file, old, new)), 5)
    assert not report.passed
    assert any(finding.property == name and says in finding.sentence for finding in report.findings)


def test_the_view_that_shows_a_hidden_field_is_named_with_the_field(broken):
    shown = ("words.py", "s.hands[seat] if seat >= 0 else None", "s.hands")
    book = broken(("rules.py", HIDE, "                pass\n"), shown)
    (finding, *_) = PROPERTY["leaks"](book, 20)
    assert finding.field == "hands"
    assert "and so does its view (hand)" in finding.sentence


def test_every_property_but_those_of_the_backends_has_a_planted_fault():
    elsewhere = {"answers", "history", "knowledge", "options", "seats", "table", "tells"}  # in other games
    assert {name for name, *_ in FAULTS.values()} == set(PROPERTY) - elsewhere


@pytest.mark.parametrize("prop", PROPERTIES, ids=str)
def test_a_sound_game_has_every_property(prop):
    prop.check(rulebook("sealed"), 20)


def test_a_state_that_asks_nobody_is_found_in_a_game_without_a_menu_of_its_own(tmp_path):
    game, _ = new_game("big_sale", tmp_path)
    text = game.read_text()
    game.write_text(text.replace("    if s.coins == 0:\n        return", "    if s.coins in (0, 6):\n        return"))
    (finding,) = PROPERTY["asks"](rulebook(str(game)), 20)
    assert "Nobody is asked, as if the match were over, but legal of seat 0 offers 'take 1'" in finding.sentence


def test_a_fault_is_reported_once(broken):
    report = battery(broken(("rules.py", "    s.sealed[seat] = 1\n", "    s.sealed[seat + 9] = 1\n")), 5)
    raised = [finding for finding in report.findings if "raises IndexError" in finding.sentence]
    assert len(raised) == 1
    assert "apply (" in raised[0].sentence
    assert any(result.like == raised[0].property for result in report.results)


def test_where_no_match_can_be_dealt_nothing_more_is_tried(broken):
    _, file, old, new, *_ = FAULTS["nothing can be dealt"]
    report = battery(broken((file, old, new)), 5)
    assert [result.property.name for result in report.results] == ["subset", "written", "page", "deal"]


def test_who_sees_each_field_is_told():
    assert seen(rulebook("sealed")) == {
        "players": "all", "round": "all", "deck": "nobody", "hands": "owner", "played": "all", "choice": "owner",
        "sealed": "all", "points": "all",
    }  # fmt: skip


# --- the linter -------------------------------------------------------------------------------------------------------


def test_all_rules_are_in_the_subset(book):
    assert list(lint(book)) == []
    assert {"apply", "hide", "observe"} <= {name for module in book.modules for name in functions(module)}


SUBSET = {
    "total = sum([n for n in s.played])": "a list comprehension",
    "total = len({n for n in s.played})": "a set comprehension",
    "total = len({n: 1 for n in s.played})": "a dict comprehension",
    "total = sum(n for n in s.played)": "a generator expression",
    "try:\n        s.round = 1\n    except IndexError:\n        s.round = 2": "try ",
    "with s:\n        s.round = 1": "with ",
    "class Inner:\n        pass": "a class",
    "def inner():\n        return 1": "a function within a function",
    "inner = lambda: 1": "a lambda",
    "name = f'{s.round}'": "an f-string",
    "total = sum([s.round, 1])": "a list ",
    "table = {1: 2}": "a dict ",
    "some = {1, 2}": "a set ",
    "begin(s, players=2)": "an argument by name",
    "s.round = s.round is None": "`is`",
    "s.round = 3 in s.played": "`in`",
    "s.played[:] = s.deck": "a slice that is assigned",
    "s.round = s.hands[0, 1]": "two indices in one pair of brackets",
    "import math": "an import within a function",
    "reveal(s)": "recursion is not in the subset (reveal calls reveal)",
    "total = HAND / 2": "a fraction",
    "total = 0.5": "a fraction",
    "total = float(HAND)": "a fraction",
    "total = random.randint(1, 6)": "random is not in the subset; draw from the seed",
    "global CARDS": "global",
    "yield 1": "a generator ",
}


@pytest.mark.parametrize("line", SUBSET)
def test_what_is_not_in_the_subset_is_named_with_file_line_and_function(broken, line):
    book = broken(("rules.py", "    best = 0\n", f"    {line}\n    best = 0\n"))
    (sentence,) = lint(book)
    where = 86 if "recursion" in sentence else 87
    assert sentence.startswith(f"broken{book.words.__package__[6:]}/rules.py:{where} reveal: {SUBSET[line]}")


def test_what_no_rule_calls_may_be_any_python(broken):
    book = broken(("rules.py", "def deal(", "def helper(cards):\n    return [c for c in cards]\n\n\ndef deal("))
    assert list(lint(book)) == []


def test_the_players_of_a_game_may_weigh_in_fractions(broken):
    steady = "            best = card\n    return "
    assert list(lint(broken(("rules.py", f"{steady}best", f"{steady}int(best * 1.0)")))) == []


@pytest.mark.parametrize("rule", ["    reveal(s)", "    n = 0\n    for card in range(10):"])
def test_a_loop_that_never_ends_is_named_with_its_line_and_step(broken, rule):
    book = broken(("rules.py", rule, f"    while s.round == 1:\n        unseen(s, 0)\n{rule}"))
    began = monotonic()
    (finding,) = PROPERTY["asks"](book, patience=0.5)
    function = "apply" if "reveal" in rule else "legal"
    assert re.match(rf"{function} \({book.id}/rules.py:\d+\) does not return in 0.5 seconds.", finding.sentence)
    assert finding.move > 1
    assert len(finding.played["moves"]) >= finding.move - 1
    assert monotonic() - began < 60  # it ended at all


def test_a_limit_of_time_leaves_the_interpreter_as_it_was():
    """An exception that is taken back is pending for ever in CPython 3.11, and then a traced call never ends."""
    imports = "from outbid.testing.source import within\nfrom outbid.testing.watch import limited\n"
    limit = f"{imports}with limited(within(rulebook('rivals'))):\n    pass\n"
    traced = "sys.settrace(lambda *_: None)\n(lambda: None)()\nsys.settrace(None)\nprint('on')"
    code = f"import sys\nfrom outbid.core.rulebook import rulebook\n{limit}{traced}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.stderr) == ("on\n", "")


@pytest.mark.parametrize("collects", [True, False])
def test_no_garbage_is_collected_in_the_middle_of_a_look(collects):
    """CPython 3.11 ends with a segmentation fault where a collection lets the watched thread go on meanwhile."""
    before, collections, walked = (gc.isenabled(), gc.get_threshold()), [], []

    def collected(phase: str, info: dict[str, int]) -> None:
        collections.append(phase)

    def inside(frame: FrameType) -> bool:
        earlier = len(collections)
        assert len([[] for _ in range(50)]) == 50
        walked.append(len(collections) - earlier)
        return False

    watch = Lookout(inside, 1000, threading.get_ident())
    (gc.enable if collects else gc.disable)()
    gc.set_threshold(5)
    gc.callbacks.append(collected)
    try:
        watch.look()
        assert gc.isenabled() == collects
        assert set(walked) == {0}
    finally:
        gc.callbacks.remove(collected)
        gc.set_threshold(*before[1])
        (gc.enable if before[0] else gc.disable)()


def test_a_check_of_the_game_is_made_in_matches_and_in_worlds(broken):
    check = "def asked(s):", "def check(s):\n    assert sum(s.hands[0]) <= 3 - s.round, 'too many'\n\n\ndef asked(s):"
    (finding, *_) = PROPERTY["conserved"](broken(("rules.py", *check)), 5)
    assert "the author's check fails: check (" in finding.sentence
    lost = "def asked(s):", "def check(s):\n    return sum(s.hands[0]) + s.sealed[0] == HAND - s.round\n\n\ndef asked(s):"
    book = broken(("rules.py", *lost), ("rules.py", "range(HAND - s.round):", "range(HAND - s.round - 1):"))
    assert not list(PROPERTY["conserved"](book, 5))
    (finding, *_) = PROPERTY["redeal"](book, 20)
    assert "the author's check says False" in finding.sentence


# --- before a game is compiled ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("s.sealed[seat] = 1", "s.sealed[seat + 9] = 1", r"apply \(broken\d+/rules.py:\d+\) raises IndexError: the index "),
        ("s.players = players", "pass", "the field players is 0; deal must set it. "),
        ("best = 0", "best = sum([0])", r"broken\d+/rules.py:\d+ reveal: a list is not in the subset"),
        ("best = 0", "best = sorted(s.choice)[0]", r"broken\d+/rules.py:\d+ reveal: sorted is not in the subset"),
    ],
)
def test_what_compiled_rules_would_not_notice_or_the_compiler_not_explain_is_one_sentence(broken, old, new, said):
    with pytest.raises(BadRulebook, match=said):
        outbid.Game(broken(("rules.py", old, new)), {}).batch(8, players=3, seed=0)


@pytest.mark.slow
def test_compiled_rules_of_a_game_that_is_not_ours_say_which_index_leads_out_of_a_field(broken, tmp_path):
    """It happens so seldom that a rehearsal does not see it. What is compiled, and kept, names the file as it was then."""
    rare = f"    s.sealed[seat + 9 * (s.points[seat] > 22)] = 1  # {tmp_path}"
    game = outbid.Game(broken(("rules.py", "    s.sealed[seat] = 1", rare)), {})
    batch = game.batch(4096, players=3, seed=0)
    said = r"apply \(broken\d+/rules.py:\d+\) raises IndexError: the index is out of the field, in `s.sealed\[seat \+ 9 \* "

    def play():
        for _ in range(60):
            batch.step(batch.sample())

    with pytest.raises(BadRulebook, match=said):
        play()


# --- the command ------------------------------------------------------------------------------------------------------


def verify(*arguments):
    return CliRunner().invoke(app, ["verify", *arguments])


def test_the_command_passes_a_sound_game_and_tells_who_sees_what():
    done = verify("sealed", "--matches", "3")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "Sealed: 3 random matches for each property, from seed 0."
    held = [line.split()[1] for line in lines if line.startswith("✓")]
    assert held[: len(PROPERTIES)] == [f"{name}:" for name in PROPERTY]
    assert "    hands    owner" in lines
    assert f"{len(held)} properties hold in 3 matches each; these cannot be known from outside:" in lines
    assert any("a field without high: round, deck, hands" in line for line in lines)


def test_the_command_names_a_fault_and_how_to_see_it_again(broken, monkeypatch):
    _, file, old, new, _, says = FAULTS["observe reads a hidden hand"]
    monkeypatch.setitem(books.GAMES._books, "vault", broken((file, old, new)))
    done = verify("vault", "--matches", "5")
    assert done.exit_code == 1
    assert "✗ features: observe writes every feature and reads nothing hidden" in done.stdout
    assert says in done.stdout
    (again,) = [line.strip() for line in done.stdout.splitlines() if "again:" in line and "features" in line]
    assert again.startswith("again: outbid verify vault --property features --seed ")
    assert verify(*again.split()[3:]).exit_code == 1
    found = json.loads(verify("vault", "--matches", "5", "--json").stdout)
    assert not found["passed"]
    (wrong,) = [one for one in found["properties"] if one["name"] == "features"]
    assert wrong["result"] == "found"
    assert wrong["findings"][0]["field"] == "hands"


def test_the_command_reports_a_rule_that_raises_and_tells_who_sees_what_all_the_same(broken, monkeypatch):
    monkeypatch.setitem(books.GAMES._books, "vault", broken(("rules.py", "    best = 0\n", "    best = s.higest\n")))
    done = verify("vault", "--matches", "5")
    assert done.exit_code == 1
    assert "✗ asks" in done.stdout
    assert "has no attribute 'higest'" in done.stdout
    assert re.search(r"^    choice +owner$", done.stdout, re.MULTILINE)


def test_the_command_refuses_a_property_that_is_not_there(capsys):
    done = verify("sealed", "--property", "beauty")
    assert done.exception is not None
    assert "There is no property 'beauty'; there are subset, written, page, deal, asks" in str(done.exception)


@pytest.mark.slow
def test_the_backends_are_compared_where_it_is_asked_for(broken):
    """A number that a record cannot hold wraps there, and does not in plain Python."""
    book = broken(("rules.py", "    s.sealed[seat] = 1\n", "    s.sealed[seat] = 1\n    s.own += 50\n"))
    for prop in (BACKENDS, ROLLOUTS):
        (finding,) = prop(book, 3)
        assert finding.field == book.id
        assert "on the compiled backend" in finding.sentence


@pytest.mark.slow
def test_what_the_compiler_refuses_is_named_with_function_and_line(broken):
    book = broken(("rules.py", "    best = 0\n    for seat", "    best = pow(2, 0, 5) - 1\n    for seat"))
    (finding,) = BACKENDS(book, 1)
    line = f"reveal ({book.id}/rules.py:87) cannot be compiled: best = pow(2, 0, 5) - 1"
    assert finding.sentence == line


def pytest_of(folder, *arguments):
    """What pytest says of a folder that has nothing to do with ours."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    return done.stdout + done.stderr


@pytest.mark.slow
def test_five_lines_make_the_battery_tests_of_a_game(tmp_path):
    """The lines of the module's docstring."""
    lines = outbid.testing.__doc__.split("has more):\n\n")[1].split("\n\n`outbid verify")[0]
    (tmp_path / "test_sealed.py").write_text("from sealed import rulebook\n\n" + textwrap.dedent(lines))
    said = pytest_of(tmp_path)
    assert f"{len(PROPERTIES)} passed" in said, said


@pytest.mark.slow
def test_a_new_game_comes_with_tests_which_find_what_is_broken_in_it(tmp_path):
    game, tests = new_game("big_sale", tmp_path)
    assert tests.name == "test_big_sale.py"
    said = pytest_of(tmp_path, "-W", "error", "--strict-markers")
    assert f"{len(PROPERTIES) + 20} passed" in said, said
    text = game.read_text()
    game.write_text(text.replace("s.taken[seat] += action + 1", "s.taken[seat] += action"))
    said = pytest_of(tmp_path)
    assert "FAILED test_big_sale.py::test_every_coin_lies_on_the_heap_or_was_taken[match 3]" in said, said
    game.write_text(text.replace("s.turn = (s.turn + 1) % s.players", "s.turn = (s.turn + 1) % SEATS"))
    said = pytest_of(tmp_path)
    assert f"AssertionError: {ASKS.title}: asked names seat " in said, said


@pytest.mark.slow
def test_a_module_that_has_no_rulebook_is_told_what_to_write(tmp_path):
    new_game("big_sale", tmp_path)
    (tmp_path / "test_big_sale.py").write_text(
        'pytest_plugins = "outbid.testing.fixtures"\n\n\ndef test_it(outbid_match):\n    pass\n'
    )
    assert "test_big_sale imports no rulebook; write `from my_game import rulebook`." in pytest_of(tmp_path)


@pytest.mark.slow
def test_pytest_loads_nothing_of_ours_unless_a_test_asks_for_it(tmp_path):
    (tmp_path / "test_other.py").write_text(
        "import sys\n\n\ndef test_it():\n    assert not {'outbid', 'numba', 'numpy'} & set(sys.modules)\n"
    )
    assert "1 passed" in pytest_of(tmp_path)
    new_game("big_sale", tmp_path)
    (tmp_path / "conftest.py").write_text("def pytest_sessionfinish():\n    import sys\n    print('numba' in sys.modules)\n")
    said = pytest_of(tmp_path, "--collect-only", "-s")
    assert f"{len(PROPERTIES) + 21} tests collected" in said, said
    assert "False" in said.splitlines()


def test_the_examples_of_the_docs_work():
    assert doctest.testfile(str(DOCS), module_relative=False).failed == 0
