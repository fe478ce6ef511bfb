// The wire format's constants and small makers; types/protocol.d.ts describes the messages.

/** Version of the wire format. */
export const VERSION = 1;

/** Size in bytes of a snapshot's HTML before compression. */
export const MAX_HTML = 4 << 20;

/** Longest texts of an event: URLs in bytes, titles and topics in characters. */
export const MAX_URL = 16 << 10;
export const MAX_TITLE = 2000;
export const MAX_TOPIC = 200;

/** Where the daemon listens unless the person says otherwise. */
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

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} @throws when text is no base64 */
export function fromBase64(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

/**
 * The html field of a snapshot: base64 of gzip of the first MAX_HTML bytes of its UTF-8.
 * @param {string} text @returns {Promise<{html: string, truncated: boolean}>}
 */
export async function packHTML(text) {
  let bytes = new TextEncoder().encode(text.toWellFormed());
  const truncated = bytes.length > MAX_HTML;
  if (truncated) {
    let end = MAX_HTML;
    while ((bytes[end] & 0xc0) === 0x80) end--; // not within a character
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
 * The daemon's address as a WebSocket URL of this computer.
 * @param {string} text "127.0.0.1:4774", "ws://localhost:4774", "4774"… @returns {string} @throws in words
 */
export function cleanAddress(text) {
  let raw = text.trim().replace(/^(https?|wss?):\/\//i, "");
  if (/^\d+$/.test(raw)) raw = `127.0.0.1:${raw}`;
  const match = /^(127\.0\.0\.1|localhost)(?::(\d{1,5}))?\/?(?:ws)?$/i.exec(raw);
  const port = Number(match?.[2] ?? 4774);
  if (!match || port < 1 || port > 65535) {
    throw new Error("The address must be of this computer, such as 127.0.0.1:4774.");
  }
  return `ws://127.0.0.1:${port}`;
}
