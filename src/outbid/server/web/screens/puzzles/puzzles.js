// @ts-check
/* A puzzle: the table begins below the panel, however much that says; the clock of a run. */

const panel = /** @type {HTMLElement} */ (document.getElementById("coach"));
const lay = () => document.body.style.setProperty("--coach", `${panel.offsetHeight}px`);
new ResizeObserver(lay).observe(panel);
lay();

const clock = /** @type {HTMLElement | null} */ (panel.querySelector("[data-left]"));
if (clock) {
  const ends = performance.now() + 1000 * Number(clock.dataset.left);
  const ticking = setInterval(() => {
    const left = Math.max(0, Math.round((ends - performance.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (left) return;
    clearInterval(ticking);
    location.assign("/puzzles");
  }, 500);
}
