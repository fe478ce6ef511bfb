// Constants and helpers for the wire format. types/protocol.d.ts describes the messages.
import { t } from "./text.js";

/** Version of the wire format. */
export const VERSION = 1;

/** Largest HTML of a snapshot before compression, in bytes. */
export const MAX_HTML = 4 << 20;

/** Longest URL in bytes, longest title and topic in characters. */
export const MAX_URL = 16 << 10;
export const MAX_TITLE = 2000;
export const MAX_TOPIC = 200;

/** Longest name of a milestone in characters. */
export const MAX_LABEL = 100;

/** The daemon's default address. */
export const DEFAULT_ADDRESS = "ws://127.0.0.1:4774";

/**
 * A UUID of version 7: 48 bits of milliseconds, then random bits.
 * @param {number} [now] milliseconds since 1970 @returns {string}
 */
export function uuid7(now = Date.now()) {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(now / 2 ** (8 * (5 - i))) % 256;
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const hex = Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
}

/** Standard base64 with padding. @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} @throws if text is not base64 */
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/**
 * The html field of a snapshot: the first MAX_HTML bytes of the text as UTF-8, compressed with gzip, as base64.
 * @param {string} text @returns {Promise<{html: string, truncated: boolean}>}
 */
export async function packHTML(text) {
  let bytes = new TextEncoder().encode(text.toWellFormed());
  const truncated = bytes.length > MAX_HTML;
  if (truncated) {
    let end = MAX_HTML;
    while ((bytes[end] & 0xc0) === 0x80) end--; // do not cut inside a character
    bytes = bytes.subarray(0, end);
  }
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return { html: toBase64(new Uint8Array(await new Response(packed).arrayBuffer())), truncated };
}

/**
 * A title or topic without control characters and without blanks around it; "" when nothing is left.
 * @param {string} text @param {number} max characters
 */
export function cleanText(text, max) {
  return [...text.toWellFormed().replace(/\p{Cc}+/gu, " ").trim()].slice(0, max).join("").trim();
}

/**
 * The name of a milestone as it is kept. The Go function protocol.MilestoneName does the same; the vectors in names.json
 * test both.
 * @param {string} text @returns {string} @throws with a message for the person
 */
export function milestoneName(text) {
  const name = text.toWellFormed().replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (!name) throw new Error(t("shared_label_none"));
  if ([...name].length > MAX_LABEL) throw new Error(t("shared_label_long", MAX_LABEL));
  if (/^(goal|fail|pre-.*|t_?[0-9]+)$/i.test(name)) {
    throw new Error(t("shared_label_own"));
  }
  return name;
}

/**
 * The WebSocket URL of the daemon on this computer.
 * @param {string} text "127.0.0.1:4774", "ws://localhost:4774", "4774"… @returns {string} @throws with a message for the person
 */
export function cleanAddress(text) {
  let raw = text.trim().replace(/^(https?|wss?):\/\//i, "");
  if (/^\d+$/.test(raw)) raw = `127.0.0.1:${raw}`;
  const match = /^(127\.0\.0\.1|localhost)(?::(\d{1,5}))?\/?(?:ws)?$/i.exec(raw);
  const port = Number(match?.[2] ?? 4774);
  if (!match || port < 1 || port > 65535) {
    throw new Error(t("shared_local_address"));
  }
  return `ws://127.0.0.1:${port}`;
}
