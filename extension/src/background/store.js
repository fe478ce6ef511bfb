// The background's stored state. Settings and consent stay until the person removes the extension (storage.local). The
// session and the tracker's state are in the queue's database, so that an event and the state it came from are stored in
// one transaction: at whatever moment the background ends, the session agrees with the queue, and a browser event that
// arrives twice is recorded once. The tracker's state is valid until the browser closes.
import { DEFAULTS } from "../shared/settings.js";
import { emptyLeftOut } from "./leftout.js";
import { emptyState } from "./tracker.js";

/** Wait before the stored state is read again, ms. */
const AGAIN = 1_000;

/**
 * @typedef {object} Kept
 * @property {string} client UUID of this installation of the extension
 * @property {boolean} consent
 * @property {import("../../types/state.d.ts").Settings} settings
 * @property {import("../../types/state.d.ts").Session|null} session
 * @property {import("../../types/state.d.ts").Forgotten|null} forgotten the last site that the person never wants recorded, as long as that can be undone
 * @property {{host: string, session: string}[]} tell such sites that the daemon does not know yet
 */

export class Store {
  /** @type {Kept} */
  kept = { client: "", consent: false, settings: { ...DEFAULTS }, session: null, forgotten: null, tell: [] };
  tracker = emptyState();
  /** The distinct redacted URLs of the session, for the number of pages. @type {string[]} */
  seen = [];
  /** The last state that the daemon sent. @type {Required<Omit<import("../../types/protocol.d.ts").State, "type"|"refused">>} */
  daemon = { session: null, topics: [], open: [], names: [], training: null, problem: "", never: [], pdfs: false, learned: "", knows: false };

  /** What was left out, and why; in memory only. */
  leftOut = emptyLeftOut();

  /** Identifies this run of the browser. Ids of tabs and documents are only valid within one run. */
  #run = "";
  #queue;

  /** @param {import("./queue.js").Queue} queue */
  constructor(queue) {
    this.#queue = queue;
  }

  /**
   * Reads the stored state, again and again while the browser cannot read it: without it the session would be taken for none.
   * @param {() => unknown} onFail
   */
  async load(onFail) {
    for (;;) {
      try {
        return await this.#load();
      } catch (error) {
        console.error("nightjar:", error);
        await this.#queue.unkept.failed(0, error);
        onFail();
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
      }
    }
  }

  async #load() {
    const [local, session, text] = await Promise.all([
      chrome.storage.local.get(["client", "consent", "settings", "daemonNever", "forgotten", "tell"]),
      chrome.storage.session.get(["run", "daemon", "leftOut"]),
      this.#queue.memory(),
      this.#queue.unkept.load(),
    ]);
    const memory = JSON.parse(text ?? "null");
    this.#run = /** @type {string} */ (session.run) ?? (memory?.tracker && (await stillOpen(memory.tracker)) ? memory.run : "");
    this.kept = {
      client: /** @type {string} */ (local.client) ?? "",
      consent: local.consent === true,
      settings: { ...DEFAULTS, .../** @type {object} */ (local.settings) },
      session: memory?.session ?? null,
      forgotten: /** @type {Kept["forgotten"]} */ (local.forgotten) ?? null,
      tell: /** @type {Kept["tell"]} */ (local.tell) ?? [],
    };
    this.daemon.never = /** @type {string[]} */ (local.daemonNever) ?? [];
    this.#never = JSON.stringify(this.daemon.never);
    Object.assign(this.daemon, session.daemon);
    Object.assign(this.leftOut, session.leftOut);
    if (this.#run && memory?.run === this.#run) Object.assign(this.tracker, memory.tracker);
    this.seen = memory?.seen ?? [];
    this.#written.memory = this.memory();
    this.#run ||= crypto.randomUUID();
    if (session.run !== this.#run) await chrome.storage.session.set({ run: this.#run });
    if (!this.kept.client) {
      this.kept.client = crypto.randomUUID();
      await this.save();
    }
  }

  /** Identifies this run of the browser. */
  get run() {
    return this.#run;
  }

  /** The state that is stored in the queue's database, as JSON: it is made several times per page, and a text is copied fastest. */
  memory() {
    return JSON.stringify({ run: this.#run, session: this.kept.session, tracker: this.tracker, seen: this.seen });
  }

  /** The stored values as JSON, to write only changes. */
  #written = { local: "", memory: "", leftOut: JSON.stringify(emptyLeftOut()) };

  /** Stores the changes. @returns {Promise<boolean>} whether the session's state is stored; if not, the next call tries again */
  async save() {
    const { client, consent, settings, forgotten, tell } = this.kept;
    const local = { client, consent, settings, forgotten, tell };
    const memory = this.memory();
    const now = { local: JSON.stringify(local), leftOut: JSON.stringify(this.leftOut) };
    const was = this.#written;
    const stored = memory === was.memory || (await this.#queue.remember(memory));
    if (stored) this.#written.memory = memory;
    if (now.local !== was.local) await chrome.storage.local.set(local);
    this.#written.local = now.local;
    if (now.leftOut !== was.leftOut) await chrome.storage.session.set({ leftOut: this.leftOut });
    this.#written.leftOut = now.leftOut;
    return stored;
  }

  /** Stores events in one step with the state that they led to. If that fails, the state is what it was before. @param {(memory: unknown) => Promise<unknown>} add */
  async saveWith(add) {
    const memory = this.memory();
    try {
      await add(memory);
      this.#written.memory = memory;
    } catch (error) {
      this.#restore();
      throw error;
    }
  }

  /** Takes back what was not stored. */
  #restore() {
    const { session, tracker, seen } = JSON.parse(this.#written.memory);
    this.kept.session = session;
    this.seen = seen;
    Object.assign(this.tracker, tracker);
  }

  /** The daemon's never-record list as it is stored, as JSON. */
  #never = "";

  /** Stores the daemon's state. Its never-record list must also hold while the daemon is away. */
  async saveDaemon() {
    await chrome.storage.session.set({ daemon: this.daemon });
    const never = JSON.stringify(this.daemon.never);
    if (never !== this.#never) await chrome.storage.local.set({ daemonNever: this.daemon.never });
    this.#never = never;
  }
}

/**
 * Whether a page that the tracker knows is still open: then the browser has not been restarted, but the extension was
 * reloaded or updated, which empties storage.session. No two documents have the same id.
 * @param {import("../../types/tracker.d.ts").TrackerState} tracker
 */
async function stillOpen(tracker) {
  const open = await Promise.all(Object.keys(tracker.tabs).map(async (tab) => {
    const frame = await chrome.webNavigation?.getFrame({ tabId: Number(tab), frameId: 0 }).catch(() => null);
    return tracker.docs[frame?.documentId ?? ""] !== undefined;
  }));
  return open.includes(true);
}
