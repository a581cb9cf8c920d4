"""A table is for everybody: by keys alone, read out, without movement, on a phone in one hand, by day and by night."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from outbid.core.match import Match
from outbid.core.rulebook import rulebook
from tests.support import browsing
from tests.support.browsing import MINE, OVER, PHONE, expect, table
from tests.support.gallery import GAMES, SHOWS, Show, gallery

pytestmark = [pytest.mark.browser, pytest.mark.slow]


# --- by keys alone ----------------------------------------------------------------------------------------------------

SEEN = """async () => {
  await new Promise((seen) => requestAnimationFrame(() => setTimeout(seen)));
  const dock = document.querySelector("#dock");
  const open = document.querySelector("#dock .act[open]");
  const button = [...(open ?? dock).querySelectorAll("button.primary")].find((one) => one.checkVisibility());
  const has = document.activeElement;
  return {
    over: Boolean(document.querySelector("#over:not([hidden])")),
    yours: Boolean(document.querySelector("#now[data-yours]")),
    decision: dock.querySelector("input[name=decision]")?.value ?? "",
    open: open?.id ?? "",
    phase: dock.dataset.phase,
    keys: [...document.querySelectorAll("[data-key]")].map((one) => [one.dataset.key, one.tagName]),
    ready: Boolean(button && !button.disabled && button.form.checkValidity()),
    number: has.type === "number",
    button: has.tagName === "BUTTON" && has.name === "move",
    focus: has === document.body ? "" : has.id || has.tagName,
    refused: !document.querySelector("#toast").hidden,
    busy: Boolean(document.querySelector("form[aria-busy=true]")),
  };
}"""


class Typist:
    """Looks at the page and presses keys, and does nothing else. `seen`: how often each phase was answered."""

    def __init__(self, page, seed: int = 1):
        self.page = page
        self.rng = random.Random(seed)
        self.seen: Counter[str] = Counter()
        self.pressed: set[str] = set()

    def press(self, key: str) -> None:
        self.pressed.add(key)
        self.page.keyboard.press(key)

    def play(self, most: int) -> bool:
        """Answer up to `most` questions; true when the match is over."""
        before = self.seen.total()
        while self.seen.total() < before + most:
            self.page.wait_for_selector(f"{MINE}, {OVER}")
            seen = self.page.evaluate(SEEN)
            if seen["over"]:
                return True
            if seen["decision"]:
                self.answer(seen)
                self.seen[seen["phase"]] += 1
        return False

    def answer(self, seen: dict[str, Any]) -> None:
        """Press keys until another question is asked."""
        decision, begun = seen["decision"], time.monotonic()
        while seen["decision"] == decision and not seen["over"]:
            assert time.monotonic() - begun < 60, seen
            self.step(seen)
            seen = self.page.evaluate(SEEN)
            if not seen["focus"]:
                self.focused()

    def focused(self) -> None:
        """What has just been replaced gets the focus back with the next frame; until then nothing has it."""
        self.page.wait_for_function("() => document.activeElement !== document.body")

    def step(self, seen: dict[str, Any]) -> None:
        """The next key."""
        if seen["busy"]:
            self.page.wait_for_function("() => !document.querySelector('form[aria-busy=true]')")
        elif seen["button"] or (seen["ready"] and self.rng.random() < 0.7):
            self.press("Enter")
        elif seen["number"]:
            self.press("ArrowUp")
        elif seen["open"] and (not seen["keys"] or self.rng.random() < 0.05):
            self.press("Escape")
        elif seen["keys"]:
            acts = [key for key, tag in seen["keys"] if tag in ("SUMMARY", "BUTTON")]
            self.press(self.rng.choice(acts if acts and self.rng.random() < 0.4 else [key for key, _ in seen["keys"]]))
        else:
            self.press("Enter")


SHORT = {
    "kuhhandel": {"option_copies": "0, 0, 0, 0, 0, 0, 2, 2, 2, 0"},
    "money": {"option_denominations": "2, 2, 1, 1, 0"},
    "rivals": {"option_copies": "1, 1, 1, 1, 1, 1, 0, 0, 0", "option_wagers": "1", "option_colours": "3"},
    "forex": {"option_contract_sets": "1", "option_certificates": "2"},
}  # with fewer cards


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.generic
def test_a_whole_match_of_each_game_is_played_with_keys_alone(browser, house, game):
    with table(browser, house.address, game=game, preset="", **SHORT.get(game, {})) as page:
        player = Typist(page)
        assert player.play(400)
        assert player.seen.total() >= 4
        phases = next(show.phases for show in SHOWS if show.game == game) - {"over"}
        browsing.asked_too(player, house.address, house.database, game, set(phases))
        assert player.seen.keys() == phases
        assert "Enter" in player.pressed
        player.focused()


KEYS = """() => {
  const keys = [...document.querySelectorAll("#act-contract [data-key]")].map((one) => one.dataset.key);
  return keys.length > 15 && keys;
}"""


def test_choices_beyond_nine_have_keys_of_their_own(browser, house):
    with table(browser, house.address, game="forex", preset="", players="2") as page:
        page.wait_for_selector(MINE)
        page.keyboard.press(page.locator("#act-contract > summary[data-key]").get_attribute("data-key"))
        form = page.locator("#act-contract")
        keys = page.wait_for_function(KEYS).json_value()
        assert keys[8:12] == ["9", "0", "a", "b"]
        assert not set("wlpcr") & set(keys)  # these do something else
        expect(form.locator("input[data-choice]")).to_have_count(len(keys))
        for key in (keys[0], keys[9], keys[-1]):
            page.keyboard.press(key)
        assert [box.get_attribute("name") for box in form.locator("input:checked").all()] == [
            "str:pay", "str:receive", "int:times",
        ]  # fmt: skip


def test_a_key_and_a_button_read_out_how_things_stand(browser, house):
    match = Match.new(rulebook("kuhhandel"), {}, 3, 4, ["Ada", "Ben", "Cem"])
    match.play(match.asked[0], "auction")
    leader = match.asked[0]
    match.play(leader, "bid 20")
    with browsing.visitor(browser) as page:
        page.set_extra_http_headers({"Accept-Language": "de"})
        browsing.sit(page, house.address + browsing.begun(house.database, match)[match.asked[0]])
        page.wait_for_selector("[data-connection].on")
        said = page.locator("#aloud[aria-live=polite]")
        expect(said).to_have_text("", use_inner_text=True)
        page.keyboard.press("r")
        page.wait_for_selector("#aloud > p", state="attached")
        first = said.locator("p").all_inner_texts()
        assert first[0].startswith("Biete auf ")
        assert f"{match.names[leader]} führt mit 20." in first[0]
        assert first[-1] == "Dein Geld: 50, 10, 10, 10, 10, 0, 0 (90)."
        page.evaluate("document.getElementById('aloud').replaceChildren()")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        button = page.locator("[data-aloud]")
        expect(button).to_have_text("Spielstand vorlesen", use_inner_text=True)
        assert button.evaluate("one => one === document.activeElement && one.getBoundingClientRect().top >= 0")
        page.keyboard.press("Enter")
        page.wait_for_selector("#aloud > p", state="attached")
        assert said.locator("p").all_inner_texts() == first


def test_a_question_mark_shows_help_with_the_game_from_there_the_keys_and_escape_hides_them(browser, house):
    with table(browser, house.address) as page:
        page.wait_for_selector(MINE)
        page.keyboard.press("?")
        guide = page.get_by_role("region", name="Help with Kuhhandel")
        guide.get_by_text("Kuhhandel: how to play").wait_for()
        asked = page.locator(".now > p").inner_text()
        expect(guide).to_contain_text(asked, use_inner_text=True)
        assert page.locator("#why > ul > li").count() == guide.locator("[data-now] li").count() > 1
        page.keyboard.press("1")  # the table lies behind it
        expect(page.locator("#dock .act[open]")).to_have_count(0)
        guide.get_by_role("button", name="Keys, sound and messages").click()
        keys = page.get_by_role("region", name="Keys, sound and messages")
        expect(keys).to_contain_text("confirm", use_inner_text=True)
        page.keyboard.press("2")
        expect(page.locator("#dock .act[open]")).to_have_count(0)
        for _ in range(2):
            page.keyboard.press("Escape")
        expect(keys).not_to_be_visible()
        expect(guide).not_to_be_visible()


def test_single_keys_can_be_switched_off_and_stay_off(browser, house):
    with table(browser, house.address) as page:
        page.wait_for_selector(MINE)
        keys_and_switches(page)
        page.get_by_role("switch", name="Single keys choose and act").uncheck()
        page.reload()
        page.wait_for_selector("[data-connection].on")
        expect(page.locator("[data-key]")).to_have_count(0)
        for key in ("1", "w", "?"):
            page.keyboard.press(key)
        expect(page.locator("#dock .act[open], #why[open], .help:popover-open")).to_have_count(0)


FOCUS = """() => {
  const has = document.activeElement;
  if (has === document.body || has === document.documentElement) return null;
  const place = has.closest("label") ?? has;
  const seen = ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  const marked = [has, place].some((one) => seen(getComputedStyle(one)));
  const box = place.getBoundingClientRect();
  const inside = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  window.reached = (window.reached ?? new Set()).add(has);
  return { marked, inside, what: has.outerHTML.slice(0, 120) };
}"""
MISSED = """() => [...document.querySelectorAll("a[href], button, input:not([type=hidden]), summary, select")]
  .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0 && !window.reached.has(one))
  .filter((one) => one.type !== "radio")
  .map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.generic
