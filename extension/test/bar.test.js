// The bar as the person sees and uses it.
import assert from "node:assert/strict";
import test from "node:test";
import { settled, webPage } from "./page_fake.js";
import { barState } from "./states_fake.js";

/** @typedef {Partial<import("../types/state.d.ts").BarState>} Changes */

/** A page whose bar shows a state. @param {Changes} [changes] @param {any} [options] */
async function bar(changes, options) {
  const page = await webPage(options);
  page.client.sent = [];
  const show = (/** @type {Changes} */ next) => page.client.tell("bar.state", barState(next));
  show(changes ?? {});
  const visible = (/** @type {any} */ element) => {
    for (let at = element; at; at = at.parentElement) if (at.style.display === "none") return false;
    return page.document.contains(page.root.host);
  };
  const buttons = () => [...page.root.querySelectorAll("button")].filter(visible);
  const panel = () => page.root.querySelector("[role=alertdialog]");
  return {
    ...page, show,
    /** The text in the bar. */
    line: () => page.root.querySelector("[role=status]").textContent,
    /** The visible buttons by their text. */
    labels: () => buttons().map((b) => b.textContent),
    /** @param {string} label @returns {any} the last visible button with this text: the panel's come first */
    button: (label) => buttons().findLast((b) => b.textContent === label),
    /** The question or problem above the bar, "" if it is closed. */
    question: () => (visible(panel()) ? panel().querySelector("div").textContent : ""),
    /** @param {string} label */
    answer: (label) => page.person.click([...panel().querySelectorAll("button")].find((b) => b.textContent === label)),
    asked: () => page.client.named("bar.do").map((/** @type {any} */ params) => params.action),
    there: () => page.document.getElementById("nightjar-bar") !== null,
  };
}

test("the bar is there during a session only, and never on the dashboard", async () => {
  const b = await bar({});
  assert.equal(b.there(), true);
  b.show({ show: false });
  assert.equal(b.there(), false);
  b.show({});
  assert.equal(b.there(), true);
  const dashboard = await webPage({ url: `http://nightjar-${"0".repeat(32)}.localhost:4774/finds` });
  dashboard.client.tell("bar.state", barState());
  assert.equal(dashboard.document.getElementById("nightjar-bar"), null);
});

test("the page cannot look into the bar", async () => {
  const b = await bar({});
  assert.equal(b.document.getElementById("nightjar-bar").shadowRoot, null);
});

test("the text: topic, pages, marks; unsent events; paused; a page that is not recorded", async () => {
  const b = await bar({});
  assert.equal(b.line(), "Hockey · 3 pages, 1 useful");
  b.show({ pages: 1, queued: 4, connected: false });
  assert.equal(b.line(), "Hockey · 1 page, 4 unsent");
  b.show({ queued: 4, connected: true });
  assert.equal(b.line(), "Hockey · 3 pages, 1 useful");
  b.show({ page: { recorded: "yes", useful: false, milestone: "Team" } });
  assert.equal(b.line(), "Hockey · Team · 3 pages, 1 useful");
  b.show({ status: "paused" });
  assert.equal(b.line(), "Hockey · paused");
  assert.equal(b.button("Useful").disabled, true);
  b.show({ page: { recorded: "left-out", useful: false } });
  assert.equal(b.line(), "Hockey · page not recorded");
  assert.equal(b.button("Useful").disabled, true);
});

test("Useful marks the page and shows that it is marked", async () => {
  const b = await bar({});
  assert.equal(b.button("Useful").getAttribute("aria-pressed"), "false");
  await b.person.click(b.button("Useful"));
  assert.deepEqual(b.asked(), ["useful"]);
  b.show({ page: { recorded: "yes", useful: true }, useful: 2 });
  const marked = b.button("✓ Useful");
  assert.equal(marked.getAttribute("aria-pressed"), "true");
  await b.person.click(marked);
  assert.deepEqual(b.asked(), ["useful", "useful"]);
});

test("a script of the page cannot press the buttons", async () => {
  const b = await bar({});
  for (const label of ["Useful", "Submit", "‖", "×"]) b.button(label).click();
  const Press = b.window.MouseEvent;
  b.button("Useful").dispatchEvent(new Press("click", { bubbles: true }));
  await settled();
  assert.deepEqual(b.asked(), []);
  assert.equal(b.question(), "");
});

test("pause, resume, hide", async () => {
  const b = await bar({});
  await b.person.click(b.button("‖"));
  b.show({ status: "paused" });
  assert.equal(b.button("▶").getAttribute("aria-label"), "Resume recording");
  await b.person.click(b.button("▶"));
  await b.person.click(b.button("×"));
  assert.deepEqual(b.asked(), ["pause", "resume", "hide"]);
});

test("Submit asks first; Keep browsing and Escape close the question", async () => {
  const b = await bar({});
  await b.person.click(b.button("Submit"));
  assert.equal(b.question(), "Submit “Hockey”? 3 pages, 1 useful. Recording stops and Nightjar learns from them.");
  await b.answer("Keep browsing");
  assert.equal(b.question(), "");
  await b.person.click(b.button("Submit"));
  await b.person.press(b.button("Keep browsing"), "Escape");
  assert.equal(b.question(), "");
  assert.deepEqual(b.asked(), []);
  await b.person.click(b.button("Submit"));
  await b.answer("Submit");
  assert.deepEqual(b.asked(), ["submit"]);
  assert.equal(b.question(), "");
});

test("Submit without a useful page says what to do and offers no Submit; without the daemon it says that the session waits", async () => {
  const b = await bar({ useful: 0 });
  await b.person.click(b.button("Submit"));
  assert.match(b.question(), /^Mark at least one page Useful/);
  await assert.rejects(b.answer("Submit"), /cannot click/);
  const away = await bar({ connected: false });
  await away.person.click(away.button("Submit"));
  assert.match(away.question(), /Nightjar is not running; the session waits here/);
});

