// The bar as the person sees and uses it.
import assert from "node:assert/strict";
import test from "node:test";
import { bar } from "./bar_fake.js";
import { settled, webPage } from "./page_fake.js";
import { barState } from "./states_fake.js";

test("the bar is there during a session only, and never on the dashboard or in a frame", async () => {
  const b = await bar({});
  assert.equal(b.there(), true);
  b.show({ show: false });
  assert.equal(b.there(), false);
  b.show({});
  assert.equal(b.there(), true);
  const dashboard = await webPage({ url: `http://nightjar-${"0".repeat(32)}.localhost:4774/finds` });
  dashboard.client.tell("bar.state", barState());
  assert.equal(dashboard.document.getElementById("nightjar-bar"), null);
  const frame = await webPage({ html: "<iframe></iframe>", framed: true });
  assert.equal(frame.window.nightjarBar, undefined);
});

test("the page cannot look into the bar", async () => {
  const b = await bar({});
  const host = b.document.getElementById("nightjar-bar");
  assert.equal(host.shadowRoot, null);
  assert.equal(host.textContent, "");
  assert.deepEqual([...host.attributes].map((a) => a.name).sort(), ["id", "style"]);
});

test("at rest it is a pill with Useful and the number of useful pages, and no more", async () => {
  const b = await bar({ useful: 7 });
  assert.deepEqual(b.labels(), ["Useful", "7 useful. Open the bar"]);
  assert.deepEqual(b.at().slice(2), [92, 32]);
  assert.equal(b.open(), false);
  b.show({ status: "paused" });
  assert.deepEqual(b.labels(), ["Paused", "Open the bar"]);
  b.show({ page: { recorded: "left-out", useful: false } });
  assert.deepEqual(b.labels(), ["Not recorded", "Open the bar"]);
  await b.person.click(b.button("Not recorded"));
  assert.equal(b.open(), true);
  assert.deepEqual(b.asked(), []);
});

test("open, it says topic, pages and marks, and what is true of the page", async () => {
  const b = await bar({});
  await b.tap();
  assert.match(b.text(), /Hockey \| .*3 pages, 1 useful \| This page is recorded\./);
  b.show({ pages: 1, queued: 4, connected: false });
  assert.match(b.text(), /1 page, 1 useful, 4 unsent/);
  b.show({ queued: 4, connected: true });
  assert.match(b.text(), /3 pages, 1 useful \|/);
  b.show({ page: { recorded: "yes", useful: false, milestone: "Team" } });
  assert.match(b.text(), /Label: Team/);
  b.show({ status: "paused" });
  assert.match(b.text(), /Paused\. Nothing is recorded\./);
  b.show({ page: { recorded: "left-out", useful: false, why: "This page is not recorded: password field." } });
  assert.match(b.text(), /password field/);
  assert.equal(b.button("Label").getAttribute("aria-disabled"), "true");
});

test("Useful on the pill marks the page at once, without opening the panel, and says so", async () => {
  const b = await bar({});
  assert.equal(b.button("Useful").getAttribute("aria-pressed"), "false");
  await b.person.click(b.button("Useful"));
  assert.deepEqual(b.asked(), ["useful"]);
  assert.equal(b.open(), false);
  const press = await b.person.send(b.button("Useful"), "mousedown");
  assert.equal(press.defaultPrevented, true, "the page keeps the focus, and so the space bar");
  b.show({ page: { recorded: "yes", useful: true }, useful: 2 });
  assert.equal(b.heard(), "Marked Useful. 2 useful.");
  const marked = b.button("✓ Useful");
  assert.equal(marked.getAttribute("aria-pressed"), "true");
  await b.person.click(marked);
  assert.deepEqual(b.asked(), ["useful", "useful"]);
});

test("the panel opens when the mouse rests on the pill, and closes when it is away", async () => {
  const b = await bar({});
  await b.mouse("pointermove");
  await b.clock.pass(100);
  assert.equal(b.open(), false, "it only passes");
  await b.mouse("pointerleave");
  await b.clock.pass(1000);
  assert.equal(b.open(), false);
  await b.mouse("pointermove");
  await b.clock.pass(200);
  assert.equal(b.open(), true);
  await b.mouse("pointerleave");
  await b.clock.pass(200);
  await b.mouse("pointermove");
  await b.clock.pass(1000);
  assert.equal(b.open(), true, "it came back");
  await b.mouse("pointerleave");
  await b.clock.pass(1000);
  assert.equal(b.open(), false);
  await b.mouse("pointermove", { pointerType: "touch" });
  await b.clock.pass(1000);
  assert.equal(b.open(), false, "a finger taps");
});

test("a tap opens and closes the panel; so do Escape and a press elsewhere", async () => {
  const b = await bar({});
  await b.tap();
  assert.equal(b.open(), true);
  await b.tap();
  assert.equal(b.open(), false);
  await b.tap();
  await b.person.send(b.document.body, "pointerdown", {}, "PointerEvent");
  assert.equal(b.open(), false);
  await b.tap();
  b.button("Pause").focus();
  await b.key("Escape");
  assert.equal(b.open(), false);
  assert.equal(b.root.activeElement.textContent, "Useful");
});

