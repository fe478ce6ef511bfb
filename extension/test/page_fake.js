// Web pages with the real content scripts, and our own pages with their real HTML and scripts, in jsdom. It adds what jsdom
// lacks: events that count as the person's own, closed shadow roots that tests can read, a clock that tests move.
import { JSDOM } from "jsdom";
import { setImmediate } from "node:timers/promises";
import { FILES } from "../src/background/scripts.js";
import { FakeClient, ORIGIN } from "./browser_fake.js";
import { source } from "./vectors.js";

/** jsdom's object behind a DOM object; only it can send an event that counts as the person's own. @param {any} object */
const inner = (object) => object[Object.getOwnPropertySymbols(object).find((s) => s.description === "impl") ?? ""];

/** Waits until all pending promises and observers have run. */
export async function settled() {
  for (let i = 0; i < 5; i++) await setImmediate();
}

/** What a person does in a page. */
export class Person {
  /** @param {any} window */
  constructor(window) {
    this.window = window;
  }

  /** Sends an event as the browser does. @param {EventTarget} target @param {string} type @param {any} [init] @param {string} [kind] */
  async send(target, type, init = {}, kind = "MouseEvent") {
    const event = new this.window[kind](type, { bubbles: true, composed: true, cancelable: true, ...init });
    inner(event).isTrusted = true;
    inner(target)._dispatch(inner(event));
    await settled();
    return event;
  }

  /** @param {any} element a disabled or hidden one cannot be clicked */
  async click(element) {
    for (let at = element; at; at = at.parentElement) {
      if (at.hidden || at.style?.display === "none" || at.disabled) throw new Error(`cannot click ${element.outerHTML}`);
    }
    await this.send(element, "click");
  }

  /** @param {EventTarget} target @param {string} key */
  press(target, key) {
    return this.send(target, "keydown", { key }, "KeyboardEvent");
  }

  /** @param {any} field @param {string} text */
  async write(field, text) {
    field.value = text;
    await this.send(field, "input", {}, "Event");
  }
}

/** The timers and the time of a page; nothing happens until the test moves the time. */
class Clock {
  now = 1_800_000_000_000;
  /** @type {{at: number, work: () => void, id: number}[]} */
  timers = [];
  #id = 0;

  /** @param {any} window */
  rule(window) {
    window.Date.now = () => this.now;
    window.setTimeout = (/** @type {() => void} */ work, /** @type {number} */ ms) => {
      this.timers.push({ at: this.now + ms, work, id: ++this.#id });
      return this.#id;
    };
    window.clearTimeout = (/** @type {number} */ id) => void (this.timers = this.timers.filter((timer) => timer.id !== id));
  }

  /** @param {number} ms */
  async pass(ms) {
    const end = this.now + ms;
    for (;;) {
      await settled();
      const next = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers.splice(this.timers.indexOf(next), 1);
      this.now = next.at;
      next.work();
    }
    this.now = end;
  }
}

/** The window's navigation API, which jsdom lacks, with a new history entry for each page. @param {any} window @param {any} [activation] */
function navigationAPI(window, activation = null) {
  const api = new window.EventTarget();
  Object.assign(api, { currentEntry: { index: 0 }, activation });
  return api;
}

/**
 * A web page with the content scripts of the manifest, or, with framed, its first frame.
 * @param {{html?: string, url?: string, client?: FakeClient, activation?: any, framed?: boolean, before?: (window: any) => void, scripts?: string[]}} [options]
 */
export async function webPage({ html = "<p>text</p>", url = "http://a.test/page", client = new FakeClient(), activation, framed, before, scripts = FILES } = {}) {
  const { window } = new JSDOM(`<!DOCTYPE html>${html}`, { url, runScripts: "outside-only", pretendToBeVisual: true });
  const w = /** @type {any} */ (framed ? window.frames[0] : window);
  const clock = new Clock();
  /** @type {any} */
  const page = { window: w, document: w.document, client, clock, person: new Person(w), root: null };
  clock.rule(w);
  w.navigation = navigationAPI(w, activation);
  w.matchMedia = () => new w.EventTarget();
  w.performance.getEntriesByType = () => [];
  w.PerformanceNavigationTiming = class {};
  w.Element.prototype.setPointerCapture = () => {};
  // Without a layout, all that is not display: none counts as seen, and nothing of the page is below the bar.
  w.Element.prototype.getClientRects = function () {
    for (let at = this; at; at = at.parentElement) if (at.style?.display === "none") return [];
    return [{}];
  };
  w.Element.prototype.checkVisibility = function () {
    for (let at = this; at; at = at.parentElement ?? at.getRootNode().host) if (w.getComputedStyle(at).display === "none") return false;
    return true;
  };
  w.Document.prototype.elementsFromPoint = () => [];
  const attachShadow = w.Element.prototype.attachShadow;
  w.Element.prototype.attachShadow = function (/** @type {ShadowRootInit} */ init) {
    page.root = attachShadow.call(this, init);
    return page.root;
  };
  before?.(w);
  page.start = async () => {
    w.chrome = client.chrome;
    for (const name of scripts) w.eval(source(`src/${name}`));
    await settled();
  };
  await page.start();
  return page;
}

let opened = 0;

/**
 * Opens one of our own pages.
 * @param {"popup"|"options"|"welcome"|"sent"} name @param {FakeClient} client
 */
export async function ownPage(name, client) {
  const { window } = new JSDOM(source(`src/${name}/${name}.html`), { url: `${ORIGIN}${name}/${name}.html`, pretendToBeVisual: true });
  const w = /** @type {any} */ (window);
  const theme = Object.assign(new EventTarget(), { matches: false });
  const classes = Object.getOwnPropertyNames(w).filter((key) => /^HTML\w*Element$/.test(key));
  Object.assign(globalThis, Object.fromEntries(classes.map((key) => [key, w[key]])), { document: w.document, chrome: client.chrome, matchMedia: () => theme });
  // eslint-disable-next-line no-unsanitized/method -- one of our own modules; the new name makes it run again
  await import(`../src/${name}/${name}.js?opened=${++opened}`);
  await settled();
  const person = new Person(w);
  const element = (/** @type {string} */ id) => {
    const found = w.document.getElementById(id);
    if (!found) throw new Error(`${name}.html has no #${id}`);
    return found;
  };
  /** The text of an element as the person sees it, "" if it is hidden. @param {string} id */
  const text = (id) => (element(id).closest("[hidden]") ? "" : element(id).textContent.replace(/\s+/g, " ").trim());
  return {
    element, text, person,
    /** The browser becomes dark or light. @param {boolean} dark */
    paint: (dark) => void Object.assign(theme, { matches: dark }).dispatchEvent(new Event("change")),
    sees: (/** @type {string} */ id) => !element(id).closest("[hidden]"),
    click: (/** @type {string} */ id) => person.click(element(id)),
    write: (/** @type {string} */ id, /** @type {string} */ words) => person.write(element(id), words),
    /** The background announces a change. */
    changed: () => {
      client.ports.at(-1)?.onMessage.fire("changed");
      return settled();
    },
  };
}
