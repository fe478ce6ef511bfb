import assert from "node:assert/strict";
import test from "node:test";
import { agree, commitment, daemonText, digits, extensionText, hello, hmacKey, pair, transcript } from "../src/background/handshake.js";
import { Refused, Wire } from "../src/background/wire.js";
import { fromBase64, toBase64 } from "../src/shared/protocol.js";
import { FakeDaemon } from "./fake_daemon.js";
import "./text_fake.js";
import { vectors } from "./vectors.js";

const PKCS8 = Buffer.from("302e020100300506032b656e04220420", "hex"); // what DER puts before a raw X25519 key

/** @param {string} raw base64 */
const privateKey = (raw) =>
  crypto.subtle.importKey("pkcs8", Buffer.concat([PKCS8, Buffer.from(raw, "base64")]), { name: "X25519" }, false, ["deriveBits"]);

test("the shared vectors: every value of pairing and hello", async (t) => {
  for (const v of vectors("handshake")) {
    await t.test(v.digits, async () => {
      const c = { public: fromBase64(v.clientPublic), random: fromBase64(v.clientRandom) };
      const d = { public: fromBase64(v.daemonPublic), random: fromBase64(v.daemonRandom) };
      const said = Object.fromEntries(v.messages.map((/** @type {any} */ m) => [`${m.from} ${m.message.type}`, m.message]));
      assert.equal(toBase64(await commitment(c.public, c.random)), said["extension pair.commit"].commit);
      assert.equal(toBase64(await commitment(d.public, d.random)), said["daemon pair.commit"].commit);
      const script = await transcript(v.client, c, d);
      assert.equal(toBase64(script), v.transcript);
      assert.equal(await digits(script), v.digits);
      const key = await agree(await privateKey(v.clientPrivate), d.public, script);
      assert.equal(toBase64(key), v.key);
      const mac = await hmacKey(key);
      const [ours, theirs] = [fromBase64(said["extension hello"].nonce), fromBase64(said["daemon challenge"].nonce)];
      assert.ok(await crypto.subtle.verify("HMAC", mac, fromBase64(said["daemon challenge"].mac), daemonText(ours, theirs)));
      const proof = await crypto.subtle.sign("HMAC", mac, extensionText(ours, theirs));
      assert.equal(toBase64(new Uint8Array(proof)), said["extension proof"].mac);
    });
  }
});

const me = { client: "3f2b8c1e-9d47-4c5a-b6e0-1a2b3c4d5e6f", name: "Chromium on Linux" };

test("pair and hello with a daemon that shares no code", async () => {
  const daemon = new FakeDaemon();
  let shown = "";
  const key = await pair(await Wire.open("ws://x", 1000, daemon.dial), me, (d) => (shown = d));
  assert.match(shown, /^\d{6}$/);
  assert.equal(shown, daemon.digits);
  assert.equal(key.extractable, false);
  const wire = await Wire.open("ws://x", 1000, daemon.dial);
  await hello(wire, me.client, key);
  assert.equal((await wire.receive(1000)).type, "state");
});

test("a daemon that changes its key after committing is refused", async () => {
  const daemon = new FakeDaemon();
  daemon.impostor = true;
  const shown = /** @type {string[]} */ ([]);
  await assert.rejects(pair(await Wire.open("ws://x", 1000, daemon.dial), me, (d) => shown.push(d)), { code: "changed-key" });
  assert.deepEqual(shown, []);
});

test("when the person declines, pairing fails with that code", async () => {
  const daemon = new FakeDaemon();
  daemon.approve = false;
  await assert.rejects(pair(await Wire.open("ws://x", 1000, daemon.dial), me, () => {}), (e) => e instanceof Refused && e.code === "pair-refused");
});

test("an impostor gets hello and nothing more", async () => {
  const daemon = new FakeDaemon();
  const key = await pair(await Wire.open("ws://x", 1000, daemon.dial), me, () => {});
  daemon.impostor = true;
  daemon.heard = [];
  await assert.rejects(hello(await Wire.open("ws://x", 1000, daemon.dial), me.client, key), { code: "stranger" });
  assert.deepEqual(daemon.heard.map((m) => JSON.parse(m).type), ["hello"]);
});

test("Wire", async (t) => {
  await t.test("no daemon", () => {
    const daemon = new FakeDaemon();
    daemon.up = false;
    return assert.rejects(Wire.open("ws://x", 1000, daemon.dial), /no answer/);
  });
  await t.test("no answer in time closes", async () => {
    const daemon = new FakeDaemon();
    const wire = await Wire.open("ws://x", 1000, daemon.dial);
    await assert.rejects(wire.receive(5), /in time/);
    assert.throws(() => wire.send({ type: "ping" }), /in time/);
  });
  await t.test("a message that is not JSON closes", async () => {
    const daemon = new FakeDaemon();
    const wire = await Wire.open("ws://x", 1000, daemon.dial);
    const waiting = wire.receive(1000);
    for (const socket of daemon.sockets) socket.onmessage?.({ data: "<html>" });
    await assert.rejects(waiting, /JSON/);
  });
});
