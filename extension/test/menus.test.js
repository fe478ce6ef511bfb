// The context menus, with the whole background, a fake browser and a fake daemon: what they show, and what they do.
import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { entries } from "../src/background/menus.js";
import { FakeBrowser } from "./browser_fake.js";
import { FakeDaemon, until } from "./fake_daemon.js";

const A = "http://a.test/";
const BANK = "http://www.bank.test/";
const browser = new FakeBrowser();
const daemon = new FakeDaemon();

Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Chrome/156 (X11; Linux)" }, configurable: true });
/** @param {string} url */
function FakeWebSocket(url) {
  return daemon.dial(url);
}
Object.assign(globalThis, { WebSocket: FakeWebSocket, chrome: browser.chrome, fetch: async () => ({ ok: true, status: 200, text: async () => "" }) });
const { app } = await import("../src/background/main.js");
after(() => setImmediate(() => process.exit()));

let docs = 0;
/** Opens a page in the tab and records it. @param {string} url @param {{requested?: string}} [o] */
async function open(url, { requested = url } = {}) {
  const doc = `doc${++docs}`;
  const navigation = browser.navigation;
  navigation.onBeforeNavigate.fire({ tabId: 1, frameId: 0, url: requested });
  navigation.onCommitted.fire({ tabId: 1, frameId: 0, url, documentId: doc, transitionType: "link", transitionQualifiers: requested === url ? [] : ["server_redirect"] });
  browser.tabs[0].url = url;
  const answer = await browser.content("page.hello", { restored: false, before: false }, { url, doc });
  if (answer?.value?.record) {
    await browser.content("page.report", {
      url, title: "T", leftOut: false, frameset: false, area: 1, html: "<p>text</p>", move: { type: "navigate", delta: null, referrer: A, same: false },
    }, { url, doc });
  }
  return answer?.value?.record === true;
}

/** @param {string} id @param {object} [info] */
const click = (id, info = {}) => browser.chrome.contextMenus.onClicked.fire({ menuItemId: id, ...info }, browser.tabs[0]);

/** @returns {Promise<import("../types/state.d.ts").UiState>} */
const ui = async () => (await browser.page("ui.state")).value;

const shown = () => [...browser.menus.values()].filter((entry) => entry.visible).map((entry) => entry.title);

/** The events about links and marks, as the daemon has them. */
const said = () => daemon.events.filter((e) => /useful/.test(e.type)).map((e) => `${e.type} ${e.url ?? ""}`.trim());

/** The messages of a type that the daemon heard. @param {string} type */
const heard = (type) => daemon.heard.map((text) => JSON.parse(text)).filter((message) => message.type === type);

test("without a session there is nothing to mark", async () => {
  await app.connection.connect();
  await app.menus.update();
  assert.deepEqual(shown(), [], "not even connected");
  await browser.page("consent.set", { given: true });
  await browser.page("pair.start", { address: "127.0.0.1:4774" });
  await until(async () => (await ui()).connection.state === "connected", "paired");
  await app.menus.update();
  assert.deepEqual(shown(), ["Open the Nightjar dashboard", "What was sent"]);
});

test("in a session, the entries say what they would do", async () => {
  await browser.page("session.start", { topic: "Hockey" });
  assert.equal(await open(A), true);
  await until(() => shown().includes("This link looks useful"), "the entry for links");
  assert.deepEqual(shown(), ["Mark this page Useful", "This link looks useful", "Pause recording", "Never record this site", "Open the Nightjar dashboard", "What was sent"]);
  click("useful");
  await until(() => shown().includes("Remove the mark Useful from this page"), "the mark");
  click("useful");
  await until(() => shown().includes("Mark this page Useful"), "no mark");
  click("pause");
  await until(() => shown().includes("Resume recording"), "paused");
  assert.ok(!shown().includes("This link looks useful"));
  click("pause");
  await until(() => shown().includes("Pause recording"), "recording");
  assert.deepEqual(said(), ["useful", "not-useful"]);
});

