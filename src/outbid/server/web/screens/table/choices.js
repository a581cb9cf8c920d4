// @ts-check
/* Choosing: what can be chosen now, cards that are laid with their running total, amounts, and what opens and closes. */

import { all, keep, kept, one, say, soon, visible, wide, write } from "../dom.js";
import { rest } from "./regions.js";

/** What can be chosen now: inside the open choice, or on the table, in the hand and in the bar. @returns {HTMLElement[]} */
export function choices() {
  const open = one("#dock .act[open]");
  const places = open ? [open] : all("#stage, #goods, #dock");
  return places.flatMap((place) => all("[data-choice]", place)).filter((choice) => choice !== open && visible(face(choice)));
}

/** What picks the first choice, the second, … The letters that are missing do something else. */
export const KEYS = "1234567890abdefghijkmnoqstuvxyz";

/** The part of a choice that is seen and focused. @param {HTMLElement} choice @returns {HTMLElement} */
export const face = (choice) => one("summary", choice) ?? (choice instanceof HTMLInputElement ? choice.closest("label") : null) ?? choice;

/** @param {HTMLElement} choice */
export function choose(choice) {
  if (choice instanceof HTMLDetailsElement) (choice.open = true), dress(), enter(choice);
  else if (choice instanceof HTMLInputElement) choice.click(), choice.focus();
  else if (choice instanceof HTMLButtonElement) choice.focus();
  else choice.click();
}

/** The number that was changed last, for the keys + and −. @type {HTMLInputElement | null} */
export let touched = null;

