// @ts-check
/* Puts regions in place: what was opened, filled in or focused for the same question stays, a choice that comes in the place
   of another takes no click for a moment, and what moves flies. */

import { all, calm, one, parse, soon, toast, wide } from "../dom.js";

/** Regions as the page came with them, before anything was opened there: when the line is up it tells them all, and those that
 * are the same need not be put in place again, also so that no click is lost that has just begun. @type {Map<string, string>} */
const came = new Map((document.body.dataset.regions ?? "").split(" ").map((id) => [id, document.getElementById(id)?.outerHTML ?? ""]));

// a name that is cut off is whole in a title, and a finger on it says it
document.addEventListener("pointerover", ({ target, pointerType }) => {
  const name = target instanceof Element && (target.matches(".name") ? target : one(":scope > .name", target));
  const [place, words] = [name ? name.parentElement : null, name ? name.textContent ?? "" : ""];
  if (!place || (place.scrollWidth <= place.clientWidth && place.scrollHeight <= place.clientHeight + 2)) return;
  place.title = words;
  if (pointerType === "touch") toast(`\u2068${words}\u2069`);
});

/** Whether nothing flies: at the pace "instant" it would lie over what one is asked about already. */
const still = () => calm.matches || document.hidden || (one("#result")?.dataset.pace === "instant" && !one("#over[data-replay]"));

/** Puts regions in place, and new lines at the ends of lists. What moved flies to its place above it, as a picture, until the
 * next comes.
 * @param {Record<string, string>} regions @param {Record<string, string>} append */
export function place(regions, append) {
  /** @type {Map<string, Element>} */
  const fresh = new Map();
  for (const [id, html] of Object.entries(regions)) {
    const made = parse(html).firstElementChild;
    if (made && !same(id, made)) fresh.set(id, made);
  }
  for (const picture of all("body > .flying")) picture.remove();
  const moved = still() ? [] : travels(fresh).map(({ item, from, to, as }) => ({ as, to, begin: find(`${item}@${from}`)?.getBoundingClientRect() }));
  const whole = new Set(all(".whole[data-card]").map((pen) => pen.dataset.card));
  const lay = new Set([...all("[data-card]").map(({ dataset }) => dataset.card), ...moved.map(({ as, to }) => `${as}@${to}`)]);
  replace(fresh);
  if (!still() && !one("[data-replay]")) for (const card of all("#stage [data-card]")) card.classList.toggle("dealt", !lay.has(card.dataset.card));
  for (const pen of all(".whole[data-card]")) pen.classList.toggle("shuts", !whole.has(pen.dataset.card) && !still() && !one("#over[data-replay]"));
  for (const [id, html] of Object.entries(append)) lengthen(id, parse(html));
  if (moved.length) soon(() => moved.forEach(({ as, to, begin }) => fly(find(`${as}@${to}`), begin)));
}

/** @param {Element | null} target what has moved: its drawing flies @param {DOMRect} [begin] from where */
function fly(target, begin) {
  const drawing = target && (target.matches(".art") ? target : one(".art", target));
  const end = drawing?.getBoundingClientRect();
  if (!drawing || !begin?.width || !end?.width) return;
  const picture = /** @type {HTMLElement} */ (drawing.cloneNode(true));
  picture.classList.add("flying");
  picture.setAttribute("aria-hidden", "true");
  Object.assign(picture.style, { left: `${end.left}px`, top: `${end.top}px`, width: `${end.width}px`, height: `${end.height}px` });
  document.body.append(picture);
  const away = `translate(${begin.left - end.left}px, ${begin.top - end.top}px)`;
  picture.animate([{ transform: away }, { transform: "none" }], { duration: 350, easing: "cubic-bezier(0.3, 0, 0.1, 1)" }).onfinish = () => picture.remove();
}

/** Puts new lines at the end of a list. A log that is folded is not read out: then they are said beside it.
 * @param {string} id @param {DocumentFragment} lines */
