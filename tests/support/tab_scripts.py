"""What is done in a tab (tests/support/tab_alone.py): plays as a person would, by forms, and prints what came of it."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import outbid
from outbid.bots.heuristic import RANDOM
from outbid.bots.seat import Seat
from outbid.core.rulebook import rulebook
from outbid.server.domain.contests import daily as deals
from outbid.server.domain.table import Table
from outbid.server.stored import Seat as Place
from outbid.server.stored import Stored
from outbid.server.tokens import hashed, new_id, new_token
from outbid.server.web.requests import BROWSER
from outbid.site.tab import Tab, start
from tests.support.gallery import NAMES, SHOWS, gallery

Ask = Callable[[str, str, list[tuple[str, str]], bytes], Awaitable[str]]

PAGE = [("Accept", "text/html"), ("Accept-Language", "en")]
SHORT = {"kuhhandel": "small", "money": "small", "rivals": "small", "claim": "tiny", "forex": "tiny"}
COVER = "Nothing of the table shows"
SHOWN = ('id="dock"', 'id="log"', 'id="stage"', "<svg class=\"card", "data-card")  # parts of a table
FORM = [*PAGE, ("Content-Type", "application/x-www-form-urlencoded"), ("Origin", "https://pages.example")]


async def get(tab: Tab, path: str, status: int = 200) -> str:
    """A page, or the one that an address leads to."""
    found, headers, body = await tab.request("GET", tab.root + path, PAGE, b"")
    if found == 303 and status == 200:
        found, _headers, body = await tab.request("GET", dict(headers)["location"], PAGE, b"")
    assert found == status, (path, found, body[-3000:])
    return body.decode()


async def post(tab: Tab, path: str, fields: dict[str, Any], status: int | tuple[int, ...] = 303) -> str:
    """Where a form leads."""
    found, headers, body = await tab.request("POST", tab.root + path, FORM, urlencode(fields).encode())
    assert found in (status if isinstance(status, tuple) else (status,)), (path, found, body[-3000:])
    return dict(headers).get("location", "").removeprefix(tab.root)


async def new(tab: Tab, game: str, **fields: Any) -> str:
    """The path of a new table."""
    players = rulebook(game).players[0]
    return await post(tab, f"/new/{game}", {"name": "Ada", "players": players, "bots": "easy", "pace": "instant", **fields})


def table_of(tab: Tab, path: str) -> Any:
    """The table of a path."""
    return tab.app.state.tables.get(path.removeprefix("/t/"))


async def play(tab: Tab, path: str, moves: int = 10_000) -> Any:
    """Play so many moves at random, or to the end; returns the table."""
    table = table_of(tab, path)
    news = asyncio.Event()
    ended: list[tuple[int, str]] = []
    socket = tab.socket(f"{tab.root}{path}/socket?language=en", lambda text: news.set(), lambda *how: ended.append(how))
    while table.status != "over" and moves:
        news.clear()
        if 0 not in table.decisions:
            await asyncio.wait_for(news.wait(), 60)
            continue
        match = table.playing
        view = Seat.of(match, 0, 7)
        actions = RANDOM.decide(view).actions
        if actions:
            fields = {"decision": table.decisions[0], "text": view.said(actions)}
            await post(tab, f"{path}/move", fields, (303, 409))  # what the coach asks about is played all the same
            moves -= 1
        else:
            await asyncio.wait_for(news.wait(), 60)
    assert not ended, ended
    socket.close()
    return table


async def whole(database: str, base: str, *games: str) -> None:
    """Each game from its set-up to the end, its replay and the page of its review; says how many moves there were."""
    tab = await start(database, base=base)
    played = {}
    for game in games:
        assert "ladder" not in await get(tab, f"/new/{game}")
        path = await new(tab, game)
        table = await play(tab, path)
        for page in ("", "/replay?move=3", "/review", "/record", "/notes", "/delete"):
            await get(tab, path + page)
        assert "<svg" in await drawn(tab, path)
        review = await get(tab, f"{path}/review")
        assert 'class="chart-wide"><svg' in review
        assert "not judged in the browser" in review
        played[game] = len(table.playing.moves)
    await tab.close()
    print(json.dumps(played))


async def daily(database: str, base: str, day: str) -> None:
    """The deal of a day, an earlier one and the first once more; says what the pages are, each at its end."""
    deals.today = lambda: day
    tab = await start(database, base=base)
    invited = await get(tab, "/daily")
    for fields in ({}, {"day": "2026-11-20"}, {"again": "true"}):
        await play(tab, path := await post(tab, "/daily", {"name": "Ada", **fields}))
        assert "made of your seat" not in await get(tab, path), "no bot is measured here"
    pages = [invited, *[await get(tab, path) for path in ("/daily", "/daily/2026-11-20")]]
    await post(tab, f"/daily/{day}/show", {"on": "true"})
    await get(tab, f"/daily/{day}/strong", 404)
    await tab.close()
    print(json.dumps(pages))


async def drawn(tab: Tab, path: str) -> str:
    """The curve of a match that is over; meanwhile pages are answered."""
    while True:
        status, _headers, body = await tab.request("GET", f"{tab.root}{path}/curve", PAGE, b"")
        if status != 202:
            assert status == 200, status
            return body.decode()
        review = await get(tab, f"{path}/review")
        assert "The curve is being drawn" in review or 'class="chart-wide"' in review  # it may be ready meanwhile


async def begun(database: str, base: str, game: str) -> None:
    """Three moves of a match; then the program is killed, without a farewell."""
    tab = await start(database, base=base)
    path = await new(tab, game)
    table = await play(tab, path, 3)
    print(json.dumps([path, table.playing.record()]), flush=True)
    sys.stdout.flush()
    import os

    os._exit(9)


async def gone_on(database: str, base: str, path: str) -> None:
    """The match goes on in another program; says the record at first, and how it ended."""
    tab = await start(database, base=base)
    assert path in await get(tab, "/")
    table = table_of(tab, path)
    record = table.playing.record()
    await play(tab, path)
    await tab.close()
    print(json.dumps([record, table.status]))


def people_asked(table: Table) -> list[int]:
    """The seats of people that are asked now."""
    return [seat for seat in table.decisions if table.seats[seat].kind == "human"]


async def passed(database: str, base: str, game: str) -> None:
    """Two people at the device play a whole match and begin another; says how often it was passed on."""
    tab = await start(database, base=base)
    path = await new(tab, game, bots="open", players=2 if 2 in range(rulebook(game).players[0], 9) else 3)
    assert await post(tab, f"{path}/join", {"name": "Ben"}) == path
    if table_of(tab, path).status == "open":
        await post(tab, f"{path}/start", {"bot": "easy"})
    table, times = table_of(tab, path), 0
    news, sent = asyncio.Event(), list[dict[str, Any]]()

    def hear(text: str) -> None:
        sent.append(json.loads(text))
        news.set()

    table.passed(1, here=False)  # whose page another one covers
    while table.status != "over":
        before, page = people_asked(table), await get(tab, path)
        if COVER in page:
            seat = int(page.split('name="seat" value="')[1].split('"')[0])
            assert seat in before or before != people_asked(table) or not before
            for other in ("", "/replay?move=2", "/notes", "/review", "/record", "/leave"):
                assert await get(tab, path + other) == page
            assert not any(sign in page for sign in SHOWN), page
            assert await post(tab, f"{path}/move", {"decision": 1, "text": "pass"}) == path
            assert await post(tab, f"{path}/pass", {"seat": seat}) == path
            times += 1
            continue
        holder = tab.holders[table.id]
        assert all(sign in page for sign in SHOWN[:2])
        if holder not in table.decisions:
            await asyncio.sleep(0)  # bots move
            continue
        sent.clear()
        socket = tab.socket(f"{tab.root}{path}/socket?language=en", hear, lambda *how: None)
        while not any(message["type"] == "regions" for message in sent):
            news.clear()
            await asyncio.wait_for(news.wait(), 60)
        view = Seat.of(table.playing, holder, 7)
        actions = RANDOM.decide(view).actions
        sent.clear()
        if actions:
            fields = {"decision": str(table.decisions[holder]), "text": view.said(actions)}
            socket.say(json.dumps({"type": "move", "id": str(uuid.uuid4()), "fields": fields}))
        while not any(message["type"] in ("reload", "regions") for message in sent):
            news.clear()
            await asyncio.wait_for(news.wait(), 60)
        last = [message["type"] for message in sent if message["type"] in ("reload", "regions")]
        if tab._holder(table.id, tab._seats(table.id))[1]:
            assert "reload" in last
            assert "regions" not in last
        socket.close()
    assert not table.asides, "nobody is away at one device"
    assert COVER not in await get(tab, path)
    following = await post(tab, f"{path}/rematch", {})
    assert table_of(tab, following).status == "playing"
    assert COVER in await get(tab, following)
    await tab.close()
    again = await start(database, base=base)
    assert COVER in await get(again, following)
    await again.close()
    print(json.dumps(times))


async def looked_back(database: str, base: str, *records: str) -> None:
    """What a replay shows at every position of these records, for a person without a seat and with all hands open."""
    tab = await start(database, base=base)

    async def ask(method: str, path: str, headers: list[tuple[str, str]], body: bytes) -> str:
        found, _headers, content = await tab.request(method, tab.root + path, headers, body)
        assert found in (200, 201), (path, content[-3000:])
        return content.decode()

    shown = [[each async for each in regions_of(ask, Path(name).read_bytes())] for name in records]
    await tab.close()
    print(json.dumps(shown))


async def regions_of(ask: Ask, record: bytes) -> AsyncIterator[dict[str, str]]:
    """The regions of every position of a record, as `ask` gets them, but for the line on top, what stands at the end, and
    what is said of the review, which a tab does not make."""
    program = [("Accept", "application/json"), ("Accept-Language", "de")]
    made = json.loads(await ask("POST", "/records", [*program, ("Content-Type", "application/json")], record))
    replay = f"/t/{made['table']}/replay"
    for move in range(len(json.loads(record)["moves"]) + 1):
        for seat in ("spectator", "open"):
            answer = json.loads(await ask("GET", f"{replay}?part=regions&move={move}&seat={seat}", program, b""))
            yield {name: html for name, html in answer["regions"].items() if name not in ("bar", "over", "moments")}


async def spoken(database: str, base: str) -> None:
    """The language is chosen on each kind of page; says where that leads from it, and the language there."""
    tab = await start(database, base=base)
    table = await new(tab, "rivals")
    program = [("Accept", "application/json"), ("Content-Type", "application/json")]
    _status, _headers, answer = await tab.request("POST", f"{tab.root}/records", program, played("rivals").encode())
    opened = f"/t/{json.loads(answer)['table']}/replay?move=2&seat=open"
    told = {}
    for page in ("/", "/new/claim", "/records", "/rules/forex", "/puzzles", table, opened, f"{table}/move"):
        headers = [*FORM, ("Referer", f"https://pages.example{tab.root}{page}")]
        found, answered, _body = await tab.request("POST", f"{tab.root}/language", headers, b"language=de")
        assert found == 303
        there = dict(answered)["location"].removeprefix(tab.root)
        told[page] = [there, 'lang="de"' in await get(tab, there)]
    await tab.close()
    print(json.dumps([table, opened, told]))


def played(game: str) -> str:
    """The record of a short match that is over."""
    match = outbid.game(game, preset=SHORT[game]).new(players=2, seed=5, names=["Ada", "Ben"])
    while not match.over:
        match.random_move(match.asked[0], len(match.moves))
    return json.dumps(match.record())


async def loaded_again(database: str, base: str) -> None:
    """Where one comes who loads the page again on which a form was refused; says it by its address."""
    tab = await start(database, base=base)
    path = await new(tab, "rivals", bots="open", players=3)
    told = {}
    for page in (f"{path}/join", f"{path}/move", "/language"):
        found, headers, _body = await tab.request("GET", tab.root + page, PAGE, b"")
        told[page.removeprefix(path)] = [found, dict(headers)["location"].removeprefix(tab.root).removeprefix(path)]
    await tab.close()
    print(json.dumps(told))


async def sat_down(database: str, base: str) -> None:
    """Who has made the table sees who sits there, sends one away again, and begins with somebody else; says the names."""
    tab = await start(database, base=base)
    path = await new(tab, "rivals", bots="open", players=3)
    assert 'value="open"' not in await get(tab, path)
    await post(tab, f"{path}/join", {"name": "Ben"})
    assert "Remove <bdi" in await get(tab, path)
    assert await post(tab, f"{path}/seats", {"seat": 1, "who": "open"}) == path
    assert "Ben" not in await get(tab, path)
    await post(tab, f"{path}/join", {"name": "Cem"})
    await post(tab, f"{path}/start", {"bot": "easy"})
    await tab.close()
    tab = await start(database, base=base)
    page, table = await get(tab, path), table_of(tab, path)
    while not people_asked(table):
        await asyncio.sleep(0)
    door, asked = await get(tab, "/"), table.seats[people_asked(table)[0]].name
    assert re.search(f"it is <bdi[^>]*>{asked}</bdi>’s turn", door), door
    assert f'href="{tab.root}/new/rivals?bots=open"' in door
    assert await post(tab, f"{path}/pass", {"seat": page.split('name="seat" value="')[1].split('"')[0]}) == path
    leaving = await get(tab, f"{path}/leave")
    assert "A bot plays on for you" in leaving
    assert "seat link" not in leaving
    print(json.dumps([seat.name for seat in table.seats if seat.kind == "human"]))
    await tab.close()


async def tried(database: str, base: str) -> None:
    """After a match of two people at the device, a position of Ben's is played on: alone, under his name, with no cover."""
    tab = await start(database, base=base)
    path = await new(tab, "rivals", bots="open", players=2)
    await post(tab, f"{path}/join", {"name": "Ben"})
    table = table_of(tab, path)
    while table.status != "over":
        page = await get(tab, path)
        if COVER in page:
            await post(tab, f"{path}/pass", {"seat": page.split('name="seat" value="')[1].split('"')[0]})
            continue
        holder = tab.holders[table.id]
        view = Seat.of(table.playing, holder, 7)
        fields = {"decision": table.decisions[holder], "text": view.said(RANDOM.decide(view).actions)}
        await post(tab, f"{path}/move", fields)
    following = await post(tab, f"{path}/try", {"move": 1, "seat": 1})
    branch = table_of(tab, following)
    assert [seat.name for seat in branch.seats if seat.kind == "human"] == ["Ben"]
    while not branch.decisions:
        await asyncio.sleep(0)
    page = await get(tab, following)
    assert COVER not in page
    assert 'id="dock"' in page
    assert following in await get(tab, "/")
    await play_on(tab, following, 1)
    await tab.close()
    print(json.dumps("over"))


