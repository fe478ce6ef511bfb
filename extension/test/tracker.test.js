// The events that browsers send, one short sequence per case and browser, taken from recordings of Chromium 156 and Firefox
// ESR 153. Documents are d1, d2, …; pages are P1, P2, … in the order in which they are recorded.
import assert from "node:assert/strict";
import test from "node:test";
import { A, B, both, Browser, FIREFOX_ABORT } from "./navigation_fake.js";

both("typed, link, form, bookmark, reload", (b, load) => {
  b[load]("d1", A, "typed", { qualifiers: ["from_address_bar"] });
  b[load]("d2", `${A}a`);
  b[load]("d3", `${A}s?q=x`, "form_submit");
  b[load]("d4", `${A}s?q=x`, "reload", { move: { type: "reload" } });
  b[load]("d5", `${A}b`, "auto_bookmark");
  b[load]("d6", `${A}c`, "start_page");
  assert.deepEqual(b.heard(), [
    `visit P1 ${A} typed`, `visit P2 ${A}a link from P1`, `visit P3 ${A}s?q=x form from P2`, `visit P4 ${A}s?q=x reload`,
    `visit P5 ${A}b bookmark`, `visit P6 ${A}c other`,
  ]);
});

both("a click on a page that the person has left does not cause the next navigation", (b, load) => {
  b[load]("d1", A, "typed");
  b[load]("d2", `${A}a`);
  b.tracker.gesture(1, "d2");
  b.before(A);
  b.commit("d1", A, "link", ["forward_back"]);
  b[load]("d3", `${A}b`); // the message about the click that led here is late
  b.tracker.gesture(1, "d1"); // now it comes
  b[load]("d4", `${A}c`);
  assert.deepEqual(b.heard(), [
    `visit P1 ${A} typed`, `visit P2 ${A}a link from P1`, "back P1 from P2", `visit P3 ${A}b link from P1`, `visit P4 ${A}c link from P3`,
  ]);
});

both("back and forward to cached pages, by several steps, while the background dies between them", (b, load) => {
  b[load]("d1", A, "typed");
  b[load]("d2", `${A}a`);
  b[load]("d3", `${B}b`);
  b.heard();
  const step = (/** @type {string} */ doc, /** @type {string} */ url) => {
    b.die();
    b.before(url);
    // Chromium keeps the entry's first type, Firefox always says link.
    b.commit(doc, url, load === "chromium" && doc === "d1" ? "typed" : "link", ["forward_back"]);
  };
  step("d2", `${A}a`);
  step("d1", A);
  step("d3", `${B}b`);
  step("d1", A);
  b[load]("d4", `${A}c`);
  step("d1", A);
  assert.deepEqual(b.heard(), ["back P2 from P3", "back P1 from P2", "forward P3 from P1", "back P1 from P3", `visit P4 ${A}c link from P1`, "back P1 from P4"]);
});

both("back to a page that loads again: it is the page of the first time", (b, load) => {
  b[load]("d1", A, "typed");
  b[load]("d2", `${A}a`);
  b[load]("d3", `${A}`); // the same address on both sides
  b.heard();
  b.before(`${A}a`);
  b.commit("d4", `${A}a`, "link", ["forward_back"]);
  b.report("d4", `${A}a`, { move: { type: "traverse", delta: -1 } });
  assert.deepEqual(b.heard(), ["back P2 from P3"]);
  b.before(A);
  b.commit("d5", A, "link", ["forward_back"]);
  b.report("d5", A, { move: { type: "traverse", delta: 1 } });
  assert.deepEqual(b.heard(), ["forward P3 from P2"], "the page itself reports the direction");
  b.before(`${A}a`);
  b.commit("d4", `${A}a`, "link", ["forward_back"]);
  b.before(A);
  b.commit("d6", A, "link", ["forward_back"]);
  b.report("d6", A, { move: { type: "traverse", delta: null } });
  assert.deepEqual(b.heard(), ["back P2 from P3", "back P1 from P2"], "without a direction, back is likelier");
});

