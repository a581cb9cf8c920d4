// @ts-check
/* A sign that somebody has just sent stands at their seat for a moment; the line of the chat says the same. */

const SHOWN = 4000; // ms

/** @param {Node} line of the chat that has come just now */
export function react(line) {
  if (!(line instanceof HTMLElement) || !("sign" in line.dataset) || document.hidden) return;
  const sign = line.querySelector(".sign");
  const seat = line.dataset.who?.match(/^seat-(\d)$/)?.[1];
  const mine = line.classList.contains("mine");
  const place = seat && document.querySelector(mine ? "#goods" : `.seat.p${seat}`);
  if (!sign || !place) return;
  const { left, top, width } = place.getBoundingClientRect();
  document.querySelector(`.reaction[data-of="${seat}"]`)?.remove();
  const shown = document.createElement("span");
  shown.className = `reaction p${seat}`;
  shown.dataset.of = seat;
  shown.ariaHidden = "true";
  shown.append(sign.cloneNode(true));
  shown.style.left = `${Math.min(left + width - 34, innerWidth - 52)}px`;
  shown.style.top = `${Math.max(4, top - 14)}px`;
  document.body.append(shown);
  setTimeout(() => shown.remove(), SHOWN);
}
