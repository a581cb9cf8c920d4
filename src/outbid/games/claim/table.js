// @ts-check
/* A bill with an icon is raised by a first tap, and what it would do is said in the bar; a second tap plays it. A key plays it
   at once: whoever uses keys has had it read out (aria-describedby). */

/** The button of the bill that is raised, and what says what it would do. @type {[Element, Element] | undefined} */
let raised;

function lower() {
  raised?.[0].classList.remove("raised");
  raised?.[1].setAttribute("hidden", "");
  raised = undefined;
}

document.addEventListener("click", (event) => {
  const button = /** @type {Element} */ (event.target).closest("[data-raises]");
  const words = document.getElementById(button?.getAttribute("data-raises") ?? "");
  if (button && button === raised?.[0]) return;
  lower();
  if (!button || !words || !event.detail) return;
  event.preventDefault();
  raised = [button, words];
  button.classList.add("raised");
  words.removeAttribute("hidden");
}, { capture: true });
