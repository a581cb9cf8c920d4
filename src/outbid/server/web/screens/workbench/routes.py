"""The workbench of an author: the page, and what is done there. No server has it but that of `outbid dev`, which adds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from outbid.core.errors import Unreadable
from outbid.core.language.i18n import _
from outbid.core.rulebook import check_seed
from outbid.server.web.middleware import HEADERS, POLICY
from outbid.server.web.requests import Request, whole
from outbid.server.web.screens import Row

if TYPE_CHECKING:
    from outbid.server.workbench.bench import Bench

PAGE = "/workbench"
FRAMES = {POLICY: f"{HEADERS[POLICY]}; frame-src 'self'"}
DIGITS = 19  # of a seed


def _bench(request: Request) -> Bench:
    bench: Bench = request.app.state.bench
    return bench


async def show(request: Request) -> Response:
    """The seats side by side, and what is done with the match; part: only the latter."""
    bench, wanted = _bench(request), request.query("seat", "part")
    facts = bench.panel()
    large = whole(wanted.get("seat", ""))
    large = large if large is not None and large < len(facts["seats"]) else -1 if wanted.get("seat") == "spectator" else 0
    template = "panel" if wanted.get("part") else "workbench"
    answer = request.page(f"workbench/{template}.html", book=bench.book, large=large, **facts)
    answer.headers.update(FRAMES)
    return answer


async def act(request: Request) -> Response:
    """Something is done with the match."""
    bench = _bench(request)
    fields = await request.fields("do", "at", "players", "seed", "file", "seat")
    done = fields.get("do")
    if done == "go":
        await bench.go(_number(fields, "at"))
    elif done == "bot":
        await bench.play_on(1)
    elif done == "end":
        bench.play_on(bench.book.longest)
    elif done == "halt":
        bench.halt()
    elif done == "new":
        await bench.begin(_number(fields, "players"), check_seed(_number(fields, "seed")))
    elif done == "open" and any(file == fields.get("file") for _line, file in bench.verdicts() if file):
        await bench.open(fields["file"])
    else:
        raise Unreadable(_("The workbench does not know what to do."))
    return request.done(f"{PAGE}?seat={fields.get('seat') or 0}")


def _number(fields: dict[str, str], name: str) -> int:
    """A field that is a whole number. Raises Unreadable."""
    number = whole(fields.get(name, ""), DIGITS)
    if number is None:
        raise Unreadable(_("The field {name} must be a whole number.", name=repr(name)))
    return number


ROUTES: tuple[Row, ...] = ()  # of every server
WORKBENCH: tuple[Row, ...] = (
    (PAGE, "GET", show),
    (PAGE, "POST", act),
)
