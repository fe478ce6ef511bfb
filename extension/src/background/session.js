// The commands of the person in a session: start, pause, submit, discard, marks and names of pages. The recorder turns them
// into events.
import { cleanText, MAX_TOPIC, milestoneName, uuid7 } from "../shared/protocol.js";

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

  /** @param {string} topic @throws with a message for the person */
  async start(topic) {
    if (!this.#store.kept.consent) throw new Error("You have not agreed to recording yet. Read what Nightjar keeps, on the options page, and agree there.");
    if (this.session && this.session.status !== "submitted") throw new Error("A session is already open. Submit or discard it first.");
    const name = cleanText(topic, MAX_TOPIC);
    if (!name) throw new Error("Enter a topic first.");
    this.#recorder.reset();
    this.#store.kept.session = { id: uuid7(), topic: name, status: "recording", pages: 0, marked: [], problem: "", submittedAt: 0 };
    this.#store.kept.settings.barHidden = false;
    await this.#recorder.emit("session.start", { topic: name });
  }

  /** Marks the page in a tab Useful, or removes the mark. @param {number} tab @throws with a message for the person */
  async toggleUseful(tab) {
    const shown = this.#recorder.tracker.pageOf(tab);
    if (!this.session || !this.#recorder.recording || !shown) throw new Error("This page is not recorded, so it cannot be marked.");
    const page = this.#recorder.tracker.markTarget(shown);
    const url = this.#store.tracker.pages[page]?.url ?? "";
    this.#recorder.clearProblem();
    const marked = this.session.marked.includes(url);
    this.session.marked = marked ? this.session.marked.filter((u) => u !== url) : [...this.session.marked, url];
    await this.#recorder.emit(marked ? "not-useful" : "useful", { page }, { tab, frame: 0 });
  }

  /** Whether the page in a tab is marked Useful. @param {number} tab */
  useful(tab) {
    const page = this.#recorder.tracker.pageOf(tab);
    const url = page && this.#store.tracker.pages[this.#recorder.tracker.markTarget(page)]?.url;
    return Boolean(url && this.session?.marked.includes(url));
  }

  /**
   * Gives the page in a tab the name of a milestone; "" takes the name back.
   * @param {number} tab @param {string} text @throws with a message for the person
   */
  async name(tab, text) {
    const { page, url } = this.#named(tab);
    if (!this.session || !this.#recorder.recording || !url) throw new Error("This page is not recorded, so it cannot be a milestone.");
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
    if (!last || last.url !== this.#named(tab).url) throw new Error("There is nothing to undo on this page.");
    await this.name(tab, last.was);
    if (this.session) delete this.session.renamed;
  }

  /** The page that a name given in a tab is for, and its redacted URL; "" for none. @param {number} tab */
  #named(tab) {
    const shown = this.#recorder.tracker.pageOf(tab);
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

  async pause() {
    if (this.session?.status !== "recording") return;
    this.session.status = "paused";
    await this.#recorder.emit("session.pause");
  }

  async resume() {
    if (this.session?.status !== "paused" || !this.#store.kept.consent) return;
    this.session.status = "recording";
    await this.#recorder.emit("session.resume");
  }

  /** @throws with a message for the person */
  async submit() {
    if (!this.session || this.session.status === "submitted") return;
    if (this.session.marked.length === 0) throw new Error("Mark at least one page Useful before you submit.");
    this.#recorder.clearProblem();
    Object.assign(this.session, { status: "submitted", submittedAt: Date.now() }); // stored in one step with the event
    await this.#recorder.emit("submit");
    Object.assign(this.#store.daemon, { training: null, learned: "" }); // of an earlier session
  }

  /** Deletes the session and its queued events. */
  async discard() {
    if (!this.session || this.session.status === "submitted") return;
    await this.#queue.discard(this.session.id);
    await this.#recorder.emit("discard");
    this.#store.kept.session = null;
    this.#recorder.tracker.reset();
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
