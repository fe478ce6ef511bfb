/* global IDBFactory, IDBObjectStore -- fake-indexeddb defines them */
// The whole background, with a fake browser and with a fake daemon that shares no code with it.
import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { lookedAt } from "../src/background/tabs.js";
import { FakeBrowser } from "./browser_fake.js";
import { FakeDaemon, until } from "./fake_daemon.js";

const A = "http://a.test/";
const browser = new FakeBrowser();
const daemon = new FakeDaemon();
let lives = 0;

Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Chrome/156 (X11; Linux)" }, configurable: true });
/** @param {string} url */
function FakeWebSocket(url) {
  return daemon.dial(url);
}
Object.assign(globalThis, { WebSocket: FakeWebSocket });

/** @type {import("../src/background/app.js").App|null} */
let app = null;

/** Restarts the background with what was stored, and stops the one before. */
async function live() {
  if (app) {
    app.connection.close();
    Object.assign(app.connection, { connect: async () => {}, poke: () => {} });
    Object.assign(app, { task: () => new Promise(() => {}) });
  }
  daemon.drop();
  Object.assign(globalThis, { chrome: browser.restart() });
  // eslint-disable-next-line no-unsanitized/method -- our own module; the new name makes it run again
  ({ app } = await import(`../src/background/main.js?life=${++lives}`));
}

/** @param {string} url @param {string} doc @param {any} [o] */
async function load(url, doc, { type = "link", report = {}, tab = {} } = {}) {
  const { webNavigation } = browser.chrome;
  webNavigation.onBeforeNavigate.fire({ tabId: 1, frameId: 0, url });
  webNavigation.onCommitted.fire({ tabId: 1, frameId: 0, url, documentId: doc, transitionType: type, transitionQualifiers: [] });
  browser.tabs[0].url = url;
  const answer = await browser.content("page.hello", { restored: false, before: false }, { url, doc, tab });
  if (!answer?.value?.record) return false;
  await browser.content("page.report", {
    url, title: `T ${doc}`, leftOut: false, frameset: false, area: 1, html: "<p>text</p>",
    move: { type: "navigate", delta: null, referrer: A, same: false }, ...report,
  }, { url, doc, tab });
  return true;
}

const types = () => daemon.events.map((e) => e.type);

/** @returns {Promise<import("../types/state.d.ts").UiState>} */
const ui = async () => (await browser.page("ui.state")).value;

const quiet = () => until(async () => (await ui()).queue.queued === 0, "the queue is empty");

await live();
after(() => setImmediate(() => process.exit())); // timers of earlier backgrounds

test("nothing is recorded without consent, or outside a session", async () => {
  const refused = await browser.page("session.start", { topic: "Hockey" });
  assert.match(refused.error, /agreed/);
  assert.equal(await load(A, "d0"), false);
  assert.equal(daemon.asked, 0);
  daemon.closed = true;
  const page = browser.openPage("welcome/welcome.html");
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(daemon.heard, [], "without agreement nobody asks the daemon for anything");
  await browser.page("consent.set", { given: true });
  await until(() => daemon.heard.length > 0, "the daemon knows that there is an extension");
  page.close();
  daemon.closed = false;
  assert.equal(await load(A, "d0"), false);
  assert.equal((await ui()).queue.queued, 0);
  assert.equal(browser.badge.text, "");
});

test("a session that begins on a page of ours takes no page from another tab; the popup, which may be a tab, is before one", async () => {
  const [web] = browser.tabs;
  for (const [path, id] of [["welcome/welcome.html", 9], ["popup/popup.html", 1]]) {
    browser.tabs = [{ ...web, active: false }, { id: 9, url: `chrome-extension://fake/${path}`, active: true, incognito: false, lastAccessed: 2 }];
    assert.equal((await lookedAt())?.id, id, String(path));
  }
  browser.tabs = [web];
});

test("pair, start, browse: events come in order with client, session and number", async () => {
  await browser.page("pair.start", { address: "127.0.0.1:4774" });
  await until(async () => (await ui()).connection.state === "connected", "paired");
  assert.equal((await browser.page("session.start", { topic: "  Ice\nhockey " })).ok, true);
  assert.equal(browser.told.filter((m) => m.name === "page.capture").length, 1, "the page in front is asked to report");
  await load(A, "d1", { type: "typed" });
  await load(`${A}a?access_token=canary#canary`, "d2");
  await quiet();
  assert.deepEqual(types(), ["session.start", "visit", "snapshot", "visit", "snapshot"]);
  const [start, first, , second] = daemon.events;
  assert.equal(start.topic, "Ice hockey");
  assert.deepEqual([first.how, second.how, second.from, second.url, second.title], ["typed", "link", first.page, `${A}a?access_token=redacted`, "T d2"]);
  assert.deepEqual(daemon.events.map((e) => e.seq), [1, 2, 3, 4, 5]);
  assert.equal(new Set(daemon.events.map((e) => e.client + e.session)).size, 1);
  await until(() => browser.badge.text === "●", "the badge says recording");
});

