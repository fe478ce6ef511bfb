// The extension's side of pairing and authentication. During pairing, both sides commit to their key before either reveals
// it, so that an attacker between them cannot search for keys that give the same six digits. Later, both sides prove at
// each connection that they hold the shared key.
import { fromBase64, toBase64, VERSION } from "../shared/protocol.js";
import { t } from "../shared/text.js";
import { Refused } from "./wire.js";

/** Time limits for one step of the handshake and for the person's approval, ms. */
const STEP = 10_000;
const APPROVAL = 130_000;

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** Concatenates texts (as UTF-8) and bytes. @param {...(string|Uint8Array)} parts @returns {Bytes} */
function join(...parts) {
  const all = parts.map((p) => (typeof p === "string" ? new TextEncoder().encode(p) : p));
  const out = new Uint8Array(all.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of all) {
    out.set(p, at);
    at += p.length;
  }
  return out;
}

/** @param {...(string|Uint8Array)} parts @returns {Promise<Bytes>} */
const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", join(...parts)));

/** @param {number} n @returns {Bytes} */
const random = (n) => crypto.getRandomValues(new Uint8Array(n));

/** SHA-256("nightjar pair commit" | public | random). @param {Bytes} publicKey @param {Bytes} randomBytes */
export const commitment = (publicKey, randomBytes) => sha256("nightjar pair commit", publicKey, randomBytes);

/**
 * The hash of all values of one pairing.
 * @param {string} client @param {{public: Bytes, random: Bytes}} c @param {{public: Bytes, random: Bytes}} d
 */
export const transcript = (client, c, d) => sha256("nightjar pair", client, c.public, c.random, d.public, d.random);

/** The six digits that both sides show. @param {Bytes} all transcript */
export async function digits(all) {
  const hash = await sha256("digits", all);
  return String(new DataView(hash.buffer).getUint32(0) % 1_000_000).padStart(6, "0");
}

/**
 * The pairing key: HKDF-SHA256 of the X25519 secret, salted with the transcript.
 * @param {CryptoKey} mine private @param {Bytes} theirs public @param {Bytes} all transcript @returns {Promise<Bytes>} 32 bytes
 */
export async function agree(mine, theirs, all) {
  const peer = await crypto.subtle.importKey("raw", theirs, { name: "X25519" }, false, []);
  const shared = await crypto.subtle.deriveBits({ name: "X25519", public: peer }, mine, 256);
  const ikm = await crypto.subtle.importKey("raw", shared, "HKDF", false, ["deriveBits"]);
  const info = new TextEncoder().encode("nightjar key");
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: all, info }, ikm, 256));
}

/** An HMAC key that scripts cannot read. @param {Bytes} bytes @returns {Promise<CryptoKey>} */
export const hmacKey = (bytes) =>
  crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);

/** The text that the daemon signs. @param {Bytes} c @param {Bytes} d nonces of client and daemon */
export const daemonText = (c, d) => join("nightjar daemon", c, d);

/** The text that the extension signs. @param {Bytes} c @param {Bytes} d nonces of client and daemon */
export const extensionText = (c, d) => join("nightjar extension", c, d);

/** @param {string} text @returns {Bytes} 32 bytes @throws {Refused} */
function bytes32(text) {
  let bytes = new Uint8Array(0);
  try {
    bytes = fromBase64(text);
  } catch {
    // refused below
  }
  if (bytes.length !== 32) throw new Refused("unexpected", t("back_bad_handshake"));
  return bytes;
}

/**
 * Agrees on a key with the daemon. Resolves after the person has approved the digits in the dashboard.
 * @param {import("./wire.js").Wire} wire @param {{client: string, name: string}} me
 * @param {(digits: string) => void} show @returns {Promise<CryptoKey>} @throws {Refused}
 */
export async function pair(wire, { client, name }, show) {
  const keys = /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey({ name: "X25519" }, false, ["deriveBits"]));
  const c = { public: new Uint8Array(await crypto.subtle.exportKey("raw", keys.publicKey)), random: random(32) };
  wire.send({ type: "pair.commit", v: VERSION, client, name, commit: toBase64(await commitment(c.public, c.random)) });
  const committed = await wire.expect("pair.commit", STEP);
  wire.send({ type: "pair.reveal", public: toBase64(c.public), random: toBase64(c.random) });
  const reveal = await wire.expect("pair.reveal", STEP);
  const d = { public: bytes32(reveal.public), random: bytes32(reveal.random) };
  if (toBase64(await commitment(d.public, d.random)) !== committed.commit) {
    throw new Refused("changed-key", t("back_changed_key"));
  }
  const all = await transcript(client, c, d);
  const key = await hmacKey(await agree(keys.privateKey, d.public, all));
  show(await digits(all));
  await wire.expect("pair.done", APPROVAL);
  return key;
}

/**
 * Authenticates both sides. The daemon proves first that it holds the key, then we do. No event may be sent before that.
 * @param {import("./wire.js").Wire} wire @param {string} client @param {CryptoKey} key
 * @throws {Refused} with code "stranger" if the other side does not hold the key
 */
export async function hello(wire, client, key) {
  const mine = random(32);
  wire.send({ type: "hello", v: VERSION, client, nonce: toBase64(mine) });
  const challenge = await wire.expect("challenge", STEP);
  const theirs = bytes32(challenge.nonce);
  if (!(await crypto.subtle.verify("HMAC", key, bytes32(challenge.mac), daemonText(mine, theirs)))) {
    throw new Refused("stranger", t("back_stranger"));
  }
  const mac = await crypto.subtle.sign("HMAC", key, extensionText(mine, theirs));
  wire.send({ type: "proof", mac: toBase64(new Uint8Array(mac)) });
}
