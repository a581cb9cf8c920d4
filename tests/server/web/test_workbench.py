"""`outbid dev`: a real process, a file that is really saved, and its author in Chromium."""

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest
from typer.testing import CliRunner

import outbid
from outbid.cli import app
from outbid.core.errors import OutbidError
from outbid.core.rulebook import GAMES
from outbid.server.settings import Settings
from outbid.server.storage.store import Store
from outbid.server.web.app import create_app
from outbid.server.workbench import FAULT, MATCH, faults
from outbid.server.workbench.bench import Bench, BenchOrder
from outbid.server.workbench.line import Course
from outbid.testing.watch import Lookout, Stuck
from tests.support.browsing import PHONE, expect, fits, visitor
from tests.support.serving import get

TUTORIAL = "tutorial_game.py"
COMMAND = [sys.executable, "-c", "from outbid.cli import main; main()", "dev"]
PATIENCE = 60_000  # ms: the machine may be busy, and verify runs beside
BACK, ON = "One move back", "One move on"


@pytest.fixture
def vault(tmp_path, request):
    """The game of the tutorial, as a file of its author."""
    file = tmp_path / "vault.py"
    file.write_text((request.config.rootpath / "examples" / TUTORIAL).read_text(encoding="utf-8"), encoding="utf-8")
    return file


def saved(file, *edits):
    """An author changes texts of the file and saves it."""
    text = file.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    file.write_text(text, encoding="utf-8")


@contextmanager
def workbench(file, *more):
    """The address of a workbench for a file."""
    command = [*COMMAND, str(file), "--port", "0", "--no-browser", *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=file.parent) as process:
        try:
            assert process.stdout
            said = process.stdout.readline()
            assert said.startswith("Your workbench: http://127.0.0.1:"), said
            yield said.split()[2]
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 0


def opened(page, address):
    """The workbench, with the pages of all seats, whose templates are compiled when they are first asked for."""
    page.set_default_timeout(PATIENCE)
    page.goto(address)


def does(page, name):
    """The author presses a button of the panel."""
    page.locator("#panel").get_by_role("button", name=name, exact=True).first.click()


def at(page, move, of):
    """The match stands at a move."""
    expect(page.locator("#panel h2").first).to_have_text(f"Move {move} of {of}", timeout=PATIENCE)


def seat(page, name):
    """The page of a seat."""
    return page.frame_locator(f'iframe[title="{name}"]')


@pytest.mark.slow
def test_all_seats_are_seen_and_the_match_goes_back_and_on_and_another_way(vault, browser):
    with workbench(vault, "--players", "3", "--seed", "7") as address, visitor(browser, quiet=False) as page:
        opened(page, address)
        purses = outbid.game(str(vault)).new(3, 7).state.purse
        for number in range(3):
            goods = seat(page, f"Player {number + 1}").locator("#goods")
            expect(goods).to_contain_text(re.compile(rf"Purse\s*{purses[number]}\b"))
        expect(seat(page, "Spectator").locator("#dock")).to_contain_text("You are watching")
        does(page, "Bot plays to the end")
        at(page, 18, 18)
        for name in ("Player 1", "Spectator"):
            expect(seat(page, name).locator("#over")).to_be_visible()
        does(page, BACK)
        at(page, 17, 18)
        expect(seat(page, "Player 1").locator("#over")).to_be_hidden()
        does(page, ON)
        at(page, 18, 18)
        page.get_by_label("Move", exact=True).fill("2")
        does(page, "Go")
        at(page, 2, 18)
        page.get_by_role("link", name="Player 3").click()
        expect(seat(page, "Player 3").locator("#log li")).to_have_count(2, timeout=PATIENCE)
        dock = seat(page, "Player 3").locator("#dock")
        dock.locator("input[type=number]").fill("0")
        dock.get_by_role("button", name="Bid", exact=True).click()
        at(page, 3, 3)
        does(page, "Bot plays one move")
        at(page, 4, 4)