test("a link that looks useful counts once its page is visited, and can be taken back", async () => {
  daemon.events.length = 0;
  click("link", { linkUrl: `${A}b?access_token=canary#canary` });
  await until(() => said().length === 1, "the mark of the link");
  assert.deepEqual(said(), [`link-useful ${A}b?access_token=redacted`]);
  assert.equal((await ui()).session?.marked.length, 0);
  await open(`${A}b?access_token=canary2`);
  assert.deepEqual((await ui()).session?.marked, [`${A}b?access_token=redacted`]);
  assert.equal((await ui()).page.useful, true);
  await open(A);
  click("link", { linkUrl: `${A}b?access_token=canary` });
  await until(() => said().length === 2, "taken back");
  assert.equal(said()[1], `link-not-useful ${A}b?access_token=redacted`);
  assert.deepEqual((await ui()).session?.marked, []);
});

test("a link to a page visited before counts at once; a redirect leads to its page", async () => {
  daemon.events.length = 0;
  click("link", { linkUrl: `${A}b?access_token=x` });
  await until(async () => (await ui()).session?.marked.length === 1, "marked");
  click("link", { linkUrl: `${A}old` });
  await until(() => said().length === 2, "the second link");
  await open(`${A}new`, { requested: `${A}old` });
  assert.deepEqual((await ui()).session?.marked, [`${A}b?access_token=redacted`, `${A}new`]);
  click("useful");
  await until(() => said().length === 3, "the page itself is said not to be useful");
  assert.equal(said()[2], "not-useful");
  assert.deepEqual((await ui()).session?.marked, [`${A}b?access_token=redacted`]);
});

test("links that lead to what is not recorded are not marked", async () => {
  daemon.events.length = 0;
  for (const linkUrl of ["http://never.test/", "http://192.168.1.1/", "mailto:a@b.test", "data:text/html,x"]) click("link", { linkUrl });
  click("link", { linkUrl: `${A}last` });
  await until(() => said().length === 1, "the one that may be marked");
  assert.deepEqual(said(), [`link-useful ${A}last`]);
});

test("Never record this site takes its pages out of the session, and can be undone", async () => {
  await open(BANK);
  await open(`${BANK}loan`);
  click("useful");
  await until(async () => (await ui()).page.useful, "marked");
  const before = structuredClone((await ui()).session);
  click("never");
  await until(async () => (await ui()).forgotten !== undefined, "on the list");
  const now = await ui();
  assert.deepEqual(now.forgotten, { host: "bank.test", pages: 2 });
  assert.equal(now.session?.pages, (before?.pages ?? 0) - 2);
  assert.equal(now.session?.marked.length, (before?.marked.length ?? 0) - 1);
  assert.equal(now.page.recorded, "left-out");
  assert.ok(now.settings.never.includes("bank.test"));
  assert.equal(await open(`${BANK}x`), false);
  assert.deepEqual(heard("never"), [], "the daemon is not told yet");
  await browser.page("never.undo");
  const again = await ui();
  assert.deepEqual([again.session?.pages, again.session?.marked.length, again.forgotten], [before?.pages, before?.marked.length, undefined]);
  assert.ok(!again.settings.never.includes("bank.test"));
});

test("the daemon is told before the session is submitted, until its list has the site", async () => {
  await open(`${BANK}loan`);
  click("never");
  await until(async () => (await ui()).forgotten !== undefined, "on the list");
  await browser.page("session.submit");
  await until(() => heard("never").length === 1, "told");
  const [{ host, session, id }] = heard("never");
  assert.deepEqual([host, session, typeof id], ["bank.test", (await ui()).session?.id, "string"]);
  await until(() => heard("submit").length === 1, "submitted");
  const order = daemon.heard.map((text) => JSON.parse(text).type);
  assert.ok(order.lastIndexOf("never") < order.indexOf("submit"), "first the site goes, then the session ends");
  assert.match((await browser.page("never.undo")).error, /too late/);
  daemon.drop();
  await until(() => heard("never").length === 2, "told again after the connection broke");
  daemon.state = { ...daemon.state, never: [...daemon.state.never, "bank.test"] };
  daemon.push(daemon.state);
  await until(() => app.store.kept.tell.length === 0, "the daemon knows");
});

test("outside the web nothing is offered", () => {
  const none = entries({ status: "recording", page: { recorded: "none", useful: false }, web: false, paired: true });
  assert.deepEqual(none.filter((e) => e.visible).map((e) => e.id), ["pause", "dashboard", "sent"]);
  const left = entries({ status: "recording", page: { recorded: "left-out", useful: false }, web: true, paired: false });
  assert.deepEqual(left.filter((e) => e.visible).map((e) => e.id), ["pause", "never"], "a page with a password field: its site can still be put on the list");
});
