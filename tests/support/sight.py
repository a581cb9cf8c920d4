"""What cannot be seen on a page that should be."""

from __future__ import annotations

from itertools import product
from typing import Any

from tests.support.browsing import expect
from tests.support.gallery import Piece, Show

DESK, PHONE, TABLET = (1280, 800), (375, 740), (820, 1180)
# a tablet held upright, and a window half as large as a screen
UPRIGHT, HALF = (768, 1024), (800, 700)
VIEWS = list(product((DESK, PHONE), ("en", "de")))
LOT = ".lot > [data-card]"
HAND = "~.goods :is(.hand .notes, .denomination .face)"
# what must be in sight, by game and phase; ~: it may be scrolled to sideways, within its line
MATTERS: dict[str, dict[str, tuple[str, ...]]] = {
    "kuhhandel": {
        "turn": (LOT, ".farm"),
        **dict.fromkeys(("bid", "hammer", "pay"), (LOT, ".figure.huge", HAND)),
        **dict.fromkeys(("offer", "reply"), (".between .fan .card", ".duel .side", HAND)),
    },
    "rivals": {
        "turn": (".column > li > .tile", ".goods .purse"),
        "bid": (".column > li > .tile", ".offer .huge", ".goods .purse"),
        "take": (".column > li > .pick", ".offer .huge", ".goods .purse"),
        "remove": (".column > li > .pick", ".goods .purse"),
    },
    "money": dict.fromkeys(("bid", "exchange"), (".stage .lotbox > header", ".stage .slip", ".goods .slip")),
    "forex": dict.fromkeys(
        ("turn", "reply", "divest", "strengthen", "strongest"),
        (".rates td button", ".line li:first-child", "~.line li:nth-child(2)", ".holdings .figure", ".own-papers > *"),
    ),
    "claim": {},
}
# of what is open: what makes a move that is put together in a form, and what a bid beyond one's means may cost
MADE = (".act[open] .deciding > .button", ".act.risky[open] .confirm > p")
CLAIM = (".stacks .column > .bundle > :last-child", ".stacks .laws", "~.goods .hand .slip")
SIGHT = """selectors => selectors.flatMap((selector) => {
  const aside = selector[0] === "~";
  const found = [...document.querySelectorAll(aside ? selector.slice(1) : selector)];
  return found.flatMap((element) => {
    let { left, right, top, bottom } = element.getBoundingClientRect();
    if (aside) for (let box = element.parentElement; box; box = box.parentElement) {
      const edge = box.getBoundingClientRect();
      if (box.scrollWidth > box.clientWidth + 1) [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
    }
    if (aside && right - left < 12) return [];
    const [w, h] = [right - left, bottom - top];
    const row = element.closest(".column > li");
    let after = (row ?? element).nextElementSibling; // in a display that lies in twos, the next one under it
    while (row && after && Math.abs(after.getBoundingClientRect().left - row.getBoundingClientRect().left) > 5)
      after = after.nextElementSibling;
    const hand = element.closest(".goods .bills > *");
    const over = (hand ? hand.nextElementSibling : row ? after?.firstElementChild : after)?.getBoundingClientRect();
    const inside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1 && w > 0 && h > 0;
    // of what lies fanned, the part up to the next one
    const beside = over && Math.abs(over.top - top) < 5 && over.left > left;
    const below = over && Math.abs(over.left - left) < 20 && over.top > top;
    const [x, y] = [beside ? Math.min(w, over.left - left) : w, below ? Math.min(h, over.top - top) : h];
    const points = [[0.5, 0.5], [0.2, 0.15], [0.8, 0.15], [0.2, 0.85], [0.8, 0.85]];
    const hidden = points.filter(([across, down]) => {
      const seen = document.elementFromPoint(left + across * x, top + down * y);
      return !seen || !(element.contains(seen) || seen.contains(element));
    });
    const fault = inside ? `covered at ${JSON.stringify(hidden)}` : "outside";
    const at = [left, top, right, bottom].map(Math.round);
    return inside && !hidden.length ? [] : [`${selector} ${element.outerHTML.slice(0, 60)} at ${at}: ${fault}`];
  });
})"""
CUT = """() => [...document.querySelectorAll("button, summary, .button, .circle :is(b, small)")]
  .filter((one) => one.checkVisibility() && !one.closest("svg, .log, .rates"))
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2)
  .map((one) => `cut off: ${one.textContent.trim()} (${one.scrollWidth}×${one.scrollHeight})`)"""
