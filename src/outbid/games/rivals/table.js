// @ts-check
/* What one's points would be with the cards that are chosen (rules.py, "the score"). */

/** @param {HTMLFormElement} form */
function foretell(form) {
  if (!form.dataset.model) return;
  const line = form.querySelector("output");
  const model = JSON.parse(form.dataset.model);
  const chosen = /** @type {HTMLInputElement[]} */ ([...form.elements].filter((input) => input.matches("input[data-choice]:checked"))).map((input) => input.name.slice(6));
  if (!line || !chosen.length) return;
  const more = ["R", "B", "G", "Y", "W"].reduce((sum, colour) => sum + added(model, colour, chosen.filter((card) => card[0] === colour)), 0);
  const [before, after] = [model.points, model.points + more];
  line.textContent = (form.dataset.foretold ?? "")
    .replace("{before}", String(before)).replace("{more}", String(more)).replace("{after}", String(after));
}

/** What cards of one colour add. @param {any} model @param {string} colour @param {string[]} cards */
function added(model, colour, cards) {
  const { footprints = 0, handshakes = 0, numbers = 0, points = 0 } = model.expeditions[colour] ?? {};
  const laid = cards.filter((card) => card[1] !== "x").map((card) => Number(card.slice(1)));
  const feet = footprints + laid.reduce((sum, n) => sum + model.footprints[n - 2], 0);
  const shakes = handshakes + cards.length - laid.length;
  const bonus = numbers + laid.length >= model.least ? model.bonus : 0;
  return feet * (shakes + 1) + bonus - points;
}

document.addEventListener("recounted", ({ target }) => target instanceof HTMLFormElement && foretell(target));
document.querySelectorAll("form[data-picker]").forEach((form) => form instanceof HTMLFormElement && foretell(form));
