"""The deal of the day."""

from __future__ import annotations

from typing import Any

from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from outbid.core.errors import OutbidError
from outbid.server.domain.contests import daily
from outbid.server.web import pages
from outbid.server.web.requests import Request, called


async def of_today(request: Request) -> Response:
    """The deal of today."""
    return _page(request, daily.deal_of(daily.today()))


async def of_day(request: Request, day: str) -> Response:
    """The deal of a day, for those who have played it."""
    return _page(request, daily.deal_of(day))


async def begin(request: Request) -> Response:
    """Play the deal of today; a browser that has played it goes on where it was."""
    fields = await request.fields("name", "game")
    deal = daily.deal_of(daily.today())
    mine = first_of(request, deal.day)
    if mine and not request.program:
        return RedirectResponse("/daily" if mine[1] == "over" else f"/t/{mine[0]}", 303)
    try:
        answer = await request.new_table(deal.order(called(fields.get("name", request.usual_name))))
    except OutbidError as error:
        if not request.marked(error, 403):
            raise
        return _page(request, deal, fields.get("name"), str(error))
    measuring_of(request).begin(deal)
    return answer


def first_of(request: Request, day: str) -> tuple[str, str] | None:
    """The first table of this browser with the deal of a day, and its status."""
    tables = request.store.of_day(request.table_ids, day)
    return (tables[0][0], tables[0][2]) if tables else None


def measuring_of(request: Request) -> daily.Measuring:
    """What bots make of the deals of this server."""
    return request.app.state.measuring


def _page(request: Request, deal: daily.DailyDeal, name: str | None = None, error: str = "") -> Response:
    played = request.store.of_day(request.table_ids)
    mine = next(((table, status) for table, day, status in played if day == deal.day), None)
    result = None
    if mine and mine[1] == "over":
        match = request.tables.get(mine[0]).playing
        stood_in = sum(match.moves[number]["seat"] == daily.SEAT for number in match.marks)
        result = daily.result_of(match.scores, match.winners)
        measuring_of(request).begin(deal)
        comparisons = _comparisons(request, deal, result)
    else:
        stood_in, comparisons = 0, []
    if request.program:
        return JSONResponse(_as_json(deal, mine, result, stood_in, comparisons), 400 if error else 200)
    facts: dict[str, Any] = {
        "nickname": request.usual_name if name is None else name, "error": error, "table": mine, "result": result,
        "stood_in": stood_in, "comparisons": comparisons,
        "earlier": sorted({day for _table, day, _status in played} - {deal.day}),
        "line": daily.line(deal, result, comparisons, f"{request.base}/daily") if result else "",
        "minutes": max(1, round(daily.tomorrow() / 60)),
    }  # fmt: skip
    facts |= {"deal": pages.deal_of(deal), "game": pages.tile(deal.book), "drawn": pages.drawn(deal.book.id)}
    return HTMLResponse(pages.page("daily/daily.html", **facts), 400 if error else 200)


def _comparisons(request: Request, deal: daily.DailyDeal, result: list[int]) -> list[daily.BotComparison]:
    measuring = measuring_of(request)
    measured = measuring.results(deal).items()
    standings = (daily.standing(bot, result, results, measuring.wanted[bot]) for bot, results in measured)
    return [standing for standing in standings if standing]


def _as_json(
    deal: daily.DailyDeal, mine: tuple[str, str] | None, result: list[int] | None, stood_in: int,
    comparisons: list[daily.BotComparison],
) -> dict[str, Any]:  # fmt: skip
    """The deal for programs."""
    return {
        "day": deal.day, "game": deal.book.id, "players": deal.players, "bots": list(deal.bots),
        "table": mine[0] if mine else None, "status": mine[1] if mine else None,
        "result": {"place": result[0], "points": result[1], "stood_in": stood_in} if result else None,
        "comparisons": [
            {field: getattr(standing, field) for field in ("bot", "matches", "of", "better", "same", "won")}
            for standing in comparisons
        ],
    }  # fmt: skip


ROUTES = (
    ("/daily", "GET", of_today),
    ("/daily", "POST", begin),
    ("/daily/{day}", "GET", of_day),
)
