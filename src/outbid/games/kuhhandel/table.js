// @ts-check
/* The notes that are chosen in the hand lie on the stage, in the place of the offer, with their sum. */

/** @param {HTMLFormElement} form */
function lay(form) {
  const line = /** @type {HTMLElement | null} */ (document.querySelector("#stage [data-tray-sum]"));
  if (!line) return;
  const notes = /** @type {HTMLInputElement[]} */ ([...form.elements].filter((field) => field.matches("[name^='cards:']")));
  const counts = new Map(notes.map((field) => [field.dataset.value, Number(field.value) || 0]));
  for (const pile of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#stage [data-tray]"))) {
    const count = counts.get(pile.dataset.tray) ?? 0;
    const times = pile.querySelector(".times");
    pile.hidden = count === 0;
    if (times) times.textContent = count > 1 ? `×${count}` : "";
  }
  const laid = [...counts].filter(([, count]) => count);
  const sum = laid.reduce((total, [value, count]) => total + Number(value) * count, 0);
  line.classList.toggle("figure", laid.length > 0);
  line.textContent = laid.length ? String(sum) : line.dataset.nothing ?? "";
}

document.addEventListener("recounted", ({ target }) => target instanceof HTMLFormElement && lay(target));
document.querySelectorAll("form[data-picker]").forEach((form) => form instanceof HTMLFormElement && lay(form));
