// What the person does with the bar by mouse, finger and keyboard. Only the person's own events count, not those of scripts.
// This is a classic script; it defines one frozen object, nightjarBarHands.
(() => {
  "use strict";

  if (globalThis.nightjarBarHands || window !== window.top) return; // injected twice, or a frame

  /** How long the mouse rests on the pill before it opens, and is away before it closes; ms. */
  const INTENT = 180;
  const AWAY = 500;
  /** A press that moves so far drags the bar, px. */
  const DRAG = 6;

  /** Of these, the page hears nothing while the focus is in the bar. */
  const KEYS = ["keydown", "keypress", "keyup", "beforeinput", "input", "compositionstart", "compositionupdate", "compositionend", "copy", "cut", "paste"];
  /** These end at the bar's root. The elements of the bar listen to some of them. */
  const REST = ["click", "auxclick", "dblclick", "contextmenu", "pointerdown", "pointerup", "mousedown", "mouseup", "touchstart", "touchend", "focusin", "focusout", "change", "select"];

  /** @typedef {import("../../types/globals.d.ts").Bar} Bar what the bar does in answer */
  /** @typedef {import("../../types/globals.d.ts").BarParts} Parts */

  /** Whether the focus comes back from the panel, which then stays closed. */
  let silent = false;

  /** Listens for keys, from the start: the sooner, the fewer listeners of the page come before. @param {Bar} bar */
  function keys(bar) {
    for (const type of KEYS) {
      addEventListener(type, (event) => {
        if (!event.isTrusted || !event.target || event.target !== bar.parts()?.host) return;
        event.stopImmediatePropagation();
        if (event.type === "keydown") pressed(bar, /** @type {KeyboardEvent} */ (event));
        if (event.type === "input") bar.typed();
      }, true);
    }
    addEventListener("pointerdown", (event) => {
      if (event.isTrusted && bar.opened() && event.target !== bar.parts()?.host) bar.close();
    }, { capture: true, passive: true });
  }

  /** @param {Bar} bar @param {KeyboardEvent} event */
  function pressed(bar, event) {
    const parts = bar.parts();
    if (!parts || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (meant(bar, parts, event.key)) event.preventDefault();
  }

  /** Does what a key is for. @param {Bar} bar @param {Parts} parts @param {string} key @returns {boolean} false without a meaning */
  function meant(bar, parts, key) {
    const { root, inner } = parts;
    if (key === "Escape") return escape(bar, parts);
    if (!inner) return false;
    const { labels, grip } = inner;
    const at = /** @type {HTMLElement|null} */ (root.activeElement);
    const writing = at === labels.field;
    if (bar.section() === "label" && /^[1-9]$/.test(key) && labels.field.value === "") {
      const name = bar.names()[Number(key) - 1];
      if (name) void bar.doings.label(name);
      return name !== undefined;
    }
    if (writing && key === "Enter") {
      void bar.doings.label(labels.field.value);
      return true;
    }
    const to = at === grip && bar.step(key);
    if (to) bar.doings.place(to);
    if (to) return true;
    if (!writing && key.toLowerCase() === "l" && bar.opened() && bar.can()) {
      bar.doings.section("label");
      return true;
    }
    const by = /** @type {Record<string, number>} */ ({ ArrowDown: 1, ArrowUp: -1, ...(!writing && { ArrowRight: 1, ArrowLeft: -1 }) })[key];
    if (!by) return false;
    const all = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("button, input")]).filter((e) => e.getClientRects().length > 0);
    all.at((all.indexOf(/** @type {HTMLElement} */ (at)) + by) % all.length)?.focus();
    return true;
  }

  /** Goes one step back: out of a part of the panel, out of the panel, out of the bar. @param {Bar} bar @param {Parts} parts */
  function escape(bar, parts) {
    if (bar.visiting() || !bar.opened()) bar.leave();
    else if (bar.section()) bar.doings.section("");
    else {
      bar.close();
      silent = true;
      (parts.pill.style.display === "none" ? parts.tab : parts.useful).focus();
      silent = false;
    }
    return true;
  }

  /** @param {Bar} bar @param {Parts} parts */
  function listen(bar, { host, root, box, pill }) {
    hover(bar, box);
    root.addEventListener("focusin", (event) => {
      const at = /** @type {HTMLElement} */ (event.target);
      if (event.isTrusted && !silent && !bar.opened() && at.matches(":focus-visible")) bar.open("focus");
    });
    root.addEventListener("focusout", () =>
      setTimeout(() => {
        if (bar.opened() === "focus" && root.activeElement === null && document.hasFocus()) bar.close();
      }),
    );
    drag(bar, host, pill);
    for (const type of REST) root.addEventListener(type, (event) => event.stopPropagation());
  }

  /** @param {Bar} bar @param {HTMLElement} box */
  function hover(bar, box) {
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    let timer;
    const wait = (/** @type {number} */ ms, /** @type {() => void} */ work) => {
      clearTimeout(timer);
      timer = setTimeout(work, ms);
    };
    box.addEventListener("pointermove", (event) => {
      if (!event.isTrusted || event.pointerType !== "mouse") return;
      if (bar.opened()) clearTimeout(timer);
      else if (event.buttons === 0) wait(INTENT, () => bar.open("hover"));
    });
    box.addEventListener("pointerdown", () => clearTimeout(timer));
    box.addEventListener("pointerleave", (event) => {
      if (!event.isTrusted || event.pointerType !== "mouse") return;
      clearTimeout(timer);
      if (bar.opened() === "hover") wait(AWAY, () => bar.opened() === "hover" && !bar.busy() && bar.close());
    });
  }

  /** @param {Bar} bar @param {HTMLElement} host @param {HTMLElement} handle */
  function drag(bar, host, handle) {
    /** @type {{x: number, y: number, left: number, top: number, moves: boolean}|null} */
    let from = null;
    const move = (/** @type {PointerEvent} */ event) => {
      if (!from || !event.isTrusted) return;
      const dx = event.clientX - from.x;
      const dy = event.clientY - from.y;
      if (!from.moves && Math.hypot(dx, dy) < DRAG) return;
      if (!from.moves) handle.setPointerCapture(event.pointerId); // the press becomes no click of a button in the handle
      from.moves = true;
      bar.drag(from.left + dx, from.top + dy);
    };
    const end = (/** @type {PointerEvent} */ event) => {
      if (!event.isTrusted) return;
      if (from?.moves) bar.drop(from.left + event.clientX - from.x, from.top + event.clientY - from.y);
      from = null;
      for (const [type, work] of during) removeEventListener(type, work, true);
    };
    // The mouse may leave the handle with its first step.
    const during = /** @type {[string, (event: any) => void][]} */ ([["pointermove", move], ["pointerup", end], ["pointercancel", end]]);
    handle.addEventListener("pointerdown", (event) => {
      if (!event.isTrusted || event.button !== 0) return;
      const { left, top } = host.getBoundingClientRect();
      from = { x: event.clientX, y: event.clientY, left, top, moves: false };
      for (const [type, work] of during) addEventListener(type, work, true);
    });
  }

  globalThis.nightjarBarHands = Object.freeze({ keys, listen, drag });
})();
