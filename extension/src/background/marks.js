// Answers which links Nightjar knows, for the marks beside them. Only if the person switched that on, and only for pages
// and links that may be recorded.
import "../shared/secrets.js";
import { MAX_URL } from "../shared/protocol.js";
import { refusal } from "../shared/rules.js";

/** Most links in one question, as the daemon takes. */
const MOST = 200;
/** Limits how many questions one tab may ask: BURST at once, then RATE per second. */
const BURST = 10;
const RATE = 1;

/** @param {import("./app.js").App} app @returns {import("../../types/messages.d.ts").Handlers<Pick<import("../../types/messages.d.ts").ContentMessages, "links.known">>} */
export function marksHandlers(app) {
  /** @type {Map<number, {tokens: number, at: number}>} */
  const rates = new Map();

  /** @param {number} tab */
  function tooFast(tab) {
    const now = Date.now();
    const rate = rates.get(tab) ?? { tokens: BURST, at: now };
    rate.tokens = Math.min(BURST, rate.tokens + ((now - rate.at) / 1000) * RATE) - 1;
    rate.at = now;
    rates.set(tab, rate);
    return rate.tokens < 0;
  }

  return {
    "links.known": async ({ urls }, sender) => {
      await app.task(() => {}); // the settings are loaded then
      const { settings, consent } = app.store.kept;
      const rules = { ...settings, daemonNever: app.store.daemon.never };
      if (!settings.marks || !consent || sender.frameId !== 0 || refusal(sender.url, rules) !== null) return null;
      if (!Array.isArray(urls) || tooFast(sender.tab?.id ?? -1)) return { known: null };
      const clean = urls
        .slice(0, MOST)
        .map((url) => (typeof url === "string" && url.length <= MAX_URL ? globalThis.nightjarPrivacy.redact(url) : ""))
        .filter((url) => url !== "" && url.length <= MAX_URL && refusal(url, rules) === null);
      return { known: clean.length > 0 ? await app.connection.known([...new Set(clean)]) : {} };
    },
  };
}

/** Removes the marks from all pages. */
export async function stopMarks() {
  for (const tab of await chrome.tabs.query({})) {
    if (tab.id === undefined || tab.discarded) continue;
    await chrome.scripting.executeScript({ target: { tabId: tab.id }, func: () => globalThis.nightjarMarks?.stop() }).catch(() => {});
  }
}
