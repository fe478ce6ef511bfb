// The marks of links as drawings. Each state has a shape of its own, so that no colour is needed to tell them apart: a tick,
// a diamond, a star, a cross. This is a classic script that modules import, too; it defines one frozen object.
(() => {
  "use strict";

  /** Paths in a square of 16, and their colours. @type {Readonly<Record<import("../../types/protocol.d.ts").LinkState, readonly [path: string, colour: string]>>} */
  const SHAPES = Object.freeze({
    visited: ["M2.5 8.5 6.5 12.5 13.5 4", "#0b57d0"],
    found: ["M8 2 14 8 8 14 2 8Z", "#b35900"],
    useful: ["M8 1.5 10 6 15 6.5 11.2 9.8 12.4 14.6 8 12 3.6 14.6 4.8 9.8 1 6.5 6 6Z", "#17703f"],
    "not-useful": ["M3.5 3.5 12.5 12.5M12.5 3.5 3.5 12.5", "#6e2a2a"],
  });

  /** Whether there is a shape for a text. @param {unknown} state @returns {state is keyof typeof SHAPES} */
  const known = (state) => typeof state === "string" && Object.hasOwn(SHAPES, state);

  /** The drawing of a state, as large as its parent, with a light edge, so that it is seen on every background. @param {keyof typeof SHAPES} state */
  function draw(state) {
    const [path, colour] = SHAPES[state];
    const closed = path.endsWith("Z");
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "-1 -1 18 18");
    svg.setAttribute("aria-hidden", "true");
    for (const [stroke, width] of [["#ffffff", "5"], [colour, closed ? "1" : "2.6"]]) {
      const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
      const looks = { d: path, stroke, "stroke-width": width, fill: closed ? stroke : "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
      for (const [name, value] of Object.entries(looks)) line.setAttribute(name, value);
      svg.append(line);
    }
    return svg;
  }

  globalThis.nightjarShapes = Object.freeze({ known, draw });
})();
