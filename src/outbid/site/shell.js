// @ts-check
/* The page around everything on a site without a server: it starts Python in a worker, shows its pages in a frame, and hands
   on what the service worker and the pages' sockets ask. Address and title are those of the page in the frame. */

import { socketOf } from "./sockets.js";

const base = new URL("./", location.href);
const root = `${base.pathname}app`;
const script = new URL("sw.js", base).href;
const html = document.documentElement;
const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("iframe"));
const part = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const sizes = JSON.parse(part("sizes").textContent ?? "");
const PATIENCE = 2000; // ms: a page that is loaded anew may wait for the one before
/** Where Python runs. @type {Worker | undefined} */
let python;
let ready = false;

// --- what it says -----------------------------------------------------------------------------------------------------

/** Something that is to be known. @param {string} id */
const show = (id) => (part(id).hidden = false);

/** Nothing can be played, for a reason that is said. @param {string} obstacle @param {string} [text] */
function stop(obstacle, text = "") {
  if (html.dataset.obstacle === "changed") return; // the rest follows from it
  html.dataset.obstacle = obstacle;
  part("reason").textContent = text;
}

const progress = /** @type {HTMLProgressElement} */ (document.querySelector("progress"));
/** Bytes that have come of each file. @type {Record<string, number>} */
const loaded = {};
let steps = 0;

/** How far the start is: most of it is fetching. */
function advance() {
  const all = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  const have = Object.entries(loaded).reduce((sum, [name, size]) => sum + (name in sizes ? size : 0), 0);
  progress.value = Math.max(steps / 5, (0.5 * have) / all);
}

// --- Python -----------------------------------------------------------------------------------------------------------

/** Starts the worker, whose files the service worker checks and keeps. */
function run() {
  python = new Worker(new URL("python/worker.js", base), { type: "module" });
  Object.assign(window, { OutbidSocket: socketOf(python, frame) });
  python.onerror = (event) => stop("broken", event.message);
  python.onmessage = ({ data }) => {
    if (data.type === "step") steps = data.number;
    if (data.type === "failed") stop(data.obstacle, data.text);
    if (data.type === "unkept") show("unkept");
    if (data.type === "room") part("full").hidden = data.room;
    if (data.type === "ready") live();
    advance();
  };
  python.postMessage({ type: "start", base: root });
}

/** From now on pages are Python's. */
function live() {
  ready = true;
  part("start").hidden = true;
  html.dataset.ready = "";
  if (here() === "/" && !("opening" in html.dataset)) frame.contentWindow?.location.reload(); // what this device has played stands there
  navigator.serviceWorker.controller?.postMessage("fill");
  localStorage.setItem("started", "true"); // check.js: the next time is not the first
}

navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
  if (data.type === "kept") html.dataset.kept = ""; // from now on there may be no network
  else if (data.type === "changed") ready ? show("changed") : stop("changed", data.name);
  else if (data.type === "loaded") {
    loaded[data.name] = data.size;
    advance();
  } else if (!python || html.dataset.obstacle) return; // another tab answers
  else if (data.advance && !ready) port.postMessage({ language: html.lang });
  else {
    if (data.opens && !ready) html.dataset.opening = ""; // it is answered when Python runs
    data.asked.headers.push(["accept-language", html.lang]);
    python.postMessage(data, [port]);
  }
});

// --- the frame --------------------------------------------------------------------------------------------------------

/** The path of the page in the frame, below the root of all pages. */
const here = () => {
  const { pathname, search, hash } = /** @type {Window} */ (frame.contentWindow).location;
  return pathname.slice(root.length) + search + hash;
};

/** Shows a page. @param {string} path */
function visit(path) {
  const address = new URL(root + path, base);
  const inside = address.origin === base.origin && address.pathname.startsWith(`${root}/`);
  frame.contentWindow?.location.replace(inside ? address : `${root}/`);
}

