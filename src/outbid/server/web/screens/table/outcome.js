// @ts-check
/* Shows what came of an auction, a trade, an exchange as a card on the stage, one after the other, each until a tap, a key or for
   as long as `stays` says. What concerns the reader holds the next question meanwhile (director.js): it stands large on the
   stage, also on a phone; what others did is told while nothing is asked, and at the side of what is asked. At the pace
   "instant", and on a page that nobody looks at, nothing is held. The region has them all; without script it shows them. */

import { all, away, calm, one, soon } from "../dom.js";
import { sound } from "./switches.js";

const STAYS = 2000; // ms
const LONGEST = 2500; // ms for two sums and what they come to: with the way here less than the clock waits (clocks.HOLD)
const DOUBLE = 400; // ms
const COUNTS = 600; // ms for a sum to count up

/** The move of the newest outcome that was on the page, or seen before it (a lesson). */
let newest = Number(document.body.dataset.seen ?? Math.max(-1, ...cards().map((card) => card.move)));
/** The outcomes that wait to be shown, by their keys; the first one is. @type {string[]} */
let waiting = [];
/** @type {number | undefined} */
let ending;
/** When the outcome that is shown began to hold: the second tap of a double one does not end it. */
let since = 0;
/** What is done when no outcome is shown any more. */
let then = () => {};

/** @param {() => void} act */
export function whenShown(act) {
  then = act;
  if (!waiting.length) goOn();
}

/** Does what waits, later than the tap that has ended an outcome: it shall not end what follows, too. */
function goOn() {
  const act = then;
  then = () => {};
  soon(act);
}

/** The outcomes on the page, with the move each tells and a key: the number of that move, and how many of it follow. */
function cards() {
  /** @type {Map<number, number>} */
  const after = new Map();
  return all("#result [data-outcome]").reverse().map((card) => {
    const move = Number(card.dataset.outcome);
    after.set(move, (after.get(move) ?? -1) + 1);
    return { card, move, key: `${move}.${after.get(move)}` };
  }).reverse();
}

/** The outcome that is shown. */
const current = () => cards().find(({ key }) => key === waiting[0])?.card;
/** Whether one of the outcomes of a move concerns the reader. @param {number} move */
const matters = (move) => cards().some((card) => card.move === move && "mine" in card.card.dataset);
/** @param {string | undefined} key */
const concerns = (key) => key !== undefined && matters(parseInt(key));
const instant = () => one("#result")?.dataset.pace === "instant";

/** Whether the outcome that is shown is shown by the things on the stage, and by no card. */
export const inPlace = () => "inPlace" in (current()?.dataset ?? {});

/** Whether the outcome that is shown holds the next question. */
export const holds = () => waiting.length > 0 && !instant() && !away() && concerns(waiting[0]);

/** After every swap: new outcomes are lined up, and the one that is shown stands again. */
export function shown() {
  const fresh = cards().filter(({ move }) => move > newest);
  newest = Math.max(newest, ...fresh.map(({ move }) => move));
  if (away()) return void (waiting = []);
  const own = fresh.filter(({ move }) => matters(move));
  const begun = waiting.length > 0;
  const told = own.length || instant() ? own : fresh;
  const rest = own.length && !waiting.some(concerns) ? [] : waiting; // of others nothing is told before what concerns the reader
  waiting = [...new Set([...rest, ...told.map(({ key }) => key)])];
  if (!waiting.some(concerns)) {
    const moves = [...new Set(waiting.map((key) => parseInt(key)))].slice(one("#over .banner") ? -1 : -3);
    waiting = waiting.filter((key) => moves.includes(parseInt(key)));
  }
  if (waiting.length && (!begun || !rest.length)) begin();
  else mark();
}

/** Marks the outcome that is shown. */
function mark() {
  const now = current();
  for (const card of all("#result .shown")) card.classList.toggle("shown", card === now);
  now?.classList.add("shown");
  one("#result")?.classList.toggle("holding", holds());
  if (now) fit(now);
  if (waiting.length && !now) next();
  return now;
}