def test_a_page_that_connects_while_the_match_goes_back_does_not_bring_its_end_back(vault, tmp_path):
    book = outbid.game(str(vault)).rulebook
    match = outbid.game(str(vault)).new(3, 7)
    while not match.over:
        match.random_move(match.asked[0], 1)
    Course(list(match.names), seed=7, moves=match.moves, at=len(match.moves)).write(tmp_path / MATCH)
    settings = Settings(f"sqlite:///{tmp_path / 'tables.db'}", key="key")
    tables = create_app(settings, Store(settings.database)).state.tables

    async def back():
        bench = Bench(book, tables, tmp_path, BenchOrder(str(vault), "steady", "127.0.0.1", 0, False))
        going = [asyncio.create_task(bench.go(at)) for at in (2, 1)]  # a button is pressed twice
        await asyncio.sleep(0)
        bench.table.tell()  # as when a person comes
        await asyncio.gather(*going)
        return bench.line.at, len(bench.table.playing.moves), len(bench.line.moves)

    assert asyncio.run(back()) == (1, 1, len(match.moves))


@pytest.mark.slow
def test_without_script_the_same_forms_do_the_same(vault, browser):
    with workbench(vault, "--players", "2") as address, visitor(browser, PHONE, script=False) as page:
        opened(page, address)
        does(page, "Bot plays one move")
        does(page, "Bot plays one move")
        at(page, 2, 2)
        does(page, BACK)
        at(page, 1, 2)
        page.get_by_role("link", name="Spectator").click()
        expect(seat(page, "Spectator").locator("#dock")).to_contain_text("You are watching")
        fits(page)


@pytest.mark.slow
def test_a_saved_file_is_on_the_table_and_one_with_an_error_is_not(vault, browser):
    with workbench(vault, "--players", "3", "--seed", "7") as address, visitor(browser, quiet=False) as page:
        opened(page, address)
        for move in range(1, 8):
            does(page, "Bot plays one move")
            at(page, move, move)
        does(page, BACK)
        at(page, 6, 7)
        saved(vault, ('title="Strongroom"', 'title="Cellar"'))
        expect(page.locator("h1")).to_contain_text("Cellar", timeout=PATIENCE)
        at(page, 6, 7)
        saved(vault, ("s.round += 1", "s.round += = 1"))
        line = vault.read_text(encoding="utf-8").split("s.round += =")[0].count("\n") + 1
        unread = page.locator("#unread")
        expect(unread).to_contain_text(f"vault.py:{line}", timeout=PATIENCE)
        expect(unread.locator(".here")).to_contain_text("s.round += = 1")
        does(page, ON)
        at(page, 7, 7)
        saved(vault, ("s.round += = 1", "s.round += 1"), ("return s.purse[seat] + 1", "return 1"))
        stop = page.locator("#stop")
        expect(stop).to_contain_text("is not possible", timeout=PATIENCE)
        assert "geht nicht" in page.request.get(page.url, headers={"Accept-Language": "de"}).text()
        expect(unread).to_have_count(0)
        expect(stop).to_contain_text(re.compile(r"move 1, “Player 1: bid \d+”"))
        at(page, 0, 0)
        apply = "def apply(s, seat, action):\n"
        saved(vault, ("return 1\n", "return s.purse[seat] + 1\n"), (apply, apply + "    s.bid[9] = 1\n"))
        expect(stop).to_contain_text(re.compile(r"apply \(\S*vault.py:\d+\) raises IndexError"), timeout=PATIENCE)
        does(page, "Bot plays one move")
        expect(page.locator("#fault .here")).to_contain_text("s.bid[9] = 1")
        saved(vault, ("    s.bid[9] = 1\n", ""))
        expect(page.locator("#fault")).to_have_count(0, timeout=PATIENCE)
        does(page, "New match")
        at(page, 0, 0)


LOOP = "    while s.round == 0:\n        pass\n"
BAD = {
    "a syntax error": ("s.round += 1", "s.round += = 1", "SyntaxError: invalid syntax", "s.round += = 1"),
    "an import error": ("import sys\n", "import sys\nimport nowhere\n", "No module named 'nowhere'", "import nowhere"),
    "below a form feed": ("import sys\n", "\f\nimport sys\nimport nowhere\n", "No module named", "import nowhere"),
    "a loop without end": ("import sys\n", "import sys\nwhile True:\n    sys\n", "does not return in 0.5 seconds.", ""),
    "a deal without end": ("    s.players = players\n", LOOP, "deal (", ""),
    "a menu without end": ("    for amount in range", f"{LOOP}    for amount in range", "legal (", ""),
    "a sentence that fails": ("    lines = [f", "    after.nothing\n    lines = [f", "told (", "after.nothing"),
    "an end": ("import sys\n", "import sys\nsys.exit(1)\n", "SystemExit: 1", "sys.exit(1)"),
    "half a file": ('    title="Strongroom",', None, "SyntaxError: '(' was never closed", "rulebook = Rulebook("),
    "another encoding": (
        'title="Strongroom"',
        'title="K\udce4mmerlein"',
        "'utf-8' codec can't decode byte 0xe4",
        "mmerlein",
    ),
}


