// The session that the person asked for while the browser asks for access. Its question may close the popup, so the
// background starts the session when the answer comes; a popup that is still open asks for the same session once more.
import { granted } from "../shared/access.js";
import { t } from "../shared/text.js";

/** @typedef {import("../../types/messages.d.ts").PageMessages["session.start"]["params"]} Start */

/** An answer that comes later than this, in ms, starts no session. */
const WAIT = 120_000;

export class Wish {
  #start;
  #open;
  /** The session that an answer started. */
  #begun = "";
  /** @type {Promise<unknown>} */
  #work = Promise.resolve();

  /** @param {(start: Start) => unknown} start starts a session @param {() => boolean} open whether one is open */
  constructor(start, open) {
    this.#start = start;
    this.#open = open;
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #next(work) {
    const run = this.#work.then(work);
    this.#work = run.catch(() => {});
    return run;
  }

  /** @param {Start|null} start null when the person declined */
  keep(start) {
    return this.#next(() => this.#keep(start));
  }

  /** @param {Start|null} start */
  #keep(start) {
    return chrome.storage.session.set({ wish: start && { start, at: Date.now() } });
  }

  /** The person granted access. */
  answered() {
    return this.#next(async () => {
      const { wish } = /** @type {{wish?: {start: Start, at: number}|null}} */ (await chrome.storage.session.get(["wish"]));
      if (!wish || Date.now() - wish.at > WAIT || !(await granted())) return;
      await this.#keep(null);
      await this.#start(wish.start);
      this.#begun = JSON.stringify(wish.start);
    });
  }

  /** Starts the session, unless the answer has already done so. @param {Start} start @throws with a message for the person */
  begin(start) {
    return this.#next(async () => {
      await this.#keep(null);
      const twice = this.#begun === JSON.stringify(start) && this.#open();
      this.#begun = "";
      if (twice) return null;
      if (!(await granted())) throw new Error(t("back_no_access"));
      await this.#start(start);
      return null;
    });
  }
}

/** @param {Wish} wish @returns {Pick<import("../../types/messages.d.ts").Handlers<import("../../types/messages.d.ts").PageMessages>, "session.start"|"session.wish">} */
export function wishHandlers(wish) {
  return {
    "session.start": (start) => wish.begin(start),
    "session.wish": async ({ start }) => {
      await wish.keep(start);
      return null;
    },
  };
}
