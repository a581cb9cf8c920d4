"""A server below a path of a proxy that knows nothing else of it: `--base-url http://host/games`."""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from outbid.core.errors import BadSetup
from outbid.server.settings import check_base
from outbid.server.web.below import rooted
from outbid.wire.link import Link
from tests.support.browsing import DESK, chromium, expect, visitor
from tests.support.serving import JSON, SHORT, Person, get, hear, line_to, play_out, post, start, stop


class Proxy:
    """Hands on what begins with the path, as it is; what else is asked of it is somebody else's (404), and remembered."""

    def __init__(self, path: str):
        self.path = path
        self.strays: list[str] = []
        self.to = free_port()
        self.port = free_port()
        self._thread = threading.Thread(target=asyncio.run, args=(self._run(),), daemon=True)
        self._begun = threading.Event()
        self._thread.start()
        self._begun.wait(10)

    @property
    def address(self) -> str:
        """Where it stands, without the path."""
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        """End it."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()

    async def _run(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self._begun.set()
        await self._ended.wait()
        server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(asyncio.IncompleteReadError, ConnectionError):
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1].decode()
            if path != self.path and not path.startswith(f"{self.path}/"):
                self.strays.append(path)
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            if b"upgrade: websocket" not in head.lower():
                head = re.sub(rb"(?i)\r\nconnection:[^\r]*", b"", head).replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
            back, on = await asyncio.open_connection("127.0.0.1", self.to)
            on.write(head.replace(b"\r\n", b"\r\nX-Forwarded-For: 192.0.2.7\r\n", 1))
            await asyncio.gather(_relay(reader, on), _relay(back, writer))


async def _relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError), closing(writer):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()


def free_port() -> int:
    """A port that nobody listens at."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def behind(database: Path, path: str, **more: object) -> Iterator[Proxy]:
    """A server behind a proxy."""
    proxy = Proxy(path)
    server, said = start(database, proxy.to, base_url=proxy.address + path, **more)
    assert said == proxy.address + path
    try:
        yield proxy
    finally:
        stop(server)
        proxy.close()


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """A proxy of all tests. The path is one that the server uses itself, too."""
    with behind(tmp_path_factory.mktemp("below") / "tables.db", "/games") as made:
        yield made
        assert made.strays == []


@pytest.mark.slow
def test_a_match_is_played_below_a_path_in_the_browser(proxy):
    home = f"{proxy.address}/games/"
    with chromium() as browser, visitor(browser, DESK) as page:
        page.goto(f"{home}new/kuhhandel")
        page.fill("#name", "Ada")
        page.get_by_role("button", name="Make the table").click()
        page.wait_for_selector(".dot:not(.off)")  # the socket is open
        assert "/games/t/" in page.url
        page.wait_for_selector("#now[data-yours]")
        decision = page.locator("#dock input[name=decision]").first.input_value()
        act = page.locator("#dock [id^=act-]").first  # who begins is drawn
        if act.locator("summary").count():
            act.locator("summary").first.click()
            act.locator("button.primary").click()
        else:
            (act if act.evaluate("e => e.tagName") == "BUTTON" else act.locator("button").first).click()
        page.wait_for_function("old => document.querySelector('#dock input[name=decision]')?.value !== old", arg=decision)
        table = page.url
        assert [name for name, _seen in page.evaluate("JSON.parse(localStorage.seen)")] == [table.rpartition("/")[2]]
        page.goto(f"{table}/replay?move=0")
        page.locator("[data-step-key]").first.click()
        assert "/games/t/" in page.url
        page.goto(home)
        expect(page.locator(f"a[href='{table.removeprefix(proxy.address)}']")).not_to_have_count(0)
        page.locator("a[href='/games/rules/rivals']").first.click()
        page.wait_for_selector("h1")
        page.locator("form[action='/games/language'] button").last.click()
        page.wait_for_selector("html[lang=de]")
        assert page.url == f"{home}rules/rivals"
        cookies = {one["name"]: one["path"] for one in page.context.cookies()}
        assert {"nickname", "browser", "language"} <= cookies.keys()
        assert set(cookies.values()) == {"/games/"}


@pytest.mark.slow
def test_every_page_and_what_it_needs_is_below_the_path(proxy):
    home = f"{proxy.address}/games"
    person = Person(home)
    person.order()
    paths = ["/", "/name", "/ladder", "/records", "/daily", "/new/claim", "/rules/forex", "/learn/rivals",
             *(f"/t/{person.table}{part}" for part in ("", "/seat", "/replay", "/chat"))]  # fmt: skip
    seen = set[str]()
    for path in paths:
        text = person.http.get(path).text
        found = re.findall(r"""(?:href|src|action|formaction|data-socket)=["'](/[^"'#?]*)""", text)
        assert found, path
        assert all(one.startswith("/games/") for one in found), (path, found)
        seen |= {one for one in found if re.search(r"\.(css|js|png|webmanifest)$", one)}
    assert len(seen) > 10
    for one in seen:
        answer = get(proxy.address + one)
        assert answer.status_code == 200, one
        if one.endswith(".js"):
            assert not re.findall(r"""(?:from|import|fetch\()\s*["']/""", answer.text), one
        if one.endswith(".webmanifest"):
            made = answer.json()
            links = [made["start_url"], made["scope"], *(icon["src"] for icon in made["icons"])]
            assert all(link.startswith("/games/") for link in links)


