// The queue of events in IndexedDB. Each event is numbered and stored durably before it is sent, and kept until the daemon
// has acked or refused it. The pairing key is here, too: only IndexedDB can hold a key that scripts cannot read.
import { done, open, result, sizeOf, walk } from "./database.js";
import { Unkept } from "./unkept.js";
import { entry, forget, HISTORY, keep, list, note, short } from "./ring.js";

/** @typedef {import("../../types/protocol.d.ts").Event} Event */

/** Most bytes and most events in the queue. Beyond them the oldest snapshots go, so that the daemon's absence cannot fill the disk. */
const MAX_BYTES = 256 << 20;
const MAX_EVENTS = 200_000;

/**
 * The object store meta has these keys: seq, the last number used; counts, a Counts; memory, the background's state;
 * key, the pairing key. In Counts, bytes is the size of the queue, and dropped is the number of snapshots that went because
 * the queue was full.
 * @typedef {{queued: number, bytes: number, refused: number, dropped: number, lastRefusal: string}} Counts
 */

/** @type {Counts} */
const ZERO = { queued: 0, bytes: 0, refused: 0, dropped: 0, lastRefusal: "" };

export class Queue {
  /** @type {Promise<IDBDatabase>|null} */
  #db = null;
  #name;
  #limit;
  #maxEvents;
  /** What status gave last, for when the database cannot be read. @type {import("../../types/state.d.ts").QueueStatus} */
  #known = { queued: 0, refused: 0, dropped: 0, lastRefusal: "" };

  /** Whether the browser has emptied the database since this background knows it, as Chromium may when the disk is full. */
  #emptied = false;
  /** The last number used and the pairing key, as far as they are known, in case that the database is emptied. */
  #seq = 0;
  /** @type {CryptoKey|null} */
  #key = null;
  /** Ids of events that the daemon has, but that could not be removed yet. @type {string[]} */
  #done = [];

  /** What could not be stored. */
  unkept = new Unkept();

  /** @param {{name?: string, limit?: number, maxEvents?: number}} [options] limit in bytes */
  constructor({ name = "nightjar", limit = MAX_BYTES, maxEvents = MAX_EVENTS } = {}) {
    this.#name = name;
    this.#limit = limit;
    this.#maxEvents = maxEvents;
  }

