// @ts-check
/* A line in the log, "While you were away", above the first entry that came while nobody looked at this page or its line was
   down; it stays until the next move one makes, for whoever watches until the page is left. What was seen last is remembered in this browser, for the newest tables. */

import { all, keep, kept, one, say } from "../dom.js";

const MOST = 50; // tables
const table = document.body.dataset.socket?.match(/\/t\/([^/?]+)\/socket/)?.[1] ?? "";

/** @param {HTMLElement} line */
const move = (line) => Number(line.dataset.move);
/** The lines of the log. */
const lines = () => all("#log ol > li[data-move]");

/** @typedef {{seen?: number, from?: number | null}} Kept */
/** The move of the newest entry that was seen (none: one was not here before), and the first move that was not, while the
 * line stands above it. @type {Kept} */
let { seen, from = null } = remembered();
/** Something may have come unseen. */
let missed = true;

/** What is remembered, by table. @returns {[string, Kept][]} */
function everything() {
  try {
    const found = JSON.parse(kept("seen", "[]"));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function remembered() {
  return new Map(everything()).get(table) ?? {};
}

function remember() {
  const others = everything().filter(([name]) => name !== table);
  keep("seen", JSON.stringify([...others, [table, { seen, from }]].slice(-MOST)));
}

/** The line to the server is down. */
export const absent = () => (missed = true);

/** After every change of the log, and when one looks again: draws the line, and remembers what is seen. */
export function look() {
  if (!table || document.hidden) return;
  const there = lines();
  const newest = Math.max(-1, ...there.map(move));
  const last = seen;
  if (missed && last !== undefined && newest > last) from = Math.min(...there.map(move).filter((one) => one > last));
  missed = false;
  draw(there);
  seen = newest;
  if (newest !== last) remember();
}

/** @param {HTMLElement[]} there */
function draw(there) {
  const first = from === null ? undefined : there.find((line) => move(line) >= (from ?? 0));
  const old = one("#log .since");
  if (!first) return old?.remove();
  const before = first.hidden && first.previousElementSibling?.matches(".duel") ? first.previousElementSibling : first;
  if (old && old.nextElementSibling === before) return;
  const mark = old ?? Object.assign(document.createElement("li"), { className: "since", textContent: say("since") });
  before.before(mark);
  reveal();
}

/** In sight, where the log is shown. */
function reveal() {
  one("#log .since")?.scrollIntoView({ block: "nearest" });
}

/** One has moved: what stands above that is no news any more. */
export function moved() {
  if (from === null) return;
  from = null;
  one("#log .since")?.remove();
  remember();
}

document.addEventListener("visibilitychange", () => (document.hidden ? absent() : look()));
document.getElementById("log")?.addEventListener("toggle", reveal);
