// Frames as browsers report them: framesets, links and Back inside a frame, iframes. See tracker.test.js, too.
import assert from "node:assert/strict";
import test from "node:test";
import { A, both, Browser } from "./navigation_fake.js";

const FRAME = { frameId: 9, parentFrameId: 0, parentDocumentId: "d1" };

/** A frameset with two frames. Their reports come before or after the report of the parent. @param {Browser} b @param {boolean} childFirst */
function frameset(b, childFirst) {
  b.before(`${A}fs`);
  b.commit("d1", `${A}fs`, "typed");
  b.commit("d2", `${A}nav`, "auto_subframe", [], FRAME);
  b.commit("d3", `${A}a`, "auto_subframe", [], { ...FRAME, frameId: 10 });
  const child = () => b.report("d2", `${A}nav`, { frame: 9, parentDoc: "d1", area: 10 });
  if (childFirst) assert.equal(child().wait, true);
  b.report("d1", `${A}fs`, { frameset: true, area: 100 });
  child();
  b.report("d3", `${A}a`, { frame: 10, parentDoc: "d1", area: 90 });
}

both("frames of a frameset, in either order of reports; Useful marks the largest", (b, load) => {
  frameset(b, load === "chromium");
  assert.deepEqual(b.heard(), [`visit P1 ${A}fs typed`, `frame P2 ${A}nav frame in P1`, `frame P3 ${A}a frame in P1`]);
  assert.equal(b.tracker.markTarget("P1"), "P3");
});

both("frames: a link in a frame, Back in the frame, target=_top, back into the frameset", (b, load) => {
  frameset(b, false);
  b.heard();
  const main = { ...FRAME, frameId: 10 };
  b.commit("d4", `${A}b`, "manual_subframe", [], main);
  b.report("d4", `${A}b`, { frame: 10, parentDoc: "d1", area: 90 });
  b.commit("d5", `${A}a`, "auto_subframe", load === "firefox" ? ["forward_back"] : [], main);
  b.report("d5", `${A}a`, { frame: 10, parentDoc: "d1", area: 90, move: { type: "traverse", delta: -1 } });
  b.commit("d6", `${A}b`, "auto_subframe", load === "firefox" ? ["forward_back"] : [], main);
  b.report("d6", `${A}b`, { frame: 10, parentDoc: "d1", area: 90, move: { type: "traverse", delta: 1 } });
  assert.deepEqual(b.heard(), [`frame P4 ${A}b frame in P1`, "back P3 from P4", "forward P4 from P3"]);
  b.tracker.gesture(1, "d2");
  b[load]("d7", `${A}top`);
  assert.deepEqual(b.heard(), [`visit P5 ${A}top link from P2`]);
  if (load === "firefox") {
    b.commit("d6", `${A}b`, "auto_subframe", ["forward_back"], main);
    b.commit("d2", `${A}nav`, "auto_subframe", ["forward_back"], FRAME);
  }
  b.commit("d1", `${A}fs`, "link", ["forward_back"]);
  assert.deepEqual(b.heard(), ["back P1 from P5"], "frames come back with their parent");
  assert.equal(b.report("d6", `${A}b`, { frame: 10, parentDoc: "d1" }).facts.length, 0);
});

test("an iframe, and one that changes by itself", () => {
  const b = new Browser();
  b.chromium("d1", A, "typed");
  b.commit("d2", `${A}i1`, "auto_subframe", [], FRAME);
  b.report("d2", `${A}i1`, { frame: 9, parentDoc: "d1" });
  b.commit("d3", `${A}i2`, "auto_subframe", [], FRAME);
  b.report("d3", `${A}i2`, { frame: 9, parentDoc: "d1" });
  b.commit("d4", "about:srcdoc", "auto_subframe", [], { ...FRAME, frameId: 11 });
  assert.deepEqual(b.heard().slice(1), [`frame P2 ${A}i1 iframe in P1`, `frame P3 ${A}i2 iframe in P1`]);
});
