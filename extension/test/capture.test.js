// What the content script reports, when, and what it keeps to itself.
import assert from "node:assert/strict";
import test from "node:test";
import { settled, webPage } from "./page_fake.js";
import { background, change, recorded } from "./recorded_fake.js";
import { barState } from "./states_fake.js";

test("nothing is read or reported before the background allows it", async () => {
  const { client } = await webPage({ client: background(false, null), html: "<p>canary</p>" });
  assert.deepEqual(client.sent, [{ name: "page.hello", params: { restored: false, before: false } }]);
});

test("an allowed page reports its address, title, size, text and how it was loaded", async () => {
  const { client } = await webPage({
    client: background(true), html: "<title>Rules</title><p>Ice</p>", url: "http://a.test/rules?x=1#top",
    before: (w) => Object.defineProperty(w.document, "referrer", { value: "http://a.test/" }),
  });
  const [{ html, ...report }] = client.named("page.report");
  assert.deepEqual(report, {
    url: "http://a.test/rules?x=1#top", title: "Rules", leftOut: false, frameset: false, area: 1024 * 768,
    move: { type: "navigate", delta: null, referrer: "http://a.test/", same: false }, redacted: [],
  });
  assert.match(html, /<p>Ice<\/p>/);
});

test("of a page that asks for a password, neither title nor text is reported", async () => {
  const { client } = await webPage({ client: background(true), html: `<title>canary</title><p>canary</p><input type="password">` });
  const [report] = client.named("page.report");
  assert.equal(report.leftOut, true);
  assert.equal(report.field, "password");
  assert.equal(report.title, "");
  assert.ok(!JSON.stringify(client.sent).includes("canary"));
});

test("a frameset says that it is one", async () => {
  const { client } = await webPage({ client: background(true), html: `<html><frameset cols="1,2"><frame src="about:blank"></frameset></html>` });
  assert.equal(client.named("page.report")[0].frameset, true);
});

test("reload, Back and Forward: from the navigation API, and without it from the performance entry", async () => {
  const move = async (/** @type {any} */ options) => {
    const { client } = await webPage({ client: background(true), ...options });
    const { type, delta } = client.named("page.report")[0].move;
    return [type, delta];
  };
  const entry = (/** @type {number} */ index) => ({ index });
  assert.deepEqual(await move({ activation: { navigationType: "push", from: entry(0), entry: entry(1) } }), ["navigate", null]);
  assert.deepEqual(await move({ activation: { navigationType: "reload", from: entry(1), entry: entry(1) } }), ["reload", null]);
  assert.deepEqual(await move({ activation: { navigationType: "traverse", from: entry(3), entry: entry(1) } }), ["traverse", -2]);
  assert.deepEqual(await move({ activation: { navigationType: "traverse", from: null, entry: entry(1) } }), ["traverse", null], "from another site");
  const performed = (/** @type {string} */ type) => ({
    before: (/** @type {any} */ w) => {
      w.performance.getEntriesByType = () => [Object.assign(new w.PerformanceNavigationTiming(), { type })];
    },
  });
  assert.deepEqual(await move(performed("back_forward")), ["traverse", null]);
  assert.deepEqual(await move(performed("reload")), ["reload", null]);
});

test("injected a second time, the scripts report nothing and show no second bar", async () => {
  const page = await recorded();
  await page.start();
  assert.deepEqual(page.client.sent, []);
  page.client.tell("bar.state", barState());
  assert.equal(page.document.querySelectorAll("#nightjar-bar").length, 1);
});

test("a page that comes back from the back/forward cache says so; one that is shown for the first time does not", async () => {
  const { window, client, person } = await recorded();
  await person.send(window, "pageshow", { persisted: false }, "PageTransitionEvent");
  assert.deepEqual(client.sent, []);
  client.answers["page.hello"] = () => ({ record: false, bar: barState({ pages: 7 }) });
  await person.send(window, "pageshow", { persisted: true }, "PageTransitionEvent");
  assert.deepEqual(client.sent, [{ name: "page.hello", params: { restored: true, before: false } }]);
});

test("a page that redirects within 3 seconds reports only if it is still there after that; a slower one reports at once", async () => {
  const soon = await webPage({ client: background(true), html: `<meta http-equiv="refresh" content="2;url=/next">` });
  await soon.clock.pass(3999);
  assert.equal(soon.client.named("page.report").length, 0);
  await soon.clock.pass(1);
  assert.equal(soon.client.named("page.report").length, 1);
  await recorded({ html: `<meta http-equiv="refresh" content="300;url=/next">` });
});

