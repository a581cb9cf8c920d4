// @ts-check
/* The language, and what this browser lacks, in words that the oldest of them understands; the page has the sentences. */

(function () {
  var html = document.documentElement;
  var liked = String(navigator.language).slice(0, 2);
  try {
    liked = localStorage.getItem("language") || liked;
    if (localStorage.getItem("started")) html.setAttribute("data-again", "");
  } catch (error) {} // nothing may be kept here
  html.lang = liked === "de" ? "de" : "en";
  var missing =
    location.protocol === "file:" ? "file"
    : !("serviceWorker" in navigator) || !window.caches ? "unsafe"
    : typeof WebAssembly !== "object" || !window.FileSystemFileHandle || !Array.prototype.at ? "old"
    : "";
  if (missing) html.setAttribute("data-obstacle", missing);
})();
