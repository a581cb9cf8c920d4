"""Lessons (server/web/screens/lesson/script.py): every script obeys the rules and is short; its page works with and without
script."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from outbid.core.errors import BadRulebook
from outbid.core.language import i18n
from outbid.core.rulebook import rulebooks
from outbid.server.web.screens.lesson import script as lessons
from tests.support.browsing import expect, visitor
from tests.support.english import english, read
from tests.support.houses import House
from tests.support.serving import JSON

pytestmark = pytest.mark.slow

GAMES = ["claim", "forex", "kuhhandel", "money", "rivals"]
SCRIPTS = [(game, one) for game in GAMES for one in lessons.lessons(rulebooks()[game]).values()]
NAMES = [f"{game}-{one.id}" for game, one in SCRIPTS]
JUDGE = "judge"
OFTEN = (f"claim-{lessons.FIRST}", f"rivals-{lessons.FIRST}", f"kuhhandel-{JUDGE}")  # others differ in scripts alone
FOLLOWED = [
    pytest.param(*script, id=name, marks=() if name in OFTEN else pytest.mark.deep)
    for name, script in zip(NAMES, SCRIPTS, strict=True)
]
DECISIONS = [
    (game, lesson, number)
    for game, lesson in SCRIPTS
    for number, step in enumerate(lesson.steps)
    if step.than
]
DESK, PHONE = (1280, 800), (375, 740)

# what a step's page must have: what is lit, something that makes the move, and no form that leads to a real table
LOOK = """async ([address, light, move]) => {
  const made = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
  const plain = (value) => JSON.stringify(value, Object.keys(value).sort());
  const wrong = light.filter((one) => !made.querySelector(one)).map((one) => `nothing is ${one}`);
  const all = (selector) => [...made.querySelectorAll(selector)];
  const makers = "form[data-move] :is(button, input)[name=move], input[form][name=move]";
  const whole = all(makers).map((one) => plain(JSON.parse(one.value)));
  const kinds = [...made.querySelectorAll("form[data-move] input[name=do]")].map((one) => one.value);
  if (move && !whole.includes(plain(move)) && !kinds.includes(move.do)) wrong.push(`nothing makes ${JSON.stringify(move)}`);
  const forms = [...made.querySelectorAll("form[data-move]")].map((form) => form.getAttribute("action"));
  return wrong.concat(forms.filter((one) => one !== address).map((one) => `a form goes to ${one}`));
}"""


IN_SIGHT = """() => {
  const [box, panel] = ["spot", "coach"].map((id) => document.getElementById(id).getBoundingClientRect());
  return box.height && box.bottom > panel.bottom && box.top < innerHeight - 20;
}"""


# the numbers that say how many of a card are laid: those the move names are lit, where they lie
UNLIT = """() => {
  const [spot, coach] = ["spot", "coach"].map((id) => document.getElementById(id));
  const [lit, cards] = [spot.getBoundingClientRect(), JSON.parse(coach.dataset.move)?.cards ?? []];
  const fields = cards.map((card) => document.querySelector(`input[type=number][name="cards:${card}"]`)).filter(Boolean);
  return fields.map((field) => field.closest(".denomination").getBoundingClientRect())
    .filter((box) => box.left < lit.left || box.right > lit.right || box.top < lit.top || box.bottom > lit.bottom).length;
}"""


# where a thing can be tapped: a point of it that lies in the window of the veil, with nothing over it
LIT = """(one) => {
  const [box, lit] = [one, document.getElementById("spot")].map((it) => it.getBoundingClientRect());
  const places = [[0.5, 0.5], [0.3, 0.15], [0.3, 0.85]].map(([x, y]) => ({ x: x * box.width, y: y * box.height }));
  return places.find((place) => {
    const [x, y] = [box.left + place.x, box.top + place.y];
    const there = document.elementFromPoint(x, y);
    return x > lit.left && x < lit.right && y > lit.top && y < lit.bottom && one.contains(there);
  });
}"""


def tables(house: House) -> int:
    with closing(sqlite3.connect(house.database)) as db, db:
        return db.execute("select count(*) from tables").fetchone()[0]


# --- the scripts ------------------------------------------------------------------------------------------------------


def test_every_installed_lesson_obeys_the_rules_and_is_short_in_all_languages():
    assert [found for book in rulebooks().values() for found in lessons.problems(book)] == []


@pytest.mark.parametrize("game", GAMES)
def test_every_game_of_ours_has_a_first_lesson_that_asks_for_moves(game: str):
    first = lessons.lessons(rulebooks()[game])[lessons.FIRST]
    assert sum(bool(step.move) for step in first.steps) >= 5


@pytest.mark.parametrize("game", GAMES)
def test_every_game_of_ours_has_a_second_lesson_of_six_decisions(game: str):
    second = list(lessons.lessons(rulebooks()[game]).values())[1]
    assert (second.id, sum(bool(step.than) for step in second.steps)) == (JUDGE, 6)


@pytest.mark.parametrize(("game", "lesson", "number"), DECISIONS, ids=[f"{each[0]}-{each[2]}" for each in DECISIONS])
def test_a_decision_tells_in_both_languages_why_its_better_move_is_better(game, lesson, number):
    """And says nothing of the kind for the other one; each answer is answered, in words that the rules allow."""
    step, match = lesson.steps[number], lessons.position(rulebooks()[game], lesson, number, "You")[0]
    better, worse = lessons.choices(step, match)
    reasons = {}
    for spoken in i18n.LANGUAGES:
        with i18n.locale(spoken):
            reasons[spoken] = lessons.why(step, match)
            assert lessons.answer(step, match, better.move) == ""
            assert reasons[spoken] in lessons.answer(step, match, worse.move)
    assert all(reasons.values())
    assert reasons["en"] != reasons["de"]
    assert lessons.why(replace(step, move=step.than, than=step.move), match) != reasons["en"]


def test_each_expansion_of_claim_has_a_lesson_that_switches_it_on_alone():
    there = lessons.lessons(rulebooks()["claim"])
    everything = rulebooks()["claim"].preset("everything")
    assert {name: one.options for name, one in there.items() if name not in (lessons.FIRST, JUDGE)} == {
        name: {name: True} for name in everything
    }


def test_what_is_wrong_with_a_lesson_is_found(monkeypatch: pytest.MonkeyPatch):
    book = rulebooks()["kuhhandel"]
    good = lessons.lessons(book)["first"]
    asking = next(n for n, step in enumerate(good.steps) if step.move)

    def found(lesson: lessons.Lesson) -> str:
        monkeypatch.setattr(lessons, "lessons", lambda _book: {lesson.id: lesson})
        return "\n".join(lessons.problems(book))

    def changed(number: int, **more: object) -> lessons.Lesson:
        steps = list(good.steps)
        steps[number] = replace(steps[number], **more)
        return replace(good, steps=tuple(steps))

    assert found(good) == ""
    assert f"first, step {asking}" in found(changed(asking, move="bid 10"))  # Dora has bid as much
    assert f"step {asking}: nothing in Deutsch" in found(changed(asking, say={"en": "Bid.", "de": " "}))
    assert "answer to pass: nothing in English" in found(changed(asking, wrong={"pass": {"de": "Nein."}}))
    assert f"step {asking}: says more than 2" in found(changed(asking, say={"en": "Bid. Bid. Bid.", "de": "Biete."}))
    assert "step 0: lights more than one" in found(changed(0, light=("#goods", "#dock")))
    assert "step 0: lights more than one" in found(changed(0, light=("#goods, #dock",)))
    assert " words; 300 are allowed" in found(changed(0, say={"en": "word " * 200, "de": "Wort"}))
    assert "takes " in found(changed(asking, say={"en": "word " * 800, "de": "Wort"}))
    assert "last step expects a move" in found(replace(good, steps=good.steps[: asking + 1]))
    assert "no lesson has the id 'first'" in found(replace(good, id="other"))


def test_a_file_that_is_no_lesson_is_named(tmp_path: Path):
    class Book:
        id, folder = "toy", tmp_path

    (tmp_path / lessons.FILE).write_text('[[lesson]]\nid = "first"\n')
    with pytest.raises(BadRulebook, match=r"lessons\.toml: KeyError"):
        lessons.lessons(Book())  # type: ignore[arg-type]


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "lesson"), SCRIPTS, ids=NAMES)
def test_a_lesson_is_finished_by_its_own_moves_and_leaves_nothing_on_the_server(house, http, game, lesson):
    book, before = rulebooks()[game], tables(house)
    where = lessons.address(book, lesson, 0)
    for number, step in enumerate(lesson.steps[:-1]):
        page = http.get(where)
        assert page.status_code == 200
        assert step.say["en"] in unescape(page.text)
        on = lessons.address(book, lesson, number + 1)
        if step.move:
            moved = http.post(where, data={"decision": "0", "text": step.move})
            assert (moved.status_code, moved.headers.get("location")) == (303, on), step.move
        else:
            assert f'href="{on}"' in unescape(page.text)
        where = on
    last = unescape(http.get(where).text)
    assert lesson.steps[-1].say["en"] in last
    assert "Play now against easy bots" in last
    assert tables(house) == before


def test_wrong_moves_are_answered_and_the_step_stays(http):
    step = next(n for n, one in enumerate(lessons.lessons(rulebooks()["kuhhandel"])["first"].steps) if one.move == "bid 20")
    where = f"/learn/kuhhandel?step={step}"

    def answer(**fields: str) -> str:
        page = http.post(where, data={"decision": "0", **fields})
        assert page.status_code == 200
        assert f'action="{where}"' in unescape(page.text)
        return re.findall(r'<p class="answer" role="alert">([^<]*)', page.text)[0]

    assert answer(move='{"do": "pass"}') == "You could, but you want this dog. Bid 20."
    assert answer(text="bid 30") == "A higher bid is allowed, but 20 is enough here."
    assert "10" in answer(text="bid 10")  # not higher than Dora's: the rules' own reason
    assert answer(text="sell")
    assert "Go on" in http.post("/learn/kuhhandel?step=0", data={"decision": "0", "text": "auction"}).text


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/learn/chess", "There is no game"),
        ("/learn/money?lesson=nothing", "There is no lesson 'nothing'; there are first, judge."),
        ("/learn/money?step=99", "There is no step '99'"),
        ("/learn/money?step=-1", "There is no step"),
        ("/learn/sealed", "has no lesson yet"),
    ],
)
def test_what_is_not_there_is_said(http, path, said):
    for answer in (http.get(path, headers=JSON), http.post(path, data={"decision": "0", "text": "x"}, headers=JSON)):
        assert answer.status_code == 404
        assert said in answer.json()["error"]


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_in_german_has_no_english_left(http, game):
    http.cookies.set("language", "de")
    for number in range(0, len(lessons.lessons(rulebooks()[game])["first"].steps), 3):
        said = read(http.get(f"/learn/{game}?step={number}").text)
        assert not list(english(said)), number


@pytest.mark.browser
def test_every_lit_object_and_something_that_makes_the_move_are_on_the_page(house, browser):
    found: list[str] = []
    with visitor(browser) as page:
        page.goto(f"{house.address}/healthz")
        for game, lesson in SCRIPTS:
            book = rulebooks()[game]
            for number, step in enumerate(lesson.steps):
                match = lessons.position(book, lesson, number, "You")[0]
                move = lessons.wanted(match, step.move) if step.move else None
                where = lessons.address(book, lesson, number)
                found += [f"{where}: {one}" for one in page.evaluate(LOOK, [where, list(step.light), move])]
    assert found == []


def hit(page, target) -> None:
    """Tap or click something, which must lie in what is lit."""
    target.scroll_into_view_if_needed()
    place = page.wait_for_function(LIT, arg=target.element_handle()).json_value()
    (target.tap if page.evaluate("navigator.maxTouchPoints") else target.click)(position=place)


def press(page, move: dict[str, Any], send: bool = True) -> None:
    """Make a move by what the table has for it: a button, a choice of one thing, or cards; these are sent if said so."""
    buttons = page.locator('form[data-move] :is(button, input)[name="move"], input[form][name="move"]')
    values = [json.loads(value) for value in buttons.evaluate_all("all => all.map((one) => one.value)")]
    if move in values and not (move.get("cards") and page.locator(f'input[name="do"][value="{move["do"]}"]').count()):
        made = buttons.nth(values.index(move))
        apart = made.get_attribute("form")
        form = page.locator(f"#{apart}") if apart else opened(page, made)
        if made.get_attribute("type") == "radio":
            if not made.is_checked():  # beforehand
                hit(page, made.locator("xpath=ancestor::label"))
            made = form.locator("button.primary")
        for _tap in range(2 if made.get_attribute("data-raises") else 1):  # the first one raises it
            hit(page, made)
        return
    kind = f'input[name="do"][value="{move["do"]}"]'
    if "product" in move:
        kind += f' ~ input[value="{move["product"]}"]'
    form = opened(page, page.locator(f"form[data-move] {kind}"))
    cards = Counter(map(str, move["pay"] if move["do"] == "buy" else move.get("cards", ())))
    ticked = page.locator('input[name^="cards:"]:checked')  # beforehand
    for name in ticked.evaluate_all("all => all.map((field) => field.name)"):
        card = name.removeprefix("cards:")
        if not cards[card]:
            hit(page, page.locator(f'input[name="{name}"]').locator("xpath=.."))
        cards[card] -= 1
    for card, n in cards.items():
        field = page.locator(f'input[name="cards:{card}"]')
        field = form.locator(field) if form.locator(field).count() else field
        many = field.get_attribute("type") == "number"
        for _ in range(n):
            note = field.locator("xpath=ancestor::*[@data-value]").locator(".face")
            hit(page, note if many else field.locator("xpath=.."))
    for name, value in FIELDS.get(move["do"], lambda _move: {})(move).items():
        hit(page, form.locator(f'label:has(input[name="{name}"][value="{value}"])'))
    if send:
        hit(page, form.locator("button.primary:enabled").first)


FIELDS: dict[str, Any] = {
    "contract": lambda m: {"str:pay": m["pay"][0], "str:receive": m["receive"][0], "int:times": 1},
    "icon": lambda m: {f"{type(value).__name__}:{name}": value for name, value in m.items() if name not in ("do", "icon")},
    "spot": lambda m: {"int:with": m["with"], "str:give": m["give"][0], "str:get": m["get"][0]},
    "invest": lambda m: {"str:first": m["in"][0], "str:second": ""},
}


def opened(page, control):
    """The form of a control, unfolded, by its summary or by the thing that is tapped instead."""
    for _ in range(3):
        folded = control.first.locator("xpath=ancestor::details[not(@open)]")
        if folded.count():
            summary, thing = folded.first.locator("summary").first, f'[data-opens="{folded.first.get_attribute("id")}"]'
            hit(page, summary if summary.is_visible() else page.locator(thing))
    return control.first.locator("xpath=ancestor::form")


def decide(page, game: str, lesson: lessons.Lesson, number: int) -> None:
    """Choose the worse of two moves, read why it is worse, and choose the better one."""
    book, step = rulebooks()[game], lesson.steps[number]
    match = lessons.position(book, lesson, number, "You")[0]
    better, worse = lessons.choices(step, match)
    page.locator(".coach .choices button", has_text=worse.label).click()
    page.locator(".coach .answer", has_text=lessons.why(step, match)).wait_for()
    page.locator(".coach .choices button", has_text=better.label).click()
    page.wait_for_url(f"**{lessons.address(book, lesson, number + 1)}")
    page.locator(".coach .before", has_text=lessons.why(step, match)).wait_for()


def follow(page, house: House, game: str, lesson: lessons.Lesson) -> None:
    """Follow a lesson to its last sentence: what is lit is in sight, and below what is said."""
    page.goto(house.address + lessons.address(rulebooks()[game], lesson, 0))
    for number in range(len(lesson.steps) - 1):
        if lesson.steps[number].than:
            decide(page, game, lesson, number)
            continue
        page.wait_for_function("() => !('holding' in document.documentElement.dataset)")
        page.wait_for_function(IN_SIGHT)
        page.wait_for_function(f"() => !({UNLIT})()")
        on, move = page.locator('.coach a.primary[rel="next"]'), page.locator("#coach").get_attribute("data-move")
        on.click() if on.count() else press(page, json.loads(move))
        page.wait_for_url(f"**{lessons.address(rulebooks()[game], lesson, number + 1)}")


@pytest.mark.browser
def test_a_newcomer_follows_what_is_lit_to_the_end_and_plays_on(house, browser):
    with visitor(browser, PHONE, has_touch=True) as page:
        follow(page, house, "claim", lessons.lessons(rulebooks()["claim"])["zero_risk"])
        page.get_by_role("button", name="Play now against easy bots").click()
        page.wait_for_url("**/t/*")
        expect(page.locator("#opponents .seat")).to_have_count(2)


@pytest.mark.browser
@pytest.mark.parametrize("size", [pytest.param(DESK, marks=pytest.mark.deep, id="desk"), pytest.param(PHONE, id="phone")])
@pytest.mark.parametrize(("game", "lesson"), FOLLOWED)
def test_every_lesson_can_be_followed_by_touch(house, browser, game, lesson, size):
    with visitor(browser, size, has_touch=size == PHONE) as page:
        follow(page, house, game, lesson)


@pytest.mark.browser
def test_a_lesson_that_was_left_goes_on_where_it_was_and_begins_anew_at_one_tap(house, browser):
    first = f"{house.address}/learn/claim"
    with visitor(browser, PHONE) as page:
        page.goto(f"{first}?step=2")
        page.goto(first)
        page.get_by_role("link", name="Start over").click()
        page.wait_for_url("**/learn/claim")
        page.get_by_role("link", name="Go on").click()
        page.wait_for_url("**?step=1")
        expect(page.get_by_role("link", name="Start over")).to_be_hidden()
        page.go_back()  # not caught in the lesson
        page.wait_for_url("**/learn/claim")
        page.goto(f"{first}?step={len(lessons.lessons(rulebooks()['claim'])['first'].steps) - 1}")
        page.goto(first)
        page.get_by_text("1/", exact=False).first.wait_for()
        assert page.url == first


@pytest.mark.browser
def test_a_tap_beside_what_is_lit_and_a_wrong_choice_are_answered(house, browser):
    with visitor(browser, DESK) as page:
        page.goto(f"{house.address}/learn/claim?step=1")
        page.locator("#opponents").click(position={"x": 5, "y": 5})
        page.get_by_text("Look at what is lit.").wait_for()
        page.locator("""button[name="move"][value*='"1"']""").first.click()
        page.get_by_text("Also possible").wait_for()
        expect(page.locator(".coach .here")).to_have_count(1)


@pytest.mark.browser
@pytest.mark.parametrize(("game", "move"), [("kuhhandel", "pay 10 10"), ("money", "bid JPY60#2 GBP20#8")])
def test_a_tap_on_what_is_lit_is_never_called_wrong(house, browser, game: str, move: str):
    """Though it is no longer lit once it is chosen."""
    steps = lessons.lessons(rulebooks()[game])["first"].steps
    number = next(n for n, step in enumerate(steps) if step.move == move)
    with visitor(browser, PHONE, has_touch=True) as page:
        page.goto(f"{house.address}/learn/{game}?step={number}")
        page.evaluate("""() => {
          const answer = document.querySelector(".coach .answer");
          new MutationObserver(() => (window.scolded = answer.textContent)).observe(answer, { childList: true });
        }""")
        press(page, json.loads(page.locator("#coach").get_attribute("data-move")), send=False)
        assert page.evaluate("window.scolded ?? null") is None


@pytest.mark.browser
@pytest.mark.parametrize(
    ("game", "move", "shown"),
    [("kuhhandel", "counter 10 10", "You win the cow from"), ("money", "bid JPY60#2 GBP20#8", "The bids are turned over.")],
)
def test_what_came_of_a_move_is_seen_before_the_next_sentence_asks(house, browser, game: str, move: str, shown: str):
    steps = lessons.lessons(rulebooks()[game])["first"].steps
    number = next(n for n, step in enumerate(steps) if step.move == move)
    with visitor(browser, PHONE, has_touch=True) as page:
        page.goto(f"{house.address}/learn/{game}?step={number}")
        page.get_by_role("link", name="Do it for me").click()
        page.locator("#result.holding .outcome.shown", has_text=shown).wait_for()
        page.wait_for_function("() => !('holding' in document.documentElement.dataset)")


def test_what_is_played_for_the_learner_is_said(http):
    steps = lessons.lessons(rulebooks()["kuhhandel"])["first"].steps
    step = next(n for n, each in enumerate(steps) if (0, "pass") in each.others)
    assert "Done for you: You pass." in http.get(f"/learn/kuhhandel?step={step}").text
    http.cookies.set("language", "de")
    assert "Für dich gespielt: Du passt." in http.get(f"/learn/kuhhandel?step={step}").text


@pytest.mark.browser
def test_without_script_forms_and_links_do_all(house, browser):
    with visitor(browser, script=False) as page:
        page.goto(f"{house.address}/learn/kuhhandel?step=1")
        page.get_by_role("link", name="Go on").click()
        page.wait_for_url("**step=2")
        page.locator('#dock button[name=move][value*="20"]').first.click()
        page.wait_for_url("**step=3")
        page.get_by_role("link", name="Back").click()
        page.wait_for_url("**step=2")
        page.get_by_role("link", name="Do it for me").click()
        page.wait_for_url("**step=3")
