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

  /** @param {number} events that could not be stored @param {unknown} error */
  failed(events, error) {
    const { state } = this;
    const full = error instanceof DOMException && error.name === "QuotaExceededError";
    this.#set({ events: state.events + events, since: state.since || Date.now(), why: full ? "full" : "broken", failing: true });
  }

  /** Something was stored. */
  worked() {
    if (this.state.failing) this.#set({ ...this.state, failing: false });
  }

  /** @param {UnkeptEvents} state */
  #set(state) {
    this.state = state;
    void globalThis.chrome?.storage?.session.set({ unkept: state }).catch((error) => console.error("nightjar:", error));
  }
}
