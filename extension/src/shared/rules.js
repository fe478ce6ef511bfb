// Which rule keeps the page at an address from being recorded. The recorder decides by it, and the options page shows what
// it would decide.
import { dashboard, hostOf, never, privateNetwork } from "./hosts.js";
import { MAX_URL } from "./protocol.js";

/**
 * Why a page is left out. The first eight are rules about its address.
 * @typedef {"not-web"|"too-long"|"nightjar"|"own-network"|"list"|"daemon-list"|"only-sites"|"not-sites"|"password"|"card"|"code"|"too-fast"|"too-large"|"paused"|"image"|"video"|"audio"|"other"} Why
 * @typedef {{why: Why, entry: string}} Refusal entry: the host on the list that decides, "" for other rules
 *
 * @typedef {object} Rules
 * @property {readonly string[]} never the person's never-record list
 * @property {readonly string[]} daemonNever the daemon's
 * @property {boolean} privateNetwork whether pages of the person's own network are recorded, too
 * @property {string} address of the daemon, ws://127.0.0.1:PORT
 * @property {import("../../types/state.d.ts").Sites} [sites] those of the session
 */

/**
 * The rule that keeps the page at an address from being recorded, or null. A page is recorded if its address is http or
 * https, it is on no never-record list, not a page of the daemon, not on the person's own network unless that is
 * allowed, and on a site that the session records.
 * @param {string|undefined} url @param {Rules} rules @returns {Refusal|null}
 */
export function refusal(url, rules) {
  if (!url || !/^https?:\/\//i.test(url)) return { why: "not-web", entry: "" };
  if (url.length > MAX_URL) return { why: "too-long", entry: "" };
  const host = hostOf(url);
  if (dashboard(rules.address, url)) return { why: "nightjar", entry: "" };
  const listed = (/** @type {readonly string[]} */ hosts) => hosts.find((entry) => never([entry], url));
  const mine = listed(rules.never);
  if (mine !== undefined) return { why: "list", entry: mine };
  const theirs = listed(rules.daemonNever);
  if (theirs !== undefined) return { why: "daemon-list", entry: theirs };
  if (host === "" || (!rules.privateNetwork && privateNetwork(url))) return { why: "own-network", entry: "" };
  const { only = [], not = [] } = rules.sites ?? {};
  const leftOut = listed(not);
  if (leftOut !== undefined) return { why: "not-sites", entry: leftOut };
  return only.length > 0 && listed(only) === undefined ? { why: "only-sites", entry: "" } : null;
}
