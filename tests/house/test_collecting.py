"""What is done before tests are collected, and how they are chosen."""

from __future__ import annotations

import ast
import sys
from types import SimpleNamespace

import pytest

from tests import conftest


def test_a_module_that_is_no_python_stops_nothing_before_pytest_names_it(tmp_path, monkeypatch, pytestconfig):
    (tmp_path / "test_a.py").write_text("def test_one():\n    assert True\n")
    (tmp_path / "test_b.py").write_text("def (")
    monkeypatch.setattr(conftest, "HERE", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    worker = {"workerid": "gw0", "workercount": 1}
    config = SimpleNamespace(workerinput=worker, args=[tmp_path], stash=pytestconfig.stash, getini=pytestconfig.getini)
    conftest.pytest_sessionstart(SimpleNamespace(config=config))
    assert [file.name.partition(".")[0] for file in tmp_path.rglob("*.pyc")] == ["test_a"]


def test_nothing_that_takes_long_is_imported_to_collect_tests(pytestconfig):
    heavy = {"torch", "pyspiel", "mcp", "inspect_ai", "stable_baselines3", "matplotlib.pyplot", "distributed"}
    assert not heavy & pytestconfig.stash[conftest.COLLECTED]


def test_of_tests_marked_slow_or_generic_make_test_takes_those_of_some_games_and_make_slow_the_others(monkeypatch):
    def item(game, *marks):
        by_name = {one.name: one for one in marks}
        params = SimpleNamespace(params={"game": game})
        return SimpleNamespace(nodeid=game, callspec=params, obj=None, location=(game,), get_closest_marker=by_name.get)

    mark = pytest.mark
    items = [
        item("claim"), item("claim", mark.slow.mark), item("money", mark.slow(but=("money",)).mark),
        item("forex", mark.slow(but=("money",)).mark), item("rivals", mark.generic.mark), item("money", mark.generic.mark),
        item("claim", mark.deep.mark), item("money", mark.deep.mark, mark.slow.mark), item("claim", mark.deeper.mark),
        item("sealed", mark.generic.mark),
    ]  # fmt: skip
    left: list[str] = []
    hook = SimpleNamespace(pytest_deselected=lambda items: left.extend(items))

    def chosen(*args, deep=False, slow=False):
        monkeypatch.setattr(conftest, "DEEP", deep)
        monkeypatch.setattr(conftest, "SLOW", slow)
        left.clear()
        kept = items[:]
        conftest.pytest_collection_modifyitems(SimpleNamespace(args=args, hook=hook), kept)
        assert len(kept) + len(left) == len(items)
        return [items.index(one) for one in kept]

    monkeypatch.setattr(conftest, "UNTIL", 0)
    assert chosen("tests") == [0, 2, 8, 9]
    assert chosen("tests", slow=True) == [1, 3, 4]
    assert chosen("tests", deep=True) == [5, 6, 7, 8]
    assert chosen("tests/core/test_match.py::test_one") == list(range(len(items)))


@pytest.mark.slow
def test_no_test_imports_a_test():
    for path in conftest.HERE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            assert not [name for name in names if ".test_" in f".{name}" and name.split(".")[0] != "pettingzoo"], path


def test_ci_skips_no_test_for_want_of_a_program(monkeypatch):
    monkeypatch.setattr(conftest, "CI", True)
    reasons = {"PostgreSQL is not installed": "failed", "no time is left for more (OUTBID_UNTIL)": "skipped"}
    for reason, outcome in reasons.items():
        report = SimpleNamespace(skipped=True, outcome="skipped", longrepr=("test_one.py", 1, f"Skipped: {reason}"))
        assert conftest.not_skipped_in_ci(report).outcome == outcome


@pytest.mark.slow
def test_what_a_page_is_waited_for_is_a_function():
    """An expression that is not true at once would be evaluated in the page, which its policy forbids."""
    for path in conftest.HERE.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "wait_for_function":
                awaited = ast.unparse(call.args[0])
                assert "=>" in awaited or not awaited.startswith(("'", '"', "f'", 'f"')), f"{path.name}: {awaited}"
