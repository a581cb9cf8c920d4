"""Games and bots of other packages: one that is broken is named, and everything else works; the order of imports is free."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from outbid.core.rulebook import rulebooks

RAISES = "raise RuntimeError('needs a library\\nthat is not here')\n"
BOT = """
from outbid.bots import BOTS, Decision, Seat

class Timid:
    name, summary = "timid", "plays as steady does"

    def decide(self, seat: Seat) -> Decision:
        return BOTS["steady"].decide(seat)

timid = Timid()
"""


class Packages:
    """A folder of packages with metadata, as an installer leaves them, and Python where they are."""

    def __init__(self, folder: Path):
        self.folder = folder

    def write(self, name: str, source: str, points: str) -> None:
        (self.folder / f"{name}.py").write_text(source, encoding="utf-8")
        facts = self.folder / f"outbid_{name}-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text(f"Metadata-Version: 2.1\nName: outbid-{name}\nVersion: 1.0\n", encoding="utf-8")
        (facts / "entry_points.txt").write_text(points, encoding="utf-8")

    def run(self, code: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(self.folder), *sys.path])}
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False)


@pytest.fixture
def packages(tmp_path: Path) -> Packages:
    return Packages(tmp_path)


def command(*arguments: str) -> str:
    return f"import sys; sys.argv[1:] = {list(arguments)}; from outbid.cli import main; main()"


def test_a_game_that_raises_on_import_is_one_line_and_all_other_games_are_there(packages):
    packages.write("broken", RAISES, "[outbid.games]\nbroken = broken:rulebook\n")
    listed = packages.run(command("games"))
    assert listed.returncode == 0
    assert "rivals" in listed.stdout
    said = "'broken' of the package outbid-broken (outbid.games, broken:rulebook) cannot be loaded: "
    assert listed.stderr == f"Warning: {said}RuntimeError: needs a library that is not here.\n"
    asked = packages.run(command("rules", "broken"))
    assert asked.returncode == 2
    assert asked.stderr.splitlines()[-1] == f"{said}RuntimeError: needs a library that is not here."
    assert packages.run(command("rules", "rivals")).stderr == ""  # nothing is said of what nobody asks for


@pytest.mark.slow
def test_a_bot_that_raises_on_import_is_one_line_and_all_other_bots_play(packages):
    packages.write("wild", RAISES, "[outbid.bots]\nwild = wild:bot\n")
    played = packages.run(command("simulate", "rivals", "-n", "2", "-g", "1", "--bots", "random"))
    assert played.returncode == 0
    assert played.stderr.startswith("Warning: 'wild' of the package outbid-wild (outbid.bots, wild:bot) cannot be loaded: ")
    assert len(played.stderr.splitlines()) == 1
    asked = packages.run(command("simulate", "rivals", "-n", "2", "-g", "1", "--bots", "wild"))
    assert asked.returncode == 2
    assert "'wild' of the package outbid-wild" in asked.stderr.splitlines()[-1]


def test_an_entry_point_that_names_something_else_is_a_warning_too(packages):
    points = "[outbid.games]\nodd = odd:rulebook\n[outbid.bots]\nodd = odd:bot\n"
    packages.write("odd", "rulebook = 3\nbot = 'steady'\n", points)
    said = packages.run("import outbid, outbid.bots; outbid.rulebooks(); print('odd' in outbid.bots.BOTS)")
    assert said.returncode == 0
    assert said.stdout == "False\n"
    assert "it is of the type int, and not a Rulebook" in said.stderr
    assert "it is of the type str, and not a bot" in said.stderr


@pytest.mark.parametrize("first", ["import timid", "import outbid.bots", "import timid, outbid.cli"])
def test_a_package_with_a_bot_may_be_imported_before_the_bots_or_after(packages, first):
    packages.write("timid", BOT, "[outbid.bots]\ntimid = timid:timid\n")
    code = f"{first}\nimport timid\nfrom outbid.bots import BOTS, bot\nassert bot('timid') is timid.timid is BOTS['timid']"
    done = packages.run(code)
    assert done.returncode == 0
    assert done.stderr == ""


def test_installed_games_are_looked_for_once(monkeypatch):
    asked = []
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **which: asked.append(which) or ())
    monkeypatch.syspath_prepend("/nowhere")  # where else to look: once more
    for _ in range(3):
        rulebooks()
    assert asked == [{"group": "outbid.games"}]
