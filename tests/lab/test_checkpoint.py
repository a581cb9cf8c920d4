"""A measurement that is interrupted goes on from there."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from outbid.cli import main
from outbid.core.errors import BadSetup
from outbid.core.rulebook import rulebook
from outbid.lab.arena import arena
from outbid.lab.exploit import Tuning, exploit
from outbid.lab.results_store import ResultsStore
from outbid.runs import runner, sources
from outbid.runs.checkpoint import ABANDONED, Checkpoint, _packed
from tests.support.commands import outbid_command, started

TOY = rulebook("sealed")
RULES = {"rounds": 3}
RIVALS = rulebook("rivals")
DEALS = 20
THREE = ("steady", "random", "easy")


class Enough(Exception):
    """Somebody has stopped it."""


def measure(store, after=None, deals=DEALS, mixed=0, bots=("steady", "random"), options=RULES, alone=("steady",)):
    """An arena; after: so many calls of its progress it is stopped."""
    calls = []

    def progress(_):
        calls.append(1)
        if len(calls) == after:
            raise Enough

    how = {"threads": 2, "alone": () if mixed else alone, "mixed": mixed, "store": store}
    return arena(TOY, options, 2, bots, deals, 7, progress, **how)


@pytest.fixture
def store(tmp_path):
    return ResultsStore(tmp_path / "strength.json")


@pytest.fixture
def deals_played(monkeypatch):
    """The first deals of what is played."""
    found = []
    run = runner.run

    def noted(bots, fresh, seed, first, seating, *rest):
        if len(seating):
            found.append(first)
        run(bots, fresh, seed, first, seating, *rest)

    monkeypatch.setattr(runner, "run", noted)
    return found


def files(store):
    return sorted(store.path.parent.rglob("*.jsonl"))


def lines(store):
    """All that is kept."""
    return [line for file in files(store) for line in file.read_text().split("\n") if line]


@pytest.mark.parametrize(
    ("after", "there", "calls", "how"),
    [
        (6, 0, DEALS, {}),
        (16, 10, 2 * DEALS, {"alone": ()}),
        pytest.param(31, 0, 6 * DEALS + 12, {"mixed": 12, "bots": THREE}, marks=pytest.mark.slow),
    ],
)
def test_what_was_played_before_an_interruption_is_kept_and_the_result_is_the_same(
    store, after, there, calls, how, deals_played
):
    whole = measure(None, **how)
    with pytest.raises(Enough):
        measure(store, after=after, **how)
    kept = len(lines(store)) + there  # what is in the store is not kept a second time
    assert kept >= after
    deals_played.clear()
    went_on = measure(store, **how)
    assert len(deals_played) == calls - 2 * kept  # each call plays two deals, in one of two turns
    assert went_on.as_dict() == whole.as_dict()
    assert not (store.path.parent / "strength.json.parts").exists()


@pytest.mark.deep
def test_a_search_for_exploiters_goes_on_where_it_was_interrupted(tmp_path, deals_played):
    how: dict[str, Any] = {"tuning": Tuning("steady", 4, ((20, 4), (40, 4))), "threads": 2}

    def searched(name, after=None):
        calls = []

        def progress(_):
            calls.append(1)
            if len(calls) == after:
                raise Enough

        deals_played.clear()
        tiny, store = RIVALS.preset("tiny"), ResultsStore(tmp_path / name)
        found = exploit(RIVALS, tiny, 2, "steady", 12, 7, progress=progress, store=store, **how)
        said = found.as_dict()
        tried = [(one["bot"], one["share"], one["error"], one["matches"]) for one in said["tried"]]
        return tried, said["bot"], said["share"], len(deals_played)

    *whole, calls = searched("whole.json")
    with pytest.raises(Enough):
        searched("strength.json", after=100)  # it tunes
    store = ResultsStore(tmp_path / "strength.json")
    kept = len(lines(store))
    assert kept >= 100
    assert searched("strength.json") == (*whole, calls - 2 * kept)
    assert [one["share"] for one in store.results] == [whole[2]]
    assert not files(store)


def test_fewer_deals_leave_what_was_kept_of_more(store, deals_played):
    with pytest.raises(Enough):
        measure(store, after=6)
    kept = lines(store)
    measure(store, deals=4)
    assert lines(store) == kept
    deals_played.clear()
    measure(store)
    assert len(deals_played) == DEALS - 2 * len(kept)
    assert not files(store)


def test_more_deals_than_were_asked_for_at_first_go_on_too(store, deals_played):
    whole = measure(None, deals=DEALS + 1)
    calls = len(deals_played)
    with pytest.raises(Enough):
        measure(store, after=5)
    kept = len(lines(store))
    assert kept >= 5
    deals_played.clear()
    assert measure(store, deals=DEALS + 1).as_dict() == whole.as_dict()
    assert len(deals_played) == calls - 2 * kept
    assert max(deals_played) == DEALS


def test_other_bots_rules_or_programs_do_not_take_what_was_kept(store, deals_played, monkeypatch):
    def anew(**changed):
        deals_played.clear()
        with pytest.raises(Enough):
            measure(store, after=1, **changed)
        return 0 in deals_played

    assert anew()
    assert not anew()
    assert anew(bots=("steady", "easy"))
    assert anew(options={"rounds": 2})
    monkeypatch.setattr("outbid.compiled.backend.source_hash", lambda *_: "another program")
    monkeypatch.setattr(runner, "same", lambda *_: None)  # workers remember what their own sources are
    assert anew()
    for where, name in ((sources, "__version__"), (runner, "plain")):
        monkeypatch.setattr(where, name, "another" if name == "__version__" else lambda: "another")
        assert anew()
        assert not anew()


def test_bots_that_think_longer_do_not_take_what_was_kept(store):
    paths = [path(store, bot) for bot in ("strong*0.1", "strong*0.2", "strong*0.1")]
    assert paths[0] == paths[2] != paths[1]


def path(store, bot="strong*0.1", book=TOY):
    alike = runner.depends_on(runner.Bots(book, {}, 2, [bot]), "code")
    return Checkpoint.beside(store.path).part(book.id, [alike], DEALS, NAMES).path


@pytest.mark.parametrize(
    "change",
    [{"opponent_types": ("steady", "easy"), "odds": ()}, {"odds": ()}, {"doubt": 0.5}, {"endgame_depth": 3}, {"unit": 7.0}],
)
def test_bots_that_think_in_another_way_do_not_take_what_was_kept(store, monkeypatch, change):
    before = path(store, book=RIVALS)
    monkeypatch.setitem(RIVALS.__dict__, "search", replace(RIVALS.search, **change))
    assert path(store, book=RIVALS) != before


@pytest.mark.parametrize(("name", "value"), [("POINTS", 0.5), ("EVEN", 0.25), ("LITTLE", (8, 64))])
def test_a_match_that_is_judged_in_another_way_does_not_take_what_was_kept(store, monkeypatch, name, value):
    before = path(store)
    monkeypatch.setattr(f"outbid.bots.strong.{name}", value)
    assert path(store) != before


@pytest.mark.parametrize(
    "name",
    ["bots/strong.py", "bots/heuristic.py", "bots/outside.py", "core/match.py", "core/hooks/search_config.py",
     "runs/runner.py", "runs/replay.py"],
)  # fmt: skip
def test_another_line_of_the_python_that_plays_does_not_take_what_was_kept(store, monkeypatch, tmp_path, name):
    for file in (sources.OUTBID / part for part in ("bots/strong.py", "runs/runner.py", "runs/replay.py", name)):
        copy = tmp_path / file.relative_to(sources.OUTBID)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())
    monkeypatch.setattr(sources, "OUTBID", tmp_path)
    monkeypatch.setattr(runner, "plain", sources.plain.__wrapped__)
    before = path(store)
    assert path(store) == before
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes() + b"\n")
    assert path(store) != before


def test_a_line_that_was_cut_off_is_played_again(store, deals_played):
    with pytest.raises(Enough):
        measure(store, after=3)
    file = files(store)[0]
    *kept, cut = (json.loads(line)[0][0] for line in lines(store))
    file.write_bytes(file.read_bytes()[:-20])
    deals_played.clear()
    found = measure(store)
    assert set(range(0, DEALS, 2)) - set(deals_played) == set(kept)
    assert cut in deals_played
    assert found.as_dict() == measure(None).as_dict()


NAMES = "shares", "places"
KEY = [0, 2, [[0, 1], [0, 1]]]
SHARES = _packed(np.array([[[1.0, 0.0], [1.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]]))
PLACES = _packed(np.array([[[0, 1], [0, 1]], [[1, 0], [1, 0]]]))
LINE = [KEY, {"shares": SHARES, "places": PLACES}]


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "5", "null", "[]", "[[[[", "[" * 5000, '{"first": 0}', "\0\0\0", json.dumps([KEY]), json.dumps([*LINE, 1]),
        json.dumps([KEY, 1]), json.dumps([KEY, float("nan")]), json.dumps([KEY, {}]), json.dumps([KEY, {"shares": SHARES}]),
        json.dumps([KEY, {"shares": [*SHARES[:2], SHARES[2][4:]], "places": PLACES}]),
    ],
)  # fmt: skip
def test_a_line_that_is_none_is_played_again(store, deals_played, line):
    with pytest.raises(Enough):
        measure(store, after=1)
    file = files(store)[0]
    file.write_text(json.dumps(LINE))
    deals_played.clear()
    measure(store, deals=2)
    assert not deals_played  # the line would be taken if it were whole
    with pytest.raises(Enough):
        measure(store, after=1)
    file.write_text(line)
    deals_played.clear()
    found = measure(store)
    assert min(deals_played) == 0
    assert found.as_dict() == measure(None).as_dict()


def test_what_cannot_be_read_is_named(store):
    with pytest.raises(Enough):
        measure(store, after=1)
    file = files(store)[0]
    file.unlink()
    file.mkdir()
    with pytest.raises(BadSetup, match="cannot be read"):
        measure(store)


def test_measurements_that_share_a_folder_do_not_take_it_from_each_other(store):
    task, columns = SimpleNamespace(key=[0, 2]), {name: np.zeros((2, 2, 2)) for name in NAMES}

    def often(seed):
        for _ in range(300):
            here = Checkpoint.beside(store.path)
            here.part(TOY.id, [seed], 2, NAMES).add(task, columns)
            here.done()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(often, (1, 2)))
    assert not files(store)


@pytest.mark.slow
def test_a_killed_arena_goes_on_where_it_was(store, tmp_path):
    slow = tmp_path / "slow.py"  # enough is left to do on a fast machine, too, and nothing is compiled for it
    slow.write_text("import time\ndef first(obs, mask):\n    time.sleep(0.02)\n    return mask.argmax(1)\n")
    command = [sys.executable, "-m", "outbid.cli", "arena", "sealed", "-n", "2", "--bots", f"{slow}:first,steady", "--json"]
    command += ["--alone", f"{slow}:first", "--games", "200", "--option", "rounds=3", "--ledger", str(store.path)]
    kept: list[str] = []
    for way in (signal.SIGKILL, signal.SIGINT):
        with started(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            until = time.monotonic() + 400
            while len(lines(store)) < len(kept) + 2:
                assert child.poll() is None, child.communicate()
                assert time.monotonic() < until
                time.sleep(0.02)
            child.send_signal(way)
            _, said = child.communicate(timeout=120)
        assert ("goes on from there" in said) == (way == signal.SIGINT)
        assert lines(store)[: len(kept)] == kept
        kept = lines(store)
    assert 4 <= len(kept) < 100
    again = outbid_command(*command[3:])
    assert again.returncode == 0, again.stderr
    [found] = json.loads(again.stdout)["pairings"]
    assert store.results[0]["share"] == found["share"]
    assert found["deals"] == 200
    assert not files(store)


ASKED = ["arena", "sealed", "-n", "2", "--option", "rounds=3", "--json"]
WITH_LADDER = "--bots", "steady,random,easy", "--games", "8", "--mixed", "6"
TWO = "--bots", "steady,random", "--games", "2"


def run_here(capsys, monkeypatch, *more, stop=None, meanwhile=None):
    """`outbid arena` in this process, stopped as by Ctrl-C at the beginning of so many-th deals: its output, what it said,
    and how many deals were begun. meanwhile: called when the sixth are."""
    begun = []
    run = runner.run

    def noted(bots, fresh, seed, first, seating, *rest):
        if len(seating):
            begun.append(first)
            if meanwhile and len(begun) == 6:
                meanwhile()
            if stop is not None and len(begun) > stop:
                raise KeyboardInterrupt
        run(bots, fresh, seed, first, seating, *rest)

    with monkeypatch.context() as m:
        m.setattr(runner, "run", noted)
        m.setattr(sys, "argv", ["outbid", *ASKED, *more])
        with pytest.raises(SystemExit) as ended:
            main()
    assert (ended.value.code in (0, None)) == (stop is None)
    out, err = capsys.readouterr()
    return out, err, len(begun)


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "outbid" / "unfinished"


@pytest.mark.slow
def test_an_arena_without_a_results_store_says_that_it_goes_on_and_does(cache, capsys, monkeypatch):
    whole, said, calls = run_here(capsys, monkeypatch, *WITH_LADDER)
    assert "interrupted" not in said
    assert not list(cache.glob("*"))
    out, said, _ = run_here(capsys, monkeypatch, *WITH_LADDER, stop=calls // 2)
    assert not out
    assert "the same command goes on from there" in said
    out, said, again = run_here(capsys, monkeypatch, *WITH_LADDER)
    assert out == whole
    assert 0 < again < calls
    assert "--fresh" in said
    assert not list(cache.glob("*"))


@pytest.mark.slow
def test_fresh_plays_everything_again(cache, capsys, monkeypatch):
    _, _, calls = run_here(capsys, monkeypatch, *WITH_LADDER)
    run_here(capsys, monkeypatch, *WITH_LADDER, stop=calls // 2)
    _, said, again = run_here(capsys, monkeypatch, *WITH_LADDER, "--fresh")
    assert again == calls
    assert "interrupted" not in said


def test_fresh_plays_what_the_results_store_has_too(capsys, monkeypatch, store):
    beside = *TWO, "--ledger", str(store.path)
    out, _, calls = run_here(capsys, monkeypatch, *beside)
    assert calls > 0
    assert run_here(capsys, monkeypatch, *beside)[2] == 0
    again = run_here(capsys, monkeypatch, *beside, "--fresh")
    assert (again[0], again[2]) == (out, calls)
    assert len(store.results) == 2


def test_a_bot_from_a_file_that_was_changed_is_played_anew(cache, capsys, monkeypatch, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def first(obs, mask):\n    return mask.argmax(1)\n")
    mine = ("--bots", f"{file}:first,random", "--games", "4")
    _, _, calls = run_here(capsys, monkeypatch, *mine)
    run_here(capsys, monkeypatch, *mine, stop=calls // 2)
    _, _, again = run_here(capsys, monkeypatch, *mine)
    assert again < calls
    run_here(capsys, monkeypatch, *mine, stop=calls // 2)
    file.write_text("def first(obs, mask):\n    return mask.argmax(1)  # as before\n")
    _, _, again = run_here(capsys, monkeypatch, *mine)
    assert again == calls


def test_where_nothing_can_be_kept_an_arena_is_played_all_the_same(capsys, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    out, said, calls = run_here(capsys, monkeypatch, *TWO)
    assert json.loads(out)["pairings"]
    _, said, _ = run_here(capsys, monkeypatch, *TWO, stop=calls // 2)
    assert "goes on" not in said


def spoil(cache):
    """From now on nothing can be written there, whoever asks."""
    while not cache.is_file():  # somebody may write meanwhile
        shutil.rmtree(cache, ignore_errors=True)
        with suppress(OSError):
            cache.write_text("")


@pytest.mark.slow
def test_an_arena_goes_on_where_the_cache_can_be_written_no_more(cache, capsys, monkeypatch):
    whole, _, calls = run_here(capsys, monkeypatch, *WITH_LADDER)
    out, _, again = run_here(capsys, monkeypatch, *WITH_LADDER, meanwhile=lambda: spoil(cache))
    assert (out, again) == (whole, calls)
    assert cache.is_file()


def test_an_arena_that_keeps_nothing_any_more_does_not_say_that_it_goes_on(cache, capsys, monkeypatch):
    _, said, _ = run_here(capsys, monkeypatch, *WITH_LADDER, meanwhile=lambda: spoil(cache), stop=20)
    assert "goes on" not in said


@pytest.mark.slow
def test_what_cannot_be_read_in_the_cache_is_played_again(cache, capsys, monkeypatch):
    whole, _, calls = run_here(capsys, monkeypatch, *WITH_LADDER)
    run_here(capsys, monkeypatch, *WITH_LADDER, stop=calls // 2)
    for file in cache.iterdir():
        file.unlink()
        file.mkdir()
    assert list(cache.iterdir())
    for more in ((), ("--fresh",)):
        out, _, again = run_here(capsys, monkeypatch, *WITH_LADDER, *more)
        assert (out, again) == (whole, calls)


@pytest.mark.slow
def test_fresh_takes_nothing_from_a_cache_that_cannot_be_emptied(cache, capsys, monkeypatch):
    whole, _, calls = run_here(capsys, monkeypatch, *WITH_LADDER)
    run_here(capsys, monkeypatch, *WITH_LADDER, stop=calls // 2)

    def refused(path, missing_ok=False):
        raise PermissionError(path)

    with monkeypatch.context() as m:
        m.setattr(Path, "unlink", refused)
        out, _, again = run_here(capsys, monkeypatch, *WITH_LADDER, "--fresh")
    assert (out, again) == (whole, calls)


def test_what_was_abandoned_in_the_cache_is_swept(cache):
    cache.mkdir(parents=True)
    days = {"old.jsonl": ABANDONED + 1, "young.jsonl": ABANDONED - 1, "other": 10 * ABANDONED}
    for name, ago in days.items():
        (cache / name).write_text("")
        os.utime(cache / name, (time.time() - 86400 * ago,) * 2)
    Checkpoint.in_cache()
    assert {file.name for file in cache.iterdir()} == {"young.jsonl", "other"}
