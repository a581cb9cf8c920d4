"""Every example of docs/hooks.md runs, each where its hook is called."""

from __future__ import annotations

import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import numpy as np
import pytest

import outbid
from outbid.bots import naming
from outbid.core.rulebook import rulebook
from outbid.lab import exploit
from outbid.lab.arena import one_against_others
from outbid.lab.experiments import measures
from outbid.lab.simulate import simulate
from outbid.testing import PROPERTIES

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "hooks.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^## (\w+)\n.*?```python\n(.*?)```", TEXT, flags=re.S | re.M))
LEAST = 10  # lines that an example may have; a game is a whole one


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """The examples lie in this folder, from which they can be imported."""
    for code in BLOCKS.values():
        if named := re.match(r"# (\w+\.py):", code):
            (tmp_path / named[1]).write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with naming.BOTS.apart():
        yield


def test_every_hook_of_the_table_has_an_example():
    assert [name.lower() for name in BLOCKS] == re.findall(r"^\| \[(\w+)\]", TEXT, flags=re.M)
    for name, code in BLOCKS.items():
        statements = [line for line in code.splitlines() if line and not line.startswith(("#", "from ", "import "))]
        assert len(statements) <= (30 if name == "Game" else LEAST), name


def test_a_game():
    book = rulebook("sticks.py")
    for prop in PROPERTIES:
        prop.check(book, 3)
    match = outbid.game("sticks").new(players=2, seed=0)
    for text in ("take 2", "take 2", "take 1"):
        match.play(match.asked[0], text)
    assert match.winners == [0]
    assert outbid.read_record(match.record()).scores == match.scores
    with pytest.raises(outbid.BadOption, match=r"Sticks has no option 'pile'; it has none\."):
        book.check_players(2, {"pile": 1})


def test_a_bot():
    assert simulate(rulebook("rivals"), {}, 2, 1, 0, ["hasty.py:hasty", "random"]).unfinished == 0


def test_a_measure():
    book = rulebook(str(ROOT / "examples" / "tutorial_game.py"))
    final = np.zeros(1, book.layout.dtype)
    final["purse"][0, :3] = (4, 9, 2)
    assert measures.function("purses.py:richest")(final, 3) == 9
    assert measures.function("purses.py:long")(outbid.game(book.id).new(3)) == 0


def test_an_exploiter():
    book = rulebook("rivals")
    assert ("given", "greedy.py:greedy") in exploit.known(book, {}, "random", others=["greedy.py:greedy"])
    assert 0 <= one_against_others(book, {}, 2, "greedy.py:greedy", "random", 2, 0).measured.mean <= 1


def test_a_screen(monkeypatch, tmp_path):
    facts = tmp_path / "imprint-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: imprint\nVersion: 1.0\n", encoding="utf-8")
    (facts / "entry_points.txt").write_text("[outbid.screens]\nimprint = imprint\n", encoding="utf-8")
    from starlette.testclient import TestClient

    from outbid.server.settings import Settings
    from outbid.server.web import app, screens

    monkeypatch.setattr(app, "ROUTES", tuple(screens.routes()))
    with TestClient(app.create_app(Settings(database=f"sqlite:///{tmp_path / 'tables.db'}"))) as http:
        assert "This table is run by Ada." in http.get("/imprint").text


def test_a_notice():
    from turns import turns

    from outbid.server.domain.notices.delivery import Hook

    got = []

    class Reader(BaseHTTPRequestHandler):
        def do_POST(self):
            got.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Reader) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        payload = {"event": "turn", "tables": [{"link": "https://example.org/t/1"}]}
        Hook(anywhere=True).send(f"http://127.0.0.1:{server.server_port}/", payload, "key")
    assert turns(*got[0], "key") == ["https://example.org/t/1"]
    with pytest.raises(ValueError, match="does not fit"):
        turns(*got[0], "another key")


def test_a_clock():
    names: dict = {}
    exec(compile(BLOCKS["Clock"], "hooks.md, clock", "exec"), names)
    assert (names["live"].bank, names["slow"].each) == (180, 12 * 3600)
