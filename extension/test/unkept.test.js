/* global indexedDB, IDBDatabase, IDBFactory, IDBObjectStore -- fake-indexeddb defines them */
// What happens when the browser cannot store events.
import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import test from "node:test";
import "./text_fake.js";
import { badge } from "../src/background/badge.js";
import { result } from "../src/background/database.js";
import { hmacKey } from "../src/background/handshake.js";
import { Queue } from "../src/background/queue.js";
import { uuid7 } from "../src/shared/protocol.js";

const event = () => ({ v: 1, id: uuid7(), client: "c", session: "s", tab: 1, frame: 0, at: "2026-11-21T10:00:00.000Z", type: "visit" });

/** Lets every write fail with an error until the returned function is called. @param {string} name of a DOMException */
function fail(name) {
  const { add, put } = IDBObjectStore.prototype;
  const throws = () => {
    throw new DOMException("no", name);
  };
  Object.assign(IDBObjectStore.prototype, { add: throws, put: throws });
  return () => Object.assign(IDBObjectStore.prototype, { add, put });
}

test("events that cannot be stored are counted with the reason, until storing works again", async () => {
  for (const [name, why] of [["QuotaExceededError", "full"], ["UnknownError", "broken"]]) {
    const queue = new Queue({ name: `unkept ${name}` });
    await queue.status(); // makes the database
    const before = Date.now();
    const mend = fail(name);
    await assert.rejects(queue.add(/** @type {any} */ ([event(), event()])));
    await assert.rejects(queue.add(/** @type {any} */ ([event()])));
    const { unkept, queued } = await queue.status();
    assert.equal(queued, 0);
    assert.deepEqual({ ...unkept, since: 0 }, { events: 3, since: 0, why, failing: true });
    assert.ok(unkept && unkept.since >= before && unkept.since <= Date.now());
    mend();
    await queue.add(/** @type {any} */ ([event()]));
    const after = await queue.status();
    assert.equal(after.queued, 1);
    assert.deepEqual([after.unkept?.events, after.unkept?.failing], [3, false]);
  }
});

test("a database that fails once is opened anew, and nothing is lost", async () => {
  const queue = new Queue({ name: "once" });
  await queue.status(); // makes the database
  const mend = fail("InvalidStateError");
  const { close } = IDBDatabase.prototype;
  IDBDatabase.prototype.close = function () {
    mend();
    close.call(this);
  };
  await queue.add(/** @type {any} */ ([event()]));
  IDBDatabase.prototype.close = close;
  assert.deepEqual(await queue.status(), { queued: 1, refused: 0, dropped: 0, lastRefusal: "" });
});

test("a queue that cannot be opened says so instead of failing", async () => {
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = () => {
    throw new DOMException("no", "UnknownError");
  };
  const queue = new Queue({ name: "closed" });
  const { unkept } = await queue.status();
  IDBFactory.prototype.open = open;
  assert.equal(unkept?.failing, true);
  assert.equal(unkept?.why, "broken");
});

test("a full disk is named although the browser names it only at first", async () => {
  const queue = new Queue({ name: "named once" });
  await queue.status(); // makes the database
  let mend = fail("QuotaExceededError");
  await assert.rejects(queue.add(/** @type {any} */ ([event()])));
  mend();
  mend = fail("InvalidStateError");
  await assert.rejects(queue.add(/** @type {any} */ ([event()])));
  assert.equal(queue.unkept.state.why, "full");
  mend();
  await queue.add(/** @type {any} */ ([event()]));
  mend = fail("InvalidStateError");
  await assert.rejects(queue.add(/** @type {any} */ ([event()])));
  mend();
  assert.equal(queue.unkept.state.why, "broken");
});

test("what else cannot be stored is no error, but is told", async () => {
  const queue = new Queue({ name: "memory" });
  await queue.status(); // makes the database
  const mend = fail("QuotaExceededError");
  assert.equal(await queue.remember("state"), false);
  mend();
  const { unkept } = await queue.status();
  assert.deepEqual([unkept?.events, unkept?.failing, unkept?.why], [0, true, "full"]);
  assert.equal(await queue.remember("state"), true);
  assert.equal(await queue.memory(), "state");
});

test("events that the daemon has leave the queue as soon as there is room for that", async () => {
  const queue = new Queue({ name: "acked" });
  const [one, two, three] = await queue.add(/** @type {any} */ ([event(), event(), event()]));
  const mend = fail("QuotaExceededError");
  await queue.remove([one.id]);
  await queue.remove([two.id]);
  const { queued, unkept } = await queue.status();
  assert.deepEqual([queued, unkept?.failing], [1, true], "they wait no more");
  mend();
  await queue.remove([]);
  assert.deepEqual((await queue.after(0, 9)).map((e) => e.id), [three.id]);
  assert.equal((await queue.status()).queued, 1);
});

test("a database that the browser emptied: numbers go on, the key is still there, and what waited is counted", async () => {
  const queue = new Queue({ name: "emptied" });
  await queue.setKey(await hmacKey(new Uint8Array(32)));
  await queue.add(/** @type {any} */ ([event(), event(), event()]));
  await queue.status();
  await result(indexedDB.deleteDatabase("emptied"));
  assert.ok(await queue.key());
  assert.equal((await queue.add(/** @type {any} */ ([event()])))[0].seq, 4);
  const { queued, unkept } = await queue.status();
  assert.deepEqual([queued, unkept?.events, unkept?.failing], [1, 3, false]);
  const next = new Queue({ name: "emptied" });
  assert.ok(await next.key(), "the key is stored again");
  assert.equal((await next.add(/** @type {any} */ ([event()])))[0].seq, 5);
});

test("a new database is not taken for one that was emptied", async () => {
  const queue = new Queue({ name: "new" });
  assert.equal(await queue.key(), null);
  await queue.add(/** @type {any} */ ([event()]));
  assert.equal((await queue.status()).unkept, undefined);
});

test("the badge says that nothing can be stored, before all else", () => {
  const unkept = /** @type {const} */ ({ events: 2, since: 1, why: "full", failing: true });
  const session = /** @type {any} */ ({ status: "recording", topic: "Hockey" });
  const status = /** @type {any} */ ({ state: "connected", message: "" });
  assert.equal(badge(session, status, 0, true, unkept).text, "!");
  assert.equal(badge(session, status, 0, true, { ...unkept, failing: false }).text, "●");
});
