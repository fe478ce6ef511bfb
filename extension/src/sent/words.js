// The words of the page "What was sent".

/** @typedef {import("../../types/state.d.ts").SentEvent} SentEvent */

/** Each type of event: its kind in the filter, and what it is called. @type {Readonly<Record<string, [kind: string, name: string]>>} */
const TYPES = Object.freeze({
  "session.start": ["session", "Session started"],
  "session.pause": ["session", "Recording paused"],
  "session.resume": ["session", "Recording resumed"],
  submit: ["session", "Session submitted"],
  discard: ["session", "Session discarded"],
  visit: ["pages", "Page visited"],
  frame: ["pages", "Frame of a page"],
  back: ["pages", "Back to a page"],
  forward: ["pages", "Forward to a page"],
  snapshot: ["texts", "Text of a page"],
  useful: ["marks", "Page marked Useful"],
  "not-useful": ["marks", "Mark removed"],
  "link-useful": ["marks", "Link marked Useful"],
  label: ["marks", "Page labelled"],
});

/** @param {string} type */
export const kindOf = (type) => TYPES[type]?.[0] ?? "";

/** @param {string} type */
export const nameOf = (type) => TYPES[type]?.[1] ?? type;

/** @param {number} ms since 1970 */
export const clock = (ms) => new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });

/** The state in one word. @type {Readonly<Record<SentEvent["state"], string>>} */
export const STATES = Object.freeze({ waiting: "Waiting", stored: "Stored", refused: "Refused", dropped: "Left out" });

/** @param {SentEvent} entry */
export function stateText({ state, when, why }) {
  switch (state) {
    case "waiting":
      return "Nightjar has not confirmed it. It is kept here until then.";
    case "stored":
      return `Stored by Nightjar at ${clock(when)}.`;
    case "refused":
      return `Nightjar refused it at ${clock(when)} and stored nothing of it: ${why}.`;
    case "dropped":
      return "It was not sent: the queue was full.";
  }
}

/** What was redacted in words. @param {SentEvent} entry */
export function redactedText({ event, redacted }) {
  if (event.url === undefined && event.type !== "snapshot") return "";
  if (redacted.length === 0) return event.type === "snapshot" ? "In the links of the page nothing was replaced." : "Nothing was replaced in the address.";
  const parts = redacted.map(partText).join(", ");
  return event.type === "snapshot" ? `Replaced or cut off in the links of the page: ${parts}.` : `Replaced or cut off in the address: ${parts}.`;
}

/** @param {string} name as removed of privacy.js gives it */
function partText(name) {
  const known = /** @type {Record<string, string>} */ ({ login: "user name and password", path: "a part of the path", fragment: "the part after #", "?": "a text without a name" });
  return known[name] ?? `the value of “${name.replace(/^\?/, "")}”`;
}

/** A size for people: "850 bytes", "41 kB". @param {number} bytes */
export function sizeText(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 1e6) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