@pytest.mark.parametrize(("old", "new", "sentence", "source"), BAD.values(), ids=[*BAD])
def test_what_cannot_be_played_is_refused_with_its_line(vault, tmp_path, monkeypatch, old, new, sentence, source):
    monkeypatch.setattr(faults, "READING", 0.5)
    monkeypatch.setattr(faults, "PATIENCE", 0.5)
    monkeypatch.setattr("outbid.server.workbench.line.PATIENCE", 0.5)
    with GAMES.apart():
        match = outbid.game(str(vault)).new(3, 7)
        match.random_move(match.asked[0], 1)
    Course(list(match.names), seed=7, moves=match.moves, at=1).write(tmp_path / MATCH)
    first, _, last = vault.read_text(encoding="utf-8").partition(old)
    assert last
    text = first if new is None else first + new + last
    vault.write_bytes(text.replace("\n", "\r\n").encode(errors="surrogateescape"))
    with GAMES.apart(), pytest.raises(SystemExit) as ended:
        faults.tried(str(vault), tmp_path)
    assert ended.value.code == faults.REFUSED
    fault = json.loads((tmp_path / FAULT).read_text(encoding="utf-8"))
    assert sentence in fault["sentence"]
    assert source in dict(fault["lines"]).get(fault["line"], "")


@pytest.mark.slow
def test_a_file_that_is_saved_while_it_is_tried_leaves_the_table(vault, browser):
    with workbench(vault, "--players", "5") as address, visitor(browser, quiet=False) as page:
        opened(page, address)
        unread = page.locator("#unread")
        good = vault.read_text(encoding="utf-8")
        for text in (good + "\n", ""):  # the second while the first is tried
            vault.write_text(text, encoding="utf-8")
            time.sleep(0.6)
        expect(unread).to_contain_text("defines no rulebook", timeout=PATIENCE)
        vault.unlink()
        expect(unread).to_contain_text("There is no file", timeout=PATIENCE)
        vault.write_text(f"{good}\nimport os\nos._exit(3)\n", encoding="utf-8")
        expect(unread).to_contain_text("ends the process, with status 3", timeout=PATIENCE)
        does(page, "Bot plays one move")
        at(page, 1, 1)
        draft = vault.with_suffix(".draft")
        draft.write_text(good.replace("SEATS = 5", "SEATS = 4"), encoding="utf-8")
        draft.replace(vault)
        expect(page.locator("#stop")).to_contain_text("this is a new one: Strongroom is for 2 to 4", timeout=PATIENCE)
        expect(page.locator(".seats a")).to_have_count(5)  # four, and the spectator
        at(page, 0, 0)


def test_a_match_that_cannot_be_dealt_any_more_is_a_new_one_with_what_is_left_of_it(vault):
    book = outbid.game(str(vault)).rulebook
    played = outbid.game(str(vault)).new(2, 5)
    played.random_move(0, 1)
    gone = Course(["Ada", "Ben"], {"rounds": 3, "lots": 2}, deal={"lots": 2}, moves=played.moves, at=1)
    crowd = Course(list("ABCDEFG"), {"rounds": 99})
    for course, left, reason in (
        (gone, (["Ada", "Ben"], {"rounds": 3}), "no option"),
        (crowd, (list("ABCDE"), {}), "Option rounds is 99"),
    ):
        match, stop = course.replayed(book)
        assert (match.names, course.options) == left
        assert (match.moves, course.moves, course.at) == ([], [], 0)
        assert stop is not None
        assert stop.number == 0
        assert reason in stop.reason


