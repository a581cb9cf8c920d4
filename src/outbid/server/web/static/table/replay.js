// @ts-check
/* A replay without reloads: a step is fetched and its regions are put in place; it can also play by itself. Without this the
   same links lead to whole pages. */

import { all, one } from "../dom.js";
import { dress } from "./choices.js";
import { place } from "./regions.js";

const EVERY = 1100; // ms between two moves that are played by themselves
let wanted = 0;
/** @type {number | undefined} */
let playing;

/** Shows a step. @param {URL} address @param {boolean} [back] it is one that was there before */
async function show(address, back = false) {
  const number = ++wanted;
  const key = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.stepKey;
  const part = new URL(address);
  part.searchParams.set("part", "regions");
  try {
    const answer = await fetch(part, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const { title, regions } = await answer.json();
    if (number !== wanted) return;
    place(regions, {});
    document.title = title;
    if (!back) history.replaceState(history.state, "", address);
    one("#log [aria-current]")?.scrollIntoView({ block: "nearest" });
    dress();
    offer();
    if (key) (one(`a[data-step-key="${key}"]`) ?? one("a[data-step-key]"))?.focus();
  } catch {
    location.href = address.href;
  }
}

/** The button that plays. */
function offer() {
  const button = /** @type {HTMLButtonElement | null} */ (one("[data-autoplay]"));
  const last = !one('a[data-step-key="ArrowRight"]');
  if (last) stop();
  if (!button) return;
  button.hidden = false;
  button.disabled = last;
  button.setAttribute("aria-pressed", String(playing !== undefined));
  const sign = one("span", button);
  if (sign) sign.textContent = playing === undefined ? "▶" : "❚❚";
}

function stop() {
  clearInterval(playing);
  playing = undefined;
}

document.addEventListener("click", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (target.closest("[data-autoplay]")) {
    if (playing === undefined) playing = window.setInterval(() => one('a[data-step-key="ArrowRight"]')?.click(), EVERY);
    else stop();
    return offer();
  }
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest("a[data-step-key], .eyes a, #log ol a"));
  if (!link || link.pathname !== location.pathname) return;
  if (event.isTrusted && playing !== undefined) stop();
  event.preventDefault();
  show(new URL(link.href));
});

document.addEventListener("change", (event) => {
  const form = /** @type {HTMLInputElement} */ (event.target).form;
  if (!form || !("scrub" in form.dataset)) return;
  event.stopImmediatePropagation();
  scrub(form);
}, { capture: true });

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!("scrub" in form.dataset)) return;
  event.preventDefault();
  scrub(form);
});

/** @param {HTMLFormElement} form */
function scrub(form) {
  const address = new URL(form.action);
  for (const [name, value] of new FormData(form)) address.searchParams.set(name, String(value));
  show(address);
}

if (all("[data-replay]").length) offer();
