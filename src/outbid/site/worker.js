// @ts-check
/* The worker in which Python runs: it starts Pyodide, unpacks the program, and answers the pages' requests and sockets through
   outbid.site.tab.

     page → start, request (with a port for the answer), open, say, close
     page ← step, ready, failed, unkept, room; opened, told, closed (of a socket) */

import { mountable, open } from "./files.js";

const FOLDER = "/data", DATABASE = "outbid.sqlite";
const FILES = [DATABASE, `${DATABASE}-journal`];
const LEAST = 512; // pages of 64 KiB, somewhat more than Python starts with

/** Unpacks what compile.mjs has packed, as it comes: whole, it would take its room twice. What starts is not looked through for
 * garbage: there is none. Byte code that has been read is not needed any more. */
const UNPACK = `
import gc, json, os, sys
from compression import zstd

FOLDER = "/lib/outbid"
gc.disable()
sys.path.insert(0, FOLDER)

async def unpack(reader):
    packed, content = zstd.ZstdDecompressor(), bytearray()

    async def more():
        piece = await reader.read()
        content.extend(packed.decompress(piece.value.to_bytes()))

    while b"\\n" not in content:
        await more()
    index, _end, content = content.partition(b"\\n")
    for name, size in json.loads(index):
        while len(content) < size:
            await more()
        path = f"{FOLDER}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(memoryview(content)[:size])
        del content[:size]

def begin():
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None) or ""
        if path.startswith(FOLDER) and path.endswith((".pyc", ".so")):
            os.remove(path)
    gc.freeze()
    gc.enable()
`;

/** @typedef {{method: string, path: string, headers: [string, string][], body: ArrayBuffer}} Asked */

const here = /** @type {any} */ (globalThis);
/** The application in Python, once it has started. @type {any} */
let tab;
/** What came before. @type {(() => void)[]} */
const waiting = [];
/** Sockets by the number that the page gave them. @type {Map<number, any>} */
const sockets = new Map();

/** @type {Record<string, (message: any, port: MessagePort) => unknown>} */
const ACTS = {
  async request({ asked }, port) {
    const { method, path, headers, body } = /** @type {Asked} */ (asked);
    const answer = await tab.request(method, path, headers, new Uint8Array(body));
    const [status, told, content] = answer.toJs();
    answer.destroy();
    port.postMessage({ status, headers: told, body: content }, [content.buffer]);
  },
  open({ id, path }) {
    const told = (/** @type {string} */ text) => here.postMessage({ type: "told", id, text });
    const closed = (/** @type {number} */ code, /** @type {string} */ reason) => {
      sockets.delete(id);
      here.postMessage({ type: "closed", id, code, reason });
    };
    here.postMessage({ type: "opened", id });
    sockets.set(id, tab.socket(path, told, closed));
  },
  say: ({ id, text }) => sockets.get(id)?.say(text),
  close: ({ id }) => sockets.get(id)?.close(),
};

here.onmessage = (/** @type {MessageEvent} */ { data, ports }) => {
  if (data.type === "start") start(data.base).catch(fail);
  else if (tab) act(data, ports[0]);
  else waiting.push(() => act(data, ports[0]));
};

/** @param {any} message @param {MessagePort} port */
async function act(message, port) {
  try {
    await ACTS[message.type](message, port);
  } catch (error) {
    console.error(error);
    port?.postMessage({ status: 500, headers: [["content-type", "text/plain"]], body: new TextEncoder().encode(String(error)) });
  }
}

/** @param {number} number */
const step = (number) => here.postMessage({ type: "step", number });

/** @param {string} base the path of the pages on their host */
async function start(base) {
  step(1);
  new WebAssembly.Memory({ initial: LEAST }); // where that fails Pyodide would wait for ever
  const handles = await open(encodeURIComponent(`outbid ${base}`), FILES).catch((error) => {
    if (error.obstacle) throw error;
    here.postMessage({ type: "unkept" }); // a private window, or a browser that lets no page keep anything
  });
  const module = "./pyodide.mjs"; // a name that is no literal: the file comes with the site
  const [{ loadPyodide }, program] = await Promise.all([import(module), archive()]);
  const python = await loadPyodide({ indexURL: new URL("./", import.meta.url).href, packages: [] });
  step(2);
  python.FS.mkdir(FOLDER);
  if (handles) python.FS.mount(mountable(python.FS, handles, notice), {}, FOLDER);
  python.runPython(UNPACK);
  await python.globals.get("unpack")(program.getReader());
  step(3);
  const entrance = python.pyimport("outbid.site.tab");
  step(4);
  tab = await entrance.start.callKwargs(`${FOLDER}/${DATABASE}`, { base });
  python.globals.get("begin")();
  here.postMessage({ type: "ready" });
  for (const act of waiting.splice(0)) act();
}

let room = true;

/** @param {boolean} now whether the device has room for what is played */
function notice(now) {
  room = now;
  here.postMessage({ type: "room", room });
}

async function archive() {
  const answer = await fetch(new URL("outbid.zst", import.meta.url));
  if (!answer.ok || !answer.body) throw new Error(await answer.text());
  return answer.body;
}

/** @param {any} error */
function fail(error) {
  console.error(error);
  const memory = error instanceof RangeError || /memory/i.test(error.message);
  const obstacle = error.obstacle ?? (!room ? "room" : memory ? "memory" : "broken");
  here.postMessage({ type: "failed", obstacle, text: obstacle === "broken" ? String(error) : "" });
}
