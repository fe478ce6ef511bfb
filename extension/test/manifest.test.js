import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { source } from "./vectors.js";

const src = new URL("../src/", import.meta.url).pathname;
const manifest = JSON.parse(source("src/manifest.json"));

/** @param {any} value @returns {string[]} every text in value that names a file */
function files(value) {
  if (typeof value === "string") return /^[\w./-]+\.(js|html|css|png)$/.test(value) ? [value] : [];
  return value && typeof value === "object" ? Object.values(value).flatMap(files) : [];
}

test("every file that the manifest names is there", () => {
  const named = files(manifest);
  assert.ok(named.length > 12, `only ${named.length} files found in the manifest`);
  for (const name of named) assert.ok(existsSync(join(src, name)), name);
});

test("every file that a page names is there", () => {
  for (const folder of ["popup", "options", "welcome"]) {
    for (const name of readdirSync(join(src, folder)).filter((n) => n.endsWith(".html"))) {
      const html = source(`src/${folder}/${name}`);
      assert.ok(!/<script(?![^>]*\bsrc=)|\bon\w+=|<style/.test(html), `${name} has something inline`);
      for (const [, target] of html.matchAll(/(?:src|href)="([^"#]+)"/g)) {
        assert.ok(statSync(join(src, folder, target)).isFile(), `${name}: ${target}`);
      }
    }
  }
});

test("every id that a page's script asks for is in the page", () => {
  for (const name of ["popup", "options", "welcome"]) {
    const html = source(`src/${name}/${name}.html`);
    for (const [, id] of source(`src/${name}/${name}.js`).matchAll(/(?:byId|onClick|write|show)\("([\w-]+)"/g)) {
      assert.ok(html.includes(`id="${id}"`), `${name}.html has no #${id}`);
    }
  }
});

test("one manifest for both browsers, nothing open to others", () => {
  assert.deepEqual(manifest.background.scripts, [manifest.background.service_worker]);
  assert.equal(manifest.background.type, "module");
  assert.equal(manifest.incognito, "not_allowed");
  for (const key of ["externally_connectable", "web_accessible_resources", "optional_permissions"]) assert.ok(!(key in manifest), key);
  assert.equal(manifest.content_security_policy.extension_pages, "script-src 'self'; object-src 'self'; connect-src ws://127.0.0.1:* http://127.0.0.1:*");
  assert.deepEqual(manifest.browser_specific_settings.gecko.data_collection_permissions.required, ["browsingActivity", "websiteContent"]);
  assert.ok(Object.keys(manifest.commands).length <= 4, "Chromium takes at most four suggested keys");
  const sources = ["main", "app", "handlers"].map((n) => source(`src/background/${n}.js`)).join();
  assert.ok(!/onMessageExternal|onConnectExternal/.test(sources));
});

test("the key fixes Chromium's id to the one in the README", () => {
  const hash = createHash("sha256").update(Buffer.from(manifest.key, "base64")).digest("hex").slice(0, 32);
  const id = hash.replace(/./g, (c) => String.fromCharCode(97 + parseInt(c, 16)));
  assert.ok(source("README.md").includes(id), id);
});

test("content scripts are classic scripts", () => {
  for (const name of manifest.content_scripts[0].js) {
    assert.ok(!/^\s*(import|export)\b/m.test(source(`src/${name}`)), `${name} is a module`);
  }
});
