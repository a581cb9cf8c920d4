"""The operator's page, behind the password of the host (`Settings.desk`); without one there is no such page.

Who signs in gets a cookie for this path, which says until when it is good and proves it by a MAC; its key is made from the
password, so another password ends it, and every process of the server knows it. The acts are those of `outbid admin`.
"""

import asyncio
import hashlib
import hmac
import time
from datetime import UTC, datetime
from functools import cache
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from outbid.core.errors import BadSetup, OutbidError, Unreadable
from outbid.core.language.i18n import _
from outbid.server.domain import setup
from outbid.server.operating import local
from outbid.server.operating.operator import Operator
from outbid.server.settings import Refused
from outbid.server.storage.desk import ADDRESS, NAME
from outbid.server.web.below import root
from outbid.server.web.requests import Request, whole

COOKIE, GOOD = "desk", 12 * 3600  # seconds
ACTS = {
    "ban": ("subject", "time"), "unban": ("subject",), "say": ("text",), "drain": ("stop",), "password": ("name",),
    "rename": ("name", "new"), "erase": ("name", "sure"), "take-down": ("table", "line"),
}  # fmt: skip
LISTED = 50  # tables, names, lines of the audit


@cache
def _key(password: str) -> bytes:
    return hashlib.scrypt(password.encode(), salt=b"the desk of outbid", n=2**14, r=8, p=1)


def _pass(password: str, until: str) -> str:
    """What the cookie of an operator says."""
    return f"{until}.{hmac.digest(_key(password), until.encode(), 'sha256').hex()}"


def _is_operator(request: Request) -> bool:
    """Whether an operator asks. Raises HTTPException if the server has no desk."""
    if not request.settings.desk:
        raise HTTPException(404)
    brought = request.cookies.get(COOKIE, "")
    until = brought.partition(".")[0]
    good = hmac.compare_digest(brought.encode("utf-8", "replace"), _pass(request.settings.desk, until).encode())
    return good and (whole(until, 12) or 0) > time.time()


async def show(request: Request) -> Response:
    """The desk, or the form to sign in there."""
    if not _is_operator(request):
        return request.page("desk/in.html")
    return await _page(request, **request.query("table", "name", "search"))


async def _page(
    request: Request, table: str = "", name: str = "", search: str = "", done: str = "", error: str = ""
) -> Response:
    operator: Operator = request.app.state.operator
    store, desk = request.store, operator.desk
    reports = await asyncio.to_thread(local.ask, store.engine.url) or [request.limits.callers.report()]
    facts: dict[str, Any] = {"desk": request.desk, "reports": reports, "done": done, "error": error, "moment": _moment}

    def stored() -> dict[str, Any]:
        """What the database has of it."""
        return {
            "bans": [order for order in desk.orders(time.time()) if order.kind in (ADDRESS, NAME)],
            "people": desk.people(name, LISTED, reports), "lines": desk.lines(LISTED),
            "chat": desk.chat(table) if table else [], "tables": store.summaries(desk.tables(search, LISTED)),
            "going": store.statuses()["playing"],
        }  # fmt: skip

    facts |= {"table": table, "name": name, "search": search, **await store.beside(stored)}
    answer = request.page("desk/desk.html", **facts)
    answer.status_code = 400 if error else 200
    return answer


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="minutes")


async def sign_in(request: Request) -> Response:
    """Sign an operator in for some hours, by the password of the host."""
    _is_operator(request)
    given, password = (await request.fields("password")).get("password", ""), request.settings.desk
    request.limits.guess(request.address)
    if not hmac.compare_digest(given.encode(), password.encode()):
        raise Refused(403, _("That is not the password of this desk."))
    operator: Operator = request.app.state.operator
    await request.store.aside(operator.desk.act, operator.who, "sign in", "")
    answer, until = request.done("/desk"), str(int(time.time()) + GOOD)
    answer.set_cookie(COOKIE, _pass(password, until), max_age=GOOD, **_scope(request))
    return answer


async def sign_out(request: Request) -> Response:
    """This browser is an operator's no longer."""
    await request.fields()
    answer = request.done("/desk")
    answer.delete_cookie(COOKIE, **_scope(request))
    return answer


def _scope(request: Request) -> dict[str, Any]:
    secure = request.base.startswith("https")
    return {"path": f"{root()}/desk", "httponly": True, "samesite": "strict", "secure": secure}


async def act(request: Request, act: str) -> Response:
    """Carry out an act of the operator; this process obeys at once."""
    if not _is_operator(request):
        raise Refused(403, _("Please sign in at the desk first."))
    if act not in ACTS:
        raise HTTPException(404)
    words: dict[str, Any] = await request.fields(*ACTS[act])
    try:
        if act == "erase" and not setup.truth("sure", words.pop("sure", "")):
            raise BadSetup(_("Please say that you are sure: what is erased does not come back."))
        if "stop" in words:
            words["stop"] = setup.truth("stop", words["stop"])
        if act == "ban":
            words["own"] = request.address
        if "line" in words:
            words["line"] = whole(words["line"]) or 0
        done = await request.store.aside(getattr(request.app.state.operator, act.replace("-", "_")), **words)
    except TypeError as error:
        raise Unreadable(_("The form cannot be read.")) from error
    except OutbidError as error:
        if not request.marked(error):
            raise
        return await _page(request, words.get("table", ""), words.get("name", ""), error=str(error))
    await request.desk.look()
    if request.program:
        return JSONResponse({"ok": True, "done": done})
    return await _page(request, words.get("table", ""), done=done)


ROUTES = (
    ("/desk", "GET", show),
    ("/desk/in", "POST", sign_in),
    ("/desk/out", "POST", sign_out),
    ("/desk/{act}", "POST", act),
)
