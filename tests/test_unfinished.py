"""A measurement that is interrupted goes on from there."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from outbid.engine.rulebook import rulebook
from outbid.lab import played
from outbid.lab.arena import arena
from outbid.lab.ledger import Ledger
from outbid.lab.unfinished import Unfinished

RIVALS = rulebook("rivals")
TINY = RIVALS.preset("tiny")
DEALS = 40


class Enough(Exception):
    """Somebody has stopped it."""


def measure(ledger, after=None, deals=DEALS, mixed=0, bots=("steady", "random"), options=TINY):
    """An arena; after: so many calls of its progress it is stopped."""
    calls = []

    def progress(_):
        calls.append(1)
        if len(calls) == after:
            raise Enough

    how = {"threads": 2, "alone": () if mixed else ("steady",), "mixed": mixed, "ledger": ledger}
    return arena(RIVALS, options, 2, bots, deals, 7, progress, **how)


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "ledger.json")


@pytest.fixture
def deals_played(monkeypatch):
    """The first deals of what is played."""
    found = []
    run = played._run

    def noted(bots, fresh, seed, first, seating, *rest):
        if len(seating):
            found.append(first)
        run(bots, fresh, seed, first, seating, *rest)

    monkeypatch.setattr(played, "_run", noted)
    return found


def files(ledger):
    return sorted(ledger.path.parent.rglob("*.jsonl"))


@pytest.mark.parametrize(("pairs", "how"), [(1, {}), (6, {"mixed": 12, "bots": ("steady", "random", "easy")})])
def test_what_was_played_before_an_interruption_is_kept_and_the_result_is_the_same(ledger, pairs, how, deals_played):
    whole = measure(None, **how)
    with pytest.raises(Enough):
        measure(ledger, after=31 if pairs > 1 else 11, **how)
    kept = sum(len(file.read_text().splitlines()) for file in files(ledger))
    assert kept == (31 if pairs > 1 else 11)
    deals_played.clear()
    went_on = measure(ledger, **how)
    calls = pairs * DEALS + how.get("mixed", 0)
    assert len(deals_played) == calls - 2 * kept  # each call plays two deals, in one of two turns
    assert went_on.as_dict() == whole.as_dict()
    assert not (ledger.path.parent / "ledger.json.parts").exists()


def test_more_deals_than_were_asked_for_at_first_go_on_too(ledger, deals_played):
    with pytest.raises(Enough):
        measure(ledger, after=5)
    deals_played.clear()
    measure(ledger, deals=DEALS + 1)
    assert min(deals_played) == 10
    assert max(deals_played) == DEALS


def test_other_bots_rules_or_programs_do_not_take_what_was_kept(ledger, deals_played, monkeypatch):
    def anew(**changed):
        deals_played.clear()
        with pytest.raises(Enough):
            measure(ledger, after=1, **changed)
        return 0 in deals_played

    assert anew()
    assert not anew()
    assert anew(bots=("steady", "easy"))
    assert anew(options={**TINY, "coins": 5})
    monkeypatch.setattr("outbid.engine.compiled.source_hash", lambda *_: "another program")
    assert anew()


def test_bots_that_think_longer_do_not_take_what_was_kept(ledger):
    ahead = played.Bots(RIVALS, TINY, 2, ["strong*0.1"]).policies
    longer = played.Bots(RIVALS, TINY, 2, ["strong*0.2"]).policies
    paths = [Unfinished(ledger.path).part(RIVALS, TINY, 2, ["strong"], rows, 7).path for rows in (ahead, longer, ahead)]
    assert paths[0] == paths[2] != paths[1]


def test_a_line_that_was_cut_off_is_played_again(ledger, deals_played):
    with pytest.raises(Enough):
        measure(ledger, after=3)
    file = files(ledger)[0]
    file.write_bytes(file.read_bytes()[:-20])
    deals_played.clear()
    found = measure(ledger)
    assert min(deals_played) == 4
    assert found.as_dict() == measure(None).as_dict()


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGKILL])
def test_a_killed_arena_goes_on_where_it_was(ledger, way):
    command = [sys.executable, "-m", "outbid.cli", "arena", "rivals", "-n", "2", "--bots", "strong*0.02,steady", "--json"]
    command += ["--alone", "strong*0.02", "--games", "60", "--ledger", str(ledger.path)]
    listens = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # what begins in the background may ignore it
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listens)
    until = time.monotonic() + 400
    while not (files(ledger) and len(files(ledger)[0].read_text().splitlines()) >= 3):
        assert child.poll() is None, child.communicate()
        assert time.monotonic() < until
        time.sleep(0.02)
    child.send_signal(way)
    _, said = child.communicate(timeout=120)
    assert ("goes on from there" in said) == (way == signal.SIGINT)
    before = len(files(ledger)[0].read_text().splitlines())
    assert 3 <= before < 30
    again = subprocess.run(command, capture_output=True, text=True, timeout=400, check=True)
    [found] = json.loads(again.stdout)["pairings"]
    assert ledger.results[0]["share"] == found["share"]
    assert found["deals"] == 60
    assert not files(ledger)
