// @ts-check
/* The help of a game: what is asked now, as the page says it, and how to play, from the rulebook's page, fetched once. */

import { one, parse } from "../dom.js";

const guide = document.getElementById("guide");
/** How to play is here, or on its way. */
let begun = false;

guide?.addEventListener("beforetoggle", (event) => {
  if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
  const [now, asked, why] = [one("[data-now]", guide), one(".now > p"), one("#why > ul")];
  const question = Object.assign(document.createElement("h3"), { textContent: asked?.textContent ?? "" });
  now?.replaceChildren(question, ...(why ? [why.cloneNode(true)] : []));
  if (!begun) fill();
});

/** How to play: the first text of the rulebook. */
async function fill() {
  begun = true;
  try {
    const answer = await fetch(guide?.dataset.rules ?? "");
    const text = one("article", parse(await answer.text()));
    const place = one("[data-howto]", guide ?? document);
    if (place && text) place.lang = text.lang, place.replaceChildren(...text.childNodes);
  } catch {
    begun = false; // it can be read on its own page
  }
}
