// What becomes of tabs that show no page of HTML: PDFs, text files, images and what the browser shows in viewers of its own.
import "fake-indexeddb/auto";
import assert from "node:assert/strict";
import test, { after } from "node:test";
import { FakeBrowser, FakeClient } from "./browser_fake.js";
import { until } from "./fake_daemon.js";
import { webPage } from "./page_fake.js";
import { barState } from "./states_fake.js";
import { documentText, fileName, pdfTitle } from "../src/shared/documents.js";

const A = "http://a.test/";
const ICON = "chrome://global/skin/icons/pdf.svg";
const browser = new FakeBrowser();
Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Firefox/153" }, configurable: true });
Object.assign(globalThis, { chrome: browser.restart(), WebSocket: class { close() {} } });
const { app } = await import("../src/background/main.js");
after(() => setImmediate(() => process.exit())); // timers of the background

/** The events queued since the last call. @returns {Promise<any[]>} */
async function heard() {
  await app.task(() => {});
  const all = await app.queue.after(0, 1000);
  await app.queue.remove(all.map((e) => e.id));
  return all;
}

/** The browser commits a document in the tab. @param {string} url @param {string} doc @param {any} [tab] @param {any} [details] */
async function commit(url, doc, tab = {}, details = {}) {
  const { webNavigation } = browser.chrome;
  webNavigation.onBeforeNavigate.fire({ tabId: 1, frameId: 0, url });
  webNavigation.onCommitted.fire({ tabId: 1, frameId: 0, url, documentId: doc, transitionType: "link", transitionQualifiers: [], ...details });
  browser.tabs[0] = { id: 1, active: true, incognito: false, lastAccessed: 1, status: "complete", title: url, url, ...tab };
  browser.frame = { url, documentId: doc };
  await app.task(() => {});
}

/** A document reports itself. @param {string} url @param {string} doc @param {any} more */
const report = (url, doc, more) =>
  browser.content("page.report", {
    url, title: "", leftOut: false, frameset: false, area: 1, move: { type: "navigate", delta: null, referrer: A, same: false }, ...more,
  }, { url, doc });

/** @param {any} state */
const says = (state) => documentText({ recorded: "yes", useful: false, ...state });

/** @returns {Promise<any>} */
const page = async () => (await browser.page("ui.state")).value.page;

await browser.page("consent.set", { given: true });
await commit(A, "d1");
await browser.page("session.start", { topic: "Ice hockey" });
await report(A, "d1", { title: "Start", html: "<p>text</p>" });
await heard();

test("a content script says what its document is", async () => {
  const kinds = [
    ["text/html", undefined], ["application/xhtml+xml", undefined], ["application/pdf", "pdf"], ["text/plain", "text"], ["text/csv", "text"],
    ["image/png", "image"], ["image/svg+xml", "image"], ["video/mp4", "video"], ["audio/wav", "audio"], ["application/json", "other"],
    ["text/css", "other"], ["text/javascript", "other"], ["application/rss+xml", undefined],
  ];
  for (const [type, kind] of kinds) {
    const client = new FakeClient();
    client.answers["page.hello"] = () => ({ record: true, bar: barState() });
    await webPage({ client, html: "<title>T</title><p>text</p>", before: (w) => Object.defineProperty(w.document, "contentType", { value: type }) });
    const [{ document, html, title }] = client.named("page.report");
    assert.equal(document, kind, type);
    const read = kind === undefined || kind === "text";
    assert.deepEqual([Boolean(html), title], [read, read ? "T" : ""], type);
  }
  const client = new FakeClient();
  client.answers["page.hello"] = () => ({ record: true, bar: barState() });
  await webPage({ client, html: `<div id="webkit-xml-viewer-source-xml"></div>`, before: (w) => Object.defineProperty(w.document, "contentType", { value: "text/xml" }) });
  assert.equal(client.named("page.report")[0].document, "other");
});