test("what a page shows later is another snapshot of the same load; of what is not recorded nothing is taken", async () => {
  const url = `${A}a?access_token=canary#canary`;
  const before = daemon.events.length;
  await browser.content("page.again", { url, html: "<p>late words</p>", redacted: ["token"] }, { url, doc: "d2" });
  await browser.content("page.again", { url: `${A}moved`, html: "<p>canary</p>", redacted: [] }, { url: `${A}moved`, doc: "d2" });
  await browser.content("page.again", { url, html: "<p>canary</p>", redacted: [] }, { url, doc: "unknown" });
  await quiet();
  const [snapshot, ...rest] = daemon.events.slice(before);
  assert.deepEqual(rest, []);
  assert.deepEqual([snapshot.type, snapshot.page], ["snapshot", daemon.events.findLast((e) => e.type === "visit")?.page]);
});

test("what a frame of the same site shows later is wanted, and taken as the frame's; of other sites it is not", async () => {
  const before = daemon.events.length;
  /** @param {string} url @param {string} doc @param {number} frameId @param {string} again */
  const frame = async (url, doc, frameId, again) => {
    const sender = { url, doc, frameId };
    browser.navigation.onCommitted.fire({ tabId: 1, frameId, parentFrameId: 0, url, documentId: doc, parentDocumentId: "d2", transitionType: "auto_subframe" });
    const report = { url, title: "", leftOut: false, frameset: false, area: 1, html: "<p>loading</p>", move: {} };
    const { value } = await browser.content("page.report", report, sender);
    await browser.content("page.again", { url, html: `<p>${again}</p>`, redacted: [] }, sender);
    return value;
  };
  assert.equal(await frame(`${A}inside`, "f1", 7, "late words"), true);
  assert.equal(await frame("https://ads.test/", "f2", 8, "canary"), false);
  await quiet();
  const [inside, first, second, ...rest] = daemon.events.slice(before);
  assert.deepEqual(rest, []);
  assert.deepEqual([inside.type, first.type, second.type], ["frame", "snapshot", "snapshot"]);
  assert.deepEqual([first.page, second.page, second.frame], [inside.page, inside.page, 7]);
});

test("a page is marked Useful and the mark is removed, in the popup and in the bar", async () => {
  await browser.page("session.useful");
  await browser.content("bar.do", { action: "useful" }, { url: A, doc: "d2" });
  await browser.page("session.useful");
  await quiet();
  assert.deepEqual(types().slice(-3), ["useful", "not-useful", "useful"]);
  assert.deepEqual((await ui()).page, { recorded: "yes", useful: true });
});

test("a page is called by a name, by another one, by none; the last change is taken back", async () => {
  const page = async () => (await ui()).page;
  const call = (/** @type {string} */ name) => browser.page("session.milestone", { name });
  const before = daemon.events.length;
  assert.equal((await call("  Team\n page ")).ok, true);
  assert.deepEqual(await page(), { recorded: "yes", useful: true, milestone: "Team page", undo: true });
  await call("Team page"); // no change, no event
  await call("Roster");
  assert.deepEqual((await ui()).names, ["Roster"]);
  await browser.page("session.milestone.undo");
  assert.deepEqual(await page(), { recorded: "yes", useful: true, milestone: "Team page" });
  assert.match((await browser.page("session.milestone.undo")).error, /nothing to undo/);
  await call("");
  assert.deepEqual(await page(), { recorded: "yes", useful: true, undo: true });
  await browser.page("session.milestone.undo");
  await quiet();
  const labels = daemon.events.slice(before);
  assert.deepEqual(labels.map((e) => [e.type, e.name]), [["label", "Team page"], ["label", "Roster"], ["label", "Team page"], ["label", undefined], ["label", "Team page"]]);
  assert.deepEqual(new Set(labels.map((e) => e.page)), new Set([daemon.events.findLast((e) => e.type === "visit")?.page]));
  assert.equal("name" in labels[3], false);
  for (const [name, error] of [["goal", /Nightjar’s own/], ["x".repeat(101), /at most 100/], [" ", /Type a name/]]) {
    assert.match((await call(String(name))).error, /** @type {RegExp} */ (error));
  }
  daemon.push({ ...daemon.state, names: ["league", "TEAM PAGE"] });
  await until(async () => (await ui()).names.length === 2, "the daemon's names are offered");
  assert.deepEqual((await ui()).names, ["Team page", "league"]);
  daemon.push({ ...daemon.state });
  await until(async () => (await ui()).names.length === 1, "a daemon that sends no names offers none");
  assert.equal(daemon.events.length, before + 5);
  assert.equal(await browser.content("session.milestone", { name: "x" }, { url: A, doc: "d2" }), undefined, "no script of a page may name it");
});

