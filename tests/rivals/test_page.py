"""Rivals played through the real page in headless Chromium."""

from __future__ import annotations

import json
import random
import re
from types import SimpleNamespace
from typing import Any

import pytest

from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.games.rivals import rules
from outbid.games.rivals.text import beforehand
from outbid.server.web import pages
from tests.rivals.player import Player
from tests.support import browsing, gallery
from tests.support.browsing import MINE, PHONE, dealt, expect, table, view

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RIVALS = {"game": "rivals", "preset": ""}
SHORT = {**RIVALS, "players": "4", "option_wagers": "1", "option_copies": "1, 1, 1, 1, 1, 1, 1, 1, 1"}
FORETOLD = re.compile(r"Your points: (\d+) \+ (\d+) = (\d+)")


def fresh(players: int = 3, **options: Any) -> Match:
    """A match that the first seat begins."""
    return Match.new(rulebook("rivals"), options, players, 9, ["Ada", "Ben", "Cem"][:players])


class Plain(browsing.Unscripted, Player):
    """Has no script."""

    def learn(self, phase: str) -> None:
        """The card is folded."""

    def fits(self) -> None:
        """Pages without script come and go; others are measured."""

    def remove(self) -> None:
        self.tap(self.page.locator("#stage input[type=radio]").first)
        self.page.locator(".removing button.primary").click()


def test_a_whole_match_is_played_on_a_phone_and_never_scrolls_sideways(browser, server, server_database):
    with table(browser, server, PHONE, **SHORT) as page:
        player = Player(page)
        assert player.play(200)
        assert all(re.search(r"For example: .*\w", example) for example in player.taught.values())
        player.fits()
        seen = view(page)
        rows = page.locator(".results tbody tr")
        expect(rows).to_have_count(4)
        for row in rows.all():
            *parts, total = (int(n) for n in row.locator("td b").all_inner_texts())
            assert sum(parts) == total
            assert total in seen["scores"]
        for sum_of, points in zip(
            page.locator(".results td:has(small) small").all_inner_texts(),
            page.locator(".results td:has(small) b").all_inner_texts(),
            strict=True,
        ):
            feet, shakes, bonus = re.fullmatch(r"(\d+)×(\d+)(?:\+(\d+))?", sum_of).groups()  # type: ignore[union-attr]
            assert int(feet) * int(shakes) + int(bonus or 0) == int(points)
        page.locator("#over").get_by_text("Replay").click()
        browsing.looked_back(player)
        # now and then Ada wins no auction
        browsing.asked_too(player, server, server_database, "rivals", {"turn", "bid", "take", "remove"})
        assert player.seen.keys() == {"turn", "bid", "take", "remove"}
        assert all(re.search(r"For example: .*\w", example) for example in player.taught.values())


def test_a_take_says_what_the_points_become(browser, server, server_database):
    with dealt(browser, (server, server_database), fresh(2)) as page:
        player, takes = Player(page, seed=4, keen=True), 0
        while takes < 3:
            assert not player.wait(), "outbid in a whole match"
            if page.locator("#dock").get_attribute("data-phase") != "take":
                player.play(1)
                continue
            fitting = page.locator("#stage input[type=checkbox]:enabled")
            greyed = page.locator("#stage .pick[title^='It would come before your ']").count()
            assert greyed == page.locator("#stage input:disabled").count()
            if not fitting.count():
                player.play(1)
                continue
            if takes == 0:
                beforehand = page.locator("#stage :checked").count()
                for _twice in range(2):
                    player.tap(fitting.first)
                expect(page.locator("#stage :checked")).to_have_count(beforehand)
                for box in fitting.all():
                    if box.is_checked():
                        player.tap(box)
                expect(page.locator("#stage :checked")).to_have_count(0)
                assert page.locator("#dock .picker button.primary").is_disabled()
            player.learn("take")
            player.picked()
            told = FORETOLD.fullmatch(page.locator("#dock output").inner_text())
            assert told
            before = view(page)
            assert before["view"]["players"][0]["score"] == int(told[1])
            page.locator("#dock .picker button.primary").click()
            player.sent(str(before["decision"]))
            there = page.url
            page.goto(f"{there}/replay?move={before['decision'] + 1}")
            shown = page.locator("#goods .score b").inner_text()
            assert int(told[1]) + int(told[2]) == int(told[3]) == int(shown)
            page.goto(there)  # anew: back is the page as it was left, until its line is up
            takes += 1


