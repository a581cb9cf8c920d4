// @ts-check
/* What the modules of a table share: finding elements, and the words in the language of the page (screens/table/help.html). */

/** @type {Record<string, string>} */
const WORDS = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

/** @param {string} name @param {Record<string, string | number>} values */
export const say = (name, values = {}) => (WORDS[name] ?? "").replace(/{(\w+)}/g, (all, key) => String(values[key] ?? all));

/** @template {Element} [T=HTMLElement] @param {string} selector @param {ParentNode} root @returns {T[]} */
export const all = (selector, root = document) => /** @type {any} */ ([...root.querySelectorAll(selector)]);
/** @template {Element} [T=HTMLElement] @param {string} selector @param {ParentNode} root @returns {T | null} */
export const one = (selector, root = document) => /** @type {any} */ (root.querySelector(selector));

/** Whether an element is laid out; Safari before 17.4 lacks checkVisibility. @param {Element} element */
export const visible = (element) => element.checkVisibility?.() ?? element.getClientRects().length > 0;

/** Whether this browser has popovers (Safari since 17); in others a panel has the class "open". */
const popovers = "popover" in HTMLElement.prototype;
/** @param {HTMLElement} panel */
export const opened = (panel) => (popovers ? panel.matches(":popover-open") : panel.classList.contains("open"));

/** Shows a panel over the page, or hides it. @param {HTMLElement | null} panel @param {boolean} open */
export function unfold(panel, open) {
  if (!panel || opened(panel) === open) return;
  if (popovers) return void (open ? panel.showPopover() : panel.hidePopover());
  panel.dispatchEvent(Object.assign(new Event("beforetoggle"), { newState: open ? "open" : "closed" }));
  panel.classList.toggle("open", open);
}

if (!popovers) {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("[popovertarget]") : null;
    const panel = document.getElementById(button?.getAttribute("popovertarget") ?? "");
    for (const other of /** @type {HTMLElement[]} */ (all(".help"))) if (other !== panel && !other.contains(/** @type {Node} */ (target))) unfold(other, false);
    if (panel) unfold(panel, button?.getAttribute("popovertargetaction") !== "hide" && !opened(panel));
  });
}

/** Writes only what is new: an element that is read out would say the same again. @param {Element | null} element @param {string} text */
export function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** @param {string} html */
export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return template.content;
}

/** What needs the layout waits until the browser makes it for the next frame. @param {() => void} act */
export function soon(act) {
  if (document.hidden) act();
  else requestAnimationFrame(act);
}

/** How long a form may be on its way, in ms. */
const SENDING = 5000;
let sent = -SENDING;
addEventListener("submit", (event) => void (event.defaultPrevented || (sent = performance.now())));
/** Loads another page, or this one again; not while a form is on its way: it would be taken back. @param {() => void} load */
export function unlessSent(load) {
  const wait = sent + SENDING - performance.now();
  if (wait > 0) setTimeout(unlessSent, wait, load);
  else load();
}

/** What comes has happened while this page slept (line.js). */
let asleep = document.hidden;
/** @param {boolean} on */
export const sleep = (on) => (asleep = on);
/** Whether nobody looks at what comes, or nobody could when it happened: then all is in its place at once. */
export const away = () => document.hidden || asleep;

/** Whoever wants no movement gets none. */
export const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** The smallest text of a table, in px. */
const SMALLEST = 12;
/** Who has set that no text is smaller than so many px has all of the page larger by as much: text alone would not fit. */
function enlarge() {
  const [small, large] = ["1px", "100px"].map((size) => {
    const ruler = Object.assign(document.createElement("span"), { textContent: "MMMMMMMMMM" });
    ruler.style.cssText = `position: fixed; font: ${size} monospace`;
    document.body.append(ruler);
    const { width } = ruler.getBoundingClientRect();
    ruler.remove();
    return width;
  });
  const least = (100 * (small ?? 0)) / (large || 1);
  if (least > SMALLEST) document.documentElement.style.fontSize = `${(100 * least) / SMALLEST}%`;
}
enlarge();

/** How much larger than usual text is: a window has room for as much less. */
const scale = Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
/** What style sheets say of windows of some width counts for wider ones. @param {CSSRuleList} rules */
function rescale(rules) {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) rule.media.mediaText = rule.media.mediaText.replace(/(?<=width: )[\d.]+(?=px)/g, (width) => `${parseFloat(width) * scale}`);
    if (rule instanceof CSSGroupingRule) rescale(rule.cssRules);
  }
}
if (scale > 1) for (const sheet of document.styleSheets) rescale(sheet.cssRules);

/** The log stands open beside the table. */
export const wide = matchMedia(`(min-width: ${1000 * scale}px)`);

/** @type {number | undefined} */
let fading;
/** A short message; it stands alone, so it begins with a capital. @param {string} words @param {boolean} passing until something has arrived */
export function toast(words, passing = false) {
  const place = document.getElementById("toast");
  if (!place) return;
  place.toggleAttribute("data-passing", passing);
  [place.textContent, place.hidden] = [words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()), false];
  clearTimeout(fading);
  fading = window.setTimeout(() => (place.hidden = true), 6000);
}

/** What was said of something that was on its way: it has arrived. */
export function arrived() {
  document.querySelector("#toast[data-passing]")?.setAttribute("hidden", "");
}

/** What a browser without storage, or with a full one, keeps until the page is left. @type {Map<string, string>} */
const unstored = new Map();

/** Something kept in this browser. @param {string} name @param {string} otherwise */
export function kept(name, otherwise) {
  try {
    return unstored.get(name) ?? localStorage.getItem(name) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keeps something in this browser. @param {string} name @param {string} value */
export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
    unstored.delete(name);
  } catch {
    unstored.set(name, value);
  }
}