test("not recorded: hosts on both never-record lists, own network, password pages, private windows, the dashboard", async () => {
  const before = daemon.events.length;
  await browser.page("settings.set", { never: ["bank.test"] });
  for (const url of ["https://www.bank.test/", "http://never.test/", "http://192.168.0.1/", "http://localhost:8080/", "ftp://a.test/",
    `http://nightjar-${"0".repeat(32)}.localhost:4774/finds`]) {
    assert.equal(await load(url, `x${url}`), false, url);
  }
  assert.equal(await load(`${A}private`, "d3", { tab: { incognito: true } }), false);
  await load(`${A}login`, "d4", { report: { leftOut: true, html: "canary" } });
  assert.equal((await ui()).page.recorded, "left-out");
  assert.equal((await ui()).page.why, "This page is not recorded: it asks for a password.");
  await quiet();
  assert.equal(daemon.events.length, before);
});

test("what was left out is told with its reason and host, is in memory only, and can be forgotten", async () => {
  const list = async () => (await browser.page("sent.list")).value.leftOut;
  assert.deepEqual((await list()).map((/** @type {any} */ e) => [e.why, e.host]), [
    ["password", "a.test"], ["nightjar", `nightjar-${"0".repeat(32)}.localhost`], ["own-network", "localhost"],
    ["own-network", "192.168.0.1"], ["daemon-list", "never.test"], ["list", "www.bank.test"],
  ]);
  await live();
  assert.equal((await list()).length, 6, "a restarted background still knows them");
  assert.ok(!JSON.stringify([...browser.local]).includes("own-network"), "they are not on disk");
  for (let i = 0; i < 60; i++) await load(`http://h${i}.bank.test/`, `y${i}`);
  assert.equal((await list()).length, 50);
  assert.equal((await list())[0].host, "h59.bank.test");
  await browser.page("sent.clear-left-out");
  assert.deepEqual(await list(), []);
  assert.equal(await browser.content("sent.list", {}, { url: A, doc: "d2" }), undefined, "no page may read it");
});

test("links are known only with the setting, on pages and for addresses that may be recorded, and not too often", async () => {
  daemon.known = { "http://a.test/seen": "visited", "http://x.bank.test/": "visited", "http://a.test/p?access_token=redacted": "useful", "http://192.168.0.1/": "found" };
  const urls = ["http://a.test/seen", "http://x.bank.test/", "http://a.test/p?access_token=canary", "http://192.168.0.1/", "http://a.test/new", "nonsense", 7];
  const ask = async (/** @type {string} */ url, /** @type {any} */ of = urls, frameId = 0) =>
    (await browser.content("links.known", { urls: of }, { url, doc: "d2", frameId, tab: { id: 77 } }))?.value;
  assert.equal(await ask(A), null, "it is off at first");
  await browser.page("settings.set", { marks: true });
  assert.deepEqual(await ask(A), { known: { "http://a.test/seen": "visited", "http://a.test/p?access_token=redacted": "useful" } });
  const asked = daemon.heard.filter((text) => text.includes('"known"'));
  assert.deepEqual(JSON.parse(asked[0]).urls, ["http://a.test/seen", "http://a.test/p?access_token=redacted", "http://a.test/new"]);
  for (const [url, frameId] of /** @type {const} */ ([["https://www.bank.test/", 0], ["http://never.test/", 0], ["http://localhost:8080/", 0], [A, 3]])) {
    assert.equal(await ask(url, urls, frameId), null, url);
  }
  assert.equal(await browser.content("links.known", { urls }, { url: A, doc: "d2", tab: { incognito: true } }), undefined);
  assert.deepEqual(await ask(A, "nonsense"), { known: null });
  assert.deepEqual(await ask(A, Array(5000).fill("http://a.test/new")), { known: {} });
  for (let i = 0; i < 30; i++) await ask(A);
  assert.deepEqual(await ask(A), { known: null }, "too many");
  assert.ok(daemon.heard.filter((text) => text.includes('"known"')).length < 20);
  await browser.page("settings.set", { marks: false });
  assert.equal(await ask(A), null);
});

