// @ts-check
/* The notebook of a seat: fetched when it is opened, kept when one has changed something and goes on. */

import { one, unfold } from "../dom.js";

const book = /** @type {HTMLFormElement | null} */ (document.getElementById("notes"));
const text = book && /** @type {HTMLTextAreaElement | null} */ (one("textarea", book));

document.addEventListener("click", (event) => {
  if (!book || !text || !(event.target instanceof Element) || !event.target.closest("[data-notes]")) return;
  event.preventDefault();
  unfold(book, true);
  text.disabled = true;
  fetch(book.action, { headers: { Accept: "application/json" } }).then((answer) => answer.json()).then((kept) => {
    [text.value, text.disabled] = [kept.text, false];
    text.focus();
  }, () => unfold(book, false));
});
text?.addEventListener("change", () => book?.requestSubmit());
