// What was left out during a session, and why. It is in storage.session, which is in memory and ends with the browser, so
// that it is no record of what the person wanted to keep to themselves: the time, the reason and at most the host.
import { hostOf } from "../shared/hosts.js";

/** @typedef {import("../shared/rules.js").Why} Why */
/** @typedef {import("../../types/state.d.ts").LeftOut} LeftOut */

/** Most entries of the list, and most tabs of which the reason is known. */
export const MOST = 50;
const MOST_TABS = 200;
/** Milliseconds within which the same reason for the same host is one entry: browsers report a page several times. */
const SAME = 5_000;

/** @typedef {{list: LeftOut[], tabs: Record<string, Why>}} LeftOutState */

/** @returns {LeftOutState} */
export const emptyLeftOut = () => ({ list: [], tabs: {} });

/**
 * Notes that the page in a tab was left out.
 * @param {LeftOutState} state @param {number} tab @param {Why} why @param {string} url
 */
export function leaveOut(state, tab, why, url) {
  state.tabs[tab] = why;
  for (const old of Object.keys(state.tabs).slice(0, Math.max(0, Object.keys(state.tabs).length - MOST_TABS))) delete state.tabs[old];
  const entry = { at: Date.now(), why, host: hostOf(url) };
  const same = state.list.find((e) => e.why === why && e.host === entry.host && entry.at - e.at < SAME);
  if (!same) state.list = [entry, ...state.list].slice(0, MOST);
}