@pytest.mark.slow
def test_redirects_cookies_and_sockets_are_below_the_path(proxy):
    home = f"{proxy.address}/games"
    bare = get(home, follow_redirects=False)
    assert (bare.status_code, bare.headers["location"]) == (308, "/games/")
    person = Person(home)
    made = person.http.post("/play", data={"game": "rivals", "name": "Ada"}, follow_redirects=False)
    assert made.status_code == 303
    assert made.headers["location"].startswith("/games/t/")
    assert "path=/games/" in made.headers["set-cookie"].lower()
    person.table = made.headers["location"].rpartition("/")[2]
    with line_to(person) as line:
        told = hear(line, "regions")
    assert 'action="/games/t/' in str(told)
    assert "/games/games/" not in str(told)
    assert f'href="{home}/t/{person.table}"' in person.http.get(f"/t/{person.table}").text  # to be passed on
    assert get(f"{proxy.address}/", follow_redirects=False).status_code == 404  # that is somebody else's
    assert proxy.strays == ["/"]
    proxy.strays.clear()
    assert get(f"http://127.0.0.1:{proxy.to}/livez").text == "ok"  # what watches the server needs no path
    other = post(
        f"{home}/play", data={"game": "rivals", "name": "Eve"}, headers={**JSON, "Origin": "https://evil.example"}
    )
    assert other.status_code == 403


def test_every_link_that_programs_are_told_is_below_the_path(proxy):
    home = f"{proxy.address}/games"
    person, other = Person(home), Person(home)
    told = [person.order(**SHORT, bots="open,random")]
    other.join(person.table, "Ben")
    told.append(other.links[other.table])
    assert Link.read(f"{proxy.address}{told[1]}").base == home
    play_out(person, other)
    record = person.http.get(f"/t/{person.table}/record", headers=JSON).json()
    quick = {"game": "rivals", "name": "Ada"}
    asked = [
        ("/play", {"data": quick}),
        ("/records", {"json": record}),
        (f"/t/{person.table}/try", {"data": {"move": "1", "seat": "1"}}),
        (f"/t/{person.table}/rematch", {"data": {}}),
    ]
    for path, sent in asked:
        answer = person.http.post(path, **sent, headers=JSON)
        assert answer.status_code == 201, (path, answer.text)
        told.append(answer.json()["link"])
    again = person.http.post(f"/t/{person.table}/rematch", headers=JSON).json()["link"]  # she sits there: without a secret
    for link in (*told, again):
        assert link.startswith("/games/t/"), told
        assert get(proxy.address + link).status_code == 200, link


@pytest.mark.slow
def test_a_path_that_the_server_has_itself(tmp_path):
    with behind(tmp_path / "tables.db", "/t") as proxy:
        person = Person(f"{proxy.address}/t")
        person.order()
        assert get(f"{proxy.address}/t/t/{person.table}").status_code == 200
        assert f'href="/t/t/{person.table}/seat"' in person.http.get(f"/t/{person.table}").text


@pytest.mark.parametrize(
    "base", ["https://h.example/games/", "https://h.example/a b", "https://h.example/../x", "https://h.example//x",
             "https://h.example/x?y=1", "https://h.example/x#y", "https://h.example/<x>", "https://me@h.example/x"]
)  # fmt: skip
def test_base_urls_that_cannot_be(base):
    with pytest.raises(BadSetup, match="perhaps with a path"):
        check_base(base)


def test_links_below_a_path_are_read():
    link = Link.read("https://h.example/my/games/t/abc/seat/x-y_z")
    assert (link.base, link.table, link.token) == ("https://h.example/my/games", "abc", "x-y_z")
    assert link.socket == "wss://h.example/my/games/t/abc/socket"
    assert Link.read("https://h.example/t/t/abc").base == "https://h.example/t"


def test_addresses_in_templates():
    source = (
        """<a href="/x">{% if a == "/" %}<a href="{{ b }}"><a href="{{ t.table.link }}"><form action="{{ post }}">"""
    )
    assert rooted(source, "") == source
    assert rooted(source, "/g") == (
        """<a href="/g/x">{% if a == "/" %}<a href="/g{{ b }}"><a href="{{ t.table.link }}"><form action="/g{{ post }}">"""
    )
