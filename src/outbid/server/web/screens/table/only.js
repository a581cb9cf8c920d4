// @ts-check
/* Makes the only move there is, where the server says there is one (data-only): the bar shows it and fills, and it is made after
   a moment drawn evenly, so that its speed says nothing. Esc leaves it to the player, and so does the switch of this browser;
   while a first-time card is open, somebody reads. */

import { kept, one } from "../dom.js";
import { question } from "./regions.js";

const [SOONEST, LATEST] = [900, 2200]; // ms

/** The question that is being answered, or was left to the player. */
let settled = "";
/** @type {number | undefined} */
let going;

/** The button of the only move. */
const button = () => /** @type {HTMLButtonElement | null} */ (one("#dock[data-only] .single > button, #dock[data-only] button.pick"));

/** Every change of the page: whether there is an only move that is not on its way. */
function look() {
  const asked = one("#dock[data-only]") ? question(document.body) : "";
  if (settled && asked !== settled) stop();
  if (!asked || asked === settled || kept("only", "on") !== "on" || one(".learning, [data-lesson][open]")) return fill();
  settled = asked;
  const wait = SOONEST + Math.random() * (LATEST - SOONEST);
  document.body.style.setProperty("--wait", `${Math.round(wait)}ms`);
  going = window.setTimeout(() => {
    going = undefined;
    if (question(document.body) === asked && !one("#dock .act[open], #dock form[aria-busy=true], .veil")) made();
  }, wait);
  fill();
}

/** Makes the move; table.js knows by the mark that nobody has chosen it. */
function made() {
  const only = button();
  if (only) only.dataset.made = "", only.click();
}

/** Shows that the move is on its way. */
function fill() {
  button()?.classList.toggle("going", going !== undefined);
}

function stop() {
  clearTimeout(going);
  [going, settled] = [undefined, ""];
}

document.addEventListener("dressed", look);
document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape" || going === undefined) return;
  clearTimeout(going);
  going = undefined;
  fill();
});
