"""The compiled backend: the cache is keyed by the sources and serves later processes; batches refuse what is wrong."""

import inspect
import itertools
import json
import os
import pickle
import re
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numba.extending
import numpy as np
import pytest
from numba.core import cgutils, event
from numba.core.typing import templates
from numba.np import arrayobj

import outbid
from outbid.cli import research
from outbid.compiled import backend, loops
from outbid.core.errors import BadRulebook
from outbid.core.rulebook import GAMES, rulebook
from outbid.lab import simulate

EXAMPLES = Path(__file__).parents[2] / "examples"
GONE = b"\x80\x04coutbid.engine.gone\nName\n."  # a pickle that names a module there is not


def sampled():
    """How often something was compiled to draw actions, and the actions."""
    sample = backend.entry(rulebook("kuhhandel"), loops.sample_batch)
    turn, count, actions = (np.full((4, 1), k, np.int64) for k in (0, 3, 0))
    choices = np.arange(12, dtype=np.int16).reshape(4, 1, 3)
    with event.install_recorder("numba:compile") as seen:
        sample(0, 4, 1, turn, choices, count, actions)
    return len(seen.buffer), actions.tolist()


COUNT = f"""
import numpy as np
from outbid.compiled import backend, loops
from outbid.core.rulebook import rulebook
from numba.core import event
{inspect.getsource(sampled)}
print(*sampled())
"""


def run(folder):
    """The same in a process of its own, with its code kept in this folder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", COUNT], env=environment, capture_output=True, text=True, check=True)
    compiled, actions = done.stdout.split(maxsplit=1)
    return int(compiled), json.loads(actions)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The same in this process, which forgets what it has compiled."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    def anew(sources=None):
        with monkeypatch.context() as patch:
            patch.setattr(backend, "_entries", {})
            if sources:
                patch.setattr(backend, "CHECKED", sources)
            return sampled()

    return anew


@pytest.mark.slow
def test_a_later_process_takes_compiled_code_from_the_cache(tmp_path):
    first, second = run(tmp_path), run(tmp_path)
    assert first[0] > 0
    assert second[0] == 0
    assert first[1] == second[1]


@pytest.mark.slow
def test_of_processes_that_want_the_same_code_at_once_one_compiles_it(tmp_path):
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(run, [tmp_path] * 3))
    assert sorted(one[0] > 0 for one in found) == [False, False, True]
    assert found[0][1] == found[1][1] == found[2][1]


def test_code_that_another_folder_has_is_read_there_and_nothing_is_written_to_it(tmp_path, monkeypatch):
    """A read-only cache; what it lacks is kept in the cache of one's own, or in memory where nothing can be written."""
    shared, own, nowhere = tmp_path / "shared", tmp_path / "own", Path(os.devnull) / "cache"

    def anew(folder, sources=False):
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
        monkeypatch.setattr(backend, "_entries", {})
        monkeypatch.setattr(backend, "CHECKED", sources)
        return backend.ready(rulebook("kuhhandel"), loops.sample_batch), *sampled()

    fresh, compiled, actions = anew(shared)
    assert not fresh
    assert compiled > 0
    monkeypatch.setenv("OUTBID_CACHE", str(shared))
    shared.chmod(0o555)
    before = {file.name: file.stat().st_mtime_ns for file in shared.iterdir()}
    for folder in (own, nowhere):
        assert anew(folder) == (True, 0, actions)
    assert not list(own.glob("*.nbc"))
    for folder, kept in ((own, True), (nowhere, False)):  # of other sources than the shared code
        assert anew(folder, "changed")[1] > 0
        assert anew(folder, "changed")[0] == kept
    assert {file.name: file.stat().st_mtime_ns for file in shared.iterdir()} == before


