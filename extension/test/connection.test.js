import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import test from "node:test";
import { Connection } from "../src/background/connection.js";
import { Queue } from "../src/background/queue.js";
import { uuid7 } from "../src/shared/protocol.js";
import "./text_fake.js";
import { FakeDaemon, until } from "./fake_daemon.js";
import "./text_fake.js";

let databases = 0;
const client = "3f2b8c1e-9d47-4c5a-b6e0-1a2b3c4d5e6f";

function setUp({ needed = /** @type {boolean|(() => boolean)} */ (false), knows = true, asks = /** @type {() => boolean} */ (() => false) } = {}) {
  const daemon = new FakeDaemon();
  const queue = new Queue({ name: `c${++databases}` });
  /** @type {any[]} */
  const states = [];
  const connection = new Connection({
    queue,
    identity: async () => ({ address: "ws://127.0.0.1:1", client, name: "Test" }),
    needed: () => (typeof needed === "function" ? needed() : needed),
    asks,
    knows: () => knows,
    onState: (s) => void states.push(s),
    onChange: () => {},
    keepAlive: () => {},
    dial: daemon.dial,
    retry: 10,
  });
  const add = async (/** @type {any} */ type = "visit") => {
    const [event] = await queue.add([{ v: 1, id: uuid7(), client, session: "s", tab: 1, frame: 0, at: "", type }]);
    connection.poke();
    return event.id;
  };
  return { daemon, queue, connection, states, add };
}

const empty = async (/** @type {Queue} */ queue) => (await queue.status()).queued === 0;

test("after pairing, all queued events are sent in order and removed when acked", async () => {
  const { daemon, queue, connection, states, add } = setUp();
  const ids = [await add(), await add(), await add()];
  await connection.connect();
  assert.equal(connection.status.state, "unpaired");
  await connection.pair();
  assert.equal(connection.status.state, "connected");
  assert.equal(states[0].topics[0], "Hockey");
  ids.push(await add());
  await until(() => empty(queue), "the queue is empty");
  assert.deepEqual(daemon.ids, ids);
  connection.close();
});

test("events without an ack are sent again after a break, and stored once", async () => {
  const { daemon, queue, connection, add } = setUp();
  await connection.pair();
  daemon.acking = false;
  const ids = [await add(), await add()];
  await until(() => daemon.events.length === 2, "both came");
  daemon.drop();
  await until(() => connection.status.state === "offline", "the break is seen");
  daemon.acking = true;
  assert.equal((await queue.status()).queued, 2);
  await connection.connect();
  await until(() => empty(queue), "the queue is empty");
  assert.deepEqual(daemon.ids, ids);
  connection.close();
});

test("submit waits until all earlier events are acked, and later events wait for submit", async () => {
  const { daemon, queue, connection, add } = setUp();
  await connection.pair();
  daemon.acking = false;
  for (const type of ["visit", "useful", "submit", "session.start"]) await add(type);
  await until(() => daemon.events.length === 2, "two came");
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(daemon.events.map((e) => e.type), ["visit", "useful"]);
  daemon.ackAll();
  await until(() => daemon.events.length === 3, "submit came");
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(daemon.events.at(-1).type, "submit");
  daemon.acking = true;
  daemon.ackAll();
  await until(() => empty(queue), "the queue is empty");
  assert.equal(daemon.events.at(-1).type, "session.start");
  connection.close();
});

test("a refused event is counted and does not block the queue", async () => {
  const { daemon, queue, connection, add } = setUp();
  await connection.pair();
  daemon.refusing.add("visit");
  await add("visit");
  const good = await add("useful");
  await until(() => empty(queue), "the queue is empty");
  assert.deepEqual(daemon.ids, [good]);
  assert.equal((await queue.status()).refused, 1);
  connection.close();
});

test("while the database is damaged, events stay in the queue, and the person is told", async () => {
  const { daemon, queue, connection, add } = setUp();
  await connection.pair();
  connection.close();
  daemon.damaged = true;
  const first = await add();
  await connection.connect();
  assert.equal(connection.status.state, "offline");
  assert.match(connection.status.message, /database is damaged.*Nothing is lost: the browser/);
  assert.equal((await queue.status()).queued, 1);
  daemon.damaged = false;
  await connection.connect();
  await until(() => empty(queue), "the queue is empty");
  assert.deepEqual(daemon.ids, [first]);
  connection.close();
});

test("an impostor gets no event", async () => {
  const { daemon, queue, connection, add } = setUp();
  await connection.pair();
  connection.close();
  daemon.impostor = true;
  daemon.heard = [];
  await add();
  await connection.connect();
  assert.equal(connection.status.state, "stranger");
  assert.deepEqual(daemon.heard.map((m) => JSON.parse(m).type), ["hello"]);
  assert.equal((await queue.status()).queued, 1);
});

test("a revoked browser reports that and keeps its queue", async () => {
  const { daemon, queue, connection, add } = setUp();
  await connection.pair();
  connection.close();
  daemon.keys.clear();
  await add();
  await connection.connect();
  assert.equal(connection.status.state, "revoked");
  assert.equal((await queue.status()).queued, 1);
});