def test_a_rule_that_does_not_return_is_ended_wherever_it_runs():
    watch = Lookout(lambda frame: frame.f_code is endless.__code__, 0.05)
    ended = []

    def endless():
        while not ended:
            pass

    def runs():
        try:
            endless()
        except Stuck as error:
            ended.append(str(error))

    thread = threading.Thread(target=runs)
    thread.start()
    while not ended:
        watch.look()
        time.sleep(0.02)
    thread.join()
    assert re.fullmatch(r"endless \(\S+test_workbench.py:\d+\) does not return in 0.05 seconds.", ended[0])


@pytest.mark.slow
def test_verify_runs_beside_the_table_and_what_it_finds_is_opened(vault, browser):
    spent = "        s.purse[winner] -= best\n"
    saved(vault, (spent, spent.replace("best", "best + 40")))
    fair = "    fair = s.prize // 2"
    saved(vault, (fair, f"    for _i in range(8_000_000):\n        pass\n{fair}"))
    with workbench(vault, "--players", "2") as address, visitor(browser) as page:
        opened(page, address)
        does(page, "Bot plays one move")
        expect(page.locator(".caution")).to_contain_text(re.compile(r"steady \(\S*vault\.py:\d+\) took \d+ ms"))
        expect(page.locator("#verify")).to_contain_text("✓ subset", timeout=PATIENCE)
        page.get_by_role("button", name="Open this position").first.click(timeout=120_000)
        expect(page.locator("#panel h2").first).not_to_have_text("Move 1 of 1", timeout=PATIENCE)


@pytest.mark.slow
def test_a_record_is_opened_at_a_move(vault, browser, tmp_path):
    match = outbid.game(str(vault)).new(2, 5, ["Ada", "Ben"])
    for _ in range(6):
        match.random_move(match.asked[0], 1)
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join([json.dumps(match.record())] * 2), encoding="utf-8")
    with workbench(vault, "--from", f"{file}:2", "--at", "4") as address, visitor(browser) as page:
        opened(page, address)
        at(page, 4, 6)
        expect(page.get_by_role("link", name="Ben")).to_be_visible()


@pytest.fixture
def taken():
    """A port where another program listens."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        yield door.getsockname()[1]


def test_what_cannot_be_is_refused_in_one_sentence(vault, tmp_path, taken):
    foreign, own = tmp_path / "rivals.json", tmp_path / "own.json"
    foreign.write_text(json.dumps(outbid.game("rivals").new(2).record()), encoding="utf-8")
    own.write_text(json.dumps(outbid.game(str(vault)).new(2).record()), encoding="utf-8")
    broken = tmp_path / "broken.py"
    broken.write_text("import sys\nx = = 1\n", encoding="utf-8")
    refusals = {
        (str(tmp_path / "none.py"),): "There is no file",
        (str(broken),): "broken.py:2: SyntaxError",
        (str(vault), "--host", "0.0.0.0"): "listens on 127.0.0.1 alone",
        (str(vault), "--from", str(foreign)): "is a record of the game 'rivals'; this is 'strongroom'",
        (str(vault), "--from", str(own), "--at", "7"): "The match has 0 moves; it cannot be opened at move 7",
        (str(vault), "--from", f"{own}:3"): "there is no record 3",
        (str(vault), "--from", str(own), "--seed", "3"): "--seed: not with --from",
        (str(vault), "--at", "3"): "--at: not without --from",
        (str(vault), "--bot", "nobody"): "nobody",
        (str(vault), "--port", str(taken)): f"cannot listen at 127.0.0.1 on port {taken}",
    }
    for arguments, sentence in refusals.items():
        error = CliRunner().invoke(app, ["dev", *arguments, "--no-browser"]).exception
        assert isinstance(error, OutbidError), (arguments, error)
        assert sentence in str(error)
        assert "\n" not in str(error)


def test_other_servers_have_no_workbench(server):
    assert get(f"{server}/workbench").status_code == 404


@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
@pytest.mark.slow
def test_a_workbench_that_is_ended_leaves_nothing_behind(vault):
    command = [*COMMAND, str(vault), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = process.stdout.readline().split()[2]
        process.terminate()
        assert process.wait(timeout=60) == 0
        assert process.stdout.read() == ""  # who else had it open has ended, too
    with socket.socket() as door:
        host, port = re.search(r"//(.*):(\d+)/", address).groups()
        assert door.connect_ex((host, int(port)))
