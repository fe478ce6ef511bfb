// Finds out from the browser's navigation events how the person reached each page. It takes events and reports and returns
// facts; it calls no API. Its state is plain JSON, since the browser may end the background between any two calls. Only
// documentId identifies a document: browsers renumber frames, and their events come twice, early, late or not at all
// (test/tracker.test.js shows what they do).
import { forget } from "./forget.js";
import { arrive, current, emptyHistory, find } from "./history.js";
import { howOf } from "./how.js";

/** @typedef {import("../../types/state.d.ts").Fact} Fact */
/** @typedef {import("../../types/state.d.ts").Report} Report */
/** @typedef {import("../../types/tracker.d.ts").Arrival} Arrival */
/** @typedef {import("../../types/tracker.d.ts").Details} Details */
/** @typedef {import("../../types/tracker.d.ts").TrackerState} TrackerState */
/** @typedef {import("./history.js").History} History */

/** A click counts as the cause of a navigation that starts within this many ms. */
const GESTURE = 5_000;
/** A navigation that has not ended after this many ms is forgotten. */
const PENDING = 60_000;

/** Firefox reports this error for every page that enters its back/forward cache. */
const FIREFOX_ABORT = /\b2152398850\b/;

/** @returns {TrackerState} */
export const emptyState = () => ({ tabs: {}, docs: {}, arrivals: {}, pages: {} });

/** The key of a history. Each frame has its own, and gets a new one under each parent document. @param {Details} d */
const keyOf = (d) => (d.frameId === 0 ? "0" : `${d.frameId}@${d.parentDocumentId ?? ""}`);

const isWeb = (/** @type {string} */ url) => /^https?:/i.test(url);

export class Tracker {
  /** @param {TrackerState} state @param {{newPage: () => string, now: () => number, redact: (url: string) => string}} tools */
  constructor(state, { newPage, now, redact }) {
    this.state = state;
    this.newPage = newPage;
    this.now = now;
    this.redact = redact;
  }

  reset() {
    Object.assign(this.state, emptyState());
  }

