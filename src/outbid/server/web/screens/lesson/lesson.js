// @ts-check
/* A lesson: shows what came of the last move, lays a veil with a window round what is lit, keeps it there, and answers a tap
   beside it. A decision has no veil. Who opens a lesson that was left goes on where it was. Nothing else: the steps are links
   and the moves are forms (lesson.html, script.py). */

import { all, keep, kept, one, visible } from "../dom.js";
import { Director } from "../table/director.js";

const coach = /** @type {HTMLElement} */ (document.getElementById("coach"));
const spot = /** @type {HTMLElement} */ (document.getElementById("spot"));
/** @type {string[]} */
const light = JSON.parse(coach.dataset.light ?? "[]");
/** @type {Record<string, any> | null} */
const move = JSON.parse(coach.dataset.move ?? "null");
const decision = "decision" in coach.dataset;
const AIR = 6; // px round what is lit

/** @param {any} value */
const plain = (value) => JSON.stringify(value, Object.keys(value ?? {}).sort());

/** What the form says by itself belongs to the expected move. @param {HTMLFormElement | null} form */
function fits(form) {
  /** @type {HTMLInputElement[]} */
  const fixed = form ? all("input[type=hidden]:is([name^='str:'], [name^='int:'])", form) : [];
  return fixed.every(({ name, value }) => String(move?.[name.slice(4)]) === value);
}

/** What makes the expected move: its button, else a form of its kind; what opens it where that is folded.
 * @returns {Element | null} */
function control() {
  if (!move) return null;
  /** @type {(HTMLButtonElement | HTMLInputElement)[]} */
  const whole = all("form[data-move] :is(button, input)[name=move]");
  const button = whole.find((each) => plain(JSON.parse(each.value)) === plain(move));
  /** @type {HTMLInputElement[]} */
  const kinds = all("form[data-move] input[name=do]");
  const form = kinds.find((each) => each.value === move.do && fits(each.form))?.form ?? null;
  // where cards are chosen, the hand is lit and not a button that chooses them for you
  const made = move.cards?.length && form ? form : button instanceof HTMLInputElement ? button.form : button ?? form;
  if (!made || visible(made)) return made;
  /** @type {Element[]} */
  const closed = [];
  for (let at = made.closest("details:not([open])"); at; at = at.parentElement?.closest("details:not([open])") ?? null) closed.push(at);
  const opens = [
    ...closed.map((details) => details.querySelector(":scope > summary")),
    // where the thing itself is tapped, its choice has no button in the bar
    ...closed.map((details) => document.querySelector(`[data-opens="${details.id}"]`)),
  ];
  return opens.find((each) => each && visible(each)) ?? made;
}

/** The cards that the expected move names, where they are chosen. @returns {HTMLInputElement[]} */
function cards() {
  /** @type {HTMLInputElement[]} */
  const fields = all("input[data-choice], input[type=number][name^='cards:']");
  const meant = (/** @type {HTMLInputElement} */ field) => wanted(field) > 0 || (field.name === "move" && plain(JSON.parse(field.value)) === plain(move));
  return fields.filter((field) => !field.closest("#dock") && meant(field));
}

/** How many of a card the expected move lays. @param {HTMLInputElement} field @returns {number} */
const wanted = (field) => (move?.cards ?? []).filter((/** @type {any} */ card) => field.name === `cards:${card}`).length;

/** Whether a card is chosen as it should be. @param {HTMLInputElement} field */
const chosen = (field) =>
  field.type === "number" ? Number(field.value) === wanted(field) : new FormData(field.form ?? undefined).get(field.name) === field.value;

/** First the cards that are still to be chosen, then what sends them. @returns {Element[]} */
function lit() {
  const named = light.flatMap((selector) => all(selector));
  const [meant, made] = [cards(), control()];
  const due = meant.filter((field) => !chosen(field)).map((field) => field.closest("label, .denomination") ?? field);
  const sends = meant[0]?.form?.querySelector("button.primary:enabled");
  const own = made && visible(made) ? made : made && document.getElementById("dock"); // a form may have no box of its own
  const next = due.length ? due : sends ? [sends] : own ? [own] : [];
  const result = one("#result .shown:not([data-in-place])");
  const seen = (result ? [result] : [...named, ...next]).filter(visible);
  return seen.length || decision ? seen : [...document.querySelectorAll(move ? "#dock" : "#stage")];
}

