// @ts-check
/* Messages to this browser that come also when no page is open: whether they can, and where its push service takes them. The
   server is told that anew with every table that is opened; worker.js shows what comes. */

/** What a switch is told: whether it is on, what there is to say, and whether that is of a message that was lost.
 * @typedef {{on: boolean, said: string, lost: boolean}} Outcome */

const ROOT = new URL("../../", import.meta.url);
/** @type {Record<string, string>} */
const WORDS = JSON.parse(document.getElementById("obstacles")?.textContent ?? "{}");

/** Why no message can come; "": one can, if one allows it. */
function obstacle() {
  const apple = /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
  if (!isSecureContext) return "insecure";
  if (!("Notification" in window)) return apple ? "install" : "silent";
  return Notification.permission === "denied" ? "denied" : "";
}

/** Whether this page may show messages. */
export const allowed = () => !obstacle() && Notification.permission === "granted";

/** What shows messages while no page is open, if this browser has any. @returns {Promise<ServiceWorkerRegistration | undefined>} */
export const worker = async () => (await navigator.serviceWorker?.getRegistration(ROOT).catch(() => undefined)) ?? undefined;

/** Switches messages on; asks, if nobody has been asked. @param {boolean} offered the server sends some @returns {Promise<Outcome>} */
export async function begin(offered) {
  const why = obstacle() || ((await Notification.requestPermission()) === "granted" ? "" : "denied");
  if (why) return { on: false, said: WORDS[why] ?? "", lost: false };
  const missing = await subscribe(offered).catch(() => "near");
  return { on: true, said: WORDS[missing] ?? "", lost: missing === "unreached" };
}

/** Switches them off. */
export async function end() {
  const subscription = await (await worker())?.pushManager?.getSubscription();
  if (!subscription) return;
  await tell("notices/push/stop", { endpoint: subscription.endpoint }).catch(() => {});
  await subscription.unsubscribe();
}

/** Lets the worker in, and the server know where messages go; what is missing. @param {boolean} offered */
async function subscribe(offered) {
  await navigator.serviceWorker.register(new URL("sw.js", ROOT), { scope: ROOT.pathname });
  if (!offered) return "near";
  const { pushManager } = await navigator.serviceWorker.ready;
  const { key } = await (await fetch(new URL("notices/push", ROOT), { headers: { Accept: "application/json" } })).json();
  let subscription = await pushManager.getSubscription();
  if (subscription && text(subscription.options.applicationServerKey) !== key) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const [p256dh, secret] = [text(subscription.getKey("p256dh")), text(subscription.getKey("auth"))];
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
  const answer = await tell("notices/push", { endpoint: subscription.endpoint, key: p256dh, secret, zone });
  return answer.ok ? answer.trouble ?? "" : "near";
}

/** @param {string} path @param {Record<string, string>} fields */
async function tell(path, fields) {
  const headers = { Accept: "application/json" };
  const answer = await fetch(new URL(path, ROOT), { method: "POST", body: new URLSearchParams(fields), headers });
  return answer.json();
}

/** Bytes in base64 as URLs have it. @param {ArrayBuffer | null} bytes */
function text(bytes) {
  const letters = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
