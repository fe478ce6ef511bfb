import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import test from "node:test";
import { hmacKey } from "../src/background/handshake.js";
import { Queue } from "../src/background/queue.js";
import { uuid7 } from "../src/shared/protocol.js";

let databases = 0;
/** @param {Queue} queue @param {any} event */
const addOne = async (queue, event) => (await queue.add([event]))[0];

const fresh = (/** @type {object} */ o = {}) => ({ name: `q${++databases}`, ...o });

/** @param {any} [fields] @returns {any} */
const event = (fields) => ({ v: 1, id: uuid7(), client: "c", session: "s", tab: 1, frame: 0, at: "2026-11-21T10:00:00.000Z", type: "visit", ...fields });

test("events are numbered from 1 without gaps, also when added at once, and a new queue goes on", async () => {
  const where = fresh();
  const queue = new Queue(where);
  const added = await Promise.all(Array.from({ length: 20 }, () => addOne(queue, event())));
  assert.deepEqual(added.map((e) => e?.seq), Array.from({ length: 20 }, (_, i) => i + 1));
  await queue.remove(added.map((e) => e?.id ?? ""));
  const later = await addOne(new Queue(where), event());
  assert.equal(later?.seq, 21, "a number is never used twice, not even if the queue was empty");
});

test("after returns the remaining events in order", async () => {
  const queue = new Queue(fresh());
  const all = [];
  for (let i = 0; i < 5; i++) all.push(await addOne(queue, event()));
  await queue.remove([all[1]?.id ?? "", "unknown"]);
  assert.deepEqual((await queue.after(0, 10)).map((e) => e.seq), [1, 3, 4, 5]);
  assert.deepEqual((await queue.after(3, 1)).map((e) => e.seq), [4]);
  assert.equal((await queue.status()).queued, 4);
});

test("an id is queued once: the second is an error and takes no number", async () => {
  const queue = new Queue(fresh());
  const one = event();
  await addOne(queue, one);
  await assert.rejects(addOne(queue, { ...one }));
  assert.equal((await addOne(queue, event()))?.seq, 2);
  assert.equal((await queue.status()).queued, 2);
});

test("events and memory are stored together or not at all", async () => {
  const where = fresh();
  const queue = new Queue(where);
  const one = event();
  await queue.add([one, event()], { state: 1 });
  await assert.rejects(queue.add([event(), { ...one }], { state: 2 }));
  assert.deepEqual(await new Queue(where).memory(), { state: 1 });
  assert.deepEqual((await queue.after(0, 9)).map((e) => e.seq), [1, 2]);
  await queue.remember({ state: 3 });
  assert.deepEqual(await queue.memory(), { state: 3 });
});

test("refused events are removed and counted; unknown ids are not", async () => {
  const queue = new Queue(fresh());
  const one = await addOne(queue, event());
  await queue.refuse(one?.id ?? "", "no such address");
  await queue.refuse("unknown", "never counted");
  assert.deepEqual(await queue.status(), { queued: 0, refused: 1, dropped: 0, lastRefusal: "no such address" });
});

test("a full queue leaves out snapshots, counts them, and takes new ones when there is room", async () => {
  const queue = new Queue(fresh({ limit: 10_000 }));
  const big = () => event({ type: "snapshot", html: "x".repeat(6000) });
  const first = await addOne(queue, big());
  assert.equal(await addOne(queue, big()), undefined);
  assert.equal((await addOne(queue, event()))?.seq, 2, "there is still room for a visit, and no number is missing");
  assert.equal((await queue.status()).dropped, 1);
  await queue.remove([first?.id ?? ""]);
  assert.equal((await addOne(queue, big()))?.seq, 3);
});

test("discard removes the events of a session except its start", async () => {
  const queue = new Queue(fresh());
  await addOne(queue, event({ type: "session.start" }));
  await addOne(queue, event());
  await addOne(queue, event({ session: "other" }));
  await queue.discard("s");
  assert.deepEqual((await queue.after(0, 9)).map((e) => `${e.session} ${e.type}`), ["s session.start", "other visit"]);
  assert.equal((await queue.status()).queued, 2);
});

test("the key is stored and cannot be read by scripts", async () => {
  const where = fresh();
  const queue = new Queue(where);
  assert.equal(await queue.key(), null);
  await queue.setKey(await hmacKey(crypto.getRandomValues(new Uint8Array(32))));
  const key = await new Queue(where).key();
  assert.equal(key?.extractable, false);
  await queue.setKey(null);
  assert.equal(await queue.key(), null);
});

test("a database of version 1 keeps its events, its numbers, its state and its key", async () => {
  const { name } = /** @type {{name: string}} */ (fresh());
  const old = await new Promise((resolve, reject) => {
    const request = globalThis.indexedDB.open(name, 1);
    request.onerror = () => reject(request.error);
    request.onsuccess = () => resolve(request.result);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("events", { keyPath: "seq" }).createIndex("id", "id", { unique: true });
      request.result.createObjectStore("meta");
    };
  });
  const one = event({ seq: 7 });
  const key = await hmacKey(new Uint8Array(32).fill(1));
  await new Promise((resolve, reject) => {
    const tx = old.transaction(["events", "meta"], "readwrite");
    tx.oncomplete = resolve;
    tx.onabort = () => reject(tx.error);
    tx.objectStore("events").add(one);
    for (const [k, value] of Object.entries({ seq: 7, memory: { state: 1 }, key })) tx.objectStore("meta").put(value, k);
    tx.objectStore("meta").put({ queued: 1, bytes: 500, refused: 2, dropped: 0, lastRefusal: "no" }, "counts");
  });
  old.close();
  const queue = new Queue({ name });
  assert.deepEqual(await queue.after(0, 9), [one]);
  assert.deepEqual(await queue.memory(), { state: 1 });
  assert.equal((await queue.status()).refused, 2);
  assert.notEqual(await queue.key(), null);
  assert.equal((await addOne(queue, event())).seq, 8);
  await queue.remove([one.id]);
  assert.deepEqual((await queue.history()).map((h) => [h.event.seq, h.state]), [[8, "waiting"], [7, "stored"]]);
});