/** Keeps which step this is, until the last one; who comes to the first one from elsewhere goes to the one that was kept. */
function resume() {
  const query = new URLSearchParams(location.search), step = query.get("step") ?? "0";
  query.delete("step");
  const name = `lesson ${location.pathname}?${query}`, steps = all(".dots > li", coach).length;
  const former = Number(kept(name, "0"));
  const [{ type }] = /** @type {[PerformanceNavigationTiming]} */ (performance.getEntriesByType("navigation"));
  if (step === "0" && type === "navigate" && former > 0 && former < steps) {
    query.set("step", String(former));
    keep("resumed", name);
    return location.replace(`?${query}`);
  }
  one("#anew")?.toggleAttribute("hidden", kept("resumed", "") !== name);
  keep("resumed", "");
  keep(name, Number(step) < steps - 1 ? step : "0");
  for (const back of all("#anew, [rel=prev]", coach)) back.addEventListener("click", () => keep(name, "0"));
}

let last = "";
/** What was brought into sight last. @type {Element | undefined} */
let reached;

/** Lays the window where what is lit is now. */
function lay() {
  const now = lit();
  if (now[0] !== reached) reach(now[0], now.length > 1 ? "start" : "center");
  const boxes = now.map((one) => one.getBoundingClientRect()).filter((box) => box.width && box.height);
  spot.hidden = !boxes.length;
  const least = parseFloat(getComputedStyle(coach).minHeight) || 0;
  document.body.style.setProperty("--coach", `${Math.max(least, coach.offsetHeight)}px`);
  if (!boxes.length) return;
  const [left, top] = [Math.min(...boxes.map((box) => box.left)) - AIR, Math.min(...boxes.map((box) => box.top)) - AIR];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)) + AIR, Math.max(...boxes.map((box) => box.bottom)) + AIR];
  const place = [left, top, right - left, bottom - top].map((n) => `${Math.round(n)}px`);
  if (place.join() === last) return;
  last = place.join();
  [spot.style.left = "", spot.style.top = "", spot.style.width = "", spot.style.height = ""] = place;
}

/** Brings what is lit into sight, below the panel and above what can be done. @param {Element | undefined} first
 * @param {ScrollLogicalPosition} side where it comes in its line: at the start, where others are lit after it */
function reach(first, side) {
  reached = first;
  if (!first) return;
  first.scrollIntoView({ block: "nearest", inline: side });
  const [box, dock] = [first.getBoundingClientRect(), document.getElementById("dock")];
  const floor = dock && !dock.contains(first) ? dock.getBoundingClientRect().top : innerHeight;
  const there = document.elementFromPoint((box.left + box.right) / 2, (box.top + Math.min(box.bottom, innerHeight - 1)) / 2);
  const covered = !first.contains(there) && !there?.contains(first);
  if (covered || box.top < coach.offsetHeight || box.bottom > floor) scrollBy(0, box.top - coach.offsetHeight - 2 * AIR);
}

/** Whether the last tap began in what was lit then: what it chooses may not be lit any more when it ends. */
let inside = false;

/** @param {PointerEvent} event */
function touch({ target, clientX, clientY }) {
  const box = spot.getBoundingClientRect();
  const within = clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
  inside = (!spot.hidden && within) || lit().some((each) => target instanceof Node && each.contains(target));
}

/** @param {MouseEvent} event */
function beside(event) {
  const target = /** @type {Element} */ (event.target);
  if (inside || decision || target.closest("#coach, a, button, input, summary, label, [data-opens], [popover]")) return;
  const answer = /** @type {HTMLElement | null} */ (coach.querySelector(".answer"));
  if (!answer) return;
  answer.hidden = true;
  answer.textContent = coach.dataset.elsewhere ?? "";
  requestAnimationFrame(() => (answer.hidden = false, lay()));
}

resume();
document.addEventListener("pointerdown", touch, { capture: true });
document.addEventListener("click", beside);
for (const name of ["scroll", "toggle", "resize"]) addEventListener(name, () => requestAnimationFrame(lay), { capture: true, passive: true });
setInterval(lay, 200);
new Director({ come: () => {}, ask: lay }).take(null);
lay();
const on = /** @type {HTMLElement | null} */ (coach.querySelector("a.primary, button.primary"));
on?.focus({ preventScroll: true });
