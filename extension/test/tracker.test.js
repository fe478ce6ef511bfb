// What browsers really send, one short sequence per case, in both browsers' ways. Written after recordings of Chromium
// 156 and Firefox ESR 153; documents are d1, d2, …, pages P1, P2, … in the order they are recorded.
import assert from "node:assert/strict";
import test from "node:test";
import "../src/shared/privacy.js";
import { emptyState, Tracker } from "../src/background/tracker.js";

const A = "http://a.test/";
const B = "http://b.test/";
const FIREFOX_ABORT = "Error code 2152398850";

class Browser {
  time = 1_000_000;
  pages = 0;
  /** @type {string[]} */ said = [];
  tracker = this.load(emptyState());

  /** @param {any} state */
  load(state) {
    return new Tracker(state, { newPage: () => `P${++this.pages}`, now: () => this.time, redact: globalThis.nightjarPrivacy.redact });
  }

  /** The background dies and comes back with what it had stored. */
  die() {
    this.tracker = this.load(JSON.parse(JSON.stringify(this.tracker.state)));
  }

  /** @param {readonly any[]} facts */
  tell(facts) {
    for (const f of facts) {
      const extra = [f.how, f.kind, f.parent && `in ${f.parent}`, f.from && `from ${f.from}`, f.requested && `for ${f.requested}`];
      this.said.push([f.type, f.page, f.url, ...extra].filter(Boolean).join(" "));
    }
  }

  /** @param {string} url @param {any} [o] */
  before(url, o = {}) {
    this.time += 10;
    this.tracker.beforeNavigate({ tabId: 1, frameId: 0, url, ...o });
  }

  /** @param {string} doc @param {string} url @param {string} type @param {string[]} [qualifiers] @param {any} [o] */
  commit(doc, url, type, qualifiers = [], o = {}) {
    this.time += 10;
    const { blind, ...rest } = o;
    this.tell(this.tracker.committed({ tabId: 1, frameId: 0, url, documentId: doc, transitionType: type, transitionQualifiers: qualifiers, ...rest }, blind));
  }

  /** @param {string} doc @param {string} url @param {any} [o] */
  report(doc, url, o = {}) {
    this.time += 10;
    const { move = {}, ...rest } = o;
    const result = this.tracker.report({
      tab: 1, frame: 0, doc, parentDoc: "", url, title: "", leftOut: false, frameset: false, area: 1,
      move: { type: "navigate", delta: null, referrer: "", same: false, ...move }, ...rest,
    });
    this.tell(result.facts);
    return result;
  }

  /** An ordinary load in Chromium. @param {string} doc @param {string} url @param {string} [type] @param {any} [o] */
  chromium(doc, url, type = "link", o = {}) {
    this.before(url);
    this.commit(doc, url, type, o.qualifiers);
    this.report(doc, url, { move: { referrer: type === "link" ? A : "", ...o.move } });
  }

  /** The same in Firefox, the page before entering the cache. @param {string} doc @param {string} url @param {string} [type] @param {any} [o] */
  firefox(doc, url, type = "link", o = {}) {
    this.before(url);
    this.before(url);
    this.tracker.failed({ tabId: 1, frameId: 0, url, error: FIREFOX_ABORT });
    this.commit(doc, url, type, o.qualifiers);
    this.report(doc, url, { move: { referrer: type === "link" ? A : "", ...o.move } });
  }

  /** What was said since the last time. */
  heard() {
    return this.said.splice(0);
  }
}

/** @param {string} name @param {(b: Browser, load: "chromium"|"firefox") => void} body */
function both(name, body) {
  for (const load of /** @type {const} */ (["chromium", "firefox"])) test(`${name} (${load})`, () => body(new Browser(), load));
}

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

both("a click on a page that the person has left is not the cause of the next navigation", (b, load) => {
  b[load]("d1", A, "typed");
  b[load]("d2", `${A}a`);
  b.tracker.gesture(1, "d2");
  b.before(A);
  b.commit("d1", A, "link", ["forward_back"]);
  b[load]("d3", `${A}b`); // the click that led here has not been told yet
  b.tracker.gesture(1, "d1"); // now it is
  b[load]("d4", `${A}c`);
  assert.deepEqual(b.heard(), [
    `visit P1 ${A} typed`, `visit P2 ${A}a link from P1`, "back P1 from P2", `visit P3 ${A}b link from P1`, `visit P4 ${A}c link from P3`,
  ]);
});

