// Events that the browser could not store: its disk is full, or its database fails. They are counted and shown, since nothing
// else tells the person that pages are missing.

/** @typedef {import("../../types/state.d.ts").UnkeptEvents} UnkeptEvents */

export class Unkept {
  /** @type {UnkeptEvents} */
  state = { events: 0, since: 0, why: "", failing: false };

  /** Reads what an earlier background of this run of the browser counted. */
  async load() {
    const { unkept } = (await globalThis.chrome?.storage?.session.get(["unkept"])) ?? {};
    if (unkept) this.state = { .../** @type {UnkeptEvents} */ (unkept) };
  }

  /**
   * Something could not be stored. On a full disk browsers name that cause only now and then, and others between: once named, it is
   * the cause until storing works.
   * @param {number} events that could not be stored, 0 for other things @param {unknown[]} errors that the browser gave
   */
  async failed(events, ...errors) {
    const named = errors.some((error) => error instanceof DOMException && error.name === "QuotaExceededError");
    const full = named || (await noRoom()) || (this.state.failing && this.state.why === "full");
    const { state } = this;
    this.#set({ events: state.events + events, since: state.since || Date.now(), why: full ? "full" : "broken", failing: true });
  }

  /** The browser threw away events that were stored. @param {number} events */
  lost(events) {
    const { state } = this;
    if (events > 0) this.#set({ ...state, events: state.events + events, since: state.since || Date.now(), why: state.why || "broken" });
  }

  /** Something was stored. */
  worked() {
    if (this.state.failing) this.#set({ ...this.state, failing: false });
  }

  /** @param {UnkeptEvents} state */
  #set(state) {
    if (JSON.stringify(state) === JSON.stringify(this.state)) return;
    this.state = state;
    void globalThis.chrome?.storage?.session.set({ unkept: state }).catch((error) => console.error("nightjar:", error));
  }
}

/** Less room than this is none, in bytes. */
const ROOM = 1 << 20;

/** Whether the browser knows that there is no room. Chromium does not name a full disk as the cause when it cannot open a database. */
async function noRoom() {
  const { quota, usage } = (await globalThis.navigator?.storage?.estimate().catch(() => null)) ?? {};
  if (quota === undefined || usage === undefined) return false;
  return quota - usage >= 0 && quota - usage < ROOM;
}
