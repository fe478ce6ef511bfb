// The vectors that pin the wire format, shared with the daemon's tests.
import { readFileSync } from "node:fs";

/** @param {string} name @returns {any[]} */
export const vectors = (name) =>
  JSON.parse(readFileSync(new URL(`../../daemon/protocol/testdata/${name}.json`, import.meta.url), "utf8"));

/** A file of the extension as text. @param {string} path from extension/ */
export const source = (path) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
