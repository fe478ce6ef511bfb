import assert from "node:assert/strict";
import test from "node:test";
import { badge } from "../src/background/badge.js";
import { session } from "./states_fake.js";
import "./text_fake.js";

/** @typedef {import("../types/state.d.ts").ConnectionStatus} ConnectionStatus */

/** @param {ConnectionStatus["state"]} state @param {string} [message] @returns {ConnectionStatus} */
const status = (state, message = "") => ({ state, message, digits: "" });

test("the toolbar button says what is recorded, what waits and that Nightjar is away", () => {
  const shown = (/** @type {Parameters<typeof badge>} */ ...state) => {
    const { text, title } = badge(...state);
    return [text, title];
  };
  const on = status("connected");
  const off = status("offline", "Nightjar is not running.");
  const paused = session({ status: "paused" });
  assert.deepEqual(shown(null, on, 0), ["", "Nightjar: no session. Nothing is recorded."]);
  assert.deepEqual(shown(session(), on, 5), ["●", "Nightjar is recording “Hockey”."]);
  assert.deepEqual(shown(paused, on, 0), ["‖", "Recording of “Hockey” is paused. Nothing is recorded."]);
  assert.deepEqual(shown(session(), off, 1), ["…1", "Recording “Hockey”. Nightjar is not connected: 1 event kept here until it is."]);
  assert.deepEqual(shown(session(), off, 0), ["●!", "Recording “Hockey”. Nightjar is not connected: what you do is kept here until it is."]);
  assert.deepEqual(shown(paused, off, 0)[0], "‖!");
  assert.deepEqual(shown(null, off, 100), ["…99+", "Nightjar is not connected: 100 events kept here until it is."]);
  assert.deepEqual(shown(null, off, 0)[0], "", "without a session nothing is missing");
  assert.deepEqual(shown(session({ status: "submitted" }), off, 0)[0], "");
  assert.deepEqual(shown(session(), on, 5, false), ["!", "“Hockey” is not recorded: Nightjar may not read pages. Open the popup to allow it again."]);
  assert.deepEqual(shown(null, on, 0, false)[0], "", "without a session nothing is missing");
});

test("it stays while the connection is tried again, and does not flicker at the first attempt", () => {
  assert.equal(badge(session(), status("connecting"), 0).text, "●");
  assert.equal(badge(session(), status("connecting", "Nightjar is not running."), 0).text, "●!");
  assert.equal(badge(session(), status("unpaired"), 5).text, "●", "nothing waits for a daemon yet");
  assert.equal(badge(session(), status("stranger", "Another program answers."), 0).text, "●!");
  assert.equal(badge(session(), status("revoked"), 0).text, "●!");
});

test("no two states look alike without colours, and all fit", () => {
  const off = status("offline", "away");
  const texts = [badge(null, off, 0), badge(session(), status("connected"), 0), badge(session({ status: "paused" }), status("connected"), 0),
    badge(session(), off, 0), badge(session({ status: "paused" }), off, 0), badge(session(), off, 7), badge(session(), off, 7, false)].map((b) => b.text);
  assert.equal(new Set(texts).size, texts.length);
  for (const text of [...texts, badge(session(), off, 1000).text]) assert.ok(text.length <= 4, text);
});
