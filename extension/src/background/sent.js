// Answers the page "What was sent": the last events as they left, what was left out, and how to forget both.

/** @typedef {import("../../types/messages.d.ts").SentMessages} SentMessages */

/** The address of the page in the extension. */
export const SENT = "sent/sent.html";

/** @param {import("./app.js").App} app @returns {import("../../types/messages.d.ts").Handlers<SentMessages>} */
export function sentHandlers(app) {
  return {
    "sent.list": async () => ({ events: await app.queue.history(), leftOut: app.store.leftOut.list }),
    "sent.entry": ({ seq }) => (Number.isSafeInteger(seq) ? app.queue.historyEntry(seq) : null),
    "sent.clear": async () => {
      await app.queue.clearHistory();
      app.changed(false);
      return null;
    },
    "sent.open": () => openSent(app),
    "sent.clear-left-out": async () => {
      await app.task(() => void (app.store.leftOut.list = []));
      app.changed(false);
      return null;
    },
  };
}

/** Opens the page, or goes to it if it is open. The bar and the menu ask for it, too. @param {import("./app.js").App} app */
export async function openSent(app) {
  const url = chrome.runtime.getURL(SENT);
  const open = [...app.ports].find(({ sender }) => sender?.tab?.id !== undefined && sender.url?.split(/[?#]/)[0] === url);
  if (open?.sender?.tab?.id === undefined) await chrome.tabs.create({ url });
  else await chrome.tabs.update(open.sender.tab.id, { active: true });
  return null;
}
