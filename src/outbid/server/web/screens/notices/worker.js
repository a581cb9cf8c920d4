// @ts-check
/* The service worker of all pages, in one of two roles, each below the folder that it is registered for:

   of a server, it shows the messages that the server pushes, and opens the table of one that is chosen. It answers no request,
   and keeps nothing.

   of a site that plays in the browser alone (site/build.py), which writes SITE before it: it answers all requests. Files come
   from what is kept, once their hash is the right one, so the site works offline; pages come from the page around them, in
   whose worker Python runs. A new version is fetched whole, and waits until somebody wants it. */

/** @typedef {{title: string, text: string, tag: string, link: string}} Message */

const worker = /** @type {any} */ (globalThis);

/** @type {{version: string, root: string, files: Record<string, string>, sizes: Record<string, number>} | undefined} */
const site = worker.SITE;

worker.addEventListener("install", (/** @type {any} */ event) => {
  if (site && worker.registration.active) event.waitUntil(fill());
  else worker.skipWaiting();
});
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(begin()));

/** Takes over the pages that are open, and gives up the files of former versions. */
async function begin() {
  await worker.clients.claim();
  if (!site) return;
  const kept = await caches.open(worker.registration.scope);
  const hashes = new Set(Object.values(site.files));
  for (const { url } of await kept.keys()) if (!hashes.has(new URL(url).search.slice(1))) await kept.delete(url);
}

