// "Try an address": what would happen to a page at an address, under the list as it stands in the field.
import "../shared/secrets.js";
import { byId } from "../shared/messages.js";
import { refusal } from "../shared/rules.js";
import { parseHosts } from "../shared/settings.js";
import { t } from "../shared/text.js";
import { whyWords } from "../shared/why.js";
import { partsText } from "../sent/words.js";

/**
 * What would happen.
 * @typedef {{verdict: ""|"yes"|"no", text: string, stored: string, parts: string}} Tried
 *   stored: the address as it would be kept; parts: what would be replaced or cut off in it
 */

/**
 * The page's URL that a browser makes of what a person types into its address field; null if it makes none.
 * @param {string} typed
 */
function urlOf(typed) {
  const text = typed.trim();
  // "example.org:8080" has a port, "mailto:x" a scheme.
  const whole = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`;
  try {
    return new URL(whole).href;
  } catch {
    return null;
  }
}

/**
 * Tries an address.
 * @param {string} typed @param {string} list the never-record list as the person wrote it
 * @param {Pick<import("../shared/rules.js").Rules, "daemonNever"|"privateNetwork"|"address">} rules @returns {Tried}
 */
export function tryAddress(typed, list, rules) {
  /** @type {Tried} */
  const none = { verdict: "", text: "", stored: "", parts: "" };
  if (!typed.trim()) return none;
  const url = urlOf(typed);
  if (url === null) return { ...none, text: t("options_try_unreadable") };
  const refused = refusal(url, { ...rules, never: parseHosts(list).hosts });
  if (refused === null) {
    const parts = globalThis.nightjarPrivacy.removed(url);
    return {
      verdict: "yes", text: t("options_try_yes"), stored: globalThis.nightjarPrivacy.redact(url),
      parts: parts.length > 0 ? t("options_try_parts", partsText(parts)) : t("options_try_whole"),
    };
  }
  return { ...none, verdict: "no", text: whyNot(refused, list) };
}

/** @param {import("../shared/rules.js").Refusal} refused @param {string} list */
function whyNot({ why, entry }, list) {
  switch (why) {
    case "list":
      return t("options_try_list", written(entry, list));
    case "daemon-list":
      return t("options_try_daemon_list", entry);
    case "own-network":
      return t("options_try_own_network");
    default:
      return t("options_try_no", whyWords(why));
  }
}

/** The word of the list that stands for a host, as the person wrote it. @param {string} host @param {string} list */
const written = (host, list) => list.split(/[\s,;]+/).find((word) => parseHosts(word).hosts[0] === host) ?? host;

/** Keeps the answer up to date while the person types. @returns {(state: import("../../types/state.d.ts").UiState) => void} to call with each state */
export function watchTry() {
  /** @type {{daemonNever: string[], address: string}|null} */
  let known = null;
  const show = () => {
    if (!known) return;
    const { verdict, text, stored, parts } = tryAddress(byId("try", HTMLInputElement).value, byId("never", HTMLTextAreaElement).value, {
      ...known, privateNetwork: byId("private-network", HTMLInputElement).checked,
    });
    const result = byId("try-result", HTMLElement);
    result.hidden = text === "";
    result.className = `tried ${verdict}`;
    byId("try-says", HTMLElement).textContent = text;
    byId("try-stored", HTMLElement).textContent = stored;
    byId("try-parts", HTMLElement).textContent = parts;
    byId("try-kept", HTMLElement).hidden = verdict !== "yes";
  };
  for (const id of ["try", "never", "private-network"]) byId(id, HTMLElement).addEventListener("input", show);
  for (const id of ["save-never", "default-never"]) byId(id, HTMLElement).addEventListener("click", () => setTimeout(show));
  return ({ daemonNever, settings }) => {
    known = { daemonNever, address: settings.address };
    show();
  };
}
