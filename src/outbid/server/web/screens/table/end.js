// @ts-check
/* The end of a match, when it comes while one looks on. First all outcomes of the last move are shown, over the table as it was
   (outcome.js). Then the lights go down, the places are counted from the last to the first, and only then come the words: title,
   banner, log, what is read out, and the sound. A tap or a key ends the counting; without movement, where nobody looks, and on a
   page that is opened later all is there at once. */

import { all, away, calm, one } from "../dom.js";
import { countUp, whenShown } from "./outcome.js";

const PLACE = 900; // ms
/** The regions that say how the match ended; the others show it. */
const SAYING = ["opponents", "over", "log"];

/** @typedef {{regions: Record<string, string>, append: Record<string, string>, title: string}} News */
/** What is not on the page yet, from the last outcome to the words. @type {News | undefined} */
let pending;
/** Says all, at once. */
let finish = () => {};
/** Whether the counting has begun: before it the last outcome is shown, and a tap ends that. */
let begun = false;
for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, () => begun && finish(), { capture: true, passive: true });
document.addEventListener("visibilitychange", () => finish());

/** Whether news is of the end, which is not on the page yet. @param {News} news */
export const ends = (news) => !one("#over .banner") && Boolean(news.regions.over?.includes('class="banner'));

/** Of the news of the end, the regions that show what came of the last move. @param {News} news */
export const last = ({ regions }) => Object.fromEntries(Object.entries(regions).filter(([id]) => id === "result"));

/** Whether the end has come and has not been said yet. */
export const waits = () => pending !== undefined;

/** Adds news that comes before the end has been said to what waits. @param {News} news @returns {boolean} whether it waits */
export function joins(news) {
  if (!pending) return false;
  Object.assign(pending.regions, news.regions);
  for (const [id, lines] of Object.entries(news.append)) pending.append[id] = (pending.append[id] ?? "") + lines;
  return true;
}

/** @template {News} Some @param {Some} news of the end @param {(part: Some) => void} show puts news in place
 * @param {() => void} cheer what follows the words */
export function close(news, show, cheer) {
  pending = news;
  let timer = 0;
  finish = () => {
    finish = () => {};
    [pending, begun] = [undefined, false];
    clearTimeout(timer);
    delete document.documentElement.dataset.counting;
    show(news);
    cheer();
  };
  if (away()) return finish();
  whenShown(() => {
    if (pending !== news) return; // all of it is there
    if (calm.matches) return finish();
    const { regions, title } = news;
    const words = Object.fromEntries(SAYING.filter((id) => id in regions).map((id) => [id, regions[id]]));
    document.documentElement.dataset.counting = "";
    show({ ...news, regions: Object.fromEntries(Object.entries(regions).filter(([id]) => !(id in words))), append: {}, title: document.title });
    Object.assign(news, { regions: words, title });
    const rows = all(".results tbody > tr");
    const next = () => {
      const row = rows.pop();
      if (!row) return finish();
      begun = true;
      row.classList.add("reckoned");
      all("td b", row).forEach(countUp);
      timer = window.setTimeout(next, PLACE);
    };
    next();
  });
}
