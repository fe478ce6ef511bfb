import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { ACCESS } from "../src/shared/access.js";
import { FILES } from "../src/background/scripts.js";
import { source } from "./vectors.js";

const src = new URL("../src/", import.meta.url).pathname;
const manifest = JSON.parse(source("src/manifest.json"));

/** @param {any} value @returns {string[]} every text in value that names a file */
function files(value) {
  if (typeof value === "string") return /^[\w./-]+\.(js|html|css|png)$/.test(value) ? [value] : [];
  return value && typeof value === "object" ? Object.values(value).flatMap(files) : [];
}

test("every file that the manifest names exists", () => {
  const named = files(manifest);
  assert.ok(named.length > 8, `only ${named.length} files found in the manifest`);
  for (const name of named) assert.ok(existsSync(join(src, name)), name);
});

test("every file that a page names exists", () => {
  for (const name of ["popup", "options", "welcome", "sent"]) {
    assert.deepEqual(readdirSync(join(src, name)).filter((n) => n.endsWith(".html")), [`${name}.html`]);
    const html = source(`src/${name}/${name}.html`);
    assert.ok(!/<script(?![^>]*\bsrc=)|\bon\w+=|<style/.test(html), `${name} has something inline`);
    const targets = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map((m) => m[1]);
    assert.ok(targets.length >= 3, `only ${targets.length} files found in ${name}.html`);
    for (const target of targets) assert.ok(statSync(join(src, name, target)).isFile(), `${name}: ${target}`);
  }
});

test("every id that a script uses is in its page", () => {
  for (const name of ["popup", "options", "welcome", "sent"]) {
    const html = source(`src/${name}/${name}.html`);
    const ids = [...source(`src/${name}/${name}.js`).matchAll(/(?:byId|onClick|write|show)\("([\w-]+)"/g)].map((m) => m[1]);
    assert.ok(ids.length > 5, `only ${ids.length} ids found in ${name}.js`);
    for (const id of ids) assert.ok(html.includes(`id="${id}"`), `${name}.html has no #${id}`);
  }
});

test("one manifest for both browsers; other extensions and pages have no access", () => {
  assert.deepEqual(manifest.background.scripts, [manifest.background.service_worker]);
  assert.equal(manifest.background.type, "module");
  assert.equal(manifest.incognito, "not_allowed");
  for (const key of ["externally_connectable", "web_accessible_resources", "content_scripts", "host_permissions"]) assert.ok(!(key in manifest), key);
  assert.equal(manifest.content_security_policy.extension_pages, "script-src 'self'; object-src 'self'; connect-src ws://127.0.0.1:* http://127.0.0.1:*");
  assert.deepEqual(manifest.browser_specific_settings.gecko.data_collection_permissions.required, ["browsingActivity", "websiteContent"]);
  const suggested = Object.values(manifest.commands).filter((c) => c.suggested_key).map((c) => c.suggested_key.default);
  assert.equal(suggested.length, 4, "Chromium takes at most four suggested keys");
  assert.equal(new Set(suggested).size, 4);
  for (const key of suggested) {
    assert.match(key, /^Alt\+Shift\+[A-Z]$/);
    assert.ok(!"ABCNPRTWXZ".includes(key.at(-1)), `Chromium has ${key} itself`);
  }
  const sources = ["main", "app", "handlers"].map((n) => source(`src/background/${n}.js`)).join();
  assert.ok(!/onMessageExternal|onConnectExternal/.test(sources));
});

test("the key gives the Chromium id that the README names", () => {
  const hash = createHash("sha256").update(Buffer.from(manifest.key, "base64")).digest("hex").slice(0, 32);
  const id = hash.replace(/./g, (c) => String.fromCharCode(97 + parseInt(c, 16)));
  assert.ok(source("README.md").includes(id), id);
});

test("pages and navigation events are asked for when the first session starts, not at installation", () => {
  assert.deepEqual([manifest.optional_host_permissions, manifest.optional_permissions], [ACCESS.origins, ACCESS.permissions]);
  // Neither browser shows a warning for one of these.
  for (const name of manifest.permissions) assert.ok(["alarms", "contextMenus", "scripting", "storage", "unlimitedStorage"].includes(name), name);
});

test("content scripts are classic scripts", () => {
  assert.ok(FILES.length >= 4);
  for (const name of FILES) {
    assert.ok(!/^\s*(import|export)\b/m.test(source(`src/${name}`)), `${name} is a module`);
  }
});
