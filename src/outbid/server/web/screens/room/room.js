// @ts-check
/* The waiting room: who is there, whether an invitation has changed, what is half typed when the page is loaded again, and on
   top of it a mark of what was said and is not in sight. */

import { all, keep as store, kept, one, unlessSent } from "../dom.js";
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

const { room, table } = document.body.dataset; // of an invitation: who sits here already hears by the socket

/** Load the invitation again if it would show something else. */
async function lookAgain() {
  if (document.hidden || !table) return;
  try {
    const answer = await fetch(`${table}/room`);
    if (answer.status === 404 || (answer.ok && (await answer.json()).room !== room)) unlessSent(() => location.replace(table));
  } catch {
    // no server just now
  }
}

function lookAround() {
  look();
  lookAgain();
}

lookAround();
setInterval(lookAround, EVERY);
document.addEventListener("visibilitychange", lookAround);

/** What is typed into a field outlives that its page is loaded again.
 * @param {string} field
 * @param {string} key */
function keep(field, key) {
  const input = /** @type {HTMLInputElement | null} */ (document.querySelector(field));
  if (!input) return;
  try {
    sessionStorage.length;
  } catch {
    return; // a browser without storage
  }
  const kept = sessionStorage.getItem(key);
  if (kept && !input.hasAttribute("aria-invalid")) {
    input.value = kept;
    if (sessionStorage.getItem("typing") === key) input.focus();
  }
  const begin = () => {
    sessionStorage.setItem("typing", key);
    if (input.value === input.defaultValue) input.select(); // what stood there goes with the first letter
  };
  if (document.activeElement === input) begin();
  input.addEventListener("focus", begin);
  input.addEventListener("blur", () => sessionStorage.removeItem("typing"));
  input.addEventListener("input", () => sessionStorage.setItem(key, input.value));
  input.form?.addEventListener("submit", () => sessionStorage.removeItem(key));
}

keep("form[data-say] [name=text]", `say ${location.pathname}`);
keep("[data-nickname]", `name ${table ?? location.pathname}`);

// whoever has said something is at #say, which opens a closed chat: at the table it would lie over the choices
for (const event of ["load", "hashchange"]) addEventListener(event, () => {
  if (/^#(say|talk)$/.test(location.hash)) history.replaceState(history.state, "", location.pathname + location.search);
});

/** What is in sight has been read, also for the chat beside the table (chat.js). */
const talk = one("#chat");
const link = one("[data-unread]");
if (talk && link) {
  const place = `chat-${talk.dataset.table}`;
  const ids = all("[data-id]:not(.mine)", talk).map((line) => Number(line.dataset.id));
  const fresh = ids.filter((id) => id > Number(kept(place, "0"))).length;
  [link.textContent, link.hidden] = [`✉ ${(link.dataset.unread ?? "").replace("{n}", String(fresh))}`, !fresh];
  const last = all("[data-id]", talk).at(-1);
  if (last) {
    const read = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      store(place, last.dataset.id ?? "0");
      link.hidden = true;
    });
    if (document.readyState === "complete") read.observe(last);
    else addEventListener("load", () => read.observe(last)); // before, all may lie at the top
  }
}
