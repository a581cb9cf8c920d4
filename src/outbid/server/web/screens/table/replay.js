// @ts-check
/* A replay without reloads: a step is fetched and its regions are put in place; it can also play by itself. Without this the
   same links lead to whole pages. Lines of the log and the curve stay here: a step brings only the lines that never came. */

import { all, one, parse, soon } from "../dom.js";
import { dress } from "./choices.js";
import { place, summed } from "./regions.js";

const EVERY = 1100; // ms between two moves that are played by themselves
const NEAR = 14; // px: a click on the curve beside a mistake means it
let wanted = 0;
/** @type {number | undefined} */
let playing;

/** The lines of the log as far as they came, and how many moves they tell of. */
const log = { lines: all("#log ol > li"), told: reached() };

/** Where one is. */
function reached() {
  return Number(/** @type {HTMLInputElement | null} */ (one("[data-scrub] [name=move]"))?.getAttribute("value"));
}

/** @param {HTMLElement | undefined} line */
const move = (line) => Number(line?.dataset.move);

/** Shows the lines up to where one is, and marks those of the last move. */
function tell() {
  const [list, at] = [one("#log ol"), reached()];
  if (!list) return;
  const end = log.lines.findLastIndex((line) => move(line) < at) + 1;
  while (list.childElementCount > end) list.lastElementChild?.remove();
  list.append(...log.lines.slice(list.childElementCount, end));
  for (const link of all("[aria-current]", list)) link.removeAttribute("aria-current");
  for (let n = end - 1; n >= 0 && move(log.lines[n]) === at - 1; n--) one("a", log.lines[n])?.setAttribute("aria-current", "true");
  summed("log");
}

/** The curve of before stands in the region that came, its mark where one is. @param {Element | null} curve */
function draw(curve) {
  const over = one("#over");
  if (!curve || !over || one(".curve", over)) return;
  over.prepend(curve);
  const { width, height } = /** @type {SVGSVGElement} */ (one("svg", curve)).viewBox.baseVal;
  const most = Number(one("[data-scrub] [name=move]")?.getAttribute("max"));
  one("path.at", curve)?.setAttribute("d", `M${Math.round((10 * width * reached()) / Math.max(1, most)) / 10} 0v${height}`);
}

/** Shows a step. While the match goes on, all lines come: a sealed answer may still stand before others.
 * @param {URL} address @param {boolean} [whole] the curve has changed, too */
export async function show(address, whole) {
  const number = ++wanted;
  const focus = /** @type {HTMLElement | null} */ (document.activeElement);
  const [key, slid] = [focus?.dataset.stepKey, focus?.matches("[data-scrub] [name=move]")];
  const part = new URL(address);
  part.searchParams.set("part", "regions");
  const curve = one("#over .curve");
  if (!whole && one("#over .eyes a") && eyes(address) === eyes(new URL(location.href))) part.searchParams.set("told", String(log.told));
  try {
    const answer = await fetch(part, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const { title, regions, append } = await answer.json();
    if (number !== wanted) return;
    place(regions, {});
    if (append) {
      log.lines.push(.../** @type {any} */ (parse(append.log)).children);
      log.told = Math.max(log.told, reached());
      draw(curve);
    } else {
      log.lines = all("#log ol > li");
      log.told = reached();
    }
    tell();
    document.title = title;
    history.replaceState(history.state, "", address);
    soon(() => one("#log [aria-current]")?.scrollIntoView({ block: "nearest" }));
    dress();
    offer();
    if (slid) one("[data-scrub] [name=move]")?.focus();
    if (key) (one(`a[data-step-key="${key}"]`) ?? one("a[data-step-key]"))?.focus();
  } catch {
    location.href = address.href;
  }
}

/** From whose eyes an address shows the match. @param {URL} address */
const eyes = (address) => address.searchParams.get("seat");

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
  const [curve, slider] = [target.closest(".curve > svg"), /** @type {HTMLInputElement | null} */ (one("[data-scrub] [name=move]"))];
  if (curve && slider?.form) {
    stop();
    const { left, width } = curve.getBoundingClientRect();
    const dot = nearest(curve, event.clientX);
    slider.value = dot?.dataset.move ?? String(Math.round(((event.clientX - left) / width) * Number(slider.max)));
    return scrub(slider.form, dot ? { seat: curve.closest("figure")?.dataset.whose ?? "" } : {});
  }
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest("a[data-step-key], .eyes a, #log ol a, #moments a"));
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

/** The dot of a mistake that is meant, if one is. @param {Element} curve @param {number} x */
function nearest(curve, x) {
  const away = (/** @type {HTMLElement} */ dot) => Math.abs(middle(dot) - x);
  return all(".dot", curve).sort((one, other) => away(one) - away(other)).find((dot) => away(dot) <= NEAR);
}

/** @param {Element} dot */
function middle(dot) {
  const { left, right } = dot.getBoundingClientRect();
  return (left + right) / 2;
}

/** @param {HTMLFormElement} form @param {Record<string, string>} [other] what is not as the form has it */
function scrub(form, other = {}) {
  const address = new URL(form.action);
  for (const [name, value] of [...new FormData(form), ...Object.entries(other)]) address.searchParams.set(name, String(value));
  show(address);
}

if (all("[data-replay]").length) offer();
