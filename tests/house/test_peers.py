"""`benchmarks/peers.py` runs, says what it measured in the form it promises, and leaves out what is not there."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from outbid.compiled import loops
from outbid.compiled.backend import entry
from outbid.core.rulebook import Rulebook

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "peers.py"
BRIEF = ("--seconds", "0.05", "--repeats", "2")


def peers(*arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    """What the script says."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([path, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)


@pytest.mark.deep
def test_the_figures_of_our_own_engine_have_the_documented_shape(tmp_path):
    drawing = tmp_path / "peers.svg"
    done = peers("--only", "outbid", "--games", "rivals", *BRIEF, "--json", "--svg", str(drawing))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told.keys() == {
        "processor", "cores", "pinned", "python", "seconds", "repeats", "versions", "skipped", "results",
    }  # fmt: skip
    assert told["pinned"] is None or told["pinned"] in os.sched_getaffinity(0)
    assert list(told["versions"]) == ["outbid"]
    assert told["skipped"] == []
    assert len({one["how"] for one in told["results"]}) == len(told["results"]) == 6
    for one in told["results"]:
        assert one.keys() == {"engine", "game", "how", "step", "rate", "clock", "spread"}
        assert (one["engine"], one["game"]) == ("outbid", "rivals")
        assert one["step"]
        assert one["rate"] > 0
        assert one["clock"] > 0
        assert 0 < one["spread"] <= 1
    assert "outbid: compiled rollouts" in drawing.read_text()


@pytest.mark.slow
def test_what_cannot_be_imported_is_left_out_and_said(tmp_path):
    (tmp_path / "textarena.py").write_text("raise ImportError('there is no text arena here')\n")
    metadata = tmp_path / "textarena-9.9.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: textarena\nVersion: 9.9\n")
    done = peers("--only", "TextArena", *BRIEF, "--json", path=str(tmp_path))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["results"] == []
    assert [one["engine"] for one in told["skipped"]] == ["TextArena"]
    assert "there is no text arena here" in told["skipped"][0]["why"]
    text = peers("--only", "TextArena", *BRIEF, path=str(tmp_path))
    assert "Left out: TextArena" in text.stdout


def test_an_unknown_engine_or_game_is_refused():
    for arguments in (("--only", "chess"), ("--games", "chess")):
        done = peers(*arguments)
        assert done.returncode == 2
        assert "'chess'" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.slow(but=("sealed",))
@pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")
@pytest.mark.generic
def test_the_rules_as_c_play_the_very_same_matches(book: Rulebook):
    in_c = runpy.run_path(str(SCRIPT.with_name("as_c.py")))["entry"]
    made = []
    for compiled in (in_c, entry):
        states = np.zeros(3, book.layout.dtype)
        book.fresh({}).to_record(states, 0)
        mask, obs = np.zeros(book.actions, np.bool_), np.zeros(book.features, np.float32)
        out = np.zeros(book.actions + 64, np.int64)
        run = compiled(book, loops.rollouts_seen)
        steps = int(run(states, 0, 1, 0, 20, book.longest, book.players[1], mask, obs, out))
        made.append((steps, states.tobytes(), mask.tobytes(), obs.tobytes()))
    assert made[0] == made[1]
    assert made[0][0] > 20
