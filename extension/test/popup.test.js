// The popup as the person sees and uses it.
import assert from "node:assert/strict";
import test from "node:test";
import { ACCESS } from "../src/shared/access.js";
import { FakeClient, ORIGIN } from "./browser_fake.js";
import { ownPage, settled } from "./page_fake.js";
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
    sent: () => client.sent.filter((message) => message.name !== "ui.state"),
    /** @param {Changes} next */
    show: async (next) => {
      state = uiState(next);
      await page.changed();
    },
    /** The visible sections. */
    sections: () => ["no-consent", "not-paired", "no-session", "session", "training"].filter(page.sees),
  };
}

/** @param {import("../types/state.d.ts").ConnectionStatus["state"]} state @param {string} [message] @param {string} [digits] */
const connection = (state, message = "", digits = "") => ({ state, message, digits });

test("first consent, then the connection, then a session", async () => {
  const p = await popup({ consent: false, connection: connection("unpaired") });
  assert.deepEqual(p.sections(), ["no-consent"]);
  await p.click("read-consent");
  assert.deepEqual(p.client.opened, [`${ORIGIN}welcome/welcome.html`]);
  await p.show({ consent: false });
  assert.deepEqual(p.sections(), ["no-consent"], "connected, but without consent");
  await p.show({ connection: connection("unpaired") });
  assert.deepEqual(p.sections(), ["not-paired"]);
  assert.equal(p.text("connection"), "Not connected.");
  assert.equal(p.element("dashboard").disabled, true);
  await p.click("go-connect");
  assert.equal(p.client.opened.at(-1), `${ORIGIN}options/options.html`);
  await p.show({});
  assert.deepEqual(p.sections(), ["no-session"]);
  await p.show({ session: session() });
  assert.deepEqual(p.sections(), ["session"]);
});

test("an answer that comes late does not replace a newer state", async () => {
  const p = await popup();
  let answer = () => {};
  p.client.answers["ui.state"] = () => new Promise((resolve) => (answer = () => resolve(uiState())));
  await p.changed();
  p.client.answers["ui.state"] = () => uiState({ session: session() });
  await p.changed();
  assert.deepEqual(p.sections(), ["session"]);
  answer();
  await settled();
  assert.deepEqual(p.sections(), ["session"]);
});

test("a browser that was revoked is told so", async () => {
  const p = await popup({ connection: connection("revoked", "Connect it again.") });
  assert.deepEqual(p.sections(), ["not-paired"]);
  assert.equal(p.text("not-paired-why"), "Connect it again.");
});

test("Start recording sends the topic; known topics are proposed", async () => {
  const p = await popup();
  assert.deepEqual([...p.element("topics").children].map((/** @type {any} */ o) => o.value), ["Hockey", "Sailing"]);
  await p.write("topic", "Ice hockey");
  await p.click("start");
  const start = { topic: "Ice hockey" };
  assert.deepEqual(p.client.asked, [ACCESS], "pages and navigation events are asked for");
  assert.deepEqual(p.sent(), [{ name: "session.wish", params: { start } }, { name: "session.start", params: start }]);
});

test("without access no session starts, and the popup says why", async () => {
  const p = await popup();
  p.client.grants = false;
  await p.write("topic", "Ice hockey");
  await p.click("start");
  assert.deepEqual(p.sent().map((message) => message.params), [{ start: { topic: "Ice hockey" } }, { start: null }]);
  assert.match(p.text("problem"), /may not read pages, so no session can start/);
});

test("while the browser asks for access, the popup says that nothing is recorded", async () => {
  const p = await popup();
  let answer = (/** @type {boolean} */ _yes) => {};
  p.client.grants = new Promise((resolve) => (answer = resolve));
  await p.write("topic", "Ice hockey");
  await p.click("start");
  await new Promise((resolve) => setTimeout(resolve, 600));
  assert.match(p.text("problem"), /Your browser asks/);
  assert.deepEqual(p.client.named("session.start"), []);
  answer(true);
  await settled();
  assert.equal(p.text("problem"), "");
  assert.equal(p.client.named("session.start").length, 1);
});