def test_tab_reaches_everything_and_shows_where_it_is(browser, house, game):
    with table(browser, house.address, game=game, preset="") as page:
        page.wait_for_selector(MINE)
        page.wait_for_selector("[data-connection].on")
        for _ in range(150):
            page.keyboard.press("Tab")
            focus = page.evaluate(FOCUS)
            if focus is None:
                break
            assert focus["marked"], focus["what"]
            assert focus["inside"], focus["what"]
        assert page.evaluate(MISSED) == []


def test_the_focus_stays_when_what_has_it_is_replaced(browser, house):
    with table(browser, house.address) as page:
        page.wait_for_selector(MINE)
        page.locator("#menu > summary").press("Enter")
        page.locator("#pace button[value=slow]").press("Enter")
        page.wait_for_selector("#pace button[value=slow][aria-pressed=true]", state="attached")
        page.wait_for_function("() => document.activeElement === document.querySelector('#menu > summary')")
        page.locator("#pace button[value=fast]").dispatch_event("click")
        page.wait_for_selector("#pace button[value=fast][aria-pressed=true]", state="attached")
        page.wait_for_function("() => document.activeElement === document.querySelector('#menu > summary')")


SOMEWHERE = "() => document.activeElement !== document.body && document.activeElement.checkVisibility()"


