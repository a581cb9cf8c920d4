"""The deal of the day: today's, those before it, one's own results, and those of others beside them.

Until one's own first match with a deal is over, nothing is told of anybody's: no result, no move, nobody who played it but
the person whose link was opened. That link is remembered in a cookie until the result is shown to others, too.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import zip_longest
from typing import Any

import sqlalchemy as sa
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from outbid.core.errors import OutbidError
from outbid.core.language import i18n
from outbid.core.language.i18n import _
from outbid.core.match import SPECTATOR
from outbid.server.domain.contests import daily
from outbid.server.domain.contests.rounds import Round, rounds
from outbid.server.domain.setup import truth
from outbid.server.domain.table import Table
from outbid.server.settings import Refused
from outbid.server.storage import results
from outbid.server.storage.results import PlayedDeal
from outbid.server.tokens import hashed
from outbid.server.web import pages
from outbid.server.web.absent import alone
from outbid.server.web.requests import Request, called

CAME_BY = "came-by"  # the cookie with the code of the link that was opened last
CALENDAR = 35  # days
COMPARED, SHOWN = ("bot", "matches", "of", "better", "same", "won"), ("name", "place", "points", "code")  # to programs


async def of_day(request: Request, day: str = "") -> Response:
    """The deal of a day, of today if none is named."""
    return await _page(request, daily.deal_of(day or daily.today()))


async def begin(request: Request) -> Response:
    """Play a deal, today's unless another day is named; a browser that has played it goes on where it was. again: once more
    after the result, for nothing."""
    fields = await request.fields("name", "game", "day", "again")
    deal, again = daily.deal_of(fields.get("day") or daily.today()), truth("again", fields.get("again", ""))
    if deal.day not in daily.days(daily.KEPT):
        raise Refused(404, _("There is no deal of that day here."))
    mine = first_of(request, deal.day)
    if again and not (mine and mine.status == "over"):
        raise Refused(409, _("A deal is played once more when your first match with it is over."))
    if mine and not again and not request.program:
        return RedirectResponse(f"/daily/{deal.day}" if mine.status == "over" else f"/t/{mine.table}", 303)
    try:
        answer = await request.new_table(deal.order(called(fields.get("name", request.usual_name)), again))
    except OutbidError as error:
        if not request.marked(error, 403):
            raise
        return await _page(request, deal, fields.get("name"), str(error))
    measuring_of(request).begin(deal)
    return answer


async def show(request: Request, day: str) -> Response:
    """Show one's result to those who have finished the deal, or hide it again."""
    on = truth("on", (await request.fields("on")).get("on", ""))
    mine = first_of(request, daily.deal_of(day).day)
    if not mine or not mine.code:
        raise Refused(409, _("You have no result of that day to show."))
    if on:
        request.names.check(request.tables.get(mine.table).seats[daily.SEAT].name, request.device)
    link = request.cookies.get(CAME_BY, "")
    friend = link if link != mine.code and results.table(request.store, day, link) else None
    await request.store.aside(results.show, request.store, mine.table, on, friend)
    return request.done(f"/daily/{day}#others")


async def of_person(request: Request, day: str, code: str) -> Response:
    """Somebody's result beside one's own, round by round; before one has one, who it is that sent the link."""
    deal, mine = daily.deal_of(day), first_of(request, day)
    best = request.store.best(day) if code == daily.BEST else None
    theirs = best or results.table(request.store, day, code)
    if theirs is None:
        return await _page(request, deal, note=_("Nobody shows a result under this link, or no longer."))
    other = request.tables.get(theirs)
    who = _(daily.BEST) if best else other.seats[daily.SEAT].name
    if not mine or mine.status != "over":
        if best or request.program:
            raise Refused(403, _("That is shown when your own match with this deal is over."))
        return request.remember(await _page(request, deal, sender=who), CAME_BY, code)
    yours = request.tables.get(mine.table)
    stories = await _rounds(request, other, SPECTATOR, who), await _rounds(request, yours, daily.SEAT)
    rows = list(zip_longest(*stories, fillvalue=Round()))
    facts: dict[str, Any] = {"name": who, "theirs": _result(other), "yours": _result(yours)}
    if request.program:
        return JSONResponse({**facts, "rounds": [{"theirs": their.told, "yours": own.told} for their, own in rows]})
    facts |= {"rows": rows, "best": best, "mine": code == mine.code, "deal": pages.deal_of(deal)}
    return request.page("daily/beside.html", **facts)


def first_of(request: Request, day: str) -> PlayedDeal | None:
    """The first match of this visitor with the deal of a day."""
    return next(iter(_own(request, day)), None)


