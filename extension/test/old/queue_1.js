// The queue with version 1 of the database, as it was: the tests make databases with it that the present queue must read.
//
// The queue of events in IndexedDB. Each event is numbered and stored durably before it is sent, and kept until the daemon
// has acked or refused it. The pairing key is here, too: only IndexedDB can hold a key that scripts cannot read.

/** @typedef {import("../../types/protocol.d.ts").Event} Event */

/** Size in bytes at which the queue takes no more snapshots, so that it cannot fill the disk while the daemon is away. */
const MAX_BYTES = 256 << 20;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Resolves after the transaction is on disk. @param {IDBTransaction} tx @returns {Promise<void>} */
const done = (tx) =>
  new Promise((resolve, reject) => {
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error ?? new Error("the queue of events could not be stored"));
    tx.onerror = tx.onabort;
  });

/** @param {string} name @returns {Promise<IDBDatabase>} */
function open(name) {
  const request = globalThis.indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    const db = request.result;
    db.createObjectStore("events", { keyPath: "seq" }).createIndex("id", "id", { unique: true });
    db.createObjectStore("meta");
  };
  return result(request);
}

/**
 * The object store meta has these keys: seq, the last number used; counts, a Counts; memory, the background's state;
 * key, the pairing key. In Counts, dropped is the number of snapshots left out because the queue was full.
 * @typedef {{queued: number, bytes: number, refused: number, dropped: number, lastRefusal: string}} Counts
 */

/** @type {Counts} */
const ZERO = { queued: 0, bytes: 0, refused: 0, dropped: 0, lastRefusal: "" };

/** The approximate size in bytes of an event in the queue. @param {Omit<Event, "seq">} event */
const sizeOf = (event) => 500 + (event.html?.length ?? 0);

export class Queue {
  /** @type {Promise<IDBDatabase>|null} */
  #db = null;
  #name;
  #limit;

  /** @param {{name?: string, limit?: number}} [options] */
  constructor({ name = "nightjar", limit = MAX_BYTES } = {}) {
    this.#name = name;
    this.#limit = limit;
  }

  async #open() {
    this.#db ??= open(this.#name);
    try {
      return await this.#db;
    } catch (error) {
      this.#db = null; // the next call tries again
      throw error;
    }
  }

  /**
   * Runs work in one transaction, which is on disk when the promise resolves.
   * @template T @param {string[]} stores @param {(tx: IDBTransaction) => Promise<T>} work @returns {Promise<T>}
   */
  async #write(stores, work) {
    const tx = (await this.#open()).transaction(stores, "readwrite", { durability: "strict" });
    const finished = done(tx);
    try {
      const value = await work(tx);
      await finished;
      return value;
    } catch (error) {
      finished.catch(() => {});
      try {
        tx.abort();
      } catch {
        // the transaction had already ended
      }
      throw error;
    }
  }

  /** @param {IDBTransaction} tx @returns {Promise<Counts>} */
  async #counts(tx) {
    return { ...ZERO, ...(await result(tx.objectStore("meta").get("counts"))) };
  }

  /** @param {IDBTransaction} tx @param {Counts} counts */
  #setCounts(tx, counts) {
    tx.objectStore("meta").put(counts, "counts");
  }

  /**
   * Numbers events and stores them together with the background's state: either all of it is on disk or nothing. If the
   * queue is full, snapshots are counted and left out.
   * @param {readonly Omit<Event, "seq">[]} events @param {unknown} [memory] as for remember
   * @returns {Promise<Event[]>} the stored events
   */
  add(events, memory) {
    return this.#write(["events", "meta"], async (tx) => {
      const meta = tx.objectStore("meta");
      const counts = await this.#counts(tx);
      let seq = /** @type {number} */ ((await result(meta.get("seq"))) ?? 0);
      const stored = [];
      for (const event of events) {
        const size = sizeOf(event);
        if (event.type === "snapshot" && counts.bytes + size > this.#limit) {
          counts.dropped++;
          continue;
        }
        const numbered = /** @type {Event} */ ({ ...event, seq: ++seq });
        tx.objectStore("events").add(numbered);
        counts.queued++;
        counts.bytes += size;
        stored.push(numbered);
      }
      meta.put(seq, "seq");
      if (memory !== undefined) meta.put(memory, "memory");
      this.#setCounts(tx, counts);
      return stored;
    });
  }

  /** Stores a plain value for the next start of the background. @param {unknown} memory */
  remember(memory) {
    return this.#write(["meta"], async (tx) => void tx.objectStore("meta").put(memory, "memory"));
  }

  /** The value stored last, undefined without one. @returns {Promise<any>} */
  async memory() {
    const tx = (await this.#open()).transaction("meta");
    return result(tx.objectStore("meta").get("memory"));
  }

  /** The first events with a number above seq, in order. @param {number} seq @param {number} limit @returns {Promise<Event[]>} */
  async after(seq, limit) {
    const tx = (await this.#open()).transaction("events");
    return result(tx.objectStore("events").getAll(globalThis.IDBKeyRange.lowerBound(seq, true), limit));
  }

  /** Removes events that the daemon has stored. @param {readonly string[]} ids */
  remove(ids) {
    return this.#write(["events", "meta"], async (tx) => {
      const counts = await this.#counts(tx);
      for (const id of ids) await this.#delete(tx, counts, id);
      this.#setCounts(tx, counts);
    });
  }

  /** @param {IDBTransaction} tx @param {Counts} counts @param {string} id */
  async #delete(tx, counts, id) {
    const events = tx.objectStore("events");
    const event = /** @type {Event|undefined} */ (await result(events.index("id").get(id)));
    if (!event) return false;
    events.delete(event.seq);
    counts.queued--;
    counts.bytes -= sizeOf(event);
    return true;
  }

  /** Removes an event that the daemon refused, and keeps the reason. @param {string} id @param {string} message */
  refuse(id, message) {
    return this.#write(["events", "meta"], async (tx) => {
      const counts = await this.#counts(tx);
      if (!(await this.#delete(tx, counts, id))) return;
      this.#setCounts(tx, { ...counts, refused: counts.refused + 1, lastRefusal: message });
    });
  }

  /**
   * Removes the events of a discarded session except its start, which the discard refers to.
   * @param {string} session
   */
  discard(session) {
    return this.#write(["events", "meta"], async (tx) => {
      const counts = await this.#counts(tx);
      const all = /** @type {Event[]} */ (await result(tx.objectStore("events").getAll()));
      for (const event of all) {
        if (event.session === session && event.type !== "session.start") await this.#delete(tx, counts, event.id);
      }
      this.#setCounts(tx, counts);
    });
  }

  /** As when the browser ends the background. */
  async close() {
    (await this.#open()).close();
  }

  /** @returns {Promise<import("../../types/state.d.ts").QueueStatus>} */
  async status() {
    const { queued, refused, dropped, lastRefusal } = await this.#counts((await this.#open()).transaction("meta"));
    return { queued, refused, dropped, lastRefusal };
  }

  /** The pairing key, or null. @returns {Promise<CryptoKey|null>} */
  async key() {
    const tx = (await this.#open()).transaction("meta");
    return (await result(tx.objectStore("meta").get("key"))) ?? null;
  }

  /** @param {CryptoKey|null} key */
  setKey(key) {
    return this.#write(["meta"], async (tx) => {
      const meta = tx.objectStore("meta");
      if (key) meta.put(key, "key");
      else meta.delete("key");
    });
  }
}
