// @ts-check
/* The line to a table: a socket that notices when nothing comes any more, and moves that are sent until they are answered.

   A network that goes away without a word (sleep, another network) leaves a socket that looks open. The server says
   something every few seconds and confirms every message before it does anything about it; where that does not come, the
   line is made anew, and what waits is sent again under the same id, which the server carries out once. What comes after the
   page was hidden or suspended has happened meanwhile, until the server answers a probe that was sent when it woke. */

import { away, sleep } from "../dom.js";

/** @typedef {Record<string, string | string[]>} Fields */
/** A moment by two clocks: the one may be set, the other may rest while the computer sleeps.
 * @typedef {{wall: number, even: number}} Moment */
/** @typedef {{action: string, fields: Fields, sent: Moment | null, received: boolean}} Move */
/** @typedef {{type: "ack", id: string, ok: boolean, error: string | null, stale: boolean}} Ack */
/** @typedef {"live" | "quiet" | "sending" | "received" | "reconnecting" | "resending"} State */

/** What a line is made of: in a page without a server, what the page around it has instead. @type {typeof WebSocket} */
const Socket = /** @type {any} */ (parent).OutbidSocket ?? WebSocket;
const SLOW = 1000; // ms after which the page says that a move is still on its way
const NAP = 10_000; // ms in which this page has done nothing: it was suspended

/** @returns {Moment} */
const now = () => ({ wall: Date.now(), even: performance.now() });
/** ms that have passed. @param {Moment} moment */
const since = (moment) => Math.max(Date.now() - moment.wall, performance.now() - moment.even);

/** Sends a form and reads the answer; gives up when none comes. @param {string} address @param {Fields} fields
 * @param {number} patience ms @returns {Promise<Response>} */
export function post(address, fields, patience) {
  const body = new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => [value].flat().map((v) => [name, v])));
  const signal = AbortSignal.timeout(patience);
  return fetch(address, { method: "POST", body, headers: { Accept: "application/json" }, signal });
}

export class Line {
  /** Moves that are not answered. @type {Map<string, Move>} */
  moves = new Map();
  tries = 0;
  /** @type {WebSocket | undefined} */
  #socket;
  #begun = now();
  #heard = now();
  /** When this page last looked whether the line is dead. */
  #looked = now();
  /** When it was asked whether the line is alive. @type {Moment | null} */
  #probed = null;
  /** @type {number | undefined} */
  #again;
  /** Since when the page has not been in sight. @type {Moment | null} */
  #hidden = document.hidden ? now() : null;
  /** Whether the server takes the page to be hidden. */
  #away = false;

