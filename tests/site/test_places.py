"""Where a site may lie, what it asks for there, and what leads from it to others."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from outbid.server.web import screens
from outbid.site import build
from tests.rivals.player import Player
from tests.support import static
from tests.support.browsing import another, chromium, expect
from tests.support.shell import PATIENCE, offline, opened, seated, started, version, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]
STATIC = screens.FOLDER.parent / "static"
REGISTER = "async () => { await navigator.serviceWorker.register('/sw.js'); await navigator.serviceWorker.ready; }"
SIZE = "async src => { const icon = new Image(); icon.src = src; await icon.decode(); return [icon.width, icon.height]; }"
FOREIGN = """self.onfetch = event => event.respondWith(
  event.request.url.endsWith("/index.html") ? new Response("of another site") : fetch(event.request));"""


def test_it_plays_below_a_path_of_another_site(page: Any, built: Path, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<title>Another site</title>")
    (tmp_path / "sw.js").write_text(FOREIGN)
    with static.hosting(built, "/games/outbid/", beside=tmp_path) as host:
        root = host.address.removesuffix("games/outbid/")
        page.goto(f"{root}index.html")
        page.evaluate(REGISTER)
        page.reload()
        assert page.inner_text("body") == "of another site"
        opened(page, host.address)
        offline(page, host)
        player = Player(seated(page, "rivals"))
        assert not player.play(1)
        assert page.url.startswith(f"{host.address}#/t/")
        page.reload()
        player.page = started(page)
        assert not player.play(1)
        page.goto(f"{root}index.html")
        assert page.inner_text("body") == "of another site"


@pytest.mark.deep
def test_python_serves_it(page: Any, built: Path) -> None:
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(built)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        try:
            assert server.stdout
            port = re.search(r"port (\d+)", server.stdout.readline())
            assert port
            opened(page, f"http://127.0.0.1:{port[1]}/")
            assert not Player(seated(page, "rivals")).play(1)
        finally:
            server.terminate()


def test_a_whole_match_asks_no_other_host(host: static.Host, tmp_path: Path) -> None:
    """All requests of the browser, whoever makes them, as its own log has them."""
    log = tmp_path / "net.json"
    with chromium(f"--log-net-log={log}") as browser:
        page = another(browser, locale="en-GB").new_page()
        page.set_default_timeout(PATIENCE)
        opened(page, host.address)
        player = Player(seated(page, "rivals"))
        table = page.url
        assert player.play(400)
        visit(page, f"{table.partition('#')[2]}/review?seat=0", "/replay?move=0&seat=0")
    asked = {entry["params"]["url"] for entry in json.loads(log.read_text())["events"] if "url" in entry.get("params", {})}
    assert f"{host.address}python/outbid.zst" in asked
    own = urlsplit(host.address).netloc
    assert {urlsplit(url).netloc for url in asked if urlsplit(url).scheme not in ("data", "blob", "chrome")} == {own}


def test_chromium_would_install_it(browser: Any, host: static.Host) -> None:
    page = browser.new_page(locale="en-GB")

    def asked(command: str, key: str) -> Any:
        return page.context.new_cdp_session(page).send(command)[key]

    page.goto(host.address)
    page.wait_for_function("() => navigator.serviceWorker.controller")
    assert asked("Page.getAppManifest", "errors") == []
    manifest = json.loads(asked("Page.getAppManifest", "data"))
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("./", "./", "standalone")
    for icon in manifest["icons"]:
        width, height = page.evaluate(SIZE, icon["src"])
        assert icon["sizes"] in ("any", f"{width}x{height}")
    page.close()


def test_friends_are_met_at_the_server_if_there_is_one(browser: Any, host: static.Host, built: Path, tmp_path: Path) -> None:
    page = browser.new_page(locale="en-GB")
    page.goto(host.address)
    page.locator("#about").wait_for()
    expect(page.locator("#about")).to_contain_text("Nothing that you type leaves this device.", use_inner_text=True)
    expect(page.get_by_role("link", name=str(build.WORDS["friends"]))).to_have_count(0)
    folder = tmp_path / "site"
    shutil.copytree(built, folder)
    build.write_shell(folder, "https://play.example")
    with static.hosting(version(built, folder)) as served:
        page.goto(served.address)
        page.locator("#about").wait_for()
        expect(page.locator("#about")).to_contain_text("until you choose to play with friends", use_inner_text=True)
        assert page.get_by_role("link", name="Play with friends").get_attribute("href") == "https://play.example"
        page.close()


def test_the_result_that_one_pastes_leads_to_the_site_and_not_into_the_tab(browser: Any) -> None:
    page, root = browser.new_page(), "https://pages.example/outbid/"
    line = '<textarea id="line" data-place="daily/2026-11-25">Place 1</textarea><button data-share="#line"></button>'
    pages = {
        root: '<iframe src="app/daily"></iframe>',
        f"{root}app/daily": f'{line}<script type="module" src="static/share.js"></script>',
    }
    page.route(f"{root}**", lambda route: route.fulfill(body=pages[route.request.url], content_type="text/html"))
    page.route("**/static/*.js", lambda route: route.fulfill(path=STATIC / route.request.url.rpartition("/")[2]))
    page.goto(f"{root}#/daily")
    expect(page.frame_locator("iframe").locator("#line")).to_have_value(f"Place 1\n{root}#/daily/2026-11-25")
    page.close()