def test_whoever_uses_keys_is_never_left_without_the_focus(browser, house):
    with table(browser, house.address) as page:
        page.wait_for_selector("[data-connection].on")
        page.wait_for_selector(f"{MINE} [data-learned='all']")
        page.keyboard.press("Escape")  # what was read is hidden
        page.wait_for_selector("[data-learned='all']", state="hidden")
        page.wait_for_function(SOMEWHERE)
        page.reload()
        page.wait_for_function(SOMEWHERE)
        page.evaluate("() => document.querySelector('[data-relearn]').click()")
        page.locator("[data-learned='all']").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-learned='all']", state="hidden")
        page.wait_for_function(SOMEWHERE)
        page.evaluate("() => document.activeElement.blur()")
        page.wait_for_function(SOMEWHERE)


def test_whoever_uses_a_mouse_finds_the_focus_nowhere(browser, house):
    with table(browser, house.address) as page:
        page.wait_for_selector(f"{MINE} [data-learned='all']")
        page.locator("[data-learned='all']").click()
        page.wait_for_selector("[data-learned='all']", state="hidden")
        page.reload()
        page.wait_for_selector("[data-connection].on")
        assert not page.evaluate(SOMEWHERE)


# --- read out ---------------------------------------------------------------------------------------------------------


def every(toured: Callable[[Show], dict[str, Any]], show: Show, name: str) -> list[Any]:
    """One fact of all positions of a show, with the phase."""
    return [(phase, look[name]) for phase, looks in toured(show)["looks"].items() for look in looks]


