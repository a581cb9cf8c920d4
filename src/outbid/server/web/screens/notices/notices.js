// @ts-check
/* Fills in the reader's time zone where none is known yet, and offers those that this browser knows; the switch of messages to
   this browser is that of its tables. */

import { keep, kept, write } from "../dom.js";
import { allowed, begin, end } from "./push.js";

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-zone]"));
if (field && !field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
const zones = Intl.supportedValuesOf?.("timeZone") ?? [];
field?.list?.replaceChildren(...zones.map((name) => new Option(name, name)));

const box = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-notify]"));
const said = document.querySelector("[data-said]");
if (box) [box.disabled, box.checked] = [false, kept("notify", "off") === "on" && allowed()];
tell("");
if (box?.checked) begin(true).then((outcome) => tell(outcome.said));

/** @param {string} words */
function tell(words) {
  write(said, words);
  said?.toggleAttribute("hidden", !words);
}

box?.addEventListener("change", async () => {
  const outcome = box.checked ? await begin(true) : { on: false, said: "" };
  if (!box.checked) await end().catch(() => {});
  keep("notify", outcome.on ? "on" : "off");
  box.checked = outcome.on;
  tell(outcome.said);
  if (!outcome.said) location.reload();
});
