"""Kuhhandel played through the real page in headless Chromium: by mouse, by keys, by thumb, and without script."""

from __future__ import annotations

import re
from contextlib import ExitStack

import pytest

from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.kuhhandel.player import Player
from tests.support import browsing
from tests.support.browsing import MINE, OVER, PHONE, begun, dealt, expect, sit, table, visitor
from tests.support.gallery import SHOWS, gallery
from tests.support.houses import own_server
from tests.support.serving import serving

pytestmark = pytest.mark.browser


def fresh() -> Match:
    """A match that begins."""
    return Match.new(rulebook("kuhhandel"), rulebook("kuhhandel").preset("quick"), 3, 9, ["Ada", "Ben", "Cem"])


class Typist(Player):
    """Uses keys only."""

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def choose(self, act: str) -> None:
        face = self.page.locator(f"{act} > [data-key], {act} > button[data-key]").first
        key = face.get_attribute("data-key")  # it stands there after painting
        assert key, f"{act} has no key"
        self.press(*((key, "Escape", key) if self.has(f"{act} > summary") else (key,)))

    def both(self, act: str) -> None:
        self.choose(act)
        self.press("Enter")

    def confirm(self, act: str) -> None:
        self.press("Enter")

    def turn(self) -> None:
        if self.has("#act-auction") and not (self.has("#act-trade") and self.likely(0.5)):
            self.both("#act-auction")
        else:
            self.choose("#act-trade")
            self.press("1", "Enter")

    def bid(self) -> None:
        if self.has("#act-bid-other") and self.likely(0.15):
            self.press("+", "Enter")
        elif self.likely(0.2):
            self.press("1", "Enter")
        else:
            self.press("p")

    def pay(self) -> None:
        self.both("#act-least")

    def lay(self, do: str) -> None:
        if not self.has(".picker"):
            return self.both(f"#act-{do}-nothing")
        return self.press("1", "-", "1", "Enter")


class Plain(browsing.Unscripted, Player):
    """Has no script."""

    def pay(self) -> None:
        self.both("#act-least")

    def lay(self, do: str) -> None:
        if not self.has(".picker"):
            return self.both(f"#act-{do}-nothing")
        self.page.locator("#goods input[type=number]").first.fill("1")
        return self.page.locator(".picker button.primary").click()


@pytest.mark.slow
def test_a_whole_match_is_played_on_a_phone_and_never_scrolls_sideways(browser, server, server_database):
    with table(browser, server, PHONE, option_copies="0, 0, 0, 0, 0, 0, 4, 4, 0, 0") as page:
        player = Player(page)
        assert player.play(600)
        player.fits()
        expect(page.locator("#over .banner")).to_contain_text("points", use_inner_text=True)
        page.get_by_role("link", name="Replay").click()
        browsing.looked_back(player)
        page.get_by_role("link", name="a spectator").click()
        player.fits()
        page.get_by_role("link", name="Back to the table").click()
        page.get_by_role("button", name="Play again").click()
        page.wait_for_selector("#now")
        phases = {"turn", "bid", "hammer", "pay", "offer", "reply"}
        browsing.asked_too(player, server, server_database, "kuhhandel", phases)
        assert player.seen.keys() == phases


@pytest.mark.slow
def test_a_desk_shows_everything_without_scrolling_and_plays_by_mouse(browser, server, server_database):
    with dealt(browser, (server, server_database), fresh()) as page:
        player = Player(page, seed=8)
        player.play(12)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        expect(page.locator("[data-connection]")).to_have_text("live", use_inner_text=True)


@pytest.mark.deep  # a whole match is, in test_everybody.py
def test_moves_are_made_by_keyboard_alone(browser, server, server_database):
    with dealt(browser, (server, server_database), fresh()) as page:
        player = Typist(page)
        player.play(30)
        page.keyboard.press("w")
        expect(page.locator("#why ul, #over .banner").first).to_be_visible()


@pytest.mark.slow
def test_moves_are_made_without_script(browser, server, server_database):
    with dealt(browser, (server, server_database), fresh(), script=False) as page:
        player = Plain(page)
        player.play(12)
        assert sum(player.seen.values()) >= 10


def test_a_pass_that_is_final_is_confirmed(browser, server, server_database):
    (bid,) = gallery(SHOWS[1])
    with visitor(browser) as page:
        sit(page, server + begun(server_database, bid.match)[bid.seat])
        page.locator("#act-pass > summary").click()
        expect(page.locator("#act-pass button.primary")).to_be_visible()
        assert page.locator("#act-pass .hint").first.text_content() == "final for this animal"