CLIPPED = """parts => parts.flatMap((selector) => [...document.querySelectorAll(selector)].flatMap((box) => {
  const read = box.matches("legend, .sr") || getComputedStyle(box).clipPath !== "none"; // aloud alone
  const over = box.checkVisibility() && !read ? box.scrollHeight - box.clientHeight : 0;
  if (over < 3 || !/auto|scroll|hidden/.test(getComputedStyle(box).overflowY)) return [];
  return [`${selector} ${box.outerHTML.slice(0, 60)} does not show ${over} px of what is in it`];
}))"""
SIDEWAYS = """() => [...document.querySelectorAll("#dock")].filter((dock) => dock.scrollWidth > dock.clientWidth + 1)
  .map((dock) => `the dock scrolls sideways: ${dock.scrollWidth} px in ${dock.clientWidth}`)"""
WHOLE = ["html", "#stage", "#goods", "#dock", "#dock *"]
SMALL = """() => [...document.querySelectorAll("body :not(svg, svg *, .sr, .dot)")]
  .filter((one) => one.checkVisibility() && [...one.childNodes].some((it) => it.nodeType === 3 && it.textContent.trim()))
  .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.textContent.trim()])
  .filter(([size]) => size > 0 && size < 12)
  .map(([size, text]) => `${size} px are too small to read: ${text}`)"""
OPEN = """id => {
  for (const other of document.querySelectorAll("#dock .ware[open], #dock > .act[open]")) other.open = false;
  document.querySelector(`#${CSS.escape(id)} > summary`).click();
}"""
CAME = """n => [...document.querySelectorAll(".outcome")].forEach((card, k) => card.classList.toggle("shown", k === n))"""
UNDER = f"""([n, what]) => {{
  ({CAME})(n); // and looked at at once: with what comes from the server, the page shows again what it means to
  return [document.querySelector("#result .outcome.shown").checkVisibility({{ visibilityProperty: true }}), ({SIGHT})(what)];
}}"""
WARE = """id => (document.getElementById(id).open = true)"""


def matters(show: Show, piece: Piece) -> tuple[str, ...]:
    """What must be in sight: where it moves, the cards of a fan are looked at one by one."""
    return CLAIM if show.game == "claim" else MATTERS[show.game][piece.phase]


def unseen(page: Any, what: tuple[str, ...]) -> list[str]:
    """What is not in sight, as it is and with each choice open, and each that it holds."""
    found = page.evaluate(SIGHT, list(what)) + page.evaluate(CUT) + page.evaluate(CLIPPED, WHOLE) + page.evaluate(SIDEWAYS)
    for act in [act.get_attribute("id") for act in page.locator("#dock > details.act").all()]:
        page.evaluate(OPEN, act)
        lines = page.evaluate(SIGHT, [*what, *MADE]) + page.evaluate(CUT) + page.evaluate(CLIPPED, WHOLE)
        lines += page.evaluate(SIDEWAYS)
        for ware in [ware.get_attribute("id") for ware in page.locator("#dock > .act[open] details.ware").all()]:
            page.evaluate(WARE, ware)
            lines += [f"{ware}: {line}" for line in page.evaluate(CUT) + page.evaluate(CLIPPED, WHOLE)]
        found += [f"{act} open: {line}" for line in lines]
    return found


def under(page: Any, what: tuple[str, ...]) -> list[str]:
    """What lies under the cards of what came of the last moves; what is shown in its place has none."""
    found: list[str] = []
    for n, card in enumerate(page.locator("#result [data-outcome]").all()):
        if card.get_attribute("data-in-place") is not None:
            continue
        visible, lines = page.evaluate(UNDER, [n, list(what)])
        assert visible
        found += [f"outcome {n}: {line}" for line in lines]
    page.evaluate(CAME, -1)
    return found


def seen_at(page: Any, show: Show, piece: Piece, size: tuple[int, int], language: str) -> list[str]:
    """What cannot be seen in a position, on the page of the seat that is asked."""
    where = f"{show} {piece.phase} {size[0]} {language}"
    expect(page.locator("#dock:not(.resting)"), where).not_to_have_count(0)
    found = [f"{where}: {line}" for line in under(page, matters(show, piece)) + unseen(page, matters(show, piece))]
    if size == PHONE:
        found += [f"{where}: {line}" for line in page.evaluate(SMALL)]
    return found


def view_of(n: int) -> tuple[tuple[int, int], str]:
    """In which one of the views the position of this number is looked at."""
    return VIEWS[(2 * n + 2 + n // 2) % 4]
