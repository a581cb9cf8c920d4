// @ts-check
/* Fills in the reader's time zone where none is known yet, and offers those that this browser knows. */

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-zone]"));
if (field && !field.value) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
const zones = Intl.supportedValuesOf?.("timeZone") ?? [];
field?.list?.replaceChildren(...zones.map((name) => new Option(name, name)));
