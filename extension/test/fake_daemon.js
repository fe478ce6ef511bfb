// A fake daemon for tests. It uses Node's crypto and no code of the extension.
import { createHash, createHmac, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, randomBytes } from "node:crypto";

/** @param {...(string|Buffer)} parts */
const sha = (...parts) => parts.reduce((h, p) => h.update(p), createHash("sha256")).digest();

/** @param {string} text */
const un64 = (text) => Buffer.from(text, "base64");

const SPKI = Buffer.from("302a300506032b656e032100", "hex"); // the DER header of a raw X25519 key

export class FakeDaemon {
  /** Pairing keys by client. @type {Map<string, Buffer>} */
  keys = new Map();
  /** The stored events in the order in which they came. @type {any[]} */
  events = [];
  /** All messages that came, as text. @type {string[]} */
  heard = [];
  /** @type {Set<FakeSocket>} */
  sockets = new Set();
  digits = "";
  up = true;
  acking = true;
  approve = true;
  /** Whether no browser may ask to be paired. */
  closed = false;
  /** Whether the person has not decided about a browser yet. */
  undecided = false;
  /** Whether its database is damaged. */
  damaged = false;
  /** Whether it signs with a wrong key. */
  impostor = false;
  /** The types of events that it refuses. @type {Set<string>} */
  refusing = new Set();
  /** What it knows of links, and whether it answers. @type {Record<string, string>} */
  known = {};
  knowing = true;
  /** @type {any} */
  state = { type: "state", session: null, topics: ["Hockey"], training: null, problem: "", never: ["never.test"], refused: 0, knows: true };

  /** What another program answers to each message; "" closes the connection. @type {string|undefined} */
  babble;
  /** How many requests extensions could read the answer of. */
  asked = 0;
  /** What answers at its address when it is not up: "nothing", "silent", "other". */
  instead = "nothing";

  constructor() {
    globalThis.fetch = async (_, how) => this.#page(how);
  }

  /** The answer to a request that is no WebSocket. @param {RequestInit|undefined} how */
  #page(how) {
    if (how?.mode === "cors") this.asked++;
    if (!this.up && this.instead === "silent") throw new DOMException("no answer", "TimeoutError");
    if (this.babble !== undefined && how?.mode === "cors") throw new TypeError("Failed to fetch");
    if (!this.up && (this.instead === "nothing" || how?.mode === "cors")) throw new TypeError("Failed to fetch");
    return new Response("Nightjar: here the browser extension connects.", { status: 426 });
  }

  /** What Connection dials. */
  dial = (/** @type {string} */ url) => /** @type {any} */ (new FakeSocket(this, url));

  get ids() {
    return this.events.map((e) => e.id);
  }

  /** Sends a message to all authenticated connections. @param {any} message */
  push(message) {
    for (const socket of this.sockets) if (socket.proved) socket.say(message);
  }

  /** Ends all connections, as if the daemon had crashed. */
  drop() {
    for (const socket of [...this.sockets]) socket.end();
  }

  ackAll() {
    this.push({ type: "ack", ids: this.ids });
  }
}

class FakeSocket {
  /** @type {((e: any) => void)|undefined} */ onopen;
  /** @type {((e: any) => void)|undefined} */ onmessage;
  /** @type {((e: any) => void)|undefined} */ onclose;
  /** @type {((e: any) => void)|undefined} */ onerror;
  proved = false;
  closed = false;
  /** @type {any} */ pairing = {};
  /** @type {any} */ greeting = {};

  /** @param {FakeDaemon} daemon @param {string} url */
  constructor(daemon, url) {
    this.daemon = daemon;
    this.url = url;
    setImmediate(() => {
      if (!daemon.up) return this.onerror?.({});
      daemon.sockets.add(this);
      this.onopen?.({});
    });
  }

  /** @param {any} message */
  say(message) {
    setImmediate(() => this.closed || this.onmessage?.({ data: JSON.stringify(message) }));
  }

  end() {
    if (this.closed) return;
    this.closed = true;
    this.daemon.sockets.delete(this);
    setImmediate(() => this.onclose?.({}));
  }

  close() {
    this.end();
  }

