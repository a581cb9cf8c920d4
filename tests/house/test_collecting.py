"""What is done before tests are collected."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import conftest


def test_a_module_that_is_no_python_stops_nothing_before_pytest_names_it(tmp_path, monkeypatch, pytestconfig):
    (tmp_path / "test_a.py").write_text("def test_one():\n    assert True\n")
    (tmp_path / "test_b.py").write_text("def (")
    monkeypatch.setattr(conftest, "HERE", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    worker = {"workerid": "gw0", "workercount": 1}
    config = SimpleNamespace(workerinput=worker, args=[tmp_path], stash=pytestconfig.stash, getini=pytestconfig.getini)
    conftest.pytest_sessionstart(SimpleNamespace(config=config))
    assert [file.name.partition(".")[0] for file in tmp_path.rglob("*.pyc")] == ["test_a"]
