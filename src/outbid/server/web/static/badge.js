// @ts-check
/* How many tables wait for somebody: in the title of the page, and on the icon of the installed app. */

const plain = document.title;

/** @param {number} turn */
export function badge(turn) {
  document.title = turn ? `(${turn}) ${plain}` : plain;
  mark(turn);
}

/** On the icon alone. @param {number} turn */
export function mark(turn) {
  const app = /** @type {any} */ (navigator);
  if (turn) app.setAppBadge?.(turn).catch(() => {});
  else app.clearAppBadge?.().catch(() => {});
}
