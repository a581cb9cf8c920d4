// @ts-check
/* Says how things stand to a screen reader, when asked for by a key or by the button that the keyboard finds on top: what is
   asked, and the table as the terminal writes it line by line, in the language of the page. */

import { one } from "../dom.js";

const place = document.getElementById("aloud");

/** Fills the place that is read out; emptied first, so that the same is said again. */
export async function aloud() {
  if (!place) return;
  place.replaceChildren();
  let said = [one("#coach > .say")?.textContent ?? "", one(".now > p")?.textContent ?? ""];
  try {
    const answer = await fetch(location.href, { headers: { Accept: "application/json" } });
    const { question, board } = await answer.json();
    said = [question, ...board.split("\n")];
  } catch {
    // a lesson, or no server: what stands on the page is said
  }
  const lines = said.map((line) => line.replace(/^[\s*]+/, "").trim()).filter(Boolean);
  place.replaceChildren(...lines.map((textContent) => Object.assign(document.createElement("p"), { textContent })));
}

const button = document.querySelector("[data-aloud]");
button?.removeAttribute("hidden");
button?.addEventListener("click", aloud);
