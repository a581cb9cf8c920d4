// @ts-check
/* What one's score would be without the cards that are chosen for a bid (rules.py, "the score"). */

/** @param {HTMLFormElement} form */
function rest(form) {
  const line = /** @type {HTMLElement | null} */ (form.querySelector("[data-rest]"));
  const chosen = cards(form).some((card) => card.checked);
  form.toggleAttribute("data-chosen", chosen);
  if (!line) return;
  const rules = form.dataset;
  const now = Number(rules.score);
  const left = chosen ? score(form) : now;
  const loss = now - left;
  const { all = "", less = "", more = "", same = "" } = line.dataset;
  const words = !chosen ? all : loss > 0 ? less : loss ? more : same;
  line.textContent = words.replace("{score}", String(left)).replace("{n}", String(Math.abs(loss)));
}

/** The cards of the hand, wherever they lie. @param {HTMLFormElement} form */
const cards = (form) => /** @type {HTMLInputElement[]} */ ([...form.elements].filter((card) => card.matches("[data-family]")));

/** @param {HTMLFormElement} form */
function score(form) {
  /** @type {Map<string, number[]>} */
  const families = new Map();
  for (const card of cards(form).filter((one) => !one.checked)) {
    const family = card.dataset.family ?? "";
    families.set(family, [...(families.get(family) ?? []), Number(card.dataset.value)]);
  }
  const [full, penalty, triplet, metal] = ["full", "penalty", "triplet", "metal"].map((name) => Number(form.dataset[name]));
  let points = 0;
  for (const [family, values] of families) {
    const sum = values.reduce((total, value) => total + value, 0);
    const threes = Math.floor(values.length / 3);
    if (["COIN", "SILVER", "GOLD"].includes(family)) {
      const bonus = form.dataset.coins === "per_three" ? threes : form.dataset.coins === "once" ? Math.min(1, threes) : 0;
      points += sum + metal * bonus;
    } else {
      const triplets = [20, 30].filter((value) => values.filter((other) => other === value).length === 3).length;
      points += (sum < full ? Math.max(0, sum - penalty) : sum) + triplet * triplets;
    }
  }
  return points;
}

document.addEventListener("recounted", ({ target }) => target instanceof HTMLFormElement && rest(target));
document.querySelectorAll("form[data-picker]").forEach((form) => form instanceof HTMLFormElement && rest(form));
