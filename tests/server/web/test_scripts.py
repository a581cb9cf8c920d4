"""The scripts of the pages, checked by TypeScript as `tsconfig.json` says: their types stand in comments."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OWN = ROOT / ".venv" / "node_modules" / ".bin" / "tsc"  # .ci/run installs it there


def checked(*arguments: str) -> str:
    """What TypeScript says; without it the test is skipped."""
    compiler = str(OWN) if OWN.exists() else shutil.which("tsc")
    if compiler is None or not shutil.which("node"):
        pytest.skip("TypeScript is not installed (npm install --prefix .venv typescript).")
    return subprocess.run([compiler, *arguments], cwd=ROOT, capture_output=True, text=True, check=False).stdout


@pytest.mark.slow
def test_the_scripts_have_no_type_error():
    assert checked("-p", ".") == ""


@pytest.mark.slow
def test_a_wrong_type_would_be_found(tmp_path: Path):
    (tmp_path / "wrong.js").write_text("/** @param {number} n */\nconst twice = (n) => 2 * n;\ntwice('two');\n")
    assert "TS2345" in checked("--noEmit", "--allowJs", "--checkJs", "--strict", str(tmp_path / "wrong.js"))
