"""The core alone: its commands work, and a command whose extra is not installed names it in one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKS = {
    "games": "rivals  Rivals",
    "rules kuhhandel": "reauction_excludes",
    "play rivals -n 2 --plain --bots random": "You leave the match.",
    "simulate rivals -n 2 --games 3 --json": '"games": 3',
    "check record.json": "1 record, all good.",
    "verify rivals --matches 1": "properties hold in 1 match each; these cannot be known",
    "new-game mine": "mine.py is a game.",
    "lab list": "There are no runs",
}
LACKS = {
    "play rivals": ("`outbid play`", "server", "; or add --plain to play in this terminal"),
    "play rivals --screen": ("The full screen", "terminal", "; or add --plain for line by line"),
    "serve": ("`outbid serve`", "server", ""),
    "admin stats": ("`outbid admin`", "server", ""),
    "join http://127.0.0.1:1/t/abc234 --plain": ("`outbid join`", "terminal", ""),
    "mcp": ("`outbid mcp`", "research", ""),
    "lab compare rivals --b wagers=1 --deals 2 --out run": ("`outbid lab`", "lab", ""),
    "lab tune rivals --over gold_open=0,1 --goal turns=40 --out tuned": ("A search", "lab", ""),
    "data make rivals": ("`outbid data`", "lab", ""),
    "simulate rivals -n 2 --games 2 --on local:1": ("A cluster", "lab", ""),
}
RUN = f"""if True:
    import contextlib, io, json, sys
    import outbid
    from outbid.cli import main

    def run(command):
        out, sys.argv = io.StringIO(), ["outbid", *command.split()]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                code = main() or 0
            except SystemExit as end:
                code = end.code or 0
        return code, out.getvalue()

    match = outbid.game("rivals", "tiny").new(players=2, seed=1)
    while not match.over:
        seat = match.asked[0]
        match.play(seat, match.legal(seat).choices[0].move)
    json.dump(match.record(), open("record.json", "w"))
    print(json.dumps({{command: run(command) for command in {[*WORKS, *LACKS]!r}}}))
"""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What each command says and returns where only the core is installed."""
    command = [sys.executable, "-m", "tests.support.core_only", RUN]
    folder = tmp_path_factory.mktemp("core")
    done = subprocess.run([*command, str(folder)], cwd=ROOT, input="quit\n", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("command", "text"), WORKS.items())
@pytest.mark.slow
def test_a_command_of_the_core_needs_no_extra(said, command, text):
    code, output = said[command]
    assert code == 0, output
    assert text in output


@pytest.mark.parametrize("command", LACKS)
def test_a_command_without_its_extra_names_it_in_one_sentence(said, command):
    what, extra, instead = LACKS[command]
    assert said[command] == [2, f"{what} needs the extra {extra}: pip install 'outbid[{extra}]'{instead}.\n"]
    assert extra in PROJECT["optional-dependencies"]


def test_all_brings_every_extra_that_a_command_or_an_interface_needs():
    (all_of_them,) = PROJECT["optional-dependencies"]["all"]
    extras = set(all_of_them.removeprefix("outbid[").removesuffix("]").split(","))
    assert extras == PROJECT["optional-dependencies"].keys() - {"all", "build", "test", "docs", "peers", "puffer"}
