"""Shared by all tests. Compiled code is made with bounds checks and kept in a cache folder of its own."""

import os
import sys
import tempfile
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
    "deep", max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
settings.load_profile(os.environ.get("OUTBID_PROFILE", "default"))


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
