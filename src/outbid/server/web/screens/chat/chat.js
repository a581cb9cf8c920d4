// @ts-check
/* The chat of a table: sends without a reload, counts what is new, opens by the key C. Without script the same forms work on
   the page of the chat. */

import { keep, kept, one } from "../dom.js";
import "../zone.js";
import { atHand, react } from "./signs.js";

const talk = () => /** @type {HTMLDetailsElement | null} */ (document.getElementById("talk"));
const place = `chat-${one("#chat")?.dataset.table}`;

/** The number of the last message that was read here. @param {number} [id] */
function read(id) {
  if (id !== undefined) keep(place, String(id));
  return Number(kept(place, "0"));
}

/** Counts what was said since. */
function count() {
  const details = talk();
  if (!details) return;
  const lines = /** @type {HTMLElement[]} */ ([...details.querySelectorAll("[data-id]")]);
  const ids = lines.map((line) => Number(line.dataset.id));
  if (details.open && !document.hidden && ids.length) read(Math.max(read(), ...ids));
  const last = read();
  const fresh = lines.filter((line, n) => (ids[n] ?? 0) > last && !line.classList.contains("mine")).length;
  const news = one(".news", details);
  const words = (news?.dataset.news ?? "").replace("{n}", String(fresh));
  if (news && (news.textContent !== words || news.hidden !== !fresh)) [news.textContent, news.hidden] = [words, !fresh];
  const link = one("[data-unread]");
  const called = (link?.dataset.unread ?? "").replace("{n}", String(fresh));
  if (link && (link.ariaLabel !== called || link.hidden !== !fresh)) {
    [link.ariaLabel, link.title, link.hidden] = [called, called, !fresh];
    link.textContent = `✉ ${fresh}`;
  }
}

/** Somebody has switched single keys off (table.js). */
const keyless = () => kept("keys", "on") === "off";

/** Opens the chat and gives it the focus. */
function open() {
  const details = talk();
  if (!details) return;
  details.open = true;
  details.scrollIntoView({ block: "nearest" });
  one("input:not([type=hidden])", details)?.focus();
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} button that was pressed */
async function say(form, button) {
  const error = one(".error", form);
  const body = new URLSearchParams(/** @type {any} */ ([...new FormData(form)]));
  if (button instanceof HTMLButtonElement && button.name) body.append(button.name, button.value);
  const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" }, signal: AbortSignal.timeout(10_000) });
  const said = await answer.json();
  if (error) [error.textContent, error.hidden] = [said.error ?? "", answer.ok];
  if (!answer.ok) return form.closest("details")?.setAttribute("open", ""); // a sign was sent from the dock
  const name = /** @type {HTMLInputElement | null} */ (one("input[name=name]", form));
  if (name) return location.reload(); // from now on this browser has a name here
  const text = /** @type {HTMLInputElement | null} */ (one("input[name=text]", form));
  if (text && !body.has("sign")) text.value = "";
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!("say" in form.dataset)) return;
  event.preventDefault();
  const error = one(".error", form);
  say(form, event.submitter).catch(() => error && ([error.textContent, error.hidden] = [form.dataset.failed ?? "", false]));
});

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && target.closest("#talk")) {
    talk()?.removeAttribute("open");
    one("#talk > summary")?.focus();
  } else if (event.key.toLowerCase() === "c" && !keyless() && !target.matches("textarea, select, input:not([type=radio], [type=checkbox])")) {
    event.preventDefault();
    open();
  }
});

document.addEventListener("click", (event) => {
  if (!(/** @type {Element} */ (event.target).closest("[data-unread]"))) return;
  event.preventDefault();
  open();
});

document.addEventListener("toggle", (event) => event.target === talk() && count(), true);
document.addEventListener("visibilitychange", count);
/** The list is another one after the region was replaced. */
function watch() {
  const list = one("#chat ol");
  if (list) lines.observe(list, { childList: true });
  atHand();
  count();
}
const lines = new MutationObserver((changes) => {
  count();
  for (const { addedNodes } of changes) addedNodes.forEach(react);
});
document.addEventListener("dressed", watch);
watch();
