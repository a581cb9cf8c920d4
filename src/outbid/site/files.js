// @ts-check
/* Files of the browser's private file system (OPFS) as a folder of Python's: a database and its journal.

   SQLite writes through synchronous handles, and its own journal makes a tab that is killed at any moment harmless. Handles are
   opened before, as that takes a while; there are as many files as names. A file of no bytes is one that is not there. While a
   tab has the handles, no other gets them. */

/** @typedef {{read: Function, write: Function, truncate: Function, getSize: () => number, flush: () => void, close: () => void}} Handle */

const MISSING = 44, FORBIDDEN = 63, INVALID = 28, FULL = 51; // as Emscripten numbers errors
const PROBE = "room", ROOM = 1_000_000; // bytes: of more matches than anybody plays in a day
const TRIES = 30, PAUSE = 100; // a page that is loaded anew may find the handles in the hands of the one before

/** The files of a folder, opened. @param {string} folder @param {string[]} names @returns {Promise<Map<string, Handle>>} */
export async function open(folder, names) {
  const root = await navigator.storage.getDirectory();
  const place = await root.getDirectoryHandle(folder, { create: true });
  const handles = new Map();
  for (const name of [...names, PROBE]) {
    const file = await place.getFileHandle(name, { create: true });
    handles.set(name, await exclusive(/** @type {any} */ (file)));
  }
  return handles;
}

/** @param {{createSyncAccessHandle: () => Promise<Handle>}} file @returns {Promise<Handle>} */
async function exclusive(file) {
  for (let left = TRIES; ; left--) {
    try {
      return await file.createSyncAccessHandle();
    } catch (error) {
      const taken = /** @type {Error} */ (error).name === "NoModificationAllowedError";
      if (!taken || !left) throw taken ? Object.assign(new Error("taken"), { obstacle: "taken" }) : error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

/** Whether there is room: browsers do not say how much, so it is tried. @param {Handle} handle of a file without use */
function roomy(handle) {
  try {
    whole(handle, new Uint8Array(ROOM), 0);
    return true;
  } catch {
    return false;
  } finally {
    handle.truncate(0);
  }
}

/** Writes all of it; Chromium says in the number alone that there was no room. @param {Handle} handle @param {Uint8Array} bytes @param {number} at */
function whole(handle, bytes, at) {
  const written = handle.write(bytes, { at });
  if (written !== bytes.length) throw new RangeError(`${written} bytes of ${bytes.length} were written.`);
}

/** A file system for Emscripten's `FS.mount`. @param {any} FS @param {Map<string, Handle>} handles
 * @param {(room: boolean) => void} noticed hears whether there was room for what was written, where that is news */
export function mountable(FS, handles, noticed) {
  /** What there was no room for: where it would have ended, and in which file. @type {{handle: Handle, end: number} | undefined} */
  let lack;
  if (!roomy(/** @type {Handle} */ (handles.get(PROBE)))) noticed(false);
  const dates = () => new Date();
  /** @param {number} code @returns {never} */
  const fail = (code) => {
    throw new FS.ErrnoError(code);
  };
  const folder = {
    getattr: (/** @type {any} */ node) => attributes(node, 4096),
    setattr: () => {},
    lookup: (/** @type {any} */ parent, /** @type {string} */ name) =>
      handles.get(name)?.getSize() ? file(parent, name) : fail(MISSING),
    mknod: (/** @type {any} */ parent, /** @type {string} */ name) => (handles.has(name) ? file(parent, name) : fail(FORBIDDEN)),
    rename: () => fail(FORBIDDEN),
    unlink: (/** @type {any} */ _parent, /** @type {string} */ name) => handles.get(name)?.truncate(0),
    rmdir: () => fail(FORBIDDEN),
    readdir: () => [".", "..", ...[...handles].filter(([, handle]) => handle.getSize()).map(([name]) => name)],
  };
  const entry = {
    getattr: (/** @type {any} */ node) => attributes(node, node.handle.getSize()),
    setattr: (/** @type {any} */ node, /** @type {any} */ { size }) => {
      if (size !== undefined) filled(() => node.handle.truncate(size));
    },
  };
  const stream = {
    read: (/** @type {any} */ { node }, /** @type {Uint8Array} */ memory, /** @type {number} */ offset, /** @type {number} */ length, /** @type {number} */ at) =>
      node.handle.read(memory.subarray(offset, offset + length), { at }),
    write: (/** @type {any} */ { node }, /** @type {Uint8Array} */ memory, /** @type {number} */ offset, /** @type {number} */ length, /** @type {number} */ at) =>
      written(node.handle, memory.subarray(offset, offset + length), at),
    llseek: (/** @type {any} */ stream, /** @type {number} */ offset, /** @type {number} */ whence) => {
      const at = offset + (whence === 1 ? stream.position : whence === 2 ? stream.node.handle.getSize() : 0);
      return at < 0 ? fail(INVALID) : at;
    },
    fsync: (/** @type {any} */ { node }) => filled(() => node.handle.flush()) ?? 0,
  };
  /** What the device has no room for is an error that Python knows. @param {() => any} act */
  const filled = (act) => {
    try {
      return act();
    } catch {
      noticed(false);
      return fail(FULL);
    }
  };
  /** @param {Handle} handle @param {Uint8Array} bytes @param {number} at */
  const written = (handle, bytes, at) => {
    const end = at + bytes.length;
    try {
      whole(handle, bytes, at);
    } catch {
      lack ??= { handle, end };
      noticed(false);
      return fail(FULL);
    }
    if (lack?.handle === handle && end >= lack.end) {
      lack = undefined;
      noticed(true);
    }
    return bytes.length;
  };
  /** @param {any} node @param {number} size */
  const attributes = (node, size) => ({
    dev: 1, ino: node.id, mode: node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, atime: dates(), mtime: dates(), ctime: dates(),
    blksize: 4096, blocks: Math.ceil(size / 4096),
  });
  /** @param {any} parent @param {string} name */
  const file = (parent, name) =>
    Object.assign(FS.createNode(parent, name, 0o100666, 0), { node_ops: entry, stream_ops: stream, handle: handles.get(name) });
  return {
    mount: () => Object.assign(FS.createNode(null, "/", 0o40777, 0), { node_ops: folder, stream_ops: {} }),
  };
}
