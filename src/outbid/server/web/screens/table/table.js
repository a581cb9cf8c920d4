// @ts-check
/* The page of a table: hears what is new, sends the move forms over the socket, and lets clocks run. Everything here is
   convenience; without it the same forms work with reloads (docs/server.md). dom.js has what the modules share, regions.js
   puts regions in place, choices.js and keys.js make choosing quick, outcome.js shows what came of it. */

/** @typedef {{type: "regions", version: number, time: number, title: string, yours: boolean,
 *             regions: Record<string, string>, append: Record<string, string>}} News */
/** @typedef {import("./line.js").Ack} Ack */
/** @typedef {News | Ack | {type: "beat", time: number} | {type: "reload"} | {type: "error", error: string}} Message */
/** @typedef {import("./line.js").Fields} Fields */

import { dress } from "./choices.js";
import { all, arrived, away, one, say, toast, unlessSent, write } from "../dom.js";
import "./guide.js";
import "./keys.js";
import { Line, post } from "./line.js";
import "../notes/notes.js";
import "./only.js";
import { mark } from "../badge.js";
import { fold } from "./duel.js";
import { curve } from "./curve.js";
import { Director } from "./director.js";
import { close, ends, joins, last, waits } from "./end.js";
import { cheer, shown } from "./outcome.js";
import { place, question } from "./regions.js";
import { absent, look, moved } from "./since.js";
import { remind, sound } from "./switches.js";
import "../zone.js";

const path = document.body.dataset.socket;
/** How long a form may take, in ms; a hint is thought about. */
const [PATIENCE, THINKING] = [10_000, 60_000];
/** After how many ms a tap that is not answered is seen to be on its way. */
const SLOW = 300;
/** In how many seconds a clock warns. */
const WARNS = 20;

/** The line to the server, if this page has one. @type {Line | undefined} */
let line;
/** Whether the line has been up. */
let up = false;
/** What was sent and is not answered: the forms that wait, and buttons outside of them. @type {Map<string, [HTMLFormElement, HTMLElement | null]>} */
const waiting = new Map();
/** The commands of these that one has given oneself; others were made where only one thing could be done. @type {Set<string>} */
const own = new Set();
/** The server's clock, in ms, less the time since this page was opened: this machine's clock may be wrong, or be set. */
let offset = Date.now() - performance.now();
let asked = false;
let decision = "";
/** Questions whose answer was taken, until the next one is on the page: whoever clicks just as the only move is made for them
 * (only.js) has asked for the same. @type {string | undefined} */
let taken;

// --- the line ---------------------------------------------------------------------------------------------------------

/** The dot and its words. */
function connection() {
  const dot = one("[data-connection]");
  if (!dot || !line) return;
  const state = line.state;
  if (!up && !line.tries && !line.moves.size && state !== "live") return; // it has only begun
  const down = state === "reconnecting" || state === "resending";
  if (down && up) absent();
  up ||= !down;
  const look = `dot ${state === "live" || state === "received" ? "on" : line.tries > 4 ? "off" : "wait"}`;
  if (dot.className !== look) dot.className = look;
  dot.toggleAttribute("data-long", state !== "live" && state !== "reconnecting");
  write(dot, say(state));
}

/** The server's clock; of what waited while this page slept, the newest tells it best. @param {number} time */
function set(time) {
  const difference = time - performance.now();
  offset = away() ? Math.max(offset, difference) : difference;
}

/** @param {Message} message */
function hear(message) {
  if (message.type === "reload") unlessSent(() => location.reload());
  else if (message.type === "error") toast(message.error);
  else if (message.type === "ack") answered(message);
  else if (message.type === "beat") set(message.time);
  else set(message.time), director.take(message);
}

/** What is new goes to its place; if it has an outcome that concerns the reader, the rest waits until that was seen. */
const director = new Director({
  come: (/** @type {News} */ news) => joins(news) || (ends(news) ? place(last(news), {}) : place(news.regions, news.append)),
  ask: (/** @type {News} */ news) => waits() || (ends(news) ? close(news, put, () => (sound("end"), cheer())) : settle(news)),
});

/** @param {News} news */
function put(news) {
  place(news.regions, news.append);
  settle(news);
  shown();
}