def test_a_command_compiles_into_a_folder_that_others_read(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "own"))
    monkeypatch.setenv("OUTBID_CACHE", str(tmp_path / "shared"))
    folders = []
    monkeypatch.setattr(research, "_compile_apart", lambda game, bot: folders.append((game, backend.cache_folder())))
    research.warm("kuhhandel", tmp_path / "new" / "shared")
    assert set(folders) == {("kuhhandel", tmp_path / "new" / "shared")}
    assert "OUTBID_CACHE" not in os.environ, "what it has is compiled into the new folder, too"
    with pytest.raises(outbid.BadSetup, match="cannot be made: File exists"):
        research.warm("kuhhandel", Path(os.devnull))


def test_an_edit_in_any_rule_module_makes_the_cache_stale(tmp_path, monkeypatch):
    book = rulebook("kuhhandel")
    before = backend.source_hash(book)
    edited = tmp_path / "edited.py"
    edited.write_text("# another rule\n")
    module = types.ModuleType("edited")
    module.__file__ = str(edited)
    monkeypatch.setitem(book.__dict__, "modules", (*book.modules, module))
    with_module = backend.source_hash(book)
    edited.write_text("# another rule, changed\n")
    assert len({before, with_module, backend.source_hash(book)}) == 3


def test_ready_tells_whether_code_would_come_from_the_cache(here, monkeypatch):
    monkeypatch.setattr(backend, "_entries", {})
    assert not backend.ready(rulebook("kuhhandel"), loops.sample_batch)
    here()
    assert backend.ready(rulebook("kuhhandel"), loops.sample_batch)


@pytest.mark.slow
def test_a_cache_that_cannot_be_read_is_made_anew(here, tmp_path):
    """Written by a version whose names are gone, or cut short: index and data."""
    before = here()
    gone = {"*.nbi": pickle.dumps(numba.__version__) + GONE, "*.nbc": GONE}
    for kind, spoilt in itertools.product(gone, (None, b"", b"\x80")):
        for file in tmp_path.glob(kind):
            file.write_bytes(gone[kind] if spoilt is None else spoilt)
        again = here()
        assert again[0] > 0
        assert again[1] == before[1]
    assert here()[0] == 0


@pytest.mark.slow
def test_what_was_compiled_from_older_sources_is_never_taken_and_swept(here, tmp_path):
    """Not even where whoever compiled was killed after one file and before the other."""
    here()
    (index,), (data,) = tmp_path.glob("*.nbi"), tmp_path.glob("*.nbc")
    older = index.read_bytes(), data.read_bytes()
    assert here("changed")[0] > 0
    (fresh,) = tmp_path.glob("*.nbc")
    assert fresh.name != data.name
    fresh.write_bytes(b"")
    data.write_bytes(older[1])
    assert here("changed")[0] > 0
    assert not data.exists()
    index.write_bytes(older[0])
    assert here("changed")[0] > 0


def behind(row, at):
    return row[at]


@pytest.mark.deep  # bounds are checked there
@pytest.mark.parametrize("at", [-1, 3])
def test_an_index_of_the_rules_that_is_negative_or_too_large_is_out_of_bounds(monkeypatch, at):
    monkeypatch.setattr(backend, "_counting", {behind.__module__})
    part = numba.extending.register_jitable(**backend.PART)(behind)
    run = numba.njit(**backend.JIT)(lambda row, at: part(row, at))
    assert run(np.arange(3), 2) == 2
    with pytest.raises(IndexError):
        run(np.arange(3), at)


def test_functions_of_others_are_compiled_as_ever_and_ours_after_them_as_ours(monkeypatch):
    """Whatever was compiled before: Numba itself is as it was, in the whole process."""
    assert arrayobj.fix_integer_index.__module__ == arrayobj.__name__
    assert cgutils.do_boundscheck.__module__ == cgutils.__name__
    assert templates._OverloadFunctionTemplate.generic.__module__ == templates.__name__
    monkeypatch.setattr(backend, "_counting", {behind.__module__})
    monkeypatch.setattr(backend, "_foreign", {behind.__module__})
    row, narrow = np.arange(3), np.arange(3, dtype=np.int8)
    for _ in range(2):
        ours = numba.njit(pipeline_class=backend._WholeCompiler, **backend.JIT)(behind)
        assert ours(row, 2) == 2
        for at in (-1, 3):
            with pytest.raises(IndexError, match="the index is out of the field"):
                ours(row, at)
        others, checked = numba.njit(behind), numba.njit(boundscheck=True)(behind)
        assert others(row, -1) == checked(row, -1) == others(narrow, narrow[2]) == checked(narrow, narrow[2]) == 2
        assert {signature[1] for signature in others.signatures} == {numba.int64, numba.int8}
        for at in (-4, 3):
            with pytest.raises(IndexError, match="index is out of bounds"):
                checked(row, at)


