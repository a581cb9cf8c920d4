// @ts-check
/* The front page: it notices when it is somebody's turn, says so in its title and on the icon of the app, and remembers the
   nickname. Without script the page is the same as it was when it was loaded. */

import "../nickname.js";
import { badge } from "../badge.js";

const root = new URL("../..", import.meta.url); // of all pages
const EVERY = 20_000; // ms between two looks while the page is seen

const place = () => /** @type {HTMLElement} */ (document.getElementById("mine"));
let known = "";

/** The tables as they are, and what of them the page shows. */
async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch(new URL("mine", root), { headers: { accept: "application/json" } });
    const { turn, tables } = await answer.json();
    const now = JSON.stringify(tables);
    if (known && now !== known && !place().contains(document.activeElement)) {
      const page = new DOMParser().parseFromString(await (await fetch(root)).text(), "text/html");
      const fresh = page.getElementById("mine");
      if (fresh) place().replaceWith(fresh);
    }
    known = now;
    badge(turn);
  } catch {
    // no server just now: the page stays as it is
  }
}

if (parent !== window && !("ready" in parent.document.documentElement.dataset)) { // of a site: Python does not run yet (shell.js)
  for (const [name, html] of JSON.parse(localStorage.getItem(`front-${document.documentElement.lang}`) ?? "[]")) {
    const part = document.querySelector(name);
    if (part && html) part.outerHTML = html;
  }
}
badge(Number(place().dataset.turn));
look();
setInterval(look, EVERY);
document.addEventListener("visibilitychange", look);
addEventListener("pageshow", (event) => event.persisted && look());
