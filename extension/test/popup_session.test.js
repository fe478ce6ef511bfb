// The popup's parts for sessions: recent topics, sites, pauses, labels by key, Discard with Undo, several browsers.
import assert from "node:assert/strict";
import test from "node:test";
import { FakeClient } from "./browser_fake.js";
import { ownPage } from "./page_fake.js";
import { session, uiState } from "./states_fake.js";

/** @typedef {Partial<import("../types/state.d.ts").UiState>} Changes */

/** An open popup. @param {Changes} [changes] */
async function popup(changes) {
  const client = new FakeClient();
  let state = uiState(changes);
  client.answers["ui.state"] = () => state;
  const page = await ownPage("popup", client);
  client.sent = [];
  return {
    client, ...page,
    /** What was sent besides questions for the state. */
    sent: () => client.sent.filter((message) => message.name !== "ui.state" && message.name !== "session.wish"),
    /** @param {Changes} next */
    show: async (next) => {
      state = uiState(next);
      await page.changed();
    },
    /** The texts of a group's buttons. @param {string} id */
    chips: (id) => [...page.element(id).children].map((chip) => chip.textContent),
    /** @param {string} id @param {number} n */
    chip: (id, n) => page.person.click(page.element(id).children[n]),
    focused: () => page.element("topic").ownerDocument.activeElement?.id,
  };
}

const inMinutes = (/** @type {number} */ n) => Date.now() + n * 60_000 - 1000;

test("the topic has the focus; recent topics have buttons, the one used last first", async () => {
  const p = await popup({ topics: ["Hockey", "Sailing", "Ice", "Rowing", "Golf", "Chess"] });
  assert.equal(p.focused(), "topic");
  assert.ok(p.element("topic").hasAttribute("autofocus"));
  assert.deepEqual(p.chips("recent"), ["Hockey", "Sailing", "Ice", "Rowing", "Golf"]);
  assert.match(p.text("start-note"), /^Nothing is recorded now\./);
  await p.chip("recent", 1);
  assert.equal(p.element("topic").value, "Sailing");
  assert.equal(p.focused(), "start");
  await p.show({ topics: ["Hockey"] });
  assert.equal(p.element("topic").value, "Sailing", "what was chosen stays when the state changes");
  assert.equal(p.focused(), "start", "and so does the focus");
});

test("sites are chosen before the start, and changed in the session", async () => {
  const p = await popup({ host: "ice.test" });
  assert.equal(p.sees("sites-save"), false);
  await p.click("only-here");
  await p.click("only-here");
  assert.equal(p.element("sites-only").value, "ice.test");
  await p.write("sites-not", "not a site %");
  await p.write("topic", "Hockey");
  await p.click("start");
  assert.match(p.text("problem"), /“%” is not a website/);
  await p.write("sites-not", "https://shop.ice.test/x");
  await p.changed();
  await p.click("start");
  const sites = { only: ["ice.test"], not: ["shop.ice.test"] };
  assert.deepEqual(p.sent(), [{ name: "session.start", params: { topic: "Hockey", sites } }]);
  await p.show({ session: session({ sites }), host: "b.test" });
  assert.equal(p.text("sites-summary"), "More… (sites are chosen)");
  assert.equal(p.element("sites-not").value, "shop.ice.test");
  await p.click("not-here");
  await p.click("sites-save");
  assert.deepEqual(p.sent().at(-1), { name: "session.sites", params: { only: ["ice.test"], not: ["shop.ice.test", "b.test"] } });
  assert.match(p.text("sites-facts"), /^Saved/);
  await p.show({ session: null });
  assert.deepEqual([p.element("sites-only").value, p.element("sites-not").value, p.text("sites-summary")], ["", "", "More…"]);
  assert.equal(p.element("only-here").disabled, true, "the page in front is no web page");
});

test("a pause lasts as long as the person chooses, and says when it ends", async () => {
  const p = await popup({ session: session() });
  assert.equal(p.sees("pauses"), false);
  await p.click("pause");
  await p.show({ session: session({ status: "paused" }) });
  assert.equal(p.element("pause-0").getAttribute("aria-pressed"), "true");
  await p.click("pause-15");
  await p.show({ session: session({ status: "paused", until: inMinutes(15) }) });
  assert.match(p.text("session-until"), /^Recording goes on at \S.*, in 15 minutes\.$/);
  assert.equal(p.element("pause-15").getAttribute("aria-pressed"), "true");
  assert.equal(p.element("pause-0").getAttribute("aria-pressed"), "false");
  await p.show({ session: session({ status: "paused", until: inMinutes(1) }) });
  assert.match(p.text("session-until"), /in 1 minute\.$/);
  await p.click("pause-0");
  assert.deepEqual(p.sent(), [
    { name: "session.pause", params: {} }, { name: "session.pause", params: { minutes: 15 } }, { name: "session.pause", params: {} },
  ]);
});

