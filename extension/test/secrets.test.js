// Secrets in addresses, by the tables that the daemon is tested with.
import assert from "node:assert/strict";
import test from "node:test";
import "../src/shared/secrets.js";
import { source, vectors } from "./vectors.js";

const { redact } = globalThis.nightjarPrivacy;

/** @type {Record<string, string[]>} */
const table = {};
for (const line of source("../daemon/browse/protocol/testdata/secrets.txt").split("\n")) {
  const [, kind, url] = /^(leak|keep|miss) (.*)$/.exec(line) ?? [];
  if (kind) (table[kind] ??= []).push(url);
}
const plain = (/** @type {string} */ url) => url.replace(/[{}]/g, "");

test("redact: nothing in braces in secrets.txt stays", () => {
  assert.ok(table.leak.length >= 200);
  for (const url of table.leak) {
    const clean = redact(plain(url));
    for (const [, secret] of url.matchAll(/\{([^}]*)\}/g)) assert.ok(secret.length < 5 || !clean.includes(secret), `${clean} keeps ${secret}`);
  }
});

test("redact: useful addresses stay as they are", () => {
  assert.ok(table.keep.length >= 100);
  const changed = table.keep.filter((url) => redact(url) !== url.split("#")[0]);
  assert.ok(changed.length * 100 <= 5 * table.keep.length, changed.join(" "));
});

test("redact: mutated addresses become what the daemon makes of them", () => {
  const rows = vectors("mutated");
  assert.ok(rows.length > 500);
  for (const { url, redacted } of rows) assert.equal(redact(url), redacted, url);
});

test("redact: judged addresses become what the daemon makes of them; 99 of 100 harmless ones stay, and 97 of 100 secrets go", () => {
  const rows = vectors("judged");
  for (const { url, redacted } of rows) assert.equal(redact(url), redacted, url);
  for (const [kind, most] of /** @type {const} */ ([["harmless", 0.01], ["secret", 0.03]])) {
    const all = rows.filter(({ secret }) => (secret === "") === (kind === "harmless"));
    const wrong = all.filter(({ url }) => (redact(url) === url) !== (kind === "harmless"));
    assert.ok(all.length >= 300 && wrong.length <= most * all.length, `${kind}: ${wrong.map(({ url }) => url).join(" ")}`);
  }
});

test("redact: all names are those of the daemon", () => {
  const go = source("../crawler/weburl/secret_words.go");
  const lists = source("../crawler/weburl/words.txt");
  /** @param {string} name */
  const listed = (name) => lists.split(`\n${name}:\n`)[1].split("\n\n")[0].replace(/#.*/g, "");
  const sets = [...go.matchAll(/var (\w+) = (?:texts\.Words\(`([^`]*)`\)|wordsOf)/g)].map(([, name, text]) => [name, text ?? listed(name)]);
  assert.equal(sets.length, 13);
  /** @type {Record<string, any>} */
  const words = globalThis.nightjarSecretWords;
  for (const [name, text] of sets) {
    const constant = name.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase();
    assert.deepEqual([...words[constant]].sort(), text.trim().split(/\s+/).sort(), name);
  }
  for (const [, name, text] of go.matchAll(/var (secret|hint)Endings = \[\]string\{([^}]*)\}/g)) {
    const ending = `.(${[...text.matchAll(/"(\w+)"/g)].map(([, end]) => end).join("|")})$`;
    assert.equal(words[`${name.toUpperCase()}_ENDING`].source, ending);
  }
});