test("what was sent is shown word for word, with the names of what was redacted, and can be forgotten", async () => {
  await load(`${A}sent?access_token=canary&q=ice#part`, "s1", { report: { url: `${A}sent?access_token=canary&q=ice#part`, html: "<p>ice</p>", redacted: ["?PHPSESSID"] } });
  await quiet();
  const list = async () => (await browser.page("sent.list")).value.events;
  const [snapshot, visit] = await list();
  assert.deepEqual(snapshot.redacted, ["?PHPSESSID"]);
  assert.deepEqual(visit.redacted, ["?access_token", "fragment"]);
  for (const shown of [snapshot, visit]) {
    const sent = daemon.events.find((e) => e.seq === shown.event.seq);
    assert.deepEqual((await browser.page("sent.entry", { seq: shown.event.seq })).value, sent, "as the daemon received it");
    assert.equal(shown.state, "stored");
  }
  assert.ok(!JSON.stringify(await list()).includes("canary"));
  await browser.page("sent.clear");
  assert.deepEqual(await list(), []);
  await browser.page("sent.open");
  assert.equal(browser.opened.pop(), "chrome-extension://fake/sent/sent.html");
});

test("a content script can neither do what our own pages can, nor report for another site", async () => {
  assert.equal(await browser.content("session.discard", {}, { url: A, doc: "d2" }), undefined);
  assert.equal(await browser.content("ui.state", {}, { url: A, doc: "d2" }), undefined);
  assert.equal(await browser.message("ui.state", {}, { id: "other", url: "chrome-extension://other/" }), undefined);
  const opened = browser.opened.length;
  for (const action of ["discard", "options", "toString"]) await browser.content("bar.do", { action }, { url: A, doc: "d2" });
  assert.equal(browser.opened.length, opened, "the bar has no such buttons");
  const before = (await ui()).queue.queued + daemon.events.length;
  const report = { url: "http://other.test/", title: "", move: {}, html: "x" };
  await browser.content("page.report", report, { url: A, doc: "d9" });
  assert.equal((await ui()).queue.queued + daemon.events.length, before);
});

test("the number of reports of one page is limited", async () => {
  const before = daemon.events.length;
  for (let i = 0; i < 300; i++) {
    await browser.content("page.report", { url: `${A}f${i}`, title: "", move: { type: "push", same: true }, html: "" }, { url: `${A}f${i}`, doc: "d2" });
  }
  await quiet();
  assert.ok(daemon.events.length - before <= 60, `${daemon.events.length - before} events`);
});

test("the background dies at any moment: no event is lost or doubled, and Back is still recorded", async () => {
  await live(); // a new start lifts the limit
  daemon.acking = false;
  await load(`${A}b`, "d5");
  await live();
  await load(`${A}c`, "d6");
  await live();
  browser.chrome.webNavigation.onCommitted.fire({ tabId: 1, frameId: 0, url: `${A}b`, documentId: "d5", transitionType: "link", transitionQualifiers: ["forward_back"] });
  await until(async () => (await ui()).queue.queued >= 5, "Back is queued");
  daemon.acking = true;
  daemon.ackAll();
  await live();
  await quiet();
  const tail = daemon.events.slice(-5);
  assert.deepEqual(tail.map((e) => e.type), ["visit", "snapshot", "visit", "snapshot", "back"]);
  assert.equal(tail[2].from, tail[0].page);
  assert.deepEqual([tail[4].page, tail[4].from], [tail[0].page, tail[2].page]);
  const seqs = daemon.events.map((e) => e.seq);
  assert.deepEqual(seqs, seqs.map((_, i) => i + 1));
});

test("the daemon is away: events wait, the badge counts them, an alarm is set; then they are sent", async () => {
  daemon.up = false;
  daemon.drop();
  await load(`${A}d`, "d7");
  await until(() => browser.badge.text === "…2", "the badge counts");
  assert.ok(browser.alarms.has("nightjar-reconnect"));
  daemon.up = true;
  browser.chrome.alarms.onAlarm.fire({ name: "nightjar-reconnect" });
  await quiet();
  assert.equal(daemon.events.at(-2).url, `${A}d`);
});