both("server redirect: the requested URL is an alias", (b, load) => {
  b[load]("d1", A, "typed");
  b.heard();
  b.before(`${A}redir`);
  if (load === "firefox") {
    b.before(`${B}a`);
    b.tracker.failed({ tabId: 1, frameId: 0, url: `${A}redir`, error: FIREFOX_ABORT });
  }
  b.commit("d2", `${B}a`, "link", ["server_redirect"]);
  b.report("d2", `${B}a`, { move: { referrer: A } });
  assert.deepEqual(b.heard(), [`visit P2 ${B}a link from P1 for ${A}redir`]);
  b.before(A);
  b.commit("d1", A, "typed", ["forward_back"]);
  assert.deepEqual(b.heard(), ["back P1 from P2"]);
});

both("meta refresh: the page that redirects is an alias", (b, load) => {
  b[load]("d1", A, "typed");
  b.heard();
  b.before(`${A}meta`);
  b.commit("d2", `${A}meta`, "link");
  b.before(`${A}a`);
  b.commit("d3", `${A}a`, "link", ["client_redirect"]);
  b.report("d3", `${A}a`, { move: { referrer: `${A}meta`, type: "replace" } });
  assert.deepEqual(b.heard(), [`visit P2 ${A}a link from P1 for ${A}meta`]);
});

test("location.replace in Chromium: a client redirect", () => {
  const b = new Browser();
  b.chromium("d1", A, "typed");
  b.before(`${A}jsr`);
  b.commit("d2", `${A}jsr`, "link");
  b.before(`${A}a`);
  b.commit("d3", `${A}a`, "link", ["client_redirect"]);
  b.report("d3", `${A}a`, { move: { referrer: `${A}jsr`, type: "replace" } });
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}a link from P1 for ${A}jsr`]);
});

test("location.replace in Firefox: no qualifier, and the page reports while it is leaving", () => {
  const b = new Browser();
  b.firefox("d1", A, "typed");
  b.before(`${A}jsr`);
  b.before(`${A}jsr`);
  b.tracker.failed({ tabId: 1, frameId: 0, url: `${A}jsr`, error: FIREFOX_ABORT });
  b.commit("d2", `${A}jsr`, "link");
  b.tracker.failed({ tabId: 1, frameId: 0, url: `${A}jsr`, error: FIREFOX_ABORT });
  b.before(`${A}a`);
  b.report("d2", `${A}jsr`, { move: { referrer: A } });
  b.commit("d3", `${A}a`, "link");
  b.report("d3", `${A}a`, { move: { referrer: `${A}jsr`, type: "replace" } });
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}a link from P1 for ${A}jsr`]);
});

test("a page that starts a download reports again when the navigation fails", () => {
  const b = new Browser();
  b.before(A);
  b.commit("d1", A, "typed");
  b.before(`${A}file.bin`);
  b.report("d1", A);
  assert.deepEqual(b.heard(), []);
  assert.equal(b.tracker.failed({ tabId: 1, frameId: 0, url: `${A}file.bin`, error: "net::ERR_ABORTED" }), true);
  b.report("d1", A);
  assert.deepEqual(b.heard(), [`visit P1 ${A} typed`]);
});

both("a page that the person saw before it redirects is recorded itself", (b, load) => {
  b[load]("d1", A, "typed");
  b.before(`${A}later`);
  b.commit("d2", `${A}later`, "link", ["client_redirect"]);
  b.report("d2", `${A}later`, { move: { referrer: A } });
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}later link from P1`]);
});

test("new tab in Chromium: the target event comes first", () => {
  const b = new Browser();
  b.chromium("d1", A, "typed");
  b.tracker.gesture(1, "d1");
  b.tracker.createdTarget({ tabId: 2, sourceTabId: 1 });
  b.before(`${A}a`, { tabId: 2 });
  b.commit("d2", `${A}a`, "link", [], { tabId: 2 });
  b.report("d2", `${A}a`, { tab: 2, move: { referrer: A } });
  b.before(`${A}b`, { tabId: 2 });
  b.commit("d3", `${A}b`, "link", [], { tabId: 2 });
  b.report("d3", `${A}b`, { tab: 2, move: { referrer: `${A}a` } });
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}a new-tab from P1`, `visit P3 ${A}b link from P2`]);
});