async def play_on(tab: Tab, path: str, seat: int) -> None:
    """Play a table to its end by forms, in a seat."""
    table = table_of(tab, path)
    while table.status != "over":
        if seat not in table.decisions:
            await asyncio.sleep(0)
            continue
        view = Seat.of(table.playing, seat, 7)
        await post(tab, f"{path}/move", {"decision": table.decisions[seat], "text": view.said(RANDOM.decide(view).actions)})


async def covered(database: str, base: str, game: str) -> None:
    """Everybody sits at the device at positions of every phase of a game; says how often, and how many covers there were."""
    tab, pages, positions = await start(database, base=base), set[str](), 0
    people, secrets = tab.app.state.names.people, [new_token() for _ in NAMES]
    tab.people = [{BROWSER: secret} for secret in secrets]
    for piece in [piece for show in SHOWS if show.game == game for piece in gallery(show) if piece.phase != "over"]:
        tokens = [new_token() for _ in piece.match.names]
        seats = [Place("human", name, None, n, hashed(tokens[n])) for n, name in enumerate(piece.match.names)]
        facts = {"status": "playing", "pace": "instant", "host": 0}
        place = await tab.app.state.tables.take_in(Stored.of(piece.match, new_id(), seats, **facts))
        for seat, token in enumerate(tokens):
            people.hold(secrets[seat], {place: token})
        for holder in {-1, *range(len(seats))} - set(piece.match.asked):
            tab.holders[place] = holder
            page, heard = await get(tab, f"/t/{place}"), list[str]()
            socket = tab.socket(f"{tab.root}/t/{place}/socket?language=en", heard.append, lambda *how: None)
            while not heard:
                await asyncio.sleep(0)
            socket.close()
            assert {json.loads(text)["type"] for text in heard} == {"reload"}
            seat = tab._holder(place, tab._seats(place))[0]
            assert COVER in page
            for given, mark in ((place, "TABLE"), (piece.match.names[seat], "NAME"), (f'value="{seat}"', "SEAT")):
                page = page.replace(given, mark)
            pages.add(page)
            positions += 1
    await tab.close()
    print(json.dumps([positions, len(pages)]))