test("the browser cannot store anything: the button and the popup say so, the connection stays, and recording goes on later", async () => {
  const { add, put } = IDBObjectStore.prototype;
  const before = daemon.events.length;
  const fail = () => {
    throw new DOMException("no", "QuotaExceededError");
  };
  Object.assign(IDBObjectStore.prototype, { add: fail, put: fail });
  assert.equal(await load(`${A}full`, "full"), true, "the page is asked for although the state cannot be stored");
  await until(() => browser.badge.text === "!", "the button says so");
  const { queue, connection } = await ui();
  assert.deepEqual([queue.unkept?.events, queue.unkept?.why, queue.unkept?.failing, connection.state], [2, "full", true, "connected"]);
  Object.assign(IDBObjectStore.prototype, { add, put });
  await load(`${A}room`, "room");
  await until(() => browser.badge.text === "●", "the button says that it is recorded");
  await quiet();
  assert.deepEqual(daemon.events.slice(before).map((e) => e.url), [`${A}room`, undefined]);
  assert.equal((await ui()).queue.unkept?.failing, false);
});

test("the stored state cannot be read when the background starts: it is read again until it can", async () => {
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = () => {
    throw new DOMException("no", "UnknownError");
  };
  await live();
  await until(() => browser.badge.text === "!", "the button says so");
  IDBFactory.prototype.open = open;
  await until(async () => (await ui()).connection.state === "connected", "connected");
  assert.equal((await ui()).session?.status, "recording");
});

test("nothing is recorded while paused; on resume the page in front is recorded", async () => {
  await browser.page("session.pause");
  assert.equal(await load(`${A}secret`, "d8"), false);
  await until(() => browser.badge.text === "‖", "the badge says paused");
  browser.told = [];
  await browser.page("session.resume");
  assert.equal(browser.told.filter((m) => m.name === "page.capture").length, 1);
  await quiet();
  assert.deepEqual(types().slice(-2), ["session.pause", "session.resume"]);
  assert.ok(!JSON.stringify(daemon.events).includes("secret"));
});

test("submit ends the recording", async () => {
  await load(`${A}e`, "d10");
  assert.equal((await browser.page("session.submit")).ok, true);
  await quiet();
  assert.equal(types().at(-1), "submit");
  assert.equal(await load(`${A}after`, "d11"), false);
  const { session } = await ui();
  assert.equal(session?.status, "submitted");
});

test("the daemon cannot train: the session is open again and shows the reason", async () => {
  const session = (await ui()).session;
  daemon.push({ ...daemon.state, session: { id: session?.id, topic: "x", status: "recording", pages: 1, useful: 1 }, problem: "too few pages" });
  await until(async () => (await ui()).session?.status === "recording", "the session is open");
  assert.equal((await ui()).problem, "too few pages");
  assert.equal(await load(`${A}more`, "d12"), true);
  assert.equal((await ui()).problem, "", "the problem is gone, since the person continued");
});

test("discard: waiting events are deleted, and the daemon learns of it", async () => {
  await quiet();
  daemon.up = false;
  daemon.drop();
  await load(`${A}unsent`, "d13");
  await browser.page("session.discard");
  const { session } = await ui();
  assert.equal(session?.status, "paused", "until it cannot be undone any more");
  Object.assign(app?.store.kept.session?.discarded ?? {}, { at: 1 }); // long ago
  daemon.up = true;
  browser.chrome.alarms.onAlarm.fire({});
  await quiet();
  await until(async () => (await ui()).session === null, "it is deleted");
  await quiet();
  assert.equal(types().at(-1), "discard");
  assert.ok(!JSON.stringify(daemon.events).includes("unsent"));
});

test("a second session starts empty and needs a mark of its own", async () => {
  await browser.page("session.start", { topic: "Sailing" });
  assert.match((await browser.page("session.start", { topic: "Again" })).error, /already/);
  assert.match((await browser.page("session.submit")).error, /Useful/);
  assert.deepEqual([(await ui()).session?.pages, (await ui()).session?.marked], [0, []]);
  await browser.page("consent.set", { given: false });
  assert.equal((await ui()).session?.status, "paused");
  assert.equal(await load(`${A}x`, "d14"), false);
});
