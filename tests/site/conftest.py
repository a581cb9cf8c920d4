"""The site, built once for all tests, and served as any web space would; and who visits it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import static
from tests.support.browsing import PHONE, another
from tests.support.shell import PATIENCE


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built site; of several workers the first one builds it, and the others wait. OUTBID_SITE: one that is there."""
    if "OUTBID_SITE" in os.environ:
        return Path(os.environ["OUTBID_SITE"])
    if not shutil.which("node") or not shutil.which("npm"):
        pytest.skip("Node.js is not installed.")
    fcntl = pytest.importorskip("fcntl")
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder = shared / "site"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            subprocess.run([sys.executable, "-m", "outbid", "site", folder], check=True)  # here a loop may run
    return folder


@pytest.fixture
def host(built: Path) -> Iterator[static.Host]:
    """A web space with the site, of its own for each test: another address is another storage."""
    with static.hosting(built) as host:
        yield host


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page of somebody new, which must show no error."""
    context = another(browser, locale="en-GB", viewport={"width": PHONE[0], "height": PHONE[1]})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert not wrong