def faults(toured: Callable[[Show], dict[str, Any]], show: Show, name: str) -> list[str]:
    """What is wrong in any position, each once."""
    return sorted({f"{phase}: {fault}" for phase, all_ in every(toured, show, name) for fault in all_})


@pytest.mark.parametrize("show", SHOWS, ids=str)
def test_only_your_turn_interrupts_and_only_the_log_tells_the_rest(toured, show):
    assert all(assertive == ["turn"] for _, assertive in every(toured, show, "assertive"))
    assert all(set(polite) == {"log"} for _, polite in every(toured, show, "polite"))
    assert all(role == "log" for _, role in every(toured, show, "log"))


@pytest.mark.parametrize("show", SHOWS, ids=str)
def test_every_face_has_a_name(toured, show):
    assert faults(toured, show, "nameless") == []


@pytest.mark.parametrize("show", SHOWS, ids=str)
def test_every_matrix_is_a_table_with_headers(toured, show):
    assert faults(toured, show, "headless") == []


@pytest.mark.parametrize("show", SHOWS, ids=str)
def test_on_a_phone_every_target_is_as_large_as_a_thumb(toured, show):
    assert faults(toured, show, "small") == []


@pytest.mark.parametrize("show", SHOWS, ids=str)
def test_on_a_phone_what_one_can_do_is_at_the_thumb_and_nothing_scrolls_sideways(toured, show):
    assert [(phase, reach) for phase, reach in every(toured, show, "reach") if reach and not 0.75 < reach < 1.01] == []
    assert [(phase, wide) for phase, wide in every(toured, show, "wide") if wide > 0] == []


def joined(browser, server: str, size: tuple[int, int] = browsing.DESK, **more: Any) -> tuple[Any, Any, Any]:
    """A page of somebody whose turn it is at a table of three people, that of whoever comes next, and the context."""
    contexts = [browsing.another(browser, viewport={"width": size[0], "height": size[1]}, **more) for _ in range(3)]
    fields = {"game": "kuhhandel", "players": "3", "name": "Ada", "bots": "open"}
    link = server + contexts[0].request.post(f"{server}/tables", form=fields, max_redirects=0).headers["location"]
    for context, name in zip(contexts[1:], ("Bo", "Cleo"), strict=True):
        assert context.request.post(f"{link}/join", form={"name": name}, max_redirects=0).status == 303
    as_data = {"Accept": "application/json"}
    asked = next(n for n in range(3) if contexts[n].request.get(link, headers=as_data).json()["decision"] is not None)
    first, second = pages = [contexts[n % 3].new_page() for n in (asked, asked + 1)]
    for page in pages:
        page.goto(link)
        page.wait_for_selector("[data-connection].on")
    return first, second, contexts


def auction(page) -> None:
    """Turn over an animal: the next one is asked for a bid."""
    page.locator("#act-auction button").click()


def test_your_turn_is_said_at_once_and_once(browser, house):
    first, second, contexts = joined(browser, house.address)
    voice = second.locator("#turn")
    assert voice.get_attribute("aria-live") == "assertive"
    assert voice.text_content() == ""
    second.evaluate("""() => new MutationObserver(() => (window.spoken = (window.spoken ?? 0) + 1))
      .observe(document.querySelector("#turn"), { childList: true, characterData: true })""")
    auction(first)
    second.wait_for_selector(MINE)
    question = second.locator(".now > p").inner_text()
    assert voice.text_content() == f"Your turn. {question}"
    assert second.evaluate("() => window.spoken") == 1
    assert first.locator("#turn").text_content() == ""
    for context in contexts:
        context.close()


