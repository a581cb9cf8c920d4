// @ts-check
/* The service worker of all pages: shows the messages that the server pushes, and opens the table of one that is chosen. It
   answers no request, and keeps nothing. */

/** @typedef {{title: string, text: string, tag: string, link: string}} Message */

const worker = /** @type {any} */ (globalThis);

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));

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