async def advised(database: str, base: str) -> None:
    """A hint in the first question of a match; says whether the page names who gave it, and that it is not counted."""
    tab = await start(database, base=base)
    path = await new(tab, "rivals")
    table = table_of(tab, path)
    while 0 not in table.decisions:
        await asyncio.sleep(0)
    await post(tab, f"{path}/hint", {"decision": table.decisions[0]})
    page = await get(tab, path)
    await tab.close()
    print(json.dumps(["The bot “steady” advises" in page, "This hint is not counted" in page, table.seats[0].hints]))


async def puzzled(database: str, base: str, *games: str) -> None:
    """A puzzle of each game is solved, the tab begun anew after each; says the ratings that were given."""
    tab, program = await start(database, base=base), [("Accept", "application/json"), *FORM[1:]]
    ratings = []
    for game in games:
        _found, headers, _body = await tab.request("GET", f"{tab.root}/puzzles/{game}", PAGE, b"")
        puzzle = dict(headers)["location"]
        found, _headers, body = await tab.request("POST", puzzle, program, b"choice=0")
        assert found == 200, body
        answer = json.loads(body)
        assert answer["solved"]
        ratings.append(answer["rating"])
        await tab.close()
        tab = await start(database, base=base)
    await tab.close()
    print(json.dumps(ratings))


async def carried(database: str, base: str) -> None:
    """A match is saved as a file, and opened on another device; says the record there and here."""
    tab = await start(database, base=base)
    path = await new(tab, "rivals")
    await play(tab, path)
    record = await get(tab, f"{path}/record")
    await tab.close()
    other = await start(f"{database}.other", base=base)
    program = [("Accept", "application/json"), ("Content-Type", "application/json")]
    found, _headers, body = await other.request("POST", f"{other.root}/records", program, record.encode())
    assert found == 201, body
    place = f"/t/{json.loads(body)['table']}"
    assert "<svg" in await get(other, f"{place}/replay?move=2&seat=open")
    print(json.dumps([json.loads(record), json.loads(await get(other, f"{place}/record"))]))
    await other.close()
