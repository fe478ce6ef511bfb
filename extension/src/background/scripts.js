// The content scripts. They are registered only while a session needs them, so that no script of the extension runs in any
// page at other times. Pages that were open before have none and get them when the person looks at them.
import { ACCESS } from "../shared/access.js";

/** In the order in which they run. Each leaves a page alone in which it runs already. */
export const FILES = [
  "shared/random.js", "shared/secret_words.js", "shared/privacy.js", "content/snapshot.js", "content/routes.js",
  "content/bar_text.js", "content/bar_look.js", "content/bar_place.js", "content/bar_watch.js", "content/bar_parts.js", "content/bar_paint.js", "content/bar_hands.js",
  "content/bar_do.js", "content/bar.js",
  "content/capture.js",
];

/** The scripts of the marks beside links. They run in sessions and outside of them, if the person switched them on. */
export const MARKS = ["shared/random.js", "shared/secret_words.js", "shared/privacy.js", "shared/shapes.js", "content/snapshot.js", "content/marks.js"];

/** @typedef {{id: string, files: readonly string[], frames: boolean}} ScriptSet frames: whether they run in frames, too */

/** @type {Readonly<Record<"page"|"marks", ScriptSet>>} */
export const SETS = Object.freeze({ page: { id: "page", files: FILES, frames: true }, marks: { id: "marks", files: MARKS, frames: false } });

export class Scripts {
  /** Whether each set is registered; not known before this background has looked. @type {Map<string, boolean>} */
  #registered = new Map();
  /** @type {Promise<unknown>} */
  #work = Promise.resolve();

  /** Registers or unregisters a set. A browser drops them when it updates the extension. @param {boolean} wanted @param {ScriptSet} [set] */
  adjust(wanted, set = SETS.page) {
    const run = this.#work.then(() => (this.#registered.get(set.id) === wanted ? undefined : this.#adjust(wanted, set)));
    this.#work = run.catch(() => {});
    return run;
  }

  /** @param {boolean} wanted @param {ScriptSet} set */
  async #adjust(wanted, { id, files, frames }) {
    const [old] = await chrome.scripting.getRegisteredContentScripts({ ids: [id] });
    const same = old?.js?.join() === files.join();
    if (old && !(wanted && same)) await chrome.scripting.unregisterContentScripts({ ids: [id] });
    if (wanted && !(old && same)) {
      await chrome.scripting.registerContentScripts([
        { id, js: [...files], matches: ACCESS.origins, allFrames: frames, runAt: "document_idle", persistAcrossSessions: true },
      ]);
    }
    this.#registered.set(id, wanted);
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
