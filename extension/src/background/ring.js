// The last events as they left, for the page "What was sent". They are in the queue's database: what leaves the queue is
// kept here in the same transaction, so that each event is either waiting or in this list. An event that waits is not
// written twice; only the names of what was redacted in it are kept here from the start.
import { result, sizeOf } from "./database.js";

/** @typedef {import("../../types/protocol.d.ts").Event} Event */
/** @typedef {import("../../types/state.d.ts").SentState} SentState */
/** @typedef {import("../../types/state.d.ts").SentEvent} SentEvent */

/** The object store's name; its keys are the numbers of events. */
export const HISTORY = "history";
/** The limits of the list: its events, and their bytes. */
export const LIMITS = Object.freeze({ events: 200, bytes: 8 << 20 });
/** Most names of redacted parts of one event. */
const MOST_NAMES = 20;

/**
 * What is kept of one event. Without an event, it is still in the queue.
 * @typedef {object} Kept
 * @property {number} seq
 * @property {string[]} redacted names of what was replaced or cut off
 * @property {Event} [event]
 * @property {SentState} [state]
 * @property {number} [when] milliseconds since 1970 at which it left the queue
 * @property {string} [why] why it was refused
 */

/** Keeps the names of what was redacted in an event that waits. @param {IDBTransaction} tx @param {number} seq @param {readonly string[]} redacted */
export function note(tx, seq, redacted) {
  if (redacted.length > 0) tx.objectStore(HISTORY).put({ seq, redacted: redacted.slice(0, MOST_NAMES) });
}

/**
 * Keeps an event that leaves the queue, and removes the oldest ones beyond the limits. The object store meta has the totals
 * under the key "history", so that only what is removed must be read.
 * @param {IDBTransaction} tx of the stores history and meta @param {Event} event @param {SentState} state @param {string} [why]
 */
export async function keep(tx, event, state, why = "") {
  const store = tx.objectStore(HISTORY);
  const meta = tx.objectStore("meta");
  const noted = /** @type {Kept|undefined} */ (await result(store.get(event.seq)));
  const total = (await result(meta.get(HISTORY))) ?? { events: 0, bytes: 0 };
  store.put({ seq: event.seq, redacted: noted?.redacted ?? [], event, state, when: Date.now(), why });
  total.events++;
  total.bytes += sizeOf(event);
  if (total.events > LIMITS.events || total.bytes > LIMITS.bytes) {
    await remove(store, total, () => total.events > LIMITS.events || total.bytes > LIMITS.bytes);
  }
  meta.put(total, HISTORY);
}

/**
 * Removes events that left, from the oldest on, while more says so.
 * @param {IDBObjectStore} store @param {{events: number, bytes: number}} total is kept up to date
 * @param {() => boolean} more @param {(event: Event) => boolean} [which]
 */
function remove(store, total, more, which = () => true) {
  const request = store.openCursor();
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor || !more()) return resolve(undefined);
      const { event } = /** @type {Kept} */ (cursor.value);
      if (event && which(event)) {
        total.events--;
        total.bytes -= sizeOf(event);
        cursor.delete();
      }
      cursor.continue();
    };
  });
}

/** Removes the events of a session, or all that left. @param {IDBTransaction} tx of the stores history and meta @param {string} [session] */
export async function forget(tx, session) {
  const meta = tx.objectStore("meta");
  const total = (await result(meta.get(HISTORY))) ?? { events: 0, bytes: 0 };
  await remove(tx.objectStore(HISTORY), total, () => true, (event) => session === undefined || event.session === session);
  meta.put(total, HISTORY);
}

/**
 * The last events, the newest first: those that wait, and those that left. HTML is told by its length only.
 * @param {IDBTransaction} tx of the stores events and history @returns {Promise<SentEvent[]>}
 */
export async function list(tx) {
  const [waiting, left] = await Promise.all([
    last(tx.objectStore("events"), (event) => ({ event })),
    last(tx.objectStore(HISTORY), ({ event, ...kept }) => ({ event, kept })),
  ]);
  /** @type {Map<number, SentEvent>} */
  const all = new Map();
  for (const { event, size } of waiting) all.set(event.seq, { event, size, state: "waiting", when: 0, why: "", redacted: [] });
  for (const { event, size, kept } of left) {
    const { seq, redacted, state = "stored", when = 0, why = "" } = kept;
    if (event) all.set(seq, { event, size, state, when, why, redacted });
    else if (all.has(seq)) all.set(seq, { .../** @type {SentEvent} */ (all.get(seq)), redacted });
  }
  return [...all.values()].sort((a, b) => b.event.seq - a.event.seq).slice(0, LIMITS.events);
}

/** An event without its HTML. @param {Event} event @returns {Event} */
export const short = ({ html, ...rest }) => (html === undefined ? rest : { ...rest, html: "" });

/**
 * The last values of a store, the newest first, within the limits. The HTML of one event at a time is in memory.
 * @param {IDBObjectStore} store @param {(value: any) => any} read the event and what else there is
 * @returns {Promise<any[]>}
 */
function last(store, read) {
  /** @type {any[]} */
  const all = [];
  let bytes = 0;
  const request = store.openCursor(null, "prev");
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      if (!request.result || all.length >= LIMITS.events || bytes > LIMITS.bytes) return resolve(all);
      const value = read(request.result.value);
      const size = value.event?.html?.length ?? 0;
      bytes += size;
      all.push({ ...value, size, event: value.event && short(value.event) });
      request.result.continue();
    };
  });
}

/** One event as it left or waits. @param {IDBTransaction} tx of the stores events and history @param {number} seq @returns {Promise<Event|null>} */
export async function entry(tx, seq) {
  const left = /** @type {Kept|undefined} */ (await result(tx.objectStore(HISTORY).get(seq)));
  return left?.event ?? (await result(tx.objectStore("events").get(seq))) ?? null;
}
