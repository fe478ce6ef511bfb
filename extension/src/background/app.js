// Connects the parts of the background. One queue of tasks makes all changes of state, in the order in which the browser
// reported their causes. The first task starts after the stored state is loaded.
import { granted } from "../shared/access.js";
import { documentText, isPage } from "../shared/documents.js";
import { boundKeys } from "../shared/keys.js";
import { whyText } from "../shared/why.js";
import { badge, showBadge, showTabBadge, tabBadge } from "./badge.js";
import { cleanPlace, shapeAt, shapes } from "./bar.js";
import { Connection } from "./connection.js";
import { Documents } from "./documents.js";
import { Menus } from "./menus.js";
import { Never } from "./never.js";
import { Queue } from "./queue.js";
import { Recorder } from "./recorder.js";
import { Scripts, SETS } from "./scripts.js";
import { SessionCommands } from "./session.js";
import { Store } from "./store.js";
import { hostIn, lookedAt, urlOf } from "./tabs.js";

const ALARM = "nightjar-reconnect";
/** For the end of a pause, and for the deletion of a discarded session. */
const DUE = "nightjar-due";

/** Our pages that show how pairing goes. */
const ASKING = /\/(welcome|options)\/[a-z]+\.html$/;

/** How long the bar stays visible after Submit and after the training, to show the result; ms. */
const RESULT_SHOWN = 60_000;

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class App {
  queue = new Queue();
  store = new Store(this.queue);
  recorder = new Recorder(this.store, this.queue, (queued) => this.changed(queued));
  commands = new SessionCommands(this.store, this.queue, this.recorder);
  connection = new Connection({
    queue: this.queue,
    identity: async () => {
      await this.#loaded;
      return { address: this.store.kept.settings.address, client: this.store.kept.client, name: browserName() };
    },
    needed: () => this.needed(),
    asks: () => this.store.kept.consent && [...this.ports].some((port) => ASKING.test(port.sender?.url ?? "")),
    knows: () => this.store.daemon.knows,
    onState: (state) => this.#onState(state),
    onChange: () => this.changed(false),
    keepAlive: () => void chrome.runtime.getPlatformInfo(), // a call of any API keeps Firefox's event page alive
  });
  /** The keys that the browser has bound, by command; "" for none. @type {Record<string, string>} */
  keys = {};
  documents = new Documents(this);
  menus = new Menus(this);
  never = new Never(this);
  scripts = new Scripts();
  /** Open popups and pages. @type {Set<chrome.runtime.Port>} */
  ports = new Set();
  /** @type {import("../../types/state.d.ts").QueueStatus} */
  queueStatus = { queued: 0, refused: 0, lastRefusal: "", dropped: 0 };
  #loaded = this.store.load(() => showBadge(badge(null, this.connection.status, 0, true, this.queue.unkept.state)));
  /** @type {Promise<unknown>} */
  #tasks = this.#loaded;
  #refreshing = false;
  #stale = false;

  /**
   * Runs work after all earlier tasks, then stores the changes.
   * @template T @param {() => T|Promise<T>} work @returns {Promise<T>}
   */
  task(work) {
    const run = this.#tasks.then(async () => {
      const value = await work();
      if (!(await this.store.save())) this.changed(false);
      return value;
    });
    this.#tasks = run.catch((error) => console.error("nightjar:", error));
    return run;
  }

  /** Whether a session is open. */
  open() {
    const { session } = this.store.kept;
    return session !== null && !session.discarded && session.status !== "submitted";
  }

  needed() {
    const { session } = this.store.kept;
    const open = session !== null && session.status !== "submitted";
    return open || this.queueStatus.queued > 0 || this.store.kept.tell.length > 0 || this.store.daemon.training?.running === true || this.ports.size > 0;
  }

  /** @param {import("../../types/protocol.d.ts").State} state */
  async #onState({ session, topics, open = [], names = [], training, problem, never, pdfs = false, learned = "", knows = false }) {
    await this.#loaded;
    const done = this.store.daemon.training?.running && training && !training.running;
    this.store.daemon = { session, topics, open, names, training, problem, never, pdfs, learned, knows };
    const { queued } = await this.queue.status();
    const mine = this.store.kept.session;
    if (session && session.id === mine?.id && queued === 0) {
      this.offset = { id: session.id, pages: session.pages - mine.pages, useful: session.useful - mine.marked.length };
    }
    await this.task(() => {
      this.never.heard(never, !this.connection.connected);
      return this.commands.reconcile(session, problem, queued);
    });
    await this.store.saveDaemon();
    if (done) this.trainedAt = Date.now();
    this.changed(false);
  }

  /** How many more pages and marks the daemon counted when it had all events: it knows which pages are variants of one. */
  offset = { id: "", pages: 0, useful: 0 };

  /** The pages of the session and those marked Useful, as the dashboard shows them. @returns {{pages: number, useful: number}} */
  counts() {
    const { session } = this.store.kept;
    if (!session) return { pages: 0, useful: 0 };
    const more = this.offset.id === session.id ? this.offset : { pages: 0, useful: 0 };
    return { pages: Math.max(0, session.pages + more.pages), useful: Math.max(0, session.marked.length + more.useful) };
  }

  /** When the last training ended, in ms since 1970; 0 when this background saw none end. */
  trainedAt = 0;

  /** Shows a change soon. @param {boolean} queued whether there are new events to send */
  changed(queued) {
    if (queued) this.connection.poke();
    this.#stale = true;
    if (!this.#refreshing) void this.#refresh();
  }

  async #refresh() {
    this.#refreshing = true;
    await this.#loaded;
    while (this.#stale) {
      this.#stale = false;
      try {
        await this.#show();
      } catch (error) {
        console.error("nightjar:", error);
      }
      await sleep(100); // show a burst of changes once
    }
    this.#refreshing = false;
  }

  async #show() {
    this.queueStatus = await this.queue.status();
    this.keys = await boundKeys(); // the person may have changed them
    const { queued, unkept } = this.queueStatus;
    if (this.store.daemon.session?.close && this.store.kept.session?.status !== "submitted" && queued === 0 && !unkept?.failing) await this.#closed();
    this.#access = await granted();
    await showBadge(this.#badge());
    this.connection.ensure();
    await this.#setAlarm();
    await this.#setDue();
    void this.menus.update();
    for (const port of this.ports) port.postMessage("changed");
    const { onPages } = this;
    await this.scripts.adjust(onPages);
    await this.scripts.adjust(this.store.kept.settings.marks && this.store.kept.consent, SETS.marks);
    const begins = onPages && !this.#reached;
    this.#reached = onPages;
    for (const tab of await chrome.tabs.query({ active: true })) await (begins ? this.lookAt(tab.id, tab.url) : this.showBar(tab.id, tab.url));
    this.#endResult();
  }

  /** Whether the pages in front got content scripts when the session began, or when this background started. */
  #reached = false;

  /** Gives the pages in front content scripts, and records the one that the person looks at. */
  async reachAll() {
    this.#reached = false;
    this.changed(false);
    await this.captureLookedAt();
  }

  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #ending;

  /** Hides the bar and removes the content scripts when the result was shown long enough. */
  #endResult() {
    clearTimeout(this.#ending);
    const left = this.#resultUntil() - Date.now();
    if (left > 0) this.#ending = setTimeout(() => this.changed(false), left + 1);
  }

  /** Until when the result of the last session is shown, in ms since 1970; 0 for none. */
  #resultUntil() {
    const { session } = this.store.kept;
    return session?.status === "submitted" ? Math.max(this.trainedAt, session.submittedAt) + RESULT_SHOWN : 0;
  }

  /** Whether the extension works on pages: during a session, and until its result was shown. */
  get onPages() {
    const { session } = this.store.kept;
    if (session === null || session.discarded) return false;
    const learning = this.store.daemon.training?.running === true || Date.now() < this.#resultUntil();
    return session.status !== "submitted" || learning || this.queueStatus.queued > 0;
  }

  /** Whether the person lets the extension read pages. */
  #access = true;

  #badge() {
    const { session } = this.store.kept;
    return badge(session?.discarded ? null : session, this.connection.status, this.queueStatus.queued, this.#access, this.queueStatus.unkept);
  }

  /** The session was submitted in another browser, and the daemon has all events of this one now. */
  async #closed() {
    const { session, problem } = this.store.daemon;
    const { queued } = await this.queue.status();
    await this.task(() => this.commands.reconcile(session, problem, queued));
    this.connection.poke();
  }

  /** An alarm also rings when the browser has ended the background. */
  async #setDue() {
    const when = Math.min(...[this.commands.next(), this.never.next()].filter((at) => at > 0), Infinity);
    const set = await chrome.alarms.get(DUE);
    if (when < Infinity && set?.scheduledTime !== when) await chrome.alarms.create(DUE, { when });
    if (when === Infinity && set) await chrome.alarms.clear(DUE);
  }

  async #setAlarm() {
    const state = this.connection.status.state;
    const wanted = this.needed() && state !== "unpaired" && state !== "revoked";
    const set = await chrome.alarms.get(ALARM);
    // Timers stop when the browser ends the background. The alarm starts it again.
    if (wanted && !set) await chrome.alarms.create(ALARM, { periodInMinutes: 0.5 });
    if (!wanted && set) await chrome.alarms.clear(ALARM);
  }

  /** Updates the bar of a tab. @param {number|undefined} tab @param {string} [url] of its page, if known */
  async showBar(tab, url) {
    if (tab === undefined) return;
    await showTabBadge(tab, tabBadge(this.#badge(), this.pageState(tab), this.recorder.recording)).catch(() => {}); // it is closed
    try {
      await this.tell(tab, "bar.state", this.barState(tab, await urlOf(tab, url)));
    } catch {
      // the page has no content script of ours
    }
  }

  /** The person looks at a tab. Its page has no content script if it was open before the session. @param {number|undefined} tab @param {string} [url] of its page, if known */
  async lookAt(tab, url) {
    await this.#loaded;
    if (tab !== undefined && this.onPages) await this.#reach(tab, "bar.state", this.barState(tab, await urlOf(tab, url)), !this.#restarted());
  }

  /** Whether the browser was started anew in the session. Pages that it opened again are not from before the session. */
  #restarted() {
    const run = this.store.kept.session?.run;
    return run !== undefined && run !== this.store.run;
  }

  /** @type {Promise<unknown>} */
  #reaching = Promise.resolve();

  /**
   * Sends a message to the content script of a tab's page, or starts that script. One at a time, so that no script is started twice.
   * @template {keyof import("../../types/messages.d.ts").TabMessages} N
   * @param {number} tab @param {N} name @param {import("../../types/messages.d.ts").TabMessages[N]["params"]} params
   * @param {boolean} before whether a script that starts must not record the page, since it was open before the session
   * @returns {Promise<boolean>} whether the page has the script
   */
  #reach(tab, name, params, before) {
    const run = this.#reaching.then(() => this.tell(tab, name, params).then(() => true, () => this.scripts.inject(tab, before)));
    this.#reaching = run;
    return run;
  }

  /**
   * Sends a message to the content script of a tab's page. Its frames get those that have them report, or read again what they
   * show when the page is marked.
   * @template {keyof import("../../types/messages.d.ts").TabMessages} N
   * @param {number} tab @param {N} name @param {import("../../types/messages.d.ts").TabMessages[N]["params"]} params
   * @returns {Promise<unknown>}
   */
  tell(tab, name, params) {
    return chrome.tabs.sendMessage(tab, { name, params }, name === "bar.state" || name === "page.capture" ? {} : { frameId: 0 });
  }

  /** The problem to show. The daemon keeps reporting the problem of an old session; an open session has its own. */
  #problem() {
    const { session } = this.store.kept;
    return session && session.status !== "submitted" ? session.problem : this.store.daemon.problem;
  }

  /** @param {number} tab @param {string|undefined} url of its page @returns {import("../../types/state.d.ts").BarState} */
  barState(tab, url) {
    const { session, settings, consent } = this.store.kept;
    const { training, learned } = this.store.daemon;
    const shape = shapeAt(settings, url);
    return {
      show: consent && this.onPages && shape !== "none",
      status: session?.status ?? "submitted",
      topic: session?.topic ?? "",
      ...this.counts(),
      page: this.pageState(tab),
      queued: this.queueStatus.queued,
      connected: this.connection.connected,
      training,
      problem: this.#problem(),
      place: cleanPlace(settings.barPlace),
      shape: shape === "tab" ? "tab" : "pill",
      everywhere: shapes(settings, url).everywhere,
      learned: learned !== "",
      names: this.commands.names(),
      ...(this.never.last && { forgotten: this.never.last }),
      keys: this.keys,
    };
  }

  /** @param {number} tab @param {string} [url] of the tab, if known @returns {import("../../types/state.d.ts").PageState} */
  pageState(tab, url) {
    if (tab < 0) return { recorded: "none", useful: false };
    const document = this.documents.of(tab);
    const is = { ...(document && { document }), ...(document === "pdf" && this.store.daemon.pdfs && { read: true }) };
    if (!isPage(document)) return { recorded: "none", useful: false, ...is, why: documentText({ recorded: "none", useful: false, ...is }) };
    if (this.commands.pageIn(tab)) return { recorded: "yes", ...is, useful: this.commands.useful(tab), ...this.commands.milestone(tab) };
    if (url !== undefined && !/^https?:/.test(url)) return { recorded: "none", useful: false };
    const why = this.recorder.why(tab, url);
    const leftOut = this.recorder.tracker.leftOut(tab) || why !== undefined;
    return { recorded: leftOut ? "left-out" : "unknown", useful: false, ...(why && { why: whyText(why) }) };
  }

  /** @returns {Promise<import("../../types/state.d.ts").UiState>} */
  async uiState() {
    await this.#loaded;
    const { consent, settings, session } = this.store.kept;
    const { topics, open, training, never, session: theirs } = this.store.daemon;
    const tab = await lookedAt();
    if (tab?.id !== undefined && !this.recorder.tracker.pageOf(tab.id) && !this.recorder.tracker.leftOut(tab.id)) await this.documents.look(tab.id, true);
    const mine = theirs?.id === session?.id ? theirs : null;
    return {
      consent, settings, session, topics, open, training, daemonNever: never,
      browsers: mine?.browsers ?? [],
      learned: session?.status === "submitted" && this.store.daemon.learned !== "",
      ...(mine?.began && { began: mine.began }),
      counts: this.counts(),
      names: this.commands.names(),
      problem: this.#problem(),
      connection: this.connection.status,
      queue: await this.queue.status(),
      access: await granted(),
      page: this.pageState(tab?.id ?? -1, tab?.url ?? ""),
      ...hostIn(tab?.url),
      barShown: shapeAt(settings, tab?.url) !== "none",
      ...(this.never.last && { forgotten: this.never.last }),
      keys: await boundKeys(),
    };
  }

  /** Asks the page that the person is looking at to report itself, so that a session starts with it. */
  async captureLookedAt() {
    const tab = await lookedAt();
    if (tab?.id === undefined || !this.recorder.recording || !this.recorder.allowed(tab.url)) return;
    if (!(await this.#reach(tab.id, "page.capture", {}, false))) await this.documents.look(tab.id, true);
  }

  /** Called by the alarm and when the browser starts. */
  async wake() {
    await this.#loaded;
    this.queueStatus = await this.queue.status();
    const resumed = await this.task(() => {
      this.never.due();
      return this.commands.due();
    });
    this.changed(true);
    if (resumed || this.#restarted()) await this.captureLookedAt();
    if (this.needed()) await this.connection.connect();
  }
}

/** For example "Chromium on Linux". The dashboard lists browsers by this name. */
function browserName() {
  const ua = navigator.userAgent;
  const name = /Firefox\//.test(ua) ? "Firefox" : /Edg\//.test(ua) ? "Edge" : /OPR\//.test(ua) ? "Opera" : "Chromium";
  const system = /Windows/.test(ua) ? "Windows" : /Mac OS/.test(ua) ? "macOS" : /CrOS/.test(ua) ? "ChromeOS" : "Linux";
  return `${name} on ${system}`;
}
