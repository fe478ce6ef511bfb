// Tells whether a page shows other content than before. Pages whose scripts show many pages in one document change their
// address by pushState, replaceState or a route (#/… or #!…); only a change of the text tells whether that was a new page.
// This is a classic script, since content scripts cannot be modules; it defines one frozen object, nightjarRoutes.
(() => {
  "use strict";

  /** Most pieces of text of a page that are looked at, and most characters of each that are compared. This bounds the time. */
  const PIECES = 3000;
  const LENGTH = 120;
  /** A change of fewer characters, and of a smaller share of the text, is none: a clock, a counter, a menu that was marked. */
  const FEW = 200;
  const SHARE = 0.02;
  /** After replaceState, with which pages also note filters and where the person scrolled to, most of the text must be new. */
  const MOST = 0.5;

  const UNSEEN = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "TEXTAREA", "OPTION"]);

  /** What a page shows: the length of each distinct piece of text by its hash, and the sum. @typedef {{pieces: Map<number, number>, size: number}} Look */

  /** @param {string} text */
  function hash(text) {
    let h = text.length;
    for (let i = 0; i < Math.min(text.length, LENGTH); i++) h = (Math.imul(h, 31) + text.charCodeAt(i)) | 0;
    return h;
  }

  /** The visible text of the page. @param {Iterable<ShadowRoot>} shadows its shadow roots @returns {Look} */
  function look(shadows) {
    /** @type {Look} */
    const seen = { pieces: new Map(), size: 0 };
    /** @type {Node|null} */
    let parent = null;
    let visible = false;
    let left = PIECES;
    for (const node of textsOf(shadows)) {
      const text = node.data.trim();
      if (text === "") continue;
      if (left-- === 0) break;
      if (node.parentNode !== parent) {
        parent = node.parentNode;
        visible = sees(parent instanceof ShadowRoot ? parent.host : parent);
      }
      if (!visible) continue;
      const key = hash(text);
      if (!seen.pieces.has(key)) seen.size += text.length;
      seen.pieces.set(key, text.length);
    }
    return seen;
  }

  /** @param {Iterable<ShadowRoot>} shadows @returns {Generator<Text>} */
  function* textsOf(shadows) {
    for (const root of document.body ? [document.body, ...shadows] : []) {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) yield /** @type {Text} */ (texts.currentNode);
    }
  }

  /** @param {Node|null} parent */
  const sees = (parent) => parent instanceof Element && !UNSEEN.has(parent.tagName) && (parent.checkVisibility?.() ?? true);

  /** The characters of a that b lacks. @param {Look} a @param {Look} b */
  function lacking(a, b) {
    let sum = 0;
    for (const [piece, length] of a.pieces) if (!b.pieces.has(piece)) sum += length;
    return sum;
  }

  /** Whether the page shows other content than before. @param {Look} before @param {Look} now @param {boolean} replaced after replaceState */
  function changed(before, now, replaced) {
    if (replaced) return lacking(now, before) >= MOST * Math.max(1, now.size);
    const different = lacking(now, before) + lacking(before, now);
    return different >= FEW || different > SHARE * (before.size + now.size);
  }

  globalThis.nightjarRoutes = Object.freeze({ look, changed });
})();