  /** @param {string} path @param {{silence: number, receipt: number}} patience in seconds
   * @param {(message: any) => void} hear @param {() => void} changed the state may be another one */
  constructor(path, patience, hear, changed) {
    this.address = location.origin.replace(/^http/, "ws") + path;
    this.silence = patience.silence * 1000;
    this.receipt = patience.receipt * 1000;
    this.hear = hear;
    this.changed = changed;
    addEventListener("online", () => this.renew());
    addEventListener("pageshow", (event) => event.persisted && this.renew());
    document.addEventListener("visibilitychange", () => {
      this.#hidden = document.hidden ? this.#hidden ?? now() : null;
      this.#sight();
      if (document.hidden) sleep(true);
      else this.probe();
    });
    setInterval(() => this.#check(), Math.min(1000, this.receipt / 5));
    this.connect();
  }

  get #open() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** How the line is. @returns {State} */
  get state() {
    if (!this.#open) return this.moves.size ? "resending" : "reconnecting";
    const slow = [...this.moves.values()].filter((move) => move.sent && since(move.sent) > SLOW);
    if (slow.length) return slow.every((move) => move.received) ? "received" : "sending";
    return since(this.#heard) > this.silence / 2 ? "quiet" : "live";
  }

  connect() {
    clearTimeout(this.#again);
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    this.#away = this.#hidden !== null;
    const socket = new Socket(this.address + (this.#hidden ? `&hidden=${Math.round(since(this.#hidden))}` : ""));
    [this.#socket, this.#begun, this.#probed] = [socket, now(), null];
    socket.onopen = () => {
      this.#heard = now();
      this.#sight();
      if (away()) this.probe();
      for (const [id, move] of this.moves) this.#transmit(id, move);
      this.changed();
    };
    socket.onmessage = (event) => this.#take(JSON.parse(event.data));
    socket.onclose = () => {
      this.#again = window.setTimeout(() => this.connect(), Math.min(10_000, 400 * 2 ** this.tries++) * (0.7 + 0.6 * Math.random()));
      for (const [id, move] of this.moves) this.#post(id, move);
      this.changed();
    };
  }

  /** Another socket in the place of this one, at once. */
  renew() {
    const old = this.#socket;
    this.#socket = undefined;
    if (old) {
      old.onopen = old.onmessage = old.onclose = null;
      old.close();
    }
    this.connect();
    this.changed();
  }

  /** Whether the line is alive: it is made anew if no answer comes soon. */
  probe() {
    if (this.#socket?.readyState === WebSocket.CONNECTING) return;
    if (!this.#open) return this.renew();
    this.#probed ??= now();
    this.#socket?.send(JSON.stringify({ type: "probe", id: "probe" }));
  }

  /** Says whether the page is in sight, unless the server knows. */
  #sight() {
    if (!this.#open || this.#away === (this.#hidden !== null)) return;
    this.#away = this.#hidden !== null;
    this.#socket?.send(JSON.stringify({ type: "sight", id: "sight", hidden: this.#hidden && Math.round(since(this.#hidden)) }));
  }

  /** A move; it is sent until it is answered. @param {string} id @param {string} action @param {Fields} fields */
  send(id, action, fields) {
    const move = { action, fields, sent: null, received: false };
    this.moves.set(id, move);
    if (this.#open) this.#transmit(id, move);
    else if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#post(id, move), this.connect();
    this.changed();
  }

  /** @param {string} id @param {Move} move */
  #transmit(id, move) {
    [move.sent, move.received] = [now(), false];
    this.#socket?.send(JSON.stringify({ type: "move", id, fields: move.fields }));
  }

  /** A move as a plain form, while there is no line. @param {string} id @param {Move} move */
  async #post(id, move) {
    try {
      const answer = await post(move.action, { ...move.fields, command: id }, 2 * this.receipt);
      if (answer.status === 429 || answer.status >= 500) return; // that is no answer
      const said = await answer.json();
      this.#take({ type: "ack", id, ok: answer.ok, error: said.error, stale: said.stale ?? false });
      if (!this.#open && (answer.ok || said.stale)) location.reload(); // forms arrive and sockets do not
    } catch {
      // neither do forms: the next line brings it
    }
  }

  /** Whether this page was suspended until now. */
  #wake() {
    if (since(this.#looked) <= NAP) return;
    sleep(true);
    this.#looked = now();
    this.probe();
  }

  /** @param {any} message */
  #take(message) {
    this.#wake();
    [this.#heard, this.#probed] = [now(), null];
    if (message.type !== "error") this.tries = 0; // who is turned away comes back later and later
    if (message.type === "receipt") {
      if (message.id === "probe" && !document.hidden) sleep(false);
      const move = this.moves.get(message.id);
      if (move) move.received = true;
    } else if (message.type !== "ack" || this.moves.delete(message.id)) this.hear(message);
    this.changed();
  }

  /** Looks whether the line is dead. */
  #check() {
    this.#wake();
    this.#looked = now();
    const state = this.#socket?.readyState;
    const unheard = [...this.moves.values()].some((move) => move.sent && !move.received && since(move.sent) > this.receipt);
    const dead = state === WebSocket.CONNECTING ? since(this.#begun) > 2 * this.receipt
      : state === WebSocket.OPEN && (unheard || since(this.#heard) > this.silence || (this.#probed && since(this.#probed) > this.receipt / 2));
    if (dead) this.renew();
    this.changed();
  }
}
