import assert from "node:assert/strict";
import test from "node:test";
import { badge } from "../src/background/badge.js";
import { session } from "./states_fake.js";

test("the toolbar button says what is recorded and what waits", () => {
  const shown = (/** @type {Parameters<typeof badge>} */ ...state) => {
    const { text, title } = badge(...state);
    return [text, title];
  };
  assert.deepEqual(shown(null, true, 0, true), ["", "Nightjar: no session. Nothing is recorded."]);
  assert.deepEqual(shown(session(), true, 5, true), ["●", "Nightjar is recording “Hockey”."]);
  assert.deepEqual(shown(session({ status: "paused" }), true, 0, true), ["‖", "Recording of “Hockey” is paused. Nothing is recorded."]);
  assert.deepEqual(shown(session(), false, 1, true), ["…1", "Recording “Hockey”. Nightjar is not running: 1 event kept here until it starts."]);
  assert.deepEqual(shown(null, false, 100, true), ["…99+", "Nightjar is not running: 100 events kept here until it starts."]);
  assert.deepEqual(shown(session(), false, 5, false), ["●", "Nightjar is recording “Hockey”."], "not paired yet: nothing waits for a daemon");
});
