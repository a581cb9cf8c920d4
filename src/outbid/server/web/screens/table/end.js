// @ts-check
/* The end of a match, when it comes while one looks on. The lights go down, the places are counted from the last to the first,
   and only then come the words: title, banner, log, what is read out, and the sound. A tap or a key ends the counting; without
   movement, where nobody looks, and on a page that is opened later all is there at once. */

import { all, away, calm, one } from "../dom.js";
import { countUp, whenShown } from "./outcome.js";

const PLACE = 900; // ms
/** The regions that say how the match ended; the others show it. */
const SAYING = ["opponents", "over", "log"];

/** Says all, at once. */
let finish = () => {};
/** Whether the counting has begun: before it the last outcome is shown, and a tap ends that. */
let begun = false;
for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, () => begun && finish(), { capture: true, passive: true });
document.addEventListener("visibilitychange", () => finish());

/** Whether news is of the end, which is not on the page yet. @param {{regions: Record<string, string>}} news */
export const ends = (news) => !one("#over .banner") && Boolean(news.regions.over?.includes('class="banner'));

/** The regions that show the end and do not say it. @param {{regions: Record<string, string>}} news */
export const things = (news) => Object.fromEntries(Object.entries(news.regions).filter(([id]) => !SAYING.includes(id)));

/** @template {{regions: Record<string, string>, append: Record<string, string>, title: string}} News
 * @param {News} news of the end @param {(part: News) => void} show puts news in place @param {() => void} cheer what follows the words */
export function close(news, show, cheer) {
  finish();
  if (calm.matches || away()) return show(news), cheer();
  const words = Object.fromEntries(Object.entries(news.regions).filter(([id]) => SAYING.includes(id)));
  document.documentElement.dataset.counting = "";
  show({ ...news, regions: things(news), append: {}, title: document.title });
  count(() => {
    show({ ...news, regions: words });
    cheer();
  });
}

/** Shows the rows of the results, the last one first. @param {() => void} done */
function count(done) {
  let [waiting, timer] = [all(".results tbody > tr"), 0];
  finish = () => {
    finish = () => {};
    begun = false;
    clearTimeout(timer);
    waiting = [];
    delete document.documentElement.dataset.counting;
    done();
  };
  const next = () => {
    const row = waiting.pop();
    if (!row) return finish();
    begun = true;
    row.classList.add("reckoned");
    all("td b", row).forEach(countUp);
    timer = window.setTimeout(next, PLACE);
  };
  whenShown(() => waiting.length && next());
}
