// What the background asks the browser about tabs.
import { hostOf } from "../shared/hosts.js";

/** The tab that the person is looking at; if the popup is open as a tab, the last one with a web page before it. */
export async function lookedAt() {
  const [active] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
  if (active && !active.url?.startsWith(chrome.runtime.getURL("popup/"))) return active;
  const tabs = (await chrome.tabs.query({})).filter((t) => /^https?:/.test(t.url ?? ""));
  return tabs.sort((a, b) => (b.lastAccessed ?? 0) - (a.lastAccessed ?? 0))[0];
}

/** The host of a web page. @param {string|undefined} url */
export function hostIn(url) {
  const host = /^https?:/.test(url ?? "") ? hostOf(url ?? "") : "";
  return host ? { host } : {};
}

/** The URL of a tab's page; undefined if it is closed, or a page that the extension may not see. @param {number} tab @param {string} [known] */
export async function urlOf(tab, known) {
  return known ?? (await chrome.tabs.get(tab).catch(() => undefined))?.url;
}
