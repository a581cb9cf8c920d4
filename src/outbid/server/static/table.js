// @ts-check
/* The page of a table: sends the move forms over the socket, puts the regions that changed in place, and makes choosing
   quick by tap and by key. Everything here is convenience; without it the same forms work with reloads (docs/server.md). */

/** @typedef {{type: "regions", version: number, time: number, title: string, yours: boolean,
 *             regions: Record<string, string>, append: Record<string, string>}} News */
/** @typedef {import("./line.js").Ack} Ack */
/** @typedef {News | Ack | {type: "beat", time: number} | {type: "reload"} | {type: "error", error: string}} Message */
/** @typedef {import("./line.js").Fields} Fields */

import { Line, post } from "./line.js";
import "./zone.js";

const path = document.body.dataset.socket;
/** What this script says, in the language of the page (templates/help.html). @type {Record<string, string>} */
const WORDS = JSON.parse(document.getElementById("words")?.textContent ?? "{}");
/** @param {string} name @param {Record<string, string | number>} values */
const say = (name, values = {}) => (WORDS[name] ?? "").replace(/{(\w+)}/g, (all, key) => String(values[key] ?? all));
/** How long a form may take, in ms; a hint is thought about. */
const [PATIENCE, THINKING] = [10_000, 60_000];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** The log stands open beside the table. */
const wide = matchMedia("(min-width: 1000px)");
/** The sign of the house, on a full disc when it is your turn. @param {boolean} yours */
const sign = (yours) => `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g fill="${yours ? "#c24e00" : "#fffdf6"}" stroke="${yours ? "#fff" : "#23503f"}" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"><circle cx="16" cy="16" r="13"/><path d="M10 19l6-8 6 8" fill="none"/></g></svg>`)}`;

/** The line to the server, if this page has one. @type {Line | undefined} */
let line;
/** What was sent and is not answered: the forms that wait. @type {Map<string, HTMLFormElement>} */
const waiting = new Map();
/** The server's clock, in ms, less the time since this page was opened: this machine's clock may be wrong, or be set. */
let offset = Date.now() - performance.now();
let asked = false;
let decision = "";

/** @template {Element} [T=HTMLElement] @param {string} selector @param {ParentNode} root @returns {T[]} */
const all = (selector, root = document) => /** @type {any} */ ([...root.querySelectorAll(selector)]);
/** @template {Element} [T=HTMLElement] @param {string} selector @param {ParentNode} root @returns {T | null} */
const one = (selector, root = document) => /** @type {any} */ (root.querySelector(selector));

// --- the line ---------------------------------------------------------------------------------------------------------

/** The dot and its words. */
function connection() {
  const dot = one("[data-connection]");
  if (!dot || !line) return;
  const state = line.state;
  const look = `dot ${state === "live" || state === "received" ? "on" : line.tries > 4 ? "off" : "wait"}`;
  if (dot.className !== look) dot.className = look;
  dot.toggleAttribute("data-long", state !== "live" && state !== "reconnecting");
  write(dot, say(state));
}

/** @param {Message} message */
function hear(message) {
  if (message.type === "reload") location.reload();
  else if (message.type === "error") toast(message.error);
  else if (message.type === "ack") answered(message);
  else if (message.type === "beat") offset = message.time - performance.now();
  else put(message);
}

// --- putting regions in place -----------------------------------------------------------------------------------------

/** The new view is there at once; what moved flies to its place above it, as a picture. @param {News} news */
function put(news) {
  offset = news.time - performance.now();
  /** @type {Map<string, Element>} */
  const fresh = new Map();
  for (const [id, html] of Object.entries(news.regions)) {
    const made = parse(html).firstElementChild;
    if (made && !same(id, made)) fresh.set(id, made);
  }
  const moved = calm.matches || document.hidden ? [] : travels(fresh).map(({ item, from, to }) => ({ item, to, begin: find(`${item}@${from}`)?.getBoundingClientRect() }));
  replace(fresh);
  for (const [id, html] of Object.entries(news.append)) lengthen(id, parse(html));
  settle(news);
  soon(() => moved.forEach(({ item, to, begin }) => fly(find(`${item}@${to}`), begin)));
}

/** What needs the layout waits until the browser makes it for the next frame. @param {() => void} act */
function soon(act) {
  if (document.hidden) act();
  else requestAnimationFrame(act);
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
}

/** Writes only what is new: an element that is read out would say the same again. @param {Element | null} element @param {string} text */
function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** @param {string} html */
function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html.trim();
  return template.content;
}

/** The page shows this already (after connecting all regions come). @param {string} id @param {Element} made */
function same(id, made) {
  const old = document.getElementById(id);
  if (!old) return true;
  if (id !== "log") return false;
  const [was, now] = [all("ol > li", old), all("ol > li", made)];
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
function rest(region, another) {
  if (another) resting.set(region.id, performance.now() + REST);
  const left = (resting.get(region.id) ?? 0) - performance.now();
  if (left <= 0) return;
  region.classList.add("settling");
  setTimeout(() => region.classList.remove("settling"), left);
}

/** What can be done in a region. @param {Element} region */
const acts = (region) => all("form[method=post] button, .act > summary", region).map((element) => element.textContent).join("\n");

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
  for (const name of open) if (kept || !name.startsWith("act-")) document.getElementById(name)?.setAttribute("open", "");
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

/** Gives the focus to the first of these that takes it: what is hidden does not. @param {(HTMLElement | null)[]} places */
function land(...places) {
  for (const place of places) {
    if (!place) continue;
    if (place.tabIndex < 0 && place.matches("section, main, details, header")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
  }
}

/** @param {Element} region */
const question = (region) => one('input[name="decision"]', region)?.getAttribute("value") ?? "";
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
    return to === undefined ? [] : [{ item, from, to }];
  }).filter(({ item }, n, moved) => moved.findIndex((other) => other.item === item) === n);
}

/** @param {string} place */
const find = (place) => one(`[data-card="${place}"]`);
/** After every swap: title, favicon, the voice, keys and counts. @param {News} news */
function settle(news) {
  document.title = news.title;
  one("link[rel=icon]")?.setAttribute("href", sign(news.yours));
  const now = question(document.body);
  const words = news.yours ? one(".now > p")?.textContent ?? "" : "";
  if (!asked || now !== decision) write(document.getElementById("turn"), words && called(words));
  if (news.yours !== asked) remind(words);
  [asked, decision] = [news.yours, now];
  dress();
}

/** The question, and before it that it is one's turn, if it does not say so itself. @param {string} words */
function called(words) {
  const said = say("turn", { question: "" }).replace(/[^\p{L}]+$/u, "");
  return words.startsWith(said) ? words : say("turn", { question: words });
}

/** The phases somebody has seen the first-time card of, or "all". @returns {string[]} */
function learned() {
  try {
    return (localStorage.getItem("learned") ?? "").split(" ");
  } catch {
    return [];
  }
}

/** Shows the card of a phase until somebody has got it. @param {string} [phase] got just now; "": begin anew */
function teach(phase) {
  try {
    if (phase !== undefined) localStorage.setItem("learned", phase ? [...new Set([...learned(), phase])].join(" ") : "");
  } catch {
    return;
  }
  const known = learned();
  for (const card of /** @type {HTMLDetailsElement[]} */ (all("[data-lesson]"))) {
    card.hidden = known.includes("all") || known.includes(card.id);
    card.open = !card.hidden;
  }
}

/** What script adds to freshly rendered regions. */
function dress() {
  connection();
  if (one("[data-lesson]:not([open]):not([hidden])")) teach();
  all("form[data-picker]").forEach((form) => recount(/** @type {HTMLFormElement} */ (form)));
  all("[data-key]").forEach((element) => element.removeAttribute("data-key"));
  const open = one("#dock > .act[open]");
  for (const part of all("#dock, .table")) part.classList.toggle("choosing", open !== null);
  one(".table")?.classList.toggle("laying-open", open !== null && one(".picker", open) !== null);
  one(".table")?.classList.toggle("wide-open", open?.classList.contains("wide") ?? false);
  if (on("keys")) soon(number);
  tick();
}

/** Shows at every choice the key that takes it. */
function number() {
  choices().slice(0, KEYS.length).forEach((choice, n) => face(choice).setAttribute("data-key", KEYS[n] ?? ""));
}

/** The countdown of a realtime auction. */
function tick() {
  for (const clock of all("[data-closes]")) {
    const left = Math.max(0, Math.ceil((Number(clock.getAttribute("data-closes")) - performance.now() - offset) / 1000));
    clock.textContent = left ? say("closes", { n: left }) : say("closing");
    clock.classList.toggle("soon", left <= 3);
  }
  for (const clock of all("[data-due]")) {
    const left = Math.max(0, Math.ceil((Number(clock.dataset.due) - performance.now() - offset) / 1000));
    const [hours, minutes] = [Math.floor(left / 3600), Math.floor(left / 60) % 60];
    const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
    const short = `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(left % 60)}`;
    const long = (clock.dataset.days ?? "").replace("{days}", String(Math.floor(hours / 24))).replace("{hours}", String(hours % 24));
    write(clock, hours < 24 ? short : long);
    clock.classList.toggle("soon", left <= 10);
  }
}

/** @type {number | undefined} */
let fading;
/** @param {string} words */
function toast(words) {
  const place = document.getElementById("toast");
  if (!place) return;
  [place.textContent, place.hidden] = [words, false];
  clearTimeout(fading);
  fading = window.setTimeout(() => (place.hidden = true), 6000);
}

// --- sending ----------------------------------------------------------------------------------------------------------

/** A UUID, also where the page is not secure (a table in the house, by http). */
function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, n) => (n === 6 ? (byte & 15) | 64 : n === 8 ? (byte & 63) | 128 : byte).toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} button */
function send(form, button) {
  const id = uuid();
  /** @type {Fields} */
  const fields = {};
  for (const [name, value] of new FormData(form, button)) {
    const old = fields[name];
    fields[name] = old === undefined ? String(value) : [old, String(value)].flat();
  }
  if ([...(line?.moves.values() ?? [])].some((move) => move.fields.decision === fields.decision)) {
    return toast(say(line?.state === "resending" ? "resending" : "sending"));
  }
  form.ariaBusy = "true";
  waiting.set(id, form);
  line?.send(id, form.action, fields);
}

/** @param {Ack} answer */
function answered({ id, ok, error }) {
  const form = waiting.get(id);
  waiting.delete(id);
  if (form) form.ariaBusy = null;
  if (!ok) toast(error ?? say("refused"));
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if ("move" in form.dataset && path) {
    event.preventDefault();
    send(form, button);
  } else if ("pace" in form.dataset) {
    event.preventDefault();
    post(form.action, button ? { [button.name]: button.value } : {}, PATIENCE).catch(() => form.submit());
  } else if ("post" in form.dataset && path) {
    event.preventDefault();
    const fields = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form, button)));
    post(form.action, fields, form.action.endsWith("/hint") ? THINKING : PATIENCE).then((answer) => answer.json()).then((answer) => {
      if (answer.ok) document.getElementById("order")?.removeAttribute("open");
      else toast(answer.error ?? "");
    }, () => form.submit());
  }
});

// --- choosing ---------------------------------------------------------------------------------------------------------

/** What can be chosen now: inside the open choice, or the choices of the dock. @returns {HTMLElement[]} */
function choices() {
  const open = one("#dock .act[open]");
  return all("[data-choice]", open ?? one("#dock") ?? document).filter((choice) => choice !== open && face(choice).checkVisibility());
}

/** What picks the first choice, the second, … The letters that are missing do something else. */
const KEYS = "1234567890abdefghijkmnoqrstuvxyz";

/** The part of a choice that is seen and focused. @param {HTMLElement} choice @returns {HTMLElement} */
const face = (choice) => one("summary", choice) ?? (choice instanceof HTMLInputElement ? choice.closest("label") : null) ?? choice;

/** @param {HTMLElement} choice */
function choose(choice) {
  if (choice instanceof HTMLDetailsElement) (choice.open = true), dress(), enter(choice);
  else if (choice instanceof HTMLInputElement) choice.click(), choice.focus();
  else if (choice instanceof HTMLButtonElement) choice.focus();
  else choice.click();
}

/** The number that was changed last, for the keys + and −. @type {HTMLInputElement | null} */
let touched = null;

/** @param {HTMLInputElement | null} input @param {number} step */
function stepped(input, step) {
  if (!input) return;
  touched = input;
  const wanted = input.value === "" ? Math.max(step, Number(input.min)) : Number(input.value) + step;
  input.value = String(Math.min(Number(input.max), Math.max(Number(input.min), wanted)));
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The running total of the cards that are chosen, what is wrong with them, and what the button will do. @param {HTMLFormElement} form */
function recount(form) {
  const laid = inputs(form).filter((input) => input.name.startsWith("cards:")).map((input) => ({
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

document.addEventListener("input", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  const form = input.form;
  if (!form) return;
  const button = one("button.primary", form);
  if ("picker" in form.dataset) recount(form);
  else if (input.type === "radio" && button) button.textContent = input.dataset.words ?? "";
  else if ("amount" in input.dataset && button) {
    const hint = one("[data-within]", form);
    const beyond = Number(input.value) > Number(input.dataset.limit);
    if (hint) hint.textContent = (beyond ? hint.dataset.beyond : hint.dataset.within) ?? "";
    button.classList.toggle("danger", beyond);
    button.textContent = (button.dataset.words ?? "").replace("{}", input.value);
  } else if ("scrub" in form.dataset) /** @type {HTMLElement} */ (one("output", form)).textContent = input.value;
});

document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.form && "scrub" in input.form.dataset) input.form.submit();
});

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const step = target.closest("[data-step]")?.getAttribute("data-step") ?? (target.closest(".denomination > [data-choice]") ? "1" : "");
  if (step) stepped(one("input", target.closest(".denomination") ?? document), Number(step));
  const act = target.closest("summary")?.parentElement;
  if (act instanceof HTMLDetailsElement && act.classList.contains("act") && !act.open) {
    event.preventDefault();
    choose(act);
    if (event.detail) rest(act, true);
  }
  const opens = document.getElementById(target.closest("[data-opens]")?.getAttribute("data-opens") ?? "");
  if (opens instanceof HTMLDetailsElement) opens.open = true;
  const got = target.closest("[data-learned], [data-relearn]");
  if (got) teach(got.hasAttribute("data-relearn") ? "" : got.getAttribute("data-learned") || got.closest("[data-lesson]")?.id);
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest("a[data-copy]"));
  if (link) {
    event.preventDefault();
    const copied = navigator.clipboard ? navigator.clipboard.writeText(link.href) : Promise.reject();
    copied.then(() => toast(link.dataset.copy ?? ""), () => toast(link.href));
  }
});

/** A choice that opens gives the focus to what confirms it. @param {HTMLDetailsElement} details */
function enter(details) {
  if (one("form", details)?.contains(document.activeElement)) return;
  const form = one("form", details);
  if (form) form.tabIndex = -1;
  (one("[data-amount], [type=radio]:enabled, form:not(.picker) button.primary", details) ?? form)?.focus();
}

document.addEventListener("toggle", (event) => {
  const details = /** @type {HTMLDetailsElement} */ (event.target);
  if (details.open && details.classList.contains("act")) enter(details);
  if (!details.open && "lesson" in details.dataset && !details.hidden) return teach(details.id);
  dress();
}, true);

// --- keys -------------------------------------------------------------------------------------------------------------

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const typing = target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
  if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== "Escape") || (event.key === "Tab")) return;
  const single = event.key.length === 1 && !on("keys");
  if (help?.matches(":popover-open") ? dismissed(event.key) : !single && pressed(event.key, target)) event.preventDefault();
});

/** Acts on a key; true if it did. @param {string} name @param {HTMLElement} target */
function pressed(name, target) {
  const open = /** @type {HTMLDetailsElement | null} */ (one("#dock .act[open]"));
  const there = choices();
  const picked = name.length === 1 ? there[KEYS.indexOf(name.toLowerCase())] : undefined;
  if (picked) choose(picked);
  if (picked) return true;
  if (name === "?") return help?.showPopover(), help?.focus(), Boolean(help);
  if (name === "Enter" && !target.closest("a, button, input, summary")) {
    const button = all("#dock button.primary").find((confirm) => confirm.checkVisibility());
    button?.click();
    return Boolean(button);
  }
  if (name === "Escape") {
    const shown = open ?? one("#now details[open]");
    if (shown) shown.removeAttribute("open"), dress(), one("summary", shown)?.focus();
    return Boolean(shown);
  }
  if (name === "+" || name === "-") {
    const other = /** @type {HTMLDetailsElement | null} */ (one("#act-bid-other"));
    const input = /** @type {HTMLInputElement | null} */ (one("[data-amount]", other ?? document.createElement("p")));
    if (other && input) choose(other), stepped(input, Number(`${name}${input.step}`));
    else if (touched?.isConnected) stepped(touched, Number(`${name}1`));
    return Boolean(input ?? touched);
  }
  if (name.startsWith("Arrow") || ["Home", "End", "[", "]"].includes(name)) {
    const link = one(`[data-step-key="${name}"]`);
    if (link) link.click();
    const at = there.findIndex((choice) => face(choice) === target);
    if (at < 0 || there[at] instanceof HTMLInputElement) return Boolean(link);
    const step = name === "ArrowLeft" || name === "ArrowUp" ? -1 : 1;
    face(/** @type {HTMLElement} */ (there[(at + step + there.length) % there.length])).focus();
    return true;
  }
  const letter = name.toLowerCase();
  const details = one(letter === "w" ? "#why" : letter === "l" ? "#log" : letter === "p" ? "#act-pass" : "#never");
  if (letter === "p" && !details) one("[data-pass]")?.click();
  if (details instanceof HTMLDetailsElement) {
    details.open = letter === "w" ? !details.open : true;
    (letter === "l" ? one(".lines", details) : letter === "w" ? one("summary", details) : null)?.focus();
  }
  return "wlp".includes(letter) && name.length === 1;
}

// --- the switches of this browser -------------------------------------------------------------------------------------

/** The list of keys, with the switches. */
const help = document.getElementById("help");

/** @param {string} name a key that is pressed while the list of keys is shown */
function dismissed(name) {
  if (name !== "Escape" && name !== "?") return false;
  help?.hidePopover();
  return true;
}

/** Whether something is switched on: single keys are until somebody switches them off, the others are off. @param {string} name */
function on(name) {
  try {
    return (localStorage.getItem(name) ?? (name === "keys" ? "on" : "off")) === "on";
  } catch {
    return name === "keys";
  }
}

for (const box of /** @type {HTMLInputElement[]} */ (all("[data-switch]"))) box.checked = on(box.dataset.switch ?? "");

help?.addEventListener("change", async ({ target }) => {
  const box = /** @type {HTMLInputElement} */ (target);
  const name = box.dataset.switch ?? "";
  if (name === "notify" && box.checked && !(await allowed())) (box.checked = false), toast(say("silent"));
  try {
    localStorage.setItem(name, box.checked ? "on" : "off");
  } catch {
    box.checked = on(name);
  }
  if (name === "sound" && box.checked) chime();
  dress();
});

/** Whether this page may show messages; asks, if nobody has been asked. */
async function allowed() {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}

/** @type {AudioContext | undefined} */
let audio;
/** Two quiet tones, the second one higher. */
function chime() {
  const made = (audio ??= new AudioContext());
  made.resume().catch(() => {});
  for (const [n, pitch] of [587, 880].entries()) {
    const [tone, loudness, at] = [made.createOscillator(), made.createGain(), made.currentTime + n * 0.14];
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.0001, at);
    loudness.gain.exponentialRampToValueAtTime(0.12, at + 0.02);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + 0.45);
    tone.connect(loudness).connect(made.destination);
    tone.start(at);
    tone.stop(at + 0.5);
  }
}

/** @type {Notification | undefined} */
let note;
/** It is your turn now, or no more. @param {string} question what is asked; "": nothing */
function remind(question) {
  note?.close();
  note = undefined;
  if (!question) return;
  if (on("sound")) chime();
  if (!document.hidden || !on("notify") || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    note = new Notification(document.title, { body: question, tag: path });
    note.onclick = () => (focus(), note?.close());
  } catch {
    // a browser that wants a service worker for it
  }
}

document.addEventListener("visibilitychange", () => document.hidden || note?.close());

// ----------------------------------------------------------------------------------------------------------------------

document.documentElement.dataset.script = "";
setInterval(tick, 250);
[asked, decision] = [one(".now[data-yours]") !== null, question(document.body)];
dress();
if (path) {
  const { silence, receipt } = document.body.dataset;
  line = new Line(path, { silence: Number(silence), receipt: Number(receipt) }, hear, connection);
}
