// The connection to the daemon: pairs, authenticates, sends the queued events in order, retries while it is needed. It may
// break at any moment without loss, since every event stays in the queue until the daemon has stored it.
import { t } from "../shared/text.js";
import { hello, pair } from "./handshake.js";
import { look } from "./probe.js";
import { Sender } from "./sender.js";
import { explained, pairingProblem, Trouble } from "./trouble.js";
import { Refused, Wire, WireClosed } from "./wire.js";

/** @typedef {import("../../types/state.d.ts").ConnectionStatus} ConnectionStatus */
/** @typedef {import("../../types/protocol.d.ts").Reply} Reply */

/** Time limit for opening the connection, ms. */
const OPEN = 5_000;
/** A question about links makes a new connection only if the last attempt is so old, in ms. Most such questions at a time. */
const LINKS_RETRY = 10_000;
const LINKS_WAITING = 8;
/** Time between two pings, ms. A browser ends a background that does nothing for 30 s. */
const PING = 20_000;
/** A daemon that sends nothing for so long, although it is pinged, counts as gone; ms. */
const SILENCE = 50_000;
/** Waits before the next attempt, ms: after a connection broke, while nothing answers, while another program does. */
const AGAIN = 200;
const RETRY = 1_500;
const RETRY_OTHER = 10_000;
/** Shortest time between two attempts when the person does something, ms. */
const PAUSE = 500;

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @typedef {object} Options
 * @property {import("./queue.js").Queue} queue
 * @property {() => Promise<{address: string, client: string, name: string}>} identity
 * @property {() => boolean} needed whether to keep or restore the connection
 * @property {() => boolean} asks whether to ask to be paired: the person agreed, and a page is open that shows how it goes
 * @property {(state: import("../../types/protocol.d.ts").State) => void} onState
 * @property {() => void} onChange called when the connection or the queue changes
 * @property {() => boolean} knows whether the daemon answers questions about links
 * @property {() => void} keepAlive called at every ping and every attempt to connect
 * @property {(url: string) => WebSocket} [dial]
 * @property {number} [retry] wait before the next attempt while nothing answers, ms
 */

export class Connection {
  #options;
  /** @type {ConnectionStatus} */
  #status = { state: "offline", message: "", digits: "" };
  /** @type {Wire|null} */
  #wire = null;
  #ready = false;
  #readySince = 0;
  /** @type {Promise<void>|null} */
  #attempt = null;
  #lastAttempt = 0;
  /** The next attempt. @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  /** @type {ReturnType<typeof setInterval>|undefined} */
  #pinging;
  #sender;
  /** @type {((url: string) => void)[]} */
  #dashboard = [];
  /** Waiting questions about links, in order. @type {((known: Record<string, import("../../types/protocol.d.ts").LinkState>|null) => void)[]} */
  #links = [];
  #pairing = 0;
  #asking = false;
  /** Whether only the person asks to be paired again: they refused, cancelled or disconnected. */
  #held = false;
  /** What the last attempt found instead of the daemon. */
  #found = "";

  /** @param {Options} options */
  constructor(options) {
    this.#options = options;
    this.#sender = new Sender(options.queue, (error) => this.#failed(error));
  }

  /** @returns {ConnectionStatus} */
  get status() {
    return { ...this.#status };
  }

  get connected() {
    return this.#ready;
  }

  /** @param {ConnectionStatus["state"]} state @param {string} [message] @param {string} [digits] */
  #set(state, message = "", digits = "") {
    const was = this.#status;
    if (state === was.state && message === was.message && digits === was.digits) return;
    this.#status = { state, message, digits };
    this.#options.onChange();
  }