test("no daemon: offline, with a message; the link to the dashboard needs a connection", async () => {
  const { daemon, connection } = setUp();
  await connection.pair();
  assert.match(await connection.dashboard(), /^http:\/\/nightjar-00/);
  connection.close();
  daemon.up = false;
  await connection.connect();
  assert.equal(connection.status.state, "offline");
  assert.match(connection.status.message, /not running at 127\.0\.0\.1:1\./);
  assert.match(connection.status.message, /--listen 127\.0\.0\.1:2/);
  await assert.rejects(connection.dashboard(), /not running/);
});

test("another program on the port: said so, with the way to another port; nothing is sent to it", async () => {
  const { daemon, connection, queue, add } = setUp();
  await connection.pair();
  await add();
  await until(() => empty(queue), "the queue is empty");
  connection.close();
  daemon.up = false;
  daemon.heard = [];
  for (const [instead, words] of [["other", /Another program answers/], ["silent", /does not answer/]]) {
    daemon.instead = String(instead);
    await connection.connect();
    assert.equal(connection.status.state, "stranger");
    assert.match(connection.status.message, /** @type {RegExp} */ (words));
    assert.match(connection.status.message, /nightjar serve --listen 127\.0\.0\.1:2.* in the options/);
  }
  daemon.up = true;
  for (const answer of ["hello", "{}", '{"type":"hello"}', '{"type":"challenge"}', '{"type":"challenge","nonce":"AA==","mac":""}', "", "null"]) {
    daemon.babble = answer;
    await connection.connect();
    assert.equal(connection.status.state, "stranger", `it answers ${answer}`);
    assert.match(connection.status.message, /Another program answers/);
  }
  assert.deepEqual([...new Set(daemon.heard.map((m) => JSON.parse(m).type))], ["hello"]);
  daemon.babble = undefined;
  await connection.connect();
  assert.equal(connection.status.state, "connected");
  connection.close();
});

test("a lost connection is known at once and restored by itself, also after the daemon was away", async () => {
  const { daemon, connection, add } = setUp({ needed: true });
  await connection.pair();
  await add();
  daemon.up = false;
  daemon.drop();
  await until(() => connection.status.state === "offline", "the loss is known");
  await until(() => /not running/.test(connection.status.message), "the first attempt failed");
  daemon.up = true;
  await until(() => connection.connected, "connected again");
  await connection.forget();
});

test("an attempt that nobody needed at first follows when events wait", async () => {
  let needed = false;
  const { daemon, connection } = setUp({ needed: () => needed });
  await connection.pair();
  daemon.drop();
  await until(() => connection.status.state === "offline", "the loss is known");
  needed = true;
  connection.ensure();
  await until(() => connection.connected, "connected again");
  await connection.forget();
});

test("a new connection begins with the first event that waits, even if the old one was just reading", async () => {
  const { daemon, connection, queue, add } = setUp();
  await connection.pair();
  daemon.acking = false;
  const ids = [await add(), await add()];
  await until(() => daemon.events.length === 2, "both came");
  const { after } = queue;
  /** @type {() => void} */
  let goOn = () => {};
  queue.after = async (...range) => {
    const events = await after.apply(queue, range);
    await new Promise((resolve) => (goOn = () => resolve(undefined)));
    return events;
  };
  ids.push(await add());
  await until(() => goOn.length === 0 && goOn.toString() !== "() => {}", "the old connection reads the third event");
  daemon.drop();
  await until(() => connection.status.state === "offline", "the break is seen");
  queue.after = after;
  daemon.events = [];
  daemon.acking = true;
  const again = connection.connect();
  await until(() => connection.connected, "connected again");
  goOn();
  await again;
  await until(() => empty(queue), "the queue is empty");
  assert.deepEqual(daemon.ids, ids);
  connection.close();
});

test("at another port the key is used; only a Nightjar that does not have it is paired with", async () => {
  const { daemon, connection } = setUp();
  await connection.begin();
  assert.equal(connection.status.state, "connected");
  const began = () => daemon.heard.map((m) => JSON.parse(m).type).filter((type) => /hello|commit/.test(type));
  daemon.heard = [];
  await connection.begin();
  assert.deepEqual([connection.status.state, ...began()], ["connected", "hello"]);
  daemon.keys.clear();
  daemon.heard = [];
  await connection.begin();
  assert.deepEqual([connection.status.state, ...began()], ["connected", "hello", "pair.commit", "hello"]);
  daemon.up = false;
  daemon.drop();
  daemon.heard = [];
  await connection.begin();
  assert.deepEqual([connection.status.state, ...began()], ["offline"]);
  assert.match(connection.status.message, /not running/);
});

test("a daemon that changes its key while pairing is named, and not asked again until the person does so", async () => {
  const { daemon, connection } = setUp({ asks: () => true });
  daemon.impostor = true;
  await connection.pair();
  assert.equal(connection.status.state, "unpaired");
  assert.match(connection.status.message, /changed its key/);
  const before = daemon.heard.length;
  connection.ensure();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(daemon.heard.length, before);
});

