// The commands of the person in a session: start, pause, submit, discard, marks and names of pages. The recorder turns them
// into events.
import { cleanText, MAX_TOPIC, milestoneName, uuid7 } from "../shared/protocol.js";
import "../shared/secrets.js";
import { t } from "../shared/text.js";
import { parseHosts } from "../shared/settings.js";
import { own } from "./recorder.js";

/** @typedef {import("../../types/state.d.ts").Sites} Sites */

/** How long Discard can be undone; ms. */
const UNDO_TIME = 10 * 60_000;
/** Longest pause that ends by itself; minutes. */
const MAX_PAUSE = 24 * 60;
/** Most links of which the extension remembers that they look useful. */
const MAX_LINKS = 500;
/** Most sites in each list of a session. */
const MAX_SITES = 200;

const { redact } = globalThis.nightjarPrivacy;

export class SessionCommands {
  #store;
  #queue;
  #recorder;

  /** @param {import("./store.js").Store} store @param {import("./queue.js").Queue} queue @param {import("./recorder.js").Recorder} recorder */
  constructor(store, queue, recorder) {
    this.#store = store;
    this.#queue = queue;
    this.#recorder = recorder;
  }

  get session() {
    return this.#store.kept.session;
  }

  /**
   * Starts a session. One that was discarded is deleted first.
   * @param {string} topic @param {{joins?: string, sites?: Sites}} [options] joins: the id of an open session of other
   * browsers, which gives the topic @throws with a message for the person
   */
  async start(topic, { joins = "", sites } = {}) {
    if (!this.#store.kept.consent) throw new Error(t("back_no_consent"));
    if (this.session && this.session.status !== "submitted" && !this.session.discarded) throw new Error(t("back_open"));
    const other = joins ? this.#store.daemon.open.find((one) => one.id === joins) : undefined;
    if (joins && !other) throw new Error(t("back_join_gone"));
    const name = other?.topic ?? cleanText(topic, MAX_TOPIC);
    if (!name) throw new Error(t("back_no_topic"));
    await this.#delete();
    this.#recorder.reset();
    this.#store.kept.session = { id: uuid7(), topic: name, status: "recording", pages: 0, marked: [], problem: "", submittedAt: 0, run: this.#store.run };
    if (sites) this.setSites(sites);
    await this.#recorder.emit("session.start", { topic: name, joins });
  }

  /** Chooses which sites the session records. @param {Sites} sites */
  setSites({ only, not }) {
    if (!this.session || this.session.status === "submitted") return;
    const clean = (/** @type {unknown} */ hosts) => (Array.isArray(hosts) ? parseHosts(hosts.join(" ")).hosts.slice(0, MAX_SITES) : []);
    const sites = { only: clean(only), not: clean(not) };
    if (sites.only.length + sites.not.length > 0) this.session.sites = sites;
    else delete this.session.sites;
  }

  /** The page in a tab, "" for none: its site may be on the never-record list since it was recorded. @param {number} tab */
  pageIn(tab) {
    const page = this.#recorder.tracker.pageOf(tab);
    return page && this.#recorder.allowed(this.#store.tracker.pages[page]?.url) ? page : "";
  }

  /** Marks the page in a tab Useful, or removes the mark. @param {number} tab @throws with a message for the person */
  async toggleUseful(tab) {
    const shown = this.pageIn(tab);
    if (!this.session || !this.#recorder.recording || !shown) throw new Error(t("back_no_mark"));
    const page = this.#recorder.tracker.markTarget(shown);
    const url = this.#store.tracker.pages[page]?.url ?? "";
    this.#recorder.clearProblem();
    const marked = this.session.marked.includes(url);
    this.session.marked = marked ? this.session.marked.filter((u) => u !== url) : [...this.session.marked, url];
    delete this.session.byLink?.[url];
    await this.#recorder.emit(marked ? "not-useful" : "useful", { page }, { tab, frame: 0 });
  }

  /** Whether the person said of a link that it looks useful. @param {string} address */
  linked(address) {
    return this.session?.links?.includes(redact(address)) ?? false;
  }

  /**
   * Says of a link on the page in a tab that it looks useful, or takes that back. It counts as a mark of the page it leads to
   * once that is visited. @param {number} tab @param {string} address @throws with a message for the person
   */
  async toggleLink(tab, address) {
    const { session } = this;
    const page = this.pageIn(tab);
    if (!session || !this.#recorder.recording || !page) throw new Error(t("link_page"));
    if (!this.#recorder.allowed(address)) throw new Error(t("link_target"));
    const url = redact(address);
    this.#recorder.clearProblem();
    const marked = this.linked(address);
    if (marked) this.#unlink(session, url);
    else session.links = [...(session.links ?? []), url].slice(-MAX_LINKS);
    if (!marked && this.#store.seen.includes(url)) this.#recorder.arrived(url, "");
    await this.#recorder.emit(marked ? "link-not-useful" : "link-useful", { page, url, ...own(url) }, { tab, frame: 0 });
  }

  /** @param {import("../../types/state.d.ts").Session} session @param {string} url */
  #unlink(session, url) {
    session.links = (session.links ?? []).filter((link) => link !== url);
    for (const [page, link] of Object.entries(session.byLink ?? {})) {
      if (link !== url) continue;
      delete session.byLink?.[page];
      session.marked = session.marked.filter((one) => one !== page);
    }
  }

  /** Whether the page in a tab is marked Useful. @param {number} tab */
  useful(tab) {
    const page = this.pageIn(tab);
    const url = page && this.#store.tracker.pages[this.#recorder.tracker.markTarget(page)]?.url;
    return Boolean(url && this.session?.marked.includes(url));
  }

  /**
   * Gives the page in a tab the name of a milestone; "" takes the name back.
   * @param {number} tab @param {string} text @throws with a message for the person
   */
  async name(tab, text) {
    const { page, url } = this.#named(tab);
    if (!this.session || !this.#recorder.recording || !url) throw new Error(t("back_no_label"));
    const name = text === "" ? "" : milestoneName(text);
    this.#recorder.clearProblem();
    const { [url]: was = "", ...names } = this.session.names ?? {};
    if (name === was) return;
    this.session.names = name ? { ...names, [url]: name } : names;
    this.session.renamed = { url, was };
    await this.#recorder.emit("label", { page, name }, { tab, frame: 0 });
  }

  /** Gives the page in a tab the name back that it had before the last change. @param {number} tab @throws with a message for the person */
  async unname(tab) {
    const last = this.session?.renamed;
    if (!last || last.url !== this.#named(tab).url) throw new Error(t("back_no_undo"));
    await this.name(tab, last.was);
    if (this.session) delete this.session.renamed;
  }

  /** The page that a name given in a tab is for, and its redacted URL; "" for none. @param {number} tab */
  #named(tab) {
    const shown = this.pageIn(tab);
    const page = shown && this.#recorder.tracker.markTarget(shown);
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

  /** Pauses recording. @param {number} [minutes] after which it goes on by itself; without, when the person resumes */
  async pause(minutes) {
    const { session } = this;
    if (!session || session.status === "submitted" || session.discarded) return;
    delete session.until;
    if (minutes && minutes > 0) session.until = Date.now() + Math.min(minutes, MAX_PAUSE) * 60_000;
    if (session.status !== "recording") return;
    session.status = "paused";
    await this.#recorder.emit("session.pause");
  }

  async resume() {
    const { session } = this;
    if (session?.status !== "paused" || session.discarded || !this.#store.kept.consent) return;
    delete session.until;
    session.status = "recording";
    await this.#recorder.emit("session.resume");
  }

  /**
   * Submits the session, and with it what other browsers recorded of it.
   * @param {number} useful pages marked Useful, in all browsers @throws with a message for the person
   */
  async submit(useful) {
    if (!this.session || this.session.status === "submitted" || this.session.discarded) return;
    if (useful === 0) throw new Error(t("back_none_useful"));
    await this.#submit();
  }

  async #submit() {
    if (!this.session) return;
    this.#recorder.clearProblem();
    delete this.session.until;
    Object.assign(this.session, { status: "submitted", submittedAt: Date.now() }); // stored in one step with the event
    await this.#recorder.emit("submit");
    Object.assign(this.#store.daemon, { training: null, learned: "" }); // of an earlier session
  }

  /** Stops the session; it is deleted after UNDO_TIME, or when the next one starts. @param {boolean} whole also what other browsers recorded of it */
  async discard(whole) {
    const { session } = this;
    if (!session || session.status === "submitted" || session.discarded) return;
    const was = session.status;
    delete session.until;
    Object.assign(session, { status: "paused", discarded: { at: Date.now() + UNDO_TIME, whole, was } });
    if (was === "recording") await this.#recorder.emit("session.pause");
  }

  /** Takes Discard back. @throws with a message for the person */
  async undiscard() {
    const { session } = this;
    if (!session?.discarded) throw new Error(t("back_deleted"));
    const { was } = session.discarded;
    delete session.discarded;
    if (was === "recording") await this.resume(); // stored in one step with the event
  }

  /** Deletes a discarded session and its queued events. */
  async #delete() {
    const { session } = this;
    if (!session?.discarded) return;
    await this.#queue.discard(session.id);
    await this.#recorder.emit("discard", { whole: session.discarded.whole });
    this.#store.kept.session = null;
    this.#recorder.reset();
  }

  /** When something is to happen by itself, in ms since 1970; 0 for never. */
  next() {
    return this.session?.discarded?.at ?? this.session?.until ?? 0;
  }

  /** Does what was to happen by itself by now. @returns whether recording goes on */
  async due() {
    const at = this.next();
    if (at === 0 || at > Date.now()) return false;
    if (this.session?.discarded) await this.#delete();
    else await this.resume();
    return this.#recorder.recording;
  }

  /**
   * Takes over the state of the session from the daemon, once the daemon has all events. The daemon reopens a session from
   * which it cannot learn; a session that was deleted in the dashboard ends here, too.
   * @param {import("../../types/protocol.d.ts").SessionState|null} theirs @param {string} problem why it was reopened
   * @param {number} queued events that the daemon does not have yet
   */
  async reconcile(theirs, problem, queued) {
    const ours = this.session;
    if (!ours || !theirs || theirs.id !== ours.id || queued > 0) return;
    if (theirs.status === "none") {
      this.#store.kept.session = null;
      await this.#queue.clearHistory(ours.id); // it was deleted, so it is not shown as sent either
    } else if (theirs.close && ours.status !== "submitted") return this.#close();
    else if (ours.status === "submitted" && theirs.status !== "submitted") Object.assign(ours, { status: theirs.status, problem, submittedAt: 0 });
    else if (theirs.status === "submitted") ours.status = theirs.status;
  }
  /** Ends what this browser recorded of a session that another browser submitted. */
  #close() {
    return this.session?.discarded ? this.#delete() : this.#submit();
  }
}
