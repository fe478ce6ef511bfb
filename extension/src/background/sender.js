// Sends the queued events in order. The daemon answers each; few are sent before earlier ones are answered.

/** Limits of what is sent and not yet answered: number of events, and characters of HTML in them. */
const WINDOW = 64;
const WINDOW_SIZE = 16 << 20;
/** Most events, and bytes beyond the first event, that are read from the queue at a time. */
const BATCH = 16;
const BATCH_SIZE = 4 << 20;

export class Sender {
  #queue;
  #failed;
  /** The connection, null when there is none. @type {import("./wire.js").Wire|null} */
  #wire = null;
  #busy = false;
  #again = false;
  #lastSent = 0;
  /** Events sent and not yet answered, by id. @type {Map<string, {type: string, size: number}>} */
  #flying = new Map();

  /** @param {import("./queue.js").Queue} queue @param {(error: unknown) => void} failed called when sending failed */
  constructor(queue, failed) {
    this.#queue = queue;
    this.#failed = failed;
  }

  /** Sends from the first event on. @param {import("./wire.js").Wire} wire authenticated */
  begin(wire) {
    this.end();
    this.#wire = wire;
    return this.send();
  }

  /** The connection has ended. */
  end() {
    this.#wire = null;
    this.#lastSent = 0;
    this.#flying.clear();
  }

  /** The daemon answered events. @param {string[]} ids */
  answered(ids) {
    for (const id of ids) this.#flying.delete(id);
    return this.send();
  }

  /** Sends what may be sent now. Never throws. */
  async send() {
    this.#again = true; // a run that has already begun may have read the queue just before the new event
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#again) {
        this.#again = false;
        while (await this.#sendNext()) {
          // Read a few events at a time: a long queue of snapshots does not fit into memory.
        }
      }
    } catch (error) {
      if (this.#wire) this.#failed(error);
    } finally {
      this.#busy = false;
    }
  }

  /** @returns {Promise<boolean>} whether there may be more to send now */
  async #sendNext() {
    const wire = this.#wire;
    if (!wire || !this.#room()) return false;
    const events = await this.#queue.after(this.#lastSent, BATCH, BATCH_SIZE);
    for (const event of events) {
      if (this.#wire !== wire) return true; // a new connection begins with the first event
      if (!this.#room() || (event.type === "submit" && this.#flying.size > 0)) return false;
      wire.send(event);
      this.#flying.set(event.id, { type: event.type, size: event.html?.length ?? 0 });
      this.#lastSent = event.seq;
    }
    return events.length > 0;
  }

  /** Whether one more event may be sent before others are answered. */
  #room() {
    const flying = [...this.#flying.values()];
    const size = flying.reduce((sum, f) => sum + f.size, 0);
    // Submit closes the session: the daemon must have stored all earlier events, and later ones wait for its answer.
    return flying.length < WINDOW && size <= WINDOW_SIZE && !flying.some((f) => f.type === "submit");
  }
}