test("pairing refused, cancelled, forgotten", async () => {
  const { daemon, connection } = setUp();
  daemon.approve = false;
  await connection.pair();
  assert.equal(connection.status.state, "unpaired");
  assert.match(connection.status.message, /declined/);
  daemon.approve = true;
  await connection.pair();
  await connection.forget();
  await connection.connect();
  assert.equal(connection.status.state, "unpaired");
});

test("while a page shows it, the browser asks to be paired until the daemon lets it, without a word in between", async () => {
  let open = true;
  const { daemon, connection } = setUp({ asks: () => open });
  const asked = () => daemon.heard.filter((text) => text.includes("pair.commit")).length;
  daemon.up = false;
  connection.ensure();
  assert.equal(asked(), 0, "the key is not known yet");
  await connection.connect();
  connection.ensure();
  connection.ensure();
  await until(() => /not running/.test(connection.status.message), "the daemon is missed");
  daemon.closed = true;
  daemon.up = true;
  await until(() => /Start here/.test(connection.status.message), "the daemon lets nobody ask");
  const changes = /** @type {string[]} */ ([]);
  const seen = asked();
  await until(() => {
    changes.push(JSON.stringify(connection.status));
    return asked() >= seen + 3;
  }, "it asks again");
  assert.equal(new Set(changes).size, 1, [...new Set(changes)].join());
  daemon.undecided = true;
  daemon.closed = false;
  await until(() => connection.status.digits !== "", "the digits are shown");
  assert.deepEqual([connection.status.state, connection.status.digits], ["pairing", daemon.digits]);
  const before = asked();
  connection.ensure();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(asked(), before, "a browser with digits asks no more");
  daemon.drop();
  await until(() => asked() > before, "it asks again after a break");
  open = false;
  daemon.drop();
  await until(() => connection.status.state === "unpaired", "the break is seen");
  const last = asked();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(asked(), last, "nobody asks once the page is closed");
});

test("who refused, cancelled or disconnected is not asked for until they say so", async () => {
  const { daemon, connection } = setUp({ asks: () => true });
  const asked = () => daemon.heard.filter((text) => text.includes("pair.commit")).length;
  const still = async (/** @type {string} */ why) => {
    const before = asked();
    connection.ensure();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual([connection.status.state, asked()], ["unpaired", before], why);
  };
  daemon.approve = false;
  await connection.connect();
  connection.ensure();
  await until(() => /declined/.test(connection.status.message), "the person refused");
  await still("refused");
  await connection.connect();
  assert.match(connection.status.message, /declined/, "the reason stays");
  daemon.undecided = true;
  void connection.begin();
  await until(() => connection.status.digits !== "", "the person asked again");
  await connection.cancelPairing();
  await still("cancelled");
  daemon.undecided = false;
  daemon.approve = true;
  await connection.begin();
  assert.equal(connection.status.state, "connected");
  await connection.forget();
  await still("disconnected");
});

test("Connect while the browser asks by itself: one of the two asks, and the daemon keeps no other", async () => {
  const { daemon, connection } = setUp({ asks: () => true });
  daemon.undecided = true;
  await connection.connect();
  connection.ensure();
  void connection.begin();
  await until(() => connection.status.digits === daemon.digits && daemon.digits !== "", "there are digits");
  await until(() => daemon.sockets.size === 1, "one connection is open");
  await connection.cancelPairing();
});

test("links are asked for in order, on a connection that is made for it; a daemon that does not know the question is not asked", async () => {
  const { daemon, connection } = setUp();
  assert.equal(await connection.known(["http://a.test/"]), null, "not paired");
  await connection.pair();
  daemon.known = { "http://a.test/": "visited", "http://b.test/": "useful" };
  const [a, b] = await Promise.all([connection.known(["http://a.test/"]), connection.known(["http://b.test/", "http://c.test/"])]);
  assert.deepEqual([a, b], [{ "http://a.test/": "visited" }, { "http://b.test/": "useful" }]);
  daemon.knowing = false;
  const waiting = connection.known(["http://a.test/"]);
  await until(() => daemon.heard.at(-1)?.includes("known") ?? false, "the question came");
  daemon.drop();
  assert.equal(await waiting, null, "a question that the end of the connection left open");
  connection.close();

  const old = setUp({ knows: false });
  await old.connection.pair();
  assert.equal(await old.connection.known(["http://a.test/"]), null);
  assert.ok(!old.daemon.heard.some((text) => text.includes("known")));
  old.connection.close();
});

test("a daemon that does not answer questions about links gets a few, and no more", async () => {
  const { daemon, connection } = setUp();
  await connection.pair();
  daemon.knowing = false;
  const all = Array.from({ length: 30 }, () => connection.known(["http://a.test/"]));
  await until(() => daemon.heard.filter((text) => text.includes('"known"')).length === 8, "eight questions came");
  connection.close();
  assert.deepEqual(await Promise.all(all), Array(30).fill(null));
});
