// What tabs show that is no page of HTML. Content scripts say so themselves. In Firefox none runs in the viewers of PDF and
// JSON, so the background looks: a PDF has the viewer's own icon, which no page can have, and in whatever else refuses a
// script there is nothing that could be recorded. A page that is only slow has no such icon and refuses no script.
import "../shared/secrets.js";
import { isPage, KINDS, pdfTitle } from "../shared/documents.js";

/** @typedef {import("../../types/state.d.ts").DocumentKind} DocumentKind */
/** @typedef {import("../../types/state.d.ts").Report} Report */

/** How long a PDF may take to show its title after its viewer has started, and the time between two looks; ms. */
const TITLE = 2_000;
const LOOK = 100;
/** Most tabs of which the kind of document is kept. */
const KEEP = 200;

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class Documents {
  #app;
  /** By tab: the document, and what it is. @type {Record<string, {doc: string, kind: DocumentKind}>} */
  #tabs = {};
  #loaded;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.#app = app;
    this.#loaded = chrome.storage.session.get(["documents"]).then(({ documents }) => {
      this.#tabs = { .../** @type {object} */ (documents), ...this.#tabs };
    });
  }

  /** What a tab shows; undefined for a page of HTML. @param {number} tab @returns {DocumentKind|undefined} */
  of(tab) {
    return this.#tabs[tab]?.kind;
  }

  /** @param {number} tab @param {string} doc @param {DocumentKind} kind */
  #keep(tab, doc, kind) {
    delete this.#tabs[tab];
    this.#tabs[tab] = { doc, kind };
    for (const old of Object.keys(this.#tabs).slice(0, -KEEP)) delete this.#tabs[old];
    return this.#save();
  }

  #save() {
    return chrome.storage.session.set({ documents: this.#tabs });
  }

  /** onCommitted in a tab's top frame: what was shown before is gone. @param {number} tab @param {string|undefined} doc */
  async committed(tab, doc) {
    await this.#loaded;
    if (this.#tabs[tab] && this.#tabs[tab].doc !== doc) await this.removed(tab);
  }

  /** @param {number} tab */
  async removed(tab) {
    await this.#loaded;
    if (!this.#tabs[tab]) return;
    delete this.#tabs[tab];
    await this.#save();
  }

  /**
   * Completes the report of a content script: only the tab knows the title of a PDF, and what is no page is left out.
   * @param {Report} report @returns {Promise<Report>}
   */
  async complete(report) {
    const { document, frame, tab } = report;
    if (!document) return report;
    if (frame !== 0) return { ...report, leftOut: document !== "text" };
    await this.#loaded;
    await this.#keep(tab, report.doc, document);
    if (!isPage(document)) return { ...report, title: "", html: "", leftOut: true };
    if (report.title) return report;
    const title = document === "pdf" ? await this.#title(tab, report.url) : pdfTitle("", this.#shown(report.url));
    return { ...report, title };
  }

  /** @param {string} url */
  #shown(url) {
    return globalThis.nightjarPrivacy.redact(url);
  }

  /** The title of the PDF in a tab, which comes a moment after the document. @param {number} tab @param {string} url @param {number} [limit] ms */
  async #title(tab, url, limit = TITLE) {
    const file = pdfTitle("", url);
    for (const until = Date.now() + limit; ; await sleep(LOOK)) {
      const now = await chrome.tabs.get(tab).catch(() => undefined);
      const title = now?.url === url ? pdfTitle(now.title, url) : file;
      if (title !== file) return title;
      // Without a title of its own a PDF has the name of the file, in Chromium as the last change of the tab.
      if (!now || now.url !== url || Date.now() >= until || now.title === file) return pdfTitle("", this.#shown(url));
    }
  }

  /**
   * Looks at a tab whose page did not report itself, and reports a PDF in its place.
   * @param {number} tab @param {boolean} asked the person asked for something that needs the page: no time for the title, and
   *   a page that refuses a script is no page
   */
  async look(tab, asked) {
    await this.#loaded;
    const { recorder } = this.#app;
    const found = await chrome.tabs.get(tab).catch(() => undefined);
    if (!found?.url || found.incognito || !recorder.recording || !recorder.allowed(found.url)) return;
    const frame = await chrome.webNavigation?.getFrame({ tabId: tab, frameId: 0 }).catch(() => null);
    const doc = frame?.documentId ?? "";
    if (!doc || frame?.url !== found.url || this.#app.store.tracker.docs[doc]) return;
    if (/^(chrome|resource):\/\/.*\bpdf\b/.test(found.favIconUrl ?? "")) await this.#report(tab, doc, found.url, asked ? 0 : TITLE);
    else if (asked && found.status === "complete" && !this.#tabs[tab] && (await refuses(tab, found.url))) {
      await this.#keep(tab, doc, "other");
      this.#app.changed(false);
    }
  }

  /** @param {number} tab @param {string} doc @param {string} url @param {number} limit ms for its title */
  async #report(tab, doc, url, limit) {
    const { recorder, store } = this.#app;
    const title = await this.#title(tab, url, limit);
    await this.#app.task(async () => {
      if (store.tracker.docs[doc]) return;
      const arrival = store.tracker.arrivals[doc];
      const type = arrival?.qualifiers.includes("forward_back") ? "traverse" : arrival?.type === "reload" ? "reload" : "navigate";
      await this.#keep(tab, doc, "pdf");
      await recorder.report({
        url, title, leftOut: false, frameset: false, area: 0, html: "", document: "pdf", tab, frame: 0, doc, parentDoc: "",
        move: { type, delta: null, referrer: "", same: false },
      }, url);
    });
  }
}

/** Whether a tab refuses a script although the extension may run one on its site. @param {number} tab @param {string} url */
async function refuses(tab, url) {
  const allowed = await chrome.permissions.contains({ origins: [`${new URL(url).origin}/*`] }).catch(() => false);
  if (!allowed) return false;
  return chrome.scripting.executeScript({ target: { tabId: tab }, func: () => true }).then(() => false, () => true);
}

/** @param {unknown} kind of a report, which a page may have tampered with @returns {DocumentKind|undefined} */
export const cleanKind = (kind) => KINDS.find((known) => known === kind);