@pytest.mark.deep  # a whole match is, in test_everybody.py
def test_moves_are_made_by_keyboard_alone(browser, server, server_database):
    with dealt(browser, (server, server_database), fresh()) as page:
        player = Player(page)
        for _ in range(8):
            player.wait()
            before = view(page)
            phase, decision = before["view"]["phase"], str(before["decision"])
            page.wait_for_selector(f'#dock input[value="{decision}"]', state="attached")
            if phase == "bid":
                page.keyboard.press("p")
            elif phase != "take":
                page.keyboard.press("1")
            page.keyboard.press("Enter")
            if phase == "take":
                player.take()
            player.sent(decision)
        page.keyboard.press("w")
        assert page.locator("#why li").count() >= 2


def test_a_bid_says_what_it_leaves_and_what_follows(browser, server, server_database):
    with dealt(browser, (server, server_database), fresh()) as page:
        player = Player(page)
        page.wait_for_selector(MINE)
        expect(page.locator("#dock .reason")).to_have_text("The display is empty.", use_inner_text=True)
        player.play(1)
        player.until("turn")
        gold = view(page)["view"]["players"][0]["gold"]
        expect(page.locator("#act-bid-2 .hint")).to_have_text(f"leaves {gold - 2}", use_inner_text=True)
        player.choose("#act-bid-other")
        said = page.locator("#act-bid-other .confirm p").inner_text()
        assert said.startswith(f"You own {gold}. If nobody bids more, you pay it and take what fits you; then ")
        page.keyboard.press("Escape")
        page.locator("#unseen > summary").click()
        counts = [int(n) for n in page.locator("#unseen td").all_inner_texts() if n.strip()]
        assert sum(counts) == view(page)["view"]["deck"]


def test_a_bad_move_shows_one_sentence_and_changes_nothing(browser, server, server_database):
    with dealt(browser, (server, server_database), fresh(), quiet=False) as page:
        player = Player(page)
        player.play(1)
        player.until("turn")
        before = view(page)
        page.locator("#act-bid-other > summary").click()
        page.evaluate("() => { document.querySelector('#act-bid-other input[type=number]').max = 99; }")
        page.locator("#act-bid-other input[type=number]").fill("99")
        page.locator("#act-bid-other button.primary").click()
        page.wait_for_selector("#toast:not([hidden])")
        gold = before["view"]["players"][0]["gold"]
        assert page.locator("#toast").inner_text().startswith(f"You own {gold} gold and cannot bid 99.")
        for move, sentence in (
            ({"do": "take", "cards": []}, "It is not possible to take now."),
            ({"do": "bid", "amount": "much"}, "A bid is a whole number"),
        ):
            fields = {"move": json.dumps(move), "decision": str(before["decision"])}
            answer = page.context.request.post(f"{page.url}/move", form=fields, headers={"Accept": "application/json"})
            assert answer.status in (400, 422)
            assert answer.json()["error"].startswith(sentence)
        assert view(page) == before