frame.addEventListener("load", () => {
  const page = frame.contentDocument;
  if (!page || !frame.contentWindow?.location.pathname.startsWith(`${root}/`)) return;
  delete html.dataset.opening;
  history.replaceState(null, "", `#${here()}`);
  part("about").hidden = here() !== "/";
  remember().catch(() => {}); // no room, or the page is going
  html.lang = page.documentElement.lang;
  localStorage.setItem("language", html.lang);
  const title = page.querySelector("title");
  const follow = () => (document.title = page.title);
  page.addEventListener("submit", stay);
  if (title) new MutationObserver(follow).observe(title, { childList: true });
  follow();
});

/** Keeps what the front page shows of this device, for its first sight before Python runs (home.js). */
async function remember() {
  if (!ready || !/^\/(t\/|$)/.test(here())) return;
  const page = new DOMParser().parseFromString(await (await fetch(`${root}/`)).text(), "text/html");
  const parts = ["#mine", ".friends", ".today"].map((name) => [name, page.querySelector(name)?.outerHTML]);
  localStorage.setItem(`front-${page.documentElement.lang}`, JSON.stringify(parts));
}

/** Sends a form that leads back to its table, before a match or between two people: who goes back meets the page before the
 * table, not each step there. @this {Document} @param {SubmitEvent} event */
async function stay(event) {
  const form = /** @type {HTMLFormElement} */ (event.target), button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  const [, table] = form.action.match(/^(.*\/t\/[^/]+)\/(join|me|pass|seats|start)$/) ?? [];
  if (!table) return;
  event.preventDefault();
  if (form.ariaBusy) return;
  form.ariaBusy = "true";
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  if (button?.name) body.append(button.name, button.value);
  const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" }, redirect: "manual" });
  if (answer.type === "opaqueredirect") return frame.contentWindow?.location.replace(table);
  const refusal = new DOMParser().parseFromString(await answer.text(), "text/html");
  this.body.replaceWith(refusal.body);
  /** @type {HTMLElement | null} */ (this.querySelector("[autofocus]"))?.focus();
}

addEventListener("hashchange", () => {
  if (location.hash.slice(1) !== here()) visit(location.hash.slice(1));
});

// --- start ------------------------------------------------------------------------------------------------------------

/** Says that a newer version waits, and takes it when that is wanted. @param {ServiceWorkerRegistration} registration */
function offer(registration) {
  const waits = () => registration.waiting && registration.active && show("update");
  waits();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", waits));
  part("take").onclick = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    registration.waiting?.postMessage("take");
  };
  part("later").onclick = () => (part("update").hidden = true);
}

/** Waits for the service worker to answer this page's requests: at first none does, or that of a site around this one, and none
 * where the page was loaded past the cache. @param {ServiceWorkerRegistration} registration */
function controlled(registration) {
  return new Promise((resolve) => {
    const look = () => {
      if (navigator.serviceWorker.controller?.scriptURL === script) resolve(undefined);
      else registration.active?.postMessage("claim");
    };
    navigator.serviceWorker.addEventListener("controllerchange", look);
    registration.installing?.addEventListener("statechange", look);
    look();
  });
}

/** Waits until no other tab has the games open: two would write the same files. */
async function alone() {
  const said = setTimeout(stop, PATIENCE, "taken");
  await new Promise((resolve) => {
    navigator.locks.request(`outbid ${root}`, () => {
      resolve(undefined);
      return new Promise(() => {}); // for as long as this tab is open
    });
  });
  clearTimeout(said);
  if (html.dataset.obstacle === "taken") delete html.dataset.obstacle;
}

async function start() {
  const registration = await navigator.serviceWorker.register(script, { updateViaCache: "none" });
  await controlled(registration);
  await alone();
  run();
  visit(location.hash.slice(1) || "/");
  offer(registration);
  if (!(await navigator.storage.persist?.())) show("fleeting");
}

if (!html.dataset.obstacle) start().catch((error) => stop(error.name === "SecurityError" ? "unsafe" : "broken", String(error)));