test("a prerendered page reports only when it is shown", async () => {
  const { document, window, client } = await webPage({
    client: background(true), before: (w) => Object.defineProperty(w.document, "prerendering", { value: true }),
  });
  assert.deepEqual(client.sent, []);
  document.dispatchEvent(new window.Event("prerenderingchange"));
  await settled();
  assert.deepEqual(client.sent.map((/** @type {any} */ m) => m.name), ["page.hello", "page.report"]);
});

/** Adds paragraphs. @param {any} page @param {...string} texts */
function add({ document }, ...texts) {
  for (const text of texts) document.body.append(Object.assign(document.createElement("p"), { textContent: text }));
}

/** Shows nothing but these paragraphs. @param {any} page @param {...string} texts */
function fill(page, ...texts) {
  page.document.body.replaceChildren();
  add(page, ...texts);
}

/** The reports so far, as URL, title, type and steps of the move. @param {any} page */
const reported = ({ client }) => client.named("page.report").map((/** @type {any} */ r) => [r.url.slice(13), r.move.type, r.move.delta]);

test("pushState: one report when the page has settled with other content, and none for a place in the page", async () => {
  const page = await recorded({ html: "<title>A</title><p>text</p>" });
  change(page, "/page#part", "push", 1);
  fill(page, "changed, but the address is the same");
  await page.clock.pass(6000);
  assert.deepEqual(reported(page), []);
  change(page, "/one", "push", 2);
  await page.clock.pass(700);
  change(page, "/two", "push", 3);
  fill(page, "two");
  await page.clock.pass(700);
  assert.deepEqual(reported(page), [], "the page may still change");
  page.document.title = "B";
  await page.clock.pass(100);
  assert.equal(page.client.named("page.report")[0].title, "B");
  assert.deepEqual(page.client.named("page.report")[0].move, { type: "push", delta: null, referrer: "", same: true, changed: true, late: 800 });
  fill(page, "text");
  change(page, "/page", "traverse", 0);
  await page.clock.pass(800);
  assert.deepEqual(reported(page), [["/two", "push", null], ["/page", "traverse", -3]]);
});

test("a new address without new content is no page; content that comes late is waited for", async () => {
  const page = await recorded({ html: `<p>${"many words ".repeat(100)}</p><i>11:59</i>` });
  change(page, "/page?sort=name", "push", 1);
  page.document.querySelector("i").textContent = "12:00";
  await page.clock.pass(10_000);
  assert.deepEqual(reported(page), []);
  change(page, "/slow", "push", 2);
  await page.clock.pass(2000);
  fill(page, "slow");
  await page.clock.pass(2000);
  assert.deepEqual(reported(page), [["/slow", "push", null]]);
  change(page, "/same", "traverse", 1);
  await page.clock.pass(800);
  const { type, changed } = page.client.named("page.report")[1].move;
  assert.deepEqual([type, changed], ["traverse", false], "whether a step led to a known page is decided elsewhere");
});

test("a route whose content is in a shadow root is a page, too", async () => {
  const page = await recorded({ html: `<p>menu</p><my-app id="app"></my-app>`, before: attach });
  change(page, "/one", "push", 1);
  page.document.getElementById("app").shadowRoot.firstChild.textContent = "other words ".repeat(30);
  await page.clock.pass(800);
  assert.deepEqual(reported(page), [["/one", "push", null]]);
});

/** Gives the element #app a shadow root. @param {any} window */
function attach({ document }) {
  document.getElementById("app").attachShadow({ mode: "open" }).append(Object.assign(document.createElement("p"), { textContent: "words ".repeat(30) }));
}

test("routes in the fragment are addresses; #/ is the page itself", async () => {
  const page = await recorded({ html: "<p>start</p>" });
  change(page, "/page#/", "push", 1);
  fill(page, "no other address");
  await page.clock.pass(6000);
  change(page, "/page#/teams", "push", 2);
  fill(page, "teams");
  await page.clock.pass(800);
  change(page, "/page#!/rinks", "push", 3);
  fill(page, "rinks");
  await page.clock.pass(800);
  change(page, "/page#!/rinks#top", "push", 4);
  await page.clock.pass(6000);
  assert.deepEqual(reported(page), [["/page#/teams", "push", null], ["/page#!/rinks", "push", null]]);
});

test("replaceState: another page only when most of the content is new, or when it corrects a new address", async () => {
  const page = await recorded({ html: `<p>${"one ".repeat(100)}</p>` });
  change(page, "/page?at=2", "replace");
  add(page, "two ".repeat(60));
  await page.clock.pass(6000);
  assert.deepEqual(reported(page), [], "the person scrolled");
  change(page, "/next", "replace");
  fill(page, "three ".repeat(60), "four ".repeat(60));
  await page.clock.pass(800);
  change(page, "/last", "push", 1);
  change(page, "/last?lang=en", "replace", 1);
  fill(page, "last");
  await page.clock.pass(800);
  assert.deepEqual(reported(page), [["/next", "replace", null], ["/last?lang=en", "push", null]]);
});

