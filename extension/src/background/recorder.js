// Turns the tracker's facts into events. This is the one place that decides whether something may be recorded. The commands
// of the person are in session.js.
import { mediaOf } from "../shared/documents.js";
import { hostOf, privateNetwork } from "../shared/hosts.js";
import "../shared/secrets.js";
import { cleanText, MAX_TITLE, packHTML, uuid7, VERSION } from "../shared/protocol.js";
import { refusal } from "../shared/rules.js";
import { leaveOut } from "./leftout.js";
import { Tracker } from "./tracker.js";

/** @typedef {import("../../types/state.d.ts").Report} Report */
/** @typedef {import("../../types/state.d.ts").Fact} Fact */
/** @typedef {import("../../types/protocol.d.ts").EventFields} EventFields */
/** @typedef {import("../../types/protocol.d.ts").EventType} EventType */
/** @typedef {import("../../types/tracker.d.ts").Details} Details */

const { redact, removed } = globalThis.nightjarPrivacy;

/** Limits how many reports one tab may send, for its page and for all its frames: BURST at once, then RATE per second. */
const BURST = 40;
const RATE = 5;
/** Longer reports are ignored; characters of HTML. */
const MAX_REPORT = 5 << 20;
/** Most frames that wait for the report of one parent. */
const MAX_WAITING = 50;

export class Recorder {
  #store;
  #queue;
  #onChange;
  tracker;
  /** Reports of frames that came before the report of their parent, by the parent's document. @type {Map<string, Report[]>} */
  #waiting = new Map();
  /** Documents that asked whether to report before the browser told of their load. @type {string[]} */
  #early = [];
  /** @type {Map<string, {tokens: number, at: number}>} */
  #rates = new Map();

  /** @param {import("./store.js").Store} store @param {import("./queue.js").Queue} queue @param {(queued: boolean) => void} onChange queued: there are new events to send */
  constructor(store, queue, onChange) {
    this.#store = store;
    this.#queue = queue;
    this.#onChange = onChange;
    this.tracker = new Tracker(store.tracker, { newPage: () => uuid7(), now: () => Date.now(), redact });
  }

  get session() {
    return this.#store.kept.session;
  }

  /** Whether pages are being recorded. */
  get recording() {
    return this.#store.kept.consent && this.session?.status === "recording";
  }

