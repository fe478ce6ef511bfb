/* global IDBDatabase, IDBFactory, IDBObjectStore -- fake-indexeddb defines them */
// What happens when the browser cannot store events.
import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import test from "node:test";
import "./text_fake.js";
import { badge } from "../src/background/badge.js";
import { Queue } from "../src/background/queue.js";
import { uuid7 } from "../src/shared/protocol.js";

const event = () => ({ v: 1, id: uuid7(), client: "c", session: "s", tab: 1, frame: 0, at: "2026-11-21T10:00:00.000Z", type: "visit" });

/** Lets every write fail with an error until the returned function is called. @param {string} name of a DOMException */
function fail(name) {
  const { add } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.add = () => {
    throw new DOMException("no", name);
  };
  return () => (IDBObjectStore.prototype.add = add);
}

test("events that cannot be stored are counted with the reason, until storing works again", async () => {
  for (const [name, why] of [["QuotaExceededError", "full"], ["UnknownError", "broken"]]) {
    const queue = new Queue({ name: `unkept ${name}` });
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

test("the badge says that nothing can be stored, before all else", () => {
  const unkept = /** @type {const} */ ({ events: 2, since: 1, why: "full", failing: true });
  const session = /** @type {any} */ ({ status: "recording", topic: "Hockey" });
  const status = /** @type {any} */ ({ state: "connected", message: "" });
  assert.equal(badge(session, status, 0, true, unkept).text, "!");
  assert.equal(badge(session, status, 0, true, { ...unkept, failing: false }).text, "●");
});