def test_a_question_that_says_itself_whose_turn_it_is_is_said_as_it_is(browser, house):
    host, guest = browsing.another(browser), browsing.another(browser)
    fields = {"game": "forex", "players": "2", "name": "Ada", "bots": "open"}
    options = {"option:fixed_start": "true", "option:no_certs_no_strengthen": "true"}  # Ada begins, and pays nothing out
    made = host.request.post(f"{house.address}/tables", form=fields | options, max_redirects=0)
    link = house.address + made.headers["location"]
    assert guest.request.post(f"{link}/join", form={"name": "Bo"}, max_redirects=0).status == 303
    first, second = host.new_page(), guest.new_page()
    for page in (first, second):
        page.goto(link)
        page.wait_for_selector("[data-connection].on")
    first.locator("#act-resolve > summary").click()
    first.locator("#act-resolve button.primary").click()
    second.wait_for_selector(MINE)
    question = second.locator(".now > p").inner_text()
    assert question.startswith("Your turn: ")
    assert second.locator("#turn").text_content() == question
    for context in (host, guest):
        context.close()


def test_on_a_phone_a_folded_log_is_read_out_all_the_same(browser, house):
    first, second, contexts = joined(browser, house.address, PHONE)
    expect(second.locator("#log .lines")).not_to_be_visible()
    told = second.locator("#told[role=log]")
    assert told.text_content() == ""
    auction(first)
    second.wait_for_selector(MINE)
    assert "turns over" in (told.text_content() or "")
    for context in contexts:
        context.close()


# --- with and without movement ----------------------------------------------------------------------------------------

FLOWN = """() => {
  window.flown = [];
  const begin = Element.prototype.animate;
  Element.prototype.animate = function (...told) {
    window.flown.push(this.getAttribute("class") ?? "");
    return begin.apply(this, told);
  };
  const change = document.startViewTransition?.bind(document);
  if (change) document.startViewTransition = (...told) => { window.flown.push("transition"); return change(...told); };
}"""


@pytest.mark.parametrize(
    ("motion", "pace"), [("no-preference", "normal"), ("reduce", "normal"), ("no-preference", "instant")]
)
def test_cards_fly_between_places_unless_movement_is_reduced_or_all_is_instant(browser, house, motion, pace):
    piece = next(piece for piece in gallery(SHOWS[0]) if piece.phase == "pay")
    context = browser.new_context(reduced_motion=motion)
    page = context.new_page()
    browsing.sit(page, house.address + browsing.begun(house.database, piece.match, pace=pace)[piece.seat])
    page.wait_for_selector("[data-connection].on")
    page.evaluate(FLOWN)
    page.locator("#act-least button").click()
    page.wait_for_function("() => !document.querySelector('#dock[data-phase=pay]')")
    if motion == "reduce":
        page.wait_for_timeout(200)
        assert page.evaluate("() => [window.flown.length, document.getAnimations().length]") == [0, 0]
    elif pace == "instant":  # it would lie over what is asked next
        page.wait_for_timeout(200)
        assert page.evaluate("() => window.flown.filter((name) => name.includes('flying'))") == []
    else:
        page.wait_for_function("() => window.flown.some((name) => name.includes('flying'))")
    context.close()


# --- sound and messages -----------------------------------------------------------------------------------------------

WATCHED = """() => {
  window.tones = 0;
  window.messages = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
  window.Notification = class {
    static permission = "default";
    static asked = 0;
    static async requestPermission() { this.asked += 1; return (this.permission = window.answer ?? "granted"); }
    constructor(title, { body }) { window.messages.push([title, body]); }
    close() {}
  };
  window.away = false;
  Object.defineProperty(document, "hidden", { get: () => window.away });
}"""


def test_sound_and_messages_are_off_until_they_are_switched_on(browser, house):
    first, second, contexts = joined(browser, house.address)
    second.evaluate(WATCHED)
    auction(first)
    second.wait_for_selector(MINE)
    assert second.evaluate("() => [window.tones, window.messages, Notification.asked]") == [0, [], 0]
    for context in contexts:
        context.close()


def keys_and_switches(page: Any) -> None:
    """Open the list of keys, with the switches, from the help of the game."""
    page.keyboard.press("?")
    page.locator("#guide").get_by_role("button", name="Keys, sound and messages").click()


