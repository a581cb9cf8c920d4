"""What a page says of itself to assistive technology, and how large its targets are."""

from __future__ import annotations

from typing import Any

LOOK = """async () => {
  await new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(seen))));
  const every = (selector) => [...document.querySelectorAll(selector)];
  const has = (one, name) => one.getAttribute(name) ?? "";
  const text = (one) => one.outerHTML.slice(0, 140).replace(/\\s+/g, " ");
  const seen = (one) => one.checkVisibility() && !one.closest("#help");
  const size = (one) => one.getBoundingClientRect();

  const LIVE = { log: "polite", status: "polite", alert: "assertive" };
  const live = (one) => has(one, "aria-live") || LIVE[has(one, "role") || (one.tagName === "OUTPUT" ? "status" : "")];
  const own = (one) => ["toast", "aloud"].includes(one.id) || one.closest("form"); // answers what one has just done oneself

  const said = (part) => part.nodeType === 3 ? part.data.trim()
    : part.nodeType === 1 && has(part, "aria-hidden") !== "true" && (has(part, "aria-label") || words(part));
  const words = (one) => [...one.childNodes].some(said);
  const title = (one) => has(one, "aria-label") || has(one, "title") || words(one);
  const named = (one, far) => title(one) || (far && named(one.parentElement, far - 1));
  const nameless = (one) => has(one, "aria-hidden") === "true" ? !named(one.parentElement, 2) : !has(one, "aria-label");
  const headed = (row) => row.querySelector("th") || row.closest("table").querySelector("thead th");

  const inline = (one) => one.matches("a, summary") && getComputedStyle(one).display === "inline";
  const target = (one) => one.matches("label input:is([type=checkbox], [type=radio])") ? one.closest("label") : one;
  const controls = every("a[href], button, input:not([type=hidden]), select, summary, label.pick, [data-opens]").filter(seen)
    .filter((one) => getComputedStyle(one).pointerEvents !== "none" && !one.matches(".skip") && !inline(one)).map(target);

  const dock = document.querySelector("#dock");
  return {
    assertive: every("*").filter((one) => live(one) === "assertive").map((one) => one.id),
    polite: every("*").filter((one) => live(one) === "polite" && !own(one)).map((one) => has(one, "role")),
    log: has(document.querySelector("#log .lines"), "role"),
    nameless: every("svg.art:is(.card, .note, .bill, .coin, .back)").filter(seen).filter(nameless).map(text),
    headless: every("table").filter((one) => ![...one.querySelectorAll("tbody tr")].every(headed)).map(text),
    small: controls.filter((one) => Math.min(size(one).width, size(one).height) < (one.closest(".rates") ? 19.5 : 43.5))
      .map((one) => `${Math.round(size(one).width)} by ${Math.round(size(one).height)}: ${text(one)}`),
    reach: document.querySelector("#now[data-yours]") ? size(dock).bottom / innerHeight : null,
    wide: document.documentElement.scrollWidth - innerWidth,
  };
}"""
CHOICES = "#dock .act:has(:is(.picker, fieldset, input))"


def looks_at(page: Any) -> list[dict[str, Any]]:
    """What is seen of a position: as it is, and with each choice opened in turn."""
    looks = [page.evaluate(LOOK)]
    for n in range(min(4, page.locator(CHOICES).count())):
        page.evaluate("([choices, n]) => (document.querySelectorAll(choices)[n].open = true)", [CHOICES, n])
        looks.append(page.evaluate(LOOK))
    return looks
