"""The games in a browser alone: from set-up to end and review, with no network after the first visit."""

from __future__ import annotations

import json

import pytest

from tests.claim.player import Player as Claim
from tests.forex.player import Player as Forex
from tests.kuhhandel.player import Player as Kuhhandel
from tests.money.player import Player as Money
from tests.rivals.player import Player as Rivals
from tests.support.browsing import DESK, PHONE
from tests.support.shell import offline, opened, seated, started, visit

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(1800)]
PLAYERS = {"claim": Claim, "forex": Forex, "kuhhandel": Kuhhandel, "money": Money, "rivals": Rivals}
LATER = pytest.mark.deep
MATCHES = [
    pytest.param(game, size, marks=() if (game, size) == ("rivals", PHONE) else LATER)
    for game in PLAYERS for size in (PHONE, DESK)
]  # fmt: skip


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
    with page.expect_download() as saved:
        frame.get_by_role("link", name="Save the record").click()
    assert json.loads(saved.value.path().read_text())["game"] == game
    visit(page, f"{table.partition('#')[2]}/review")
    frame = page.frame_locator("iframe")
    frame.locator("#moments").get_by_text("A browser tab does not judge every decision.").wait_for()


def test_what_is_chosen_before_the_games_are_ready_opens_when_they_are(page, host):
    page.goto(host.address)
    door = page.frame_locator("iframe")
    door.get_by_role("button", name="Play now").first.click()
    page.wait_for_function("() => location.hash.startsWith('#/t/')")
    started(page)
    visit(page, "/")
    assert door.locator("a[href*='/t/']").count() == 1