worker.addEventListener("push", (/** @type {any} */ event) => {
  /** @type {Message} */
  const { title, text, tag, link } = event.data.json();
  const icon = new URL("icon-192.png", worker.registration.scope).href;
  event.waitUntil(worker.registration.showNotification(title, { body: text, tag, icon, data: link }));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

worker.addEventListener("pushsubscriptionchange", (/** @type {any} */ event) => event.waitUntil(move(event)));

/** The page of an address, where it is open, else a new one. @param {string} link */
async function open(link) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((/** @type {any} */ { url }) => url.split(/[?#]/)[0] === link);
  return page ? page.focus() : worker.clients.openWindow(link);
}

/** The push service takes messages elsewhere from now on. @param {any} event */
async function move({ newSubscription, oldSubscription }) {
  const { pushManager, scope } = worker.registration;
  const subscription = newSubscription ?? (await pushManager.subscribe(oldSubscription.options));
  const { endpoint, keys } = subscription.toJSON();
  const body = new URLSearchParams({ endpoint, key: keys.p256dh, secret: keys.auth });
  await fetch(new URL("notices/push", scope), { method: "POST", body, headers: { Accept: "application/json" } });
}

// --- of a site --------------------------------------------------------------------------------------------------------

const PAGES = "app/"; // what is below it and no file is a page of Python's
const HOUSE = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; frame-src 'self'; base-uri 'none'; form-action 'self'";
/** @type {Record<string, string>} */
const TYPES = {
  html: "text/html; charset=utf-8", js: "text/javascript", mjs: "text/javascript", css: "text/css", json: "application/json",
  wasm: "application/wasm", svg: "image/svg+xml", png: "image/png", webmanifest: "application/manifest+json", zip: "application/zip", zst: "application/zstd",
};

if (site) {
  worker.addEventListener("fetch", (/** @type {any} */ event) => {
    const { scope } = worker.registration;
    if (event.request.url.startsWith(scope)) event.respondWith(answered(event.request, new URL(event.request.url), new URL(scope).pathname));
  });
  worker.addEventListener("message", (/** @type {any} */ event) => {
    if (event.data === "take") worker.skipWaiting();
    if (event.data === "claim") worker.clients.claim();
    if (event.data === "fill") event.waitUntil(fill());
  });
}

/** @param {Request} request @param {URL} address @param {string} folder path of the site @returns {Promise<Response>} */
async function answered(request, address, folder) {
  const name = address.pathname.slice(folder.length) || "index.html";
  if (name in own().files) return file(name);
  if (!name.startsWith(PAGES)) return fetch(request);
  if (request.destination === "document") // a page that was opened by itself
    return Response.redirect(`${folder}#/${name.slice(PAGES.length)}${address.search}`, 302);
  return page(request, address, folder, `${name.slice(PAGES.length)}/index.html`.replace(/^\//, ""));
}

const own = () => /** @type {NonNullable<typeof site>} */ (site);

/** A file of the site: as it is kept, else fetched and compared with its hash. @param {string} name */
async function file(name) {
  const hash = own().files[name];
  const kept = await caches.open(worker.registration.scope);
  const key = `${worker.registration.scope}?${hash}`;
  const former = await kept.match(key);
  if (former) return former;
  const content = await loaded(name);
  if (!content) return changed(name);
  const digest = await crypto.subtle.digest("SHA-256", content);
  const found = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (found !== hash) return changed(name);
  const headers = { "Content-Type": TYPES[name.split(".").pop() ?? ""] ?? "text/plain", "Content-Security-Policy": HOUSE };
  const answer = () => new Response(content, { headers });
  await kept.put(key, answer()).catch(() => {}); // no room: it is fetched again
  return (await kept.match(key)) ?? answer(); // what is kept takes no memory here
}

/** The answer where a file is missing or another one: there may be a newer version, or it was damaged on its way. @param {string} name */
async function changed(name) {
  worker.registration.update().catch(() => {});
  for (const client of await windows()) client.postMessage({ type: "changed", name });
  return new Response(`${name} is not the file of this version.`, { status: 503 });
}

/** The bytes of a file, none where it is missing; the pages hear how far it is.
 * @param {string} name @returns {Promise<Uint8Array<ArrayBuffer> | undefined>} */
async function loaded(name) {
  const answer = await fetch(new URL(name, worker.registration.scope), { cache: "no-cache" });
  if (!answer.ok || !answer.body) return undefined;
  const content = new Uint8Array(own().sizes[name]);
  let size = 0, told = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done || size + value.length > content.length) break;
    content.set(value, size);
    size += value.length;
    if (size - told < 250_000) continue;
    told = size;
    for (const client of await windows()) client.postMessage({ type: "loaded", name, size });
  }
  return content;
}

/** Keeps all files of this version. */
async function fill() {
  for (const name of Object.keys(own().files)) {
    const answer = await file(name);
    if (!answer.ok) throw new Error(await answer.text());
  }
  for (const client of await windows()) client.postMessage({ type: "kept" });
}

/** @returns {Promise<any[]>} */
const windows = () => worker.clients.matchAll({ type: "window", includeUncontrolled: true });

/** A page as Python renders it; before it runs, the one that is there in advance.
 * @param {Request} request @param {URL} address @param {string} folder @param {string} spare @returns {Promise<Response>} */
async function page(request, address, folder, spare) {
  const headers = [...request.headers, ["host", address.host]];
  if (request.referrer) headers.push(["referer", request.referrer]);
  const advance = request.method === "GET" && !address.search && `pages/en/${spare}` in own().files;
  const asked = { method: request.method, path: address.pathname + address.search, headers, body: await request.arrayBuffer() };
  const around = (await windows()).filter(({ url }) => new URL(url).pathname.replace(/index\.html$/, "") === folder);
  if (!around.length) return new Response("No page is open that runs the games.", { status: 503 });
  const answer = await new Promise((resolve) => {
    for (const window of around) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data);
      window.postMessage({ type: "request", asked, advance, opens: request.mode === "navigate" }, [port2]);
    }
  });
  if (answer.language) {
    const text = await (await file(`pages/${answer.language}/${spare}`)).text();
    return new Response(text.replaceAll(own().root, `${folder}app`), { headers: { "Content-Type": TYPES.html } });
  }
  const told = new Headers(answer.headers.filter((/** @type {string[]} */ [name]) => name.toLowerCase() !== "set-cookie"));
  const policy = told.get("Content-Security-Policy");
  if (policy) told.set("Content-Security-Policy", policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"));
  return new Response([204, 304].includes(answer.status) || !answer.body.length ? null : answer.body, { status: answer.status, headers: told });
}
