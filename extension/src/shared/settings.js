// What the person can set, and its defaults.
import { DEFAULT_ADDRESS } from "./protocol.js";

/** Hosts that are left out from the start: mail, money, health, signing in. The person edits this list. */
export const NEVER_DEFAULT = Object.freeze([
  "accounts.google.com", "appleid.apple.com", "login.microsoftonline.com", "login.live.com",
  "mail.google.com", "outlook.live.com", "outlook.office.com", "mail.yahoo.com", "mail.proton.me", "icloud.com",
  "web.whatsapp.com", "web.telegram.org", "messages.google.com",
  "paypal.com", "bankofamerica.com", "chase.com", "wellsfargo.com", "hsbc.com", "barclays.co.uk", "ing.com",
  "deutsche-bank.de", "sparkasse.de", "revolut.com", "wise.com",
  "mychart.org", "patient.info", "nhsapp.service.nhs.uk", "doctolib.de", "doctolib.fr",
]);

/** @type {Readonly<import("../../types/state.d.ts").Settings>} */
export const DEFAULTS = Object.freeze({
  address: DEFAULT_ADDRESS,
  never: [...NEVER_DEFAULT],
  privateNetwork: false,
  barHidden: false,
  barPlace: null,
});

/**
 * The hosts in what the person typed: one a line or separated by commas and blanks; addresses of pages are cut to their
 * host. Doubles are dropped.
 * @param {string} text @returns {{hosts: string[], bad: string[]}}
 */
export function parseHosts(text) {
  /** @type {Set<string>} */
  const hosts = new Set();
  const bad = [];
  for (const word of text.split(/[\s,;]+/).filter(Boolean)) {
    const bare = word.replace(/^[a-z]+:\/\//i, "").replace(/^(\*?\.)+/, "");
    let host = "";
    try {
      host = new URL(`http://${bare}`).hostname.replace(/\.$/, "");
    } catch {
      // no host: reported below
    }
    if (host && !/[*%]/.test(host)) hosts.add(host);
    else bad.push(word);
  }
  return { hosts: [...hosts], bad };
}