  async #open() {
    this.#db ??= open(this.#name, () => (this.#db = null)).then(({ db, made }) => {
      if (made) this.#wasEmptied();
      return db;
    });
    try {
      return await this.#db;
    } catch (error) {
      this.#db = null; // the next call tries again
      throw error;
    }
  }

  /** There was no database. Events that waited in it are lost; its state is stored again with the next event. */
  #wasEmptied() {
    this.#emptied = this.#seq > 0 || this.#key !== null;
    if (this.#emptied) this.unkept.lost(this.#known.queued);
    this.#done = [];
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
   * queue is then too long, its oldest snapshots go and are counted, never another event. If the disk is full, the new ones.
   * What cannot be stored, not even in the database opened anew, is counted.
   * @param {readonly Omit<Event, "seq">[]} events @param {unknown} [memory] as for remember
   * @param {Readonly<Record<string, readonly string[]>>} [redacted] names of what was redacted, by the event's id
   * @returns {Promise<Event[]>} the stored events
   */
  async add(events, memory, redacted = {}) {
    /** @type {unknown} */
    let first;
    try {
      const stored = await this.#addSome(events, memory, redacted);
      this.unkept.worked();
      return stored;
    } catch (error) {
      if (error instanceof DOMException && (error.name === "ConstraintError" || error.name === "DataCloneError")) throw error;
      first = error;
      await this.#reopen();
    }
    try {
      const stored = await this.#addSome(events, memory, redacted);
      this.unkept.worked();
      return stored;
    } catch (error) {
      await this.unkept.failed(events.length, first, error);
      throw error;
    }
  }

  /** Closes the database, so that the next call opens it anew. */
  async #reopen() {
    const db = await this.#db?.catch(() => null);
    db?.close();
    this.#db = null;
  }

  /**
   * @param {readonly Omit<Event, "seq">[]} events @param {unknown} memory
   * @param {Readonly<Record<string, readonly string[]>>} redacted @returns {Promise<Event[]>}
   */
  async #addSome(events, memory, redacted) {
    try {
      return await this.#add(events, memory, redacted, 0);
    } catch (error) {
      const small = events.filter((event) => event.type !== "snapshot");
      const full = error instanceof DOMException && error.name === "QuotaExceededError";
      if (!full || small.length === events.length) throw error;
      return this.#add(small, memory, redacted, events.length - small.length);
    }
  }

  /**
   * @param {readonly Omit<Event, "seq">[]} events @param {unknown} memory
   * @param {Readonly<Record<string, readonly string[]>>} redacted @param {number} lost snapshots that were left out @returns {Promise<Event[]>}
   */
  async #add(events, memory, redacted, lost) {
    const [kept, last] = await this.#write(["events", "meta", HISTORY], async (tx) => {
      const meta = tx.objectStore("meta");
      if (this.#emptied && this.#key) meta.put(this.#key, "key");
      const counts = await this.#counts(tx);
      counts.dropped += lost;
      let seq = Math.max(this.#seq, /** @type {number} */ ((await result(meta.get("seq"))) ?? 0));
      /** @type {Event[]} */
      const stored = [];
      for (const event of events) {
        const size = sizeOf(event);
        if (event.type === "snapshot" && size > this.#limit) {
          counts.dropped++;
          continue;
        }
        const numbered = /** @type {Event} */ ({ ...event, seq: ++seq });
        tx.objectStore("events").add(numbered);
        note(tx, seq, redacted[event.id] ?? []);
        counts.queued++;
        counts.bytes += size;
        stored.push(numbered);
      }
      const dropped = this.#full(counts) ? await this.#dropSnapshots(tx, counts) : new Set();
      meta.put(seq, "seq");
      if (memory !== undefined) meta.put(memory, "memory");
      this.#setCounts(tx, counts);
      return /** @type {const} */ ([stored.filter((event) => !dropped.has(event.id)), seq]);
    });
    this.#seq = Math.max(this.#seq, last);
    this.#emptied = false;
    return kept;
  }

  /** @param {Counts} counts */
  #full(counts) {
    return counts.bytes > this.#limit || counts.queued > this.#maxEvents;
  }

  /**
   * Removes the oldest snapshots until the queue is no longer too long.
   * @param {IDBTransaction} tx @param {Counts} counts @returns {Promise<Set<string>>} their ids
   */
  async #dropSnapshots(tx, counts) {
    /** @type {Event[]} */
    const dropped = [];
    const oldest = tx.objectStore("events").index("type").openCursor(IDBKeyRange.only("snapshot"));
    await walk(oldest, (cursor) => {
      if (!this.#full(counts)) return false;
      cursor.delete();
      this.#left(counts, cursor.value);
      counts.dropped++;
      dropped.push(short(cursor.value));
      return true;
    });
    for (const event of dropped) await keep(tx, event, "dropped");
    return new Set(dropped.map((event) => event.id));
  }

  /** Counts an event that is no longer in the queue. @param {Counts} counts @param {Event} event */
  #left(counts, event) {
    counts.queued--;
    counts.bytes -= sizeOf(event);
  }

  /** Stores a plain value for the next start of the background. @param {unknown} memory @returns {Promise<boolean>} whether it is stored */
  async remember(memory) {
    try {
      await this.#write(["meta"], async (tx) => void tx.objectStore("meta").put(memory, "memory"));
      return true;
    } catch (error) {
      console.error("nightjar:", error);
      await this.unkept.failed(0, error);
      return false;
    }
  }

  /** The value stored last, undefined without one. @returns {Promise<any>} */
  async memory() {
    const tx = (await this.#open()).transaction("meta");
    return result(tx.objectStore("meta").get("memory"));
  }

  /**
   * The first events with a number above seq, in order: at most limit of them, and no more once they have maxBytes bytes.
   * @param {number} seq @param {number} limit at least 1 @param {number} [maxBytes] @returns {Promise<Event[]>}
   */
  async after(seq, limit, maxBytes = Infinity) {
    const tx = (await this.#open()).transaction("events");
    /** @type {Event[]} */
    const events = [];
    let size = 0;
    await walk(tx.objectStore("events").openCursor(IDBKeyRange.lowerBound(seq, true)), ({ value }) => {
      events.push(value);
      size += sizeOf(value);
      return events.length < limit && size < maxBytes;
    });
    return events;
  }

  /**
   * Removes events that the daemon has stored. What cannot be removed, since even that takes room on the disk, is removed with the
   * next ones. @param {readonly string[]} ids
   */
  async remove(ids) {
    const all = [...this.#done, ...ids];
    try {
      await this.#write(["events", "meta", HISTORY], async (tx) => {
        const counts = await this.#counts(tx);
        for (const id of all) {
          const event = await this.#delete(tx, counts, id);
          if (event) await keep(tx, event, "stored");
        }
        this.#setCounts(tx, counts);
      });
      this.#done = this.#done.filter((id) => !all.includes(id));
    } catch (error) {
      console.error("nightjar:", error);
      this.#done = [...new Set([...this.#done, ...ids])];
      await this.unkept.failed(0, error);
    }
  }

  /** @param {IDBTransaction} tx @param {Counts} counts @param {string} id @returns {Promise<Event|null>} what was removed */
  async #delete(tx, counts, id) {
    const events = tx.objectStore("events");
    const event = /** @type {Event|undefined} */ (await result(events.index("id").get(id)));
    if (!event) return null;
    events.delete(event.seq);
    this.#left(counts, event);
    return event;
  }

  /** Removes an event that the daemon refused, and keeps the reason. @param {string} id @param {string} message */
  refuse(id, message) {
    return this.#write(["events", "meta", HISTORY], async (tx) => {
      const counts = await this.#counts(tx);
      const event = await this.#delete(tx, counts, id);
      if (!event) return;
      await keep(tx, event, "refused", message);
      this.#setCounts(tx, { ...counts, refused: counts.refused + 1, lastRefusal: message });
    });
  }

  /**
   * Removes the events of a discarded session except its start, which the discard refers to. It forgets those that left, too.
   * @param {string} session
   */
  discard(session) {
    return this.#write(["events", "meta", HISTORY], async (tx) => {
      const counts = await this.#counts(tx);
      await walk(tx.objectStore("events").index("session").openCursor(IDBKeyRange.only(session)), (cursor) => {
        if (cursor.value.type === "session.start") return;
        cursor.delete();
        tx.objectStore(HISTORY).delete(cursor.value.seq);
        this.#left(counts, cursor.value);
      });
      await forget(tx, session);
      this.#setCounts(tx, counts);
    });
  }

  /** The last events, the newest first, without HTML: those that wait and those that left. */
  async history() {
    return list((await this.#open()).transaction(["events", HISTORY]));
  }

  /** One of the last events as it was sent or will be sent; null if it is gone. @param {number} seq */
  async historyEntry(seq) {
    return entry((await this.#open()).transaction(["events", HISTORY]), seq);
  }

  /** Forgets the events that left, of one session or all. @param {string} [session] */
  clearHistory(session) {
    return this.#write(["meta", HISTORY], (tx) => forget(tx, session));
  }

  /** @returns {Promise<import("../../types/state.d.ts").QueueStatus>} */
  async status() {
    try {
      const { queued, refused, dropped, lastRefusal } = await this.#counts((await this.#open()).transaction("meta"));
      this.#known = { queued: Math.max(0, queued - this.#done.length), refused, dropped, lastRefusal };
    } catch (error) {
      await this.unkept.failed(0, error);
      await this.#reopen();
    }
    const { unkept } = this;
    return { ...this.#known, ...((unkept.state.events > 0 || unkept.state.failing) && { unkept: unkept.state }) };
  }

  /** The pairing key, or null. @returns {Promise<CryptoKey|null>} */
  async key() {
    if (this.#key) return this.#key;
    const tx = (await this.#open()).transaction("meta");
    this.#key = (await result(tx.objectStore("meta").get("key"))) ?? null;
    return this.#key;
  }

  /** @param {CryptoKey|null} key */
  async setKey(key) {
    await this.#write(["meta"], async (tx) => {
      const meta = tx.objectStore("meta");
      if (key) meta.put(key, "key");
      else meta.delete("key");
    });
    this.#key = key;
  }
}
