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

  /** The visible text of the page. @returns {Look} */
  function look() {
    /** @type {Look} */
    const seen = { pieces: new Map(), size: 0 };
    if (!document.body) return seen;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    /** @type {Element|null} */
    let parent = null;
    let visible = false;
    for (let left = PIECES; left > 0 && texts.nextNode(); ) {
      const text = /** @type {Text} */ (texts.currentNode).data.trim();
      if (text === "") continue;
      left--;
      if (texts.currentNode.parentElement !== parent) {
        parent = texts.currentNode.parentElement;
        visible = parent !== null && !UNSEEN.has(parent.tagName) && (parent.checkVisibility?.() ?? true);
      }
      if (!visible) continue;
      const key = hash(text);
      if (!seen.pieces.has(key)) seen.size += text.length;
      seen.pieces.set(key, text.length);
    }
    return seen;
  }

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
