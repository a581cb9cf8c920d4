"""Shared by all tests.

Compiled code is kept between runs, in a cache folder of the tests' own for each checkout. `make test` and `make slow`
compile as users do; `make deep` compiles with bounds checks, which makes compiling half as long again.
"""

import asyncio
import contextlib
import gc
import hashlib
import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from tests.support.profile import DEEP, SLOW

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

HERE = Path(__file__).parent
CI = os.environ.get("CI") == "true"
MAY_BE_SKIPPED = re.compile(  # in CI: what says nothing of a missing program, and what .ci/run could not install
    "|".join(["OUTBID_UNTIL", "no network", "no small version", "another package", "only kuhhandel has a clock", "PufferLib",
              "torchrl", "tianshou", "supersuit", *os.environ.get("OUTBID_WITHOUT", "").split()]),
    re.IGNORECASE,
)  # fmt: skip
UNTIL = float(os.environ.get("OUTBID_UNTIL") or 0) if DEEP else 0.0
if DEEP:
    os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
_CHECKOUT = hashlib.sha256(str(HERE).encode()).hexdigest()[:8]
_CACHE = Path(platformdirs.user_cache_dir("outbid")) / f"tests-{_CHECKOUT}-{'deep' if DEEP else 'default'}"
os.environ.setdefault("NUMBA_CACHE_DIR", str(_CACHE))

os.environ["LC_ALL"] = "C.UTF-8"  # terminals of the tests speak English, whoever runs them

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell began us in the background; programs of the tests do listen
    signal.signal(signal.SIGINT, signal.default_int_handler)

sys.path.insert(0, str(HERE / "toy"))  # a game of another package, with its entry point
os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE / "toy"), str(HERE.parent), os.environ.get("PYTHONPATH", "")])

from outbid.core.rulebook import GAMES, rulebooks  # noqa: E402 - after the environment is set

COLLECTED = pytest.StashKey[frozenset[str]]()  # modules that were imported when all tests had been collected
TOY, CHEAPEST = "sealed", "rivals"  # of tests of machinery, `make test` runs the toy game, `make slow` what compiles soonest


@pytest.fixture(autouse=True, scope="module")
def games_of_modules():
    """A game of a file that a module's fixtures have loaded is gone after the module."""
    with GAMES.apart():
        yield


@pytest.fixture(autouse=True)
def games_of_files():
    """A game of a file that a test has loaded is gone after it."""
    with GAMES.apart():
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """`make test` leaves out what is marked `slow`, which `make slow` runs, and `deep`, which `make deep` runs with what is
    marked `deeper` and what Hypothesis gives more examples. Whoever names tests by `::` gets them, whatever they are."""
    if any("::" in one for one in config.args):
        return

    def wanted(item: pytest.Item) -> bool:
        generic = item.get_closest_marker("generic") and _game_of(item)
        slow = _is_slow(item) or generic == CHEAPEST
        deep = bool(item.get_closest_marker("deep")) or generic not in (None, TOY, CHEAPEST)
        if not DEEP:
            return not deep and slow == SLOW
        more = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        return deep or more or bool(item.get_closest_marker("deeper"))

    config.hook.pytest_deselected(items=[item for item in items if not wanted(item)])
    items[:] = [item for item in items if wanted(item)]
    if UNTIL:  # not all can be run: another part each day
        items.sort(key=lambda item: hashlib.sha256(f"{UNTIL // 86400} {item.location[0]}".encode()).digest())


def _is_slow(item: pytest.Item) -> bool:
    """The test is marked `slow`, and is not of one of the games for which it is to be as if it were not."""
    found = item.get_closest_marker("slow")
    but = found and found.kwargs.get("but")
    return bool(found and not (but and _game_of(item) in but))


def pytest_sessionstart(session: pytest.Session) -> None:
    """In a fresh clone pytest puts its own code into the assertions of 150 modules, seconds of work. Each worker does it for
    some of them and all find it done, where each would do it for all."""
    told = getattr(session.config, "workerinput", None)
    if told is None or sys.dont_write_bytecode or [Path(one).resolve() for one in session.config.args] != [HERE]:
        return
    with contextlib.suppress(Exception):  # how is not promised by pytest, and it says itself what is wrong with a module
        from _pytest.assertion import rewrite

        state = session.config.stash[rewrite.assertstate_key]
        for module in sorted(HERE.rglob("test_*.py"))[int(told["workerid"][2:]) :: told["workercount"]]:
            folder = rewrite.get_cache_dir(module)
            made = folder / (module.name[:-3] + rewrite.PYC_TAIL)
            if rewrite._read_pyc(module, made) is None and rewrite.try_makedirs(folder):
                found, code = rewrite._rewrite_test(module, session.config)
                rewrite._write_pyc(state, code, found, made)


