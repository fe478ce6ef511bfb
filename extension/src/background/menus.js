// The entries of the context menus. Each is only shown where it works, and says what it would do now.
import { t } from "../shared/text.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {{id: string, title: string, contexts: string[], visible: boolean, targetUrlPatterns?: string[]}} Entry */

/** @type {string[]} */
const ON_PAGE = ["page", "action"];

/**
 * The entries for the tab in front.
 * @param {{status: "none"|"recording"|"paused", page: import("../../types/state.d.ts").PageState, web: boolean, paired: boolean}} now
 *   status: of the open session; web: the tab shows a web page that may be recorded
 * @returns {Entry[]}
 */
export function entries({ status, page, web, paired }) {
  const recording = status === "recording";
  const markable = page.recorded === "yes" || (page.recorded === "unknown" && web);
  return [
    { id: "useful", title: t(page.useful ? "menu_not_useful" : "menu_useful"), contexts: ON_PAGE, visible: recording && markable },
    { id: "link", title: t("menu_link"), contexts: ["link"], visible: recording && page.recorded === "yes", targetUrlPatterns: ["http://*/*", "https://*/*"] },
    { id: "pause", title: t(status === "paused" ? "menu_resume" : "menu_pause"), contexts: ON_PAGE, visible: status !== "none" },
    { id: "never", title: t("menu_never"), contexts: ON_PAGE, visible: status !== "none" && web },
    { id: "dashboard", title: t("menu_dashboard"), contexts: ON_PAGE, visible: paired },
    { id: "sent", title: t("sent_title"), contexts: ["action"], visible: paired },
  ];
}

export class Menus {
  #app;
  /** What the browser was told last, by id. @type {Map<string, string>} */
  #shown = new Map();
  /** @type {Promise<unknown>} */
  #work = Promise.resolve();

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Tells the browser the entries as they are now. */
  update() {
    this.#work = this.#work.then(() => this.#update()).catch((error) => console.info("nightjar:", error));
    return this.#work;
  }

  async #update() {
    const now = entries(await this.#now());
    const first = this.#shown.size === 0;
    if (first) await chrome.contextMenus.removeAll(); // of an earlier run, or of an earlier version
    for (const entry of now) {
      const text = JSON.stringify(entry);
      if (this.#shown.get(entry.id) === text) continue;
      this.#shown.set(entry.id, text);
      const { id, ...rest } = /** @type {any} */ (entry);
      if (first) void chrome.contextMenus.create(/** @type {any} */ (entry), () => void chrome.runtime.lastError);
      else await chrome.contextMenus.update(id, { title: rest.title, visible: rest.visible });
    }
  }

  async #now() {
    const { session } = this.#app.store.kept;
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const state = this.#app.connection.status.state;
    return {
      status: session && !session.discarded && session.status !== "submitted" ? session.status : /** @type {const} */ ("none"),
      page: this.#app.pageState(tab?.id ?? -1, tab?.url),
      web: this.#app.recorder.allowed(tab?.url),
      paired: state !== "unpaired" && state !== "pairing",
    };
  }

  /** Adds the listeners. @param {(id: string, info: chrome.contextMenus.OnClickData, tab: chrome.tabs.Tab|undefined) => unknown} onClick */
  listen(onClick) {
    chrome.contextMenus.onClicked.addListener((info, tab) => void onClick(String(info.menuItemId), info, tab));
    chrome.tabs.onUpdated.addListener((_, changed, tab) => {
      if (tab.active && (changed.url !== undefined || changed.status === "complete")) void this.update();
    });
    chrome.tabs.onActivated.addListener(() => void this.update());
    chrome.windows.onFocusChanged.addListener(() => void this.update());
    this.#listenShown();
  }

  /** Firefox says over which link a menu opens, so that the entry can say what it would do. */
  #listenShown() {
    const menus = /** @type {any} */ (chrome.contextMenus);
    menus.onShown?.addListener((/** @type {{linkUrl?: string, menuIds?: unknown[]}} */ info) => {
      if (!info.linkUrl || !info.menuIds?.includes("link")) return;
      const title = t(this.#app.commands.linked(info.linkUrl) ? "menu_unlink" : "menu_link");
      void menus.update("link", { title }).then(() => menus.refresh());
    });
  }
}
