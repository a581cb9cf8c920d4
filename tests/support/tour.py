"""Every position of a gallery, opened once in a browser, where everything is looked at: opening its page costs most, and one
worker does it for all. What is seen is judged by the tests of what is in sight (sight.py), of what axe finds
(axe.py) and of what there is for everybody (looks.py), each of which has its own sizes.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.support import axe, browsing, sight
from tests.support import looks as accessible
from tests.support.gallery import Show, gallery

FOLDED = """() => document.querySelectorAll("#dock .act[open]").forEach((act) => (act.open = false))"""
TAUGHT = """() => document.querySelector("[data-relearn]").click()"""  # the first-time cards come back


def tour(browser: Any, address: str, database: Path, show: Show) -> dict[str, Any]:
    """What is seen of a show. hidden: what cannot be seen; looks: each phase on a phone, as it is and with each choice
    opened in turn; axe: what axe finds."""
    hidden: list[str] = []
    looks: dict[str, list[dict[str, Any]]] = {}
    grave: list[str] = []
    pages: dict[str, Any] = {}
    with ExitStack() as visit:
        for n, piece in enumerate(gallery(show)):
            asked = len(looks) - ("over" in looks)
            size, language = sight.view_of(asked) if piece.phase != "over" else (sight.PHONE, "en")
            if language not in pages:
                pages[language] = page = visit.enter_context(
                    browsing.visitor(browser, browsing.PHONE, locale=language, reduced_motion="reduce")
                )
                page.add_init_script("localStorage.setItem('learned', 'all')")
            page = pages[language]
            page.emulate_media(color_scheme="light")
            page.set_viewport_size(dict(zip(("width", "height"), browsing.PHONE, strict=True)))
            browsing.sit(page, address + browsing.begun(database, piece.match, hints="on")[piece.seat])
            page.wait_for_selector("[data-connection].on")
            looks[piece.phase] = accessible.looks_at(page)
            page.evaluate(FOLDED)
            page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
            if piece.phase != "over":
                hidden += sight.seen_at(page, show, piece, size, language)
            page.evaluate(FOLDED)
            page.evaluate(TAUGHT)
            view = axe.VIEWS[n % 4]
            grave += [f"{piece.phase} {line}" for line in axe.examined(page, *view, opened=n % 2 == 1)]
    return {"hidden": hidden, "looks": looks, "axe": grave}