def test_a_sound_is_heard_when_it_becomes_your_turn(browser, house):
    first, second, contexts = joined(browser, house.address)
    second.evaluate(WATCHED)
    keys_and_switches(second)
    switch = second.get_by_role("switch", name="Sounds: your turn, and what happens on the table")
    switch.uncheck()  # they are on by default
    switch.check()
    assert second.evaluate("() => window.tones") == 2  # so one knows what it is like
    second.keyboard.press("Escape")
    auction(first)
    second.wait_for_selector(MINE)
    assert second.evaluate("() => [window.tones, window.messages.length]") == [4, 0]
    second.reload()
    keys_and_switches(second)
    assert second.get_by_role("switch", name="Sounds: your turn, and what happens on the table").is_checked()
    for context in contexts:
        context.close()


def test_a_message_is_shown_only_when_the_page_is_not_in_sight(browser, house):
    first, second, contexts = joined(browser, house.address)
    second.evaluate(WATCHED)
    switch = second.get_by_role("switch", name="A message when it is your turn and this page is not in sight")
    keys_and_switches(second)
    assert second.evaluate("() => Notification.asked") == 0
    switch.check()
    second.keyboard.press("Escape")
    assert second.evaluate("() => Notification.asked") == 1
    second.evaluate("() => (window.away = true)")
    auction(first)
    second.wait_for_function("() => window.messages.length")
    ((title, body),) = second.evaluate("() => window.messages")
    assert title.startswith("Your turn")
    assert body == second.locator(".now > p").inner_text()
    for context in contexts:
        context.close()


def test_messages_that_the_browser_refuses_stay_off(browser, house):
    with table(browser, house.address) as page:
        page.wait_for_selector("[data-connection].on")
        page.evaluate(WATCHED)
        page.evaluate("() => (window.answer = 'denied')")
        keys_and_switches(page)
        switch = page.get_by_role("switch", name="A message when it is your turn and this page is not in sight")
        switch.click()
        said = page.locator("#help [role=status]")
        said.wait_for()
        assert not switch.is_checked()
        assert said.inner_text().startswith("This page may show no messages; the browser’s settings")
        page.reload()
        page.wait_for_selector("[data-connection].on")
        keys_and_switches(page)
        assert not switch.is_checked()


def test_title_and_icon_show_whose_turn_it_is(browser, house):
    first, second, contexts = joined(browser, house.address)
    icon = "() => document.querySelector('link[rel=icon]').href"
    assert first.title().startswith("Your turn")
    assert not second.title().startswith("Your turn")
    mine, others = first.evaluate(icon), second.evaluate(icon)
    assert mine != others
    auction(first)
    second.wait_for_selector(MINE)
    assert second.title().startswith("Your turn")
    second.wait_for_function("others => document.querySelector('link[rel=icon]').href !== others", arg=others)
    first.wait_for_function("() => !document.title.startsWith('Your turn')")
    for context in contexts:
        context.close()


# --- by day and by night ----------------------------------------------------------------------------------------------

COLOURS = """(names) => names.map((name) => {
  const probe = document.body.appendChild(document.createElement("p"));
  probe.style.color = `var(--${name})`;
  const [red, green, blue] = getComputedStyle(probe).color.match(/[\\d.]+/g).map(Number);
  probe.remove();
  return [red, green, blue];
})"""


def brightness(colour: list[float]) -> float:
    """The relative luminance of WCAG."""
    parts = [part / 255 for part in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: list[float], other: list[float]) -> float:
    """The contrast of WCAG, from 1 to 21."""
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_have_a_contrast_of_at_least_4_5_and_the_edges_of_controls_of_3(browser, house, scheme):
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(house.address)
    papers = ("ground", "sheet", "sunk", "wash")
    words = ("text", "muted", "accent", "danger", "soon")
    edges = ("edge", "focus", "accent")
    names = [*papers, *words, *edges]
    colours = dict(zip(names, page.evaluate(COLOURS, names), strict=True))
    weak = [f"{word} on {paper}" for word in words for paper in papers if contrast(colours[word], colours[paper]) < 4.5]
    weak += [f"{edge} on {paper}" for edge in edges for paper in papers if contrast(colours[edge], colours[paper]) < 3]
    assert weak == []
    context.close()
