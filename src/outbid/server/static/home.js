// @ts-check
/* The front page: while a table is set up, what would do nothing at it, and why it could not be played, is said above the
   button. Without script it is said at the table. */

const PAUSE = 250; // ms without a change before the server is asked

/** @param {HTMLFormElement} form @param {Element} place where it is said */
function judged(form, place) {
  let timer = 0, asked = new AbortController();
  const ask = async () => {
    asked.abort();
    asked = new AbortController();
    try {
      const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
      const answer = await fetch("/tables/judge", { method: "POST", body, headers: { accept: "application/json" }, signal: asked.signal });
      const { idle, refused } = await answer.json();
      place.replaceChildren(...(refused ? [refused] : idle).map((/** @type {string} */ said) => Object.assign(
        document.createElement("p"), { className: refused ? "error" : "caution", textContent: said })));
    } catch {
      // a newer question is on its way, or no server: the table says it, too
    }
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(ask, PAUSE);
  });
}

document.querySelectorAll("[data-idle]").forEach((place) => judged(/** @type {HTMLFormElement} */ (place.closest("form")), place));