function lengthen(id, lines) {
  const told = document.getElementById("told");
  if (told && !wide.matches && !document.getElementById(id)?.hasAttribute("open")) {
    for (const line of lines.children) {  // a sentence has names, which are elements; why it was done is not read out
      const words = [...line.childNodes].filter((node) => node.nodeName !== "DETAILS");
      told.append(Object.assign(document.createElement("p"), { textContent: words.map((node) => node.textContent).join("") }));
    }
    while (told.childElementCount > 12) told.firstElementChild?.remove();
  }
  one(`#${id} ol`)?.append(lines);
  summed(id);
}

/** The newest line of a list stands in its summary, too. @param {string} id */
export function summed(id) {
  const last = one(`#${id} > summary > .last`);
  const newest = /** @type {Element | undefined} */ (one(`#${id} ol`)?.lastElementChild?.cloneNode(true));
  newest?.querySelector("details")?.remove();
  last?.replaceChildren(...(newest?.querySelector("a[href]") ?? newest)?.childNodes ?? []);
}

/** The page shows this already (after connecting all regions come). @param {string} id @param {Element} made */
function same(id, made) {
  const old = document.getElementById(id);
  if (!old) return true;
  const first = came.get(id);
  came.delete(id);
  if (first && first === made.outerHTML) return true;
  if (id !== "log" || one("[data-replay]")) return false;
  const [was, now] = [all("ol > li:not(.duel, .since)", old), all("ol > li", made)];
  if (!was.every((line, n) => line.textContent === now[n]?.textContent)) return false;
  one("ol", old)?.append(...now.slice(was.length));
  return true;
}

/** Puts regions in place; what was opened, filled in or focused for the same question stays. First everything is read,
 * then everything is written: in turns, the browser would lay out the page once a region.
 * @param {Map<string, Element>} fresh */
function replace(fresh) {
  const regions = [...fresh].map(([id, made]) => remembered(/** @type {HTMLElement} */ (document.getElementById(id)), made));
  const focus = document.activeElement;
  if (focus instanceof HTMLElement && regions.some(({ old }) => old.contains(focus))) focus.blur();
  for (const { old, made } of regions) old.replaceWith(made);
  for (const region of regions) restore(region);
  for (const { made, another } of regions) rest(made, another);
}

/** How long a choice that has come in the place of another takes no click, in ms: the second one of a double click. */
const REST = Number(document.body.dataset.settle ?? 0) * 1000;
/** Until when that is, by region. @type {Map<string, number>} */
const resting = new Map();

/** @param {Element} region @param {boolean} another its choices are not those that stood here before */
export function rest(region, another) {
  if (another) resting.set(region.id, performance.now() + REST);
  const left = (resting.get(region.id) ?? 0) - performance.now();
  if (left <= 0) return;
  region.classList.add("settling");
  setTimeout(() => region.classList.remove("settling"), left);
}

/** What can be done in a region. @param {Element} region */
const acts = (region) => all("form[method=post] button, .act > summary, [data-choice]", region).map((element) => element.textContent).join("\n");

/** What shall have the focus again, and in which region. @type {{id: string, name: string} | undefined} */
let focused;

/** Where regions were scrolled to: asking them would lay out the page. @type {Map<string, number[]>} */
const scrolled = new Map();
document.addEventListener("scroll", ({ target }) => {
  if (target instanceof Element && target.id) scrolled.set(target.id, [target.scrollLeft, target.scrollTop]);
}, { capture: true, passive: true });

/** @param {HTMLElement} old @param {Element} made */
function remembered(old, made) {
  const kept = question(old) === question(made);
  return {
    old,
    made,
    kept,
    another: !kept || acts(old) !== acts(made),
    focus: old.contains(document.activeElement) ? key(document.activeElement) : focused?.id === old.id ? focused.name : "",
    open: all("details[open][id]", old).map((details) => details.id),
    filled: kept ? inputs(old).map((input) => [key(input), input.value, input.checked]) : [],
    at: scrolled.get(old.id) ?? [],
  };
}

