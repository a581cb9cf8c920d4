// @ts-check
/* Nobody sits here yet and this browser has no other seat to lose: nothing need be asked (templates/people/take.html). */

/** @type {HTMLFormElement | null} */ (document.querySelector("form[data-free]"))?.requestSubmit();
