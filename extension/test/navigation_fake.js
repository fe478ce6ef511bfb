// A fake browser for the tests of the tracker: it sends the navigation events of Chromium or of Firefox. Documents are d1,
// d2, …; pages are P1, P2, … in the order in which they are recorded.
import test from "node:test";
import "../src/shared/secrets.js";
import { emptyState, Tracker } from "../src/background/tracker.js";

export const A = "http://a.test/";
export const B = "http://b.test/";
export const FIREFOX_ABORT = "Error code 2152398850";

export class Browser {
  time = 1_000_000;
  pages = 0;
  /** @type {string[]} */ said = [];
  tracker = this.load(emptyState());

  /** @param {any} state */
  load(state) {
    return new Tracker(state, { newPage: () => `P${++this.pages}`, now: () => this.time, redact: globalThis.nightjarPrivacy.redact });
  }

  /** The background ends and starts again with its stored state. */
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

  /** The same in Firefox, where the page before enters the cache. @param {string} doc @param {string} url @param {string} [type] @param {any} [o] */
  firefox(doc, url, type = "link", o = {}) {
    this.before(url);
    this.before(url);
    this.tracker.failed({ tabId: 1, frameId: 0, url, error: FIREFOX_ABORT });
    this.commit(doc, url, type, o.qualifiers);
    this.report(doc, url, { move: { referrer: type === "link" ? A : "", ...o.move } });
  }

  /** The facts since the last call. */
  heard() {
    return this.said.splice(0);
  }
}

/** @param {string} name @param {(b: Browser, load: "chromium"|"firefox") => void} body */
export function both(name, body) {
  for (const load of /** @type {const} */ (["chromium", "firefox"])) test(`${name} (${load})`, () => body(new Browser(), load));
}
