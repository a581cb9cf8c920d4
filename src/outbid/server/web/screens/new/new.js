// @ts-check
/* The set-up sheet: while it is filled in, what is wrong stands beside its field, what would do nothing above the button, and
   what differs from the chosen rules is marked. Without script all of that is said when the sheet is sent. */

import "../nickname.js";

const PAUSE = 250; // ms without a change before the server is asked

const form = /** @type {HTMLFormElement} */ (document.querySelector("[data-sheet]"));
const place = /** @type {HTMLElement} */ (form.querySelector("[data-idle]"));
const touched = new Set();

/** The rules that are chosen. */
const preset = () => /** @type {HTMLInputElement | null} */ (form.querySelector("[name=preset]:checked"))?.value ?? "seed";

/** Switches and what options are without a word of ours, as the chosen rules have them. */
function follow() {
  const chosen = preset();
  const shown = /** @type {HTMLInputElement | null} */ (form.querySelector("[name=shown]"));
  form.querySelectorAll(".switch input").forEach((one) => {
    const box = /** @type {HTMLInputElement} */ (one);
    const by = JSON.parse(box.dataset.by ?? "{}");
    if (shown && box.checked === by[shown.value]) box.checked = by[chosen];
  });
  if (shown) shown.value = chosen;
  let changes = 0;
  form.querySelectorAll("[data-option]").forEach((one) => {
    const field = /** @type {HTMLElement} */ (one);
    const [by, written] = [JSON.parse(field.dataset.by ?? "{}"), JSON.parse(field.dataset.written ?? "{}")];
    const input = /** @type {HTMLInputElement | HTMLSelectElement} */ (field.querySelector("select, input"));
    const instead = /** @type {HTMLElement} */ (field.querySelector(".instead"));
    const changed = input.value.trim() !== "" && input.value.trim() !== written[chosen];
    if (input instanceof HTMLSelectElement) {
      const empty = input.options[0];
      empty.dataset.words ??= empty.text.replace(by[empty.dataset.preset ?? start] ?? "", "{value}");
      empty.text = empty.dataset.words.replace("{value}", by[chosen]);
    } else input.placeholder = written[chosen];
    field.classList.toggle("changed", changed);
    instead.hidden = !changed;
    instead.textContent = (instead.dataset.instead ?? "").replace("{value}", by[chosen]);
    changes += Number(changed);
  });
  const count = /** @type {HTMLElement} */ (form.querySelector("[data-changes]"));
  count.hidden = !changes;
  count.textContent = (count.dataset.changes ?? "").replace("{n}", String(changes));
}

/** Mark the fields that are wrong; of those that nobody has touched yet nothing is said. @param {Record<string, string>} errors */
function mark(errors) {
  form.querySelectorAll(".error[id]").forEach((one) => {
    const words = /** @type {HTMLElement} */ (one);
    const name = words.id.slice(0, -"-error".length);
    const said = touched.has(name) || !words.hidden ? errors[name] ?? "" : "";
    words.textContent = said;
    words.hidden = !said;
    form.querySelectorAll(`[name="${CSS.escape(name)}"]`).forEach((field) =>
      said ? field.setAttribute("aria-invalid", "true") : field.removeAttribute("aria-invalid"));
  });
}

let timer = 0, asked = new AbortController();

async function judged() {
  asked.abort();
  asked = new AbortController();
  try {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    const answer = await fetch(`${form.action}/judge`, { method: "POST", body, headers: { accept: "application/json" }, signal: asked.signal });
    const { errors, refused, idle } = await answer.json();
    mark(errors);
    /** @type {[string, string][]} */
    const notes = refused ? [[refused, "error"]] : idle.map((/** @type {string} */ text) => [text, "caution"]);
    place.replaceChildren(...notes.map(([text, kind]) =>
      Object.assign(document.createElement("p"), { className: kind, textContent: text })));
  } catch {
    // a newer question is on its way, or no server: it is said when the sheet is sent
  }
}

const start = preset();
form.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  touched.add(field.name);
  const players = /** @type {HTMLSelectElement | null} */ (form.querySelector("[name=players]"));
  if (field.dataset.players && players) players.value = field.dataset.players;
  follow();
  clearTimeout(timer);
  timer = window.setTimeout(judged, PAUSE);
});
follow();
form.querySelector("[aria-invalid=true]")?.closest("details")?.setAttribute("open", "");
/** @type {HTMLElement | null} */ (form.querySelector("[aria-invalid=true]"))?.focus();
