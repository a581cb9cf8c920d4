"""A visitor of a site without a server: the page around the games, and the page in its frame."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from outbid.site.build import STAMP, seal

READY = "html[data-ready]"
ARRIVED = "end => document.querySelector('iframe').contentWindow.location.href.endsWith(end)"
PATIENCE = 120_000  # ms: a busy machine takes its time to start Python


def opened(page: Any, address: str) -> Any:
    """Open the site at an address, and wait until Python answers; the frame with the games."""
    page.goto(address)
    return started(page)


def started(page: Any) -> Any:
    """Wait until Python answers; the frame with the games."""
    page.wait_for_selector(READY, timeout=PATIENCE)
    frame = page.query_selector("iframe").content_frame()
    frame.wait_for_load_state()
    return frame


def complete(page: Any) -> None:
    """Wait until all files of the site are kept."""
    page.wait_for_selector("html[data-kept]", timeout=PATIENCE)


def filled(page: Any, address: str) -> None:
    """Have all files of the site kept, whether Python runs or not."""
    page.goto(address)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    page.evaluate("() => navigator.serviceWorker.controller.postMessage('fill')")
    complete(page)


def visit(page: Any, path: str, end: str = "") -> None:
    """Go to a page of the games by the address of the site. end: of the address, where it leads elsewhere."""
    page.evaluate("path => { location.hash = path; }", path)
    page.wait_for_function(ARRIVED, arg=end or path)
    page.query_selector("iframe").content_frame().wait_for_load_state()


def seated(page: Any, game: str) -> Any:
    """Set a match up as the sheet proposes it; the frame with its table."""
    visit(page, f"/new/{game}")
    frame = page.query_selector("iframe").content_frame()
    frame.locator("details:has(select[name=pace])").evaluate("details => { details.open = true; }")
    frame.locator("select[name=pace]").select_option("instant")
    frame.locator("form[data-sheet] button.primary").last.click()
    frame.wait_for_selector("#dock", state="attached")
    return frame


def offline(page: Any, host: Any) -> None:
    """From now on there is no network, and no web space."""
    complete(page)
    page.context.set_offline(True)
    host.stop()


def version(built: Path, folder: Path, **prefixes: str) -> Path:
    """Another version of a built site, in a folder: something is put before files, by their names without an ending."""
    if not folder.exists():
        shutil.copytree(built, folder)
    for path in [path for path in folder.rglob("*") if path.stem in prefixes and "app" not in path.parts]:
        path.write_bytes(prefixes[path.stem].encode() + path.read_bytes())
    for name in ("sw.js", STAMP):
        (folder / name).unlink()
    seal(folder)
    return folder
