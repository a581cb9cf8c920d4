"""The games in a browser alone: from set-up to end and review, with no network after the first visit."""

from __future__ import annotations

import pytest

from tests.claim.player import Player as Claim
from tests.forex.player import Player as Forex
from tests.kuhhandel.player import Player as Kuhhandel
from tests.money.player import Player as Money
from tests.rivals.player import Player as Rivals
from tests.support.browsing import DESK, PHONE, chromium
from tests.support.shell import offline, opened, started, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1800)]
PLAYERS = {"claim": Claim, "forex": Forex, "kuhhandel": Kuhhandel, "money": Money, "rivals": Rivals}
LATER = pytest.mark.deep
MATCHES = [
    pytest.param(game, size, marks=() if (game, size) == ("rivals", PHONE) else LATER)
    for game in PLAYERS for size in (PHONE, DESK)
]  # fmt: skip


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


@pytest.fixture
def page(browser):
    """A page of somebody new, which must show no error."""
    context = browser.new_context(locale="en-GB", viewport={"width": PHONE[0], "height": PHONE[1]})
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    yield page
    context.close()
    assert not wrong


def seated(page, game: str) -> None:
    """Set a match up as the sheet proposes it."""
    visit(page, f"/new/{game}")
    frame = page.query_selector("iframe").content_frame()
    frame.locator("details:has(select[name=pace])").evaluate("details => { details.open = true; }")
    frame.locator("select[name=pace]").select_option("instant")
    frame.locator("form[data-sheet] button.primary").last.click()
    frame.wait_for_selector("#dock", state="attached")


@pytest.mark.parametrize(("game", "size"), MATCHES)
def test_a_match_from_set_up_to_review_with_no_network(page, host, game, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    frame = opened(page, host.address)
    offline(page, host)
    seated(page, game)
    player = PLAYERS[game](frame)
    assert not player.play(3)
    table = page.url
    page.reload()
    player.page = frame = started(page)
    assert page.url == table
    assert player.play(400)
    visit(page, f"{table.partition('#')[2]}/review")
    assert "Review" in page.title()
