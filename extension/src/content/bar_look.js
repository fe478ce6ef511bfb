// How the bar looks. Styles are set on the elements, with !important: a page's policy may forbid style sheets, and a page's
// own rules must not change the bar. This is a classic script; it defines one frozen object, nightjarBarLook.
(() => {
  "use strict";

  if (globalThis.nightjarBarLook || window !== window.top) return; // injected twice, or a frame

  /** Width of the panel in a window that is wide enough, px. */
  const PANEL = 304;
  const FONT = "system-ui, sans-serif";
  const LIGHT = { scheme: "light", back: "#ffffff", text: "#1f2328", quiet: "#57606a", line: "#8c959f", soft: "#d0d7de", button: "#f3f4f6", on: "#17703f", onText: "#ffffff", main: "#0b57d0", mainText: "#ffffff" };
  const DARK = { scheme: "dark", back: "#1f2328", text: "#f0f3f6", quiet: "#b1bac4", line: "#768390", soft: "#444c56", button: "#2d333b", on: "#6fd69a", onText: "#0d1117", main: "#6cb6ff", mainText: "#0d1117" };

  const media = matchMedia("(prefers-color-scheme: dark)");

  /** What was set on each element, so that only changes are written. @type {WeakMap<HTMLElement, Map<string, string>>} */
  const written = new WeakMap();

  /** @param {HTMLElement} element @param {Record<string, string>} styles */
  function style(element, styles) {
    let known = written.get(element);
    if (!known) written.set(element, (known = new Map()));
    for (const [name, value] of Object.entries(styles)) {
      if (known.get(name) === value) continue;
      if (name === "all") known.clear(); // it resets what was set before
      known.set(name, value);
      element.style.setProperty(name, value, "important");
    }
  }

  const colours = () => (media.matches ? DARK : LIGHT);

  /** Shows or hides. @param {HTMLElement} element @param {boolean} visible @param {string} [display] */
  const show = (element, visible, display = "block") => style(element, { display: visible ? display : "none" });

  /** @param {HTMLElement} element @param {string} text */
  function write(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  /** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {Record<string, string>} styles @param {...(Node|string)} children */
  function make(tag, styles, ...children) {
    const element = document.createElement(tag);
    const all = Object.entries({ all: "initial", "box-sizing": "border-box", ...styles });
    // At once: one by one takes a multiple of the time.
    element.style.cssText = all.map(([name, value]) => `${name}: ${value} !important`).join("; ");
    written.set(element, new Map(all));
    element.append(...children);
    return element;
  }

  /** @param {string} label @param {(event: Event) => void} work only for the person's own clicks @param {Record<string, string>} [styles] */
  function button(label, work, styles = {}) {
    const element = make("button", {
      display: "block", height: "32px", "min-width": "24px", "border-radius": "8px", font: `600 13px/1.2 ${FONT}`, "text-align": "center",
      cursor: "pointer", flex: "0 0 auto", border: "1px solid", padding: "0 10px", "white-space": "nowrap", "user-select": "none", "outline-offset": "1px", ...styles,
    }, label);
    element.type = "button";
    ring(element);
    // The page keeps the focus when the mouse presses: the next space bar is meant for the page.
    element.addEventListener("mousedown", (event) => event.preventDefault());
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      if (event.isTrusted && element.getAttribute("aria-disabled") !== "true") work(event);
    });
    return element;
  }

  /** Shows which element has the focus. @param {HTMLElement} element */
  function ring(element) {
    element.addEventListener("focus", () => style(element, { outline: `3px solid ${colours().main}` }));
    element.addEventListener("blur", () => style(element, { outline: "none" }));
  }

  const box = { position: "absolute", border: "1px solid", "border-radius": "12px", "box-shadow": "0 2px 10px rgb(0 0 0 / .25)" };

  /** Styles of what stays as it is while the bar is shown. */
  const PARTS = {
    front: { "z-index": "2147483647", "color-scheme": "normal", position: "fixed", display: "block", visibility: "visible", opacity: "1", margin: "0", direction: "ltr", "unicode-bidi": "normal", transform: "none", "pointer-events": "auto" },
    box: { display: "block", position: "absolute", inset: "0" },
    pill: { ...box, inset: "0", display: "flex", "border-radius": "16px", overflow: "hidden", "touch-action": "none" },
    useful: { height: "100%", "min-width": "0", flex: "1 1 auto", padding: "0 0 0 4px", border: "0", background: "transparent", "border-radius": "16px 0 0 16px", "outline-offset": "-3px" },
    count: { height: "100%", "outline-offset": "-3px", "min-width": "28px", padding: "0 8px 0 4px", border: "0", background: "transparent", "border-radius": "0 16px 16px 0" },
    tab: { ...box, inset: "0", display: "none", width: "100%", height: "100%", padding: "0", font: `600 10px/1 ${FONT}`, "border-radius": "6px" },
    panel: { ...box, display: "none", padding: "10px 12px 12px", "max-height": "calc(100vh - 64px)", overflow: "auto", "overscroll-behavior": "contain" },
    head: { display: "flex", "align-items": "center", gap: "4px" },
    topic: { display: "block", flex: "1 1 0", "min-width": "0", overflow: "hidden", "text-overflow": "ellipsis", "white-space": "nowrap", font: `600 15px/1.4 ${FONT}` },
    line: { display: "block", font: `13px/1.4 ${FONT}`, margin: "2px 0 0", "overflow-wrap": "anywhere" },
    row: { display: "flex", gap: "8px", margin: "10px 0 0", "flex-wrap": "wrap" },
    grid: { display: "grid", "grid-template-columns": "1fr 1fr 1fr", gap: "6px", margin: "6px 0 0" },
    list: { display: "flex", "flex-direction": "column", gap: "4px", margin: "8px 0 0" },
    item: { height: "30px", "text-align": "left", padding: "0 8px", "font-weight": "500", overflow: "hidden", "text-overflow": "ellipsis", "flex-shrink": "0" },
    field: { display: "block", flex: "1 1 0", "min-width": "0", height: "32px", padding: "0 8px", border: "1px solid", "border-radius": "8px", font: `14px/1.2 ${FONT}` },
    quiet: { width: "32px", padding: "0", border: "1px solid transparent", background: "transparent", font: `600 17px/1 ${FONT}` },
    small: { padding: "0 2px", font: `500 12px/1.2 ${FONT}` },
    heard: { display: "block", position: "absolute", width: "1px", height: "1px", margin: "-1px", overflow: "hidden", "clip-path": "inset(50%)", "white-space": "nowrap" },
  };

  globalThis.nightjarBarLook = Object.freeze({
    style, show, write, make, button, ring, PARTS: Object.freeze(PARTS), PANEL, media, colours,
  });
})();
