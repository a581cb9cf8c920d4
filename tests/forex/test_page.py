"""For-Ex played through the real page in headless Chromium."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.games.forex.state import CURRENCIES, KINDS
from outbid.games.forex.text.sentences import measured
from tests.forex.player import Player
from tests.support import browsing
from tests.support.browsing import MINE, OVER, PHONE, dealt, expect, table, view
from tests.support.profile import DEEP

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOREX = {"game": "forex", "preset": ""}
LONE = {**FOREX, "players": "2", "bots": "random"}
# a third of the turns, and each phase is reached; make deep plays all of them
SHORT = {} if DEEP else {"option_contract_sets": "1", "option_certificates": "3"}
CYCLE = [2, -1, 2, 2, 3, 7, 1, 1, 2, 2, 6, 1, 2, 2, 6, 2, 2, 6, 2, 5, 4]  # GBP, EUR and USD in a circle, above all others
LIFTED = """() => {
  const lift = () => document.querySelector(".veil")?.remove();  // it comes again with its region
  new MutationObserver(lift).observe(document.body, { childList: true, subtree: true });
  lift();
}"""
PREVIEWED = """() => [...document.querySelectorAll(".rates tbody tr")].map(row =>
  [...row.querySelectorAll("td")].map(cell => cell.textContent))"""


class Plain(browsing.Unscripted, Player):
    """Has no script."""

    def learn(self, phase: str) -> None:
        """The card is folded."""

    def turn(self) -> None:
        self.choose("#act-contract" if self.has("#act-contract") else "#act-resolve")
        if self.has("#act-contract"):
            for field, value in (("str:pay", "GBP"), ("str:receive", "CNY"), ("int:times", "3")):
                self.page.locator(f'#act-contract [name="{field}"][value="{value}"]').check()
            return self.confirm("#act-contract")
        return self.confirm("#act-resolve")


def rest(page) -> None:
    """From now on the bots do not move; the veil over the table that rests is lifted."""
    page.context.request.post(f"{page.url}/pace", form={"paused": "true"}, headers={"Accept": "application/json"})
    page.wait_for_selector("#pace button[name=paused][value=false]", state="attached")
    page.evaluate(LIFTED)


def first(page) -> dict[str, Any]:
    """What is seen when we are to move and the bots rest."""
    page.wait_for_selector(MINE)
    rest(page)
    return view(page)["view"]


def amounts(seen: dict[str, Any]) -> list[list[str]]:
    """The places of the table of rates that a position fills."""
    table = [[""] * KINDS for _ in CURRENCIES]
    for pair in seen["pairs"]:
        table[CURRENCIES.index(pair["stronger"])][CURRENCIES.index(pair["weaker"])] = f"{pair['rate']:g}"
    return table


@pytest.mark.deeper
def test_matches_are_played_on_a_phone_through_every_phase_and_never_scroll_sideways(browser, server, server_database):
    with table(browser, server, PHONE, **LONE, **SHORT) as page:
        player, over = Player(page), 0
        phases = {"turn", "reply", "divest", "strengthen"}
        while not (over and (player.seen.keys() >= phases or not DEEP)):
            assert sum(player.seen.values()) < 250
            if not player.play(5):
                continue
            over += 1
            player.fits()
            counted(page)
            there = page.url
            page.get_by_role("button", name="Play again").click()
            page.wait_for_url(lambda url, there=there: url != there)
            page.wait_for_selector(f"{MINE}, #now")
        browsing.asked_too(player, server, server_database, "forex", phases)
        assert player.seen.keys() >= phases
        assert all(re.search(r"For example: .*\d", example) for example in player.taught.values())


def counted(page) -> None:
    """The results are sums of their parts."""
    seen = view(page)
    expect(page.locator(".results tbody tr")).to_have_count(len(seen["seats"]))
    for row in page.locator(".results tbody tr").all():
        cells = [int(re.findall(r"\d+", cell)[0]) for cell in row.locator("td").all_inner_texts()]
        assert sum(cells[:KINDS]) == cells[KINDS]
        assert cells[KINDS] in seen["scores"]


def test_whoever_took_the_last_turn_names_the_strongest_currency(browser, server, server_database):
    options = {"spaces": CYCLE, "no_certs_no_strengthen": True, "start_money": 1, "price": 4, "contract_sets": 0}
    deals = (Match.new(rulebook("forex"), options, 2, seed, ["Ada", "Ben"]) for seed in range(50))
    match = next(match for match in deals if match.asked == (0,))  # the other one takes the last turn else
    with dealt(browser, (server, server_database), match) as page:
        player = Player(page)
        page.wait_for_selector(MINE)
        expect(page.locator("#dock .reason")).to_have_count(3)  # there is money to swap, and nothing else to do
        expect(page.locator(".rates .best")).to_have_count(3)
        assert page.locator(".rates .best").nth(2).get_attribute("title") == "GBP, EUR and USD are equally strong now"
        for worth in page.locator(".sum:has-text('worth')").all():
            assert re.fullmatch(r"worth \d+ GBP · \d+%", worth.inner_text())
            assert worth.locator("[title]").first.get_attribute("title") == "GBP (tied with EUR and USD)"
        player.until("strongest")
        expect(page.locator("#dock .act")).to_have_count(3)
        player.play(1)
        expect(page.locator(OVER)).not_to_have_count(0)


def test_a_place_of_the_rates_prepares_a_contract_that_says_what_follows(browser, server):
    with table(browser, server, **FOREX) as page:
        seen = first(page)
        pair = seen["pairs"][5]
        one, two, rate = pair["stronger"], pair["weaker"], pair["rate"]
        row, column = CURRENCIES.index(one), CURRENCIES.index(two)
        page.locator(".rates tbody tr").nth(row).locator("td").nth(column).locator("button").click()
        assert page.locator("[data-told]").inner_text().startswith(f"1 {one} = {rate:g} {two}.")
        page.get_by_role("button", name=f"Contract: pay {one}, get {two}…").click()
        assert page.locator(f'#act-contract [name="str:pay"][value={one}]').is_checked()
        assert page.locator(f'#act-contract [name="str:receive"][value={two}]').is_checked()
        sign = page.locator("#act-contract button.primary")
        assert sign.is_disabled()
        page.locator("#act-contract .sizes label").nth(3).click()
        said = page.locator("#act-contract output").inner_text()
        assert f"you pay 4 {one} and receive {4 * rate:g} {two}" in said
        assert f"You have {seen['players'][0]['money'][one]:g} {one}" in said
        expect(page.locator("#act-contract legend").last).to_have_text(
            f"How many {one}, the stronger one", use_inner_text=True
        )
        expect(sign).to_have_text(f"Sign: pay 4 {one}, get {4 * rate:g} {two}", use_inner_text=True)
        sign.click()
        page.wait_for_selector(".line .mine")
        after = view(page)["view"]["queue"][-1]
        assert (after["owner"], after["pay"], after["receive"]) == (0, [one, 4], [two, 4 * rate])


def test_a_german_reads_german_also_of_what_a_form_would_do(browser, server):
    with table(browser, server, **FOREX) as page:
        seen = first(page)
        page.context.add_cookies([{"name": "language", "value": "de", "url": server}])
        page.reload()
        page.evaluate(LIFTED)
        page.wait_for_selector(MINE)
        assert page.evaluate(PREVIEWED) == [[cell.replace(".", ",") for cell in row] for row in amounts(seen)]
        pair = seen["pairs"][5]
        one, two, rate = pair["stronger"], pair["weaker"], pair["rate"]
        page.locator(".rates tbody tr").nth(CURRENCIES.index(one)).locator("td").nth(CURRENCIES.index(two)).click()
        page.get_by_role("button", name=f"Vertrag: {one} gegen {two} …").click()
        three = f"{3 * rate:g}".replace(".", ",")
        page.locator("#act-contract .sizes label").nth(2).click()
        told = page.locator("#act-contract output").inner_text()
        assert f"zahlst du 3 {one} und bekommst {three} {two}" in told
        expect(page.locator("#act-contract button.primary")).to_have_text(
            f"Abschließen: 3 {one} gegen {three} {two}", use_inner_text=True
        )
        page.keyboard.press("Escape")
        page.locator("#act-invest > summary").click()
        page.locator('#act-invest label:has([name="str:first"]:enabled)').first.click()
        told = page.locator("#act-invest output").inner_text()
        pays = r"Du zahlst 2 [A-Z]{3}\. Jedes Zertifikat kann noch bis zu 9 einbringen\."
        assert re.match(pays + r" Dein Vermögen.* \d+ % von allem\.", told)
        assert re.fullmatch(r"[A-Z]{3} kaufen", page.locator("#act-invest button.primary").inner_text())
        expect(page.locator("body")).not_to_contain_text("{", use_inner_text=True)


def swapping(page, give: str, get: str) -> None:
    """Begin a swap with the only other player."""
    page.locator("#act-spot > summary").click()
    page.locator("#act-spot .partners label").first.click()
    for field, kind in (("str:give", give), ("str:get", get)):
        page.locator(f'#act-spot label.pick:has([name="{field}"][value="{kind}"])').click()


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_a_swap_at_a_rate_of_2_is_offered_in_both_sizes(browser, server, size):
    with table(browser, server, size, **LONE, option_fixed_start="true", pace="slow") as page:
        first(page)
        swapping(page, "CAD", "GBP")
        sizes = page.locator("#act-spot [data-sizes]")
        assert sizes.locator("label").all_inner_texts() == ["2 CAD for 1 GBP", "1 CAD for 0.5 GBP"]
        expect(page.locator("#act-spot output")).to_contain_text("you give 2 CAD and get 1 GBP at once", use_inner_text=True)
        sizes.locator("label").nth(1).click()
        expect(page.locator("#act-spot output")).to_contain_text(
            "you give 1 CAD and get 0.5 GBP at once", use_inner_text=True
        )
        page.locator('#act-spot label.pick:has([name="str:get"][value="JPY"])').click()
        assert sizes.is_hidden()
        expect(page.locator("#act-spot output")).to_contain_text(
            "you give 1.5 CAD and get 1 JPY at once", use_inner_text=True
        )
        page.locator('#act-spot label.pick:has([name="str:get"][value="GBP"])').click()
        button = page.locator("#act-spot button.primary")
        expect(button).to_have_text("Offer 1 CAD for 0.5 GBP", use_inner_text=True)
        box = button.bounding_box()
        assert box["y"] + box["height"] <= size[1]
        button.click()
        page.wait_for_selector("#log .mine", state="attached")
        offer = view(page)["view"]["offer"]
        assert (offer["give"], offer["get"]) == (["CAD", 1], ["GBP", 0.5])


def test_without_a_script_the_form_offers_the_smaller_swap_or_says_why_there_is_none(browser, server):
    with table(browser, server, script=False, quiet=False, **LONE, option_fixed_start="true") as page:
        page.wait_for_selector(MINE)
        for get in ("CNY", "GBP"):
            swapping(page, "CAD", get)
            page.locator("#act-spot [data-sizes] label").nth(1).click()
            page.locator("#act-spot button.primary").click()
            page.wait_for_load_state()
            if get == "CNY":
                assert "1 CAD stands at 2.5 CNY, so 1 buck of the weaker one has no equivalent" in page.content()
                page.go_back()
        expect(page.locator("#log li").first).to_contain_text("1 CAD for 0.5 GBP", use_inner_text=True)


SEEN_AT = """id => { const box = document.getElementById(id).getBoundingClientRect();
  return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("[id]").id }"""


def test_automatic_moves_cover_no_button_and_a_contract_can_be_signed_on_a_small_phone(browser, server):
    with table(browser, server, (1280, 800), **{**LONE, "players": "4"}, option_fixed_start="true") as page:
        page.wait_for_selector(MINE)
        page.locator("#order > summary").click()
        expect(page.get_by_role("button", name="Refuse all spot offers")).to_be_visible()
        for act in ("act-resolve", "act-contract"):
            assert page.evaluate(SEEN_AT, act) == act
    with table(browser, server, (375, 667), **{**LONE, "players": "4"}, option_fixed_start="true") as page:
        page.wait_for_selector(MINE)
        page.locator("#act-contract > summary").click()
        for field, value in (("str:pay", "CNY"), ("str:receive", "EUR"), ("int:times", "4")):
            page.locator(f'#act-contract label.pick:has([name="{field}"][value="{value}"])').click()
        sign = page.get_by_role("button", name="Sign: pay 14 CNY, get 4 EUR")
        assert sign.bounding_box()["y"] + sign.bounding_box()["height"] <= 667


def test_the_rates_are_walked_by_keys(browser, server):
    with table(browser, server, **FOREX) as page:
        first(page)
        page.locator(".rates tbody button").first.focus()
        for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        expect(page.locator('.rates tbody button[aria-pressed="true"]')).to_have_count(1)
        assert re.match(r"1 [A-Z]{3} = ", page.locator("[data-told]").inner_text())
        page.get_by_role("button", name=re.compile(r"Swap [A-Z]{3} for [A-Z]{3}…")).press("Enter")
        expect(page.locator("#act-spot[open] .kinds :checked")).to_have_count(2)
        page.keyboard.press("Escape")
        page.locator("#act-resolve > summary").press("Enter")
        page.wait_for_selector("#act-resolve button.primary:focus")
        page.keyboard.press("Enter")
        page.wait_for_selector("#log .mine")


def test_an_investment_shows_the_rates_and_the_worth_it_leads_to(browser, server, server_database):
    match = Match.new(rulebook("forex"), {"fixed_start": True}, 3, 1, ["Ada", "Ben", "Cem"])
    with browsing.visitor(browser) as page:
        browsing.sit(page, server + browsing.begun(server_database, match)[0])  # nobody else moves
        seen = view(page)["view"]
        able = [kind for kind in CURRENCIES if seen["stock"][kind] and seen["players"][0]["money"][kind] >= 2]
        page.locator("#act-invest > summary").click()
        page.locator(f'#act-invest label:has([name="str:first"][value={able[-1]}])').click()
        expect(page.locator("#act-invest button.primary")).to_have_text(f"Buy {able[-1]}", use_inner_text=True)
        page.locator(f'#act-invest label:has([name="str:second"][value={able[0]}])').click()
        shown, said = page.evaluate(PREVIEWED), page.locator("#act-invest output").inner_text()
        assert page.locator(".rates button.next").count() > 6
        page.locator("#act-invest button.primary").click()
        page.wait_for_selector("#log .mine")
        page.wait_for_selector(".rates button[data-mark]:not(.next)")  # drawn after what is asked was
        after = view(page)["view"]
        assert shown == amounts(after) == page.evaluate(PREVIEWED)
        worth = f"{after['players'][0]['score']} {measured(after['strongest'])}"
        part = round(100 * after["players"][0]["score"] / sum(player["score"] for player in after["players"]))
        assert re.search(rf"Your worth(: \d+ →| stays) {re.escape(worth)}, {part}% of all\.", said)
        assert after["players"][0]["certificates"] == {able[-1]: 1, able[0]: 1}


@pytest.mark.deep  # what all games share is tested in Rivals
def test_a_bad_move_shows_one_sentence_and_changes_nothing(browser, server):
    with table(browser, server, quiet=False, **FOREX) as page:
        first(page)
        before = view(page)
        page.locator("#act-contract > summary").click()
        for field in ("str:pay", "str:receive"):
            page.locator(f'#act-contract label:has([name="{field}"][value=CHF])').click()
        expect(page.locator("#act-contract output")).to_have_text("Choose two different currencies.", use_inner_text=True)
        page.locator("#act-contract .sizes label").first.click()
        page.evaluate("document.querySelector('#act-contract button.primary').disabled = false")
        page.locator("#act-contract button.primary").click()
        page.wait_for_selector("#toast:not([hidden])")
        expect(page.locator("#toast")).to_have_text("A contract is between two different currencies.", use_inner_text=True)
        contract = {"do": "contract", "str:pay": "GBP", "str:receive": "CNY"}
        for fields, sentence in (
            (contract | {"str:receive": "SEK", "int:times": "1"}, "'SEK' is not a currency"),
            (contract | {"int:times": "11"}, "GBP is the stronger currency; its amount must be 1 to 10, not 11."),
            (contract, "The size of a contract is a whole number"),
            ({"do": "invest", "str:first": "GBP", "str:second": "GBP"}, "Two certificates of GBP"),
            ({"do": "spot", "int:with": "0", "str:give": "GBP", "str:get": "EUR"}, "Seat 0 is no other player."),
            ({"move": json.dumps({"do": "agree"})}, "It is not possible to agree now."),
        ):  # fmt: skip
            form = {**fields, "decision": str(before["decision"])}
            answer = page.context.request.post(f"{page.url}/move", form=form, headers={"Accept": "application/json"})
            assert answer.status in (400, 422)
            assert answer.json()["error"].startswith(sentence)
        assert view(page) == before


@pytest.mark.deep  # what all games share is tested in Rivals
def test_a_spectator_and_a_seat_that_is_not_asked(browser, server):
    with table(browser, server, PHONE, bots="open", players="2", **FOREX) as page:
        link = page.url
        guest, watcher = (browsing.another(browser) for _ in range(2))
        guest.request.post(f"{link}/join", form={"name": "Guest"}, max_redirects=0)
        pages = [page, guest.new_page(), watcher.new_page()]
        for each in pages:
            if each is not page:  # that of the host is there, and comes to the table by itself
                each.goto(link)
            each.wait_for_selector(".rates button")
        asked = next(each for each in pages if each.locator(MINE).count())
        other = next(each for each in pages[:2] if each is not asked)
        offering(asked, "GBP", "USD")
        asked.locator("#act-spot button.primary").click()
        other.locator("#act-agree").wait_for()
        watcher_page = pages[2]
        watcher_page.locator(".duel").wait_for()
        expect(watcher_page.locator(".duel .art.note")).to_have_count(2)
        expect(watcher_page.locator("form[data-move], .holdings")).to_have_count(0)
        expect(watcher_page.locator("#bar")).to_contain_text("watching", use_inner_text=True)
        watcher_page.locator(".rates button.s1").first.click()
        assert watcher_page.locator("[data-told]").inner_text().startswith("1 ")
        asked.locator(".duel").wait_for()
        expect(asked.locator("#dock form[data-move]")).to_have_count(0)
        expect(asked.locator(".holdings li")).to_have_count(KINDS)
        Player(other).both("#act-agree")
        asked.wait_for_selector(MINE)
        expect(asked.locator("#dock .reason").last).to_have_text("You have swapped in this turn.", use_inner_text=True)
        for context in (guest, watcher):
            context.close()


def offering(page, give: str, get: str) -> None:
    """Put a swap with the only other player together."""
    page.locator("#act-spot > summary").click()
    page.locator("#act-spot .partners label").click()
    for field, kind in (("give", give), ("get", get)):
        page.locator(f'#act-spot label:has([name="str:{field}"][value={kind}])').click()


def test_a_swap_that_was_refused_is_not_offered_again(browser, server):
    with table(browser, server, bots="open", players="2", **FOREX) as page:
        guest = browsing.another(browser)
        guest.request.post(f"{page.url}/join", form={"name": "Guest"}, max_redirects=0)
        pages = [page, guest.new_page()]
        pages[1].goto(page.url)
        for each in pages:
            each.wait_for_selector(".rates button")
        asked = next(each for each in pages if each.locator(MINE).count())
        other = next(each for each in pages if each is not asked)
        offering(asked, "GBP", "USD")
        asked.locator("#act-spot button.primary").click()
        other.locator('#dock button[name=move][value*="refuse"]').click()
        asked.wait_for_selector(MINE)
        offering(asked, "GBP", "USD")
        said = asked.locator("#act-spot output").inner_text()
        assert re.search(r"has refused 1 GBP for [\d.]+ USD in this turn\.", said)
        assert asked.locator("#act-spot button.primary").is_disabled()
        asked.locator('#act-spot label:has([name="str:get"][value=EUR])').click()
        asked.locator("#act-spot button.primary:enabled").click()
        other.locator("#act-agree").wait_for()
        guest.close()


def test_moves_are_made_without_script(browser, server):
    with table(browser, server, script=False, **LONE) as page:
        player = Plain(page)
        player.play(5)
        assert sum(player.seen.values()) >= 5 or page.locator(OVER).count()
