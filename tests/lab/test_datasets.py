"""Data to learn from: rows that say what was decided, files that are whole or not there, a run that goes on."""

from __future__ import annotations

import importlib
import json
import re
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import outbid
from outbid.core import contract
from outbid.core.chance import stream
from outbid.core.match import Match
from outbid.core.rulebook import rulebook, rulebooks
from outbid.lab import datasets, minari
from outbid.runs.recorded import read as read_records
from outbid.runs.replay import replay
from outbid.runs.runner import room_for, run
from outbid.runs.seating import Bots
from tests.support.commands import outbid_command

pytestmark = pytest.mark.slow

pa = pytest.importorskip("pyarrow")
RIVALS = rulebook("rivals")
TINY = RIVALS.preset("tiny")
ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from outbid.cli import main; main()"]


def tiny(bots=("random", "easy", "steady"), seed=3):
    return datasets.Matches(RIVALS, TINY, (2,), bots, seed)


def made(folder, many, matches=None):
    told = []
    datasets.make(matches or tiny(), folder, many, threads=1, say=told.append)
    return told


def rows_of(folder):
    parts = [datasets.read(file) for file in datasets.files(folder)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def alike(one, other):
    return all(np.array_equal(one[name], other[name]) for name in one)


@pytest.fixture
def short_files(monkeypatch):
    """Files of ten matches, in pieces of four."""
    monkeypatch.setattr(datasets, "FILE", 10)
    monkeypatch.setattr(datasets, "PIECE", 4)


def played(book, bots, players, seed, number):
    """The match of this number, made move by move from the steps that the compiled loop notes."""
    seating = np.random.default_rng([seed, number]).integers(len(bots), size=(1, players))
    notes, places = room_for(book, 0, 1, 100_000), np.zeros((1, players), np.int64)
    run(Bots(book, {}, players, bots), book.fresh({}), seed, number, seating, np.zeros((1, players)), places, True, notes)
    match, actions = Match.new(book, {}, players, stream(seed, number)), []
    for seat, action in notes.steps[: notes.made[0]].tolist():
        state = match.state.copy()
        actions.append(action)
        for done in actions:
            contract.apply(state, seat, done)
        if seat == contract.CLOCK or not contract.midway(state, seat):
            match.play_steps(None if seat == contract.CLOCK else seat, actions)
            actions = []
    return match, [bots[k] for k in seating[0]]


# --- rows ---


@pytest.mark.generic
@pytest.mark.parametrize("game", rulebooks())
def test_rows_are_the_trajectories_of_the_same_matches(game):
    """What compiled loops write down is what a seat of the replayed match decided, to the last bit."""
    book = rulebook(game)
    players = book.players[0]
    table = datasets.Matches(book, {}, (players,), ("random", "steady"), 3).table(5, 8).to_pandas()
    assert list(table["match"].unique()) == [5, 6, 7]
    for number, rows in table.groupby("match"):
        match, names = played(book, ("random", "steady"), players, 3, number)
        assert match.over
        for seat in range(players):
            own, told = match.trajectory(seat), rows[rows["seat"] == seat]
            assert set(told["bot"]) == {names[seat]}
            assert np.array_equal(own.actions, told["action"])
            assert np.array_equal(own.moves, told["move"])
            assert np.array_equal(own.observations, np.stack(told["observation"]))
            assert np.array_equal(own.masks, np.stack(told["mask"]))
            assert own.hidden.tobytes() == b"".join(told["hidden"])
            assert np.array_equal(own.rewards, told["reward"])
            assert own.rewards.sum() == pytest.approx((seat in match.winners) / len(match.winners))
            assert list(told["done"]) == [False] * (len(told) - 1) + [True]
            others = (sum(match.scores) - match.scores[seat]) / (players - 1)
            assert told["margin"].iloc[0] == pytest.approx((match.scores[seat] - others) / book.margin, abs=1e-5)


@pytest.mark.generic
@pytest.mark.parametrize("game", rulebooks())
def test_a_trajectory_shows_what_the_seat_may_know_and_hides_the_rest_apart(game):
    book = rulebook(game)
    match = replay(book, {}, ["random"] * book.players[0], 1, 2)
    own = match.trajectory(1)
    assert own.masks[np.arange(len(own.actions)), own.actions].all()
    assert (own.masks.sum(1) > 1).all()
    for row in range(0, len(own.actions), 7):
        truth = book.plain.from_record(own.hidden, row)
        contract.hide(truth, 1)
        seen = np.zeros(book.features, np.float32)
        contract.observe(truth, 1, seen)
        assert np.array_equal(seen, own.observations[row])


def test_a_match_that_goes_on_pays_nothing_and_a_seat_that_is_not_there_is_refused():
    match = outbid.game("rivals").new(players=2, seed=1)
    assert len(match.trajectory(0).actions) == 0
    match.random_move(match.asked[0], 1)
    assert match.trajectory(0).rewards.sum() + match.trajectory(1).rewards.sum() == 0
    with pytest.raises(outbid.BadSetup, match="no seat 2"):
        match.trajectory(2)


def test_bots_that_are_asked_move_by_move_give_rows_of_the_same_kind(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("def act(obs, mask):\n    return mask.argmax(axis=1)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    made(tmp_path / "data", 6, tiny(("mine.py:act", "easy")))
    rows = rows_of(tmp_path / "data")
    assert set(rows["bot"]) == {"mine.py:act", "easy"}
    lowest = rows["mask"].argmax(axis=1) == rows["action"]
    assert lowest[rows["bot"] == "mine.py:act"].all()
    assert not lowest.all()


# --- files ---


def test_a_stopped_run_goes_on_and_a_longer_one_adds_to_it(tmp_path, short_files):
    made(tmp_path / "whole", 35)
    made(tmp_path / "parts", 15)
    first, second = datasets.files(tmp_path / "parts")
    first.unlink()
    before = second.stat().st_mtime_ns
    made(tmp_path / "parts", 35)
    assert second.stat().st_mtime_ns == before
    assert [file.name for file in datasets.files(tmp_path / "parts")] == [
        "000000000-000000009.parquet", "000000010-000000014.parquet", "000000015-000000019.parquet",
        "000000020-000000029.parquet", "000000030-000000034.parquet",
    ]  # fmt: skip
    assert alike(rows_of(tmp_path / "parts"), rows_of(tmp_path / "whole"))
    assert made(tmp_path / "parts", 35) == []


def test_the_hours_and_gigabytes_are_measured_before_it_begins(tmp_path):
    (sentence,) = made(tmp_path, 400)
    wanted = r"400 matches of Rivals will take about ([\d.]+) MB and \d+ seconds? on 1 thread \(measured on 20\)\."
    found = re.fullmatch(wanted, sentence)
    size = sum(file.stat().st_size for file in datasets.files(tmp_path)) / 1e6
    assert found, sentence
    assert size / 3 < float(found[1]) < 3 * size + 0.1


def test_more_than_the_disk_has_room_for_is_refused_and_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets, "FILE", 10**12)
    with pytest.raises(outbid.BadSetup, match=r"will take about [\d,.]+ GB, and .* has room for"):
        made(tmp_path, 10**13)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_other_data_is_refused_by_a_sentence(tmp_path, short_files):
    made(tmp_path, 5)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    others = {
        '"rivals" there, not "claim"': datasets.Matches(rulebook("claim"), {}, (2,), ("steady",), 3),
        "seed is 3 there, not 4": tiny(seed=4),
        "bots is": tiny(("steady",)),
        "options is": datasets.Matches(RIVALS, {}, (2,), ("random", "easy", "steady"), 3),
    }
    for sentence, matches in others.items():
        with pytest.raises(outbid.BadSetup, match=sentence):
            made(tmp_path, 10, matches)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
    strange = tmp_path / "notes.parquet"
    strange.write_bytes(b"no such thing")
    with pytest.raises(outbid.BadSetup, match="is none of the files of"):
        made(tmp_path, 20)
    strange.unlink()
    (tmp_path / "000.parquet").write_bytes(b"no such thing")
    with pytest.raises(outbid.BadSetup, match="is no data of"):
        made(tmp_path, 10)


@pytest.mark.slow
def test_a_run_that_is_killed_leaves_whole_files_and_the_next_one_goes_on(tmp_path):
    words = ["data", "make", "rivals", "--preset", "tiny", "-n", "2", "--bots", "random,steady", "--into", str(tmp_path)]
    run = subprocess.Popen([*COMMAND, *words, "-m", "1000000"], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 120
    while True:
        run.send_signal(signal.SIGSTOP)  # so that what it is writing is still a draft when it is killed
        if datasets.files(tmp_path) and list(tmp_path.glob(".*")):
            break
        run.send_signal(signal.SIGCONT)
        assert run.poll() is None, run.stderr.read()
        assert time.monotonic() < until
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.communicate()
    whole = datasets.files(tmp_path)
    assert list(tmp_path.glob(".*"))
    for file in whole:
        assert len(np.unique(datasets.read(file)["match"])) == 1000
    written = {file: file.stat().st_mtime_ns for file in whole}
    done = outbid_command(*words, "-m", 1000 * (len(whole) + 1))
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path} has {1000 * (len(whole) + 1):,} matches of Rivals.\n"
    assert list(tmp_path.glob(".*")) == []
    assert {file: file.stat().st_mtime_ns for file in whole} == written


@pytest.mark.skipif(sys.platform == "win32", reason="no such limit there")
def test_a_full_disk_is_one_sentence_and_leaves_nothing_half_written(tmp_path):
    """A limit on the size of files stands for the disk: writing fails in the same place."""
    code = f"""if True:
        import resource, signal, sys
        from pathlib import Path
        from outbid.core.rulebook import rulebook
        from outbid.lab import datasets, minari
        book = rulebook("rivals")
        matches = datasets.Matches(book, book.preset("tiny"), (2,), ("random",), 1)
        matches.table(0, 1)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        try:
            datasets.make(matches, Path({str(tmp_path)!r}), 300, threads=1)
        except datasets.BadSetup as error:
            sys.exit(str(error))
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert re.fullmatch(r"\S+parquet cannot be written: File too large\.", run.stderr.strip().splitlines()[-1]), run.stderr
    assert list(tmp_path.iterdir()) == []


# --- people ---


@pytest.fixture
def records(tmp_path):
    """A file of records: two people and a bot at Claim, and two bots at Rivals."""
    match = replay(rulebook("claim"), {}, ["steady", "easy", "easy"], 4, 0)
    for k, move in enumerate(match.moves):
        if move["seat"] == 2:
            match.marks[k] = {"by": "easy"}
    record = {**match.record(), "players": ["Wilhelmine", "Ottokar", "easy"]}
    file = tmp_path / "friday.jsonl"
    other = replay(RIVALS, {}, ["easy", "easy"], 4, 0).record()
    file.write_text(f"{json.dumps(record)}\n{json.dumps(other)}\n", encoding="utf-8")
    return file


def test_records_of_people_become_rows_without_names_that_say_what_was_a_bot(records, tmp_path):
    assert datasets.from_records(rulebook("claim"), read_records(records), tmp_path / "data") == 1
    rows = rows_of(tmp_path / "data")
    assert set(rows["bot"][rows["seat"] == 2]) == {"easy"}
    assert set(rows["bot"][rows["seat"] < 2]) == {""}
    match = read_records(records)[0].match
    assert np.array_equal(rows["action"][rows["seat"] == 1], match.trajectory(1).actions)
    (file,) = datasets.files(tmp_path / "data")
    plain = tmp_path / "plain.parquet"
    pa.parquet.write_table(pa.parquet.read_table(file), plain, compression="none")
    assert b"Wilhelmine" not in plain.read_bytes()
    assert b"Ottokar" not in plain.read_bytes()
    assert b"easy" in plain.read_bytes()


def test_the_command_asks_which_game_and_refuses_one_that_is_not_there(records, tmp_path):
    into = ("--into", tmp_path / "data")
    asked = outbid_command("data", "from", records, *into)
    assert (asked.returncode, "has matches of claim, rivals; --game says of which." in asked.stderr) == (2, True)
    wrong = outbid_command("data", "from", records, "--game", "money", *into)
    assert (wrong.returncode, "has no finished match of money." in wrong.stderr) == (2, True)
    assert not (tmp_path / "data").exists()
    right = outbid_command("data", "from", records, "--game", "rivals", *into)
    assert (right.returncode, "has 1 match of" in right.stdout) == (0, True)
    again = outbid_command("data", "from", records, "--game", "claim", *into)
    assert (again.returncode, "has other data" in again.stderr) == (2, True)


def test_the_reader_of_the_document_reads_what_is_written(tmp_path):
    """The reader of docs/data.md, which knows nothing of Outbid, gives the same arrays; for PyTorch where that is there."""
    made(tmp_path, 3)
    (file,) = datasets.files(tmp_path)
    rows, (code,) = datasets.read(file), re.findall(r"```python\n(.*?)```", (ROOT / "docs/data.md").read_text("utf-8"), re.S)
    reader = {}
    has_torch = find_spec("torch") is not None
    exec(code if has_torch else code.replace(", torch", ""), reader)
    hidden = reader["hidden"](file)
    assert np.array_equal(hidden["gold"], rows["hidden"]["gold"])
    if has_torch:
        found = reader["tensors"](file, "observation", "mask", "action", "reward")
        assert np.array_equal(found["observation"].numpy(), rows["observation"])
        assert np.array_equal(found["mask"].numpy(), rows["mask"])
        assert np.array_equal(found["action"].numpy()[:, 0], rows["action"])


def test_minari_reads_an_episode_for_each_seat_of_a_match(tmp_path, monkeypatch):
    """The layout is there without Minari; where it is installed, it loads the same."""
    made(tmp_path / "data", 4)
    rows, root = rows_of(tmp_path / "data"), tmp_path / "root"
    name = "outbid/rivals/mixed-v0"
    assert minari.write(tmp_path / "data", name, root) == rows["done"].sum()
    folder = root / name / "data"
    about = json.loads((folder / "metadata.json").read_text("utf-8"))
    assert (about["dataset_id"], about["total_steps"]) == (name, len(rows["action"]))
    first = np.flatnonzero(rows["done"])[0] + 1
    table = pa.parquet.read_table(folder / "0" / "part-0.parquet")
    assert table["actions"].to_pylist() == [*rows["action"][:first].tolist(), 0]
    assert table["terminations"].to_pylist() == [False] * (first - 1) + [True, False]
    if find_spec("minari") is not None:
        monkeypatch.setenv("MINARI_DATASETS_PATH", str(root))
        episode = next(importlib.import_module("minari").load_dataset(name).iterate_episodes([0]))
        assert np.array_equal(episode.observations["observation"][:-1], rows["observation"][:first])
        assert episode.rewards.sum() == rows["reward"][:first].sum()
    for wrong, sentence in ((name, "is there already"), ("my data", "is no name of a dataset")):
        with pytest.raises(outbid.BadSetup, match=sentence):
            minari.write(tmp_path / "data", wrong, root)
    with pytest.raises(outbid.BadSetup, match="has no data"):
        minari.write(tmp_path, "a-v0", root)
