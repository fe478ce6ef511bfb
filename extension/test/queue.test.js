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

const snapshot = (/** @type {number} */ size = 6000) => event({ type: "snapshot", html: "x".repeat(size) });
const kinds = async (/** @type {Queue} */ queue) => (await queue.after(0, 99)).map((e) => `${e.seq} ${e.type}`);

test("a full queue loses its oldest snapshots, counts them, and nothing else", async () => {
  const queue = new Queue(fresh({ limit: 15_000 }));
  for (const next of [event(), snapshot(), event({ type: "useful" }), snapshot(), event(), snapshot()]) await addOne(queue, next);
  assert.deepEqual(await kinds(queue), ["1 visit", "3 useful", "4 snapshot", "5 visit", "6 snapshot"]);
  assert.deepEqual(await queue.add([event(), snapshot(16_000)]).then((all) => all.map((e) => e.type)), ["visit"], "larger than the queue");
  assert.deepEqual(await kinds(queue), ["1 visit", "3 useful", "4 snapshot", "5 visit", "6 snapshot", "7 visit"]);
  await queue.add([snapshot(), snapshot()]);
  assert.deepEqual(await kinds(queue), ["1 visit", "3 useful", "5 visit", "7 visit", "8 snapshot", "9 snapshot"]);
  assert.equal((await queue.status()).dropped, 4);
  const dropped = (await queue.history()).filter((h) => h.state === "dropped");
  assert.deepEqual(dropped.map((h) => `${h.event.seq} ${h.event.html}`), ["6 ", "4 ", "2 "], "the history shows what went, without the HTML");
});

test("a full queue without snapshots still takes events, by size and by number", async () => {
  for (const options of [{ limit: 5000 }, { maxEvents: 10 }]) {
    const queue = new Queue(fresh(options));
    for (let i = 0; i < 20; i++) assert.ok(await addOne(queue, event({ url: "x".repeat(200) })));
    assert.equal(await addOne(queue, snapshot(10)), undefined, "its own snapshot is the oldest one");
    const { queued, dropped } = await queue.status();
    assert.deepEqual({ queued, dropped }, { queued: 20, dropped: 1 });
  }
});

test("on a full disk the text of a page is left out and counted; an event that does not fit either is an error", async () => {
  const queue = new Queue(fresh());
  const { add } = globalThis.IDBObjectStore.prototype;
  let room = ["visit", "useful"];
  globalThis.IDBObjectStore.prototype.add = function (value) {
    if (!room.includes(value.type)) throw new DOMException("no room", "QuotaExceededError");
    return add.call(this, value);
  };
  try {
    const stored = await queue.add([event(), snapshot()], { state: 1 });
    assert.deepEqual(stored.map((e) => e.type), ["visit"]);
    room = [];
    await assert.rejects(queue.add([event({ type: "useful" })], { state: 2 }), { name: "QuotaExceededError" });
  } finally {
    globalThis.IDBObjectStore.prototype.add = add;
  }
  const { queued, dropped } = await queue.status();
  assert.deepEqual({ queued, dropped, memory: await queue.memory() }, { queued: 1, dropped: 1, memory: { state: 1 } });
});

test("sizes are counted alike when events come and go, whatever is in them", async () => {
  const where = fresh({ limit: 20_000 });
  const queue = new Queue(where);
  for (let round = 0; round < 50; round++) {
    const all = await queue.add([event({ title: "\u{1F3D2}".repeat(round), truncated: true }), snapshot(8000)]);
    await queue.remove(all.map((e) => e.id));
  }
  await queue.add([snapshot(9000), snapshot(9000)]);
  const { queued, dropped } = await queue.status();
  assert.deepEqual({ queued, dropped }, { queued: 2, dropped: 0 });
});

test("after stops at a number of bytes, but always gives one event", async () => {
  const queue = new Queue(fresh());
  for (let i = 0; i < 5; i++) await addOne(queue, snapshot());
  assert.equal((await queue.after(0, 9, 1)).length, 1);
  assert.equal((await queue.after(0, 9, 10_000)).length, 2);
  assert.equal((await queue.after(4, 9, 10_000)).length, 1);
});

test("discard removes the events of a session except its start", async () => {
  const queue = new Queue(fresh());
  await addOne(queue, event({ type: "session.start" }));
  await addOne(queue, event());
  await addOne(queue, event({ session: "other" }));
  const sent = await queue.add([event(), event({ session: "other" })]);
  await queue.remove(sent.map((e) => e.id));
  await queue.discard("s");
  assert.deepEqual((await queue.after(0, 9)).map((e) => `${e.session} ${e.type}`), ["s session.start", "other visit"]);
  assert.deepEqual((await queue.history()).map((e) => `${e.event.session} ${e.state}`), ["other stored", "other waiting", "s waiting"]);
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

test("a database of version 1 is made anew", async () => {
  const where = fresh();
  const request = globalThis.indexedDB.open(where.name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore("events");
  await new Promise((resolve, reject) => Object.assign(request, { onsuccess: resolve, onerror: reject }));
  request.result.close();
  const queue = new Queue(where);
  assert.equal((await addOne(queue, event()))?.seq, 1);
  assert.equal((await queue.status()).queued, 1);
});

test("a queue of the old version lets go of the database, so that the new one can open it", async () => {
  const where = fresh();
  const queue = new Queue(where);
  await addOne(queue, event());
  const request = globalThis.indexedDB.open(where.name, 99);
  await new Promise((resolve, reject) => Object.assign(request, { onsuccess: resolve, onerror: reject }));
  request.result.close();
  await assert.rejects(addOne(queue, event()), { name: "VersionError" });
});