  /** @param {number} id */
  #tab(id) {
    return (this.state.tabs[id] ??= { histories: {}, pending: {}, opener: "", gesture: null });
  }

  /** @param {number} tab @param {string} key @returns {History} */
  #history(tab, key) {
    return (this.#tab(tab).histories[key] ??= emptyHistory());
  }

  /** The page in a tab, or "" if it is not recorded. @param {number} tab */
  pageOf(tab) {
    return current(this.#history(tab, "0"))?.page ?? "";
  }

  /** Whether the page in a tab is left out on purpose. @param {number} tab */
  leftOut(tab) {
    const here = current(this.#history(tab, "0"));
    return here !== undefined && here.page === "" && here.url === "";
  }

  /** Whether a document was loaded since the session began and has not reported yet. @param {string} doc */
  arriving(doc) {
    return this.state.arrivals[doc] !== undefined;
  }

  /** onBeforeNavigate. The first URL of a redirect chain is what the person requested. @param {Details} d */
  beforeNavigate(d) {
    const tab = this.#tab(d.tabId);
    const before = tab.pending[keyOf(d)];
    const clickedSince = before && tab.gesture && tab.gesture.at > before.at;
    if (before && !clickedSince && this.now() - before.at < PENDING) return;
    tab.pending[keyOf(d)] = { url: isWeb(d.url) ? this.redact(d.url) : "", at: this.now() };
  }

  /** onErrorOccurred. @param {Details} d @returns {boolean} whether the page that stays must report again */
  failed(d) {
    if (FIREFOX_ABORT.test(d.error ?? "")) return false;
    return this.#dropPending(d);
  }

  /** onCompleted. If no commit came before it, it was a download. @param {Details} d @returns {boolean} as failed */
  completed(d) {
    return this.#dropPending(d);
  }

  /** @param {Details} d */
  #dropPending(d) {
    const { pending } = this.#tab(d.tabId);
    if (!pending[keyOf(d)]) return false;
    delete pending[keyOf(d)];
    const here = current(this.#history(d.tabId, keyOf(d)));
    return d.frameId === 0 && here !== undefined && here.page === "" && this.state.arrivals[here.doc] !== undefined;
  }

  /** onCreatedNavigationTarget. A link opened a tab. @param {{tabId: number, sourceTabId: number}} d */
  createdTarget(d) {
    const source = this.#tab(d.sourceTabId);
    const { gesture } = source;
    source.gesture = null; // the click led to the new tab
    const clicked = gesture && this.now() - gesture.at < GESTURE ? this.state.docs[gesture.doc] : "";
    this.#tab(d.tabId).opener = clicked || this.pageOf(d.sourceTabId);
  }

  /** The person clicked or pressed Enter. @param {number} tab @param {string} doc */
  gesture(tab, doc) {
    const { entries, index } = this.#history(tab, "0");
    // A busy page sends its message late. If the tab already shows another document, the click is no longer of interest.
    if (entries[index]?.doc !== doc && entries.some((entry) => entry.doc === doc)) return;
    this.#tab(tab).gesture = { at: this.now(), doc };
  }

  /**
   * onReferenceFragmentUpdated and onHistoryStateUpdated: the address changed while the document stayed. The document itself
   * reports that; only the browser knows that the person typed it or chose a bookmark.
   * @param {Details} d
   */
  moved(d) {
    if (d.frameId !== 0 || !isWeb(d.url)) return;
    const typed = d.transitionType === "typed" || d.transitionQualifiers?.includes("from_address_bar");
    const how = d.transitionType === "auto_bookmark" ? "bookmark" : typed ? "typed" : "";
    const stepped = d.transitionQualifiers?.includes("forward_back");
    this.#tab(d.tabId).entered = how && !stepped ? { url: this.redact(d.url), how } : null;
  }

  /** @param {number} tab */
  removed(tab) {
    delete this.state.tabs[tab];
    for (const [doc, arrival] of Object.entries(this.state.arrivals)) if (arrival.tab === tab) delete this.state.arrivals[doc];
  }

  /**
   * onCommitted. A step to a recorded document is a fact at once; all other facts wait for the report of the document.
   * @param {Details} d @param {boolean} [blind] the page must not be recorded: only update the history
   * @returns {Fact[]}
   */
  committed(d, blind = false) {
    if (d.documentLifecycle === "prerender") return [];
    const tab = this.#tab(d.tabId);
    const key = keyOf(d);
    const pending = tab.pending[key];
    delete tab.pending[key];
    if (!d.documentId || (d.frameId !== 0 && !isWeb(d.url))) return [];
    const h = this.#history(d.tabId, key);
    const url = blind || !isWeb(d.url) ? "" : this.redact(d.url);
    const stepped = d.transitionQualifiers?.includes("forward_back") ?? false;
    const at = stepped || (d.frameId !== 0 && this.state.docs[d.documentId]) ? find(h, { doc: d.documentId, url }) : -1;
    if (at >= 0 && h.entries[at].doc === d.documentId) return this.#step(d, h, at, blind);
    this.#arrived(d, h, url, pending, stepped, at);
    return [];
  }

  /** A step to a document that the browser still has. @param {Details} d @param {History} h @param {number} at @param {boolean} blind @returns {Fact[]} */
  #step(d, h, at, blind) {
    const from = current(h)?.page ?? "";
    const type = at < h.index ? "back" : "forward";
    const moved = at !== h.index;
    h.index = at;
    if (d.frameId === 0) this.#tab(d.tabId).gesture = null; // the person's last click was on another page
    const { page, doc } = h.entries[at];
    if (page) this.state.docs[doc] = page;
    // Frames come back together with their parent. Only the step of the parent counts.
    if (blind || !moved || !page || d.frameId !== 0) return [];
    return [{ type, page, from }];
  }

  /**
   * @param {Details} d @param {History} h @param {string} url @param {{url: string, at: number}|undefined} pending
   * @param {boolean} stepped @param {number} at the index to which the step probably led
   */
  #arrived(d, h, url, pending, stepped, at) {
    const tab = this.#tab(d.tabId);
    const doc = d.documentId ?? "";
    const qualifiers = d.transitionQualifiers ?? [];
    const type = d.transitionType ?? "";
    const here = current(h);
    const gesture = tab.gesture !== null && tab.gesture.at > (pending?.at ?? this.now()) - GESTURE;
    const clicked = gesture && tab.gesture ? this.state.docs[tab.gesture.doc] : "";
    const late = !stepped && type === "auto_subframe" && d.frameId !== 0 && h.index >= 0 && url !== "";
    let origin = stepped || late ? h.index : -1;
    const before = (here && here.page === "" && this.state.arrivals[here.doc]) || null;
    if (stepped && at >= 0) {
      h.index = at;
      h.entries[at].doc = doc;
    } else if (stepped) {
      h.entries.splice(0, 0, { doc, page: "", url }); // from before the session
      h.index = 0;
      origin++;
    } else if (!late) {
      const again = type === "reload" || (d.frameId === 0 && type === "typed" && url !== "" && here?.url === url);
      arrive(h, { doc, page: "", url }, again || (before !== null && qualifiers.includes("client_redirect")));
    }
    if (d.frameId === 0) tab.gesture = null;
    if (url === "") return;
    const redirected = qualifiers.includes("server_redirect") && pending && pending.url !== url;
    this.state.arrivals[doc] = {
      tab: d.tabId, parentDoc: d.parentDocumentId ?? "", url, type, qualifiers,
      from: clicked || (here?.page ?? ""), opener: d.frameId === 0 ? tab.opener : "",
      requested: redirected ? pending.url : "", gesture, origin, late,
      before: before && { ...before, before: null },
    };
    if (d.frameId === 0) tab.opener = "";
  }

  /**
   * A document reports that it came back from the back/forward cache. This matters only if its commit was missed because
   * the background was not running.
   * @param {number} tab @param {string} doc @returns {Fact[]}
   */
  restored(tab, doc) {
    const h = this.#history(tab, "0");
    const at = h.entries.findLastIndex((entry) => entry.doc === doc && entry.page !== "");
    if (at < 0 || current(h)?.doc === doc) return [];
    return this.#step({ tabId: tab, frameId: 0, url: h.entries[at].url }, h, at, false);
  }

  /**
   * A document reports itself. @param {Report} r
   * @returns {{facts: Fact[], page: string, wait: boolean}} page: "" if it is not recorded; wait: its parent has not reported yet
   */
  report(r) {
    const none = { facts: /** @type {Fact[]} */ ([]), page: "", wait: false };
    const url = this.redact(r.url);
    const arrival = this.state.arrivals[r.doc];
    const key = keyOf({ tabId: r.tab, frameId: r.frame, parentDocumentId: r.parentDoc || arrival?.parentDoc, url });
    const h = this.#history(r.tab, key);
    if (r.leftOut) {
      if (r.move.same && this.state.docs[r.doc]) arrive(h, { doc: r.doc, page: "", url: "" });
      else this.#leaveOut(r.doc, h);
      return none;
    }
    if (r.move.same && this.state.docs[r.doc]) return { ...none, ...this.#sameDocument(r, h, url) };
    if (this.state.docs[r.doc]) return { ...none, page: this.state.docs[r.doc] };
    if (r.frame === 0 && this.#superseded(r, h)) return none;
    const parent = r.frame === 0 ? "" : this.state.docs[r.parentDoc || arrival?.parentDoc || ""];
    if (r.frame !== 0 && !parent) return { ...none, wait: true };
    delete this.state.arrivals[r.doc];
    const back = arrival ? this.#traversed(r, arrival, h, url) : null;
    if (back) return { ...none, ...back };
    const here = current(h);
    if ((!arrival || arrival.late) && current(h)?.doc !== r.doc) arrive(h, { doc: r.doc, page: "", url });
    const page = this.#record(r, h, url, parent);
    if (r.frame !== 0) return { facts: [{ type: "frame", page, url, parent, kind: this.#kind(parent) }], page, wait: false };
    const how = arrival ? this.#how(r, arrival, url) : this.#uncommitted(r, here);
    return { facts: [{ type: "visit", page, url, ...how }], page, wait: false };
  }

  /** Whether the page has already started the next navigation by itself, so that it is only a redirect. @param {Report} r @param {History} h */
  #superseded(r, h) {
    const tab = this.#tab(r.tab);
    const pending = tab.pending["0"];
    const here = current(h);
    if (!pending || !pending.url || here?.doc !== r.doc || this.now() - pending.at > GESTURE) return false;
    return tab.gesture === null || tab.gesture.at < pending.at - GESTURE;
  }

  /** @param {string} doc @param {History} h */
  #leaveOut(doc, h) {
    delete this.state.arrivals[doc];
    delete this.state.docs[doc];
    for (const entry of h.entries) if (entry.doc === doc) Object.assign(entry, { page: "", url: "" });
    if (current(h)?.doc !== doc) arrive(h, { doc, page: "", url: "" });
  }

  /** @param {Report} r @param {History} h @param {string} url @param {string} parent */
  #record(r, h, url, parent) {
    const page = this.newPage();
    const here = current(h);
    const entry = here?.doc === r.doc ? here : h.entries.find((e) => e.doc === r.doc && e.page === "");
    if (entry) Object.assign(entry, { page, url });
    this.state.docs[r.doc] = page;
    this.state.pages[page] = { url, frameset: r.frameset, area: r.area, frames: [] };
    if (parent) this.state.pages[parent]?.frames.push(page);
    forget(this.state);
    return page;
  }

  /**
   * A step through the history that loaded the document again. It leads to the page that was recorded the first time.
   * @param {Report} r @param {Arrival} arrival @param {History} h @param {string} url
   * @returns {{facts: Fact[], page: string}|null} null if it is no such step, or if the page is unknown
   */
  #traversed(r, arrival, h, url) {
    if (arrival.origin < 0 || (arrival.late && r.move.type !== "traverse")) return null;
    const [now, origin] = [h.index, Math.min(arrival.origin, h.entries.length - 1)];
    h.index = origin;
    let at = find(h, { url, delta: r.move.delta });
    if (at < 0 && !arrival.late && h.entries[now].url === url && now !== origin) at = now;
    const page = at >= 0 ? h.entries[at].page : "";
    if (!page) {
      h.index = now;
      return null;
    }
    const from = h.entries[origin]?.page ?? "";
    h.index = at;
    h.entries[at].doc = r.doc;
    this.state.docs[r.doc] = page;
    return { facts: at === origin ? [] : [{ type: at < origin ? "back" : "forward", page, from }], page };
  }

  /**
   * pushState, replaceState, routes in the fragment, and steps between entries of one document. It is another page only when
   * the content changed, too.
   * @param {Report} r @param {History} h @param {string} url @returns {{facts: Fact[], page: string}}
   */
  #sameDocument(r, h, url) {
    const here = current(h);
    const from = here?.page ?? "";
    if (here?.doc !== r.doc || here.url === url) return { facts: [], page: this.state.docs[r.doc] };
    const { move } = r;
    if (move.type === "traverse") {
      const at = find(h, { url, delta: move.delta });
      if (at >= 0 && h.entries[at].page) {
        const type = /** @type {"back"|"forward"} */ (at < h.index ? "back" : "forward");
        h.index = at;
        h.entries[at].doc = r.doc;
        this.state.docs[r.doc] = h.entries[at].page;
        return { facts: [{ type, page: h.entries[at].page, from }], page: h.entries[at].page };
      }
    }
    if (!move.changed) return { facts: [], page: this.state.docs[r.doc] };
    const tab = this.#tab(r.tab);
    const clicked = tab.gesture !== null && tab.gesture.at > this.now() - (move.late ?? 0) - GESTURE;
    const entered = tab.entered?.url === url ? tab.entered.how : undefined;
    Object.assign(tab, { gesture: null, entered: null });
    arrive(h, { doc: r.doc, page: "", url }, move.type === "replace");
    const page = this.#record(r, h, url, "");
    const how = entered ?? (clicked && from !== "" ? "link" : "other");
    return { facts: [{ type: "visit", page, url, how, from: how === "link" ? from : "", requested: "" }], page };
  }

  /**
   * @param {Report} r @param {Arrival} arrival @param {string} url
   * @returns {{how: import("../../types/protocol.d.ts").How, from: string, requested: string}}
   */
  #how(r, arrival, url) {
    const leads = arrival.before;
    if (leads && (arrival.qualifiers.includes("client_redirect") || r.move.type === "replace")) {
      const first = leads.requested || leads.url;
      const before = this.#how({ ...r, move: { ...r.move, type: "navigate" } }, leads, leads.url);
      return { ...before, requested: first === url ? "" : first };
    }
    const how = howOf(r, arrival);
    const from = how === "new-tab" ? arrival.opener : how === "link" || how === "form" ? arrival.from : "";
    return { how, from, requested: arrival.requested === url ? "" : arrival.requested };
  }

  /**
   * How the person reached a document whose commit we missed: it was open before the session, or the background was not running.
   * @param {Report} r @param {import("./history.js").Entry|undefined} here the page before it
   * @returns {{how: import("../../types/protocol.d.ts").How, from: string, requested: string}}
   */
  #uncommitted(r, here) {
    const followed = r.move.type === "navigate" && here?.page && this.redact(r.move.referrer) === here.url;
    const how = followed ? "link" : r.move.type === "reload" && here?.page ? "reload" : "other";
    return { how, from: followed && here ? here.page : "", requested: "" };
  }

  /** What the frames of a page are. @param {string} page @returns {"frame"|"iframe"} */
  #kind(page) {
    return this.state.pages[page]?.frameset ? "frame" : "iframe";
  }

  /** Which page a frame is in, null for a page that is in none. @param {string} page */
  within(page) {
    const found = Object.entries(this.state.pages).find(([, { frames }]) => frames.includes(page));
    return found ? { parent: found[0], kind: this.#kind(found[0]) } : null;
  }

  /**
   * The page to mark when the person marks this one: in a frameset the largest frame, since the frameset itself has no text.
   * @param {string} page @returns {string}
   */
  markTarget(page) {
    const info = this.state.pages[page];
    if (!info?.frameset || info.frames.length === 0) return page;
    const best = info.frames.reduce((a, b) => ((this.state.pages[b]?.area ?? 0) > (this.state.pages[a]?.area ?? 0) ? b : a));
    return this.markTarget(best);
  }
}