both("back and forward to cached pages, by several steps, through the background's death", (b, load) => {
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

both("back to a page that is loaded anew: the page of the first time", (b, load) => {
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
  assert.deepEqual(b.heard(), ["forward P3 from P2"], "the page itself knows the direction");
  b.before(`${A}a`);
  b.commit("d4", `${A}a`, "link", ["forward_back"]);
  b.before(A);
  b.commit("d6", A, "link", ["forward_back"]);
  b.report("d6", A, { move: { type: "traverse", delta: null } });
  assert.deepEqual(b.heard(), ["back P2 from P3", "back P1 from P2"], "without it, back is likelier");
});

both("server redirect: the URL asked for is an alias", (b, load) => {
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

both("meta refresh: the page that only leads on is an alias", (b, load) => {
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

test("location.replace in Firefox: no qualifier, and the page reports when it is leaving already", () => {
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

test("a page that starts a download reports again when that came to nothing", () => {
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

both("a page that was seen and then leads on is a page of its own", (b, load) => {
  b[load]("d1", A, "typed");
  b.before(`${A}later`);
  b.commit("d2", `${A}later`, "link", ["client_redirect"]);
  b.report("d2", `${A}later`, { move: { referrer: A } });
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}later link from P1`]);
});

test("new tab in Chromium: target first, also when opened from a frame's click", () => {
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

test("new tab in Firefox: about:blank first, whose document the page may keep", () => {
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

test("ctrl+T follows nothing, though Chromium names an opener", () => {
  const b = new Browser();
  b.chromium("d1", A, "typed");
  b.commit("d2", "chrome://newtab/", "typed", [], { tabId: 2 });
  b.commit("d3", `${B}b`, "typed", ["from_address_bar"], { tabId: 2 });
  b.report("d3", `${B}b`, { tab: 2 });
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${B}b typed`]);
});

test("a closed tab opened again: reload in Chromium, forward_back in Firefox", () => {
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

test("Firefox calls a driver's or a program's load a link: without referrer and click it is none", () => {
  const b = new Browser();
  b.firefox("d1", A, "typed");
  b.firefox("d2", `${A}a`, "link", { move: { referrer: "" } });
  b.tracker.gesture(1, "d2");
  b.firefox("d3", `${A}b`, "link", { move: { referrer: "" } });
  assert.deepEqual(b.heard().slice(1), [`visit P2 ${A}a other`, `visit P3 ${A}b link from P2`]);
});

const FRAME = { frameId: 9, parentFrameId: 0, parentDocumentId: "d1" };

/** A frameset with two frames, whose reports come before or after the parent's. @param {Browser} b @param {boolean} childFirst */
function frameset(b, childFirst) {
  b.before(`${A}fs`);
  b.commit("d1", `${A}fs`, "typed");
  b.commit("d2", `${A}nav`, "auto_subframe", [], FRAME);
  b.commit("d3", `${A}a`, "auto_subframe", [], { ...FRAME, frameId: 10 });
  const child = () => b.report("d2", `${A}nav`, { frame: 9, parentDoc: "d1", area: 10 });
  if (childFirst) assert.equal(child().wait, true);
  b.report("d1", `${A}fs`, { frameset: true, area: 100 });
  child();
  b.report("d3", `${A}a`, { frame: 10, parentDoc: "d1", area: 90 });
}

both("frames: of a frameset, whoever reports first; Useful means the largest", (b, load) => {
  frameset(b, load === "chromium");
  assert.deepEqual(b.heard(), [`visit P1 ${A}fs typed`, `frame P2 ${A}nav frame in P1`, `frame P3 ${A}a frame in P1`]);
  assert.equal(b.tracker.markTarget("P1"), "P3");
});

both("frames: a link in one, Back in it, target=_top, back into the frameset", (b, load) => {
  frameset(b, false);
  b.heard();
  const main = { ...FRAME, frameId: 10 };
  b.commit("d4", `${A}b`, "manual_subframe", [], main);
  b.report("d4", `${A}b`, { frame: 10, parentDoc: "d1", area: 90 });
  b.commit("d5", `${A}a`, "auto_subframe", load === "firefox" ? ["forward_back"] : [], main);
  b.report("d5", `${A}a`, { frame: 10, parentDoc: "d1", area: 90, move: { type: "traverse", delta: -1 } });
  b.commit("d6", `${A}b`, "auto_subframe", load === "firefox" ? ["forward_back"] : [], main);
  b.report("d6", `${A}b`, { frame: 10, parentDoc: "d1", area: 90, move: { type: "traverse", delta: 1 } });
  assert.deepEqual(b.heard(), [`frame P4 ${A}b frame in P1`, "back P3 from P4", "forward P4 from P3"]);
  b.tracker.gesture(1, "d2");
  b[load]("d7", `${A}top`);
  assert.deepEqual(b.heard(), [`visit P5 ${A}top link from P2`]);
  if (load === "firefox") {
    b.commit("d6", `${A}b`, "auto_subframe", ["forward_back"], main);
    b.commit("d2", `${A}nav`, "auto_subframe", ["forward_back"], FRAME);
  }
  b.commit("d1", `${A}fs`, "link", ["forward_back"]);
  assert.deepEqual(b.heard(), ["back P1 from P5"], "frames come back with their parent");
  assert.equal(b.report("d6", `${A}b`, { frame: 10, parentDoc: "d1" }).facts.length, 0);
});

test("an iframe, and one that changes by itself", () => {
  const b = new Browser();
  b.chromium("d1", A, "typed");
  b.commit("d2", `${A}i1`, "auto_subframe", [], FRAME);
  b.report("d2", `${A}i1`, { frame: 9, parentDoc: "d1" });
  b.commit("d3", `${A}i2`, "auto_subframe", [], FRAME);
  b.report("d3", `${A}i2`, { frame: 9, parentDoc: "d1" });
  b.commit("d4", "about:srcdoc", "auto_subframe", [], { ...FRAME, frameId: 11 });
  assert.deepEqual(b.heard().slice(1), [`frame P2 ${A}i1 iframe in P1`, `frame P3 ${A}i2 iframe in P1`]);
});

test("pushState: a visit when the person clicked; steps between its entries; away and back", () => {
  const b = new Browser();
  const same = (/** @type {any} */ o) => ({ move: { same: true, type: "push", ...o } });
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

both("left out: nothing is said of it, and nothing comes from it", (b, load) => {
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

test("a page from before the session reports without a commit; a prerendered one only when it is shown", () => {
  const b = new Browser();
  b.report("d1", A);
  b.chromium("d2", `${A}a`);
  b.commit("d9", `${A}p`, "link", [], { documentLifecycle: "prerender" });
  b.commit("d1", A, "link", ["forward_back"]);
  assert.deepEqual(b.heard(), [`visit P1 ${A} other`, `visit P2 ${A}a link from P1`, "back P1 from P2"]);
});

test("commits that nobody heard: the background died under them", () => {
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
  b.before(`${A}in?token=canary1`);
  b.commit("d1", `${A}home?sid=canary2#canary3`, "typed", ["server_redirect"]);
  b.report("d1", `${A}home?sid=canary2#canary3`);
  assert.deepEqual(b.heard(), [`visit P1 ${A}home?sid=redacted typed for ${A}in?token=redacted`]);
  assert.ok(!JSON.stringify(b.tracker.state).includes("canary"));
});

test("the state stays small however long the session", () => {
  const b = new Browser();
  for (let i = 0; i < 3000; i++) b.chromium(`d${i}`, `${A}${i}`);
  assert.ok(Object.keys(b.tracker.state.docs).length <= 2000);
  assert.equal(b.tracker.state.tabs[1].histories["0"].entries.length, 100);
  b.commit("d2998", `${A}2998`, "link", ["forward_back"]);
  assert.equal(b.heard().at(-1), "back P2999 from P3000");
});
