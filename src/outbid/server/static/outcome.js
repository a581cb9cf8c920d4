// @ts-check
/* Shows what came of it. */

/** @param {unknown} news */
export function shown(news) {}
