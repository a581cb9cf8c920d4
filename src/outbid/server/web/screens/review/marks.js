// @ts-check
/* Beside a replay (moments.html): marks at the table the move that was made and the better one, with the reason; looks how far the
   review is; and keeps in this browser of which kinds the mistakes of its last matches were. */

import { all, keep, kept, one, soon, visible } from "../dom.js";
import { face } from "../table/choices.js";
import { show } from "../table/replay.js";

const EVERY = 1500; // ms between two looks at a review that is made
const MATCHES = 5; // whose mistakes are remembered, of each game
const AIR = 8; // px between a thing and what is said of it

/** @typedef {Record<string, any>} Move */

/** @param {any} value */
const plain = (value) => JSON.stringify(value, Object.keys(value ?? {}).sort());

/** What makes a move at this table: the cards it names, its button, or what opens its form. @param {Move} move @returns {Element[]} */
function things(move) {
  /** @type {(HTMLButtonElement | HTMLInputElement)[]} */
  const whole = all("form[data-move] :is(button, input)[name=move]");
  const exact = whole.find((each) => plain(JSON.parse(each.value)) === plain(move));
  const cards = all("[name^='cards:']").filter((field) => move.cards?.some((/** @type {any} */ card) => field.getAttribute("name") === `cards:${card}`));
  /** @type {HTMLInputElement[]} */
  const kinds = all("form[data-move] input[name=do]");
  const fits = (/** @type {HTMLFormElement | null} */ form) => all("input[type=hidden]:is([name^='str:'], [name^='int:'])", form ?? document)
    .every((field) => String(move[field.getAttribute("name")?.slice(4) ?? ""]) === field.getAttribute("value"));
  const form = kinds.find((each) => each.value === move.do && fits(each.form))?.form;
  const made = cards.length ? cards : [exact ?? form].filter((each) => each != null);
  return made.map((each) => shown(each)).filter((each) => each != null);
}

/** The part of a control that is seen: itself, its label, or what opens the choice that it is folded in. @param {Element} control */
function shown(control) {
  const seen = control.closest("label, .denomination") ?? (control instanceof HTMLElement ? face(control) : control);
  if (visible(seen)) return seen;
  const closed = control.closest("details:not([open])");
  return [...document.querySelectorAll(`[data-opens="${closed?.id}"]`), closed?.querySelector("summary")].find((each) => each && visible(each)) ?? null;
}

/** Marks both moves where the review tells of them. */
function mark() {
  for (const old of all(".ghost, .bubble")) old.remove();
  for (const old of all("[data-ghost], [data-marked]")) old.removeAttribute("data-ghost"), old.removeAttribute("data-marked");
  const told = one("#moments[data-made]");
  const [made, better] = [told?.dataset.made, told?.dataset.better].map((move) => (move ? things(JSON.parse(move)) : []));
  if (!told || !made || !better) return;
  for (const thing of made) thing.setAttribute("data-ghost", "made");
  for (const thing of better) thing.setAttribute("data-ghost", made.includes(thing) ? "both" : "better");
  one("#dock")?.setAttribute("data-marked", ""); // what is not meant makes room for the table
  const first = better[0];
  first?.scrollIntoView({ block: "nearest", inline: "nearest" });
  soon(() => {
    label(made[0], one(".made dd", told), "made");
    label(first, one(".better dd", told), "better");
  });
}

/** Says at a thing what was done with it, or could have been. @param {Element | undefined} thing @param {Element | null} words @param {string} look */
function label(thing, words, look) {
  if (!thing || !words) return;
  const bubble = Object.assign(document.createElement("p"), { className: `bubble ${look}`, textContent: words.textContent });
  bubble.setAttribute("aria-hidden", "true"); // the panel says it
  document.body.append(bubble);
  const [place, size] = [thing.getBoundingClientRect(), bubble.getBoundingClientRect()];
  const others = all(".bubble").filter((each) => each !== bubble).map((each) => each.getBoundingClientRect());
  const left = Math.min(Math.max(AIR, place.left + place.width / 2 - size.width / 2), innerWidth - size.width - AIR);
  let top = place.top - size.height - AIR;
  for (const other of others) if (other.left < left + size.width && left < other.right && other.top < top + size.height && top < other.bottom) top = other.top - size.height - AIR / 2;
  Object.assign(bubble.style, { left: `${left}px`, top: `${Math.max(AIR, top)}px` });
}

/** While the review is made: how far it is, and what is new of it. */
async function look() {
  const panel = one("#moments[data-review]");
  if (!panel) return;
  try {
    const answer = await fetch(`${location.pathname.replace(/replay$/, "review")}`, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(10_000) });
    const { status, done, before, review } = await answer.json();
    if (!["running", "waiting"].includes(status)) return location.reload();
    for (const bar of all("progress", panel)) if (status === "running") bar.setAttribute("value", String(done));
    for (const figure of all("#progress output")) figure.textContent = String(Math.round(100 * done));
    const better = new Set((review?.decisions ?? []).filter((/** @type {any} */ each) => each.better).map((/** @type {any} */ each) => each.move)).size;
    if (String(before ?? 0) !== panel.dataset.before || `${review?.worlds ?? 0} ${better}` !== panel.dataset.review) await show(new URL(location.href), true);
  } catch {
    // the server will be there again
  }
  setTimeout(look, EVERY);
}

/** Of which kinds the mistakes were, match by match, and how often this one was among them. */
function remember() {
  const line = one("[data-progress]");
  const [game, table, theme] = line?.dataset.progress?.split(" ") ?? [];
  if (!line || !game || !theme) return;
  /** @type {[string, string[]][]} */
  const matches = JSON.parse(kept(`mistakes-${game}`, "[]"));
  const own = matches.findIndex(([match]) => match === table);
  if (own < 0) matches.push([table ?? "", line.dataset.themes?.split(" ") ?? []]);
  const last = matches.slice(-MATCHES);
  if (own < 0) keep(`mistakes-${game}`, JSON.stringify(last));
  const times = last.filter(([, themes]) => themes.includes(theme)).length;
  line.hidden = last.length < 2;
  line.textContent = (line.dataset.words ?? "").replace("{n}", String(times)).replace("{all}", String(last.length));
}

function tell() {
  mark();
  remember();
}

document.addEventListener("dressed", tell);
addEventListener("resize", mark);
tell();
setTimeout(look, EVERY);
