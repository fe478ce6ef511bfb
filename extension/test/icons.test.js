// The icons are what tools/icons.js draws, and the toolbar shows the right ones.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { inflateSync } from "node:zlib";
import { draw, drawing, ICONS } from "../tools/icons.js";
import { iconHandlers, showIcon } from "../src/background/icon.js";
import { FakeBrowser, FakeClient } from "./browser_fake.js";
import { ownPage } from "./page_fake.js";
import { uiState } from "./states_fake.js";

const folder = new URL("../src/icons/", import.meta.url);

/** The pixels of a PNG of ours: one block of data, rows without filter. @param {string} name */
function pixels(name) {
  const file = readFileSync(new URL(name, folder));
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const at = file.indexOf("IDAT");
  const data = inflateSync(file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4)));
  const rows = Array.from({ length: height }, (_, y) => data.subarray(y * (4 * width + 1) + 1, (y + 1) * (4 * width + 1)));
  return { width, height, pixels: Buffer.concat(rows) };
}

test("each icon is what the drawing gives", () => {
  assert.deepEqual(readdirSync(folder).sort(), [...ICONS.map((icon) => icon.name), "nightjar.svg"].sort());
  for (const { name, size, colours } of ICONS) {
    const { width, height, pixels: found } = pixels(name);
    assert.deepEqual([width, height], [size, size], name);
    const made = draw(drawing(), size, colours);
    const off = made.reduce((most, v, i) => Math.max(most, Math.abs(v - found[i])), 0);
    assert.ok(off <= 1, `${name}: a colour is off by ${off}`); // cosines differ in their last digit between machines
  }
});

/** Relative luminance, WCAG 2.2. @param {number[]} rgb */
const luminance = (rgb) => rgb.map((v) => v / 255).reduce((sum, v, k) => sum + [0.2126, 0.7152, 0.0722][k] * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4), 0);

test("each icon stands out on its toolbar", () => {
  const toolbars = { "": [[0xf9, 0xf9, 0xfb], [0xde, 0xe1, 0xe6]], "-dark": [[0x2b, 0x2a, 0x33], [0x1f, 0x1f, 0x1f], [0x3c, 0x3c, 0x3c]] };
  for (const [kind, colours] of Object.entries(toolbars)) {
    const { pixels: icon, width } = pixels(`32${kind}.png`);
    const tile = luminance([...icon.subarray(4 * (width * 2 + 16), 4 * (width * 2 + 16) + 3)]);
    for (const colour of colours) {
      const [high, low] = [tile, luminance(colour)].sort((a, b) => b - a);
      assert.ok((high + 0.05) / (low + 0.05) >= 3, `32${kind}.png on ${colour}`);
    }
  }
});

test("a page tells whether the browser is dark, and again when that changes", async () => {
  const client = new FakeClient();
  client.answers["ui.state"] = () => uiState();
  const page = await ownPage("popup", client);
  page.paint(true);
  assert.deepEqual(client.themes, [{ dark: false }, { dark: true }]);
});

test("Chromium shows the icon for dark toolbars, again after a restart; Firefox chooses itself", async () => {
  const browser = new FakeBrowser();
  const agent = (/** @type {string} */ userAgent) => Object.defineProperty(globalThis, "navigator", { value: { userAgent }, configurable: true });
  Object.assign(globalThis, { chrome: browser.chrome });
  agent("Chrome/156 (X11; Linux)");
  await showIcon();
  assert.deepEqual(browser.icons, []);
  await iconHandlers["theme.set"]({ dark: true }, {});
  await showIcon();
  await iconHandlers["theme.set"]({ dark: false }, {});
  await showIcon();
  assert.deepEqual(browser.icons.map((path) => path[32]), ["/icons/32-dark.png", "/icons/32-dark.png", "/icons/32.png"]);
  agent("Firefox/153");
  await iconHandlers["theme.set"]({ dark: true }, {});
  await showIcon();
  assert.equal(browser.icons.length, 3);
});