test("new tab in Firefox: about:blank comes first, and the page may keep its document", () => {
  const b = new Browser();
  b.firefox("d1", A, "typed");
  b.commit("d2", "about:blank", "link", [], { tabId: 2 });
  b.tracker.createdTarget({ tabId: 2, sourceTabId: 1 });
  b.before(`${A}a`, { tabId: 2 });
  b.commit("d2", `${A}a`, "link", [], { tabId: 2 });
  b.report("d2", `${A}a`, { tab: 2 });
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}a new-tab from P1`]);
  assert.equal(b.tracker.pageOf(2), "P2");
});

test("Ctrl+T follows no link, although Chromium names an opener", () => {
  const b = new Browser();
  b.chromium("d1", A, "typed");
  b.commit("d2", "chrome://newtab/", "typed", [], { tabId: 2 });
  b.commit("d3", `${B}b`, "typed", ["from_address_bar"], { tabId: 2 });
  b.report("d3", `${B}b`, { tab: 2 });
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${B}b typed`]);
});

test("a reopened tab: reload in Chromium, forward_back in Firefox", () => {
  const c = new Browser();
  c.chromium("d1", A, "reload", { move: { type: "traverse" } });
  assert.deepEqual(c.heard(), [`visit P1 ${A} reload`]);
  const f = new Browser();
  f.commit("d1", A, "link");
  f.before(A);
  f.commit("d2", A, "link", ["forward_back"]);
  f.report("d2", A, { move: { type: "traverse" } });
  assert.deepEqual(f.heard(), [`visit P1 ${A} other`]);
});

test("Firefox calls a load by a program a link: without referrer and click it is none", () => {
  const b = new Browser();
  b.firefox("d1", A, "typed");
  b.firefox("d2", `${A}a`, "link", { move: { referrer: "" } });
  b.tracker.gesture(1, "d2");
  b.firefox("d3", `${A}b`, "link", { move: { referrer: "" } });
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}a other`, `visit P3 ${A}b link from P2`]);
});

test("pushState: a visit when the person clicked; steps between its entries; away and back", () => {
  const b = new Browser();
  const same = (/** @type {any} */ o) => ({ move: { same: true, changed: true, type: "push", ...o } });
  b.chromium("d1", `${A}spa`, "typed");
  b.tracker.gesture(1, "d1");
  b.report("d1", `${A}spa/1`, same({}));
  b.report("d1", `${A}spa/1#x`, same({}));
  b.time += 60_000;
  b.report("d1", `${A}spa/2`, same({}));
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}spa/1 link from P1`, `visit P3 ${A}spa/2 other`]);
  b.report("d1", `${A}spa`, same({ type: "traverse", delta: -2 }));
  b.report("d1", `${A}spa/1`, same({ type: "traverse", delta: 1 }));
  assert.deepEqual(b.heard(), ["back P1 from P3", "forward P2 from P1"]);
  b.chromium("d2", `${A}x`);
  b.commit("d1", `${A}spa/1`, "link", ["forward_back"]);
  assert.deepEqual(b.heard(), [`visit P4 ${A}x link from P2`, "back P2 from P4"]);
});

test("routes: pages of one document, with steps between them, several at once, and away and back", () => {
  const b = new Browser();
  const route = (/** @type {string} */ to, /** @type {any} */ o) => {
    b.tracker.gesture(1, "d1");
    b.report("d1", `${A}app#/${to}`, { move: { same: true, changed: true, type: "push", ...o } });
  };
  b.chromium("d1", `${A}app`, "typed");
  route("teams", {});
  route("teams/7", {});
  route("teams", { changed: false }); // nothing else is shown: no page
  b.report("d1", `${A}app#/teams/7`, { move: { same: true, type: "traverse", changed: false, delta: -1 } });
  assert.deepEqual(b.heard(), [`visit P1 ${A}app typed`, `visit P2 ${A}app#/teams link from P1`, `visit P3 ${A}app#/teams/7 link from P2`]);
  b.report("d1", `${A}app#/unknown`, { move: { same: true, type: "traverse", changed: false, delta: -1 } });
  assert.deepEqual(b.heard(), [], "a step to an address that was no page of its own");
  b.report("d1", `${A}app`, { move: { same: true, type: "traverse", changed: true, delta: -2 } });
  b.report("d1", `${A}app#/teams`, { move: { same: true, type: "traverse", changed: true, delta: 1 } });
  b.chromium("d2", `${A}x`);
  b.commit("d1", `${A}app#/teams`, "link", ["forward_back"]);
  assert.deepEqual(b.heard(), ["back P1 from P3", "forward P2 from P1", `visit P4 ${A}x link from P2`, "back P2 from P4"]);
});

