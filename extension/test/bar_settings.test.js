// What the background keeps about the bar.
import assert from "node:assert/strict";
import test from "node:test";
import { cleanPlace, hide, MAX_SITES, barHandlers, shapeAt, shapes, unhide } from "../src/background/bar.js";
import { DEFAULTS } from "../src/shared/settings.js";

/** The bar's handlers with settings of their own, for the page of a site. */
function background() {
  const settings = { ...DEFAULTS, barSites: [...DEFAULTS.barSites] };
  const app = { store: { kept: { settings } }, task: async (/** @type {() => unknown} */ work) => work(), changed: () => {} };
  const handlers = barHandlers(/** @type {any} */ (app), async () => {});
  const from = (/** @type {string} */ url) => /** @type {any} */ ({ tab: { id: 1, url } });
  return { settings, handlers, from };
}

test("a choice for one site holds there only; one for all sites holds on this one, too", async () => {
  const { settings, handlers, from } = background();
  const at = (/** @type {string} */ host) => shapeAt(settings, `http://${host}/page`);
  await handlers["bar.shape"]({ shape: "tab", everywhere: false }, from("http://a.test/x"));
  assert.deepEqual([at("a.test"), at("b.test")], ["tab", "pill"]);
  await handlers["bar.shape"]({ shape: "none", everywhere: true }, from("http://a.test/y"));
  assert.deepEqual([at("a.test"), at("b.test")], ["none", "none"]);
  await handlers["bar.shape"]({ shape: "pill", everywhere: false }, from("http://b.test/"));
  assert.deepEqual([at("a.test"), at("b.test")], ["none", "pill"]);
  assert.equal(settings.barSites.length, 1);
});

test("undo restores what was", async () => {
  const { settings, handlers, from } = background();
  const page = from("https://a.test/");
  for (const [shape, everywhere] of /** @type {const} */ ([["tab", false], ["none", true], ["tab", true], ["pill", false]])) {
    const before = structuredClone(settings);
    const was = await handlers["bar.shape"]({ shape, everywhere }, page);
    await handlers["bar.shape.undo"](was, page);
    assert.deepEqual(settings, before, `${shape} ${everywhere}`);
    await handlers["bar.shape"]({ shape, everywhere }, page);
  }
});

test("the list of sites is bounded, the oldest choice goes first", async () => {
  const { settings, handlers, from } = background();
  for (let i = 0; i <= MAX_SITES; i++) await handlers["bar.shape"]({ shape: "tab", everywhere: false }, from(`http://site${i}.test/`));
  assert.equal(settings.barSites.length, MAX_SITES);
  assert.equal(shapeAt(settings, "http://site0.test/"), "pill");
  assert.equal(shapeAt(settings, `http://site${MAX_SITES}.test/`), "tab");
});

test("what is no shape or place changes nothing, or puts the bar into its corner", async () => {
  const { settings, handlers, from } = background();
  const before = structuredClone(settings);
  for (const bad of ["", "toString", null, 7]) await handlers["bar.shape"]({ shape: /** @type {any} */ (bad), everywhere: true }, from("http://a.test/"));
  await handlers["bar.shape.undo"](/** @type {any} */ ({ everywhere: "x", site: "y" }), from("http://a.test/"));
  assert.deepEqual(settings, before);
  for (const bad of [null, {}, { right: 16, bottom: 16 }, { edge: "middle", at: 0 }, { edge: "top", at: 2 }, { edge: "top", at: "1" }, { edge: "top", at: NaN }]) {
    assert.equal(cleanPlace(bad), null);
  }
  await handlers["bar.place"]({ place: /** @type {any} */ ({ edge: "left", at: 0.25, more: "x".repeat(1000) }) }, from("http://a.test/"));
  assert.deepEqual(settings.barPlace, { edge: "left", at: 0.25 });
});

test("popup and keys show and hide it again, whatever hid it", () => {
  const { settings } = background();
  hide(settings, "http://a.test/");
  assert.deepEqual(shapes(settings, "http://a.test/"), { everywhere: "none", site: null });
  unhide(settings, "http://a.test/");
  assert.equal(shapeAt(settings, "http://a.test/"), "pill");
  settings.barTab = true;
  settings.barSites = [{ host: "a.test", shape: "none" }];
  unhide(settings, "http://a.test/");
  assert.equal(shapeAt(settings, "http://a.test/"), "tab", "a tab stays a tab");
});
