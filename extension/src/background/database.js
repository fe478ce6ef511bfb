// The extension's IndexedDB database: its object stores, how older versions of it are brought up to date, and promises for
// requests and transactions.

/** Version 1 had no history and no indexes by type and session, and it estimated the size of an event by its HTML alone. */
const VERSION = 2;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
export const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Resolves after the transaction is on disk. @param {IDBTransaction} tx @returns {Promise<void>} */
export const done = (tx) =>
  new Promise((resolve, reject) => {
    tx.oncomplete = () => resolve();
    tx.onabort = () => reject(tx.error ?? new Error("the queue of events could not be stored"));
    tx.onerror = tx.onabort;
  });

/**
 * Walks over a range in the order of its keys, one value in memory at a time, until work returns false. Work may delete
 * the value by the cursor.
 * @param {IDBRequest<IDBCursorWithValue|null>} request @param {(cursor: IDBCursorWithValue) => boolean|void} work
 * @returns {Promise<void>}
 */
export const walk = (request, work) =>
  new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      try {
        const cursor = request.result;
        if (!cursor || work(cursor) === false) resolve();
        else cursor.continue();
      } catch (error) {
        reject(error);
      }
    };
  });

/**
 * The approximate size in bytes of an event on disk. HTML is base64, so it takes one byte a character; other texts may take two.
 * @param {Omit<import("../../types/protocol.d.ts").Event, "seq">} event
 */
export function sizeOf(event) {
  let size = 200;
  for (const [name, value] of Object.entries(event)) {
    size += name.length + 8;
    if (typeof value === "string") size += (name === "html" ? 1 : 2) * value.length;
  }
  return size;
}

/**
 * Opens the database and brings it up to date. Nothing in it is lost: the browser keeps the old version until the update is
 * whole.
 * @param {string} name @param {() => void} onClose called when the browser or a newer version closes it
 * @returns {Promise<{db: IDBDatabase, made: boolean}>} made: there was none
 */
export async function open(name, onClose) {
  const request = indexedDB.open(name, VERSION);
  let made = false;
  request.onupgradeneeded = ({ oldVersion }) => {
    const tx = /** @type {IDBTransaction} */ (request.transaction);
    made = oldVersion < 1;
    if (made) create(request.result);
    if (oldVersion < 2) toVersion2(request.result, tx);
  };
  const db = await result(request);
  db.onclose = onClose;
  db.onversionchange = () => {
    db.close();
    onClose();
  };
  return { db, made };
}

/** @param {IDBDatabase} db */
function create(db) {
  db.createObjectStore("events", { keyPath: "seq" }).createIndex("id", "id", { unique: true });
  db.createObjectStore("meta");
}

/** @param {IDBDatabase} db @param {IDBTransaction} tx */
function toVersion2(db, tx) {
  const events = tx.objectStore("events");
  events.createIndex("type", "type"); // equal keys are in the order of seq
  events.createIndex("session", "session");
  db.createObjectStore("history", { keyPath: "seq" });
  let queued = 0;
  let bytes = 0;
  void walk(events.openCursor(), ({ value }) => {
    queued++;
    bytes += sizeOf(value);
  }).then(async () => {
    const meta = tx.objectStore("meta");
    meta.put({ ...(await result(meta.get("counts"))), queued, bytes }, "counts");
  }).catch(() => tx.abort());
}
