// The commands of a session in the background: pauses that end, sites, Discard with Undo, several browsers. Browser and
// daemon are fakes; the time stands still unless a test moves it.
import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { FakeBrowser } from "./browser_fake.js";
import { FakeDaemon, until } from "./fake_daemon.js";

const A = "http://a.test/";
const MINUTE = 60_000;
const browser = new FakeBrowser();
const daemon = new FakeDaemon();
let lives = 0;
let docs = 0;
let past = 0; // ms that the tests let pass
const now = Date.now;
Date.now = () => now() + past;

Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Chrome/156 (X11; Linux)" }, configurable: true });
/** @param {string} url */
function FakeWebSocket(url) {
  return daemon.dial(url);
}
Object.assign(globalThis, { WebSocket: FakeWebSocket });

/** @type {import("../src/background/app.js").App} */
let app;

/** Restarts the background with what was stored; the one before does nothing any more. */
async function live() {
  if (app) {
    app.connection.close();
    Object.assign(app.connection, { connect: async () => {}, poke: () => {} });
    Object.assign(app, { task: () => new Promise(() => {}) });
  }
  daemon.drop();
  Object.assign(globalThis, { chrome: browser.restart() });
  // eslint-disable-next-line no-unsanitized/method -- our own module; the new name makes it run again
  ({ app } = await import(`../src/background/main.js?session=${++lives}`));
}

/** Lets time pass, and alarms that are due by then ring. @param {number} ms */
async function pass(ms) {
  past += ms;
  for (const [name, { when }] of [...browser.alarms]) {
    if (when === undefined || when > Date.now()) continue;
    browser.alarms.delete(name);
    browser.chrome.alarms.onAlarm.fire({ name });
  }
  await ui();
}

/** Loads a page in tab 1; false when it is not recorded. @param {string} url */
async function load(url) {
  const doc = `d${++docs}`;
  browser.chrome.webNavigation.onBeforeNavigate.fire({ tabId: 1, frameId: 0, url });
  browser.chrome.webNavigation.onCommitted.fire({ tabId: 1, frameId: 0, url, documentId: doc, transitionType: "typed", transitionQualifiers: [] });
  browser.tabs[0].url = url;
  const answer = await browser.content("page.hello", { restored: false }, { url, doc });
  if (!answer?.value?.record) return false;
  const move = { type: "navigate", delta: null, referrer: "", same: false };
  await browser.content("page.report", { url, title: "T", leftOut: false, frameset: false, area: 1, html: "<p>text</p>", move }, { url, doc });
  return true;
}

const types = () => daemon.events.map((e) => e.type);

/** @returns {Promise<import("../types/state.d.ts").UiState>} */
const ui = async () => (await browser.page("ui.state")).value;

const quiet = () => until(async () => (await ui()).queue.queued === 0, "the queue is empty");

/** The daemon sends a state. @param {any} changes */
async function says(changes) {
  daemon.state = { ...daemon.state, ...changes };
  daemon.push(daemon.state);
  await until(async () => (await ui()).topics[0] === daemon.state.topics[0], "the state has come");
}

await live();
await browser.page("consent.set", { given: true });
await browser.page("pair.start", { address: "127.0.0.1:4774" });
await until(async () => (await ui()).connection.state === "connected", "paired");
after(() => setImmediate(() => process.exit())); // timers of earlier backgrounds

test("a pause ends by itself, also in a background that was started for it", async () => {
  await browser.page("session.start", { topic: "Hockey" });
  await load(A);
  await browser.page("session.pause", { minutes: 5 });
  assert.equal(await load(`${A}paused`), false);
  const { session } = await ui();
  assert.equal(session?.status, "paused");
  assert.equal(Math.round((/** @type {number} */ (session?.until) - Date.now()) / MINUTE), 5);
  await until(() => browser.alarms.has("nightjar-due"), "the alarm is set");
  await live();
  await pass(4 * MINUTE);
  assert.equal((await ui()).session?.status, "paused");
  await pass(2 * MINUTE);
  await until(async () => (await ui()).session?.status === "recording", "it goes on");
  assert.equal((await ui()).session?.until, undefined);
  assert.equal(await load(`${A}again`), true);
  await until(() => !browser.alarms.has("nightjar-due"), "the alarm is gone");
  await quiet();
  assert.deepEqual(types(), ["session.start", "visit", "snapshot", "session.pause", "session.resume", "visit", "snapshot"]);
});

test("another length of the pause can be chosen; without one it lasts until the person resumes", async () => {
  await browser.page("session.pause", {});
  assert.equal((await ui()).session?.until, undefined);
  await browser.page("session.pause", { minutes: 60 });
  await browser.page("session.pause", { minutes: 15 });
  assert.equal(Math.round((/** @type {number} */ ((await ui()).session?.until) - Date.now()) / MINUTE), 15);
  await browser.page("session.pause", {});
  await pass(24 * 60 * MINUTE);
  assert.equal((await ui()).session?.status, "paused");
  await browser.page("session.resume");
  assert.equal((await ui()).session?.status, "recording");
  await quiet();
  assert.equal(types().filter((t) => t === "session.pause").length, 2, "one for each time");
});

test("only these sites, and not these sites, with subdomains", async () => {
  await browser.page("session.sites", { only: ["https://ice.test/rink", "www.a.test", "%x"], not: [] });
  assert.deepEqual((await ui()).session?.sites, { only: ["ice.test", "www.a.test"], not: [] });
  assert.equal(await load("http://club.ice.test/"), true);
  assert.equal(await load("http://nice.test/"), false);
  const { page, host } = await ui();
  assert.equal(page.recorded, "left-out");
  assert.match(page.why ?? "", /records only some sites/);
  assert.equal(host, "nice.test");
  await browser.page("session.sites", { only: ["ice.test"], not: ["club.ice.test"] });
  assert.equal(await load("http://club.ice.test/2"), false);
  assert.match((await ui()).page.why ?? "", /you left its site out/);
  assert.equal(await load("http://ice.test/2"), true);
  await browser.page("session.sites", { only: [], not: [] });
  assert.equal((await ui()).session?.sites, undefined);
  assert.equal(await load("http://nice.test/2"), true);
});

