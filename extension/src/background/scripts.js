// The content scripts. They are registered only while a session needs them, so that no script of the extension runs in any
// page at other times. Pages that were open before have none and get them when the person looks at them.
import { ACCESS } from "../shared/access.js";

/** In the order in which they run. Each leaves a page alone in which it runs already. */
export const FILES = ["shared/privacy.js", "content/snapshot.js", "content/routes.js", "content/bar.js", "content/capture.js"];

const ID = "page";

export class Scripts {
  /** Whether they are registered; null before this background has looked. @type {boolean|null} */
  #registered = null;
  /** @type {Promise<unknown>} */
  #work = Promise.resolve();

  /** Registers or unregisters them. A browser drops them when it updates the extension. @param {boolean} wanted */
  adjust(wanted) {
    const run = this.#work.then(() => (this.#registered === wanted ? undefined : this.#adjust(wanted)));
    this.#work = run.catch(() => {});
    return run;
  }

  /** @param {boolean} wanted */
  async #adjust(wanted) {
    const [old] = await chrome.scripting.getRegisteredContentScripts({ ids: [ID] });
    const same = old?.js?.join() === FILES.join();
    if (old && !(wanted && same)) await chrome.scripting.unregisterContentScripts({ ids: [ID] });
    if (wanted && !(old && same)) {
      await chrome.scripting.registerContentScripts([
        { id: ID, js: [...FILES], matches: ACCESS.origins, allFrames: true, runAt: "document_idle", persistAcrossSessions: true },
      ]);
    }
    this.#registered = wanted;
  }

  /**
   * Starts them in the page of a tab.
   * @param {number} tabId @param {boolean} before whether the page must not be recorded now, since it was open before the session
   * @returns {Promise<boolean>} false for a page that refuses scripts, such as one of the browser's own
   */
  async inject(tabId, before) {
    const target = { tabId, allFrames: true };
    try {
      if (before) await chrome.scripting.executeScript({ target, func: () => void (globalThis.nightjarBefore = true) });
      await chrome.scripting.executeScript({ target, files: FILES });
      return true;
    } catch {
      return false;
    }
  }
}
