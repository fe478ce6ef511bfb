import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const read = (/** @type {string} */ name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

test("Useful has the dashboard's colour in the bar and in the popup, in light and dark", () => {
  const dashboard = [...read("../daemon/web/static/base.css").matchAll(/--useful: (#[0-9a-f]{6});/g)].map((m) => m[1]);
  assert.equal(new Set(dashboard).size, 2, "one colour for light and one for dark");
  const ui = /--useful: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/.exec(read("src/shared/ui.css"));
  assert.deepEqual(ui?.slice(1), dashboard.slice(0, 2));
  assert.match(read("src/shared/ui.css"), /\[aria-pressed="true"\] \{ background: var\(--useful\)/);
  const bar = read("src/content/bar_look.js");
  for (const [i, name] of ["LIGHT", "DARK"].entries()) {
    assert.equal(new RegExp(`const ${name} = .* on: "(#[0-9a-f]{6})"`).exec(bar)?.[1], dashboard[i], name);
  }
});
