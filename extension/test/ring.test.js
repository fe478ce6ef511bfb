// The last events as they left, for the page "What was sent".
import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import test from "node:test";
import { Queue } from "../src/background/queue.js";
import { LIMITS } from "../src/background/ring.js";
import { uuid7 } from "../src/shared/protocol.js";

let databases = 0;
const fresh = () => new Queue({ name: `ring${++databases}` });

/** @param {any} [fields] @returns {any} */
const event = (fields) => ({ v: 1, id: uuid7(), client: "c", session: "s", tab: 1, frame: 0, at: "2026-11-21T10:00:00.000Z", type: "visit", ...fields });

/** @param {Queue} queue */
const states = async (queue) => (await queue.history()).map((h) => [h.event.seq, h.state]);

test("an event is shown while it waits, and after it was stored or refused; each once, the newest first", async () => {
  const queue = fresh();
  const [one, two, three] = await queue.add([event(), event(), event()]);
  assert.deepEqual(await states(queue), [[3, "waiting"], [2, "waiting"], [1, "waiting"]]);
  await queue.remove([one.id]);
  await queue.refuse(three.id, "not like this");
  assert.deepEqual(await states(queue), [[3, "refused"], [2, "waiting"], [1, "stored"]]);
  const [first, second, third] = await queue.history();
  assert.equal(first.why, "not like this");
  assert.equal(second.when, 0);
  assert.ok(Math.abs(Date.now() - third.when) < 60_000);
  assert.deepEqual(third.event, one);
  await queue.remove([one.id, "unknown", two.id]);
  assert.deepEqual(await states(queue), [[3, "refused"], [2, "stored"], [1, "stored"]]);
});

test("the exact event can be read again, and the list has no HTML", async () => {
  const queue = fresh();
  const one = event({ type: "snapshot", html: "H4sI" });
  const [stored] = await queue.add([one]);
  for (const leave of [() => {}, () => queue.remove([one.id])]) {
    await leave();
    assert.deepEqual(await queue.historyEntry(stored.seq), { ...one, seq: stored.seq });
    const [shown] = await queue.history();
    assert.equal(shown.event.html, "");
    assert.equal(shown.size, 4);
  }
  assert.equal(await queue.historyEntry(99), null);
});

test("the names of what was redacted stay with their event, waiting or not", async () => {
  const queue = fresh();
  const [one, two] = [event(), event()];
  await queue.add([one, two], undefined, { [two.id]: ["token"] });
  assert.deepEqual((await queue.history()).map((h) => h.redacted), [["token"], []]);
  await queue.remove([one.id, two.id]);
  assert.deepEqual((await queue.history()).map((h) => h.redacted), [["token"], []]);
});

test("the oldest are forgotten: beyond 200 events, and beyond 8 MB", async () => {
  const queue = fresh();
  const all = await queue.add(Array.from({ length: LIMITS.events + 30 }, () => event()));
  await queue.remove(all.map((e) => e.id));
  const seqs = (await queue.history()).map((h) => h.event.seq);
  assert.deepEqual(seqs, Array.from({ length: LIMITS.events }, (_, i) => LIMITS.events + 30 - i));
  assert.equal(await queue.historyEntry(30), null, "it is forgotten, not only hidden");
  const html = "x".repeat(3 << 20);
  const large = await queue.add([1, 2, 3].map(() => event({ type: "snapshot", html })));
  await queue.remove(large.map((e) => e.id));
  assert.deepEqual((await queue.history()).map((h) => h.event.seq), [large[2].seq, large[1].seq], "three of them are more than 8 MB");
});

test("of many waiting snapshots only the newest 8 MB are read", async () => {
  const queue = fresh();
  const html = "x".repeat(3 << 20);
  await queue.add(Array.from({ length: 5 }, () => event({ type: "snapshot", html })));
  assert.deepEqual((await queue.history()).map((h) => [h.event.seq, h.size]), [5, 4, 3].map((seq) => [seq, 3 << 20]));
});

test("Clear forgets what left and keeps what waits; Discard forgets the session", async () => {
  const queue = fresh();
  const [one, , three] = await queue.add([event(), event(), event({ session: "t" })]);
  await queue.remove([one.id, three.id]);
  await queue.discard("s");
  assert.deepEqual(await states(queue), [[3, "stored"]], "of the discarded session nothing is left");
  await queue.add([event()]);
  await queue.clearHistory();
  assert.deepEqual(await states(queue), [[4, "waiting"]]);
  const more = await queue.add(Array.from({ length: LIMITS.events }, () => event()));
  await queue.remove(more.map((e) => e.id));
  assert.equal((await queue.history()).length, LIMITS.events, "the totals were set back");
});

test("the events of one session are forgotten, and those of others stay", async () => {
  const queue = fresh();
  const [one, two] = await queue.add([event(), event({ session: "t" }), event()]);
  await queue.remove([one.id, two.id]);
  await queue.clearHistory("s");
  assert.deepEqual(await states(queue), [[3, "waiting"], [2, "stored"]]);
});
