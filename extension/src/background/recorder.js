// Turns the tracker's facts and the person's commands into events. This is the one place that decides whether something
// may be recorded.
import "../shared/privacy.js";
import { cleanText, MAX_TITLE, MAX_TOPIC, MAX_URL, milestoneName, packHTML, uuid7, VERSION } from "../shared/protocol.js";
import { Tracker } from "./tracker.js";

/** @typedef {import("../../types/state.d.ts").Report} Report */
/** @typedef {import("../../types/state.d.ts").Fact} Fact */
/** @typedef {import("../../types/protocol.d.ts").EventFields} EventFields */
/** @typedef {import("../../types/protocol.d.ts").EventType} EventType */
/** @typedef {import("./tracker.js").Details} Details */

const { redact, never, privateNetwork, hostOf } = globalThis.nightjarPrivacy;

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
  /** @type {Map<string, {tokens: number, at: number}>} */
  #rates = new Map();

  /** @param {import("./store.js").Store} store @param {import("./queue.js").Queue} queue @param {() => void} onChange */
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

  /**
   * Whether the page at a URL may be recorded: it must be http or https, on no never-record list, not a page of the daemon,
   * and not on the person's own network unless the person allows that.
   * @param {string|undefined} url @returns {boolean}
   */
  allowed(url) {
    if (!url || !/^https?:\/\//i.test(url) || url.length > MAX_URL) return false;
    const { settings } = this.#store.kept;
    const host = hostOf(url);
    if (/(^|\.)nightjar-[0-9a-f]{32}\.localhost$/.test(host)) return false;
    if (["127.0.0.1", "localhost"].includes(host) && new URL(url).port === new URL(settings.address).port) return false;
    if (!settings.privateNetwork && privateNetwork(url)) return false;
    return !never([...settings.never, ...this.#store.daemon.never], url);
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

  /** Stores events in one step with the state of the tracker that made them. @param {Omit<import("../../types/protocol.d.ts").Event, "seq">[]} events */
  async #queueAll(events) {
    if (events.length === 0 || !this.session) return;
    await this.#queue.add(events, this.#store.memory());
    this.#onChange();
  }

  /** @param {EventType} type @param {EventFields} [fields] @param {{tab: number, frame: number}} [where] */
  #emit(type, fields, where) {
    return this.#queueAll([this.#event(type, fields, where)]);
  }

  /** @param {readonly Fact[]} facts @param {{tab: number, frame: number}} where @param {string} [title] */
  #events(facts, where, title = "") {
    return facts.map((fact) => {
      const { type, ...fields } = fact;
      if (fact.type !== "visit") return this.#event(type, fields, where);
      this.#count(fact.url);
      return this.#event(type, { ...fields, title: cleanText(title, MAX_TITLE) }, where);
    });
  }

  /** @param {string} url */
  #count(url) {
    if (!this.session || this.#store.seen.includes(url)) return;
    this.#store.seen.push(url);
    this.session.pages++;
  }

  /** onCommitted. @param {Details} d */
  async committed(d) {
    if (d.frameId === 0) this.#clearProblem();
    const facts = this.tracker.committed(d, !this.recording || !this.allowed(d.url));
    await this.#queueAll(this.#events(facts, { tab: d.tabId, frame: d.frameId }));
  }

  /** Clears the problem of the last Submit: the person continues, and so has read it. */
  #clearProblem() {
    if (this.session) this.session.problem = "";
  }

  /** @param {Report} report */
  #tooFast(report) {
    const now = Date.now();
    const who = `${report.tab} ${report.frame === 0}`;
    const rate = this.#rates.get(who) ?? { tokens: BURST, at: now };
    rate.tokens = Math.min(BURST, rate.tokens + ((now - rate.at) / 1000) * RATE) - 1;
    rate.at = now;
    this.#rates.set(who, rate);
    return rate.tokens < 0;
  }

  /** Records a page that its content script reported. @param {Report} report @param {string} topURL URL of the tab's page */
  async report(report, topURL) {
    if (!this.recording || !this.allowed(report.url) || !this.allowed(topURL)) return;
    if (this.#tooFast(report) || (report.html?.length ?? 0) > MAX_REPORT) return;
    const { facts: all, page, wait } = this.tracker.report(report);
    if (wait) return this.#wait(report);
    const facts = all.filter((fact) => this.#worthwhile(fact));
    const where = { tab: report.tab, frame: report.frame };
    const events = this.#events(facts, where, report.title);
    if (facts.length > 0 && report.html) {
      events.push(this.#event("snapshot", { page, ...(await packHTML(report.html)) }, where));
    }
    await this.#queueAll(events);
    if (report.frame === 0) this.#onChange();
    if (page) await this.#release(report.doc, topURL);
    else this.#waiting.delete(report.doc);
  }

  /** False for an iframe of another site: it is mostly an advertisement and never a page of the web graph. @param {Fact} fact */
  #worthwhile(fact) {
    if (fact.type !== "frame" || fact.kind === "frame") return true;
    return nearlySite(fact.url) === nearlySite(this.#store.tracker.pages[fact.parent]?.url ?? "");
  }

  /** @param {Report} report */
  #wait(report) {
    const parent = report.parentDoc || this.#store.tracker.arrivals[report.doc]?.parentDoc;
    if (!parent) return;
    const waiting = this.#waiting.get(parent) ?? [];
    if (waiting.length < MAX_WAITING) waiting.push(report);
    this.#waiting.set(parent, waiting);
  }

  /** @param {string} doc @param {string} topURL */
  async #release(doc, topURL) {
    const waiting = this.#waiting.get(doc) ?? [];
    this.#waiting.delete(doc);
    for (const report of waiting) await this.report(report, topURL);
  }

  /** Whether a document should report itself. @param {string} doc @param {string|undefined} url @param {string|undefined} topURL */
  wants(doc, url, topURL) {
    return this.recording && this.allowed(url) && this.allowed(topURL) && !this.#store.tracker.docs[doc];
  }

  /** Records that a page came back from the back/forward cache. @param {number} tab @param {string} doc */
  async restored(tab, doc) {
    if (this.recording) await this.#queueAll(this.#events(this.tracker.restored(tab, doc), { tab, frame: 0 }));
  }

  /** @param {string} topic @throws with a message for the person */
  async start(topic) {
    if (!this.#store.kept.consent) throw new Error("You have not agreed to recording yet. Read what Nightjar keeps, on the options page, and agree there.");
    if (this.session && this.session.status !== "submitted") throw new Error("A session is already open. Submit or discard it first.");
    const name = cleanText(topic, MAX_TOPIC);
    if (!name) throw new Error("Enter a topic first.");
    this.tracker.reset();
    this.#waiting.clear();
    this.#store.seen = [];
    this.#store.kept.session = { id: uuid7(), topic: name, status: "recording", pages: 0, marked: [], problem: "", submittedAt: 0 };
    this.#store.kept.settings.barHidden = false;
    await this.#emit("session.start", { topic: name });
  }

  /** Marks the page in a tab Useful, or removes the mark. @param {number} tab @throws with a message for the person */
  async toggleUseful(tab) {
    const shown = this.tracker.pageOf(tab);
    if (!this.session || !this.recording || !shown) throw new Error("This page is not recorded, so it cannot be marked.");
    const page = this.tracker.markTarget(shown);
    const url = this.#store.tracker.pages[page]?.url ?? "";
    this.#clearProblem();
    const marked = this.session.marked.includes(url);
    this.session.marked = marked ? this.session.marked.filter((u) => u !== url) : [...this.session.marked, url];
    await this.#emit(marked ? "not-useful" : "useful", { page }, { tab, frame: 0 });
  }

  /** Whether the page in a tab is marked Useful. @param {number} tab */
  useful(tab) {
    const page = this.tracker.pageOf(tab);
    const url = page && this.#store.tracker.pages[this.tracker.markTarget(page)]?.url;
    return Boolean(url && this.session?.marked.includes(url));
  }

  /**
   * Gives the page in a tab the name of a milestone; "" takes the name back.
   * @param {number} tab @param {string} text @throws with a message for the person
   */
  async name(tab, text) {
    const { page, url } = this.#named(tab);
    if (!this.session || !this.recording || !url) throw new Error("This page is not recorded, so it cannot be a milestone.");
    const name = text === "" ? "" : milestoneName(text);
    this.#clearProblem();
    const { [url]: was = "", ...names } = this.session.names ?? {};
    if (name === was) return;
    this.session.names = name ? { ...names, [url]: name } : names;
    this.session.renamed = { url, was };
    await this.#emit("label", { page, name }, { tab, frame: 0 });
  }

  /** Gives the page in a tab the name back that it had before the last change. @param {number} tab @throws with a message for the person */
  async unname(tab) {
    const last = this.session?.renamed;
    if (!last || last.url !== this.#named(tab).url) throw new Error("There is nothing to undo on this page.");
    await this.name(tab, last.was);
    if (this.session) delete this.session.renamed;
  }

  /** The page that a name given in a tab is for, and its redacted URL; "" for none. @param {number} tab */
  #named(tab) {
    const shown = this.tracker.pageOf(tab);
    const page = shown && this.tracker.markTarget(shown);
    return { page: page || "", url: (page && this.#store.tracker.pages[page]?.url) || "" };
  }

  /** What the page in a tab is called. @param {number} tab @returns {{milestone?: string, undo?: boolean}} */
  milestone(tab) {
    const { url } = this.#named(tab);
    const name = this.session?.names?.[url];
    return { ...(name && { milestone: name }), ...(url && this.session?.renamed?.url === url && { undo: true }) };
  }

  /** Names to offer: those of this session, the one given last first, and then the daemon's for the topic. @returns {string[]} */
  names() {
    /** @type {Map<string, string>} */
    const all = new Map();
    for (const name of [...Object.values(this.session?.names ?? {}).reverse(), ...this.#store.daemon.names]) {
      if (!all.has(name.toLowerCase())) all.set(name.toLowerCase(), name);
    }
    return [...all.values()];
  }

  async pause() {
    if (this.session?.status !== "recording") return;
    this.session.status = "paused";
    await this.#emit("session.pause");
  }

  async resume() {
    if (this.session?.status !== "paused" || !this.#store.kept.consent) return;
    this.session.status = "recording";
    await this.#emit("session.resume");
  }

  /** @throws with a message for the person */
  async submit() {
    if (!this.session || this.session.status === "submitted") return;
    if (this.session.marked.length === 0) throw new Error("Mark at least one page Useful before you submit.");
    this.#clearProblem();
    await this.#emit("submit");
    this.session.status = "submitted";
    this.session.submittedAt = Date.now();
    this.#store.daemon.training = null; // it was about an earlier session
  }

  /** Deletes the session and its queued events. */
  async discard() {
    if (!this.session || this.session.status === "submitted") return;
    await this.#queue.discard(this.session.id);
    await this.#emit("discard");
    this.#store.kept.session = null;
    this.tracker.reset();
  }

  /**
   * Takes over the state of the session from the daemon, once the daemon has all events. The daemon reopens a session from
   * which it cannot learn; a session that was deleted in the dashboard ends here, too.
   * @param {import("../../types/protocol.d.ts").SessionState|null} theirs @param {string} problem why it was reopened
   * @param {number} queued events that the daemon does not have yet
   */
  reconcile(theirs, problem, queued) {
    const ours = this.session;
    if (!ours || !theirs || theirs.id !== ours.id || queued > 0) return;
    if (theirs.status === "none") this.#store.kept.session = null;
    else if (ours.status === "submitted" && theirs.status !== "submitted") Object.assign(ours, { status: theirs.status, problem, submittedAt: 0 });
    else if (theirs.status === "submitted") ours.status = theirs.status;
  }
}

/** The last two labels of the host. They are equal for URLs of one site, and for a few others. @param {string} url */
function nearlySite(url) {
  const host = hostOf(url);
  return /^[\d.]+$|^\[/.test(host) ? host : host.split(".").slice(-2).join(".");
}