@pytest.mark.slow
def test_a_realtime_auction_counts_down_and_takes_bids_at_any_time(browser, server):
    with table(browser, server, option_bidding="realtime", bots="random") as page:
        from playwright.sync_api import TimeoutError as Gone

        player = Player(page)
        for _ in range(30):
            page.wait_for_selector(f"{MINE}, {OVER}")
            if page.locator("#dock").get_attribute("data-phase") != "bid":
                player.play(1)
                continue
            page.set_default_timeout(3000)
            try:
                assert re.match(r"clos", page.locator("[data-closes]").inner_text())
                act = page.locator("#dock > .single.bid").first.get_attribute("id")
                player.both(f"#{act}")
            except Gone:  # somebody else has bid as much meanwhile, or the auction is over
                continue
            finally:
                page.set_default_timeout(browsing.PATIENCE)
            break
        amount = act.removeprefix("act-bid-")
        page.wait_for_function(
            "words => document.querySelector('#log').textContent.includes(words)\n"
            "|| !document.querySelector('#toast').hidden",
            arg=f"You bid {amount}.",
        )


def test_the_pace_of_the_bots_is_set_without_leaving_the_page(browser, server):
    with table(browser, server) as page:
        for press, then in (
            ("button[value=slow]", "#pace button[value=slow][aria-pressed=true]"),
            ("button[name=paused]", ".veil button[value=false]"),
        ):
            page.locator("#menu > summary").click()
            page.locator(f"#pace {press}").click()
            page.wait_for_selector(then, state="attached")
            expect(page.locator("#menu[open]"), "the menu closes after a choice").to_have_count(0)
        expect(page.locator(".thinking"), "nobody thinks while the table rests").to_have_count(0)
        page.locator(".veil button").click()
        page.wait_for_selector(".veil", state="detached")


def test_the_form_shows_the_seats_that_there_are_and_those_somebody_was_chosen_for(browser, server):
    page = browser.new_page()
    page.goto(f"{server}/new/kuhhandel")
    form = page.locator("form[data-sheet]")
    form.get_by_text("Seat by seat").click()

    def seats() -> list[str | None]:
        return [seat.get_attribute("data-seat") for seat in form.locator("[data-seat]").all() if seat.is_visible()]

    for players in (3, 5, 4):
        form.locator("[name=players]").select_option(str(players))
        assert seats() == [str(seat) for seat in range(2, players + 1)]
    form.locator("[name=players]").select_option("5")
    form.locator("[name='bot:4']").select_option("easy")
    form.locator("[name=players]").select_option("3")
    assert seats() == ["2", "3", "5"]
    page.close()


patient = own_server(auction_seconds=60)

# opens the field for another bid and says at once whether it has the focus
OPENED = """() => {
  document.querySelector("#act-bid-other > summary").click();
  return document.activeElement.matches("[data-amount]");
}"""


@pytest.mark.slow
def test_a_half_filled_bid_stays_when_somebody_else_bids(browser, patient):
    people = [browsing.another(browser) for _ in range(3)]
    fields = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "open", "option:bidding": "realtime"}
    link = patient + people[0].request.post(f"{patient}/tables", form=fields, max_redirects=0).headers["location"]
    for context, name in zip(people[1:], ("Bo", "Cleo"), strict=True):
        assert context.request.post(f"{link}/join", form={"name": name}, max_redirects=0).status == 303
    pages = [context.new_page() for context in people]
    for page in pages:
        page.goto(link)
        page.wait_for_selector("[data-connection].on")
    pages.sort(key=lambda page: page.locator("#act-auction").count())
    slow, quick, auctioneer = pages
    Player(auctioneer).both("#act-auction")
    field = slow.locator("#act-bid-other [data-amount]")
    slow.locator("#act-bid-other > summary").wait_for()
    assert slow.evaluate(OPENED), "what is typed next goes somewhere else"
    slow.keyboard.type("70")
    Player(quick).both("#act-bid-10")
    slow.get_by_text("leads with").first.wait_for()
    assert (field.input_value(), field.evaluate("field => field === document.activeElement")) == ("70", True)
    slow.keyboard.press("Enter")
    auctioneer.get_by_text("bids 70.").first.wait_for(state="attached")
    for context in people:
        context.close()


@pytest.mark.slow
def test_the_page_finds_back_when_the_server_was_restarted(browser, tmp_path):
    database, first = tmp_path / "tables.db", ExitStack()
    address = first.enter_context(serving(database))
    with first, table(browser, address, quiet=False) as page:
        player = Player(page)
        player.play(2)
        first.close()
        page.wait_for_selector("[data-connection]:not(.on)")
        with serving(database, port=int(address.rpartition(":")[2])):
            page.wait_for_selector("[data-connection].on", timeout=60_000)  # if it starts late, the next try is later
            player.play(2)
