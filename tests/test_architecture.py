"""The house: imports point downwards, the engine knows no game, importing is quick work."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import outbid

SOURCE = Path(outbid.__file__).parent
FLOORS = ("engine", "games", "testing", "bots", "solve", "lab", "server", "adapters")


def modules():
    return sorted(SOURCE.rglob("*.py"))


def floor(path):
    first = path.relative_to(SOURCE).parts[0]
    return FLOORS.index(first) if first in FLOORS else len(FLOORS)


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{a.name}" for a in node.names]
        yield from (name for name in names if name.startswith("outbid."))


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_point_downwards(path):
    for name in imported(path):
        part = name.split(".")[1]
        if part in FLOORS:
            assert FLOORS.index(part) <= floor(path), f"{path.name} imports {name}"


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_game_imports_only_the_engine_and_itself(path):
    parts = path.relative_to(SOURCE).parts
    if parts[0] == "games" and len(parts) > 2:
        for name in imported(path):
            assert name.startswith(("outbid.engine.", f"outbid.games.{parts[1]}"))


def test_the_engine_names_no_game(book):
    for path in (SOURCE / "engine").glob("*.py"):
        code = ast.parse(path.read_text(encoding="utf-8"))
        constants = [node.value for node in ast.walk(code) if isinstance(node, ast.Constant)]
        strings = {value for value in constants if isinstance(value, str) and "\n" not in value}
        assert book.id not in strings
        assert all(book.id not in name for name in imported(path))


@pytest.mark.parametrize("heavy", ["numba", "numpy", "fastapi", "sqlalchemy", "typer"])
def test_importing_outbid_loads_nothing_heavy(heavy):
    code = f"import outbid, sys; outbid.game('kuhhandel').new(players=3); sys.exit({heavy!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_person_at_a_table_never_waits_for_a_compiler():
    code = """if True:
        import sys
        import outbid, outbid.server.app
        from outbid.bots import choose
        match = outbid.game("kuhhandel").new(players=3, seed=1)
        for n in range(60):
            seat = match.asked[0]
            match.play_steps(seat, choose(match, seat, "steady", n).actions)
            match.view(0), match.log(0), match.legal(0)
        sys.exit("numba" in sys.modules)
    """
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