test("Discard can be undone, and recording goes on", async () => {
  const before = structuredClone((await ui()).session);
  await browser.page("session.discard");
  assert.equal(await load(`${A}gone`), false);
  assert.match((await browser.page("session.useful")).error, /not recorded/);
  await browser.page("session.resume");
  assert.equal((await ui()).session?.status, "paused", "it can only be undone");
  await live();
  await pass(9 * MINUTE);
  assert.equal((await browser.page("session.discard.undo")).ok, true);
  assert.deepEqual((await ui()).session, before);
  assert.equal(await load(`${A}back`), true);
  await pass(60 * MINUTE);
  assert.equal((await ui()).session?.id, before?.id);
  await quiet();
  assert.ok(!types().includes("discard"));
});

test("when the browser is started anew, the session goes on with the tabs that it opens again", async () => {
  await load(`${A}restored`);
  await quiet();
  const before = await ui();
  const visits = types().filter((type) => type === "visit").length;
  browser.session.clear(); // it is in memory only
  browser.tabs.push({ id: 7, url: `${A}other`, active: false, incognito: false, lastAccessed: 0 });
  for (const tab of [1, 7]) browser.deaf.add(tab);
  Object.assign(browser, { injected: [], before: [] });
  await live();
  await until(() => browser.injected.includes(1), "the page in front gets the scripts");
  browser.chrome.tabs.onActivated.fire({ tabId: 7 });
  await until(() => browser.injected.includes(7), "another tab gets them when the person looks at it");
  assert.deepEqual(browser.before, [], "neither page is from before the session");
  assert.equal(await load(`${A}restored`), true);
  await until(async () => (await ui()).connection.state === "connected", "connected again");
  await quiet();
  const then = await ui();
  assert.deepEqual([then.session?.id, then.session?.status, then.counts], [before.session?.id, "recording", before.counts]);
  assert.equal(types().filter((type) => type === "visit").length, visits + 1);
  browser.tabs.pop();
});

test("a discarded session is deleted after ten minutes, also in a background that was started for it", async () => {
  await browser.page("session.discard");
  await until(() => browser.alarms.has("nightjar-due"), "the alarm is set");
  await live();
  await pass(11 * MINUTE);
  await until(async () => (await ui()).session === null, "it is gone");
  assert.match((await browser.page("session.discard.undo")).error, /already deleted/);
  await quiet();
  assert.equal(types().at(-1), "discard");
  assert.equal(daemon.events.at(-1).whole, undefined);
});

test("the next session deletes the discarded one at once", async () => {
  await browser.page("session.start", { topic: "Sailing", sites: { only: ["sail.test"], not: [] } });
  assert.deepEqual((await ui()).session?.sites?.only, ["sail.test"]);
  const first = (await ui()).session?.id;
  await browser.page("session.discard", { whole: true });
  assert.equal((await browser.page("session.start", { topic: "Rowing" })).ok, true);
  await quiet();
  const [discard, start] = daemon.events.slice(-2);
  assert.deepEqual([discard.type, discard.session, discard.whole], ["discard", first, true]);
  assert.deepEqual([start.type, start.topic], ["session.start", "Rowing"]);
  assert.equal((await ui()).session?.sites, undefined);
});

test("a session of another browser is joined by its topic", async () => {
  await browser.page("session.discard");
  assert.match((await browser.page("session.start", { joins: "0190a1b2-c3d4-7001-8001-000000000001" })).error, /no longer open/);
  const open = [{ id: "0190a1b2-c3d4-7001-8001-000000000001", topic: "Hockey", browser: "Firefox on Linux", pages: 4, useful: 1 }];
  await says({ topics: ["Ice"], open });
  assert.deepEqual((await ui()).open, open);
  await browser.page("session.start", { topic: "ignored", joins: open[0].id });
  await quiet();
  const { type, topic, joins } = daemon.events.at(-1);
  assert.deepEqual([type, topic, joins], ["session.start", "Hockey", open[0].id]);
});

test("marks of the other browser suffice for Submit", async () => {
  await load(A);
  await quiet();
  assert.match((await browser.page("session.submit")).error, /at least one page/);
  const { session } = await ui();
  await says({
    topics: ["Counts"], session: { id: session?.id, topic: "Hockey", status: "recording", pages: 5, useful: 1, browsers: ["Firefox on Linux"], began: { query: "pads", engine: "Google" } },
  });
  assert.deepEqual([(await ui()).counts, (await ui()).browsers, (await ui()).began], [{ pages: 5, useful: 1 }, ["Firefox on Linux"], { query: "pads", engine: "Google" }]);
});

test("what another browser submitted is submitted here once the daemon has all events", async () => {
  const { session } = await ui();
  daemon.acking = false;
  await load(`${A}late`);
  await says({ topics: ["Close"], session: { id: session?.id, topic: "Hockey", status: "submitted", pages: 6, useful: 1, close: true } });
  assert.equal((await ui()).session?.status, "recording", "an event waits");
  daemon.acking = true;
  daemon.ackAll();
  await until(async () => (await ui()).session?.status === "submitted", "it is submitted");
  await quiet();
  assert.deepEqual(types().slice(-3), ["visit", "snapshot", "submit"]);
  daemon.push(daemon.state);
  await ui();
  assert.equal(types().filter((t) => t === "submit").length, 1);
});
