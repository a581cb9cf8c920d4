"""What somebody sees the first time: cards that teach, puzzles on a phone, numbers and notes where they say something."""

from __future__ import annotations

import pytest

from outbid.bots import choose
from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from outbid.review.puzzles import shipped
from tests.support import browsing
from tests.support.browsing import expect
from tests.support.gallery import SHOWS, gallery

pytestmark = pytest.mark.browser

PHONE = (375, 740)
GAMES = ["claim", "forex", "kuhhandel", "money", "rivals"]
PHASES = [(s.game, phase) for s in SHOWS if not s.more for phase in sorted(s.phases - {"over"})]
# whether a card's first sentence is read whole, in letters large enough, on the page, below all that one plays with, and
# whether log and chat can be opened beside it
UNREAD = """() => {
  const text = document.querySelector(".lesson[open] > div > p");
  const [box, first] = [text.parentElement, text.querySelector("b")];
  const [edge, said] = [box, first].map((one) => one.getBoundingClientRect());
  const size = parseFloat(getComputedStyle(first).fontSize);
  const below = edge.top >= document.querySelector(".table > .foot").getBoundingClientRect().bottom - 1;
  const beside = ["#log > summary", "#talk > summary"].every((handle) => {
    const place = document.querySelector(handle).getBoundingClientRect();
    const [x, y] = [handle.startsWith("#log") ? place.left + 14 : place.right - 20, place.top + place.height / 2];
    return document.elementFromPoint(x, y).closest("summary")?.matches(handle);
  });
  return [said.bottom <= edge.bottom + 1 && said.right <= innerWidth, size >= 12, edge.bottom <= innerHeight, below, beside];
}"""


def at(game: str, phase: str):
    show = next(show for show in SHOWS if str(show) == game)
    return next(piece for piece in gallery(show) if piece.phase == phase)


@pytest.mark.slow(but=("rivals",))
@pytest.mark.parametrize(("game", "phase"), PHASES)
def test_on_a_phone_the_card_of_a_phase_says_its_first_sentence_whole(browser, server, server_database, game, phase):
    piece = at(game, phase)
    with browsing.visitor(browser, PHONE, locale="de") as page:
        browsing.sit(page, server + browsing.begun(server_database, piece.match)[piece.seat])
        page.wait_for_selector(".lesson[open] > div > p b")
        assert page.evaluate(UNREAD) == [True] * 5


# what is seen in the middle of the panel that is open under the line on top
SEEN = """selector => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2).closest(selector) !== null;
}"""


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_help_and_the_card_of_a_phase_do_not_cover_each_other_on_a_phone(browser, server, server_database, script):
    piece = at("kuhhandel", "bid")
    with browsing.visitor(browser, PHONE, script) as page:
        browsing.sit(page, server + browsing.begun(server_database, piece.match)[piece.seat])
        card, help = ".lesson[open] > .whole", "#why[open] > ul"
        unfolds = page.get_by_role("button", name="More") if script else page.locator(".lesson > summary")
        for _ in range(2):
            unfolds.click()
            page.wait_for_selector(card)
            expect(page.locator(help)).not_to_be_visible()
            assert page.locator(card).evaluate("card => card.scrollWidth <= card.clientWidth")
            page.locator("#why > summary").click()
            page.wait_for_selector(help)
            assert page.evaluate(SEEN, help)
            expect(page.locator(card)).not_to_be_visible()


def test_a_name_that_ends_the_folded_log_of_a_phone_is_cut_and_not_left_out(browser, server, server_database):
    match = Match.new(rulebook("kuhhandel"), {}, 3, 3, ["Ada", "Wilhelmina-Charlotte von", "Cem"])
    while not any(told.text.find("Wilhelmina") > 15 for told in match.log(0)[-1:]):  # not where the line begins
        match.play_steps(match.asked[0], choose(match, match.asked[0], "steady", len(match.moves)).actions)
    with browsing.visitor(browser, PHONE) as page:
        browsing.sit(page, server + browsing.begun(server_database, match)[0])
        page.wait_for_selector("[data-connection].on")
        assert page.locator(".last bdi").last.evaluate("name => getComputedStyle(name).display") == "inline"


