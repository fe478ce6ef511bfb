// Session and queue agree, at whatever moment the browser ends the background.
import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { FakeBrowser } from "./browser_fake.js";

const A = "http://a.test/";
const browser = new FakeBrowser();
let lives = 0;
/** @type {import("../src/background/app.js").App} */
let app;

Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Chrome/156 (X11; Linux)" }, configurable: true });
Object.assign(globalThis, { WebSocket: class { close() {} } });

/** Restarts the background with what was stored; the one before does nothing any more. */
async function live() {
  if (app) Object.assign(app, { task: () => new Promise(() => {}) });
  Object.assign(globalThis, { chrome: browser.restart() });
  // eslint-disable-next-line no-unsanitized/method -- our own module; the new name makes it run again
  ({ app } = await import(`../src/background/main.js?agree=${++lives}`));
  return ui();
}

/** From now on nothing is written to storage.local, as when the background ends before that. */
function stop() {
  browser.chrome.storage.local.set = () => new Promise(() => {});
}

/** @returns {Promise<import("../types/state.d.ts").UiState>} */
const ui = async () => (await browser.page("ui.state")).value;

/** Sends a message and waits until its event is in the queue, but not for the answer. @param {string} name @param {any} [params] */
async function queued(name, params) {
  const before = (await app.queue.status()).queued;
  void browser.page(name, params);
  while ((await app.queue.status()).queued === before) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** @param {string} url @param {string} doc */
async function load(url, doc) {
  browser.chrome.webNavigation.onBeforeNavigate.fire({ tabId: 1, frameId: 0, url });
  browser.chrome.webNavigation.onCommitted.fire({ tabId: 1, frameId: 0, url, documentId: doc, transitionType: "link", transitionQualifiers: [] });
  browser.tabs[0].url = url;
  await browser.content("page.hello", { restored: false }, { url, doc });
  const move = { type: "navigate", delta: null, referrer: "", same: false };
  await browser.content("page.report", { url, title: "T", leftOut: false, frameset: false, area: 1, html: "<p>text</p>", move }, { url, doc });
}

await live();
after(() => setImmediate(() => process.exit())); // timers of earlier backgrounds

test("a session that was started, marked in and submitted is so after each end of the background", async () => {
  await browser.page("consent.set", { given: true });
  stop();
  await queued("session.start", { topic: "Hockey" });
  assert.equal((await live()).session?.topic, "Hockey");
  await load(A, "d1");
  stop();
  await queued("session.useful");
  const { session } = await live();
  assert.deepEqual([session?.marked, session?.pages], [[A], 1]);
  stop();
  await queued("session.submit");
  assert.equal((await live()).session?.status, "submitted");
  const types = (await app.queue.after(0, 99)).map((e) => e.type);
  assert.deepEqual(types, ["session.start", "visit", "snapshot", "useful", "submit"]);
});

test("a mark that could not be stored is not shown", async () => {
  await browser.page("session.start", { topic: "Sailing" });
  await load(A, "d2");
  const { add } = app.queue;
  app.queue.add = () => Promise.reject(new Error("the disk is full"));
  assert.match((await browser.page("session.useful")).error, /disk is full/);
  await load(`${A}lost`, "d3");
  app.queue.add = add;
  assert.deepEqual([(await ui()).session?.marked, (await ui()).session?.pages], [[], 1]);
  await load(`${A}kept`, "d4");
  assert.equal((await browser.page("session.useful")).ok, true);
  const { session } = await live();
  assert.deepEqual([session?.marked, session?.pages], [[`${A}kept`], 2]);
});

test("after the extension was reloaded it knows the pages that are open; after the browser was restarted it does not", async () => {
  await load(`${A}open`, "d5");
  browser.frame = { documentId: "d5" };
  browser.session.clear();
  assert.equal((await live()).page.recorded, "yes");
  const before = (await app.queue.status()).queued;
  await load(`${A}open`, "d5");
  assert.equal((await app.queue.status()).queued, before, "the open page is not recorded again");
  browser.frame = { documentId: "d6" };
  browser.session.clear();
  assert.equal((await live()).page.recorded, "unknown");
});