def pytest_collection_finish(session: pytest.Session) -> None:
    """What has been read in until now is never garbage: it need not be looked through again and again."""
    session.config.stash[COLLECTED] = frozenset(sys.modules)
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


def pytest_xdist_auto_num_workers() -> int:
    """Two a core, four at most: tests of servers and browsers wait, and each worker may take more than a gigabyte."""
    return min(4, 2 * (os.cpu_count() or 1))


def _game_of(item: pytest.Item) -> str:
    """The game that a parameter of a test names: a rulebook, its id, a small version (`rivals-tiny`), or a show."""
    for value in item.callspec.params.values() if hasattr(item, "callspec") else ():
        name = re.split("[- ]", str(getattr(value, "id", value)))[0]
        if name in rulebooks():
            return name
    raise ValueError(f"{item.nodeid} is marked generic and has no parameter that names a game")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """`make deep` does as much as it can by OUTBID_UNTIL, in seconds since 1970."""
    if UNTIL and time.time() > UNTIL:
        pytest.skip("no time is left for more (OUTBID_UNTIL)")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    return not_skipped_in_ci((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    return not_skipped_in_ci((yield))


def not_skipped_in_ci(report: Any) -> Any:
    """The report; of a test that CI skips for want of something, that it failed."""
    if CI and report.skipped and not hasattr(report, "wasxfail") and not MAY_BE_SKIPPED.search(str(report.longrepr)):
        report.outcome, report.longrepr = "failed", f"CI must not skip this: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def browser():
    """Chromium (support/browsing.py), one for each worker."""
    from tests.support.browsing import chromium

    with chromium() as made:
        yield made


@pytest.fixture(autouse=True)
def no_other_loop(request: pytest.FixtureRequest):
    """Playwright's event loop waits in this thread while the browser is open: a test without the browser may run its own."""
    loop = asyncio._get_running_loop()
    if loop is None or "browser" in request.fixturenames:
        yield
        return
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory):
    """What is found out by one worker for all: `once(name, find)` is what `find()` came to, in JSON."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def found(name: str, find: Callable[[], Any]) -> Any:
        file = folder / f"once-{name}.json"
        with open(file, "a+", encoding="utf-8") as kept:
            if fcntl:
                fcntl.flock(kept, fcntl.LOCK_EX)  # the others wait
            kept.seek(0)
            if not (said := kept.read()):
                said = json.dumps(find())
                kept.write(said)
            return json.loads(said)

    return found


@pytest.fixture(scope="session")
def server_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tables of `server` lie."""
    return tmp_path_factory.mktemp("page") / "tables.db"


@pytest.fixture(scope="session")
def server(server_database: Path):
    """The address of a server for all tests of a worker that need no other settings."""
    from tests.support.serving import serving

    with serving(server_database, auction_seconds=3.0) as address:
        yield address


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tables of a module's own server lie."""
    return tmp_path_factory.mktemp("own") / "tables.db"


@pytest.fixture(scope="module")
def address(request: pytest.FixtureRequest, database: Path):
    """A server for all tests of a module that stop none; if the module names settings, with these `SETTINGS`."""
    from tests.support.serving import serving

    with serving(database, **getattr(request.module, "SETTINGS", {})) as started:
        yield started


@pytest.fixture(scope="module")
def house(address: str, database: Path):
    """That server and its database."""
    from tests.support.houses import House

    return House(address, database)


@pytest.fixture
def http(address: str):
    """Somebody who looks at that server."""
    import httpx

    from tests.support.serving import TRUSTED

    with httpx.Client(base_url=address, timeout=30, verify=TRUSTED) as made:
        yield made


@pytest.fixture(scope="module")
def cluster():
    """A PostgreSQL for all tests of a module."""
    from tests.support.postgres import Cluster, needed

    made = Cluster(needed())
    yield made
    made.remove()


@pytest.fixture(scope="session")
def toured(browser, once, tmp_path_factory: pytest.TempPathFactory):
    """What is seen of a show: `toured(show)`, by one worker for all (tour.py)."""

    def found(show: Any) -> dict[str, Any]:
        from tests.support.serving import serving
        from tests.support.tour import tour

        def look() -> dict[str, Any]:
            database = tmp_path_factory.mktemp("tour") / "tables.db"
            with serving(database) as address:
                return tour(browser, address, database, show)

        return once(f"tour of {show}", look)

    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with a parameter `book` runs for every game."""
    if "book" in metafunc.fixturenames:
        metafunc.parametrize("book", rulebooks().values(), ids=lambda book: book.id)