test("replaceState with other content takes the place of the page in the history", () => {
  const b = new Browser();
  b.chromium("d1", `${A}app`, "typed");
  b.tracker.gesture(1, "d1");
  b.report("d1", `${A}app#/one`, { move: { same: true, changed: true, type: "push" } });
  b.tracker.gesture(1, "d1");
  b.report("d1", `${A}app#/two`, { move: { same: true, changed: true, type: "replace" } });
  b.report("d1", `${A}app`, { move: { same: true, changed: true, type: "traverse", delta: -1 } });
  b.report("d1", `${A}app#/two`, { move: { same: true, changed: true, type: "traverse", delta: 1 } });
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}app#/one link from P1`, `visit P3 ${A}app#/two link from P2`, "back P1 from P3", "forward P3 from P1"]);
});

both("a route that the person typed or has as a bookmark; content that came late", (b, load) => {
  b[load]("d1", `${A}app`, "typed");
  const push = { move: { same: true, changed: true, type: "push", late: 4000 } };
  b.tracker.moved({ tabId: 1, frameId: 0, url: `${A}app#/a?access_token=canary`, transitionType: "typed", transitionQualifiers: ["from_address_bar"] });
  b.report("d1", `${A}app#/a?access_token=canary`, push);
  b.tracker.moved({ tabId: 1, frameId: 0, url: `${A}app#/b`, transitionType: "auto_bookmark", transitionQualifiers: [] });
  b.report("d1", `${A}app#/b`, push);
  b.tracker.gesture(1, "d1");
  b.tracker.moved({ tabId: 1, frameId: 0, url: `${A}app#/c`, transitionType: "link", transitionQualifiers: [] });
  b.time += 8000;
  b.report("d1", `${A}app#/c`, push);
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}app#/a?access_token=redacted typed`, `visit P3 ${A}app#/b bookmark`, `visit P4 ${A}app#/c link from P3`]);
  assert.ok(!JSON.stringify(b.tracker.state).includes("canary"));
});

test("a route that asks for a password is left out, and only that route", () => {
  const b = new Browser();
  b.chromium("d1", `${A}app`, "typed");
  b.report("d1", `${A}app#/login`, { leftOut: true, move: { same: true, changed: true, type: "push" } });
  assert.equal(b.tracker.leftOut(1), true);
  b.report("d1", `${A}app`, { move: { same: true, changed: true, type: "traverse", delta: -1 } });
  assert.deepEqual(b.heard(), [`visit P1 ${A}app typed`, "back P1"]);
  assert.equal(b.tracker.pageOf(1), "P1");
});

both("pages left out: no event names them or comes from them", (b, load) => {
  b[load]("d1", A, "typed");
  b.before(`${A}login`);
  b.commit("d2", `${A}login`, "link");
  b.report("d2", `${A}login`, { leftOut: true });
  assert.equal(b.tracker.leftOut(1), true);
  b[load]("d3", `${A}a`);
  b.before("http://bank.test/");
  b.commit("d4", "http://bank.test/", "link", [], { blind: true });
  assert.equal(b.tracker.leftOut(1), true);
  b.commit("d3", `${A}a`, "link", ["forward_back"]);
  b.commit("d2", `${A}login`, "link", ["forward_back"]);
  b.commit("d1", A, "link", ["forward_back"]);
  assert.deepEqual(b.heard(), [`visit P1 ${A} typed`, `visit P2 ${A}a link`, "back P2", "back P1"]);
  assert.ok(!JSON.stringify(b.tracker.state).includes("bank.test"));
});

