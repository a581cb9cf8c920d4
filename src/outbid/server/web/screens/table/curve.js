// @ts-check
/* At the end of a match the curve of who was winning, which leads to the review. The server makes it when it has nothing else to do. */

import { one } from "../dom.js";

const EVERY = 2000; // ms
let tries = 30;
let drawn = "";
let asked = false;

/** After every swap: the curve stands where it stood, or is asked for. */
export function curve() {
  const place = one("#over [data-curve]");
  if (!place) return;
  if (drawn) show(place);
  else if (!asked) ask(place.dataset.curve ?? "");
}

/** @param {string} address */
async function ask(address) {
  asked = true;
  const answer = await fetch(address).catch(() => null);
  if (answer?.status === 200) drawn = await answer.text();
  else if (answer?.status === 202 && tries-- > 0) return void setTimeout(ask, EVERY, address);
  curve();
}

/** @param {HTMLElement} place */
function show(place) {
  if (!place.firstElementChild) place.innerHTML = drawn;
  place.hidden = false;
}