test("an image of SVG has no bar, and reports itself all the same", async () => {
  const client = new FakeClient();
  client.answers["page.hello"] = () => ({ record: true, bar: barState() });
  const { window } = await webPage({
    client, before: (w) => {
      Object.defineProperty(w.document, "contentType", { value: "image/svg+xml" });
      w.document.replaceChild(w.document.createElementNS("http://www.w3.org/2000/svg", "svg"), w.document.documentElement);
    },
  });
  assert.equal(client.named("page.report")[0].document, "image");
  client.tell("bar.state", barState());
  assert.equal(window.document.documentElement.children.length, 0);
});

test("a PDF that reports itself is a visit with the title of its tab, and has no snapshot", async () => {
  await commit(`${A}paper.pdf`, "d2");
  const reported = report(`${A}paper.pdf`, "d2", { document: "pdf" });
  browser.tabs[0].title = "Owls of the north";
  await reported;
  const [visit, ...more] = await heard();
  assert.deepEqual([visit.type, visit.media, visit.title, visit.how], ["visit", "pdf", "Owls of the north", "link"]);
  assert.deepEqual(more, []);
  assert.deepEqual(await page(), { recorded: "yes", useful: false, document: "pdf" });
  assert.equal((await browser.page("session.useful")).ok, true);
  assert.deepEqual((await heard()).map((e) => e.type), ["useful"]);
});

test("a text file is a page with its text and the name of its file", async () => {
  await commit(`${A}notes/read%20me.txt`, "d3");
  await report(`${A}notes/read%20me.txt`, "d3", { document: "text", html: "<pre>owls</pre>" });
  const events = await heard();
  assert.deepEqual(events.map((e) => [e.type, e.media, e.title]), [["visit", "text", "read me.txt"], ["snapshot", undefined, undefined]]);
});

test("images, video, sounds and viewers are no events; state and button say what they are", async () => {
  for (const [i, kind] of ["image", "video", "audio", "other"].entries()) {
    await commit(`${A}file${i}`, `e${i}`);
    await report(`${A}file${i}`, `e${i}`, { document: kind, title: "canary", html: "canary" });
    assert.deepEqual(await heard(), [], kind);
    const { why, ...state } = await page();
    assert.deepEqual(state, { recorded: "none", useful: false, document: kind });
    assert.equal(why, documentText(/** @type {any} */ (state)));
    assert.match((await browser.page("session.useful")).error, /not recorded/);
    const about = documentText(await page());
    await until(() => browser.tabBadge.text === "–" && browser.tabBadge.title.endsWith(about), `the button says ${kind}`);
  }
  assert.match(browser.tabBadge.title, /Nightjar is recording|not connected/);
  await commit(`${A}after`, "d4");
  await report(`${A}after`, "d4", { html: "<p>text</p>" });
  assert.deepEqual((await heard()).map((e) => e.type), ["visit", "snapshot"]);
  assert.deepEqual(await page(), { recorded: "yes", useful: false });
});

test("a kind of document that a page made up is none", async () => {
  await commit(`${A}odd`, "d5");
  await report(`${A}odd`, "d5", { document: "canary", html: "<p>text</p>" });
  assert.ok(!JSON.stringify(await heard()).includes("canary"));
});

test("in a frame, only text is recorded", async () => {
  await commit(`${A}frames`, "d6");
  await report(`${A}frames`, "d6", { html: "<p>text</p>", frameset: true });
  await heard();
  const framed = (/** @type {string} */ doc, /** @type {string} */ document) =>
    browser.content("page.report", { url: `${A}${doc}`, title: "T", leftOut: false, frameset: false, area: 1, move: {}, document, html: "<p>x</p>" },
      { url: `${A}${doc}`, doc, frameId: 3, tab: { url: `${A}frames` } });
  browser.frame.parentDocumentId = "d6";
  await framed("f1", "pdf");
  await framed("f2", "image");
  assert.deepEqual(await heard(), []);
  await framed("f3", "text");
  assert.deepEqual((await heard()).map((e) => e.type), ["frame", "snapshot"]);
});