test("access that was taken away during a session is said, and can be given again", async () => {
  const p = await popup({ session: session() });
  assert.equal(p.sees("no-access"), false);
  await p.show({ session: session(), access: false });
  assert.match(p.text("no-access"), /may no longer read pages/);
  await p.click("grant");
  assert.deepEqual(p.client.asked, [ACCESS]);
});

test("what the background refuses is shown, until the next click", async () => {
  const p = await popup();
  p.client.answers["session.start"] = () => {
    throw new Error("Enter a topic first.");
  };
  await p.click("start");
  assert.equal(p.text("problem"), "Enter a topic first.");
  delete p.client.answers["session.start"];
  await p.click("start");
  assert.equal(p.text("problem"), "");
});

test("an extension that does not answer is a problem on the page, until it answers", async () => {
  const p = await popup();
  p.client.lost = 1;
  await p.show({ session: session() });
  assert.equal(p.text("problem"), "The Nightjar extension did not answer. Try again.");
  await p.changed();
  assert.equal(p.text("problem"), "");
  assert.deepEqual(p.sections(), ["session"]);
});

test("the session: topic, counts, the state of the page", async () => {
  const p = await popup({ session: session() });
  assert.equal(p.text("session-topic"), "Hockey");
  assert.equal(p.text("session-facts"), "Recording: 3 pages, 1 useful.");
  assert.equal(p.text("page-facts"), "This page is recorded.");
  assert.equal(p.text("useful"), "Useful");
  await p.show({ session: session({ pages: 1 }), page: { recorded: "yes", useful: true } });
  assert.equal(p.text("session-facts"), "Recording: 1 page, 1 useful.");
  assert.match(p.text("page-facts"), /marked Useful/);
  assert.equal(p.text("useful"), "✓ Useful");
  assert.equal(p.element("useful").getAttribute("aria-pressed"), "true");
  await p.show({ session: session(), page: { recorded: "left-out", useful: false } });
  assert.match(p.text("page-facts"), /not recorded/);
  assert.equal(p.element("useful").disabled, true);
  await p.show({ session: session(), page: { recorded: "unknown", useful: false } });
  assert.match(p.text("page-facts"), /open before the session/);
  assert.equal(p.element("useful").disabled, false);
  await p.show({ session: session(), page: { recorded: "none", useful: false } });
  assert.match(p.text("page-facts"), /Nothing to mark/);
  assert.equal(p.element("useful").disabled, true);
});

test("a milestone is given, changed, removed and taken back", async () => {
  const p = await popup({ session: session() });
  assert.deepEqual([...p.element("milestones").children].map((/** @type {any} */ o) => o.value), ["Team", "league table"]);
  assert.match(p.text("milestone-facts"), /^A name for pages on the way/);
  assert.equal(p.sees("milestone-remove") || p.sees("milestone-undo"), false);
  await p.click("milestone-save");
  assert.equal(p.text("problem"), "Type a label first.");
  await p.write("milestone", "Team");
  await p.changed();
  assert.equal(p.element("milestone").value, "Team", "what is typed stays when the state changes");
  await p.click("milestone-save");
  const named = { recorded: /** @type {const} */ ("yes"), useful: false, milestone: "Roster", undo: true };
  await p.show({ session: session(), page: named });
  assert.equal(p.element("milestone").value, "Roster");
  assert.equal(p.text("milestone-facts"), "This page is “Roster”.");
  await p.click("milestone-undo");
  await p.click("milestone-remove");
  assert.deepEqual(p.sent(), [
    { name: "session.milestone", params: { name: "Team" } }, { name: "session.milestone.undo", params: {} },
    { name: "session.milestone", params: { name: "" } },
  ]);
  p.client.answers["session.milestone"] = () => {
    throw new Error("This name is one of Nightjar’s own.");
  };
  await p.write("milestone", "goal");
  await p.click("milestone-save");
  assert.equal(p.text("problem"), "This name is one of Nightjar’s own.");
  assert.equal(p.element("milestone").value, "goal", "the name can be corrected");
  for (const changes of [{ session: session({ status: "paused" }) }, { session: session(), page: { recorded: "left-out", useful: false } }]) {
    await p.show(/** @type {Changes} */ (changes));
    assert.equal(p.element("milestone").disabled && p.element("milestone-save").disabled, true);
    assert.equal(p.sees("milestone-remove") || p.sees("milestone-undo") || p.text("milestone-facts") !== "", false);
  }
});