/** The things of a card that is higher than the stage are drawn smaller, until what they come to is in sight. @param {HTMLElement} card */
function fit(card) {
  card.style.removeProperty("--part");
  for (let part = 10; part > 3 && card.scrollHeight > card.clientHeight + 1; part--) card.style.setProperty("--part", String((part - 1) / 10));
}

/** How long a card stands, in ms. @param {HTMLElement} card */
const stays = (card) => (all(".figure", card).length > 1 && !("inPlace" in card.dataset) ? LONGEST : STAYS);

function begin() {
  clearTimeout(ending);
  const now = mark();
  if (!now) return;
  since = performance.now();
  sound(now.dataset.sound ?? "");
  now.classList.add("fresh");
  if (!inPlace()) all("[data-sum]", now).forEach(countUp); // on the stage lies what one chooses from
  ending = window.setTimeout(next, stays(now));
}

/** The outcome that is shown has been seen. */
export function next() {
  clearTimeout(ending);
  const held = holds();
  waiting.shift();
  if (waiting.length) begin();
  else mark(), goOn();
  if (held && !holds()) document.dispatchEvent(new Event("released"));
}

for (const event of ["pointerdown", "pointerup", "keydown"]) {
  document.addEventListener(event, (given) => {
    const held = holds();
    if (!waiting.length || (event === "pointerdown" && held) || (event === "pointerup" && !held)) return; // a finger that is lifted chooses what lies there
    const target = given.target instanceof Element ? given.target : null;
    const key = given instanceof KeyboardEvent;
    if (key && (given.ctrlKey || given.metaKey || given.altKey || given.key === "Tab" || target?.matches("input, textarea"))) return;
    if (key && held) given.preventDefault(), given.stopImmediatePropagation(); // the key has ended the hold, and chooses nothing
    if (!held || performance.now() - since > DOUBLE) next();
  }, { capture: true });
}

/** Notes and coins fall on whoever has won. */
export function cheer() {
  if (calm.matches || document.hidden || !one("#over .banner.won")) return;
  const rain = Object.assign(document.createElement("div"), { className: "cheer" });
  rain.setAttribute("aria-hidden", "true");
  document.body.append(rain);
  const falls = Array.from({ length: 60 }, (_, n) => {
    const piece = Object.assign(document.createElement("i"), { className: `p${n % 6}` });
    piece.style.left = `${Math.random() * 100}%`;
    rain.append(piece);
    const [side, turns] = [(Math.random() - 0.5) * 160, (Math.random() - 0.5) * 1080];
    const end = { transform: `translate(${side}px, ${innerHeight + 60}px) rotate(${turns}deg) rotateX(${2 * turns}deg)` };
    return piece.animate([{ transform: "none" }, end], { duration: 2200 + Math.random() * 1800, delay: Math.random() * 900, easing: "cubic-bezier(0.3, 0.2, 0.6, 1)", fill: "both" }).finished;
  });
  Promise.all(falls).finally(() => rain.remove());
}

/** Counts a figure up to what it says. @param {HTMLElement} figure */
export function countUp(figure) {
  const text = figure.textContent ?? "";
  const number = Number(text.replace(/[.,\s](?=\d{3}\b)/g, ""));
  if (calm.matches || document.hidden || !Number.isInteger(number) || !number) return;
  let [part, before] = [0, performance.now()];
  figure.dataset.counting = "";
  const step = () => {
    const now = performance.now();
    part = Math.min(1, part + Math.min((now - before) / COUNTS, 0.25)); // a late frame does not leap to the sum
    before = now;
    figure.textContent = part < 1 ? String(Math.round(number * part)) : text;
    if (part === 1) delete figure.dataset.counting;
    if (part < 1 && figure.isConnected) requestAnimationFrame(step);
  };
  step();
}
