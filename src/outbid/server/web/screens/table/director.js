// @ts-check
/* Who holds time on a page (docs/server.md, "Time"). News is put in place in the order in which it comes. If it has an outcome
   that concerns the reader, the question that comes with it waits until that has been seen (outcome.js): nothing can be chosen,
   the first-time card stays away, and later news waits in line. A page that slept puts everything in place at once. */

import { all, away, one } from "../dom.js";
import { holds, inPlace, next, shown } from "./outcome.js";
import { rest } from "./regions.js";

const BEHIND = 10_000; // ms
const ASKING = "#now, #dock, #goods, #orders, #stage, #over";

/** @template News @typedef {{come: (news: News) => void, ask: (news: News) => void}} Acts come: put news in place; ask: then what
 * follows from it for the reader. */

/** @template News */
export class Director {
  /** @param {Acts<News>} acts */
  constructor(acts) {
    this.acts = acts;
    /** News that waits, and when it came. @type {{news: News, at: number}[]} */
    this.line = [];
    /** What was put in place and is not asked yet. @type {News | undefined} */
    this.held = undefined;
    document.addEventListener("released", () => this.release());
    document.addEventListener("visibilitychange", () => document.hidden && this.held !== undefined && next());
  }

  /** @param {News} news */
  take(news) {
    this.line.push({ news, at: performance.now() });
    if (this.held === undefined || this.late) this.go();
  }

  /** Whether this page has fallen behind, or nobody looks at it. */
  get late() {
    return away() || performance.now() - (this.line[0]?.at ?? Infinity) > BEHIND;
  }

  /** Puts news in place until some of it holds. */
  go() {
    for (let first = this.line.shift(); first; first = this.line.shift()) {
      this.held = first.news;
      this.acts.come(first.news);
      shown();
      if (holds() && !this.late) return hold(true);
      this.ask();
    }
  }

  /** What was held has been seen. */
  release() {
    if (this.held === undefined) return;
    hold(false);
    this.ask();
    for (const region of all(ASKING)) rest(region, true); // the tap that ended the hold chooses nothing
    this.go();
  }

  ask() {
    const news = /** @type {News} */ (this.held);
    this.held = undefined;
    hold(false);
    this.acts.ask(news);
  }
}

/** @param {boolean} on */
function hold(on) {
  if (on) document.documentElement.dataset.holding = inPlace() ? "in-place" : "";
  else delete document.documentElement.dataset.holding;
  for (const region of all(ASKING)) region.inert = on;
  if (on && document.activeElement?.closest(ASKING)) one("#result")?.focus();
}
