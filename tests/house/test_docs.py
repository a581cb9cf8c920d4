"""Every block of Python in docs/research.md runs, one after the other, as a reader would run them; its table names tests."""

from __future__ import annotations

import pkgutil
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

import outbid
from outbid.bots import load_bot, naming
from outbid.core.rulebook import rulebook
from outbid.lab.simulate import simulate
from tests.support.commands import outbid_command

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "research.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, flags=re.S)
NEEDS = ("gymnasium", "pettingzoo", "pyspiel", "sb3_contrib", "pufferlib")


@pytest.fixture(autouse=True)
def bots_of_files():
    """A bot of a file that a test has loaded is gone after it."""
    with naming.BOTS.apart():
        yield


def lacking(code: str) -> list[str]:
    return [name for name in NEEDS if re.search(rf"^\s*(import|from) (outbid\.adapters import )?{name}\b", code, re.M)
            and find_spec(name) is None]  # fmt: skip


# what trains takes as long as all other blocks
NUMBERS = [pytest.param(n, marks=pytest.mark.deep if ".learn(" in code else []) for n, code in enumerate(BLOCKS) if n]


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.filterwarnings("default")
def test_every_block_of_python_in_the_document_runs(number, tmp_path, monkeypatch):
    code = BLOCKS[number]
    if missing := lacking(code):
        pytest.skip(f"{', '.join(missing)} is not installed")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, f"research.md, block {number}", "exec"), {})


@pytest.mark.slow
def test_the_first_example_of_the_document_learns(capsys):
    exec(compile(BLOCKS[0], "research.md, block 0", "exec"), {})
    shares = [float(line.split(" %")[0]) for line in capsys.readouterr().out.splitlines()]
    assert shares[0] < 60
    assert min(shares[-5:]) > 75


def test_the_ten_line_bot_of_the_document_plays_whole_matches_by_its_name(tmp_path, monkeypatch):
    (code,) = [block for block in BLOCKS if "class Frugal" in block]
    (tmp_path / "frugal.py").write_text(code.split("\n\nv = ")[0], encoding="utf-8")
    assert len(code.split("\n\nv = ")[0].partition("class ")[2].strip().splitlines()) <= 13
    monkeypatch.chdir(tmp_path)
    book = rulebook("rivals")
    assert load_bot("frugal.py:Frugal", book).name == "frugal"
    found = simulate(book, {}, 2, 6, 0, ["frugal.py:Frugal", "random"])
    assert found.unfinished == 0
    table = ("rivals", "-n", 2, "--bots", "frugal.py:Frugal")
    done = outbid_command("simulate", *table, "-g", 1, folder=tmp_path)
    assert "frugal.py:Frugal" in done.stdout
    assert done.returncode == 0
    played = outbid_command("play", *table, "--plain", given="quit\n", folder=tmp_path)
    assert (played.returncode, "frugal" in played.stdout.lower()) == (0, True), played.stderr


def test_the_table_of_libraries_names_tests_that_are_there():
    named = re.findall(r"\| `(tests/[a-z_/]+\.py)` \|", TEXT)
    assert len(named) >= 10
    assert all((ROOT / name).exists() for name in named)


PAGES = sorted([*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
ROOMS = "|".join(module.name for module in pkgutil.iter_modules(outbid.__path__))
FILES = (".py", ".md", ".db", ".sql", ".env", ".npz", ".svg", ".log", ".service", ".org")


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_module_and_name_that_a_page_names_is_there(page):
    found = re.findall(r"`([^`\n]+)`|^```py(?:thon)?\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    code = "\n".join("".join(one) for one in found)
    for name in set(re.findall(rf"(?<![\w./])(?:outbid\.)?(?:{ROOMS})(?:\.[A-Za-z_]+)+", code)):
        full = name if name.startswith("outbid.") else f"outbid.{name}"
        if full.startswith("outbid.adapters."):  # which may need a package that is not installed
            assert find_spec(full) is not None
        elif not name.endswith(FILES):
            pkgutil.resolve_name(full)


def test_what_the_document_links_to_is_there():
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", TEXT) if "://" not in link]
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []
