// @ts-check
/* Shows what came of an auction, a trade, an exchange as a card over the stage, one after the other: each stays until a tap, a key
   or 2.5 s. At the pace "instant" only what the reader was part of. The region holds them all; without script it shows them. */

import { all, calm, one, soon, wide } from "../dom.js";
import { sound } from "./switches.js";

const STAYS = 2500; // ms
const COUNTS = 600; // ms for a sum to count up

/** The move of the newest outcome that was on the page. */
let newest = Math.max(-1, ...numbers());
/** The moves whose outcomes wait to be shown, the first one is. @type {number[]} */
let waiting = [];
/** Whether a tap has opened the one that is shown. */
let opened = false;
/** @type {number | undefined} */
let ending;
/** What is done when no outcome is shown any more. */
let then = () => {};

/** @param {() => void} act */
export function whenShown(act) {
  then = act;
  if (!waiting.length) rest();
}

/** Later than the tap that has ended an outcome: it shall not end what follows, too. */

function rest() {
  const act = then;
  then = () => {};
  soon(act);
}

function numbers() {
  return all("#result [data-outcome]").map((card) => Number(card.dataset.outcome));
}

/** After every swap: new outcomes are lined up, and the one that is shown stands again. */
export function shown() {
  const instant = one("#result")?.dataset.pace === "instant";
  const fresh = all("#result [data-outcome]").filter((card) => Number(card.dataset.outcome) > newest);
  newest = Math.max(newest, ...numbers());
  const begun = waiting.length > 0;
  waiting.push(...new Set(fresh.filter((card) => !instant || "mine" in card.dataset).map((card) => Number(card.dataset.outcome))));
  waiting = waiting.filter((move, n) => n === 0 || move > newest - 40).slice(one("#over .banner") ? -1 : -3); // the end is not covered long
  if (!begun && waiting.length) begin();
  else mark();
}

/** Marks the outcome that is shown. On a phone it lies folded on the seats when the reader is asked (table.css), until it is
 * opened; but what was revealed to them stands large where nothing lies on offer yet. */
function mark() {
  const cards = all("#result [data-outcome]").filter((card) => Number(card.dataset.outcome) === waiting[0]);
  for (const card of all("#result .shown")) if (!cards.includes(card)) card.classList.remove("shown");
  for (const card of cards) card.classList.add("shown");
  const revealed = cards.some((card) => "mine" in card.dataset && card.dataset.sound === "reveal");
  one("#result")?.classList.toggle("opened", opened || (revealed && one("#stage")?.dataset.phase === "turn"));
  if (waiting.length && !cards.length) next();
  return cards;
}

function begin() {
  clearTimeout(ending);
  const cards = mark();
  if (!cards.length) return;
  sound(cards[0]?.dataset.sound ?? "");
  for (const card of cards) card.classList.add("fresh"), all("[data-sum]", card).forEach(countUp);
  ending = window.setTimeout(next, STAYS);
}

function next() {
  clearTimeout(ending);
  waiting.shift();
  opened = false;
  if (waiting.length) begin();
  else mark(), rest();
}

for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, ({ target }) => waiting.length && (open(target) || next()), { capture: true, passive: true });

/** A tap on a card that lies folded opens it, until the next tap. @param {EventTarget | null} target */
function open(target) {
  if (!(target instanceof Element && target.closest(".now[data-yours] ~ #result:not(.opened) > .outcome.shown")) || wide.matches) return false;
  opened = true;
  clearTimeout(ending);
  mark();
  return true;
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
  const begun = performance.now();
  figure.dataset.counting = "";
  const step = () => {
    const part = Math.min(1, (performance.now() - begun) / COUNTS);
    figure.textContent = part < 1 ? String(Math.round(number * part)) : text;
    if (part === 1) delete figure.dataset.counting;
    if (part < 1 && figure.isConnected) requestAnimationFrame(step);
  };
  step();
}
