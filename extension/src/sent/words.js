// The words of the page "What was sent".
import { t } from "../shared/text.js";

/** @typedef {import("../../types/state.d.ts").SentEvent} SentEvent */

/** The kind of each type of event in the filter. @type {Readonly<Record<string, string>>} */
const KINDS = Object.freeze({
  "session.start": "session", "session.pause": "session", "session.resume": "session", submit: "session", discard: "session",
  visit: "pages", frame: "pages", back: "pages", forward: "pages", snapshot: "texts",
  useful: "marks", "not-useful": "marks", "link-useful": "marks", "link-not-useful": "marks", label: "marks",
});

/** @param {string} type */
export const kindOf = (type) => KINDS[type] ?? "";

/** @param {string} type */
export const nameOf = (type) => (KINDS[type] ? t(`sent_type_${type.replace(/[.-]/g, "_")}`) : type);

/** @param {number} ms since 1970 */
export const clock = (ms) => new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

/** The state in one word. @param {SentEvent["state"]} state */
export const stateWord = (state) => t(`sent_state_${state}`);

/** @param {SentEvent} entry */
export function stateText({ state, when, why }) {
  switch (state) {
    case "waiting":
      return t("sent_state_text_waiting");
    case "stored":
      return t("sent_state_text_stored", clock(when));
    case "refused":
      return t("sent_state_text_refused", clock(when), why.replace(/\.$/, ""));
    case "dropped":
      return t("sent_state_text_dropped");
  }
}

/** What was redacted in words. @param {SentEvent} entry */
export function redactedText({ event, redacted }) {
  const links = event.type === "snapshot";
  if (event.url === undefined && !links) return "";
  if (redacted.length === 0) return links ? t("sent_redacted_none_links") : t("sent_redacted_none");
  const parts = partsText(redacted);
  return links ? t("sent_redacted_links", parts) : t("sent_redacted", parts);
}

/** What was replaced or cut off, such as "the value of “token”, the part after #". @param {readonly string[]} names as removed of privacy.js gives them */
export const partsText = (names) => names.map(partText).join(", ");

/** @param {string} name */
function partText(name) {
  switch (name) {
    case "login":
      return t("sent_part_login");
    case "path":
      return t("sent_part_path");
    case "fragment":
      return t("sent_part_fragment");
    case "?":
      return t("sent_part_unnamed");
    default:
      return t("sent_part_value", name.replace(/^\?/, ""));
  }
}

/** A size for people: "850 bytes", "41 kB". @param {number} bytes */
export function sizeText(bytes) {
  if (bytes < 1000) return t("sent_size_bytes", bytes);
  return bytes < 1e6 ? t("sent_size_kb", Math.round(bytes / 1000)) : t("sent_size_mb", (bytes / 1e6).toFixed(1));
}
