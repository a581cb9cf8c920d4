// @ts-check
/* A bill with an icon is raised by a first tap, and what it would do is said in the bar; a second tap plays it. A key plays it
   at once: whoever uses keys has had it read out (aria-describedby).

   A deal is summed up in a line while it is put together; one that is left is put together anew. */

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

/** What a side of a deal consists of: "2, 3 × 0, the stack of 3s". @param {Element} form @param {string} side */
function things(form, side) {
  const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`[name^="cards:${side} "]`));
  const laid = [...inputs].map((input) => ({ thing: input.dataset.thing, n: input.type === "checkbox" ? Number(input.checked) : Number(input.value) }));
  return laid.filter(({ n }) => n > 0).map(({ thing, n }) => (n > 1 ? `${n} × ${thing}` : thing)).join(", ");
}

/** @param {Element | null} form */
function sumUp(form) {
  const line = /** @type {HTMLOutputElement | null | undefined} */ (form?.querySelector("output.total"));
  if (!form || !line) return;
  const [give, get] = [things(form, "give"), things(form, "get")];
  const { words = "", nothing = "" } = line.dataset;
  line.textContent = give || get ? words.replace("{give}", () => give || nothing).replace("{get}", () => get || nothing) : "";
}

document.addEventListener("input", (event) => sumUp(/** @type {Element} */ (event.target).closest(".deal")));
document.addEventListener("toggle", (event) => {
  const details = /** @type {HTMLDetailsElement} */ (event.target);
  for (const form of details.open ? [] : /** @type {NodeListOf<HTMLFormElement>} */ (details.querySelectorAll(".deal"))) {
    form.reset();
    sumUp(form);
  }
}, { capture: true });
