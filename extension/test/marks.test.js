// The marks beside links, and what a page can see of them.
import assert from "node:assert/strict";
import test from "node:test";
import { MARKS } from "../src/background/scripts.js";
import { FakeClient } from "./browser_fake.js";
import { settled, webPage } from "./page_fake.js";

/** A page whose links are all in view, each at a place of its own. @param {string} html @param {Record<string, string>|null} known @param {string} [url] */
async function marked(html, known, url = "http://a.test/list") {
  const client = new FakeClient();
  client.answers["links.known"] = () => known && { known };
  /** @type {any[]} */
  const observers = [];
  const page = await webPage({
    html, url, client, scripts: MARKS,
    before: (w) => {
      w.IntersectionObserver = class {
        /** @param {any} see */
        constructor(see) {
          this.see = see;
          observers.push(this);
        }
        /** @param {any} target */
        observe(target) {
          this.see([{ target, isIntersecting: true }]);
        }
        disconnect() {}
      };
      w.Element.prototype.getClientRects = function () {
        const n = [...w.document.querySelectorAll("a")].indexOf(this);
        return [{ left: 10, right: 100, top: 20 * n, bottom: 20 * n + 16, width: 90, height: 16 }];
      };
      w.document.elementFromPoint = () => null;
      for (const [name, value] of [["clientWidth", 800], ["scrollHeight", 900]]) Object.defineProperty(w.document.documentElement, name, { value });
    },
  });
  await page.clock.pass(300);
  return { ...page, get root() { return page.root; }, asked: () => client.named("links.known").map((p) => p.urls), boxes: () => /** @type {any[]} */ ([...(page.root?.querySelectorAll("div > div") ?? [])]) };
}

const LIST = `<a href="/seen">Seen</a><a href="/new">New</a><a href="/good?access_token=canary">Good <b>one</b></a><a href="/bad#part">Bad</a><a href="/found">Found</a>`;
const KNOWN = {
  "http://a.test/seen": "visited", "http://a.test/good?access_token=redacted": "useful", "http://a.test/bad": "not-useful", "http://a.test/found": "found",
};

test("known links get a mark with a shape of its own and a name for screen readers", async () => {
  const p = await marked(LIST, KNOWN);
  const boxes = p.boxes();
  assert.deepEqual(boxes.map((/** @type {any} */ box) => box.getAttribute("aria-label")), [
    "Visited: Seen", null, "Marked Useful: Good one", "Marked Not useful: Bad", "Found by Nightjar, not looked at: Found",
  ]);
  const shapes = boxes.map((/** @type {any} */ box) => box.querySelector("path")?.getAttribute("d"));
  assert.equal(new Set(shapes).size, 5, "four different shapes, and none");
  assert.deepEqual(p.asked(), [["http://a.test/seen", "http://a.test/new", "http://a.test/good?access_token=redacted", "http://a.test/bad", "http://a.test/found"]]);
});

test("the page cannot tell known links from others", async () => {
  const [all, none] = [await marked(LIST, KNOWN), await marked(LIST, {})];
  for (const p of [all, none]) {
    const host = p.document.getElementById("nightjar-marks");
    assert.equal(host.shadowRoot, null);
    assert.equal(host.textContent, "");
    assert.equal(host.childNodes.length, 0);
  }
  assert.equal(all.document.documentElement.outerHTML, none.document.documentElement.outerHTML, "the page's own nodes are the same");
  const measure = (/** @type {any} */ p) => p.boxes().map((/** @type {any} */ box) => box.style.cssText);
  assert.equal(measure(all).length, 5);
  assert.deepEqual(measure(all), measure(none), "and so is the geometry of the layer");
  assert.ok(measure(all).every((/** @type {string} */ css) => css.includes("pointer-events: none") && css.includes("contain: strict")));
  assert.equal(all.root.textContent, "", "there is no text that the page could search for");
});

test("links to other schemes, to the page itself and twice the same are not asked for", async () => {
  const p = await marked(`<a href="mailto:x@a.test">m</a><a href="#top">t</a><a href="/list#x">l</a><a href="javascript:void 0">j</a><a href="/x">1</a><a href="/x#2">2</a><a>none</a>`, {});
  assert.deepEqual(p.asked(), [["http://a.test/x"]]);
});

test("a question has at most 200 links; a page with very many gets several", async () => {
  const p = await marked(Array.from({ length: 450 }, (_, i) => `<a href="/${i}">${i}</a>`).join(""), {});
  await settled();
  assert.deepEqual(p.asked().map((/** @type {string[]} */ urls) => urls.length), [200, 200, 50]);
  assert.ok(p.boxes().length <= 300);
});

test("when the setting is off, or the page must not be recorded, everything is removed and nothing more is asked", async () => {
  const p = await marked(LIST, null);
  assert.equal(p.document.getElementById("nightjar-marks"), null);
  p.document.body.append(p.document.createElement("p"));
  await p.clock.pass(5000);
  assert.equal(p.asked().length, 1);
});

test("a page with a password field gets no marks, also when the field comes later; nor does the dashboard", async () => {
  for (const [html, url] of [[`${LIST}<input type=password>`, "http://a.test/list"], [LIST, `http://nightjar-${"0".repeat(32)}.localhost:4774/finds`]]) {
    const p = await marked(html, KNOWN, url);
    assert.deepEqual(p.asked(), []);
    assert.equal(p.document.getElementById("nightjar-marks"), null);
  }
  const later = await marked(`<a href="/seen">s</a>`, KNOWN);
  const field = later.document.createElement("input");
  field.type = "password";
  const link = later.document.createElement("a");
  link.href = "/new";
  later.document.body.append(field, link);
  await later.clock.pass(300);
  assert.equal(later.asked().length, 1);
  assert.equal(later.document.getElementById("nightjar-marks"), null);
});

test("an answer that is no state paints nothing", async () => {
  const p = await marked(`<a href="/a">a</a><a href="/b">b</a>`, { "http://a.test/a": "<script>", "http://a.test/b": "toString" });
  assert.ok(p.boxes().every((/** @type {any} */ box) => box.childNodes.length === 0));
});

test("what the person did elsewhere is known when they come back", async () => {
  const p = await marked(LIST, {});
  p.client.answers["links.known"] = () => ({ known: KNOWN });
  await p.person.send(p.document, "visibilitychange", {}, "Event");
  await p.clock.pass(300);
  assert.equal(p.boxes().filter((/** @type {any} */ box) => box.querySelector("svg")).length, 4);
});