test("what loaded before a click is not new after it", async () => {
  const page = await recorded({ html: "<p>text</p><a>link</a>" });
  add(page, "comments ".repeat(50));
  await page.person.click(page.document.querySelector("a"));
  page.client.sent = [];
  change(page, "/page?share", "push", 1);
  await page.clock.pass(6000);
  assert.deepEqual(page.client.sent, []);
});

test("a page that its scripts have not filled yet is read when it has settled", async () => {
  const page = await webPage({ client: background(true), html: "<div id=app></div><script></script>" });
  fill(page, "filled");
  await page.clock.pass(799);
  assert.deepEqual(reported(page), []);
  await page.clock.pass(1);
  assert.equal(page.client.named("page.report").length, 1);
  assert.match(page.client.named("page.report")[0].html, /filled/);
});

test("pushState is not reported while nothing is recorded", async () => {
  const page = await webPage({ client: background(false, barState({ status: "paused" })) });
  change(page, "/one", "push", 1);
  await page.clock.pass(5000);
  assert.equal(page.client.named("page.report").length, 0);
});

test("clicks and Enter are reported; events of scripts, other keys and clicks in quick succession are not", async () => {
  const { document, window, client, clock, person } = await recorded({ html: `<a href="#x">link</a>` });
  const link = document.querySelector("a");
  const gestures = () => client.named("page.gesture").length;
  link.click();
  link.dispatchEvent(new window.KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  assert.equal(gestures(), 0, "a script clicked");
  await person.press(link, "a");
  assert.equal(gestures(), 0, "typing");
  await person.click(link);
  assert.equal(gestures(), 1);
  await clock.pass(299);
  await person.click(link);
  assert.equal(gestures(), 1, "too soon");
  await clock.pass(1);
  await person.press(link, "Enter");
  assert.equal(gestures(), 2);
  await clock.pass(300);
  client.tell("bar.state", barState({ status: "paused" }));
  await person.click(link);
  assert.equal(gestures(), 2, "paused");
  client.tell("bar.state", barState());
  await person.click(link);
  assert.equal(gestures(), 3);
});

test("a message that the background missed is sent again, four times at most", async () => {
  const client = background(true);
  client.lost = 3;
  const page = await webPage({ client });
  assert.equal(client.named("page.hello").length, 1);
  await page.clock.pass(3 * 400);
  assert.equal(client.named("page.hello").length, 4);
  assert.equal(client.named("page.report").length, 1);
  client.sent = [];
  client.lost = 99;
  client.tell("page.capture", {});
  await page.clock.pass(60_000);
  assert.equal(client.named("page.hello").length, 4);
});

test("a script of an extension that was reloaded sends nothing more", async () => {
  const { document, client, clock, person } = await recorded({ html: "<b>x</b>" });
  client.chrome.runtime.id = undefined;
  await person.click(document.querySelector("b"));
  await clock.pass(60_000);
  assert.deepEqual(client.sent, []);
});

test("messages of the background: show the bar, ask before Submit, focus, report; others' messages count for nothing", async () => {
  const page = await webPage({ client: background(false, null) });
  const { client } = page;
  client.tell("bar.state", barState(), "other");
  assert.equal(page.root, null);
  client.tell("bar.state", barState());
  assert.match(page.root.querySelector("[role=toolbar]").textContent, /^Useful1/);
  client.tell("bar.focus", {});
  assert.equal(page.root.activeElement.textContent, "Useful");
  client.tell("bar.label", {});
  assert.equal(page.root.activeElement.localName, "input");
  client.tell("bar.confirm", {});
  assert.match(page.root.querySelector("[role=alertdialog]").textContent, /Submit “Hockey”\?/);
  client.answers["page.hello"] = () => ({ record: true, bar: null });
  client.tell("page.capture", {});
  await settled();
  assert.equal(client.named("page.report").length, 1);
});

test("in a frame there is a report, but no bar", async () => {
  const page = await webPage({ client: background(true), html: "<iframe></iframe>", framed: true });
  assert.equal(page.client.named("page.report").length, 1);
  page.client.tell("bar.state", barState());
  await settled();
  assert.equal(page.root, null);
  page.client.tell("page.capture", {}); // a session starts, or goes on
  await settled();
  assert.equal(page.client.named("page.report").length, 2);
});