test("labels have buttons and keys, the one used last first", async () => {
  const names = ["department", "course list", "c", "d", "e", "f", "g", "h", "i", "j"];
  const p = await popup({ session: session(), names, page: { recorded: "yes", useful: false, milestone: "course list" } });
  assert.equal(p.chips("labels").length, 9);
  assert.deepEqual(p.chips("labels").slice(0, 2), ["1department", "2course list"]);
  assert.equal(p.element("labels").children[1].getAttribute("aria-pressed"), "true");
  assert.equal(p.element("labels").children[0].getAttribute("aria-keyshortcuts"), "1");
  await p.chip("labels", 0);
  const { body } = p.element("labels").ownerDocument;
  await p.person.press(body, "2");
  await p.person.press(p.element("milestone"), "3"); // the field has text: the person is typing
  await p.person.press(p.element("sites-only"), "3");
  await p.person.press(body, "0");
  await p.show({ session: session({ status: "paused" }), names });
  await p.person.press(body, "3");
  assert.equal(p.element("labels").children[0].disabled, true);
  assert.deepEqual(p.sent().map((m) => m.params.name), ["department", "course list"]);
});

test("a discarded session can be brought back, or the next one started", async () => {
  const p = await popup({ session: session({ status: "paused", discarded: { at: inMinutes(10), whole: false, was: "recording" } }) });
  assert.match(p.text("discarded-text"), /^“Hockey” is discarded\. It is deleted at \S.*, in 10 minutes, or when you start another session\./);
  assert.equal(p.sees("session"), false);
  assert.equal(p.sees("no-session"), true);
  await p.click("undo");
  assert.deepEqual(p.sent(), [{ name: "session.discard.undo", params: {} }]);
  await p.show({ session: session() });
  assert.equal(p.sees("discarded"), false);
});

test("a session of another browser can be joined; then both are named, and Discard asks for one or all", async () => {
  const open = [{ id: "s1", topic: "Hockey", browser: "Firefox on Linux", pages: 1, useful: 0 }];
  const p = await popup({ open });
  assert.deepEqual(p.chips("join-list"), ["Join “Hockey” (Firefox on Linux; 1 page)"]);
  await p.show({ open: [{ ...open[0], id: "s2" }] });
  await p.chip("join-list", 0);
  assert.deepEqual(p.sent(), [{ name: "session.start", params: { topic: "", joins: "s2" } }]);
  const browsers = ["Firefox on Linux"];
  const began = { query: "goalie <pads>", engine: "Google" };
  await p.show({ session: session({ marked: [] }), browsers, began, counts: { pages: 9, useful: 2 } });
  assert.equal(p.text("session-facts"), "Recording: 9 pages, 2 useful.");
  assert.equal(p.text("session-browsers"), "Recorded together with Firefox on Linux.");
  assert.equal(p.text("session-began"), "Began with the search “goalie <pads>” (Google).");
  await p.click("submit");
  assert.match(p.text("submit-text"), /9 pages, 2 of them useful\. Firefox on Linux submits its part, too\.$/);
  assert.equal(p.focused(), "submit-yes", "marks of the other browser suffice");
  await p.click("submit-no");
  await p.click("discard");
  assert.equal(p.text("discard-yes"), "Delete it here");
  await p.click("discard-all");
  assert.deepEqual(p.sent().at(-1), { name: "session.discard", params: { whole: true } });
  await p.show({ session: session() });
  await p.click("discard");
  assert.equal(p.sees("discard-all"), false);
  assert.equal(p.focused(), "discard-no");
});

test("a submitted session says what happens with it", async () => {
  const p = await popup({ session: session({ status: "submitted" }) });
  assert.equal(p.text("submitted-text"), "“Hockey” is submitted. Nightjar learns from it.");
  await p.show({ session: session({ status: "submitted" }), connection: { state: "offline", message: "", digits: "" } });
  assert.match(p.text("submitted-text"), /waits here until Nightjar runs/);
  await p.show({ session: session({ status: "submitted" }), problem: "too few pages" });
  assert.equal(p.sees("submitted"), false);
  const training = { topic: "Hockey", stage: "space", done: 1, total: 2, running: false };
  await p.show({ session: session({ status: "submitted" }), training, learned: true });
  await p.click("learned");
  assert.deepEqual(p.sent(), [{ name: "dashboard.learned", params: {} }]);
  await p.show({ session: session({ status: "submitted" }), training });
  assert.equal(p.sees("learned"), false);
});