test("a label stays in the field that is typed while the one before is being saved and taken back", async () => {
  const p = await popup({ session: session(), page: { recorded: "yes", useful: false, milestone: "Roster", undo: true } });
  let saved = () => {}, undone = () => {};
  p.client.answers["session.milestone"] = () => new Promise((resolve) => { saved = () => resolve(undefined); });
  p.client.answers["session.milestone.undo"] = () => new Promise((resolve) => { undone = () => resolve(undefined); });
  await p.write("milestone", "wrong");
  await p.click("milestone-save");
  await p.click("milestone-undo");
  saved();
  await settled();
  await p.write("milestone", "goal");
  undone();
  await settled();
  assert.equal(p.element("milestone").value, "goal");
});

test("a label that is typed while the one before is taken back stays in the field", async () => {
  const p = await popup({ session: session(), page: { recorded: "yes", useful: false, milestone: "Roster", undo: true } });
  p.client.answers["session.milestone.undo"] = async () => {
    await Promise.resolve();
    await p.write("milestone", "goal");
  };
  await p.click("milestone-undo");
  assert.equal(p.element("milestone").value, "goal");
});

test("pause and resume", async () => {
  const p = await popup({ session: session() });
  assert.equal(p.sees("resume"), false);
  await p.click("pause");
  await p.show({ session: session({ status: "paused" }) });
  assert.equal(p.text("session-facts"), "Paused (nothing is recorded): 3 pages, 1 useful.");
  assert.equal(p.element("useful").disabled, true);
  assert.equal(p.sees("pause"), false);
  await p.click("resume");
  assert.deepEqual(p.sent().map((m) => m.name), ["session.pause", "session.resume"]);
});

test("Useful, the bar and the dashboard", async () => {
  const p = await popup({ session: session() });
  await p.click("useful");
  assert.equal(p.text("bar-toggle"), "Hide the bar");
  await p.click("bar-toggle");
  await p.show({ session: session(), barShown: false });
  assert.equal(p.text("bar-toggle"), "Show the bar");
  await p.click("bar-toggle");
  await p.click("dashboard");
  await p.click("sent");
  assert.deepEqual(p.sent(), [
    { name: "session.useful", params: {} }, { name: "bar.show", params: { visible: false } },
    { name: "bar.show", params: { visible: true } }, { name: "dashboard.open", params: {} }, { name: "sent.open", params: {} },
  ]);
});

test("a click by a script does nothing", async () => {
  const p = await popup({ session: session() });
  p.element("useful").click();
  p.element("pause").click();
  assert.deepEqual(p.sent(), []);
});

test("Submit asks first", async () => {
  const p = await popup({ session: session() });
  await p.click("submit");
  assert.equal(p.text("submit-text"), "Recording stops and Nightjar learns from 3 pages, 1 of them useful.");
  await p.click("submit-no");
  assert.equal(p.sees("submit-question"), false);
  assert.deepEqual(p.sent(), []);
  await p.click("submit");
  await p.click("submit-yes");
  assert.deepEqual(p.sent(), [{ name: "session.submit", params: {} }]);
  assert.equal(p.sees("submit-question"), false);
});

test("Submit without a useful page, and without the daemon", async () => {
  const p = await popup({ session: session({ marked: [] }) });
  await p.click("submit");
  assert.match(p.text("submit-text"), /^Mark at least one page Useful/);
  assert.equal(p.sees("submit-yes"), false);
  await p.show({ session: session(), connection: connection("offline", "Nightjar is not running.") });
  assert.match(p.text("submit-text"), /Nightjar is not running; the session waits here/);
});

