// Where the bar is, and how it stays and goes.
import assert from "node:assert/strict";
import test from "node:test";
import { bar } from "./bar_fake.js";
import { settled } from "./page_fake.js";

test("it can be put at any edge: by the menu, by arrow keys, by dragging; and tells its place", async () => {
  const b = await bar({});
  const width = 1024, height = 768; // of jsdom's window
  assert.deepEqual(b.at(), [width - 92 - 12, height - 32 - 12, 92, 32]);
  await b.tap();
  await b.person.click(b.button("More"));
  await b.person.click(b.button("Top left"));
  assert.deepEqual(b.at(), [12, 12, 92, 32]);
  assert.deepEqual(b.client.named("bar.place").at(-1), { place: { edge: "top", at: 0 } });
  assert.equal(b.button("Top left").getAttribute("aria-pressed"), "true");
  const grip = [...b.root.querySelectorAll("button")].find((e) => e.textContent === "⠿");
  grip.focus();
  await b.key("ArrowDown");
  assert.deepEqual(b.at().slice(0, 2), [12, 36], "along the left edge");
  await b.key("ArrowRight");
  assert.equal(b.client.named("bar.place").at(-1).place.edge, "right", "across");
  await b.key("Home");
  assert.deepEqual(b.at(), [width - 92 - 12, height - 32 - 12, 92, 32]);
  const move = (/** @type {string} */ type, /** @type {number} */ x, /** @type {number} */ y) => b.person.send(grip, type, { button: 0, clientX: x, clientY: y }, "PointerEvent");
  b.root.host.getBoundingClientRect = () => ({ left: 900, top: 700 });
  await move("pointerdown", 900, 700);
  await move("pointermove", 902, 702);
  assert.deepEqual(b.at()[0], width - 92 - 12, "a press that trembles is no drag");
  await move("pointermove", 300, 100);
  assert.deepEqual(b.at().slice(0, 2), [300, 100]);
  await move("pointerup", 300, 100);
  assert.deepEqual(b.at().slice(0, 2), [300, 12], "the upper edge is the nearest");
});

test("it starts where the person left it", async () => {
  const b = await bar({ place: { edge: "left", at: 0.5 } });
  assert.deepEqual(b.at().slice(0, 2), [12, (768 - 32) / 2]);
});

test("collapsed it is a small tab at the edge; that can be undone at once, and later by the menu", async () => {
  const b = await bar({});
  const was = { everywhere: "pill", site: null };
  b.client.answers["bar.shape"] = () => was;
  await b.tap();
  await b.person.click(b.button("More"));
  await b.person.click(b.button("Collapse on this site"));
  assert.deepEqual(b.client.named("bar.shape"), [{ shape: "tab", everywhere: false }]);
  b.show({ shape: "tab" });
  assert.match(b.heard(), /small tab on this site/);
  await b.person.click(b.button("Undo"));
  assert.deepEqual(b.client.named("bar.shape.undo"), [was]);
  await b.tap();
  assert.deepEqual(b.labels(), ["Nightjar: open the bar"]);
  assert.deepEqual(b.at(), [1024 - 44 - 12, 768 - 12, 44, 12]);
  await b.person.click(b.button("Nightjar: open the bar"));
  assert.ok(b.button("Useful"), "it opens in full");
  await b.person.click(b.button("More"));
  await b.person.click(b.button("Show in full on this site"));
  assert.deepEqual(b.client.named("bar.shape").at(-1), { shape: "pill", everywhere: false });
});

test("hidden it goes when the time to undo is over", async () => {
  const b = await bar({});
  b.client.answers["bar.shape"] = () => ({ everywhere: "pill", site: null });
  await b.tap();
  await b.person.click(b.button("More"));
  await b.person.click(b.button("Hide everywhere"));
  b.show({ show: false });
  assert.match(b.text(), /hidden on every site now\. The toolbar button shows it again\./);
  await b.clock.pass(11_000);
  assert.equal(b.there(), false);
});

test("a page that removes or restyles the bar gets it back as it was, ten times at most", async () => {
  const b = await bar({});
  const { host } = b.root;
  const spoil = [() => host.remove(), () => (host.style.cssText = "opacity: 0"), () => host.style.setProperty("left", "0px", "important")];
  const css = host.style.cssText;
  for (let i = 0; i < 10; i++) {
    spoil[i % 3]();
    await settled();
    assert.equal(b.there() && host.style.cssText, css, `spoiled ${i + 1} times`);
  }
  host.remove();
  await settled();
  assert.equal(b.there(), false);
});

test("the bar is not printed, and not shown in full screen", async () => {
  const b = await bar({});
  b.window.dispatchEvent(new b.window.Event("beforeprint"));
  assert.equal(b.root.host.style.display, "none");
  b.window.dispatchEvent(new b.window.Event("afterprint"));
  assert.equal(b.root.host.style.display, "block");
  let full = b.document.body;
  Object.defineProperty(b.document, "fullscreenElement", { get: () => full, configurable: true });
  b.document.dispatchEvent(new b.window.Event("fullscreenchange"));
  assert.equal(b.root.host.style.display, "none");
  full = null;
  b.document.dispatchEvent(new b.window.Event("fullscreenchange"));
  assert.equal(b.root.host.style.display, "block");
});

test("while the page does nothing, the bar has nothing planned", async () => {
  const b = await bar({});
  await b.clock.pass(10_000);
  assert.deepEqual(b.clock.timers, []);
  b.document.body.className = "changed";
  await settled();
  assert.equal(b.clock.timers.length, 1);
  for (let i = 0; i < 100; i++) {
    b.document.body.className = `changed ${i}`;
    await settled();
  }
  assert.equal(b.clock.timers.length, 1, "many changes are looked at once");
  await b.clock.pass(10_000);
  assert.deepEqual(b.clock.timers, []);
});

test("a site that is never recorded from now on: the bar opens, says so once and takes it back", async () => {
  const b = await bar({});
  b.show({ forgotten: { host: "bank.test", pages: 2 } });
  assert.equal(b.open(), true);
  assert.match(b.text(), /bank\.test is never recorded from now on\. 2 pages removed from this session\./);
  assert.match(b.heard(), /bank\.test/);
  await b.person.click(b.button("Undo"));
  assert.deepEqual(b.asked(), ["never.undo"]);
  b.show({});
  assert.equal(b.button("Undo"), undefined);
});