  /** Why the page at a URL must not be recorded, null if it may be. @param {string|undefined} url */
  refusal(url) {
    const { settings } = this.#store.kept;
    return refusal(url, { ...settings, daemonNever: this.#store.daemon.never, sites: this.session?.sites });
  }

  /** Whether the page at a URL may be recorded. @param {string|undefined} url @returns {boolean} */
  allowed(url) {
    return this.refusal(url) === null;
  }

  /** Why the page in a tab was left out, if that is known. @param {number} tab @param {string} [url] of the tab, if known */
  why(tab, url) {
    return (url === undefined ? undefined : this.refusal(url)?.why) ?? this.#store.leftOut.tabs[tab];
  }

  /**
   * Makes an event.
   * @param {EventType} type @param {EventFields} [fields] @param {{tab: number, frame: number}} [where]
   * @returns {Omit<import("../../types/protocol.d.ts").Event, "seq">}
   */
  #event(type, fields = {}, { tab, frame } = { tab: -1, frame: -1 }) {
    const at = new Date();
    const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "" && value !== false));
    return {
      v: VERSION, id: uuid7(at.getTime()), client: this.#store.kept.client, session: this.session?.id ?? "", tab, frame,
      at: at.toISOString(), type, ...present,
    };
  }

  /**
   * Stores events in one step with the state of the tracker that made them.
   * @param {Omit<import("../../types/protocol.d.ts").Event, "seq">[]} events
   * @param {Record<string, string[]>} [redacted] what was redacted, by the event's id
   */
  async #queueAll(events, redacted) {
    if (events.length === 0 || !this.session) return;
    let queued = false;
    try {
      await this.#store.saveWith((memory) => this.#queue.add(events, memory, redacted));
      queued = true;
    } finally {
      this.#onChange(queued); // that they could not be stored is shown, too
    }
  }

  /** Queues one event of the session. @param {EventType} type @param {EventFields} [fields] @param {{tab: number, frame: number}} [where] */
  emit(type, fields, where) {
    return this.#queueAll([this.#event(type, fields, where)]);
  }

  /**
   * @param {readonly Fact[]} facts @param {{tab: number, frame: number}} where @param {string} [title]
   * @param {import("../../types/protocol.d.ts").Media|""} [media]
   */
  #events(facts, where, title = "", media = "") {
    return facts.map((fact) => {
      const { type, ...fields } = fact;
      if (fact.type !== "visit") return this.#event(type, { ...fields, ...("url" in fact && own(fact.url)) }, where);
      this.#count(fact.url, fact.requested);
      const requested = this.#alias(fact.requested);
      return this.#event(type, { ...fields, requested, title: cleanText(title, MAX_TITLE), ...(media && { media }), ...own(fact.url) }, where);
    });
  }

  /**
   * The address that a visit was requested at, "" when it is of a host that is never recorded: that the person was there is not
   * told. @param {string} requested
   */
  #alias(requested) {
    const why = requested === "" ? undefined : this.refusal(requested)?.why;
    return why === undefined || why === "only-sites" ? requested : "";
  }

  /** @param {string} url @param {string} requested */
  #count(url, requested) {
    if (!this.session || this.#store.seen.includes(url)) return;
    this.#store.seen.push(url);
    this.session.pages++;
    this.arrived(url, requested);
  }

  /** A page was visited, maybe by a redirect. It is marked if a link to it looks useful. @param {string} url @param {string} requested */
  arrived(url, requested) {
    const { session } = this;
    const link = session?.links?.find((one) => one === url || one === requested);
    if (!session || link === undefined || session.marked.includes(url)) return;
    session.marked = [...session.marked, url];
    session.byLink = { ...session.byLink, [url]: link };
  }

  /** onCommitted. @param {Details} d */
  async committed(d) {
    const refused = this.refusal(d.url);
    if (d.frameId === 0) {
      this.clearProblem();
      this.#passed(d.tabId, d.url, this.recording ? refused?.why : "paused");
    }
    const facts = this.tracker.committed(d, !this.recording || refused !== null);
    await this.#queueAll(this.#events(facts, { tab: d.tabId, frame: d.frameId }));
  }

  /** Notes why a page is left out, if it is. @param {number} tab @param {string} url @param {import("../shared/rules.js").Why|undefined} why */
  #passed(tab, url, why) {
    const { leftOut } = this.#store;
    delete leftOut.tabs[tab];
    if (why === "paused") leftOut.tabs[tab] = why; // nothing is recorded, not even this
    else if (why && why !== "not-web") leaveOut(leftOut, tab, why, url);
  }

  /** Clears the problem of the last Submit: the person continues, and so has read it. */
  clearProblem() {
    if (this.session) this.session.problem = "";
  }

  /** @param {{tab: number, frame: number}} report */
  #tooFast(report) {
    const now = Date.now();
    const who = `${report.tab} ${report.frame === 0}`;
    const rate = this.#rates.get(who) ?? { tokens: BURST, at: now };
    rate.tokens = Math.min(BURST, rate.tokens + ((now - rate.at) / 1000) * RATE) - 1;
    rate.at = now;
    this.#rates.set(who, rate);
    return rate.tokens < 0;
  }

  /**
   * Records a page that its content script reported.
   * @param {Report} report @param {string} topURL URL of the tab's page
   * @returns {Promise<boolean>} whether it is recorded, or may be when its parent is: then what it shows later is wanted, too
   */
  async report(report, topURL) {
    if (!this.recording || !this.allowed(report.url) || !this.allowed(topURL)) return false;
    const why = this.#tooFast(report) ? "too-fast" : (report.html?.length ?? 0) > MAX_REPORT ? "too-large" : whyLeftOut(report);
    if (report.frame === 0) this.#passed(report.tab, report.url, why);
    if (why === "too-fast" || why === "too-large") return false;
    const { facts: all, page, wait } = this.tracker.report(report);
    if (wait) return this.#wait(report);
    const facts = all.filter((fact) => fact.type !== "frame" || this.#worthwhile(fact.url, fact));
    const where = { tab: report.tab, frame: report.frame };
    const events = this.#events(facts, where, report.title, mediaOf(report.document));
    /** @type {Record<string, string[]>} */
    const names = {};
    for (const { id, url = "", requested = "" } of events) {
      names[id] = [...new Set([...removed(redact(report.url) === url ? report.url : url), ...removed(requested)])];
    }
    if (facts.length > 0 && report.html) {
      const snapshot = this.#event("snapshot", { page, ...(await packHTML(report.html)) }, where);
      names[snapshot.id] = report.redacted ?? [];
      events.push(snapshot);
    }
    await this.#queueAll(events, names);
    if (report.frame === 0) this.#onChange(true);
    if (page) await this.#release(report.doc, topURL);
    else this.#waiting.delete(report.doc);
    return page !== "" && this.#worthwhile(report.url, this.tracker.within(page));
  }

  /**
   * Records what a page shows by now, which is more than at its report. What is taken of a page is its last snapshot.
   * @param {{url: string, html: string, redacted: string[], tab: number, frame: number, doc: string}} read @param {string} topURL
   */
  async again({ url, html, redacted, tab, frame, doc }, topURL) {
    const page = this.#store.tracker.docs[doc];
    if (!this.recording || !page || !this.allowed(url) || !this.allowed(topURL)) return;
    if (this.#store.tracker.pages[page]?.url !== redact(url) || !this.#worthwhile(url, this.tracker.within(page))) return;
    if (html.length > MAX_REPORT || this.#tooFast({ tab, frame })) return;
    const snapshot = this.#event("snapshot", { page, ...(await packHTML(html)) }, { tab, frame });
    await this.#queueAll([snapshot], { [snapshot.id]: redacted });
  }

  /**
   * False for an iframe of another site: it is mostly an advertisement and never a page of the web graph.
   * @param {string} url @param {{parent: string, kind: "frame"|"iframe"}|null} within the page it is in, null for none
   */
  #worthwhile(url, within) {
    return within?.kind !== "iframe" || nearlySite(url) === nearlySite(this.#store.tracker.pages[within.parent]?.url ?? "");
  }

  /** @param {Report} report @returns {boolean} whether it waits */
  #wait(report) {
    const parent = report.parentDoc || this.#store.tracker.arrivals[report.doc]?.parentDoc;
    if (!parent) return false;
    const waiting = this.#waiting.get(parent) ?? [];
    this.#waiting.set(parent, waiting);
    return waiting.length < MAX_WAITING && waiting.push(report) > 0;
  }

  /** @param {string} doc @param {string} topURL */
  async #release(doc, topURL) {
    const waiting = this.#waiting.get(doc) ?? [];
    this.#waiting.delete(doc);
    for (const report of waiting) await this.report(report, topURL);
  }

  /**
   * Whether a document that was probably open before the session should report itself. One whose tab came to the front while it
   * loaded is not from before; if it asks before the browser tells of it, it will be asked again.
   * @param {string} doc @param {string|undefined} url @param {string|undefined} topURL
   */
  wantsBefore(doc, url, topURL) {
    if (this.tracker.arriving(doc)) return this.wants(doc, url, topURL);
    this.#early = [...this.#early, doc].slice(-MAX_WAITING);
    return false;
  }

  /** Whether a document asked too early, once. @param {string|undefined} doc */
  early(doc) {
    const asked = doc !== undefined && this.#early.includes(doc);
    if (asked) this.#early = this.#early.filter((one) => one !== doc);
    return asked;
  }

  /** Whether a document should report itself. @param {string} doc @param {string|undefined} url @param {string|undefined} topURL */
  wants(doc, url, topURL) {
    return this.recording && this.allowed(url) && this.allowed(topURL) && !this.#store.tracker.docs[doc];
  }

  /** Records that a page came back from the back/forward cache. @param {number} tab @param {string} doc */
  async restored(tab, doc) {
    if (this.recording) await this.#queueAll(this.#events(this.tracker.restored(tab, doc), { tab, frame: 0 }));
  }

  /** Forgets the pages of the session before. */
  reset() {
    this.tracker.reset();
    this.#waiting.clear();
    this.#store.seen = [];
  }
}

/** Tells the daemon that the person lets pages of their own network be recorded. @param {string} url of such a page, or of another */
export const own = (url) => (privateNetwork(url) ? { own: true } : {});

/** Why the content script left its page out. @param {Report} report @returns {import("../shared/rules.js").Why|undefined} */
function whyLeftOut({ leftOut, document, field }) {
  if (!leftOut) return undefined;
  return document && document !== "pdf" && document !== "text" ? document : field || "password";
}

/** The last two labels of the host. They are equal for URLs of one site, and for a few others. @param {string} url */
function nearlySite(url) {
  const host = hostOf(url);
  return /^[\d.]+$|^\[/.test(host) ? host : host.split(".").slice(-2).join(".");
}
