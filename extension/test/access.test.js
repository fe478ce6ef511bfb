// Access to pages: asked for when a session starts, taken away, given again; and the content scripts that follow it.
import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { FILES } from "../src/background/scripts.js";
import { FakeBrowser } from "./browser_fake.js";
import { until } from "./fake_daemon.js";

const browser = new FakeBrowser();
browser.granted = false;
Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Chrome/156 (X11; Linux)" }, configurable: true });
Object.assign(globalThis, { WebSocket: class {}, chrome: browser.chrome });
const { app } = await import("../src/background/main.js");
after(() => setImmediate(() => process.exit())); // timers of the background

const navigation = browser.navigation;
const start = { topic: "Hockey" };
/** @returns {Promise<import("../types/state.d.ts").UiState>} */
const ui = async () => (await browser.page("ui.state")).value;
const registered = () => [...browser.scripts.values()].map((script) => script.js.join());

test("without access no session starts, and no script is registered", async () => {
  await browser.page("consent.set", { given: true });
  assert.equal((await ui()).access, false);
  assert.match((await browser.page("session.start", start)).error, /may not read pages/);
  assert.equal((await ui()).session, null);
  assert.deepEqual(registered(), []);
});

test("an answer starts the session that the person asked for, even if the question has closed the popup", async () => {
  browser.deaf.add(1);
  await browser.page("session.wish", { start });
  await browser.grant(true);
  await until(async () => (await ui()).session?.topic === "Hockey", "the session is on");
  await until(() => registered().length === 1, "the scripts are registered");
  assert.deepEqual(registered(), [FILES.join()]);
  await until(() => browser.injected.length > 0, "the page in front has the scripts");
  assert.deepEqual(browser.injected, [1], "once");
  assert.equal(navigation.onCommitted.listeners.length, 1, "navigation is listened to");
});

test("a popup that is still open asks for the same session once more: there is one", async () => {
  const id = (await ui()).session?.id;
  assert.deepEqual(await browser.page("session.start", start), { ok: true, value: null });
  assert.equal((await ui()).session?.id, id);
  assert.match((await browser.page("session.start", start)).error, /already open/);
});

test("a page that was open before the session gets the scripts when the person looks at it, and is not recorded", async () => {
  browser.deaf.add(7);
  browser.before = [];
  browser.chrome.tabs.onActivated.fire({ tabId: 7 });
  browser.chrome.tabs.onActivated.fire({ tabId: 7 });
  await until(() => !browser.deaf.has(7), "the page has the scripts");
  assert.deepEqual([browser.injected.filter((tab) => tab === 7).length, browser.before], [1, [7]]);
  const from = { url: "http://a.test/old", doc: "d7", tab: { id: 7 } };
  const { record, bar } = (await browser.content("page.hello", { restored: false, before: true }, from)).value;
  assert.deepEqual([record, bar.show], [false, true]);
  assert.equal((await browser.content("page.hello", { restored: false, before: false }, from)).value.record, true);
});

test("a new tab that comes to the front while its page loads is recorded", async () => {
  browser.chrome.webNavigation.onCommitted.fire({ tabId: 8, frameId: 0, url: "http://a.test/new", documentId: "d8", transitionType: "link", transitionQualifiers: [] });
  const from = { url: "http://a.test/new", doc: "d8", tab: { id: 8 } };
  assert.equal((await browser.content("page.hello", { restored: false, before: true }, from)).value.record, true);
});

test("it is recorded, too, when it asks before the browser tells of its load", async () => {
  const from = { url: "http://a.test/early", doc: "d9", tab: { id: 9 } };
  browser.told = [];
  assert.equal((await browser.content("page.hello", { restored: false, before: true }, from)).value.record, false);
  const load = { tabId: 9, frameId: 0, url: "http://a.test/early", documentId: "d9", transitionType: "typed", transitionQualifiers: [] };
  browser.chrome.webNavigation.onCommitted.fire(load);
  await until(() => browser.told.some(({ tab, name }) => tab === 9 && name === "page.capture"), "the page is asked again");
  assert.equal((await browser.content("page.hello", { restored: false, before: false }, from)).value.record, true);
});

test("access that is taken away is said; given again, the pages in front get the scripts again", async () => {
  await browser.grant(false);
  assert.equal((await ui()).access, false);
  assert.equal((await ui()).session?.status, "recording", "the session waits");
  await until(() => browser.badge.text === "!", "the toolbar button says so");
  browser.injected = [];
  browser.deaf.add(1);
  await browser.grant(true);
  await until(() => browser.injected.includes(1), "the page in front has the scripts");
  assert.equal((await ui()).access, true);
  assert.equal(navigation.onCommitted.listeners.length, 1, "listened to once");
});

test("scripts of an older version are replaced", async () => {
  browser.scripts.set("page", { ...browser.scripts.get("page"), js: ["content/old.js"] });
  const { Scripts } = await import("../src/background/scripts.js");
  await new Scripts().adjust(true);
  assert.deepEqual(registered(), [FILES.join()]);
});

test("the scripts go with the session", async () => {
  await app.task(() => void (app.store.kept.session = null));
  app.changed(false);
  await until(() => registered().length === 0, "no script is registered");
  browser.injected = [];
  browser.deaf.add(9);
  await app.lookAt(9);
  assert.deepEqual(browser.injected, []);
});

test("an answer starts nothing that was declined, or asked for long ago", async () => {
  await browser.page("session.wish", { start });
  await browser.page("session.wish", { start: null });
  await browser.grant(true);
  const now = Date.now;
  await browser.page("session.wish", { start });
  Date.now = () => now() + 3 * 60_000;
  await browser.grant(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  Date.now = now;
  assert.equal((await ui()).session, null);
});
