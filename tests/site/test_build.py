"""`outbid site`: what is in the folder, and what is refused."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
from importlib.metadata import requires
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import outbid
from outbid import bots
from outbid.bots.nets import weights
from outbid.core.errors import OutbidError
from outbid.core.rulebook import rulebook
from outbid.review.plain import JudgeNet, PriorNet, course
from outbid.review.puzzles import FILE, read, shipped
from outbid.server.web import pages
from outbid.site import build
from outbid.site.build import HERE, PACKAGE, ROOT, STAMP

MOVES = 12  # of a match, whose chances are compared
REQUIREMENTS = Path(__file__).parents[2] / "requirements"


def pinned(lock: Path) -> dict[str, tuple[str, set[str]]]:
    """The version and the hashes of each library of a lock file."""
    entries = re.findall(r"^([\w.-]+)==(\S+)[^\n]*\n((?:    --hash=\S+[^\n]*\n)+)", lock.read_text(), re.M)
    return {name: (version, set(re.findall("sha256:[0-9a-f]{64}", hashes))) for name, version, hashes in entries}


def test_the_libraries_are_those_of_the_server_with_their_hashes():
    ours, servers = pinned(HERE / "wheels.txt"), pinned(REQUIREMENTS / "play.txt")
    assert ours.keys() == set((HERE / "wheels.in").read_text().split())
    assert all(servers[name] == entry for name, entry in ours.items())
    core = next(need for need in requires("pydantic") or () if need.startswith("pydantic-core"))
    assert core == f"pydantic-core=={ours['pydantic-core'][0]}"


def test_pyodide_has_one_version_and_a_hash():
    wanted = json.loads((HERE / "package.json").read_text())["dependencies"]["pyodide"]
    locked = json.loads((HERE / "package-lock.json").read_text())["packages"]["node_modules/pyodide"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", wanted)
    assert locked["version"] == wanted
    assert locked["integrity"].startswith("sha512-")


def test_a_folder_with_other_things_is_left_as_it_is(tmp_path: Path):
    (tmp_path / "letters.txt").write_text("Dear Ada")
    with pytest.raises(OutbidError, match="is not empty, and no site that this command wrote"):
        build.build(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["letters.txt"]


def test_a_file_is_no_folder(tmp_path: Path):
    (tmp_path / "site").write_text("")
    with pytest.raises(OutbidError, match="name another folder"):
        build.build(tmp_path / "site")


def test_without_node_it_is_said_which_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OutbidError, match=r"needs Node\.js 18 or newer with npm.*there is none here"):
        build.build(tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_an_old_node_is_told_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("node", "npm"):
        (tmp_path / name).write_text("#!/bin/sh\necho v12.22.9\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(OutbidError, match=r"Node\.js 18 or newer.*here is v12\.22\.9"):
        build.build(tmp_path / "site")


@pytest.mark.slow
def test_the_service_worker_knows_the_hash_of_every_file(built: Path):
    role = json.loads((built / "sw.js").read_text().partition("globalThis.SITE = ")[2].partition(";\n")[0])
    files = {path.relative_to(built).as_posix(): path.read_bytes() for path in built.rglob("*") if path.is_file()}
    assert files.keys() == role["files"].keys() | {"sw.js", STAMP}
    for name, digest in role["files"].items():
        assert hashlib.sha256(files[name]).hexdigest() == digest, name
        assert len(files[name]) == role["sizes"][name], name


@pytest.mark.slow
def test_the_site_is_small_enough(built: Path):
    files = [path.read_bytes() for path in built.rglob("*") if path.is_file()]
    assert sum(map(len, files)) < 22e6
    assert sum(len(gzip.compress(content)) for content in files) < 12e6


@pytest.mark.slow
def test_a_site_has_puzzles_of_all_levels_and_at_most_a_hundred_of_a_game(tmp_path: Path):
    build._copy_program(tmp_path)
    for game in ("claim", "forex", "kuhhandel", "money", "rivals"):
        with gzip.open(tmp_path / "outbid/games" / game / FILE, "rt", encoding="utf-8") as lines:
            levels = [puzzle.level for puzzle in read(lines)]
        assert 0 < len(levels) <= build.PUZZLES == 100
        assert set(levels) == {puzzle.level for puzzle in shipped(rulebook(game))}


@pytest.mark.slow
def test_no_file_of_ours_names_another_host(built: Path):
    for path in built.rglob("*"):
        if path.suffix in (".html", ".js", ".css", ".webmanifest") and path.name != "sw.js":
            hosts = set(re.findall(r"https?://[\w.-]+", path.read_text()))
            assert hosts <= {"http://www.w3.org", "http://localhost"}, path
    assert ROOT not in (built / "index.html").read_text()


@pytest.mark.parametrize("game", ["claim", "forex", "kuhhandel", "money", "rivals"])
@pytest.mark.slow(but=("rivals",))
def test_the_nets_of_a_site_say_the_same(tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch):
    match = outbid.game(game).new(players=rulebook(game).players[0], seed=4)
    while not match.over:
        match.play_steps(match.asked[0], bots.choose(match, match.asked[0], "easy", len(match.moves)).actions)
    shipped = list(islice(course(match), MOVES))
    for kind in (JudgeNet, PriorNet):
        source = rulebook(game).folder / kind.FILE
        if source.exists():
            build.write_net(source, tmp_path / kind.FILE)
            assert (tmp_path / kind.FILE).stat().st_size < 0.6 * source.stat().st_size
            monkeypatch.setitem(weights._read, (kind, game), kind.load(rulebook(game), tmp_path / kind.FILE))
    for one, other in zip(shipped, islice(course(match), MOVES), strict=True):
        assert one["chances"] == pytest.approx(other["chances"], abs=0.03)


@pytest.mark.slow
def test_templates_are_the_same_as_code(tmp_path: Path):
    package = tmp_path / "outbid"
    shutil.copytree(PACKAGE / "server/web", package / "server/web", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copytree(PACKAGE / "games", package / "games", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    pages.write_code(package)
    page = (package / "server/web/screens/home/home.html").read_text()
    assert page.startswith("# The code of home/home.html\n")
    templates = pages._environment("/games/outbid")
    code = templates.compile(page, "home/home.html")
    assert "/games/outbid/records" in str(strings(code))
    assert ROOT not in str(strings(code))
    source, filename, _current = templates.loader.get_source(templates, "home/home.html")
    assert strings(code) == strings(templates.compile(source, "home/home.html", filename))


def strings(code: Any) -> list[Any]:
    """All constants of some code."""
    inner = [strings(part) for part in code.co_consts if hasattr(part, "co_consts")]
    return [part for part in code.co_consts if isinstance(part, str)] + inner
