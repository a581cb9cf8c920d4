"""Money! played through the real page in headless Chromium."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.games.money.state import CARDS, CLASSIC, GONE, SILVER_GOLD
from outbid.games.money.text import views
from outbid.server.domain import scene
from outbid.server.domain.tables import Tables
from outbid.server.settings import Settings
from outbid.server.storage.store import Store
from outbid.server.web import pages
from tests.money.player import Player
from tests.support import browsing
from tests.support.browsing import DESK, MINE, OVER, PHONE, dealt, expect, table, view
from tests.support.serving import serving

from .table import BOOK

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MONEY = {"game": "money", "preset": ""}
SUM = re.compile(r"Bid (\d+), lowest serial (\d+)\.")


class Plain(browsing.Unscripted, Player):
    """Has no script."""


def fresh(seed: int = 3, **options: Any) -> Match:
    """A match for three that begins."""
    return Match.new(BOOK, options, 3, seed, ["Ada", "Ben", "Cem"])


def exchanging() -> Match:
    """A match in which the first seat may take a display."""
    match = fresh()
    while match.view(0)["phase"] != "exchange" or match.asked[0] != 0:
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    return match


def test_a_whole_match_is_played_on_a_phone_and_never_scrolls_sideways(browser, server):
    with table(browser, server, PHONE, **MONEY) as page:
        player = Player(page)
        assert player.play(200)
        assert player.seen.keys() == {"bid", "exchange"}
        player.fits()
        expect(page.locator(".results tbody tr")).to_have_count(3)
        seen = view(page)
        for row, seat in zip(page.locator(".results tbody tr").all(), ranked(seen), strict=True):
            parts = [p["points"] for p in seen["view"]["players"][seat]["score"]["currencies"]]
            said = [int(part) for part in re.findall(r"\d+", " ".join(row.locator(".part b").all_inner_texts()))]
            assert said[: len(parts)] == parts
            assert sum(said) == seen["scores"][seat] == int(row.locator("td").last.inner_text().replace(",", ""))
        names = ["You" if seat == 0 else seen["seats"][seat]["name"] for seat in ranked(seen)]
        assert [one.strip() for one in page.locator(".podium li > b").all_text_contents()] == names
        expect(page.locator(".podium li.won")).to_have_count(len(seen["winners"]))
        page.get_by_role("link", name="Replay").click()
        browsing.looked_back(player)
        page.get_by_role("link", name="a spectator").click()
        player.fits()


def ranked(seen):
    """The seats as the results list them."""
    won, scores = seen["winners"], seen["scores"]
    return sorted(range(len(scores)), key=lambda seat: (seat not in won, -scores[seat], seat))


def test_a_bid_shows_its_sum_its_lowest_serial_and_what_it_costs(browser, house):
    with dealt(browser, house, fresh()) as page:
        page.wait_for_selector(MINE)
        seal = page.get_by_role("button", name="Seal the bid")
        assert seal.is_disabled()
        hand = view(page)["view"]["hand"]
        for name in hand[:2]:
            page.locator(f'input[name="cards:{name}"]').locator("xpath=..").click()
        values, serials = zip(*(map(int, re.findall(r"(\d+)#(\d+)", name)[0]) for name in hand[:2]), strict=True)
        said = SUM.search(page.locator("#dock output").inner_text())
        assert said
        assert (int(said[1]), int(said[2])) == (sum(values), min(serials))
        told = re.search(r"Without them your score is (still )?(\d+)", page.locator("[data-rest]").inner_text())
        assert told
        seal.click()
        page.wait_for_function("() => !document.querySelector('#dock[data-phase=bid] .picker')")
        page.goto(f"{page.url}/replay?move=1")
        assert page.locator("#stage").inner_text().count("sealed") >= 1


@pytest.mark.parametrize("size", [PHONE, (768, 1024)], ids=str)
def test_a_first_time_card_that_was_met_before_leaves_log_and_chat_free(browser, house, size):
    with dealt(browser, house, fresh(), size) as page:
        card = page.locator("#lesson-money-bid > div")
        card.wait_for()
        Player(page).until("exchange")
        Player(page).until("bid")
        card.wait_for()
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        for part in ("chat", "log"):
            page.wait_for_function(
                """part => { const box = document.querySelector(`#${part} summary`).getBoundingClientRect();
                    return document.elementFromPoint(box.x + 16, box.y + box.height / 2)?.closest(`#${part}`) }""",
                arg=part,
            )


def test_what_is_bid_at_once_is_whole_and_on_a_phone_as_large_as_a_thumb(browser, house):
    deals = (Match.new(rulebook("money"), {"hand_cards": 8}, 3, seed, ["Ada", "Ben", "Cem"]) for seed in range(50))
    match = next(match for match in deals if len({card.split("#")[0] for card in match.view(0)["hand"]}) == 8)
    for size, most in ((PHONE, 6), ((320, 640), 5)):
        with browsing.visitor(browser, size, locale="de", reduced_motion="reduce") as page:
            browsing.sit(page, house[0] + browsing.begun(house[1], match)[0])
            page.wait_for_selector("[data-connection].on")
            row = page.locator("#dock .chips")
            assert row.evaluate("row => row.scrollWidth <= row.clientWidth")
            boxes = [chip.bounding_box() for chip in row.locator(".button:visible").all()]
            assert len(boxes) == most
            assert min(min(box["width"], box["height"]) for box in boxes) >= 43.5
    for width in (1000, 1280, 1366):
        with browsing.visitor(browser, (width, 800), locale="de", reduced_motion="reduce") as page:
            browsing.sit(page, house[0] + browsing.begun(house[1], match)[0])
            assert page.locator("#dock .chips").evaluate("row => row.scrollWidth <= row.clientWidth"), width


@pytest.mark.parametrize("coins", ["classic", "silver_gold"])
def test_the_score_without_the_chosen_cards_is_that_of_the_rules(browser, house, coins):
    options = {"coins": coins, "coin_triplet_bonus": "per_three", "hand_cards": 8, "penalty": 10, "full_value": 60}
    with dealt(browser, house, fresh(**options)) as page:
        player = Player(page, seed=3)
        for _ in range(3):
            player.until("bid")
            assert page.locator("form[data-picker]").first.get_attribute("data-coins") == "per_three"
            hand = view(page)["view"]["hand"]
            left = player.rng.sample(hand, len(hand) * 2 // 3)
            for name in hand:
                page.locator(f'input[name="cards:{name}"]').set_checked(name not in left, force=True)
            told = re.search(r"score is (?:still )?(\d+)", page.locator("[data-rest]").inner_text())
            assert told
            assert int(told[1]) == points(left, options)
            player.seal()
            player.play(1)


def points(cards, options):
    """What cards count, by the rules."""
    s = BOOK.fresh(options)
    s.serial = list(SILVER_GOLD if options["coins"] == "silver_gold" else CLASSIC)
    s.place = [0 if views.card_name(s, card) in cards else GONE for card in range(CARDS)]
    return views.points(s, 0)


def test_every_exchange_says_what_the_score_becomes(browser, house):
    with dealt(browser, house, exchanging()) as page:
        player = Player(page)
        player.wait()
        seen = view(page)["view"]
        take = page.locator("#act-take-left button")
        score = next(c["score"] for c in seen["choices"] if c["move"].get("display") == "left")
        assert take.get_attribute("title").endswith(f"{score}.")
        assert take.inner_text().endswith(f"→ {score}")
        assert page.locator('[data-opens="act-take-left"] .effect').inner_text().endswith(str(score))
        acts = page.locator("#dock > .lotact").count()
        assert acts == len(seen["choices"])
        page.keyboard.press(str(acts))
        expect(page.locator("#act-keep button:focus")).to_have_count(1)
        decision = page.input_value("#dock input[name=decision]")
        page.keyboard.press("Enter")
        player.sent(decision)
        player.wait()
        assert any("back" in line["text"] for line in view(page)["log"])


def test_a_tap_on_a_display_takes_it(browser, house):
    with dealt(browser, house, exchanging()) as page:
        player = Player(page)
        player.wait()
        decision = view(page)["decision"]
        page.locator('[data-opens="act-take-right"] h2').click()
        player.sent(str(decision))
        assert any("You take the right display" in line["text"] for line in view(page)["log"])


@pytest.mark.deep  # what all games share is tested in Rivals
def test_a_bad_move_shows_one_sentence_and_changes_nothing(browser, house):
    with dealt(browser, house, fresh(), quiet=False) as page:
        page.wait_for_selector(MINE)
        before = view(page)
        page.evaluate("() => { document.querySelector('#goods .pick input').name = 'cards:USD20#99'; }")
        page.locator("#goods .pick").first.click()
        page.get_by_role("button", name="Seal the bid").click()
        page.wait_for_selector("#toast:not([hidden])")
        expect(page.locator("#toast")).to_have_text("You do not hold USD20#99.", use_inner_text=True)
        for move, sentence in (
            ({"do": "keep"}, "It is not possible to keep now."),
            ({"do": "bid", "cards": [], "bluff": 1}, "A bid says whether the bluff card lies with it"),
        ):
            fields = {"move": json.dumps(move), "decision": str(before["decision"])}
            answer = page.context.request.post(f"{page.url}/move", form=fields, headers={"Accept": "application/json"})
            assert answer.status == 422 or not answer.json()["ok"]
            assert answer.json()["error"].startswith(sentence)
        assert view(page) == before


def test_the_first_time_cards_have_an_example_and_go_away(browser, house):
    with dealt(browser, house, fresh()) as page:
        player = Player(page)
        for phase in ("bid", "exchange"):
            player.until(phase)
            card = page.locator(f"#lesson-money-{phase}")
            expect(card).to_contain_text("For example", use_inner_text=True)
            assert re.search(r"\d", card.locator("p").nth(1).inner_text())
            card.get_by_role("button", name="Got it").click()
            expect(card).not_to_be_visible()
            page.keyboard.press("w")
            assert page.locator("#why li").count() >= 4
            page.keyboard.press("w")
        player.play(1)
        player.until("bid")
        expect(page.locator("#lesson-money-bid")).not_to_be_visible()


@pytest.mark.deep  # what all games share is tested in Rivals
def test_a_spectator_and_a_seat_that_is_not_asked(browser, server):
    with table(browser, server, PHONE, bots="open", **MONEY) as hall:
        link = hall.url
        guests = [browser.new_context(viewport=dict(zip(("width", "height"), DESK, strict=True))) for _ in range(3)]
        for n, guest in enumerate(guests[:2]):
            guest.request.post(f"{link}/join", form={"name": f"Guest {n}"}, max_redirects=0)
        watcher = guests[2].new_page()
        watcher.goto(link)
        page = hall.context.new_page()
        page.set_viewport_size(dict(zip(("width", "height"), PHONE, strict=True)))
        page.goto(link)
        page.wait_for_selector(MINE)
        player = Player(page)
        page.locator("#goods .pick").first.click()
        page.get_by_role("button", name="Seal the bid").click()
        page.get_by_text("Your sealed bid").wait_for()
        expect(page.locator("#now")).to_contain_text("Guest 0", use_inner_text=True)
        expect(page.locator("#dock form[data-move]")).to_have_count(0)
        player.fits()
        watcher.get_by_text("✓").or_(watcher.locator(".circle .sealed")).first.wait_for()
        expect(watcher.locator(".circle .sealed")).to_have_count(1)
        expect(watcher.locator(".lotbox")).to_have_count(2)
        expect(watcher.locator(".wad, form[data-move]")).to_have_count(0)
        expect(watcher.locator("#bar")).to_contain_text("watching", use_inner_text=True)
        for guest in guests:
            guest.close()


def test_moves_are_made_without_script(browser, server):
    with table(browser, server, script=False, **MONEY) as page:
        player = Plain(page)
        player.play(8)
        assert sum(player.seen.values()) >= 8 or page.locator(OVER).count()


OVERLAPS = """all => all.map((one) => one.getBoundingClientRect()).filter((one, n, boxes) => boxes.some((other, m) => {
  if (m <= n) return false;
  const both = (from, to) => Math.min(one[to], other[to]) - Math.max(one[from], other[from]);
  return both("left", "right") > 1 && both("top", "bottom") > 1;
})).length"""


@pytest.mark.parametrize(("size", "players"), [((1280, 800), 5), ((375, 740), 4), ((375, 740), 5)], ids=str)
def test_at_a_full_table_all_bids_can_be_seen_that_one_chooses_from(browser, tmp_path, size, players):
    """Up to three cards of a bid lie beside each other, also where all bid as many."""
    match = Match.new(rulebook("money"), {}, players, 5, ["Ada", "Ben", "Cem", "Dot", "Eli"][:players])
    while match.view(match.asked[0])["phase"] == "bid":
        seat = match.asked[0]
        match.play(seat, {"do": "bid", "cards": match.view(seat)["hand"][:3], "bluff": False})
    database = tmp_path / "tables.db"
    with serving(database) as address, browsing.visitor(browser, size) as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, address + browsing.begun(database, match)[match.asked[0]])
        page.wait_for_selector(MINE)
        for zone in ("#stage", "#dock"):
            shown = page.locator(zone).evaluate("(zone) => [zone.scrollHeight, zone.clientHeight]")
            assert shown[0] <= shown[1], zone
        expect(page.locator("#stage .bids li:has(.slip:nth-child(3))")).to_have_count(players)
        assert page.locator("#stage .slip > .art").evaluate_all(OVERLAPS) == 0


BOXES = "#stage .displays > .lotbox, #stage .bids > li"
PLACES = """boxes => Object.fromEntries(boxes.map((box) => {
  const { left, top, width } = box.getBoundingClientRect();
  const name = box.getAttribute("aria-label") ?? box.querySelector("h2").firstChild.textContent.trim();
  return [name, [left, top, width].map(Math.round)];
}))"""


@pytest.mark.parametrize("size", [(1280, 800), (375, 740)], ids=str)
def test_displays_and_bids_keep_their_places_while_a_round_goes_on(browser, tmp_path, size):
    match = Match.new(rulebook("money"), {}, 4, 5, ["Ada", "Ben", "Cem", "Dot"])
    database, found = tmp_path / "tables.db", {}
    with serving(database) as address, browsing.visitor(browser, size, reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        while match.state.round == 1:
            browsing.sit(page, address + browsing.begun(database, match)[0])
            page.wait_for_selector("[data-connection].on")
            for name, place in page.locator(BOXES).evaluate_all(PLACES).items():
                assert found.setdefault(name, place) == place, (name, len(match.moves))
            seat = match.asked[0]
            match.play_steps(seat, choose(match, seat, "steady", len(match.moves)).actions)
    assert len(found) == 6


WADS = """wads => wads.map((wad) => [wad.querySelectorAll(".slip").length, Math.round(wad.getBoundingClientRect().left)])"""


@pytest.mark.parametrize("size", [(1280, 800), (375, 740)], ids=str)
def test_a_currency_lies_where_those_before_it_leave_it(browser, tmp_path, size):
    """Only what is held lies there, whatever is asked: its place follows from the cards before it, and from how large the
    cards are drawn, which are fewer the larger."""
    match = Match.new(rulebook("money"), {}, 3, 22, ["Ada", "Ben", "Cem"])
    database, places, looks = tmp_path / "tables.db", {}, set()
    with serving(database) as address, browsing.visitor(browser, size, reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        while match.state.round < 4:
            if match.asked[0] == 0:
                browsing.sit(page, address + browsing.begun(database, match)[0])
                page.wait_for_selector("[data-connection].on")
                look = page.locator("#goods > .wads").get_attribute("class")
                wads = page.locator("#goods .wad").evaluate_all(WADS)
                width = round(page.locator("#goods .art").first.bounding_box()["width"])
                held = {name.split("#")[0][:3] for name in match.view(0)["hand"]}
                assert all(cards for cards, _ in wads)
                assert len(wads) >= len(held)
                for n, (_, left) in enumerate(wads):
                    room = (look, width, *(cards for cards, _ in wads[:n]))
                    assert places.setdefault(room, left) == left, (room, len(match.moves))
                looks.add(look)
            seat = match.asked[0]
            match.play_steps(seat, choose(match, seat, "steady", len(match.moves)).actions)
    assert {"wads few", "wads many"} <= looks


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("size", [(1280, 800), (375, 740)], ids=str)
def test_a_bid_of_one_card_is_sealed_by_one_tap_until_cards_are_laid(browser, house, size, script):
    match = Match.new(rulebook("money"), {}, 3, 3, ["Ada", "Ben", "Cem"])
    with browsing.visitor(browser, size, script=script, reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, house[0] + browsing.begun(house[1], match)[0])
        chips = page.locator("#dock .chips > .button")
        cards = [json.loads(chip.get_attribute("value"))["cards"] for chip in chips.all()]
        hand = view(page)["view"]["hand"]
        assert {card.split("#")[0] for [card] in cards} == {card.split("#")[0] for card in hand}
        assert len(cards) == len({card.split("#")[0] for card in hand})
        if script:
            page.wait_for_selector("[data-connection].on")
            page.locator("#goods .pick").first.click()
            expect(chips.first).not_to_be_visible()
            page.locator("#goods .pick").first.click()
        chips.nth(1).click()
        page.wait_for_selector("#dock.resting")
        laid = [card for card in hand if card not in view(page)["view"]["hand"]]
        assert laid == cards[1]


@pytest.mark.parametrize(("size", "least"), [((1280, 800), (72, 54)), ((375, 740), (52, 39))], ids=str)
def test_notes_of_a_hand_of_twelve_are_no_smaller_than_this(browser, tmp_path, size, least):
    match = Match.new(rulebook("money"), {}, 3, 3, ["Ada", "Ben", "Cem"])
    while not (match.state.phase == 0 and 0 in match.asked and len(match.view(0)["hand"]) >= 12):
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    database = tmp_path / "tables.db"
    with serving(database) as address, browsing.visitor(browser, size, reduced_motion="reduce") as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, address + browsing.begun(database, match)[0])
        page.wait_for_selector("[data-connection].on")
        boxes = [note.bounding_box() for note in page.locator("#goods .art.bill").all()]
        coins = page.locator("#goods .art.coin").count()
        assert len(boxes) + coins == len(match.view(0)["hand"]) >= 12
        assert min(box["width"] for box in boxes) >= least[0]
        assert min(box["height"] for box in boxes) >= least[1]


def test_no_example_of_an_exchange_gives_away_more_than_it_brings(tmp_path):
    settings, losing = Settings(f"sqlite:///{tmp_path}/t.db"), 0
    tables = Tables(Store(settings.database), settings)
    for seed in range(6):
        match = fresh(seed)
        while not match.over:
            seen = match.view(0)
            if seen["choices"]:
                bid, best = seen["players"][0]["sum"], max(seen["choices"], key=lambda choice: choice["score"])
                losing += sum(int(re.findall(r"\d+", card)[0]) for card in best["cards"]) < bid
                link = browsing.begun(tmp_path / "t.db", match)[0]
                card = pages.region(scene.live(tables.get(link.split("/")[2]), 0, ""), "now")
                worth = re.search(r"worth (\d+) for your (\d+)", card)
                assert not worth or int(worth[1]) >= int(worth[2]), card
                assert worth or f"keeping your {bid} leaves" in card
            match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    assert losing, "no position where a lot counts more now and is worth less"
