// @ts-check
/* A button that shares what stands in a field, as the system shares things; where it cannot, the button copies it.
   On a site without a server only the browser knows the address of the page around this one, by which its places (data-place)
   are found. */

import "./nickname.js";

document.querySelectorAll("[data-share]").forEach((one) => {
  const button = /** @type {HTMLButtonElement} */ (one);
  const field = /** @type {HTMLInputElement | null} */ (document.querySelector(button.dataset.share ?? ""));
  if (!field) return;
  if (field.dataset.place) field.value += `\n${new URL(`#/${field.dataset.place}`, parent.location.href)}`;
  const title = button.dataset.title;
  const words = button.textContent;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(field.value);
    } catch { // not allowed here: what is selected can be copied by hand
      field.select();
      if (!document.execCommand("copy")) return;
    }
    button.textContent = button.dataset.copied ?? words;
    setTimeout(() => { button.textContent = words; }, 2000);
  };
  button.addEventListener("click", async () => {
    const what = title ? { title, url: field.value } : { text: field.value };
    if (!navigator.share || (navigator.canShare && !navigator.canShare(what))) return copy();
    try {
      await navigator.share(what);
    } catch (error) {
      if (/** @type {Error} */ (error).name !== "AbortError") await copy();
    }
  });
  button.setAttribute("aria-live", "polite");
  button.hidden = false;
});