test("a script of the page cannot press the buttons or keys", async () => {
  const b = await bar({});
  await b.tap();
  for (const label of ["Useful", "Submit", "Pause", "More"]) b.button(label).click();
  const { MouseEvent, KeyboardEvent } = b.window;
  b.button("Useful").dispatchEvent(new MouseEvent("click", { bubbles: true }));
  b.root.host.dispatchEvent(new KeyboardEvent("keydown", { key: "l", bubbles: true }));
  await settled();
  assert.deepEqual(b.asked(), []);
  assert.equal(b.question(), "");
  assert.equal(b.button("Save"), undefined);
});

test("pause, resume, what was sent, the dashboard", async () => {
  const b = await bar({});
  await b.tap();
  await b.person.click(b.button("Pause"));
  b.show({ status: "paused" });
  assert.equal(b.heard(), "Recording is paused.");
  await b.person.click(b.button("Resume"));
  await b.person.click(b.button("More"));
  await b.person.click(b.button("Open the dashboard"));
  assert.deepEqual(b.asked(), ["pause", "resume", "dashboard"]);
  await b.person.click(b.button("What was sent"));
  assert.equal(b.client.named("sent.open").length, 1);
});

test("Submit asks first, once; Keep browsing and Escape close the question", async () => {
  const b = await bar({});
  await b.tap();
  await b.person.click(b.button("Submit"));
  assert.equal(b.question(), "Submit “Hockey”? 3 pages, 1 useful. Recording stops and Nightjar learns from them.");
  assert.equal(b.root.activeElement.textContent, "Submit");
  await b.answer("Keep browsing");
  assert.equal(b.question(), "");
  await b.person.click(b.button("Submit"));
  await b.key("Escape");
  assert.equal(b.question(), "");
  assert.deepEqual(b.asked(), []);
  await b.person.click(b.button("Submit"));
  await b.answer("Submit");
  assert.deepEqual(b.asked(), ["submit"]);
  assert.equal(b.question(), "");
});

test("Submit without a useful page says what to do and offers no Submit; without the daemon it says that the session waits", async () => {
  const b = await bar({ useful: 0 });
  b.client.tell("bar.confirm", {});
  assert.match(b.question(), /^Mark at least one page Useful/);
  await assert.rejects(b.answer("Submit"), /cannot click/);
  assert.equal(b.root.activeElement.textContent, "Keep browsing");
  const away = await bar({ connected: false });
  away.client.tell("bar.confirm", {});
  assert.match(away.question(), /Nightjar is not running; the session waits here/);
});

test("a problem with the submitted session opens the question, until the person continues; an old one does not", async () => {
  const b = await bar({ problem: "too few pages" });
  assert.equal(b.question(), "", "known before this page");
  b.show({ problem: "visit at least three other pages" });
  assert.equal(b.question(), "Visit at least three other pages.");
  assert.equal(b.heard(), "Visit at least three other pages.");
  b.show({ problem: "" });
  assert.equal(b.open(), false);
  b.show({ status: "submitted", problem: "the disk is full" });
  assert.equal(b.question(), "");
  assert.equal(b.heard(), "The disk is full.");
  assert.ok(b.button("Not learned"));
});

test("the same problem after a second Submit is shown again", async () => {
  const b = await bar({});
  for (let i = 0; i < 2; i++) {
    b.client.tell("bar.confirm", {});
    await b.answer("Submit");
    b.show({ problem: "too few pages" });
    assert.equal(b.question(), "Too few pages.");
    await b.answer("Keep browsing");
  }
});

test("after Submit: waiting for Nightjar, progress, then the way to what was learned", async () => {
  const training = { topic: "Hockey", stage: "reading pages", done: 2, total: 5, running: true };
  const b = await bar({ status: "submitted", queued: 2, connected: false });
  await b.tap();
  assert.match(b.text(), /Waiting for Nightjar to start · 2 events kept here/);
  assert.ok(b.button("Waiting"));
  for (const gone of ["Useful", "Label", "Pause", "Submit"]) assert.equal(b.button(gone), undefined);
  b.show({ status: "submitted" });
  assert.match(b.text(), /Submitted\. Training starts soon\./);
  b.show({ status: "submitted", training });
  assert.match(b.text(), /Training: reading pages 40%/);
  assert.ok(b.button("Learning 40%"));
  b.show({ status: "submitted", training: { ...training, total: 0 } });
  assert.ok(b.button("Learning"));
  b.show({ status: "submitted", training: { ...training, running: false }, learned: true });
  assert.equal(b.heard(), "Training finished.");
  const links = [...b.root.querySelectorAll("[role=link]")].filter((e) => e.textContent === "See what was learned");
  assert.equal(links.length, 2, "on the pill and in the panel");
  for (const link of links) await b.person.click(link);
  assert.deepEqual(b.asked(), ["learned", "learned"]);
});

