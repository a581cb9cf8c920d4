// @ts-check
/* Sockets to the application in the worker, as pages use them: what they need of WebSocket, and no more. */

/** A class of sockets to a worker, for the pages of a frame. @param {Worker} worker @param {HTMLIFrameElement} frame */
export function socketOf(worker, frame) {
  let last = 0;
  /** @type {Map<number, Socket>} */
  const open = new Map();

  class Socket {
    /** @type {((event: any) => void) | null} */
    onopen = null;
    /** @type {((event: any) => void) | null} */
    onmessage = null;
    /** @type {((event: any) => void) | null} */
    onclose = null;
    /** @type {number} */
    readyState = WebSocket.CONNECTING;
    id = ++last;

    /** @param {string} address */
    constructor(address) {
      const { pathname, search } = new URL(address);
      open.set(this.id, this);
      worker.postMessage({ type: "open", id: this.id, path: pathname + search });
      frame.contentWindow?.addEventListener("pagehide", () => open.has(this.id) && this.close());
    }

    /** @param {string} text */
    send(text) {
      worker.postMessage({ type: "say", id: this.id, text });
    }

    close() {
      worker.postMessage({ type: "close", id: this.id });
      this.end({ code: 1000, reason: "" });
    }

    /** @param {{code: number, reason: string}} how */
    end(how) {
      if (!open.delete(this.id)) return;
      this.readyState = WebSocket.CLOSED;
      this.onclose?.(how);
    }
  }

  worker.addEventListener("message", ({ data }) => {
    const socket = open.get(data.id);
    if (!socket) return;
    if (data.type === "opened") {
      socket.readyState = WebSocket.OPEN;
      socket.onopen?.({});
    }
    if (data.type === "told") socket.onmessage?.({ data: data.text });
    if (data.type === "closed") socket.end(data);
  });
  return Socket;
}
