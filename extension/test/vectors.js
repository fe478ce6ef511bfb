// The test vectors that extension and daemon share, and the source files of the extension.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** @param {string} name @returns {any[]} at least one: a test of none would pass */
export function vectors(name) {
  const rows = JSON.parse(readFileSync(new URL(`../../daemon/browse/protocol/testdata/${name}.json`, import.meta.url), "utf8"));
  assert.ok(Array.isArray(rows) && rows.length > 0, `${name}.json has no vectors`);
  return rows;
}

/** A file of the extension as text. @param {string} path relative to extension/ */
export const source = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
