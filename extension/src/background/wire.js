// A WebSocket as a stream of JSON messages that a caller can await.

/** @typedef {import("../../types/protocol.d.ts").Reply} Reply */

/** The connection ended, or no message came in time. */
export class WireClosed extends Error {}

/** The daemon refused the connection. */
export class Refused extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Wire {
  #socket;
  /** @type {Reply[]} */
  #inbox = [];
  /** @type {{resolve: (m: Reply) => void, reject: (e: Error) => void}|null} */
  #waiting = null;
  /** @type {Error|null} */
  #ended = null;

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.#socket = socket;
    socket.onmessage = (e) => this.#take(e.data);
    socket.onclose = () => this.#end(new WireClosed("the connection was closed"));
    socket.onerror = () => this.#end(new WireClosed("no answer"));
  }

  /**
   * @param {string} url @param {number} timeout in ms @param {(url: string) => WebSocket} [dial]
   * @returns {Promise<Wire>}
   */
  static open(url, timeout, dial = (u) => new WebSocket(u)) {
    return new Promise((resolve, reject) => {
      const socket = dial(url);
      const wire = new Wire(socket);
      const timer = setTimeout(() => wire.close("no answer"), timeout);
      const giveUp = (/** @type {Error} */ error) => {
        clearTimeout(timer);
        reject(error);
      };
      wire.#waiting = { resolve: () => {}, reject: giveUp };
      socket.onopen = () => {
        clearTimeout(timer);
        wire.#waiting = null;
        resolve(wire);
      };
    });
  }

  /** @param {unknown} data */
  #take(data) {
    let message;
    try {
      message = JSON.parse(String(data));
    } catch {
      return this.close("the message is not JSON");
    }
    if (typeof message?.type !== "string") return this.close("the message has no type");
    if (this.#waiting) {
      const { resolve } = this.#waiting;
      this.#waiting = null;
      resolve(message);
    } else {
      this.#inbox.push(message);
    }
  }

  /** @param {Error} error */
  #end(error) {
    this.#ended ??= error;
    this.#waiting?.reject(this.#ended);
    this.#waiting = null;
  }

  /** @param {import("../../types/protocol.d.ts").Request|import("../../types/protocol.d.ts").Event} message */
  send(message) {
    if (this.#ended) throw this.#ended;
    this.#socket.send(JSON.stringify(message));
  }

  /** The next message. @param {number} timeout in ms; then the connection is closed @returns {Promise<Reply>} */
  receive(timeout) {
    const next = this.#inbox.shift();
    if (next) return Promise.resolve(next);
    if (this.#ended) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.close("no message in time"), timeout);
      this.#waiting = {
        resolve: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
    });
  }

  /**
   * Waits for the next message, which must have this type.
   * @template {Reply["type"]} T @param {T} type @param {number} timeout in ms
   * @returns {Promise<Extract<Reply, {type: T}>>} @throws {Refused} if the daemon refused
   */
  async expect(type, timeout) {
    const message = await this.receive(timeout);
    if (message.type === "refuse") throw new Refused(message.code, message.message);
    if (message.type !== type) throw new Refused("unexpected", `the answer is ${message.type} instead of ${type}`);
    return /** @type {Extract<Reply, {type: T}>} */ (message);
  }

  /** @param {string} why */
  close(why) {
    this.#end(new WireClosed(why));
    this.#socket.close();
  }
}
