import assert from "node:assert/strict";
import test from "node:test";
import { gunzipSync } from "node:zlib";
import { cleanAddress, cleanText, fromBase64, MAX_HTML, MAX_TOPIC, milestoneName, packHTML, toBase64, uuid7 } from "../src/shared/protocol.js";
import "./text_fake.js";
import { source, vectors } from "./vectors.js";

const types = source("types/protocol.d.ts");

test("protocol.d.ts knows every type and field of the shared vectors, and no other", () => {
  const events = vectors("valid").map((row) => row.event);
  const union = /type EventType =([^;]*);/.exec(types)?.[1] ?? "";
  const declared = [...union.matchAll(/"([\w.-]+)"/g)].map((m) => m[1]);
  assert.deepEqual([...new Set(events.map((e) => e.type))].sort(), declared.sort());
  const body = types.replace(/\/\*\*[^]*?\*\//g, "");
  const names = (/** @type {string} */ i) =>
    [...(new RegExp(`interface ${i}\\b[^{]*\\{([^}]*)\\}`).exec(body)?.[1] ?? "").matchAll(/(\w+)\??:/g)].map((m) => m[1]);
  const used = new Set(events.flatMap((e) => Object.keys(e)));
  assert.deepEqual([...used].sort(), [...names("EventFields"), ...names("Event")].sort());
  const hows = [...(/type How =([^;]*);/.exec(types)?.[1] ?? "").matchAll(/"([\w-]+)"/g)].map((m) => m[1]);
  assert.deepEqual([...new Set(events.map((e) => e.how).filter(Boolean))].sort(), hows.sort());
});

test("protocol.d.ts knows every reply and its fields", () => {
  const body = types.replace(/\/\*\*[^]*?\*\//g, "");
  for (const reply of vectors("replies")) {
    const found = [...body.matchAll(/interface (\w+) \{([^}]*)\}/g)].find((m) => m[2].includes(`type: "${reply.type}"`));
    assert.ok(found, `no interface for ${reply.type}`);
    const known = new Set([...found[2].matchAll(/(\w+)\??:/g)].map((m) => m[1]));
    for (const field of Object.keys(reply)) assert.ok(known.has(field), `${reply.type}.${field}`);
  }
});

test("names of milestones are folded and refused like those of the daemon", () => {
  const problems = { none: /Type a name/, long: /at most 100 characters/, taken: /Nightjar’s own/ };
  for (const { text, name, problem } of vectors("names")) {
    if (problem) assert.throws(() => milestoneName(text), problems[/** @type {keyof typeof problems} */ (problem)], JSON.stringify(text));
    else assert.equal(milestoneName(text), name);
  }
});

test("uuid7 has version, variant and time, and differs", () => {
  const now = Date.UTC(2026, 10, 21, 10);
  const id = uuid7(now);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(parseInt(id.replaceAll("-", "").slice(0, 12), 16), now);
  assert.equal(new Set(Array.from({ length: 1000 }, () => uuid7(now))).size, 1000);
});

test("base64 both ways, also of long values", () => {
  const bytes = Uint8Array.from({ length: 100_003 }, (_, i) => (i * 7) % 256);
  assert.equal(toBase64(bytes), Buffer.from(bytes).toString("base64"));
  assert.deepEqual(fromBase64(toBase64(bytes)), bytes);
});

test("packHTML", async (t) => {
  const unpack = (/** @type {string} */ html) => gunzipSync(Buffer.from(html, "base64")).toString();
  await t.test("keeps what fits", async () => {
    const { html, truncated } = await packHTML("<p>Grüße 🏒</p>");
    assert.equal(unpack(html), "<p>Grüße 🏒</p>");
    assert.equal(truncated, false);
  });
  await t.test("cuts between characters", async () => {
    const { html, truncated } = await packHTML(`a${"é".repeat(MAX_HTML / 2)}`);
    const text = unpack(html);
    assert.equal(truncated, true);
    assert.equal(Buffer.byteLength(text), MAX_HTML - 1);
    assert.ok(!text.includes("\ufffd"));
  });
  await t.test("the limit itself is not cut", async () => {
    const { html, truncated } = await packHTML("a".repeat(MAX_HTML));
    assert.equal(unpack(html).length, MAX_HTML);
    assert.equal(truncated, false);
  });
  await t.test("makes lone surrogates well-formed", async () => {
    assert.equal(unpack((await packHTML("a\ud800b")).html), "a\ufffdb");
  });
});

test("cleanText", () => {
  assert.equal(cleanText("  Ice\thockey\u0085\n ", MAX_TOPIC), "Ice hockey");
  assert.equal(cleanText(" \u0007 ", MAX_TOPIC), "");
  assert.equal([...cleanText("🏒".repeat(300), MAX_TOPIC)].length, 200);
  assert.equal(cleanText("a\ud800b", MAX_TOPIC), "a\ufffdb", "well-formed");
});

test("cleanAddress takes this computer only", () => {
  for (const text of ["127.0.0.1:4775", "ws://127.0.0.1:4775", "localhost:4775", "http://localhost:4775/", " 4775 ", "ws://127.0.0.1:4775/ws"]) {
    assert.equal(cleanAddress(text), "ws://127.0.0.1:4775", text);
  }
  assert.equal(cleanAddress("127.0.0.1"), "ws://127.0.0.1:4774");
  for (const text of ["", "evil.test:4774", "127.0.0.1.nip.io:1", "127.0.0.1:99999", "127.0.0.1:0", "10.0.0.1:4774", "127.0.0.1:1@evil.test"]) {
    assert.throws(() => cleanAddress(text), /this computer/, text);
  }
});