test("Discard asks first", async () => {
  const p = await popup({ session: session() });
  await p.click("discard");
  assert.match(p.text("discard-question"), /undo this for 10 minutes/);
  await p.click("discard-no");
  assert.deepEqual(p.sent(), []);
  await p.click("discard");
  await p.click("discard-yes");
  assert.deepEqual(p.sent(), [{ name: "session.discard", params: {} }]);
});

test("the connection in words", async () => {
  const p = await popup();
  assert.equal(p.text("connection"), "Connected to Nightjar at 127.0.0.1:4774.");
  await p.show({ connection: connection("connecting") });
  assert.equal(p.text("connection"), "Connecting to 127.0.0.1:4774…");
  await p.show({ connection: connection("pairing", "Contacting Nightjar…") });
  assert.equal(p.text("connection"), "Contacting Nightjar…");
  await p.show({ connection: connection("pairing", "", "123456") });
  assert.match(p.text("connection"), /123456/);
  await p.show({ connection: connection("offline") });
  assert.equal(p.text("connection"), "Nightjar does not answer at 127.0.0.1:4774.");
  await p.show({ connection: connection("stranger", "Another program answers.") });
  assert.equal(p.text("connection"), "Another program answers.");
});

test("what cannot be stored is said first, with what to do; later that it works again", async () => {
  const p = await popup({ session: session() });
  const unkept = { events: 3, since: Date.now(), why: /** @type {const} */ ("full"), failing: true };
  const queue = { queued: 0, refused: 0, lastRefusal: "", dropped: 0 };
  await p.show({ queue: { ...queue, unkept } });
  assert.match(p.text("unkept"), /could not store 3 events since .* is full\. Free some space\./);
  assert.equal(p.text("queue"), "");
  await p.show({ queue: { ...queue, unkept: { ...unkept, events: 0, why: "broken" } } });
  assert.match(p.text("unkept"), /could not store what Nightjar notes since .* restart the browser/);
  await p.show({ queue: { ...queue, unkept: { ...unkept, failing: false } } });
  assert.equal(p.text("unkept"), "");
  assert.match(p.text("queue"), /^From .* on, the browser could not store 3 events\. Storing works again\.$/);
});

test("the queue: waiting, refused and dropped events", async () => {
  const p = await popup();
  assert.equal(p.text("queue"), "");
  await p.show({ queue: { queued: 1, refused: 0, lastRefusal: "", dropped: 0 } });
  assert.equal(p.text("queue"), "Sending 1 event.");
  await p.show({ connection: connection("offline"), queue: { queued: 12, refused: 2, lastRefusal: "no such page", dropped: 3 } });
  assert.equal(p.text("queue"),
    "12 events kept here until Nightjar starts. Nightjar refused 2 events. Last reason: no such page. The queue was full, so the text of 3 pages is missing.");
});

test("the training and its result, and the daemon's problem", async () => {
  const training = { topic: "Hockey", stage: "reading pages", done: 2, total: 8, running: true };
  const p = await popup({ training, session: session({ status: "submitted" }) });
  assert.deepEqual(p.sections(), ["no-session", "training"]);
  assert.equal(p.text("training-text"), "Training on “Hockey”: reading pages (2 of 8)");
  assert.equal(p.element("training-bar").value, 0.25);
  await p.show({ training: { ...training, running: false } });
  assert.match(p.text("training-text"), /^Training on “Hockey” finished/);
  assert.equal(p.sees("training-bar"), false);
  assert.equal(p.sees("daemon-problem"), false);
  await p.show({ training, session: session(), problem: "too few pages" });
  assert.deepEqual(p.sections(), ["session"]);
  assert.equal(p.text("daemon-problem"), "Too few pages");
});

test("when the browser ends the background, the popup connects again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const p = await popup();
  assert.equal(p.client.ports.length, 1);
  p.client.ports[0].onDisconnect.fire();
  t.mock.timers.tick(500);
  assert.equal(p.client.ports.length, 2);
  await p.show({ session: session() });
  assert.deepEqual(p.sections(), ["session"]);
});