/** @param {ReturnType<typeof remembered>} region */
function restore({ made, kept, focus, open, filled, at: [left = 0, top = 0] }) {
  for (const card of all("[data-lesson]", made)) card.removeAttribute("name"); // it stays beside a help that is open
  const coach = one(".now > #coach", made); // it asks, and nothing else of its group stays open
  for (const name of open) {
    const details = document.getElementById(name);
    if ((kept || !name.startsWith("act-")) && !(coach && details?.matches(".now > [name]"))) details?.setAttribute("open", "");
  }
  for (const input of inputs(made)) {
    const was = filled.find(([name]) => name === key(input));
    if (was) [input.value, input.checked] = [String(was[1]), Boolean(was[2])];
  }
  if (focus) focused = { id: made.id, name: focus };
  if (focus.startsWith("INPUT")) refocus(focus, made); // somebody is typing: no key may get lost
  if (focus || left || top) soon(() => {
    if (left || top) [made.scrollLeft, made.scrollTop] = [left, top];
    if (focus && focused?.id === made.id && made.isConnected) refocus(focus, made);
  });
}

/** @param {string} name @param {Element} region */
function refocus(name, region) {
  focused = undefined;
  if (document.activeElement !== document.body) return;
  const target = all("a, button, input, summary, [tabindex]", region).find((element) => key(element) === name);
  land(target ?? null, /** @type {HTMLElement} */ (region), one("#over"), one("#now"));
}

/** Gives the focus to the question, or to the result, if nothing has it and nothing gets it back. */
export function found() {
  if (document.activeElement === document.body && !focused) land(one("#over"), one("#now"));
}

/** Gives the focus to the first of these that takes it: what is hidden does not. @param {(HTMLElement | null)[]} places */
function land(...places) {
  for (const place of places) {
    if (!place) continue;
    if (place.tabIndex < 0 && place.matches("section, main, details, header")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
  }
}

/** The number of the question a region belongs to. @param {ParentNode} region */
export function question(region) {
  const mark = one("[data-decision], input[name=decision]", region);
  return mark?.dataset.decision ?? mark?.getAttribute("value") ?? "";
}
/** @param {Element} region @returns {HTMLInputElement[]} */
const inputs = (region) => all("input:not([type=hidden])", region);
/** What names an element in its region. @param {Element | null} element */
function key(element) {
  if (!element) return "";
  const [name, value] = [element.getAttribute("name"), element.closest("[data-pace]") ? "" : element.getAttribute("value")];
  const words = element.parentElement?.id && element.tagName === "SUMMARY" ? "" : element.textContent;
  return `${element.tagName} ${element.closest("[id]")?.id} ${name ?? words} ${value}`;
}

/** Which items go from one place to another. @param {Map<string, Element>} fresh */
function travels(fresh) {
  /** @type {Map<string, number>} */
  const change = new Map();
  /** @param {Element} root @param {number} sign */
  const count = (root, sign) => {
    for (const drawing of all("[data-card]", root)) {
      const place = drawing.getAttribute("data-card") ?? "";
      change.set(place, (change.get(place) ?? 0) + sign * Number(drawing.getAttribute("data-n")));
    }
  };
  for (const [id, made] of fresh) {
    const old = document.getElementById(id);
    if (old) count(old, -1);
    count(made, 1);
  }
  const lost = [...change].filter(([, n]) => n < 0);
  const won = [...change].filter(([, n]) => n > 0);
  return lost.flatMap(([place]) => {
    const [item = "", from = ""] = place.split("@");
    const to = won.find(([other]) => other.split("@")[0] === item)?.[0].split("@")[1];
    if (to !== undefined) return [{ item, from, to, as: item }];
    const turned = won.find(([other]) => item.endsWith("-back") && made(other) === made(place) && !lost.some(([was]) => was.split("@")[0] === other.split("@")[0]));
    const [as = "", open = ""] = turned?.[0].split("@") ?? []; // a card that lay face down
    return turned ? [{ item, from, to: open, as }] : [];
  }).filter(({ item }, n, moved) => moved.findIndex((other) => other.item === item) === n);
}

/** What a face and its back have in common. @param {string} place */
const made = (place) => place.replace(/-\d+(-back)?@.*$/, "");

/** @param {string} place */
const find = (place) => one(`[data-card="${place}"]`);
