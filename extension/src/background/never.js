// "Never record this site": puts a host on the never-record list and takes its pages out of the open session. For a while
// that can be undone. Then the daemon is told: it puts the host on its own list, so that no browser records it, and deletes
// what it has of it in the session. What is to be told is kept until the daemon's list has the host.
import { hostOf, never } from "../shared/hosts.js";
import { t } from "../shared/text.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../../types/state.d.ts").Forgotten} Forgotten */

/** How long it can be undone; ms. */
export const UNDO_TIME = 60_000;
/** Most hosts that wait for the daemon. */
const MOST = 200;

/** The host that stands for a site: "www." goes, since the list includes subdomains. @param {string|undefined} url */
export function siteOf(url) {
  return /^https?:/.test(url ?? "") ? hostOf(url ?? "").replace(/^www\.(?=.*\.)/, "") : "";
}

export class Never {
  #app;
  /** Hosts that were told over the present connection. @type {Set<string>} */
  #told = new Set();

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  get #kept() {
    return this.#app.store.kept;
  }

  /** The last site that was put on the list, as long as that can be undone. @returns {{host: string, pages: number}|null} */
  get last() {
    const last = this.#kept.forgotten;
    return last && { host: last.host, pages: last.pages.length };
  }

  /** Runs in a task. @param {string|undefined} url of a page of the site @throws with a message for the person */
  add(url) {
    const host = siteOf(url);
    if (!host) throw new Error(t("never_no_site"));
    this.settle();
    const { settings, session } = this.#kept;
    const open = session && !session.discarded && session.status !== "submitted" ? session : null;
    const store = this.#app.store;
    const gone = (/** @type {string} */ page) => never([host], page);
    const added = !settings.never.includes(host);
    if (added) settings.never = [...settings.never, host].sort();
    /** @type {Forgotten} */
    const forgotten = { host, added, at: Date.now() + UNDO_TIME, session: open?.id ?? "", pages: [], marked: [], names: {} };
    if (open) {
      forgotten.pages = store.seen.filter(gone);
      forgotten.marked = open.marked.filter(gone);
      forgotten.names = Object.fromEntries(Object.entries(open.names ?? {}).filter(([page]) => gone(page)));
      store.seen = store.seen.filter((page) => !gone(page));
      open.pages -= forgotten.pages.length;
      open.marked = open.marked.filter((page) => !gone(page));
      open.names = Object.fromEntries(Object.entries(open.names ?? {}).filter(([page]) => !gone(page)));
      if (open.links) open.links = open.links.filter((link) => !gone(link));
    }
    this.#kept.forgotten = forgotten;
  }

  /** Runs in a task. @throws with a message for the person */
  undo() {
    const last = this.#kept.forgotten;
    if (!last) throw new Error(t("never_late"));
    const { settings, session } = this.#kept;
    this.#kept.forgotten = null;
    if (last.added) settings.never = settings.never.filter((host) => host !== last.host);
    if (session?.id !== last.session) return;
    const store = this.#app.store;
    store.seen = [...store.seen, ...last.pages];
    session.pages += last.pages.length;
    session.marked = [...session.marked, ...last.marked];
    session.names = { ...session.names, ...last.names };
  }

  /** When it cannot be undone any more, in ms since 1970; 0 for nothing to undo. */
  next() {
    return this.#kept.forgotten?.at ?? 0;
  }

  /** Settles what is due. */
  due() {
    const at = this.next();
    if (at > 0 && at <= Date.now()) this.settle();
  }

  /** Ends the time in which it can be undone. Called before Submit, too, so that nothing is learned from the pages. */
  settle() {
    const last = this.#kept.forgotten;
    if (!last) return;
    this.#kept.forgotten = null;
    this.#kept.tell = [...this.#kept.tell.filter((one) => one.host !== last.host), { host: last.host, session: last.session }].slice(-MOST);
    this.#inform();
  }

  /** There is a new connection, or a state of the daemon. @param {readonly string[]} list the daemon's @param {boolean} fresh whether the connection is new */
  heard(list, fresh) {
    if (fresh) this.#told.clear();
    this.#kept.tell = this.#kept.tell.filter((one) => !list.includes(one.host));
    this.#inform();
  }

  /** Tells the daemon each host once over a connection: an older daemon refuses it. */
  #inform() {
    for (const { host, session } of this.#kept.tell) {
      if (this.#told.has(host) || !this.#app.connection.say({ type: "never", v: 1, id: crypto.randomUUID(), host, session })) continue;
      this.#told.add(host);
    }
  }
}
