// The extension's IndexedDB database: its object stores, and promises for requests and transactions.

/** A database of an earlier version is made anew, empty. */
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
 * Opens the database.
 * @param {string} name @param {() => void} onClose called when the browser or a newer version closes it
 * @returns {Promise<{db: IDBDatabase, made: boolean}>} made: there was none
 */
export async function open(name, onClose) {
  const request = indexedDB.open(name, VERSION);
  let made = false;
  request.onupgradeneeded = () => {
    made = true;
    create(request.result);
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
  for (const store of [...db.objectStoreNames]) db.deleteObjectStore(store);
  const events = db.createObjectStore("events", { keyPath: "seq" });
  events.createIndex("id", "id", { unique: true });
  events.createIndex("type", "type"); // equal keys are in the order of seq
  events.createIndex("session", "session");
  db.createObjectStore("meta");
  db.createObjectStore("history", { keyPath: "seq" });
}