test("an unreachable host: Firefox commits it, Chromium does not", () => {
  const b = new Browser();
  b.firefox("d1", A, "typed");
  b.before("http://dead.test/");
  b.tracker.failed({ tabId: 1, frameId: 0, url: "http://dead.test/", error: "Error code 2152398868" });
  b.commit("d2", "http://dead.test/", "link");
  b.commit("d1", A, "link", ["forward_back"]);
  b.before("http://dead.test/");
  b.tracker.failed({ tabId: 1, frameId: 0, url: "http://dead.test/", error: "net::ERR_EMPTY_RESPONSE" });
  assert.deepEqual(b.heard(), [`visit P1 ${A} typed`, "back P1"]);
});

test("a page from before the session reports without a commit; a prerendered one reports only when it is shown", () => {
  const b = new Browser();
  b.report("d1", A);
  b.chromium("d2", `${A}a`);
  b.commit("d9", `${A}p`, "link", [], { documentLifecycle: "prerender" });
  b.commit("d1", A, "link", ["forward_back"]);
  assert.deepEqual(b.heard(), [`visit P1 ${A} other`, `visit P2 ${A}a link from P1`, "back P1 from P2"]);
});

test("commits that the background missed because it was not running", () => {
  const b = new Browser();
  b.chromium("d1", A, "typed");
  b.report("d2", `${A}a`, { move: { referrer: A } });
  b.report("d3", `${A}b`, { move: { referrer: "http://elsewhere.test/" } });
  b.report("d4", `${A}b`, { move: { type: "reload" } });
  b.tell(b.tracker.restored(1, "d1"));
  b.commit("d1", A, "typed", ["forward_back"]);
  b.tell(b.tracker.restored(1, "d1"));
  b.tell(b.tracker.restored(1, "unknown"));
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}a link from P1`, `visit P3 ${A}b other`, `visit P4 ${A}b reload`, "back P1 from P4"]);
});

test("secrets never enter the state", () => {
  const b = new Browser();
  b.before(`${A}in?access_token=canary1`);
  b.commit("d1", `${A}home?PHPSESSID=canary2#canary3`, "typed", ["server_redirect"]);
  b.report("d1", `${A}home?PHPSESSID=canary2#canary3`);
  assert.deepEqual(b.heard(), [`visit P1 ${A}home?PHPSESSID=redacted typed for ${A}in?access_token=redacted`]);
  assert.ok(!JSON.stringify(b.tracker.state).includes("canary"));
});

test("the state stays small however long the session, and what tabs can still show is known", () => {
  const b = new Browser();
  b.commit("old", `${A}old`, "typed", [], { tabId: 2 });
  b.report("old", `${A}old`, { tab: 2 });
  for (let i = 0; i < 3000; i++) {
    b.chromium(`d${i}`, `${A}${i}`);
    b.commit(`f${i}`, `${A}f${i}`, "auto_subframe", [], { frameId: i + 1, parentDocumentId: `d${i}` });
    b.report(`f${i}`, `${A}f${i}`, { frame: i + 1, parentDoc: `d${i}` });
  }
  const { docs, pages, tabs } = b.tracker.state;
  assert.ok(Object.keys(docs).length < 500 && Object.keys(pages).length < 500, `${Object.keys(docs).length} ${Object.keys(pages).length}`);
  assert.equal(tabs[1].histories["0"].entries.length, 100);
  assert.ok(Object.keys(tabs[1].histories).length < 400);
  assert.equal(b.tracker.pageOf(2), "P1");
  assert.equal(pages[docs.old].url, `${A}old`);
  b.commit("d2950", `${A}2950`, "link", ["forward_back"]);
  assert.match(b.heard().at(-1) ?? "", /^back P\d+ from P\d+$/);
});
