// Where the bar goes, on pages whose layout the test makes up: boxes with a rectangle each, the last on top.
import assert from "node:assert/strict";
import test from "node:test";
import { webPage } from "./page_fake.js";

const VIEW = { width: 1000, height: 700 };
const PILL = { width: 92, height: 32 };

/** @typedef {{html: string, at: [number, number, number, number]}} Box at: left, top, width, height */

/** A page of boxes. @param {Box[]} boxes @param {{scrolls?: boolean}} [options] */
async function page(boxes, { scrolls = true } = {}) {
  const { window: w, document } = await webPage({ html: `<html><body>${boxes.map((b) => b.html).join("")}</body></html>` });
  const rects = new Map(boxes.map((b, i) => [document.body.children[i], b.at]));
  const rect = (/** @type {Element} */ e) => rects.get(e) ?? rects.get(/** @type {Element} */ (e.parentElement)) ?? [0, 0, VIEW.width, VIEW.height];
  w.Element.prototype.getBoundingClientRect = function () {
    const [left, top, width, height] = rect(this);
    return { left, top, width, height };
  };
  Object.defineProperties(document.documentElement, {
    clientWidth: { value: VIEW.width }, clientHeight: { value: VIEW.height }, scrollHeight: { value: scrolls ? 5000 : VIEW.height },
  });
  Object.defineProperty(document, "compatMode", { value: "CSS1Compat" });
  let asked = 0;
  w.Document.prototype.elementsFromPoint = (/** @type {number} */ x, /** @type {number} */ y) => {
    asked++;
    const inside = [...rects].filter(([, [l, t, width, height]]) => x >= l && y >= t && x < l + width && y < t + height).map(([e]) => e);
    return [...inside.reverse().map((e) => e.querySelector("[data-top]") ?? e), document.body, document.documentElement];
  };
  const bar = w.nightjarBarPlace;
  const host = document.createElement("div");
  return {
    bar, host, asked: () => asked,
    /** The free place for a wanted one, and its rectangle. @param {any} [wanted] */
    free: (wanted = { edge: "bottom", at: 1 }) => {
      const place = bar.free(wanted, PILL, host);
      return place && { ...place, ...bar.rectAt(place, PILL) };
    },
  };
}

/** @param {string} style @param {string} [inner] */
const box = (style, inner = "") => `<div style="${style}">${inner}</div>`;
const corner = { x: 1000 - 92 - 12, y: 700 - 32 - 12 };

test("a free corner is kept, with few looks at the page", async () => {
  const p = await page([]);
  assert.deepEqual((({ x, y }) => ({ x, y }))(p.free()), corner);
  assert.ok(p.asked() <= 24, `${p.asked()} points`);
});

test("it moves along its edge beside what is fixed there", async () => {
  for (const style of ["position: fixed", "position: sticky"]) {
    const p = await page([{ html: box(style), at: [900, 600, 80, 80] }]);
    const { edge, x, y, width } = p.free();
    assert.equal(edge, "bottom");
    assert.equal(y, corner.y);
    assert.ok(x + width <= 900 && x + width > 880, `at ${x}`);
  }
});

test("it goes up the side above a banner along the whole edge", async () => {
  const p = await page([{ html: box("position: fixed"), at: [0, 500, 1000, 200] }]);
  const { edge, x, y } = p.free();
  assert.equal(edge, "right");
  assert.equal(x, corner.x);
  assert.ok(y + 32 <= 500 && y + 32 > 480, `at ${y}`);
});

test("dialogs count wherever they are; layers over the whole window do not", async () => {
  const dialog = await page([{ html: "<div role=dialog></div>", at: [800, 500, 200, 200] }]);
  assert.ok(dialog.free().x + 92 <= 800 || dialog.free().y + 32 <= 500);
  const layer = await page([{ html: box("position: fixed"), at: [0, 0, 1000, 700] }]);
  assert.deepEqual([layer.free().x, layer.free().y], [corner.x, corner.y]);
});

test("links that scroll away are no obstacle; those that cannot are", async () => {
  const link = { html: box("", "<a href=/ data-top>Imprint</a>"), at: /** @type {Box["at"]} */ ([850, 650, 150, 50]) };
  const scrolls = await page([link]);
  assert.deepEqual([scrolls.free().x, scrolls.free().y], [corner.x, corner.y]);
  const stays = await page([link], { scrolls: false });
  assert.notDeepEqual([stays.free().x, stays.free().y], [corner.x, corner.y]);
});

test("without a free place there is none, after a bounded search", async () => {
  const ring = /** @type {Box[]} */ ([
    { html: box("position: fixed"), at: [0, 0, 1000, 100] }, { html: box("position: fixed"), at: [0, 600, 1000, 100] },
    { html: box("position: fixed"), at: [0, 100, 150, 500] }, { html: box("position: fixed"), at: [850, 100, 150, 500] },
  ]);
  const p = await page(ring);
  assert.equal(p.free(), null);
  assert.ok(p.asked() <= 25 * 24, `${p.asked()} points`);
});

test("each wanted place is inside the window, and arrow keys reach every edge", async () => {
  const { bar } = await page([]);
  for (const edge of ["bottom", "top", "left", "right"]) {
    for (const at of [0, 0.3, 1]) {
      const { x, y } = bar.rectAt({ edge, at }, PILL);
      assert.ok(x >= 12 && y >= 12 && x + 92 <= 988 && y + 32 <= 688, `${edge} ${at}`);
      const back = bar.nearest(x, y, PILL);
      const r = bar.rectAt(back, PILL);
      assert.ok(Math.abs(r.x - x) <= 1 && Math.abs(r.y - y) <= 1, `${edge} ${at}: nearest`);
    }
  }
  const seen = new Set();
  let place = { edge: "bottom", at: 1 };
  for (const key of [...Array(40).fill("ArrowLeft"), "ArrowUp", ...Array(40).fill("ArrowUp"), "ArrowRight", ...Array(50).fill("ArrowRight"), "ArrowDown"]) {
    place = bar.step(place, key, PILL) ?? place;
    seen.add(place.edge);
  }
  assert.deepEqual([...seen].sort(), ["bottom", "left", "right", "top"]);
  assert.equal(bar.step(place, "a", PILL), null);
});
