"""The same run on one machine and on a cluster: a worker is killed in the middle, another comes late, and the columns are
the same, bit for bit."""

import os
import signal
import subprocess
import sys
import time

import pytest

from outbid.core.errors import BadSetup
from outbid.core.rulebook import rulebook
from outbid.lab import arena, exploit, simulate
from outbid.lab.experiments import runner, spec
from outbid.lab.experiments.playing import blocks, sample
from outbid.runs import executor
from outbid.runs.blocks import play_tallies
from tests.support.experiments import TUTORIAL

FILE = f"""
game = "{TUTORIAL}"
players = [3]
deals = 24000
seed = 5
measures = ["turns", "margin"]
[[variant]]
name = "six"
[[variant]]
name = "nine"
options = {{ rounds = 9 }}
"""

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Dask's own


def test_a_lost_worker_and_a_late_one_change_nothing(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    here = runner.play(spec.parse(FILE), tmp_path / "here")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        lost, late = [], []
        pids = client.run(os.getpid)

        def tell(progress):
            if not lost and progress.done > 4_000:
                lost.append(next(iter(pids.values())))
                os.kill(lost[0], signal.SIGKILL)
            if lost and not late and progress.done > 16_000:
                late.append(1)
                cluster.scale(3)

        there = runner.play(spec.parse(FILE), tmp_path / "there", on=cluster.scheduler_address, tell=tell)
        assert lost
        assert late
    assert there.facts["hash"] == here.facts["hash"]
    for name in ("matches.parquet", "seats.parquet", "usage.parquet", "results.json"):
        assert (there.folder / name).read_bytes() == (here.folder / name).read_bytes()


def test_a_cluster_is_started_by_its_number_and_ends_with_the_run(tmp_path):
    pytest.importorskip("distributed")
    text = FILE.replace("24000", "3000")
    here = runner.play(spec.parse(text), tmp_path / "here")
    there = runner.play(spec.parse(text), tmp_path / "there", on="local:2")
    assert there.facts["hash"] == here.facts["hash"]
    assert there.facts["where"] == "2 workers on this machine"


def test_a_simulation_is_the_same_on_a_cluster_of_which_a_worker_is_lost():
    distributed = pytest.importorskip("distributed")
    book, names = rulebook(TUTORIAL), ["steady", "random", "steady"]
    here = simulate.results(book, {}, names, 30_000, 7)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids, lost, done = client.run(os.getpid), [], []

        def tell(n):
            done.append(n)
            if not lost:
                lost.append(next(iter(pids.values())))
                os.kill(lost[0], signal.SIGKILL)

        with executor.executor(cluster.scheduler_address) as pool:
            there = simulate.results(book, {}, names, 30_000, 7, tell, pool=pool)
        assert lost
        assert sum(done) == 30_000
    assert there == here


@pytest.mark.deep
def test_an_arena_and_an_exploiter_are_the_same_on_a_cluster():
    pytest.importorskip("distributed")
    book, how = rulebook(TUTORIAL), {"mixed": 10}
    here = arena.arena(book, {}, 3, ["steady", "random"], 20, 5, **how)
    tuning = exploit.Tuning("steady", 0)
    alone = exploit.exploit(book, {}, 3, "steady", 10, 1, tuning)
    with executor.executor("local:2") as pool:
        there = arena.arena(book, {}, 3, ["steady", "random"], 20, 5, pool=pool, **how)
        known = exploit.exploit(book, {}, 3, "steady", 10, 1, tuning, pool=pool)
    assert there.as_dict() == here.as_dict()
    assert (known.worst.bot, known.worst.share) == (alone.worst.bot, alone.worst.share)


def test_matches_that_were_cut_for_other_sources_are_refused():
    task = blocks.CellBlock(TUTORIAL, {}, ("steady", "steady"), 1, 0, 2, "code of another program")
    with pytest.raises(BadSetup, match="other sources of Strongroom"):
        play_tallies(task)


def test_a_worker_with_other_sources_refuses(tmp_path):
    with pytest.raises(BadSetup, match="other sources of Strongroom"):
        blocks.play(blocks.CellBlock(TUTORIAL, {}, ("steady",) * 2, 1, 0, 2, code="of another program"))
    file = tmp_path / "bids.py"
    file.write_text("def highest(match):\n    return max(move['amount'] for move in match.moves)\n")
    names, book = (f"match:{file}:highest",), rulebook(TUTORIAL)
    block = blocks.CellBlock(TUTORIAL, {}, ("steady",) * 2, 1, 0, 2, code=blocks.code_of(book, names, ("steady",) * 2))
    assert sample.read(sample.MatchFunctions(block, names)).shape == (2, 1)
    file.write_text("def highest(match):\n    return 0\n")
    judged = sample.Judged(block, (18, 18), False)
    for work, task in ((sample.read, sample.MatchFunctions(block, names)), (sample.judge, judged)):
        with pytest.raises(BadSetup, match="other sources of Strongroom"):
            work(task)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("def version_here():\n    return '0.0.9'\n", r"^The worker .* has outbid 0\.0\.9, and this is .*; install the "),
        ("raise ImportError('no NumPy')\n", r"^The workers at .* cannot load outbid \(.*no NumPy.*\); install outbid "),
    ],
)
def test_a_worker_of_another_version_or_without_the_program_is_one_sentence(tmp_path, source, sentence):
    distributed = pytest.importorskip("distributed")
    (tmp_path / "outbid" / "runs").mkdir(parents=True)
    for name, text in (("__init__.py", ""), ("runs/__init__.py", ""), ("runs/executor.py", source)):
        (tmp_path / "outbid" / name).write_text(text)
    with distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster, distributed.Client(cluster) as client:
        address = cluster.scheduler_address
        with executor.executor(address) as pool:
            assert not pool.ready
        command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--no-dashboard"]
        with subprocess.Popen(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}) as worker:
            try:
                client.wait_for_workers(1, timeout=100)
                with pytest.raises(BadSetup, match=sentence):
                    executor.executor(address)
            finally:
                worker.kill()


