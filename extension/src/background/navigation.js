// Listens to the browser's navigation events. Their API is there only while the person grants it.

/** @typedef {import("./app.js").App} App */

/** Between two calls that keep the background running, ms. */
const ALIVE = 20_000;

export class Navigation {
  #app;
  /** The API with the listeners. @type {typeof chrome.webNavigation|undefined} */
  #api;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Adds the listeners, once. @param {boolean} late whether the background has already started */
  listen(late) {
    const api = chrome.webNavigation;
    if (!api || api === this.#api) return;
    this.#api = api;
    const app = this.#app;
    const { recorder } = app;
    const { tracker } = recorder;
    /** Looks whether a PDF is in a tab. @param {{frameId: number, tabId: number}} d */
    const lookAt = async (d) => d.frameId === 0 && app.documents.look(d.tabId, false);
    const watched = () => recorder.session !== null;
    api.onBeforeNavigate.addListener((d) => void app.task(() => watched() && recorder.recording && tracker.beforeNavigate(d)));
    api.onCommitted.addListener((d) => void app.task(async () => {
      if (d.frameId === 0) await app.documents.committed(d.tabId, d.documentId);
      if (!watched()) return false;
      await recorder.committed(d);
      return d.frameId === 0 && recorder.early(d.documentId);
    }).then((early) => this.#again(early, d.tabId)));
    api.onDOMContentLoaded.addListener((d) => void lookAt(d));
    for (const event of [api.onReferenceFragmentUpdated, api.onHistoryStateUpdated]) {
      event.addListener((d) => void app.task(() => watched() && recorder.recording && recorder.allowed(d.url) && tracker.moved(d)));
    }
    api.onCreatedNavigationTarget.addListener((d) => void app.task(() => watched() && tracker.createdTarget(d)));
    api.onCompleted.addListener((d) => void app.task(() => watched() && this.#again(tracker.completed(d), d.tabId)).then(() => lookAt(d)));
    api.onErrorOccurred.addListener((d) => void app.task(() => watched() && this.#again(tracker.failed(d), d.tabId)));
    // Firefox starts a background that has ended only for listeners that were added when it started. So this one must not end.
    if (late) setInterval(() => void (app.needed() && chrome.runtime.getPlatformInfo()), ALIVE);
  }

  /**
   * Asks the page in a tab to report: after a navigation that failed, the page that stays had been taken for a mere redirect.
   * @param {boolean} report @param {number} tab
   */
  #again(report, tab) {
    if (report) void this.#app.tell(tab, "page.capture", {}).catch(() => {});
  }
}
