"""Other people's checks on our environments, unmodified, as `benchmarks/libraries.py` runs them for docs/libraries.txt."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _libraries():
    spec = importlib.util.spec_from_file_location("libraries", ROOT / "benchmarks" / "libraries.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore")  # the libraries' own
@pytest.mark.parametrize(
    ("name", "says"),
    [("torchrl", "rivals: check_env_specs succeeded"), ("tianshou", "8 matches"), ("supersuit", "observations (8, 238)")],
)
def test_what_is_not_held_elsewhere_runs_too(name, says, capsys):
    pytest.importorskip(name, reason=f"{name} is not installed")
    _libraries().LIBRARIES[name][1]()
    assert says in capsys.readouterr().out


def test_what_is_missing_is_named_and_what_fails_is_told(monkeypatch, capsys):
    libraries = _libraries()
    monkeypatch.setitem(libraries.LIBRARIES, "nowhere", ("no-where", lambda: None))
    monkeypatch.setitem(libraries.LIBRARIES, "json", ("numpy", lambda: 1 / 0))
    monkeypatch.setattr(sys, "argv", ["libraries.py", "nowhere"])
    assert libraries.main() == 0
    assert capsys.readouterr().out.strip() == "== no-where is not installed"
    monkeypatch.setattr(sys, "argv", ["libraries.py", "json"])
    assert libraries.main() == 1
    assert "FAILED: ZeroDivisionError" in capsys.readouterr().out


def test_the_output_in_the_docs_names_every_library_and_no_failure():
    told = (ROOT / "docs" / "libraries.txt").read_text(encoding="utf-8")
    for package, _run in _libraries().LIBRARIES.values():
        assert f"== {package} " in told
    assert "FAILED" not in told
    assert "not installed" not in told