test("a problem with the submitted session opens the panel, until the person continues; an old one does not", async () => {
  const b = await bar({ problem: "too few pages" });
  assert.equal(b.question(), "", "known before this page");
  b.show({ problem: "visit at least three other pages" });
  assert.equal(b.question(), "Visit at least three other pages.");
  b.show({ problem: "" });
  assert.equal(b.question(), "");
  b.show({ status: "submitted", problem: "the disk is full" });
  assert.equal(b.question(), "");
  assert.equal(b.line(), "The disk is full.");
});

test("the same problem after a second Submit is shown again", async () => {
  const b = await bar({});
  for (let i = 0; i < 2; i++) {
    await b.person.click(b.button("Submit"));
    await b.answer("Submit");
    b.show({ problem: "too few pages" });
    assert.equal(b.question(), "Too few pages.");
    await b.answer("Keep browsing");
  }
});

test("after Submit: waiting for Nightjar, training, result; no buttons but Hide", async () => {
  const b = await bar({ status: "submitted", queued: 2, connected: false });
  assert.equal(b.line(), "Waiting for Nightjar to start · 2 events kept here");
  assert.deepEqual(b.labels(), ["⠿", "×"]);
  b.show({ status: "submitted" });
  assert.equal(b.line(), "Submitted. Training starts soon.");
  const training = { topic: "Hockey", stage: "reading pages", done: 2, total: 5, running: true };
  b.show({ status: "submitted", training });
  assert.equal(b.line(), "Training: reading pages 40%");
  b.show({ status: "submitted", training: { ...training, total: 0 } });
  assert.equal(b.line(), "Training: reading pages");
  b.show({ status: "submitted", training: { ...training, running: false } });
  assert.match(b.line(), /^Training finished/);
});

test("what failed is shown: a refusal in its words, an extension that was updated", async () => {
  const b = await bar({});
  b.client.answers["bar.do"] = () => {
    throw new Error("This page is not recorded, so it cannot be marked.");
  };
  await b.person.click(b.button("Useful"));
  assert.equal(b.line(), "This page is not recorded, so it cannot be marked.");
  b.client.lost = 1;
  await b.person.click(b.button("Useful"));
  assert.equal(b.line(), "Nightjar was updated. Reload the page to continue.");
});

test("keyboard and clicks in the bar do not reach the page", async () => {
  const b = await bar({});
  /** @type {string[]} */
  const heard = [];
  for (const type of ["keydown", "click", "pointerdown"]) b.document.addEventListener(type, () => heard.push(type));
  await b.person.press(b.button("Useful"), "u");
  await b.person.click(b.button("Useful"));
  await b.person.send(b.button("⠿"), "pointerdown", { button: 0 }, "PointerEvent");
  assert.deepEqual(heard, []);
  await b.person.press(b.document.body, "u");
  assert.deepEqual(heard, ["keydown"]);
});

test("the bar moves by keyboard and by dragging, stays in the window, and tells its place", async () => {
  const b = await bar({});
  const host = b.root.host;
  const place = () => [host.style.right, host.style.bottom];
  assert.deepEqual(place(), ["16px", "16px"]);
  const grip = b.button("⠿");
  await b.person.press(grip, "ArrowUp");
  await b.person.press(grip, "ArrowLeft");
  assert.deepEqual(place(), ["40px", "40px"]);
  assert.deepEqual(b.client.named("bar.place").at(-1), { place: { right: 40, bottom: 40 } });
  for (let i = 0; i < 50; i++) {
    await b.person.press(grip, "ArrowLeft");
    await b.person.press(grip, "ArrowUp");
  }
  assert.deepEqual(place(), [`${1024 - 540}px`, `${768 - 44}px`]);
  await b.person.press(grip, "Home");
  assert.deepEqual(place(), ["16px", "16px"]);
  await b.person.send(grip, "pointerdown", { button: 0, clientX: 500, clientY: 700 }, "PointerEvent");
  await b.person.send(grip, "pointermove", { clientX: 450, clientY: 600 }, "PointerEvent");
  assert.deepEqual(place(), ["66px", "116px"]);
  await b.person.send(grip, "pointermove", { clientX: 450, clientY: 9000 }, "PointerEvent");
  await b.person.send(grip, "pointerup", {}, "PointerEvent");
  assert.deepEqual(b.client.named("bar.place").at(-1), { place: { right: 66, bottom: 0 } });
});

test("the bar starts where the person left it", async () => {
  const b = await bar({ place: { right: 100, bottom: 200 } });
  assert.deepEqual([b.root.host.style.right, b.root.host.style.bottom], ["100px", "200px"]);
});

test("a page that removes the bar gets it back, ten times at most", async () => {
  const b = await bar({});
  for (let i = 0; i < 10; i++) {
    b.root.host.remove();
    await settled();
    assert.equal(b.there(), true, `removed ${i + 1} times`);
  }
  b.root.host.remove();
  await settled();
  assert.equal(b.there(), false);
});

test("the bar is not printed", async () => {
  const b = await bar({});
  b.window.dispatchEvent(new b.window.Event("beforeprint"));
  assert.equal(b.root.host.style.display, "none");
  b.window.dispatchEvent(new b.window.Event("afterprint"));
  assert.equal(b.root.host.style.display, "block");
});

test("the keyboard command focuses Useful, or Hide if the page cannot be marked", async () => {
  const b = await bar({});
  b.client.tell("bar.focus", {});
  assert.equal(b.root.activeElement, b.button("Useful"));
  b.show({ status: "paused" });
  b.client.tell("bar.focus", {});
  assert.equal(b.root.activeElement, b.button("×"));
});
