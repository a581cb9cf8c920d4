// @ts-check
/* The workbench: another seat is made large, the panel is kept up to date, and all is loaded again after a restart. */

const EVERY = 700; // ms between two looks

const panel = /** @type {HTMLElement} */ (document.getElementById("panel"));
/** Between pressing a button and letting it go it must not be replaced: the click would be lost. */
let pressed = false;
panel.addEventListener("pointerdown", () => (pressed = true));
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => setTimeout(() => (pressed = false)));

/** @param {string} seat */
function enlarge(seat) {
  for (const eye of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".eye"))) eye.classList.toggle("large", eye.dataset.seat === seat);
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("a[data-seat]"))) {
    if (link.dataset.seat === seat) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  history.replaceState(null, "", `?seat=${seat}`);
}

document.addEventListener("click", (event) => {
  const place = event.target instanceof Element ? event.target.closest("[data-seat]") : null;
  if (!(place instanceof HTMLElement)) return;
  event.preventDefault();
  enlarge(place.dataset.seat ?? "0");
});

/** What the panel says now. A part that says the same stays, and so does all while a button is pressed. @param {string} html */
function take(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const state = /** @type {HTMLElement} */ (fresh.content.getElementById("state"));
  if (state.dataset.boot !== panel.dataset.boot || state.dataset.seats !== document.body.dataset.seats) return location.reload();
  const asked = (state.dataset.asked ?? "").split(" ");
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("a[data-seat]"))) link.classList.toggle("asked", asked.includes(link.dataset.seat ?? ""));
  for (const part of [...fresh.content.children]) {
    const old = document.getElementById(part.id);
    const typing = document.activeElement instanceof HTMLInputElement && old?.contains(document.activeElement);
    if (!old || typing || pressed || old.isEqualNode(part)) continue;
    const log = old.querySelector("#verify");
    const [top, end] = log ? [log.scrollTop, log.scrollTop + log.clientHeight >= log.scrollHeight - 4] : [0, true];
    old.replaceWith(part);
    const now = part.querySelector("#verify");
    if (now) now.scrollTop = end ? now.scrollHeight : top;
  }
}

/** @param {RequestInit} [how] */
async function look(how) {
  const query = new URLSearchParams(location.search);
  query.set("part", "panel");
  try {
    if (how) {
      const done = await fetch(location.pathname, { ...how, headers: { Accept: "application/json" } });
      const refused = /** @type {HTMLElement} */ (document.getElementById("refused"));
      [refused.hidden, refused.textContent] = [done.ok, done.ok ? "" : (await done.json()).error];
    }
    const answer = await fetch(`${location.pathname}?${query}`);
    if (answer.ok) take(await answer.text());
  } catch {
    // the server begins again, or has ended
  }
}

panel.addEventListener("submit", (event) => {
  event.preventDefault();
  const { target, submitter } = /** @type {SubmitEvent} */ (event);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  look({ method: "POST", body: new URLSearchParams(/** @type {any} */ (new FormData(/** @type {HTMLFormElement} */ (target), submitter))) });
});

look();
setInterval(() => look(), EVERY);
