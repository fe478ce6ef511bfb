// When the content script reads a page again that shows more by then, and when it does not.
import assert from "node:assert/strict";
import test from "node:test";
import { settled, webPage } from "./page_fake.js";
import { background, change, recorded } from "./recorded_fake.js";
import { barState } from "./states_fake.js";

/** The texts of the snapshots that followed the report. @param {any} page @returns {string[]} */
const later = ({ client }) => client.named("page.again").map((/** @type {any} */ r) => /<body>(.*)<\/body>/.exec(r.html)?.[1]);

test("a page is read again once it was still, if it shows more by then", async () => {
  const page = await recorded({ html: `<p id="p">loading</p>` });
  await page.clock.pass(2000);
  page.document.getElementById("p").textContent = "the words that came late";
  await page.clock.pass(1000);
  assert.deepEqual(later(page), [], "it may go on changing");
  page.document.body.append("and more");
  await page.clock.pass(4000);
  assert.deepEqual(later(page), [`<p id="p">the words that came late</p>and more`]);
  page.document.body.append("after that, nothing waits for it");
  await page.clock.pass(60_000);
  assert.equal(later(page).length, 1);
});

test("a page that never is still is read after 20 seconds", async () => {
  const page = await recorded({ html: `<p id="p"></p>` });
  for (let i = 0; i < 30; i++) {
    page.document.getElementById("p").append("tick ");
    await page.clock.pass(1000);
  }
  assert.equal(later(page).length, 1);
});

test("a page that does not change, or shows less, is not read again", async () => {
  const page = await recorded({ html: `<p id="p">some words</p>` });
  await page.clock.pass(5000);
  page.document.getElementById("p").textContent = "fewer";
  await page.clock.pass(30_000);
  page.document.getElementById("p").textContent = "as many as";
  page.client.tell("bar.state", barState({ page: { recorded: "yes", useful: true } }));
  await page.clock.pass(1000);
  assert.deepEqual(later(page), []);
});

test("a page is read again when the person marks, hides or leaves it, three times at most", async () => {
  const page = await recorded({ html: `<p></p>` });
  const { window, document, person } = page;
  await page.clock.pass(30_000);
  document.body.append("one ");
  page.client.tell("bar.state", barState({ page: { recorded: "yes", useful: true } }));
  await page.clock.pass(10);
  assert.deepEqual(later(page), ["<p></p>one "]);
  document.body.append("two ");
  page.client.tell("bar.state", barState({ page: { recorded: "yes", useful: true } }));
  await page.clock.pass(10);
  assert.equal(later(page).length, 1, "it was marked before");
  Object.defineProperty(document, "visibilityState", { value: "hidden" });
  await person.send(document, "visibilitychange", {}, "Event");
  assert.equal(later(page).length, 2);
  document.body.append("three ");
  await settled();
  await person.send(window, "pagehide", {}, "Event");
  assert.equal(later(page)[2], "<p></p>one two three ");
  document.body.append("four ");
  await settled();
  await person.send(window, "pagehide", {}, "Event");
  assert.equal(later(page).length, 3);
});

test("a click reads what the page shows by then, since it may leave the page", async () => {
  const page = await recorded({ html: `<p>loading</p><a href="#x">next</a>` });
  page.document.querySelector("p").textContent = "the words that came late";
  await page.person.click(page.document.querySelector("a"));
  await page.clock.pass(1);
  assert.deepEqual(later(page), [`<p>the words that came late</p><a>next</a>`]);
});

test("a frame that is recorded is read again as a page is; a frame of another site is not", async () => {
  /** @param {boolean} wanted */
  const frame = async (wanted) => {
    const client = background(true);
    client.answers["page.report"] = () => wanted;
    const page = await webPage({ client, html: "<iframe></iframe>", framed: true });
    await page.clock.pass(500);
    page.document.body.append("one ");
    await page.clock.pass(5000);
    page.document.body.append("two ");
    client.tell("bar.state", barState({ page: { recorded: "yes", useful: true } }));
    await page.clock.pass(10);
    return later(page);
  };
  assert.deepEqual(await frame(true), ["one ", "one two "]);
  assert.deepEqual(await frame(false), []);
});

test("what comes late is not read when the page asks for a password by then, or is not recorded any more", async () => {
  const page = await recorded({ html: `<p></p>` });
  page.document.body.append("canary");
  page.document.body.append(Object.assign(page.document.createElement("input"), { type: "password" }));
  await page.clock.pass(30_000);
  assert.deepEqual(later(page), []);
  const paused = await recorded({ html: `<p></p>` });
  paused.client.tell("bar.state", barState({ status: "paused" }));
  paused.document.body.append("canary");
  await paused.clock.pass(30_000);
  assert.deepEqual(later(paused), []);
});

test("of a route that asks for a password nothing is read later, also when the field is gone", async () => {
  const page = await recorded({ html: `<title>A</title><p>text</p><div id="app"></div>` });
  change(page, "/login", "push", 1);
  const app = page.document.getElementById("app");
  app.append("many words of a log-in page, which are ".repeat(10), Object.assign(page.document.createElement("input"), { type: "password" }));
  await page.clock.pass(3000);
  assert.equal(page.client.named("page.report")[0].leftOut, true);
  app.textContent = "canary ".repeat(200);
  await page.clock.pass(60_000);
  await page.person.send(page.window, "pagehide", {}, "Event");
  assert.deepEqual(later(page), []);
});
