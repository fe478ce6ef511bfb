// The settings of the extension and their defaults.
import { DEFAULT_ADDRESS } from "./protocol.js";

/** Hosts never recorded by default: mail, chat, money, health, signing in. The person can edit the list. */
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
  marks: false,
  barHidden: false,
  barPlace: null,
  barTab: false,
  barSites: [],
});

/**
 * Reads a list of hosts, separated by lines, commas, semicolons or blanks. Of a URL it takes the host. It drops duplicates;
 * bad are the words that are no hosts.
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
      // reported as bad below
    }
    if (host && !/[*%]/.test(host)) hosts.add(host);
    else bad.push(word);
  }
  return { hosts: [...hosts], bad };
}
