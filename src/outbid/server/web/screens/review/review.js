// A review that is being made: shows how far it is, and the page anew when there is more to see.

const bar = /** @type {HTMLProgressElement | null} */ (document.querySelector("progress[data-review]"));
const EVERY = 1500; // ms

async function look() {
  if (!bar) return;
  try {
    const answer = await fetch(location.pathname, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(10_000) });
    const { status, done, before, review } = await answer.json();
    if (status === "running") {
      bar.value = done;
      for (const figure of document.querySelectorAll("#progress output")) figure.textContent = String(Math.round(100 * done));
    }
    if (!["running", "waiting"].includes(status) || (before ?? 0) !== Number(bar.dataset.before ?? 0) || (review?.worlds ?? 0) !== Number(bar.dataset.review)) {
      location.reload();
      return;
    }
  } catch {
    // the server will be there again
  }
  setTimeout(look, EVERY);
}

if (bar) setTimeout(look, EVERY);
