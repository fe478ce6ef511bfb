// What the stores are told agrees with the manifest.
import assert from "node:assert/strict";
import test from "node:test";
import { messages } from "./text_fake.js";
import { source } from "./vectors.js";

const manifest = JSON.parse(source("src/manifest.json"));
const text = source("STORE.md");

/** A part of the document. @param {string} heading */
const part = (heading) => text.split(/^## /m).find((one) => one.startsWith(heading)) ?? "";

/** The first two cells of the rows of a part's first table whose first cell is code. @param {string} heading @returns {string[][]} */
const rows = (heading) => [...part(heading).matchAll(/^\| `([^`]+)` \| ([^|]+) \|(?: ([^|]+) \|)?$/gm)].map((m) => m.slice(1).filter(Boolean));

test("each permission has its reason, and none has a reason that is not asked for", () => {
  const found = rows("Permissions");
  assert.deepEqual(found.filter(([, when]) => when === "always").map(([name]) => name), manifest.permissions);
  assert.deepEqual(found.filter(([, when]) => when !== "always").map(([name]) => name), [...manifest.optional_host_permissions, ...manifest.optional_permissions]);
  for (const [name, , reason] of found) assert.ok(reason.length > 5, name);
});

test("the data that is collected is the same in manifest and document", () => {
  const { required, optional } = manifest.browser_specific_settings.gecko.data_collection_permissions;
  assert.deepEqual(rows("Data collection").map(([name]) => name), required);
  assert.equal(optional, undefined);
});

test("the short description is the manifest's", () => {
  assert.equal(part("Short description").split("\n").slice(1).join(" ").trim(), messages.manifest_description.message);
});

test("the README names each permission", () => {
  const readme = source("README.md");
  for (const name of [...manifest.permissions, ...manifest.optional_permissions]) assert.ok(readme.includes(`\`${name}\``), name);
});