/** @param {HTMLInputElement | null} input @param {number} step */
export function stepped(input, step) {
  if (!input) return;
  touched = input;
  const wanted = input.value === "" ? Math.max(step, Number(input.min)) : Number(input.value) + step;
  input.value = String(Math.min(Number(input.max), Math.max(Number(input.min), wanted)));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The fields of a form, wherever they stand. @param {HTMLFormElement} form */
const fields = (form) => /** @type {HTMLInputElement[]} */ ([...form.elements].filter((field) => field instanceof HTMLInputElement && field.type !== "hidden"));

/** The running total of the cards that are chosen, what is wrong with them, and what the button will do. @param {HTMLFormElement} form */
function recount(form) {
  const laid = fields(form).filter((input) => input.name.startsWith("cards:")).map((input) => ({
    value: Number(input.dataset.value), n: input.type === "number" ? Number(input.value) || 0 : Number(input.checked), input,
  }));
  const n = laid.reduce((sum, card) => sum + card.n, 0);
  const sum = laid.reduce((total, card) => total + card.n * card.value, 0);
  const cards = say(n === 1 ? "cards.one" : "cards.many", { n });
  const low = Math.min(...laid.filter((card) => card.n).map((card) => Number(card.input.dataset.serial)));
  for (const card of laid) card.input.closest(".denomination, .pick")?.toggleAttribute("data-laid", card.n > 0);
  const { nothing = "", laid: some = "", price } = form.dataset;
  let [line, wrong] = n ? [some.replace("{}", cards).replace("{sum}", String(sum)).replace("{low}", String(low)), false] : [nothing, true];
  if (price && n) {
    const small = Math.min(...laid.filter((card) => card.n).map((card) => card.value));
    const [due, least, rule] = [Number(price), Number(form.dataset.least), form.dataset.rule];
    const facts = { sum, price: due, least, card: small, n: Math.abs(due - sum) };
    const verdict = sum < due ? "missing" : rule === "min_overpay" && sum > least ? "over"
      : rule === "irredundant" && sum - small >= due ? "spare" : sum === due ? "exact" : "change";
    [line, wrong] = [say(`price.${verdict}`, facts), !["exact", "change"].includes(verdict)];
  }
  write(one("output", form), line);
  for (const button of /** @type {HTMLButtonElement[]} */ (all("button[data-words]", form))) {
    button.disabled = wrong && (n > 0 || !("none" in button.dataset));
    button.textContent = (button.disabled || !n ? button.dataset.idle : button.dataset.words?.replace("{}", price ? String(sum) : cards)) ?? "";
  }
  form.dispatchEvent(new Event("recounted", { bubbles: true })); // a game's own script may say more
}

/** How many of each card make the sum, the largest first, or the most below it. @param {{ value: number, most: number }[]} cards @param {number} sum @returns {number[]} */
function making(cards, sum) {
  const [first, ...others] = cards;
  if (!first) return [];
  /** @type {number[]} */
  let best = [];
  let made = -1;
  for (let n = Math.min(first.most, Math.floor(sum / first.value)); n >= 0 && made < sum; n--) {
    const found = [n, ...making(others, sum - n * first.value)];
    const comes = found.reduce((total, count, k) => total + count * (cards[k]?.value ?? 0), 0);
    if (comes > made) [best, made] = [found, comes];
  }
  return best;
}

/** Lays a sum that is typed; what is worth nothing stays as it lies. @param {HTMLInputElement} typed @param {HTMLFormElement} form */
function laySum(typed, form) {
  const notes = fields(form).filter((input) => input.type === "number" && Number(input.dataset.value) > 0);
  notes.sort((one, other) => Number(other.dataset.value) - Number(one.dataset.value));
  const counts = making(notes.map((input) => ({ value: Number(input.dataset.value), most: Number(input.max) })), Number(typed.value));
  notes.forEach((input, n) => (input.value = String(counts[n] || "")));
}

/** A slider and its number are one. @param {HTMLInputElement} slider @param {boolean} [moved] it has been, and the number follows */
function slid(slider, moved) {
  const number = /** @type {HTMLInputElement | null} */ (slider.form && one("[data-amount]", slider.form));
  if (!number || (!moved && number === document.activeElement)) return;
  if (moved || Number(number.value) < Number(number.min)) number.value = slider.value;
  number.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("input", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  const form = input.form;
  if (!form) return;
  if ("slides" in input.dataset) return slid(input, true);
  if ("lays" in input.dataset) laySum(input, form);
  else for (const typed of fields(form)) if ("lays" in typed.dataset) typed.value = "";
  const button = one("button.primary", form);
  if ("picker" in form.dataset) recount(form);
  else if (input.type === "radio" && button) button.textContent = input.dataset.words ?? "";
  else if ("amount" in input.dataset && button) {
    const hint = one("[data-within]", form);
    const beyond = Number(input.value) > Number(input.dataset.limit);
    if (hint) hint.textContent = (beyond ? hint.dataset.beyond : hint.dataset.within) ?? "";
    button.classList.toggle("danger", beyond);
    button.textContent = (button.dataset.words ?? "").replace("{}", input.value);
    const slider = /** @type {HTMLInputElement | null} */ (one("[data-slides]", form));
    if (slider) slider.value = input.value;
  } else if ("scrub" in form.dataset) /** @type {HTMLElement} */ (one("output", form)).textContent = input.value;
});

document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.form && "scrub" in input.form.dataset) input.form.submit();
});

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const step = target.closest("[data-step]")?.getAttribute("data-step") ?? (target.closest(".denomination > [data-choice]") ? "1" : "");
  if (step) stepped(one("input[type=number]", target.closest(".denomination, .sliding") ?? document), Number(step));
  const act = target.closest("summary")?.parentElement;
  if (act instanceof HTMLDetailsElement && act.classList.contains("act") && !act.open) {
    event.preventDefault();
    choose(act);
    if (event.detail) rest(act, true);
  }
  for (const menu of all(wide.matches ? MENUS : `${MENUS}, #talk[open], #log[open]`)) if (!menu.contains(target)) menu.removeAttribute("open");
  if (target.closest(".menu .sheet :is(a, .button)")) one("#menu")?.removeAttribute("open"), one("#menu > summary")?.focus();
  const opens = document.getElementById(target.closest("[data-opens]")?.getAttribute("data-opens") ?? "");
  if (opens && target.closest("a")) event.preventDefault(); // without script it leads there
  if (opens instanceof HTMLDetailsElement) for (const details of [opens.closest(".act"), opens]) details?.setAttribute("open", "");
  else if (opens instanceof HTMLButtonElement) opens.click();
  else if (opens && !target.closest("button, label")) one("button", opens)?.click();
});

