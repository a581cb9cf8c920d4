// @ts-check
/* Keys: one for each choice, and those of the list of keys (help.html). */

import { aloud } from "./aloud.js";
import { all, kept, one, opened, soon, unfold, visible } from "../dom.js";
import { KEYS, choices, choose, dress, face, stepped, teach, touched } from "./choices.js";
import { found } from "./regions.js";

/** Whether a key reads out how things stand, which moves nothing. @param {string} name */
const reads = (name) => name.toLowerCase() === "r";

/** The digit of a key, also on keyboards where a digit needs shift. @param {KeyboardEvent} event */
const digit = ({ code, shiftKey }) => (shiftKey ? undefined : code.match(/^Digit(\d)$/)?.[1]);

/** The help of the game, or the list of keys with the switches, while it is shown. @returns {HTMLElement | undefined} */
const shown = () => all(".help").find(opened);

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const typing = target.matches("textarea, select, input:not([type=radio], [type=checkbox], [type=range])");
  if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape") || (event.key === "Tab")) return;
  const single = event.key.length === 1 && kept("keys", "on") !== "on";
  if (shown() ? dismissed(event.key) : !single && pressed(event.key, target, digit(event))) {
    event.preventDefault();
    if (!reads(event.key)) keyed(true);
  }
});

/** Whether keys were used last, also before this page was loaded again. @param {boolean} by */
function keyed(by) {
  if (by !== (history.state?.keyed ?? false)) history.replaceState({ ...history.state, keyed: by }, "");
  if (by) look();
}

/** Whoever uses keys is never left without the focus: where it was may be hidden now, or gone. */
function look() {
  if (history.state?.keyed) soon(() => soon(found));
}

document.addEventListener("pointerdown", () => keyed(false), { capture: true, passive: true });
document.addEventListener("keyup", ({ key, target }) => !reads(key) && (target === document.body ? look() : keyed(true)));
for (const event of ["focusout", "dressed"]) document.addEventListener(event, look);
look();

/** @param {string} name a key that is pressed while help is shown */
function dismissed(name) {
  if (name !== "Escape" && name !== "?") return false;
  unfold(shown() ?? null, false);
  return true;
}

/** Acts on a key; true if it did. @param {string} name @param {HTMLElement} target @param {string} [digit] */
function pressed(name, target, digit) {
  const open = /** @type {HTMLDetailsElement | null} */ (one("#dock .act[open]"));
  const there = choices();
  const [nth] = [digit ?? name, name].map((key) => (key.length === 1 ? KEYS.indexOf(key.toLowerCase()) : -1)).filter((n) => n in there);
  const picked = there[nth ?? -1];
  if (picked) choose(picked);
  if (picked) return true;
  const guide = document.getElementById("guide");
  if (name === "?") return unfold(guide, true), guide?.focus(), Boolean(guide);
  if (name === "Enter" && !target.closest("a, button, summary, input:not([type=radio], [type=checkbox])")) {
    const button = all("#dock button.primary").find(visible);
    button?.click();
    return Boolean(button);
  }
  if (name === "Escape") {
    const shown = open ?? one("#menu[open], #now details[open], #stage details[open], #log[open]");
    if (shown?.matches("[data-lesson]")) teach(shown.id);
    else if (shown) shown.removeAttribute("open"), dress(), one("summary", shown)?.focus();
    return Boolean(shown);
  }
  if (name === "+" || name === "-") {
    const other = /** @type {HTMLDetailsElement | null} */ (one("#act-bid-other"));
    const input = /** @type {HTMLInputElement | null} */ (one("[data-amount]", other ?? document.createElement("p")));
    if (other && input) choose(other), stepped(input, Number(`${name}${input.step}`));
    else if (touched?.isConnected) stepped(touched, Number(`${name}1`));
    return Boolean(input ?? touched);
  }
  if (name.startsWith("Arrow") || ["Home", "End", "[", "]", ".", ","].includes(name)) {
    const link = one(`[data-step-key="${name}"]`);
    if (link) link.click();
    const at = there.findIndex((choice) => face(choice) === target);
    if (at < 0 || there[at] instanceof HTMLInputElement) return Boolean(link);
    const step = name === "ArrowLeft" || name === "ArrowUp" ? -1 : 1;
    face(/** @type {HTMLElement} */ (there[(at + step + there.length) % there.length])).focus();
    return true;
  }
  if (reads(name)) return aloud(), true;
  const letter = name.toLowerCase();
  const details = one(letter === "w" ? "#why" : letter === "l" ? "#log" : letter === "p" ? "#act-pass" : "#never");
  if (letter === "p" && !(details instanceof HTMLDetailsElement)) one("[data-pass]")?.click();
  if (details instanceof HTMLDetailsElement) {
    details.open = letter === "w" ? !details.open : true;
    (letter === "l" ? one(".lines", details) : letter === "w" ? one("summary", details) : null)?.focus();
  }
  return "wlp".includes(letter) && name.length === 1;
}
