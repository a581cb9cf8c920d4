// @ts-check
/* Folds what others bid against each other into one line of the log, "Clara and Dora go up to 180", which opens at a click.
   All lines stay in the page; without script all are shown. */

import { all, one, say } from "../dom.js";

const SHORT = 3; // so many lines are shown as they are

/** The first lines of the runs that somebody has opened, by what they say and where they stand. @type {Set<string>} */
const opened = new Set();

/** Folds the log anew. */
export function fold() {
  const list = one("#log ol");
  if (!list) return;
  for (const old of all(":scope > .duel", list)) old.remove();
  /** @type {HTMLElement[]} */
  let run = [];
  const lines = all(":scope > li", list);
  for (const [n, line] of lines.entries()) {
    const fits = "bidding" in line.dataset;
    if (fits) run.push(line);
    else line.hidden = false;
    if (!fits || n === lines.length - 1) finish(run), (run = []);
  }
  const last = one("#log > summary > .last");
  const end = list.lastElementChild;
  if (last && end instanceof HTMLElement && end.hidden) last.textContent = all(".duel", list).at(-1)?.textContent ?? "";
}

/** @param {HTMLElement[]} run lines that follow each other */
function finish(run) {
  const first = run[0];
  const bids = run.map((line) => ({ line, amount: amount(line) })).filter(({ amount }) => amount > 0);
  const each = new Set(bids.map(({ line }) => line.dataset.move)).size === bids.length; // sealed bids are told of one move
  const key = `${first?.dataset.move} ${first?.textContent}`;
  const folds = first !== undefined && run.length > SHORT && bids.length > 1 && each;
  for (const line of run) line.hidden = folds && !opened.has(key);
  if (!folds || opened.has(key)) return;
  const names = [...new Set(bids.map(({ line }) => one(".name", line)?.textContent ?? ""))];
  const who = names.length > 1 ? `${names.slice(0, -1).join(", ")} ${say("and")} ${names.at(-1)}` : names[0] ?? "";
  const most = Math.max(...bids.map(({ amount }) => amount));
  const words = Object.assign(document.createElement("button"), { type: "button", textContent: say(names.length > 1 ? "duel.many" : "duel.one", { names: who, amount: most }) });
  words.addEventListener("click", () => (opened.add(key), fold()));
  const told = Object.assign(document.createElement("li"), { className: "duel" });
  told.append(words);
  first.before(told);
}

/** What a line says was bid; 0: nothing. @param {HTMLElement} line */
function amount(line) {
  const words = [...line.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent).join(" ");
  return Number(words.match(/\d+/)?.[0] ?? 0);
}
