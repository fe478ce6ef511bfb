// The page "What was sent" as the person sees and uses it.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { packHTML, toBase64 } from "../src/shared/protocol.js";
import { unpackHTML } from "../src/sent/unpack.js";
import { redactedText, sizeText } from "../src/sent/words.js";
import { FakeClient } from "./browser_fake.js";
import { ownPage, settled } from "./page_fake.js";
import { uiState } from "./states_fake.js";

/** @param {any} fields @returns {any} */
const event = (fields) => ({ v: 1, id: `i${fields.seq}`, client: "c", session: "s", tab: 1, frame: 0, at: "2026-11-21T10:00:00.000Z", type: "visit", ...fields });

/** @param {any} fields @param {any} [entry] */
const shown = ({ html, ...fields }, entry = {}) => ({
  event: event(html === undefined ? fields : { ...fields, html: "" }), size: 0, state: "stored", when: Date.parse("2026-11-21T10:00:02Z"), why: "", redacted: [], ...entry,
});

const VISIT = { seq: 1, page: "p1", url: "http://a.test/ice?token=redacted", title: "Ice" };

/** An open page. @param {any[]} events @param {any[]} [leftOut] @param {Record<string, any>} [full] the events by number */
async function open(events, leftOut = [], full = {}) {
  const client = new FakeClient();
  const state = { events, leftOut };
  client.answers["ui.state"] = () => uiState({});
  client.answers["sent.list"] = () => state;
  client.answers["sent.entry"] = ({ seq }) => full[seq];
  const page = await ownPage("sent", client);
  await settled();
  const items = () => [...page.element("events").children];
  return {
    ...page, client, state, items,
    /** What each shown event says in its line. */
    lines: () => items().map((item) => item.querySelector("summary").textContent.replace(/^\S+?(?=[A-Z])/, "")),
    /** Opens an event. @param {number} i @param {number} [parts] how many texts it shows */
    expand: async (i, parts = 1) => {
      const details = items()[i].querySelector("details");
      details.open = true;
      await page.person.send(details, "toggle", {}, "Event");
      for (let n = 0; n < 100 && details.querySelectorAll("pre").length < parts; n++) await sleep(5);
      await settled();
      return details;
    },
    /** @param {string} id @param {string} value */
    choose: async (id, value) => {
      page.element(id).value = value;
      await page.person.send(page.element(id), "input", {}, "Event");
    },
    sent: () => client.sent.map((m) => m.name).filter((name) => !["ui.state", "sent.list"].includes(name)),
  };
}

test("without events the page explains when there are some", async () => {
  const p = await open([]);
  assert.match(p.text("empty"), /^The list is empty\..*start a session/);
  assert.equal(p.sees("filters"), false);
  assert.equal(p.element("clear").disabled, true);
});