/** What lies over the table while it is open, on a phone log and chat as well: a click elsewhere closes it. */
const MENUS = "#menu[open], #why[open], #hint[open], #shelf[open], .orders > details[open], #stage details[open]";

/** A choice that opens gives the focus to what confirms it. @param {HTMLDetailsElement} details */
function enter(details) {
  if (one("form", details)?.contains(document.activeElement)) return;
  const form = one("form", details);
  if (form) form.tabIndex = -1;
  const first = one("[data-amount], [type=radio]:enabled, form:not(.picker) button.primary", details);
  if (first) first.focus();
  else form?.focus({ preventScroll: true }), details.scrollIntoView({ block: "nearest" }); // the way back stays in sight
}

document.addEventListener("toggle", (event) => {
  const details = /** @type {HTMLDetailsElement} */ (event.target);
  if (details.open && details.classList.contains("act")) enter(details);
  if (details.open && details.id === "log" && !wide.matches) for (const other of all("#talk[open]")) other.removeAttribute("open");
  if (details.open && details.id === "talk" && !wide.matches) for (const other of all("#log[open]")) other.removeAttribute("open");
  if (!details.open && "lesson" in details.dataset && !details.hidden) return teach(details.id);
  if (details.open && details.matches(".now > :not([data-lesson])")) unfolded = "";
  dress();
}, true);

document.addEventListener("click", ({ target }) => {
  const got = /** @type {Element} */ (target).closest("[data-learned], [data-relearn]");
  const more = /** @type {Element} */ (target).closest("[data-more]")?.closest("details");
  if (more) {
    unfolded = more.id;
    for (const panel of all(".now > [open]:not([data-lesson])")) panel.removeAttribute("open"); // one lies over the page
    teach();
  }
  if (got) teach(got.hasAttribute("data-relearn") ? "" : got.getAttribute("data-learned") || got.closest("[data-lesson]")?.id);
});

/** The phases somebody has seen the first-time card of, or "all". @returns {string[]} */
const learned = () => kept("learned", "").split(" ");

/** The first-time card of which all is shown; of the others a phone shows the beginning. */
let unfolded = "";

/** Shows the card of a phase until somebody has got it.
 * @param {string} [phase] got just now; "": begin anew */
export function teach(phase) {
  if (phase !== undefined) keep("learned", phase ? [...new Set([...learned(), phase])].join(" ") : "");
  const known = learned();
  for (const card of /** @type {HTMLDetailsElement[]} */ (all("[data-lesson]"))) {
    card.hidden = known.includes("all") || known.includes(card.id);
    card.removeAttribute("name"); // it stays beside a help that opens
    card.open = !card.hidden;
    one("div", card)?.classList.toggle("whole", card.id === unfolded);
  }
}

/** What script adds to freshly rendered regions. */
export function dress() {
  if (one("[data-lesson]:not([hidden])")) teach();
  all("form[data-picker]").forEach((form) => recount(/** @type {HTMLFormElement} */ (form)));
  all("[data-slides]").forEach((slider) => slid(/** @type {HTMLInputElement} */ (slider)));
  all("[data-key]").forEach((element) => element.removeAttribute("data-key"));
  const open = one("#dock > .act[open]");
  for (const part of all("#dock, .table")) part.classList.toggle("choosing", open !== null);
  one(".table")?.classList.toggle("taught", one("[data-lesson][open]") !== null);
  one(".table")?.classList.toggle("wide-open", open?.classList.contains("wide") ?? false);
  if (kept("keys", "on") === "on") soon(number);
  document.dispatchEvent(new Event("dressed"));
}

/** Shows at every choice the key that takes it. */
function number() {
  choices().slice(0, KEYS.length).forEach((choice, n) => face(choice).setAttribute("data-key", KEYS[n] ?? ""));
}
