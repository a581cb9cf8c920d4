"""Shared by all tests. Compiled code is made with bounds checks and kept in a cache folder of its own."""

import os
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(tempfile.gettempdir()) / f"outbid-test-cache-{os.getuid()}"))

os.environ["LC_ALL"] = "C.UTF-8"  # terminals of the tests speak English, whoever runs them

TOY = str(Path(__file__).parent / "toy")
sys.path.insert(0, TOY)  # a game of another package, with its entry point
os.environ["PYTHONPATH"] = os.pathsep.join([TOY, os.environ.get("PYTHONPATH", "")])

from outbid.engine.rulebook import rulebooks  # noqa: E402 - after the environment is set

settings.register_profile(
    "default", max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.register_profile(
    "deep", max_examples=120, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
PROFILE = os.environ.get("OUTBID_PROFILE", "default")
settings.load_profile(PROFILE)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked `deep` run in `make deep` alone, and nothing runs there that would be the same: only these, those marked
    `deeper`, and those that hypothesis gives more examples."""
    if PROFILE != "deep":
        for item in items:
            if item.get_closest_marker("deep"):
                item.add_marker(pytest.mark.skip(reason="takes minutes; make deep runs it"))
        return

    def differs(item: pytest.Item) -> bool:
        more = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        return more or any(item.get_closest_marker(name) for name in ("deep", "deeper"))

    config.hook.pytest_deselected(items=[item for item in items if not differs(item)])
    items[:] = [item for item in items if differs(item)]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A slow machine does as much of `make deep` as it can by OUTBID_UNTIL, in seconds since 1970."""
    until = os.environ.get("OUTBID_UNTIL")
    if PROFILE == "deep" and until and time.time() > float(until):
        pytest.skip("no time is left for more (OUTBID_UNTIL)")


@pytest.fixture(scope="module")
def browser():
    """Chromium (browsing.py)."""
    from browsing import chromium

    with chromium() as made:
        yield made


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    """The address of a server for all tests of a module."""
    from serving import serving

    with serving(tmp_path_factory.mktemp("page") / "tables.db", auction_seconds=3.0) as address:
        yield address


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with a parameter `book` runs for every game."""
    if "book" in metafunc.fixturenames:
        metafunc.parametrize("book", rulebooks().values(), ids=lambda book: book.id)