test("a daemon that does not tell what was learned: the dashboard shows the result", async () => {
  const b = await bar({ status: "submitted", training: { topic: "Hockey", stage: "", done: 1, total: 1, running: false } });
  await b.person.click(b.button("Learned"));
  assert.match(b.text(), /Training finished\. The dashboard shows the result\./);
  assert.equal(b.button("See what was learned"), undefined);
});

test("what failed is shown and said: a refusal in its words, an extension that was updated", async () => {
  const b = await bar({});
  b.client.answers["bar.do"] = () => {
    throw new Error("This page is not recorded, so it cannot be marked.");
  };
  await b.person.click(b.button("Useful"));
  assert.match(b.text(), /This page is not recorded, so it cannot be marked\./);
  assert.equal(b.heard(), "This page is not recorded, so it cannot be marked.");
  b.client.lost = 1;
  await b.person.click(b.button("Useful"));
  assert.match(b.text(), /Nightjar was updated\. Reload the page to continue\./);
});

test("labels: L opens the list, a digit or Enter chooses, typing narrows the list", async () => {
  const names = ["Team", "league table", "1st league"];
  const b = await bar({ names });
  await b.tap();
  b.button("Pause").focus();
  await b.key("l");
  assert.equal(b.root.activeElement, b.field());
  assert.deepEqual(names.map((name) => b.button(name)?.textContent), ["1  Team", "2  league table", "3  1st league"]);
  await b.key("2");
  assert.deepEqual(b.client.named("bar.label"), [{ name: "league table" }]);
  assert.equal(b.button("Team"), undefined, "the list is closed");
  await b.person.click(b.button("Label"));
  await b.person.write(b.field(), "league");
  assert.equal(b.button("Team"), undefined);
  assert.equal(b.button("1st league").textContent, "2  1st league");
  await b.key("1");
  assert.equal(b.client.named("bar.label").length, 1, "a digit in a name is typed");
  await b.person.write(b.field(), "goalies");
  await b.key("Enter");
  assert.deepEqual(b.client.named("bar.label").at(-1), { name: "goalies" });
  await b.person.click(b.button("Label"));
  await b.key("Enter");
  assert.equal(b.client.named("bar.label").length, 2, "an empty name is none");
  b.show({ names, page: { recorded: "yes", useful: false, milestone: "Team", undo: true } });
  await b.person.click(b.button("Remove the label"));
  await b.person.click(b.button("Label"));
  await b.person.click(b.button("Undo"));
  assert.deepEqual(b.client.named("bar.label").at(-1), { name: "" });
  assert.equal(b.client.named("bar.label.undo").length, 1);
});

test("the key for labels opens the list from the page, and gives the focus back", async () => {
  const b = await bar({}, { html: "<input id=here>" });
  b.document.getElementById("here").focus();
  b.client.tell("bar.label", {});
  assert.equal(b.root.activeElement, b.field());
  await b.key("1");
  assert.deepEqual(b.client.named("bar.label"), [{ name: "Team" }]);
  assert.equal(b.open(), false);
  assert.equal(b.document.activeElement.id, "here");
  b.show({ status: "paused" });
  b.client.tell("bar.label", {});
  assert.equal(b.open(), false, "a page that is not recorded gets no label");
});

test("the key for the bar moves the focus to it; Escape gives it back", async () => {
  const b = await bar({}, { html: "<input id=here>" });
  b.document.getElementById("here").focus();
  b.client.tell("bar.focus", {});
  assert.equal(b.root.activeElement, b.button("Useful"));
  assert.equal(b.open(), true);
  await b.key("ArrowRight");
  assert.equal(b.root.activeElement, b.opener());
  await b.key("ArrowLeft");
  assert.equal(b.root.activeElement, b.button("Useful"));
  await b.key("Escape");
  assert.equal(b.open(), false);
  assert.equal(b.document.activeElement.id, "here");
});

test("keyboard and clicks in the bar do not reach the page", async () => {
  const b = await bar({});
  /** @type {string[]} */
  const heard = [];
  for (const type of ["keydown", "keyup", "input", "click", "pointerdown"]) {
    b.document.addEventListener(type, () => heard.push(type));
    if (/^key|input/.test(type)) b.document.addEventListener(type, () => heard.push(`${type} on its way`), true);
  }
  await b.tap();
  await b.person.click(b.button("Label"));
  for (const type of ["keydown", "keyup"]) await b.person.send(b.field(), type, { key: "u" }, "KeyboardEvent");
  await b.person.write(b.field(), "u");
  await b.person.send(b.button("Useful"), "pointerdown", { button: 0 }, "PointerEvent");
  assert.deepEqual(heard, []);
  await b.person.press(b.document.body, "u");
  assert.deepEqual(heard, ["keydown on its way", "keydown"]);
});