test("Firefox's viewer of PDF runs no script: the background reports in its place, once, with how it was reached", async () => {
  const viewer = { favIconUrl: ICON, title: "PDF.js viewer", status: "loading" };
  await commit(`${A}owl.pdf`, "g1", viewer, { transitionType: "reload" });
  browser.chrome.webNavigation.onDOMContentLoaded.fire({ tabId: 1, frameId: 0, url: `${A}owl.pdf`, documentId: "g1" });
  Object.assign(browser.tabs[0], { title: "Owl paper - owl.pdf", status: "complete" });
  browser.chrome.webNavigation.onCompleted.fire({ tabId: 1, frameId: 0, url: `${A}owl.pdf`, documentId: "g1" });
  await until(async () => (await page()).recorded === "yes", "the PDF is recorded");
  assert.deepEqual((await heard()).map((e) => [e.type, e.media, e.title, e.how]), [["visit", "pdf", "Owl paper", "reload"]]);
  assert.deepEqual(await page(), { recorded: "yes", useful: false, document: "pdf" });
  assert.equal((await browser.page("session.useful")).ok, true);
  assert.deepEqual((await heard()).map((e) => e.type), ["useful"]);
});

test("a page that is only slow is not taken for a PDF, and one that refuses scripts is no page", async () => {
  let refused = false;
  browser.script = async () => {
    if (refused) throw new Error("Missing host permission for the tab");
    return [];
  };
  await commit(`${A}slow.pdf`, "g2", { status: "loading" });
  browser.chrome.webNavigation.onDOMContentLoaded.fire({ tabId: 1, frameId: 0, url: `${A}slow.pdf`, documentId: "g2" });
  assert.deepEqual(await page(), { recorded: "unknown", useful: false });
  browser.tabs[0].status = "complete";
  assert.deepEqual(await page(), { recorded: "unknown", useful: false });
  refused = true;
  assert.deepEqual(await page(), { recorded: "none", useful: false, document: "other", why: says({ document: "other", recorded: "none" }) });
  assert.deepEqual(await heard(), []);
});

test("hosts that are never recorded are not looked at", async () => {
  await browser.page("settings.set", { never: ["bank.test"] });
  await commit("http://bank.test/statement.pdf", "g3", { favIconUrl: ICON, title: "Statement - statement.pdf" });
  browser.chrome.webNavigation.onCompleted.fire({ tabId: 1, frameId: 0, url: "http://bank.test/statement.pdf", documentId: "g3" });
  assert.equal((await page()).recorded, "left-out");
  assert.deepEqual(await heard(), []);
});

test("titles of PDFs", () => {
  const url = "http://a.test/x/owl%20one.pdf?a=b";
  assert.equal(fileName(url), "owl one.pdf");
  assert.equal(fileName("http://a.test"), "");
  assert.equal(fileName("http://a.test/%zz"), "%zz");
  for (const [title, want] of [
    ["", "owl one.pdf"], ["PDF.js viewer", "owl one.pdf"], ["a.test/x/owl%20one.pdf?a=b", "owl one.pdf"], [url, "owl one.pdf"],
    ["owl one.pdf", "owl one.pdf"], ["Owls - a survey - owl one.pdf", "Owls - a survey"], ["Owls - served.pdf", "Owls"],
    ["Owls - a survey", "Owls - a survey"],
  ]) assert.equal(pdfTitle(title, url), want, title);
});

test("each kind is said in words", () => {
  assert.equal(says({ document: "image", recorded: "none" }), "This is an image. Nightjar records pages, not images.");
  assert.match(says({ document: "pdf" }), /recorded by its title/);
  assert.match(says({ document: "pdf", useful: true }), /marked Useful/);
  assert.match(says({ document: "pdf", read: true }), /reads its text/);
  assert.equal(says({ document: "pdf", recorded: "unknown" }), "");
  assert.equal(says({}), "");
});