test("each event is named in plain words, with its page and what became of it", async () => {
  const p = await open([
    shown({ seq: 4, type: "label", page: "p1", name: "league" }, { state: "waiting", when: 0 }),
    shown({ seq: 3, type: "useful", page: "p1" }, { state: "refused", why: "the session is closed" }),
    shown({ seq: 2, type: "snapshot", page: "p1", html: "" }, { state: "dropped" }),
    shown(VISIT, { redacted: ["?token", "fragment"] }),
  ]);
  const page = "Ice – http://a.test/ice?token=redacted";
  assert.deepEqual(p.lines(), [
    `Page labelledleague: ${page}Waiting`, `Page marked Useful${page}Refused`, `Text of a page${page}Left out`, `Page visited${page}Stored`,
  ]);
  assert.match(p.items()[0].textContent, /Nightjar has not confirmed it/);
  assert.match(p.items()[1].textContent, /refused it at .* stored nothing of it: the session is closed\./);
  assert.match(p.items()[2].textContent, /the queue was full/);
  assert.match(p.items()[3].textContent, /Replaced or cut off in the address: the value of “token”, the part after #\./);
  assert.equal(p.text("count"), "4 events, the newest first.");
});

test("an opened event shows the exact JSON, indented on demand", async () => {
  const p = await open([shown(VISIT)], [], { 1: event(VISIT) });
  assert.deepEqual(p.sent(), [], "nothing is read before it is asked for");
  const details = await p.expand(0);
  assert.equal(details.querySelector("pre").textContent, JSON.stringify(event(VISIT)));
  await p.person.click(details.querySelector("button"));
  assert.equal(details.querySelector("pre").textContent, JSON.stringify(event(VISIT), null, 2));
});

test("the text of a page is unpacked, with its sizes; markup in it is text", async () => {
  const text = `<p>ice &amp; <img src=x onerror=alert(1)></p>${"word ".repeat(40_000)}`;
  const { html } = await packHTML(text);
  const full = event({ seq: 2, type: "snapshot", page: "p1", html });
  const p = await open([shown({ seq: 2, type: "snapshot", html: "" }, { redacted: ["?sid"] })], [], { 2: full });
  const details = await p.expand(0, 2);
  const [code, page] = details.querySelectorAll("pre");
  assert.ok(code.textContent.length < 400, "the packed form is shortened");
  assert.equal(page.textContent, text.slice(0, 100_000));
  assert.match(details.textContent, /The page as it was sent: 200 kB, compressed \d+ bytes/);
  assert.match(details.textContent, /in the links of the page: the value of “sid”/);
  assert.equal(details.querySelector("img"), null);
  await p.person.click([...details.querySelectorAll("button")].at(-1));
  assert.equal(page.textContent, text);
});

test("what is no gzip, or too much, is a problem and not a crash", async () => {
  await assert.rejects(unpackHTML(toBase64(new Uint8Array([1, 2, 3]))));
  await assert.rejects(unpackHTML(gzipSync(Buffer.alloc(5 << 20)).toString("base64")), /larger than a page can be/);
  assert.deepEqual(await unpackHTML(gzipSync("é").toString("base64")).then(({ text, size }) => [text, size]), ["é", 2]);
});

test("the list is filtered by text, kind and state", async () => {
  const p = await open([
    shown({ seq: 3, type: "useful", page: "p1" }, { state: "waiting" }), shown({ seq: 2, type: "visit", page: "p2", url: "http://b.test/", title: "Snow" }), shown(VISIT),
  ]);
  await p.choose("kind", "pages");
  assert.equal(p.lines().length, 2);
  await p.choose("text", "SNOW");
  assert.match(p.lines().join(), /^Page visitedSnow/);
  assert.equal(p.text("count"), "1 of 3 events.");
  await p.choose("kind", "");
  await p.choose("text", "");
  await p.choose("state", "waiting");
  assert.equal(p.lines().length, 1);
});

test("new events appear at once; what is open stays open", async () => {
  const p = await open([shown(VISIT, { state: "waiting" })], [], { 1: event(VISIT) });
  const details = await p.expand(0);
  p.state.events = [shown({ seq: 2, type: "submit" }), shown(VISIT)];
  await p.changed();
  await settled();
  assert.equal(p.items().length, 2);
  assert.equal(p.items()[1].querySelector("details"), details);
  assert.equal(details.open, true);
  assert.match(details.textContent, /Stored by Nightjar/);
});

test("what was left out is listed with its reason, and both lists can be cleared", async () => {
  const p = await open([shown(VISIT)], [{ at: 1, why: "list", host: "bank.test" }, { at: 1, why: "password", host: "" }]);
  p.element("left-out-part").open = true;
  assert.equal(p.text("left-out-count"), "2");
  const said = [...p.element("left-out").children].map((item) => item.lastChild.textContent);
  assert.deepEqual(said, ["bank.test: it is on your never-record list.", "A page: it asks for a password."]);
  p.state.leftOut = [];
  await p.click("clear-left-out");
  assert.equal(p.element("left-out").children.length, 0);
  p.state.events = [];
  await p.click("clear");
  assert.deepEqual(p.sent(), ["sent.clear-left-out", "sent.clear"]);
  assert.equal(p.sees("empty"), true);
});

test("sizes and redacted parts in words", () => {
  assert.deepEqual([850, 41_499, 2_340_000].map(sizeText), ["850 bytes", "41 kB", "2.3 MB"]);
  assert.equal(redactedText(shown({ seq: 1, type: "submit" })), "");
  assert.equal(redactedText(shown(VISIT)), "Nothing was replaced in the address.");
  assert.match(redactedText(shown(VISIT, { redacted: ["login", "path", "?"] })), /user name and password, a part of the path, a text without a name/);
});