/** After every swap: title, favicon, the voice, keys and counts. @param {News} news */
function settle(news) {
  document.title = news.title;
  const now = question(document.body);
  const words = news.yours ? one(".now > p")?.textContent ?? "" : "";
  if (!asked || now !== decision) write(document.getElementById("turn"), words && called(words));
  if (news.yours !== asked) remind(words), turn();
  [asked, decision] = [news.yours, now];
  mark(Number(news.yours));
  if (one("#coach")) document.getElementById("toast")?.setAttribute("hidden", ""); // it says the same, and there one can answer
  spoken();
  fold();
  look();
  dress();
  curve();
}

/** Lights what the coach speaks of; on a phone hint and coach have the room below what one has (table.css). */
function spoken() {
  const dock = one("#dock");
  if (dock) document.body.style.setProperty("--below", `${innerHeight - dock.getBoundingClientRect().top}px`);
  const light = one("details#coach")?.dataset.light;
  for (const thing of all(".lit")) thing.classList.remove("lit");
  if (light) for (const thing of all(light)) thing.classList.add("lit");
}

/** The icon of the page is the other one: on a full disc it is one's turn. */
function turn() {
  const icon = /** @type {HTMLLinkElement | null} */ (one("link[rel=icon]"));
  if (icon) [icon.href, icon.dataset.other] = [icon.dataset.other ?? "", icon.href];
}

/** The question, and before it that it is one's turn, if it does not say so itself. @param {string} words */
function called(words) {
  const said = say("turn", { question: "" }).replace(/[^\p{L}]+$/u, "");
  return words.startsWith(said) ? words : say("turn", { question: words });
}

/** @type {Set<string>} The clocks that have warned. */
const warned = new Set();

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
    clock.classList.toggle("soon", left <= WARNS);
    const mine = clock.closest(".now") && `${clock.dataset.due}`;
    if (mine && left <= WARNS && left > 0 && !warned.has(mine)) warned.add(mine), sound("turn"), write(document.getElementById("turn"), say("hurry", { n: left }));
  }
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
  if (fields.decision && fields.decision === taken) return;
  if ([...(line?.moves.values() ?? [])].some((move) => move.fields.decision === fields.decision)) {
    return toast(say(line?.state === "resending" ? "resending" : "sending"), true);
  }
  form.ariaBusy = "true";
  waiting.set(id, [form, button]);
  setTimeout(() => waiting.has(id) && button && (button.ariaBusy = "true"), SLOW);
  if (!("made" in (button?.dataset ?? {}))) own.add(id);
  line?.send(id, form.action, fields);
}

/** @param {Ack} answer */
function answered({ id, ok, error }) {
  const [form, button] = waiting.get(id) ?? [];
  waiting.delete(id);
  arrived();
  for (const busy of all("[aria-busy]", one("#dock") ?? document)) busy.ariaBusy = null;
  for (const busy of [form, button]) if (busy) busy.ariaBusy = null;
  if (ok) taken = form ? question(form) : taken;
  if (own.delete(id) && ok) moved();
  if (!ok && !one("#coach")) toast(error ?? say("refused"));
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
    if (form.closest("#coach")) for (const act of all("#dock .act[open]")) act.removeAttribute("open"); // all choices are there again
    const fields = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form, button)));
    post(form.action, fields, form.action.endsWith("/hint") ? THINKING : PATIENCE).then((answer) => answer.json()).then((answer) => {
      if (answer.ok) document.getElementById("order")?.removeAttribute("open");
      else toast(answer.error ?? "");
    }, () => form.submit());
  }
});

document.addEventListener("click", (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest("a:is([data-copy], [data-saved])"));
  if (!link) return;
  if (link.dataset.saved) return toast(link.dataset.saved);
  event.preventDefault();
  const copied = navigator.clipboard ? navigator.clipboard.writeText(link.href) : Promise.reject();
  copied.then(() => toast(link.dataset.copy ?? ""), () => toast(link.href));
});

// ----------------------------------------------------------------------------------------------------------------------

document.documentElement.dataset.script = "";
document.addEventListener("dressed", () => (connection(), tick()));
document.addEventListener("switched", dress);
setInterval(tick, 250);
[asked, decision] = [one(".now[data-yours]") !== null, question(document.body)];
spoken();
fold();
look();
dress();
curve();
if (path) {
  const { silence, receipt } = document.body.dataset;
  line = new Line(path, { silence: Number(silence), receipt: Number(receipt) }, hear, connection);
}
