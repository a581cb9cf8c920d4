"""Where the laboratory's work is done (experiments, arenas, exploiters, simulations): threads of this process, or a cluster
of `dask.distributed` workers.

    with executor(on=None) as pool:                 # or "tcp://host:8786", "local:4", "slurm:40", "kubernetes:40"
        for number, found in pool.map(play, blocks):
            …

Both are the interface of `concurrent.futures`. Compiled code holds no interpreter lock, so that threads use every core and
compile once. A block depends on nothing but itself, so that workers need no talk among each other; what a lost worker had
is played again by another (Dask does this by itself), one that comes later is given work at once, and one with other
sources refuses (sources.py). At most a few blocks a worker are under way, so that memory stays flat.

`slurm` and `kubernetes` start workers through dask-jobqueue and dask-kubernetes, which are configured by their own files
(`~/.config/dask/*.yaml`); everything there is passed on. `slurm:N` asks for N workers; `slurm` for as many as there is work
for, at most what `distributed.adaptive.maximum` says there, or else `AT_MOST`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from math import isfinite
from shutil import which
from threading import Thread
from types import TracebackType
from typing import Any, TypeVar

from outbid.bots.naming import Registered, registered
from outbid.core.errors import BadSetup
from outbid.core.extras import needed

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 3  # blocks under way for each worker
LOSSES = 5  # workers that a block may lose
AT_MOST = 16  # workers of a cluster, where nobody said how many
PATIENCE = "500ms"  # of Dask with work that waits, before it asks for more workers: never more than `AHEAD` blocks each wait
CLUSTERS = {  # where it is from, and the command that it calls
    "slurm": ("dask_jobqueue", "SLURMCluster", "sbatch"),
    "kubernetes": ("dask_kubernetes.operator", "KubeCluster", None),
}


class Pool:
    """An executor, and how many blocks it plays at once."""

    name = "this machine"

    def __init__(self, inner: Executor, workers: Callable[[], int]):
        self._inner, self._workers = inner, workers

    @property
    def workers(self) -> int:
        """How many blocks are played at once, now."""
        return max(1, self._workers())

    @property
    def ready(self) -> bool:
        """Whether there is anybody to play a block."""
        return True

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._inner.shutdown(cancel_futures=True)

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[tuple[int, R]]:
        """The number of each task and its result, as they are done. Raises what a task raises."""
        waiting: dict[Future[R], int] = {}
        numbered = enumerate(tasks)
        more = True
        try:
            while more or waiting:
                while more and len(waiting) < AHEAD * self.workers:
                    number, task = next(numbered, (-1, None))
                    more = number >= 0
                    if more and task is not None:
                        waiting[self._inner.submit(function, task)] = number
                if waiting:
                    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                        yield waiting.pop(future), future.result()
        finally:
            for future in waiting:
                future.cancel()

    def release(self) -> None:
        """Free the workers: nothing more is sent to them."""


class Cluster(Pool):
    """Workers of dask.distributed."""

    def __init__(self, client: Any, closing: tuple[Any, ...], name: str):
        self.client, self._closing, self.name = client, closing, name
        self._ending: Thread | None = None

    @property
    def workers(self) -> int:
        """The threads of all workers."""
        return max(1, sum(self.client.nthreads().values()))

    @property
    def ready(self) -> bool:
        """Whether a worker has come."""
        return bool(self.client.nthreads())

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.release()
        assert self._ending is not None
        self._ending.join()

    def release(self) -> None:
        """The workers that were started here end while the caller goes on, which takes a second or two."""
        if self._ending is None:
            self._ending = Thread(target=self._close)
            self._ending.start()

    def _close(self) -> None:
        self.client.close()
        for part in self._closing:
            part.close()

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[tuple[int, R]]:
        """As at home. Results leave the workers as soon as they are taken."""
        import distributed

        dask: Any = distributed
        numbered = enumerate(tasks)
        waiting: dict[Any, tuple[int, T, int]] = {}  # by key: the number, the task, how often it may be lost
        done = dask.as_completed(with_results=False)

        def submit(number: int, task: T, losses: int) -> None:
            future = self.client.submit(_played, registered(), function, task, pure=False)
            waiting[future.key] = number, task, losses
            done.add(future)

        more = True
        while True:
            while more and len(waiting) < AHEAD * self.workers:
                number, task = next(numbered, (-1, None))
                more = number >= 0
                if more and task is not None:
                    submit(number, task, LOSSES)
            if not waiting:
                return
            future = next(done)
            number, given, losses = waiting.pop(future.key)
            try:
                found = future.result()
            except Exception as error:
                if future.status == "error" and not type(error).__module__.startswith("distributed"):
                    raise
                if losses == 0:
                    raise BadSetup(f"The cluster lost a block {LOSSES + 1} times: {error}") from error
                submit(number, given, losses - 1)  # the worker that had the result was lost before it was taken
                continue
            future.release()
            yield number, found


def _played(handed: Registered, function: Callable[[T], R], task: T) -> R:
    """In a worker, which is to know the games and bots of who asks."""
    handed.adopt()
    return function(task)


def executor(on: str | None = None, threads: int | None = None) -> Pool:
    """Where blocks are played. on: none for this process, "local:N" for N worker processes of Dask on this machine,
    "slurm:N" or "kubernetes:N" for N workers there (without N for as many as there is work for), or the address of a
    scheduler. Raises BadSetup."""
    if on is None:
        number = threads or os.cpu_count() or 1
        return Pool(ThreadPoolExecutor(number), lambda: number)
    with needed("A cluster", "lab"):
        import distributed
    dask: Any = distributed
    kind = on.partition(":")[0]
    if kind == "local":
        number = _number(on) or os.cpu_count() or 1
        cluster = dask.LocalCluster(
            n_workers=number, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR
        )
        return Cluster(dask.Client(cluster), (cluster,), f"{number} workers on this machine")
    if kind in CLUSTERS:
        cluster = _started(kind, _number(on))
        return _same_version(Cluster(dask.Client(cluster), (cluster,), on))
    try:
        client = dask.Client(on, timeout=10)
    except (OSError, ValueError) as error:
        raise BadSetup(f"There is no Dask scheduler at {on}: {error}.") from error
    return _same_version(Cluster(client, (), on))


def _number(on: str) -> int | None:
    """How many workers are asked for, if it is said."""
    kind, colon, text = on.partition(":")
    if not colon:
        return None
    if not (text.isdigit() and 1 <= int(text) <= 1024):
        raise BadSetup(f"--on {on} must be {kind}:N with N workers, such as {kind}:2.")
    return int(text)


def _started(kind: str, number: int | None) -> Any:
    """A cluster that is started through Dask's own packages, with the configuration they read."""
    import importlib

    import dask

    package, name, command = CLUSTERS[kind]
    try:
        module = importlib.import_module(package)
    except ImportError:
        needed = package.partition(".")[0].replace("_", "-")
        raise BadSetup(f"--on {kind} needs {needed}; install it beside outbid.") from None
    if command and not which(command):
        raise BadSetup(f"--on {kind} calls {command}, which is not there: start it on a machine that submits jobs.")
    try:
        cluster = getattr(module, name)()
        if number is not None:
            cluster.scale(number)
        else:
            most = dask.config.get("distributed.adaptive.maximum")
            cluster.adapt(minimum=1, maximum=most if isfinite(most) else AT_MOST, target_duration=PATIENCE)
    except Exception as error:  # of packages that are not ours, and of what they run
        raise BadSetup(f"--on {kind}: {name} of {package} did not start: {error}") from error
    return cluster


def _same_version(cluster: Cluster) -> Cluster:
    """The cluster, if its workers have this outbid, and its scheduler, which reads what is sent through it, has any. Raises
    BadSetup, and lets go of it then."""
    from outbid.version import __version__

    who = "scheduler"
    try:
        cluster.client.run_on_scheduler(version_here)
        who = "workers"
        versions = cluster.client.run(version_here)
    except Exception as error:
        cluster.release()
        sentence = f"The {who} at {cluster.name} cannot load outbid ({error}); install outbid {__version__} there."
        raise BadSetup(sentence) from error
    for worker, version in versions.items():
        if version != __version__:
            cluster.release()
            raise BadSetup(f"The worker {worker} has outbid {version}, and this is {__version__}; install the same there.")
    return cluster


def version_here() -> str:
    """The version of outbid in this process, or that there is none."""
    from outbid.version import __version__

    return __version__