def measuring_of(request: Request) -> daily.Measuring:
    """What bots make of the deals of this server."""
    return request.app.state.measuring


def _own(request: Request, day: str | None = None) -> list[PlayedDeal]:
    person = request.kept
    return results.own(request.store, request.single, hashed(request.browser), person.key if person else "", day)


def _result(table: Table) -> list[int]:
    return daily.result_of(table.playing.scores, table.playing.winners)


async def _rounds(request: Request, table: Table, reader: int, name: str = "") -> list[Round]:
    """The rounds of the person, or of a bot that is called so, told to a reader."""

    def make() -> list[Round]:
        match = table.playing.copy()
        match.names[daily.SEAT] = name or match.names[daily.SEAT]
        return rounds(match, daily.SEAT, reader)

    moves = len(table.playing.moves)
    return await request.heavily(lambda: table.once(("rounds", reader, i18n.language()), make), moves)


async def _page(
    request: Request, deal: daily.DailyDeal, name: str | None = None, error: str = "", sender: str = "", note: str = ""
) -> Response:
    """The page of a deal. sender: who sent the link to it; note: what is wrong with the link."""
    played = _own(request)
    mine = next((row for row in played if row.day == deal.day), None)
    result, comparisons, story, match = None, list[daily.BotComparison](), "", None
    others: Sequence[sa.Row[Any]] = ()
    if mine and mine.status == "over":
        table = request.tables.get(mine.table)
        match, result = table.playing, _result(table)
        measuring_of(request).begin(deal)
        comparisons = _comparisons(request, deal, result)
        story = "".join(part.bar for part in await _rounds(request, table, daily.SEAT))
        others = results.shown(request.store, deal.day, mine.code or "")
    stood_in = daily.stood_in(match) if match else 0
    status = 400 if error else 404 if note else 200
    streak = max(results.streak(played, day) for day in daily.days(2))  # today's may be played still
    if request.program and note:
        raise Refused(404, note)
    if request.program:
        return JSONResponse({
            "day": deal.day, "game": deal.book.id, "players": deal.players, "bots": list(deal.bots),
            "table": mine and mine.table, "status": mine and mine.status, "shown": bool(mine and mine.shown),
            "result": result and {"place": result[0], "points": result[1], "stood_in": stood_in}, "streak": streak,
            "comparisons": [{fact: getattr(standing, fact) for fact in COMPARED} for standing in comparisons],
            "others": [{fact: getattr(row, fact) for fact in SHOWN} for row in others],
        }, status)  # fmt: skip
    link = "" if alone() else f"{request.base}/daily/{deal.day}" + (f"/{mine.code}" if mine and mine.shown else "")
    facts: dict[str, Any] = {
        "nickname": request.usual_name if name is None else name, "error": error, "mine": mine, "result": result,
        "stood_in": stood_in, "comparisons": comparisons, "others": others, "sender": sender, "note": note,
        "line": daily.line(deal, result, story, comparisons, link) if result else "", "streak": streak,
        "best": request.store.best(deal.day) if result else None, "today": daily.today(),
        "compared": bool(measuring_of(request).wanted), "open": deal.day in daily.days(daily.KEPT),
        "calendar": _calendar(played), "next": (date.fromisoformat(daily.today()) + timedelta(1)).isoformat(),
    }  # fmt: skip
    facts |= {"deal": pages.deal_of(deal), "game": pages.tile(deal.book), "drawn": pages.drawn(deal.book.id)}
    return HTMLResponse(pages.page("daily/daily.html", **facts), status)


def _calendar(played: list[PlayedDeal]) -> list[dict[str, Any] | None]:
    """The last days, from a Monday on: what was played, and how it went; the days before are none."""
    by_day = {row.day: row for row in played}
    cells = [
        {"day": day, "number": int(day[-2:]), "title": daily.deal_of(day).book.title, "played": by_day.get(day)}
        for day in reversed(daily.days(CALENDAR))
    ]
    return [None] * date.fromisoformat(str(cells[0]["day"])).weekday() + cells


def _comparisons(request: Request, deal: daily.DailyDeal, result: list[int]) -> list[daily.BotComparison]:
    measuring = measuring_of(request)
    measured = measuring.results(deal).items()
    standings = (daily.standing(bot, result, results, measuring.wanted[bot]) for bot, results in measured)
    return [standing for standing in standings if standing]


ROUTES = (
    ("/daily", "GET", of_day),
    ("/daily", "POST", begin),
    ("/daily/{day}", "GET", of_day),
    ("/daily/{day}/show", "POST", show),
    ("/daily/{day}/{code}", "GET", of_person),
)
