// @ts-check
/* The switches of this browser, the six sounds of a table, and the message that it is your turn. */

import { all, keep, kept, one, opened, toast, write } from "../dom.js";
import { allowed, begin, end, worker } from "../notices/push.js";

const help = document.getElementById("help");

/** Whether something is switched on: messages are off, the others are on until somebody switches them off.
 * @param {string} name */
const on = (name) => kept(name, name === "notify" ? "off" : "on") === "on";

/** How loud the sounds are until somebody says otherwise, in percent. */
const QUIET = "25";
/** Whether there are sounds; also where the browser keeps nothing. */
let sounds = on("sound");
/** Nothing sounds before the visitor has touched the page or pressed a key. */
let touched = false;
for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, () => (touched = true), { capture: true, passive: true });

for (const box of /** @type {HTMLInputElement[]} */ (all("[data-switch]"))) box.checked = on(box.dataset.switch ?? "");
for (const range of /** @type {HTMLInputElement[]} */ (all("[data-volume]"))) range.value = kept("volume", QUIET);

help?.addEventListener("change", async ({ target }) => {
  const box = /** @type {HTMLInputElement} */ (target);
  if ("volume" in box.dataset) return void (keep("volume", box.value), sound("coin"));
  const name = box.dataset.switch ?? "";
  if (name === "notify" && box.checked) await listen(box);
  else if (name === "notify") end().catch(() => {});
  if (name === "sound") mute(!box.checked);
  else keep(name, box.checked ? "on" : "off");
  document.dispatchEvent(new Event("switched"));
});

/** @param {boolean} quiet */
function mute(quiet) {
  sounds = !quiet;
  keep("sound", sounds ? "on" : "off");
  for (const box of /** @type {HTMLInputElement[]} */ (all("[data-switch=sound]"))) box.checked = sounds;
  sign();
  sound("turn");
}

/** The sign in the line on top says whether there are sounds. */
function sign() {
  one("[data-mute]")?.setAttribute("aria-pressed", String(sounds));
}

document.addEventListener("dressed", sign);
document.addEventListener("click", ({ target }) => target instanceof Element && target.closest("[data-mute]") && mute(sounds));

/** Messages from now on, if they can come; else the switch says why not. @param {HTMLInputElement} box */
async function listen(box) {
  const { on, said } = await begin("push" in document.body.dataset);
  box.checked = on;
  const line = document.querySelector("#help [data-said]");
  line?.setAttribute("role", "status"); // only now, and before the words: then they are read out
  write(line, said);
  line?.toggleAttribute("hidden", !said);
  if (said && !(help && opened(help))) toast(said);
}

const messages = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-switch=notify]"));
if (messages?.checked && document.body.dataset.socket) {
  if (allowed()) begin("push" in document.body.dataset).then(({ lost, said }) => lost && toast(said));
  else messages.checked = false;
}

/** The sounds, each of tones: pitch in Hz, when it begins and how long it lasts in s, how loud, its wave; a pitch of 0 is a
 * rustle. @type {Record<string, [number, number, number, number, OscillatorType][]>} */
const SOUNDS = {
  hammer: [[150, 0, 0.09, 0.5, "triangle"], [95, 0.02, 0.14, 0.4, "sine"], [0, 0, 0.04, 0.25, "sine"]],
  coin: [[1760, 0, 0.25, 0.12, "sine"], [2637, 0.05, 0.35, 0.1, "sine"]],
  card: [[0, 0, 0.11, 0.3, "sine"]],
  reveal: [[523, 0, 0.3, 0.14, "sine"], [659, 0.09, 0.3, 0.14, "sine"], [784, 0.18, 0.4, 0.14, "sine"]],
  turn: [[587, 0, 0.45, 0.16, "sine"], [880, 0.14, 0.45, 0.16, "sine"]],
  end: [[392, 0, 0.5, 0.14, "sine"], [494, 0.12, 0.5, 0.14, "sine"], [587, 0.24, 0.5, 0.14, "sine"], [784, 0.36, 0.9, 0.16, "sine"]],
};

/** @type {AudioContext | undefined} */
let audio;

/** Plays a sound, if they are switched on and the visitor has done something here: no browser plays any before. @param {string} name */
export function sound(name) {
  const volume = Number(kept("volume", QUIET)) / 100;
  if (!touched || !sounds || !volume || !(name in SOUNDS)) return;
  const made = (audio ??= new AudioContext());
  made.resume().catch(() => {});
  for (const [pitch, begins, lasts, loud, wave] of SOUNDS[name] ?? []) {
    const [loudness, at] = [made.createGain(), made.currentTime + begins];
    const source = pitch ? tone(made, pitch, wave) : rustle(made, lasts);
    loudness.gain.setValueAtTime(0.0001, at);
    loudness.gain.exponentialRampToValueAtTime(Math.max(0.0002, loud * volume), at + 0.012);
    loudness.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
    source.connect(loudness).connect(made.destination);
    source.start(at);
    source.stop(at + lasts + 0.05);
  }
}

/** @param {AudioContext} made @param {number} pitch @param {OscillatorType} wave */
function tone(made, pitch, wave) {
  const source = made.createOscillator();
  [source.type, source.frequency.value] = [wave, pitch];
  return source;
}

/** Paper: noise that fades. @param {AudioContext} made @param {number} seconds */
function rustle(made, seconds) {
  const buffer = made.createBuffer(1, Math.ceil(made.sampleRate * seconds), made.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0, last = 0; n < samples.length; n++) samples[n] = last = 0.7 * last + 0.3 * (2 * Math.random() - 1);
  return Object.assign(made.createBufferSource(), { buffer });
}

/** @type {Notification | undefined} */
let note;
/** What the messages of this table have in common with those that the server sends: the newest takes the place of the others. */
const tag = document.body.dataset.socket?.split("/socket")[0] ?? "";

/** It is your turn now, or no more. @param {string} question what is asked; "": nothing */
export function remind(question) {
  forget();
  if (!question) return;
  sound("turn");
  if (!document.hidden || !on("notify") || !allowed()) return;
  try {
    note = new Notification(document.title, { body: question, tag });
    note.onclick = () => (focus(), note?.close());
  } catch {
    // a browser where only the worker may show any
    const data = location.href.split(/[?#]/)[0];
    worker().then((shows) => shows?.showNotification(document.title, { body: question, tag, data })).catch(() => {});
  }
}

/** Nothing is asked here any more, or one looks: messages of this table are of no use. */
function forget() {
  note?.close();
  note = undefined;
  if (!on("notify")) return;
  worker().then(async (shows) => (await shows?.getNotifications({ tag }))?.forEach((shown) => shown.close())).catch(() => {});
}

document.addEventListener("visibilitychange", () => document.hidden || forget());
