// @ts-check
/* The waiting room: who is there, and a message that is half typed when the page is loaded again. */

import "../share.js";

const EVERY = 5000; // ms
const dots = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-there]")]);

/** Who looks at the table. */
async function look() {
  if (document.hidden || !dots.length) return;
  try {
    const { here } = await (await fetch(`${location.pathname}/here`)).json();
    for (const dot of dots) {
      const on = Boolean(here[Number(dot.dataset.there)]);
      dot.classList.toggle("on", on);
      dot.textContent = (on ? dot.dataset.on : dot.dataset.off) ?? "";
    }
  } catch {
    // no server just now
  }
}

look();
setInterval(look, EVERY);
document.addEventListener("visibilitychange", look);

const say = /** @type {HTMLInputElement | null} */ (document.querySelector("form[data-say] [name=text]"));
if (say) {
  const key = `say ${location.pathname}`;
  const kept = sessionStorage.getItem(key);
  if (kept) {
    say.value = kept;
    say.focus();
  }
  say.addEventListener("input", () => sessionStorage.setItem(key, say.value));
  say.form?.addEventListener("submit", () => sessionStorage.removeItem(key));
}