def test_an_address_without_a_scheduler_is_one_sentence():
    pytest.importorskip("distributed")
    begun = time.monotonic()
    with pytest.raises(BadSetup, match=r"There is no Dask scheduler at tcp://127\.0\.0\.1:9"):
        executor.executor("tcp://127.0.0.1:9")
    assert time.monotonic() > begun
    with pytest.raises(BadSetup, match="dask-jobqueue"):
        executor.executor("slurm")


def jobs(**more):
    """What a batch system is to Dask: workers that are asked for."""
    import distributed

    return distributed.LocalCluster(n_workers=0, threads_per_worker=1, dashboard_address=None, **more)


def slowly(number):
    time.sleep(0.5)
    return number


def unsaid(**more):
    raise ValueError("say how many cores a job has")


def test_a_batch_system_is_asked_for_as_many_workers_as_were_said_or_as_there_is_work_for(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setitem(executor.CLUSTERS, "slurm", (__name__, "jobs", None))
    with executor.executor("slurm:2") as pool:
        assert sorted(found for _, found in pool.map(slowly, range(9))) == list(range(9))
        pool.client.wait_for_workers(2, timeout=100)
    monkeypatch.setattr(executor, "AT_MOST", 3)
    with executor.executor("slurm") as pool:
        most = 0
        for _ in pool.map(slowly, range(200)):
            most = max(most, pool.workers)
            if most == 3:
                break
        assert most == 3


@pytest.mark.parametrize(
    ("on", "cluster", "sentence"),
    [
        ("slurm:0", (__name__, "jobs", None), "slurm:N with N workers"),
        ("slurm", (__name__, "unsaid", None), "say how many cores"),
        ("slurm:2", (__name__, "jobs", "submit-what-is-not-there"), "calls submit-what-is-not-there"),
    ],
)
def test_a_batch_system_that_cannot_be_asked_is_one_sentence(monkeypatch, on, cluster, sentence):
    pytest.importorskip("distributed")
    monkeypatch.setitem(executor.CLUSTERS, "slurm", cluster)
    with pytest.raises(BadSetup, match=sentence):
        executor.executor(on)
