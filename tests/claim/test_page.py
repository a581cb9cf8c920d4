"""Claim played through the real page in headless Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from outbid.core.match import Match
from outbid.games.claim.state import ICON_NAMES
from outbid.server.web import pages
from tests.claim.player import Player
from tests.support import browsing
from tests.support.browsing import DESK, MINE, OVER, PHONE, expect, table, view, visitor
from tests.support.houses import House
from tests.support.sight import CLIPPED, SIGHT

from .table import ACTION, ALL, BOOK, NAMES, SHOP, THREE, to_the_end

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CLAIM = {"game": "claim", "preset": "seed", "players": "4", "bots": "random"}
MONEY = re.compile(r"money (−?\d+) → (−?\d+)")


class Plain(browsing.Unscripted, Player):
    """Has no script."""


def anyhow(match: Match) -> bool:
    """No further condition."""
    return True


def reach(phase: str, options: Mapping[str, Any], having: Callable[[Match], bool] = anyhow, players: int = 4) -> Match:
    """A match of random moves up to where the first seat is asked in a phase, with something more."""
    for seed in range(300):
        match = Match.new(BOOK, options, players, seed, NAMES[:players])
        while not match.over:
            if match.asked[0] == 0 and match.view(0)["phase"] == phase and having(match):
                return match
            match.random_move(match.asked[0], seed)
    pytest.fail(f"{phase} was not reached")


@contextmanager
def seated(browser, house: House, match: Match, size: tuple[int, int] = DESK, script: bool = True, learned: bool = True):
    """The page of the first seat of a match that has begun; the others wait. `learned`: no first-time cards."""
    with visitor(browser, size, script) as page:
        if learned:
            page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, house.address + browsing.begun(house.database, match)[0])
        yield page


def sent(page, button) -> list[str]:
    """Press a button that makes a move; what was told then."""
    before = view(page)
    decision = page.locator("#dock input[name=decision]").first.get_attribute("value")
    button.click()
    Player(page).sent(decision)
    return [line["text"] for line in view(page)["log"][len(before["log"]) :]]


def does(match: Match, do: str) -> bool:
    """Whether the first seat may make such a move."""
    return any(choice.move["do"] == do for choice in match.legal(0))


def test_a_whole_match_is_played_on_a_phone_and_never_scrolls_sideways(browser, house):
    with table(browser, house.address, PHONE, **CLAIM) as page:
        player = Player(page)
        assert player.play(100)
        assert player.seen.keys() >= {"play", "window"}
        player.fits()
        seen = view(page)
        for row in page.locator(".results tbody tr").all():
            parts, _, total = row.locator("td").last.inner_text().replace("− ", "-").replace("+ ", "").rpartition(" = ")
            assert sum(map(int, parts.split())) == int(total) or not parts
            assert int(total) in seen["scores"]
        page.get_by_role("link", name="Replay").click()
        for name in ("On", "On", "On", "Last", "Back", "First"):
            browsing.step(page, name)
            player.fits()
            marked = page.locator("#log li:has([aria-current])")  # where one is, and no line that one has left
            assert marked.evaluate_all("lines => new Set(lines.map((line) => line.dataset.move)).size") <= 1
        assert page.locator(".seat .cards .inline").count() > 20
        page.get_by_role("link", name="a spectator").click()
        player.fits()


def test_a_match_with_all_expansions_is_played_by_mouse(browser, house):
    with table(browser, house.address, **{**CLAIM, "preset": "everything", "players": "3"}) as page:
        player = Player(page, seed=4)
        player.play(16)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("icon", ICON_NAMES)
def test_every_icon_is_used_from_its_page(browser, house, icon):
    match = reach("icon", ACTION, lambda match: match.view(0)["icon"]["icon"] == icon and does(match, "icon"))
    with seated(browser, house, match, PHONE if icon in ("audit", "vault") else DESK) as page:
        player = Player(page)
        decision = page.locator("#dock input[name=decision]").first.get_attribute("value")
        player.fits()
        player.take(player.some("act-icon"))
        player.sent(decision)
        told = [line["text"].lower().replace("-", "_").replace(" ", "_") for line in view(page)["log"]]
        assert any(line.startswith(f"you_use_{icon}") for line in told)


FEW = {
    "insured": "Take", "push_again": "Push", "answer": "Accept", "forecast": "Forecast a", "give": "to ",
    "give_back": "to ",
}  # fmt: skip


@pytest.mark.parametrize("phase", ["play", "window", "icon", *FEW])
def test_every_phase_teaches_from_its_position_and_shows_its_choices(browser, house, phase):
    options = ACTION if phase in ("icon", "give", "give_back") else SHOP if phase in FEW else {}
    match = reach(phase, options, lambda match: phase != "answer" or "accept" in match.legal(0))
    with seated(browser, house, match, PHONE, learned=False) as page:
        player = Player(page)
        card = page.locator(f"#lesson-claim-{phase}")
        player.fits()
        card.get_by_role("button", name="More").click()
        assert re.search(r"For example: .*\d", card.inner_text())
        card.get_by_role("button", name="Got it").click()
        expect(card).not_to_be_visible()
        page.keyboard.press("w")
        assert page.locator("#why li").count() >= 2
        player.fits()
        page.keyboard.press("Escape")
        choices = page.locator("#dock details, #dock .choice, .single").count()
        assert choices >= (1 if phase == "push_again" else 2 if phase != "give" else 1)
        decision = page.locator("#dock input[name=decision]").first.get_attribute("value")
        if phase in FEW:
            act = page.locator("#dock > details, form.single").first
            if act.locator("summary").count():
                act.locator("summary").click()
            button = act.locator("button").last
            words = button.inner_text() if button.inner_text() else button.get_attribute("title")
            assert FEW[phase] in words
            button.click()
        else:
            player.act(phase)
        player.sent(decision)


def test_a_product_is_paid_with_a_stack(browser, house):
    match = reach("window", SHOP, lambda match: does(match, "buy"))
    with seated(browser, house, match, PHONE) as page:
        player = Player(page)
        player.choose("#act-shop")
        ware = page.locator("details.ware:has(.picker)").first
        ware.locator("summary").click()
        button = ware.locator("button.primary")
        assert button.is_disabled()
        for pick in ware.locator(".pick").all():
            pick.click()
        assert "you overpay" in ware.locator("output").inner_text() or "exact" in ware.locator("output").inner_text()
        player.fits()
        assert sent(page, button)[0].startswith("You buy ")
        assert view(page)["view"]["players"][0]["products"]


def test_on_a_tablet_every_ware_of_the_shop_can_be_looked_at_and_left_again(browser, house):
    match = reach("window", SHOP, lambda match: does(match, "buy"))
    with seated(browser, house, match, (820, 1180)) as page:
        player = Player(page)
        player.choose("#act-shop")
        wares = page.locator("#act-shop details.ware").all()
        assert wares
        for ware in wares:
            ware.locator("summary").click()
            ware.locator("button.primary").scroll_into_view_if_needed()
            expect(ware.locator("button.primary")).to_be_visible()
            player.fits()
            ware.locator("summary").click()


def test_a_stack_is_purchased_for_a_bill_of_equal_worth(browser, house):
    match = reach("window", SHOP, lambda match: does(match, "purchase"))
    with seated(browser, house, match) as page:
        Player(page).choose("#act-shop")
        page.locator("#ware-purchase > summary").click()
        way = page.locator("#ware-purchase label").first
        then = money(way.inner_text())
        way.click()
        assert sent(page, page.locator("#ware-purchase button.primary"))[0].startswith("You purchase the ")
        assert view(page)["view"]["players"][0]["money"] == then


def money(words: str) -> int:
    """The money that a choice says one will have."""
    found = MONEY.search(words.replace("\n", " "))
    assert found, words
    return int(found[2].replace("−", "-"))


@pytest.mark.parametrize("script", [True, False])
def test_an_offer_is_made_of_bills_and_stacks(browser, house, script):
    match = reach("window", SHOP, lambda match: does(match, "offer") and bool(match.view(0)["players"][0]["row"]))
    with seated(browser, house, match, script=script, learned=script) as page:
        page.locator("#act-shop > summary").click()
        page.locator("#deal-2 > summary").click()
        give, get = page.locator("#deal-2 fieldset").all()
        number = match.view(0)["players"][0]["row"][-1]["number"]
        give.locator(f'[name="cards:give stack {number}"]').check()
        get.locator("input[type=number]").first.fill("2")
        name = get.locator("input[type=number]").first.get_attribute("name").removeprefix("cards:get ")
        page.locator("#deal-2 button.primary").click()
        page.wait_for_selector("#now:not([data-yours])")
        offer = view(page)["view"]["offer"]
        assert offer["to"] == 2
        assert offer["give"] == {"bills": [], "stacks": [number], "coins": 0}
        assert offer["get"] == {"bills": [name] * 2, "stacks": [], "coins": 0}
        expect(page.locator(".duel .side")).to_have_count(2)


DEALING = ["#deal-2 .thing > :is(.slip, .owned, input)", "#deal-2 .button.primary"]


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_all_that_a_deal_may_name_is_in_sight_and_summed_up_and_nothing_stays_from_an_earlier_visit(browser, house, size):
    def rich(match: Match) -> bool:
        return does(match, "offer") and len(set(match.view(0)["hand"])) > 10

    with seated(browser, house, reach("window", ALL, rich, players=6), size) as page:
        page.locator("#act-shop > summary").click()
        page.locator("#deal-2 > summary").click()
        assert page.locator("#deal-2 .thing").count() > 20
        for side in page.locator("#deal-2 .things").all():
            assert side.evaluate("side => side.scrollWidth <= side.clientWidth")
        if size == DESK:  # a phone scrolls down to the last ones, as any page
            assert page.evaluate(SIGHT, DEALING) == []
        total, boxes = page.locator("#deal-2 output"), page.locator("#deal-2 [type=checkbox]")
        expect(total).to_have_text("", use_inner_text=True)
        first = boxes.first.get_attribute("data-thing")
        boxes.first.check()
        expect(total).to_have_text(f"You give: {first}. You want: nothing.", use_inner_text=True)
        many = page.locator("#deal-2 fieldset").last.locator("[type=number]").first
        many.fill("2")
        expect(total).to_have_text(
            f"You give: {first}. You want: 2 × {many.get_attribute('data-thing')}.", use_inner_text=True
        )
        assert page.evaluate(SIGHT, ["#deal-2 output", "#deal-2 .button.primary"]) == []
        page.locator("#deal-2 > summary").click()
        page.locator("#deal-2 > summary").click()
        expect(page.locator("#deal-2 :checked")).to_have_count(0)
        assert total.inner_text() == many.input_value() == ""


@pytest.mark.parametrize("size", [DESK, (1024, 690), pytest.param((1600, 1000), marks=pytest.mark.deep)])
def test_the_icon_that_is_used_stands_in_lines_above_the_stacks_whole(browser, house, size):
    def fast(match: Match) -> bool:
        return match.view(0)["icon"]["icon"] == "fast_track" and len(match.view(0)["stacks"]) > 2

    with seated(browser, house, reach("icon", ALL, fast), size) as page:
        assert page.evaluate(SIGHT, [".using > *", ".column .slip:last-child"]) == []
        assert page.locator(".using p").bounding_box()["width"] > 300


@pytest.mark.parametrize("size", [DESK, (1280, 800), PHONE])
def test_an_audit_among_six_is_asked_without_scrolling(browser, house, size):
    match = reach("icon", ALL, lambda match: match.view(0)["icon"]["icon"] == "audit", players=6)
    with seated(browser, house, match, size) as page:
        page.locator("#act-icon > summary").click()
        assert page.evaluate(SIGHT, ["#act-icon .pick", "#act-icon .button.primary"]) == []


@pytest.mark.parametrize("size", [(1280, 800), PHONE])
def test_ones_own_place_of_six_is_in_sight_at_the_end_and_in_words(browser, house, size):
    match = to_the_end(Match.new(BOOK, ALL, 6, 3, NAMES[:6]), 3)
    worst = match.scores.index(min(match.scores))
    with visitor(browser, size) as page:
        page.goto(house.address + browsing.begun(house.database, match)[worst])
        page.locator("#over .banner").wait_for()
        assert page.evaluate(SIGHT, [".results tr.you th", ".results tr.you td:last-child"]) == []
        words = page.locator("#over .remarks").inner_text()
        assert "You are in place 6 of 6." in words
        assert "−" not in words  # a best stack that is worth less than nothing is none


def test_what_a_stack_is_worth_stands_from_the_first_frame(browser, house):
    with seated(browser, house, reach("window", {}, lambda match: does(match, "claim"))) as page:
        sent(page, page.locator(".column[data-opens]").first)
        card = page.locator("#result .outcome").last
        assert card.locator(".figure").count() == card.locator(".net").count() == 1
        expect(card.locator("[data-sum]")).to_have_count(0)
        assert card.locator(".net").evaluate("net => getComputedStyle(net).animationName") == "none"


def test_the_results_draw_every_bill_of_a_stack_once(browser, house):
    match = to_the_end(Match.new(BOOK, {}, 3, 3, NAMES[:3]), 3)
    with seated(browser, house, match) as page:
        drawn = page.locator(".results .owned").evaluate_all("all => all.map(one => one.querySelectorAll('.slip').length)")
        laid = [len(stack["bills"]) for player in match.view(0)["players"] for stack in player["row"]]
        assert sorted(drawn) == sorted(laid)
        assert max(laid) > 1


def test_a_wild_bill_and_a_multinumber_are_laid_in_a_second_step(browser, house):
    for bill, words in (("w", r"You play W on the \d+s"), ("1/2", r"You play 1/2 as \d")):
        match = reach("play", THREE, lambda match, bill=bill: sum(c.move.get("bill") == bill for c in match.legal(0)) > 1)
        with seated(browser, house, match) as page:
            act = f"#act-play-{bill.replace('/', '-')}"
            Player(page).choose(act)
            ways = page.locator(f"{act} button.pick")
            expect(page.locator(f'#goods [data-opens="{act[1:]}"]')).to_be_visible()
            expect(ways).to_have_count(sum(choice.move.get("bill") == bill for choice in match.legal(0)))
            assert ways.last.inner_text().startswith("As a ")
            assert re.match(words, sent(page, ways.last)[0])


def with_icon(match: Match) -> bool:
    """A bill with an icon lies in the hand, and all of that goes to one place."""
    return any(":" in str(choice.move.get("bill")) for choice in match.legal(0)) and len(match.view(0)["stacks"]) > 1


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE])
def test_a_first_tap_raises_a_bill_with_an_icon_and_says_what_it_would_do_and_a_second_plays_it(browser, house, size):
    match = reach("play", ACTION, with_icon)
    with seated(browser, house, match, size) as page:
        buttons = page.locator("#goods [data-raises]")
        before, first = view(page), page.locator("#goods .hand .slip:has(> .icon)").first
        top = first.bounding_box()["y"]
        buttons.first.click()
        words = page.locator(".says:visible")
        icon = first.locator(".word").inner_text()
        assert words.inner_text().startswith(f"{icon}: ")
        assert re.search(r"(new stack|become)", words.inner_text())
        assert words.inner_text().endswith("Tap the bill again to play it.")
        expect(page.locator("#dock .idle:visible")).to_have_count(0)
        assert abs(first.bounding_box()["y"] - top) < 10  # it is still below the finger
        assert page.evaluate(SIGHT, [".says:not([hidden])", ".raised .slip"]) == []
        assert page.evaluate(CLIPPED, ["#dock", "#goods"]) == []
        for other in buttons.all()[1:]:
            other.click()
            assert page.locator(".raised").count() == page.locator(".says:visible").count() == 1
        page.locator("#stage").click(position={"x": 3, "y": 3})
        expect(page.locator(".raised, .says:visible")).to_have_count(0)
        assert view(page) == before
        buttons.first.click()
        assert re.match(rf"You play \d with {icon}", sent(page, buttons.first)[0])


@pytest.mark.parametrize("script", [True, False])
def test_by_key_and_without_script_a_bill_with_an_icon_is_played_at_once(browser, house, script):
    with seated(browser, house, reach("play", ACTION, with_icon), script=script, learned=script) as page:
        button = page.locator("#goods [data-raises]").first
        said = page.locator(f"#{button.get_attribute('aria-describedby')}")
        assert "Tap the bill again" in said.text_content()  # a screen reader reads it out with the button
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#now:not([data-yours]), #dock:not([data-phase=play])")
        assert re.search(r"^You play \d with ", "\n".join(line["text"] for line in view(page)["log"]), re.MULTILINE)


SHOWN = """all => all.map((one) => { const box = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)); })"""


@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep), PHONE])
def test_the_shop_is_a_row_of_cards_that_lead_to_where_they_are_paid(browser, house, size):
    match = reach("window", SHOP, lambda match: does(match, "buy") and not match.view(0)["window"]["claimable"])
    with seated(browser, house, match, size) as page:
        cards = page.locator("#stage .product")
        assert [text.split(" $")[0] for text in cards.locator("b").all_inner_texts()] == [
            one["product"] for one in match.view(0)["shelf"]
        ]
        assert cards.evaluate_all(SHOWN) == [True, True, True]
        assert len({card.bounding_box()["y"] for card in cards.all()}) == 1
        able = page.locator(".product.able").first
        name = able.locator("b").inner_text()
        if size == PHONE:  # what a product does is told there, too
            page.locator("#shelf > summary").click()
            expect(page.locator("#shelf li")).to_have_count(4)
            expect(page.locator("#shelf")).to_contain_text(f"{name}, price", use_inner_text=True)
            assert page.evaluate(SIGHT, ["#shelf li", "#shelf > summary"]) == []
            page.locator("#shelf > summary").click()
        able.click()
        ware = page.locator("#act-shop[open] .ware[open]")
        expect(ware.locator("summary")).to_contain_text(name, use_inner_text=True)
        expect(ware.locator(".picker button")).to_be_visible()


def test_a_stack_says_in_dollars_how_full_it_is(browser, house):
    match = reach("play", {}, lambda match: sum(stack["value"] for stack in match.view(0)["stacks"]) > 6)
    with seated(browser, house, match) as page:
        for stack, column in zip(match.view(0)["stacks"], page.locator(".column").all(), strict=True):
            lies, more, rest = (column.locator(f".gauge > .{look}").count() for look in ("lies", "more", "rest"))
            assert (lies, lies + more + rest) == (min(5, stack["value"]), 5)
            assert more == min(stack["number"], 5 - lies)
            assert ("full with one more" in column.inner_text()) == (rest == 0 and not stack["full"])


def test_a_claim_says_what_the_money_becomes(browser, house):
    match = reach("window", {}, lambda match: does(match, "claim"))
    with seated(browser, house, match) as page:
        column = page.locator(".column[data-opens]").first
        act = "#" + column.get_attribute("data-opens")
        then = money(page.locator(f"{act} .hint").inner_text())
        assert then == money(page.locator(f"{act} button").get_attribute("title"))
        told = sent(page, column)
        assert told[0].startswith("You claim the ")
        assert view(page)["view"]["players"][0]["money"] == then


def test_a_push_that_gives_the_win_away_warns(browser, house):
    def generous(match: Match) -> bool:
        seen = match.view(0)
        full = [stack for stack in seen["stacks"] if stack["full"]]
        return any(seen["players"][to]["money"] + stack["value"] >= 10 for stack in full for to in stack["targets"] if to)

    with seated(browser, house, reach("window", {}, generous)) as page:
        risky = page.locator("#dock > .risky").first
        assert risky.locator("summary .hint").inner_text().endswith("wins!")
        assert page.locator("#stage .laws .wins").count() >= 1
        expect(page.locator("#dock .choice").last).to_contain_text("first push", use_inner_text=True)
        risky.locator("summary").click()
        expect(risky.locator(".confirm p")).to_contain_text("wins the match", use_inner_text=True)
        risky.locator("button.danger").click()
        page.wait_for_selector(OVER)
        expect(page.locator(".results .won")).to_have_count(1)


def test_full_bills_say_who_can_be_pushed(browser, house):
    match = reach("play", {}, lambda match: "6" in match.view(0)["hand"], players=6)
    with seated(browser, house, match) as page:
        act = page.locator("#act-play-6")
        expect(act.locator(".hint")).to_have_text("new stack: full", use_inner_text=True)
        words = act.locator("button").get_attribute("title")
        assert words.startswith("A new stack of 6s, worth 6: full.")
        assert all(name in words for name in ("yourself", *(NAMES[1:])) if page.locator(".law.may").count() == 6)


@pytest.mark.deep  # what all games share is tested in Rivals
def test_a_bad_move_shows_one_sentence_and_changes_nothing(browser, house):
    with seated(browser, house, reach("play", {})) as page:
        before = view(page)
        button = page.locator("#goods .single button").first
        button.evaluate("button => { button.value = JSON.stringify({do: 'play', bill: '7'}); }")
        button.click()
        page.wait_for_selector("#toast:not([hidden])")
        expect(page.locator("#toast")).to_have_text("You hold no 7.", use_inner_text=True)
        for move, sentence in (
            ({"do": "end"}, "It is not possible to end now."),
            ({"do": "buy", "product": "Loophole", "cards": ["crumbs"]}, "'crumbs' is not the number of a stack."),
        ):
            fields = {"move": json.dumps(move), "decision": str(before["decision"])}
            answer = page.context.request.post(f"{page.url}/move", form=fields, headers={"Accept": "application/json"})
            assert answer.json() == {"ok": False, "id": answer.json()["id"], "error": sentence, "stale": False}
        assert view(page) == before


@pytest.mark.parametrize("size", [(1280, 800), (375, 740)])
def test_a_hand_of_28_bills_leaves_the_table_in_sight_and_every_bill_can_be_played(browser, house, size):
    dealt = (Match.new(BOOK, ALL, 2, seed, NAMES[:2]) for seed in range(100))
    match = next(match for match in dealt if len(set(match.view(match.asked[0])["hand"])) > 16)
    seat = match.asked[0]
    kinds = set(match.view(seat)["hand"])
    with visitor(browser, size) as page:
        links = browsing.begun(house.database, match)
        page.goto(house.address + links[seat])
        player = Player(page)
        hand = page.locator("#goods .hand .slip")
        hand.nth(len(kinds) - 1).wait_for()
        expect(hand).to_have_count(len(kinds))
        assert page.locator(".foot").bounding_box()["height"] < 0.4 * size[1]
        for figure in page.locator("#goods .hand .slip svg.bill").all():
            figure.scroll_into_view_if_needed()
            assert figure.bounding_box()["width"] >= 44
        with visitor(browser, size) as other:  # the hand of whoever waits is as large
            browsing.sit(other, house.address + links[1 - seat])
            other.locator("#goods .hand:not(.playing) svg.bill").first.wait_for()
            assert all(bill.bounding_box()["width"] >= 44 for bill in other.locator("#goods .hand svg.bill").all())
            assert other.locator(".foot").evaluate("foot => foot.scrollHeight <= foot.clientHeight")
        player.lay()
        page.wait_for_function("() => document.querySelector('.column')")


@pytest.mark.deep  # what all games share is tested in Rivals
def test_a_spectator_and_a_seat_that_is_not_asked(browser, house):
    match = reach("window", ALL, lambda match: len(match.view(0)["stacks"]) > 2)
    links = browsing.begun(house.database, match)
    with visitor(browser, PHONE) as other, visitor(browser) as watcher:
        browsing.sit(other, house.address + links[1])
        watcher.goto(house.address + links[0].partition("/seat/")[0])
        for page in (other, watcher):
            Player(page).fits()
            expect(page.locator(".column")).to_have_count(len(match.view(-1)["stacks"]))
            expect(page.locator("form[data-move], [data-lesson]")).to_have_count(0)
        expect(other.locator(".goods .held-bill")).to_have_count(len(set(match.view(1)["hand"])))
        expect(watcher.locator(".held-bill")).to_have_count(0)
        expect(watcher.locator(".seat")).to_have_count(4)
        expect(watcher.locator("#bar")).to_contain_text("watching", use_inner_text=True)


@pytest.mark.deep  # a whole match is, in test_everybody.py
def test_moves_are_made_by_keyboard_alone(browser, house):
    with table(browser, house.address, **CLAIM) as page:
        player = Player(page)
        for _ in range(6):
            if player.wait():
                break
            decision = page.locator("#dock input[name=decision]").first.get_attribute("value")
            page.keyboard.press("1")
            page.keyboard.press("Enter")
            player.sent(decision)
        assert any(line["text"].startswith("You play") for line in view(page)["log"])


def test_moves_are_made_without_script(browser, house):
    with table(browser, house.address, script=False, **{**CLAIM, "players": "2"}) as page:
        player = Plain(page)
        player.play(8)
        assert sum(player.seen.values()) >= 8 or page.locator(OVER).count()
        page.wait_for_selector(f"{MINE}, {OVER}")


@pytest.mark.parametrize(("options", "reached"), [({"zero_risk": True, "zero_goal": 3}, "3 zeros"), ({}, r"\$\d+")])
def test_the_banner_of_the_end_says_what_the_victory_was_won_with(options, reached):
    for seed in range(40):
        match = Match.new(BOOK, options, 3, seed, NAMES[:3])
        while not match.over:
            match.random_move(match.asked[0], seed)
        shown = SimpleNamespace(words=BOOK.words, state=match.seen(0), winners=match.winners, scores=match.scores)
        said = pages.environment().get_template("claim/table.html").module.won_with(shown)
        told = match.log(0)[-1].text
        assert str(said) in told or not match.state.won
        if re.fullmatch(reached, said):
            return
    pytest.fail(f"nobody won with {reached}")


def test_the_end_is_told_to_who_has_taken_nothing():
    for seed in range(40):
        match = Match.new(BOOK, ALL, 4, seed, NAMES[:4])
        while not match.over:
            match.random_move(match.asked[0], seed)
        for seat in range(4):
            if not match.view(seat)["players"][seat]["row"]:
                shown = SimpleNamespace(
                    words=BOOK.words, view=match.view(seat), you=seat, opened=match.state, winners=match.winners,
                    scores=match.scores, seats=[SimpleNamespace(index=p, you=p == seat) for p in range(4)],
                )  # fmt: skip
                said = str(pages.environment().get_template("claim/table.html").module.remarks(shown))
                assert "best stack" not in said
                assert "your hand" in said or "all your bills" in said
                return
    pytest.fail("everybody had taken something")