  /** Sends new events, or tries to connect unless that failed a moment ago. */
  poke() {
    if (this.#ready) void this.#sender.send();
    else if (Date.now() - this.#lastAttempt >= PAUSE) void this.connect();
  }

  /** Sees to it that there will be another attempt, if one is needed: the queue may have filled since the last one. */
  ensure() {
    const idle = !this.#ready && !this.#attempt && this.#timer === undefined;
    if (idle && !["unpaired", "revoked", "pairing"].includes(this.#status.state)) this.#retry(this.#options.retry ?? RETRY);
    if (!this.#asking) void this.#ask();
  }

  /** Asks to be paired until the daemon lets this browser ask, and the person decides. */
  async #ask() {
    const wanted = () => this.#status.state === "unpaired" && !this.#held && this.#options.asks();
    this.#asking = true;
    while (wanted()) {
      await this.pair({ quiet: true });
      if (wanted()) await sleep(this.#options.retry ?? RETRY);
    }
    this.#asking = false;
  }

  /** Connects unless connected, connecting or pairing. Resolves when it is connected or has given up; never throws. */
  connect() {
    if (this.#ready || this.#status.state === "pairing") return Promise.resolve();
    this.#attempt ??= this.#connect().finally(() => (this.#attempt = null));
    return this.#attempt;
  }

  async #connect() {
    this.#wait();
    this.#lastAttempt = Date.now();
    const turn = this.#pairing;
    let address = "";
    try {
      const key = await this.#options.queue.key();
      if (!key) return this.#status.state === "unpaired" ? undefined : this.#set("unpaired"); // which leaves why pairing failed
      const me = await this.#options.identity();
      address = me.address;
      this.#options.keepAlive();
      if (this.#status.message === "") this.#set("connecting"); // later attempts leave the message of the one that failed
      const found = await look(address);
      if (found !== "something") throw new Trouble(found, address);
      await this.#enter(await Wire.open(`${address}/ws`, OPEN, this.#options.dial), me.client, key, turn);
    } catch (error) {
      const why = await explained(error, address);
      if (turn === this.#pairing) this.#failed(why);
    }
  }

  /** Authenticates and begins to send. @param {Wire} wire @param {string} client @param {CryptoKey} key @param {number} turn */
  async #enter(wire, client, key, turn) {
    if (turn !== this.#pairing) return wire.close("closed");
    this.#wire = wire;
    await hello(wire, client, key);
    await this.#handle(await wire.receive(OPEN)); // the state, or a refusal if the proof was wrong
    if (this.#wire !== wire) return;
    this.#ready = true;
    this.#readySince = Date.now();
    this.#set("connected");
    void this.#listen(wire);
    this.#pinging = setInterval(() => this.#ping(wire), PING);
    await this.#sender.begin(wire);
  }

  /** @param {unknown} error */
  #failed(error) {
    if (error instanceof Trouble) this.#found = error.found;
    const lost = this.#ready && Date.now() - this.#readySince > RETRY; // one that breaks at once is not tried at once
    this.#drop("failed");
    if (error instanceof Trouble && error.found === "not-paired") return this.#set("revoked", error.message);
    const stranger = error instanceof Trouble && ["other", "silent", "stranger"].includes(error.found);
    if (stranger) this.#set("stranger", error.message);
    else if (error instanceof WireClosed) this.#set("offline", t("back_broke"));
    else if (error instanceof Trouble || error instanceof Refused) this.#set("offline", error.message);
    else this.#set("offline", t("back_failed", error instanceof Error ? error.message : String(error)));
    this.#retry(lost ? AGAIN : stranger ? RETRY_OTHER : (this.#options.retry ?? RETRY));
  }

  /** @param {number} ms */
  #retry(ms) {
    this.#wait();
    if (!this.#options.needed()) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.connect();
    }, ms);
  }

  /** Ends the wait for the next attempt. */
  #wait() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** @param {string} why */
  #drop(why) {
    clearInterval(this.#pinging);
    this.#wire?.close(why);
    this.#wire = null;
    this.#ready = false;
    this.#sender.end();
    for (const resolve of this.#dashboard.splice(0)) resolve("");
    for (const resolve of this.#links.splice(0)) resolve(null);
  }

  /** Sends a message that is not answered. @param {import("../../types/protocol.d.ts").Request} message @returns {boolean} whether there is a connection */
  say(message) {
    if (!this.#wire || this.#status.state === "pairing") return false;
    try {
      this.#wire.send(message);
      return true;
    } catch {
      return false; // #listen sees the same error and handles it
    }
  }

  /** Closes, and stays closed until connect, pair or poke. */
  close() {
    this.#wait();
    this.#pairing++;
    this.#drop("closed");
    this.#lastAttempt = 0;
  }

  /** @param {Wire} wire */
  async #listen(wire) {
    try {
      while (this.#wire === wire) await this.#handle(await wire.receive(SILENCE));
    } catch (error) {
      if (this.#wire === wire) this.#failed(error);
    }
  }

  /** @param {Wire} wire */
  #ping(wire) {
    if (!this.#options.needed()) {
      this.close(); // so that the browser can end the background
      return this.#set("offline", t("back_idle"));
    }
    this.#options.keepAlive();
    try {
      wire.send({ type: "ping" });
    } catch {
      // #listen sees the same error and handles it
    }
  }

  /** @param {Reply} message */
  async #handle(message) {
    switch (message.type) {
      case "ack":
        await this.#options.queue.remove(message.ids);
        this.#options.onChange();
        return void this.#sender.answered(message.ids);
      case "refuse":
        if (!message.id) throw new Refused(message.code, message.message);
        await this.#options.queue.refuse(message.id, message.message);
        this.#options.onChange();
        return void this.#sender.answered([message.id]);
      case "state":
        return this.#options.onState(message);
      case "dashboard":
        return this.#dashboard.shift()?.(message.url);
      case "known":
        return this.#links.shift()?.(message.known);
    }
  }

  /** Connects at an address that the person entered: by the key if the Nightjar there has it, otherwise by pairing. Never throws. */
  async begin() {
    this.#held = true;
    this.close();
    await this.#attempt;
    if (await this.#options.queue.key()) {
      this.#found = "";
      await this.connect();
      if (this.#ready || !["not-paired", "stranger"].includes(this.#found)) return;
    }
    await this.pair();
  }

  /**
   * Pairs with the daemon: the person compares the digits and approves in the dashboard. Never throws.
   * @param {{quiet?: boolean}} [how] quiet: the status changes only when there are digits, or another reason why there are none
   */
  async pair({ quiet = false } = {}) {
    this.close();
    const turn = this.#pairing;
    await this.#attempt;
    const { address, client, name } = await this.#options.identity();
    if (turn !== this.#pairing) return;
    if (!quiet) this.#set("pairing", t("back_contacting"));
    const awake = setInterval(this.#options.keepAlive, PING); // the person may take long to decide
    try {
      this.#options.keepAlive();
      const found = await look(address);
      if (found !== "something") throw new Trouble(found, address);
      const wire = await Wire.open(`${address}/ws`, OPEN, this.#options.dial);
      if (turn !== this.#pairing) return wire.close("closed");
      this.#wire = wire;
      const key = await pair(wire, { client, name }, (digits) => {
        if (turn === this.#pairing) this.#set("pairing", t("back_waiting"), digits);
      });
      if (turn !== this.#pairing) return;
      await this.#options.queue.setKey(key);
      this.#drop("paired");
      this.#set("connecting");
      await this.connect();
    } catch (error) {
      if (turn !== this.#pairing) return;
      this.#drop("not paired");
      const paired = (await this.#options.queue.key()) !== null;
      const why = await explained(error, address);
      if (turn !== this.#pairing) return;
      this.#held = why instanceof Refused && ["pair-refused", "changed-key"].includes(why.code);
      this.#set(paired ? "offline" : "unpaired", pairingProblem(why));
    } finally {
      clearInterval(awake);
    }
  }

  async cancelPairing() {
    if (this.#status.state !== "pairing") return;
    this.#held = true;
    this.close();
    this.#set((await this.#options.queue.key()) ? "offline" : "unpaired");
  }

  /** Deletes the pairing key. */
  async forget() {
    this.#held = true;
    this.close();
    await this.#options.queue.setKey(null);
    this.#set("unpaired");
  }

  /**
   * What the daemon knows of links, by address; null if it cannot be asked now. Never throws.
   * @param {string[]} urls redacted @returns {Promise<Record<string, import("../../types/protocol.d.ts").LinkState>|null>}
   */
  async known(urls) {
    if (!this.#ready && Date.now() - this.#lastAttempt > LINKS_RETRY) await this.connect();
    if (!this.#ready || !this.#wire || !this.#options.knows() || this.#links.length >= LINKS_WAITING) return null;
    const answer = new Promise((/** @type {(known: Record<string, import("../../types/protocol.d.ts").LinkState>|null) => void} */ resolve) => this.#links.push(resolve));
    try {
      this.#wire.send({ type: "known", urls });
    } catch {
      this.#links.splice(0).forEach((resolve) => resolve(null)); // the connection has ended, and with it all questions
    }
    return answer;
  }

  /** A one-time link to the dashboard. @param {string} [path] of one of its pages; older daemons show the first one @returns {Promise<string>} @throws with a message for the person */
  async dashboard(path = "") {
    await this.connect();
    if (!this.#ready || !this.#wire) throw new Error(this.#status.message || t("back_not_connected"));
    const url = await new Promise((/** @type {(url: string) => void} */ resolve) => {
      this.#dashboard.push(resolve);
      this.#wire?.send({ type: "dashboard", ...(path && { path }) });
    });
    if (!/^http:\/\/[a-z0-9.-]+(:\d+)?\//.test(url)) throw new Error(t("back_no_link"));
    return url;
  }
}
