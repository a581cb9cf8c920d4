// @ts-check
/* One nickname for all pages: this browser remembers what was typed last. */

const root = new URL("..", import.meta.url).pathname; // of all pages
const YEAR = 365 * 24 * 3600; // s

/** @param {string} name */
function remember(name) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `nickname=${encodeURIComponent(name.trim().slice(0, 64))}; path=${root}; max-age=${YEAR}; samesite=lax${secure}`;
}

document.querySelectorAll("[data-nickname]").forEach((one) => {
  const field = /** @type {HTMLInputElement} */ (one);
  field.addEventListener("change", () => remember(field.value));
  field.form?.addEventListener("submit", () => remember(field.value));
});