  /** @param {string} text */
  send(text) {
    if (this.closed) throw new Error("the socket is closed");
    this.daemon.heard.push(text);
    const { babble } = this.daemon;
    if (babble === "") return this.end();
    if (babble !== undefined) return void setImmediate(() => this.onmessage?.({ data: babble }));
    const m = JSON.parse(text);
    switch (m.type) {
      case "pair.commit":
        return this.#commit(m);
      case "pair.reveal":
        return this.#reveal(m);
      case "hello":
        return this.#hello(m);
      case "proof":
        return this.#proof(m);
      case "ping":
        return this.say({ type: "pong" });
      case "known": {
        const { known } = this.daemon;
        if (this.daemon.knowing) this.say({ type: "known", known: Object.fromEntries(m.urls.filter((/** @type {string} */ u) => known[u]).map((/** @type {string} */ u) => [u, known[u]])) });
        return;
      }
      case "dashboard":
        return this.say({ type: "dashboard", url: "http://nightjar-00.localhost:4774/login?code=x" });
    }
    if (!this.proved) throw new Error(`an event before the proof: ${text}`);
    this.#event(m);
  }

  /** @param {any} m */
  #commit(m) {
    if (this.daemon.closed) return this.say({ type: "refuse", code: "pairing-closed", message: "in other words" });
    const { publicKey, privateKey } = generateKeyPairSync("x25519");
    const mine = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
    this.pairing = { ...m, privateKey, mine, random: randomBytes(32) };
    this.say({ type: "pair.commit", commit: sha("nightjar pair commit", mine, this.pairing.random).toString("base64") });
  }

  /** @param {any} m */
  #reveal(m) {
    const { client, commit, privateKey, mine, random } = this.pairing;
    const [theirs, their] = [un64(m.public), un64(m.random)];
    if (sha("nightjar pair commit", theirs, their).toString("base64") !== commit) throw new Error("the client's commitment does not open");
    this.say({ type: "pair.reveal", public: (this.daemon.impostor ? randomBytes(32) : mine).toString("base64"), random: random.toString("base64") });
    const t = sha("nightjar pair", client, theirs, their, mine, random);
    this.daemon.digits = String(sha("digits", t).readUInt32BE(0) % 1e6).padStart(6, "0");
    const peer = createPublicKey({ key: Buffer.concat([SPKI, theirs]), format: "der", type: "spki" });
    const shared = diffieHellman({ privateKey, publicKey: peer });
    this.daemon.keys.set(client, Buffer.from(hkdfSync("sha256", shared, t, "nightjar key", 32)));
    if (this.daemon.undecided) return;
    if (this.daemon.approve) this.say({ type: "pair.done" });
    else this.say({ type: "refuse", code: "pair-refused", message: "no" });
  }

  /** @param {any} m */
  #hello(m) {
    if (this.daemon.damaged) return this.say({ type: "refuse", code: "damaged", message: "in other words" });
    const key = this.daemon.keys.get(m.client);
    if (!key) return this.say({ type: "refuse", code: "not-paired", message: "not known" });
    this.greeting = { key, theirs: un64(m.nonce), mine: randomBytes(32) };
    const signing = this.daemon.impostor ? randomBytes(32) : key;
    const mac = createHmac("sha256", signing).update("nightjar daemon").update(this.greeting.theirs).update(this.greeting.mine).digest("base64");
    this.say({ type: "challenge", nonce: this.greeting.mine.toString("base64"), mac });
  }

  /** @param {any} m */
  #proof(m) {
    const { key, theirs, mine } = this.greeting;
    const want = createHmac("sha256", key).update("nightjar extension").update(theirs).update(mine).digest("base64");
    if (m.mac !== want) return this.say({ type: "refuse", code: "not-paired", message: "wrong proof" });
    this.proved = true;
    this.say(this.daemon.state);
  }

  /** @param {any} event */
  #event(event) {
    if (this.daemon.refusing.has(event.type)) return this.say({ type: "refuse", id: event.id, code: "bad-field", message: "not like this" });
    if (!this.daemon.ids.includes(event.id)) this.daemon.events.push(event);
    if (this.daemon.acking) this.say({ type: "ack", ids: [event.id] });
  }
}

/** Waits until what is true; fails after ten seconds, so that a busy machine fails no test. @param {() => boolean|Promise<boolean>} what @param {string} words describe it */
export async function until(what, words) {
  const end = Date.now() + 10_000;
  while (!(await what())) {
    if (Date.now() > end) throw new Error(`did not happen in time: ${words}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
