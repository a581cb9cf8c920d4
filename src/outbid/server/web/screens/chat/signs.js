// @ts-check
/* A sign that somebody has just sent stands at their seat for a moment; the line of the chat says the same. While others are
   asked there is room where one's own choices will be: there the signs are at hand, unless the chat is open or all others are bots. */

import { all, one } from "../dom.js";

const SHOWN = 4000; // ms

/** Puts the signs where there is nothing to do. There they press those of the chat: of its form they would be the first
    buttons, which Enter presses. */
export function atHand() {
  const [dock, signs] = [one("#dock.resting:not([hidden])"), one("#talk .signs:has(button)")];
  if (!dock || !signs || one(".signs", dock) || !one(".seat:not(:has(.tag.bot))")) return;
  const copy = /** @type {HTMLElement} */ (signs.cloneNode(true));
  for (const pressed of /** @type {HTMLButtonElement[]} */ (all("button", copy))) {
    pressed.type = "button";
    pressed.addEventListener("click", () => one(`#talk .signs button[value="${pressed.value}"]`)?.click());
  }
  dock.append(copy);
}

/** @param {Node} line of the chat that has come just now */
export function react(line) {
  if (!(line instanceof HTMLElement) || !("sign" in line.dataset) || document.hidden) return;
  const sign = line.querySelector(".sign");
  const seat = line.dataset.who?.match(/^seat-(\d)$/)?.[1];
  const mine = line.classList.contains("mine");
  const place = seat && document.querySelector(mine ? "#goods" : `.seat.p${seat}`);
  if (!sign || !place) return;
  const { left, top, width } = place.getBoundingClientRect();
  document.querySelector(`.reaction[data-of="${seat}"]`)?.remove();
  const shown = document.createElement("span");
  shown.className = `reaction p${seat}`;
  shown.dataset.of = seat;
  shown.ariaHidden = "true";
  shown.append(sign.cloneNode(true));
  shown.style.left = `${Math.min(left + width - 34, innerWidth - 52)}px`;
  shown.style.top = `${Math.max(4, top - 14)}px`;
  document.body.append(shown);
  setTimeout(() => shown.remove(), SHOWN);
}
