"""A visitor of a site without a server: the page around the games, and the page in its frame."""

from __future__ import annotations

from typing import Any

READY = "html[data-ready]"
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


def visit(page: Any, path: str) -> None:
    """Go to a page of the games by the address of the site."""
    page.evaluate("path => { location.hash = path; }", path)
    page.wait_for_function("path => document.querySelector('iframe').contentWindow.location.href.endsWith(path)", arg=path)
    page.query_selector("iframe").content_frame().wait_for_load_state()


def offline(page: Any, host: Any) -> None:
    """From now on there is no network, and no web space."""
    complete(page)
    page.context.set_offline(True)
    host.stop()