def test_a_spectator_and_a_seat_that_is_not_asked(browser, server):
    with table(browser, server, PHONE, bots="open", players="2", option_gold_open="false", **RIVALS) as page:
        link = page.url
        guest, watcher = (browsing.another(browser) for _ in range(2))
        guest.request.post(f"{link}/join", form={"name": "Guest"}, max_redirects=0)
        pages = [page, guest.new_page(), watcher.new_page()]
        for each in pages:
            each.goto(link)
            each.wait_for_selector("[data-connection].on")
        asked = next(each for each in pages if each.locator(MINE).count())
        other = next(each for each in pages[:2] if each is not asked)
        expect(other.locator("#dock form[data-move]")).to_have_count(0)
        assert "is choosing" in (other.locator("#dock").text_content() or "")
        asked.get_by_role("button", name="Uncover a card").click()
        other.wait_for_selector(MINE)
        onlooker = pages[2]
        onlooker.locator(".stage .tile").wait_for()
        expect(onlooker.locator("form[data-move], .goods .trails")).to_have_count(0)
        assert onlooker.locator(".seat .purse b").all_inner_texts() == ["?", "?"]
        expect(onlooker.locator("#bar")).to_contain_text("watching", use_inner_text=True)
        assert onlooker.locator("#dock").text_content().strip() == "You are watching."
        expect(other.locator(".seat .purse b")).to_have_text("?", use_inner_text=True)
        Player(other).both("#act-bid-1")
        asked.wait_for_selector(f"{MINE} ~ .foot > #dock[data-phase=bid]")
        assert other.locator(".circle .leads").inner_text().startswith("You")
        browsing.Player(other).fits()
        for context in (guest, watcher):
            context.close()


def test_moves_are_made_without_script(browser, server, server_database):
    with dealt(browser, (server, server_database), fresh(2, pile_distribution=True), script=False) as page:
        player = Plain(page, keen=True)
        player.until("remove", 40)
        player.play(2)
        assert player.seen.keys() >= {"turn", "take", "remove"}


def test_a_take_is_foretold_in_german_too(browser, server, server_database):
    match = nothing_ticked()
    with browsing.visitor(browser, PHONE, locale="de-DE") as page:
        browsing.sit(page, server + browsing.begun(server_database, match)[match.asked[0]])
        player = Player(page)
        page.get_by_role("button", name="Verstanden").click()
        page.get_by_role("button", name="Alle passenden nehmen").wait_for()
        card = page.locator("#stage input[type=checkbox]:enabled").first
        player.tap(card)
        assert re.fullmatch(r"Deine Punkte: (\d+) \+ (\d+) = (\d+)", page.locator("#dock output").inner_text())
        assert re.fullmatch(r"1 Karte nehmen", page.locator("#dock .picker button.primary").inner_text())
        player.tap(card)
        expect(page.locator("#dock .picker button.primary")).to_have_text("Nehmen", use_inner_text=True)
        player.fits()


def nothing_ticked() -> Match:
    """Somebody takes cards of which several fit, and each closes the way to so much that none is ticked beforehand."""
    show = next(show for show in gallery.SHOWS if show.game == "rivals")
    for seed in range(100):
        match = Match.new(rulebook("rivals"), show.options, 2, seed, gallery.NAMES[:2])
        rng = random.Random(seed)
        while not match.over:
            state, seat = match.state, match.asked[0]
            fitting = [card for card in set(state.display[: state.lying]) if rules.can_lay(state, seat, card)]
            if gallery.phase(match, seat) == "take" and len(fitting) > 1 and not beforehand.taken(state, seat):
                return match
            match.random_move(seat, rng.randrange(1 << 30))
    raise AssertionError


def test_a_card_that_may_be_removed_is_marked_with_whom_it_would_bring_the_most():
    """A wager with the one who has wagers already; of two who gain alike the first."""

    def having(*shakes: int) -> Any:
        players = [SimpleNamespace(expeditions={"R": {"footprints": 0, "handshakes": n, "numbers": 0}}) for n in shakes]
        return SimpleNamespace(view=SimpleNamespace(players=players), you=0)

    meant = pages.environment().get_template("rivals/table.html").module.meant
    for shakes, fits, said in (
        ((0, 1, 0), (1, 2), "p1 ×3"),
        ((0, 0, 2), (0, 1, 2), "p2 ×4"),
        ((3, 1, 1), (0, 1, 2), "p1 ×3"),
        ((2, 1, 0, 0), (3, 2), "p3 ×2"),
        ((1, 0, 0), (0,), ""),
    ):
        marked = meant(having(*shakes), SimpleNamespace(card="Rx", fits=fits))
        assert re.sub(r'<span class="mark (p\d)".*?</span>', r"\1", marked) == said
