"""What axe finds on a page, and words that are too small, too pale, or hard to tap."""

from __future__ import annotations

from tests.support.browsing import DESK, PHONE

GRAVE = ("serious", "critical")
VIEWS = [(DESK, "light"), (PHONE, "dark"), (DESK, "dark"), (PHONE, "light")]
OPENED = """() => document.querySelectorAll("details").forEach((details) => {
  details.removeAttribute("name");
  details.open = true;
})"""
# what axe itself calls moderate at most is not asked for: it takes a third of the work
MODERATE = ("region", "landmark-complementary-is-top-level", "landmark-unique", "heading-order", "aria-allowed-role")
RUN = """async (moderate) => (await axe.run({
  resultTypes: ["violations"],
  rules: Object.fromEntries(moderate.map((rule) => [rule, { enabled: false }])),
})).violations.flatMap(({ id, impact, nodes }) =>
  nodes.map((node) => [impact, id, node.html.slice(0, 160), [...node.any, ...node.all, ...node.none][0]?.message ?? ""]))"""
SMALL = """() => [...document.querySelectorAll("input, select, textarea")]
  .filter((field) => !/checkbox|radio|range|hidden/.test(field.type) && parseFloat(getComputedStyle(field).fontSize) < 16)
  .map((field) => ["iOS enlarges the page", field.outerHTML.slice(0, 160)])"""
TAPPED = """() => [...document.querySelectorAll("a, button, summary, label, .face")]
  .filter((one) => one.checkVisibility() && getComputedStyle(one).touchAction !== "manipulation" && !one.closest("svg"))
  .map((one) => ["two taps enlarge the page", one.outerHTML.slice(0, 160)])"""
# axe finds too little contrast only in the view it looks at; words of half the ink are too pale in one or the other
PALE = """() => [...document.querySelectorAll("body *:not(svg *)")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
  .filter((one) => one.checkVisibility() && !one.closest(":disabled, [aria-disabled=true], [aria-busy=true]"))
  .map((one) => {
    let ink = 1;
    for (let up = one; up; up = up.parentElement) ink *= getComputedStyle(up).opacity;
    return [ink, one];
  })
  .filter(([ink]) => ink > 0 && ink < 0.75)
  .map(([ink, one]) => [`words of ${ink} of their ink`, one.outerHTML.slice(0, 160)])"""


def examined(page, size: tuple[int, int], scheme: str, opened: bool = False) -> list[str]:
    """What axe finds serious or worse, and what enlarges a page that is touched. `opened`: what can be opened is."""
    from axe_playwright_python.base import AXE_SCRIPT

    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme)
    if opened:
        page.evaluate(OPENED)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    where = f"{page.url} {size[0]} {scheme}{' opened' if opened else ''}"
    grave = [found for found in page.evaluate(RUN, list(MODERATE)) if found[0] in GRAVE]
    found = [*grave, *(line for ours in (SMALL, TAPPED, PALE) for line in page.evaluate(ours))]
    return [f"{where}: {': '.join(line)}" for line in found]
