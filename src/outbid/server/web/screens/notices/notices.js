// @ts-check
/* Fills in the reader's time zone where none is known yet. */

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-zone]"));
if (field && !field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
