// What the background remembers between two lives: settings, consent and session for good (storage.local), the tracker's
// state until the browser closes (storage.session, in memory).
import { DEFAULTS } from "../shared/settings.js";
import { emptyState } from "./tracker.js";

/**
 * @typedef {object} Kept
 * @property {string} client UUID of this installation
 * @property {boolean} consent
 * @property {import("../../types/state.d.ts").Settings} settings
 * @property {import("../../types/state.d.ts").Session|null} session
 */

export class Store {
  /** @type {Kept} */
  kept = { client: "", consent: false, settings: { ...DEFAULTS }, session: null };
  tracker = emptyState();
  /** Distinct redacted URLs of the session, to count them. @type {string[]} */
  seen = [];
  /** What the daemon last said. @type {Omit<import("../../types/protocol.d.ts").State, "type"|"session">} */
  daemon = { topics: [], training: null, problem: "", never: [], refused: 0 };

  async load() {
    const [local, session] = await Promise.all([
      chrome.storage.local.get(["client", "consent", "settings", "session", "daemonNever"]),
      chrome.storage.session.get(["tracker", "seen", "daemon"]),
    ]);
    this.kept = {
      client: /** @type {string} */ (local.client) ?? "",
      consent: local.consent === true,
      settings: { ...DEFAULTS, .../** @type {object} */ (local.settings) },
      session: /** @type {Kept["session"]} */ (local.session) ?? null,
    };
    this.daemon.never = /** @type {string[]} */ (local.daemonNever) ?? [];
    Object.assign(this.tracker, session.tracker);
    Object.assign(this.daemon, session.daemon);
    this.seen = /** @type {string[]} */ (session.seen) ?? [];
    if (!this.kept.client) {
      this.kept.client = crypto.randomUUID();
      await this.save();
    }
  }

  /** What is stored already, as JSON, to write only what changed. */
  #written = { local: "", session: "" };

  /** Stores settings, consent and session for good, the tracker's state until the browser closes. */
  async save() {
    const { client, consent, settings, session } = this.kept;
    const local = { client, consent, settings, session };
    const memory = { tracker: this.tracker, seen: this.seen };
    const now = { local: JSON.stringify(local), session: JSON.stringify(memory) };
    const was = this.#written;
    this.#written = now;
    if (now.local !== was.local) await chrome.storage.local.set(local);
    if (now.session !== was.session) await chrome.storage.session.set(memory);
  }

  /** The never-record list of the daemon must hold while it is away, too. */
  saveDaemon() {
    return Promise.all([
      chrome.storage.session.set({ daemon: this.daemon }),
      chrome.storage.local.set({ daemonNever: this.daemon.never }),
    ]);
  }
}