def test_numbers_of_money_stand_on_cards_there_are_twice_and_on_all_once_one_is_laid(browser, server, server_database):
    piece = at("money", "bid")
    shown = ".wads .pick text"
    there = f"[...document.querySelectorAll('{shown}')]"
    seen = f"() => {there}.filter((one) => getComputedStyle(one).visibility !== 'hidden').length"
    with browsing.visitor(browser, PHONE) as page:
        browsing.sit(page, server + browsing.begun(server_database, piece.match)[piece.seat])
        page.wait_for_selector(".wads .pick")
        before = page.evaluate(seen)
        page.locator(".wads .pick").first.click()
        assert before < page.evaluate(seen) == page.locator(shown).count()


def test_at_the_end_of_kuhhandel_the_notes_are_turned_over(browser, server, server_database):
    piece = at("kuhhandel", "over")
    with browsing.visitor(browser, (1280, 800)) as page:
        browsing.sit(page, server + browsing.begun(server_database, piece.match)[piece.seat])
        page.wait_for_selector(".results .turned")
        held = [sum(hand) for hand in piece.match.state.money]
        assert sum(held) > 0
        expect(page.locator(".results .turned .notes .note")).to_have_count(sum(held))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(but=("rivals",))
def test_a_puzzle_on_a_phone_is_the_table_and_its_answers_are_above_the_fold(browser, server, game):
    puzzle = shipped(rulebook(game))[0]
    with browsing.visitor(browser, PHONE, locale="de") as page:
        page.goto(f"{server}/puzzles/{game}/{puzzle.id}")
        page.wait_for_function(browsing.ROOM)
        answers = ":is(#dock, #goods, #stage) :is(button, summary, label):visible"
        for place in ("#coach > details > summary", "#stage", answers):
            box = page.locator(place).first.bounding_box()
            assert box["y"] >= 0, place
            assert box["y"] + min(box["height"], 40) <= PHONE[1], place
        browsing.fits(page)
        page.locator("#coach > details > summary").click()
        page.locator("#coach button[name=choice][value='1']").click()
        page.wait_for_selector("#answer")
        page.locator("#answer summary").click()
        box = page.locator("#coach .ways .primary").bounding_box()
        assert box["y"] + box["height"] <= PHONE[1], "the way on is there with the answer"
        browsing.fits(page)


def test_a_sum_that_is_typed_is_laid_in_the_notes_that_make_it_and_offered(browser, server, server_database):
    piece = at("kuhhandel", "offer")
    assert piece.match.view(piece.seat)["money"] == [0, 0, 50]
    with browsing.visitor(browser, PHONE) as page:
        page.add_init_script("localStorage.setItem('learned', 'all')")
        browsing.sit(page, server + browsing.begun(server_database, piece.match)[piece.seat])
        page.wait_for_selector("[data-connection].on")
        laid = page.locator("input[name='cards:50']")
        for typed, notes in (("50", "1"), ("40", ""), ("60", "1")):  # the most below it, where it cannot be made
            page.fill("[data-lays]", typed)
            assert laid.input_value() == notes
        laid.evaluate("field => { field.value = ''; field.dispatchEvent(new Event('input', { bubbles: true })); }")
        assert page.input_value("[data-lays]") == "", "it says no more what is laid"
        page.fill("[data-lays]", "50")
        decision = page.input_value("#dock input[name=decision]")
        page.locator("#laying button.primary").click()
        page.wait_for_function(browsing.NEXT, arg=decision)
        assert page.request.get(page.url, headers={"Accept": "application/json"}).json()["view"]["money"] == [0, 0]