def test_two_games_with_the_same_fields_are_refused():
    book = rulebook("kuhhandel")
    backend.register(book)
    twin = types.SimpleNamespace(id="twin", layout=book.layout, modules=())
    with pytest.raises(BadRulebook, match="twin has the very state fields that kuhhandel had"):
        backend.register(twin)


def test_a_state_is_at_most_512_bytes():
    assert rulebook("kuhhandel").layout.dtype.itemsize <= 512


@pytest.fixture(scope="module")
def batch():
    return outbid.game("sealed").batch(8, players=3, seed=1)


@pytest.mark.parametrize(
    ("actions", "error", "says"),
    [
        (np.full(8, 99), outbid.Illegal, "Action 99"),
        (np.full(8, -1), outbid.Illegal, "Action -1"),
        (np.zeros(8, int), outbid.Illegal, r"Action 0 \(seal 0\) of seat"),
        (np.zeros(7, int), outbid.BadSetup, "8 integers"),
        (np.zeros(8), outbid.BadSetup, "float64"),
        (np.zeros((8, 1), int), outbid.BadSetup, "shape"),
    ],
)
def test_a_batch_refuses_wrong_actions_and_changes_nothing(batch, actions, error, says):
    before = batch.states.copy()
    with pytest.raises(error, match=says):
        batch.step(actions)
    assert (batch.states == before).all()


def test_a_batch_rewards_the_winners_and_deals_anew():
    batch = outbid.game("sealed").batch(16, players=3, seed=2)
    ended = 0
    for _ in range(4000):
        batch.step(batch.sample())
        assert (batch.reward.sum(axis=1) == batch.done).all()
        ended += int(batch.done.sum())
    assert ended == batch.episode.sum() > 0


def room(folder, **more):
    """The small game of the documents as a file, with other numbers; the scores of three matches as Python plays them."""
    folder.mkdir()
    text = (EXAMPLES / "tutorial_game.py").read_text().replace('"strongroom"', '"other_room"')
    text = text.replace('Field("players"),', 'Field("players"), Field("other_room"),')  # a state unlike the other's
    for name, number in more.items():
        text, changed = re.subn(rf"^{name} = \d+$", f"{name} = {number}", text, flags=re.M)
        assert changed == 1
    (folder / "room.py").write_text(text)
    book = rulebook(str(folder / "room.py"))
    return book, simulate.results(book, {}, ["steady"] * 3, 3, 1, backend="plain")


@pytest.mark.slow
def test_a_game_that_has_the_id_of_one_that_is_gone_is_compiled_anew_or_refused(tmp_path):
    """Code of the former would write where the states of this one end."""
    for count, numbers in enumerate(({}, {"PRIZES": 8})):
        with GAMES.apart():
            book, plain = room(tmp_path / str(count), **numbers)
            assert simulate.results(book, {}, ["steady"] * 3, 3, 1, backend="compiled") == plain
    with GAMES.apart():
        book, _ = room(tmp_path / "as the first, with other moves", RICHEST=19)
        with pytest.raises(BadRulebook, match="other_room has the very state fields that other_room had in this process"):
            simulate.results(book, {}, ["steady"] * 3, 3, 1, backend="compiled")
    with GAMES.apart():
        book, plain = room(tmp_path / "the first again")
        assert simulate.results(book, {}, ["steady"] * 3, 3, 1, backend="compiled") == plain
