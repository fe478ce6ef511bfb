// The bar on each page during a session. A closed shadow root separates it from the page. Styles are set on the elements,
// since a page's policy may forbid style sheets. Only the person's own events count, not those of scripts. This is a
// classic script; it defines one frozen object, nightjarBar.
//
// Geometry in CSS px, for programs that click at coordinates. The host #nightjar-bar is HEIGHT high and WIDTH wide (at most
// as wide as the window). At first it is EDGE away from the right and the lower edge of the window. The centres of the
// buttons are at half its height and, from its RIGHT edge: Hide 23, Pause 67, Submit 131, Useful 217. The centre of the
// handle is 15 from its LEFT edge. The panel that asks before Submit is 8 above the bar, PANEL high, and right-aligned with
// it. The centres of its buttons are 27 above its lower edge and, from its right edge: Submit 61, Keep browsing 179. If
// nothing is marked, there is no Submit, and Keep browsing is at 79.
(() => {
  "use strict";

  if (globalThis.nightjarBar) return; // injected twice

  const HEIGHT = 44;
  const WIDTH = 540;
  const EDGE = 16;
  const PANEL = 132;
  const STEP = 24;
  /** Host of Nightjar's dashboard, which needs no bar. */
  const DASHBOARD = /^nightjar-[0-9a-f]{32}\.localhost$/;

  const LIGHT = { back: "#ffffff", text: "#1f2328", quiet: "#57606a", line: "#d0d7de", button: "#f3f4f6", on: "#17703f", onText: "#ffffff", main: "#0b57d0" };
  const DARK = { back: "#1f2328", text: "#f0f3f6", quiet: "#b1bac4", line: "#444c56", button: "#2d333b", on: "#6fd69a", onText: "#0d1117", main: "#6cb6ff" };

  /** @type {import("../../types/state.d.ts").BarState|null} */
  let state = null;
  /** @type {ReturnType<typeof build>|null} */
  let parts = null;
  let asking = false;
  /** Why the session could not be submitted; the panel shows it in place of its question. */
  let problem = "";
  /** The last problem in the state; null before the first state. The panel opens for new problems only. @type {string|null} */
  let known = null;
  let reattached = 0;
  /** @type {import("../../types/state.d.ts").BarPlace|null} */
  let dragged = null;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  /** @param {HTMLElement} element @param {Record<string, string>} styles */
  function style(element, styles) {
    for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, "important");
  }

  /** @param {import("../../types/messages.d.ts").BarAction} action */
  async function act(action) {
    let failure = "";
    try {
      const answer = await chrome.runtime.sendMessage({ name: "bar.do", params: { action } });
      if (!answer?.ok) failure = answer?.error ?? "Nightjar did not answer. Reload the page and try again.";
    } catch {
      failure = "Nightjar was updated. Reload the page to continue.";
    }
    if (parts && failure) parts.info.textContent = failure;
  }

  /** @param {string} label @param {() => void} work */
  function button(label, work) {
    const element = document.createElement("button");
    element.type = "button";
    element.textContent = label;
    style(element, {
      all: "initial", "box-sizing": "border-box", height: "32px", "border-radius": "8px", "font": "600 14px/30px system-ui, sans-serif",
      "text-align": "center", cursor: "pointer", "flex": "0 0 auto", border: "1px solid", padding: "0 4px", "white-space": "nowrap",
    });
    element.addEventListener("focus", () => style(element, { outline: "3px solid Highlight", "outline-offset": "1px" }));
    element.addEventListener("blur", () => style(element, { outline: "none" }));
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      if (event.isTrusted) work();
    });
    return element;
  }

  function build() {
    const host = document.createElement("div");
    host.id = "nightjar-bar";
    const root = host.attachShadow({ mode: "closed" });
    const bar = document.createElement("div");
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", "Nightjar");
    const grip = button("⠿", () => {});
    grip.setAttribute("aria-label", "Move the bar: drag it or use the arrow keys. Home moves it back to its corner");
    grip.title = "Drag or use the arrow keys to move the bar";
    const info = document.createElement("div");
    info.setAttribute("role", "status");
    const useful = button("Useful", () => void act("useful"));
    const submit = button("Submit", () => ask(true));
    const pause = button("‖", () => void act(state?.status === "paused" ? "resume" : "pause"));
    const hide = button("×", () => void act("hide"));
    hide.setAttribute("aria-label", "Hide the bar. The toolbar button shows it again");
    hide.title = "Hide the bar (the toolbar button shows it again)";
    bar.append(grip, info, useful, submit, pause, hide);
    const panel = document.createElement("div");
    panel.setAttribute("role", "alertdialog");
    panel.setAttribute("aria-label", "Submit the session?");
    const words = document.createElement("div");
    const yes = button("Submit", () => {
      ask(false);
      known = "";
      void act("submit");
    });
    const no = button("Keep browsing", () => ask(false));
    panel.append(words, no, yes);
    root.append(panel, bar);
    drag(host, grip);
    // The page must not see what the person does in the bar.
    for (const type of ["keydown", "keyup", "keypress", "pointerdown", "pointerup", "mousedown", "mouseup", "dblclick", "contextmenu", "focusin", "focusout"]) {
      root.addEventListener(type, (event) => {
        if (event instanceof KeyboardEvent && event.type === "keydown" && event.key === "Escape" && asking) ask(false);
        event.stopPropagation();
      });
    }
    return { host, bar, grip, info, useful, submit, pause, hide, panel, words, yes, no };
  }

  /** @param {HTMLElement} host @param {HTMLElement} grip */
  function drag(host, grip) {
    /** @type {{x: number, y: number, place: import("../../types/state.d.ts").BarPlace}|null} */
    let from = null;
    grip.addEventListener("pointerdown", (event) => {
      if (!event.isTrusted || event.button !== 0) return;
      from = { x: event.clientX, y: event.clientY, place: place() };
      grip.setPointerCapture(event.pointerId);
      event.preventDefault();
      grip.focus();
    });
    grip.addEventListener("pointermove", (event) => {
      if (!from || !event.isTrusted) return;
      dragged = put(host, { right: from.place.right - (event.clientX - from.x), bottom: from.place.bottom - (event.clientY - from.y) });
    });
    const end = () => {
      if (from) keep();
      from = null;
    };
    grip.addEventListener("pointerup", end);
    grip.addEventListener("pointercancel", end);
    grip.addEventListener("keydown", (event) => {
      const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [STEP, 0], ArrowRight: [-STEP, 0], ArrowUp: [0, STEP], ArrowDown: [0, -STEP] });
      const step = steps[event.key];
      if (!event.isTrusted || (!step && event.key !== "Home")) return;
      event.preventDefault();
      const at = place();
      dragged = put(host, step ? { right: at.right + step[0], bottom: at.bottom + step[1] } : { right: EDGE, bottom: EDGE });
      keep();
    });
  }

  const place = () => dragged ?? state?.place ?? { right: EDGE, bottom: EDGE };

  /** @param {HTMLElement} host @param {import("../../types/state.d.ts").BarPlace} to is moved into the window */
  function put(host, to) {
    const width = Math.min(WIDTH, innerWidth);
    const right = Math.round(Math.max(0, Math.min(to.right, innerWidth - width)));
    const bottom = Math.round(Math.max(0, Math.min(to.bottom, innerHeight - HEIGHT)));
    style(host, { right: `${right}px`, bottom: `${bottom}px`, width: `${width}px` });
    return { right, bottom };
  }

  function keep() {
    void chrome.runtime.sendMessage({ name: "bar.place", params: { place: dragged } }).catch(() => {});
  }

  /** @param {boolean} open */
  function ask(open) {
    asking = open;
    problem = "";
    paint();
    if (!parts) return;
    if (open) (parts.yes.style.display === "none" ? parts.no : parts.yes).focus();
    else if (state?.show) parts.submit.focus();
  }

  function question() {
    if (!state) return "";
    if (problem) return sentence(problem);
    if (state.useful === 0) return "Mark at least one page Useful before you submit. The session is still open.";
    const rest = state.connected ? "" : " Nightjar is not running; the session waits here.";
    return `Submit “${state.topic}”? ${many(state.pages, "page")}, ${state.useful} useful. Recording stops and Nightjar learns from them.${rest}`;
  }

  /** @param {number} n @param {string} noun */
  const many = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

  /** The text in the bar. @param {import("../../types/state.d.ts").BarState} s */
  function line(s) {
    if (s.status === "submitted") return learning(s);
    const tail = s.queued > 0 && !s.connected ? `${s.queued} unsent` : `${s.useful} useful`;
    const what = s.status === "paused" ? "paused" : s.page.recorded === "left-out" ? "page not recorded" : `${many(s.pages, "page")}, ${tail}`;
    const step = s.page.milestone === undefined || s.status === "paused" ? "" : `${s.page.milestone} · `;
    return `${s.topic} · ${step}${what}`;
  }

  /** @param {import("../../types/state.d.ts").BarState} s */
  function learning({ training, queued, connected, problem: reason }) {
    if (reason) return sentence(reason);
    if (queued > 0 && !connected) return `Waiting for Nightjar to start · ${many(queued, "event")} kept here`;
    if (!training) return "Submitted. Training starts soon.";
    if (!training.running) return "Training finished. The dashboard shows the result.";
    return `Training: ${training.stage}${training.total > 0 ? ` ${Math.round((100 * training.done) / training.total)}%` : ""}`;
  }

  /** @param {string} text */
  const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");

  function paint() {
    if (!parts || !state) return;
    const c = dark.matches ? DARK : LIGHT;
    const { host, bar, grip, info, useful, submit, pause, hide, yes, no } = parts;
    const open = state.status !== "submitted";
    const narrow = innerWidth < 400;
    const front = { "z-index": "2147483647", "color-scheme": "normal", position: "fixed", display: "block", visibility: "visible", opacity: "1" };
    style(host, { all: "initial", ...front, height: `${HEIGHT}px`, margin: "0", transform: "none", "pointer-events": "auto" });
    put(host, place());
    style(bar, {
      all: "initial", display: "flex", "align-items": "center", gap: "8px", height: `${HEIGHT}px`, width: "100%", "box-sizing": "border-box",
      padding: "0 6px 0 4px", background: c.back, border: `1px solid ${c.line}`, "border-radius": "12px", "box-shadow": "0 2px 10px rgb(0 0 0 / .25)",
    });
    style(info, {
      all: "initial", flex: "1 1 0", "min-width": "0", overflow: "hidden", "text-overflow": "ellipsis", "white-space": "nowrap",
      font: "14px/1.3 system-ui, sans-serif", color: state.status === "submitted" && state.problem ? c.text : c.quiet, display: narrow ? "none" : "block",
    });
    for (const b of [grip, useful, submit, pause, hide, yes, no]) style(b, { background: c.button, color: c.text, "border-color": c.line });
    style(grip, { width: "20px", cursor: "move", "touch-action": "none", padding: "0", background: "transparent", "border-color": "transparent" });
    style(useful, { width: "84px", display: open ? "block" : "none", ...(state.page.useful && { background: c.on, color: c.onText, "border-color": c.on }) });
    style(submit, { width: "72px", display: open ? "block" : "none" });
    style(pause, { width: "40px", display: open ? "block" : "none" });
    style(hide, { width: "32px" });
    useful.textContent = state.page.useful ? "✓ Useful" : "Useful";
    useful.setAttribute("aria-pressed", String(state.page.useful));
    useful.title = state.page.useful ? "Press again to remove the mark" : "Mark this page as one that you were looking for";
    useful.disabled = state.status !== "recording" || state.page.recorded === "left-out";
    style(useful, { opacity: useful.disabled ? ".5" : "1" });
    pause.textContent = state.status === "paused" ? "▶" : "‖";
    pause.setAttribute("aria-label", state.status === "paused" ? "Resume recording" : "Pause recording");
    pause.title = state.status === "paused" ? "Resume recording" : "Pause recording";
    const text = line(state);
    if (info.textContent !== text) info.textContent = text;
    info.title = text;
    paintPanel(c);
  }

  /** @param {typeof LIGHT} c */
  function paintPanel(c) {
    if (!parts || !state) return;
    const { panel, words, yes, no, host } = parts;
    const ready = state.useful > 0 && !problem;
    const above = place().bottom + HEIGHT + 8 + PANEL <= innerHeight;
    style(panel, {
      all: "initial", display: asking && state.status !== "submitted" ? "block" : "none", position: "absolute", right: "0",
      [above ? "bottom" : "top"]: `${HEIGHT + 8}px`, width: `${Math.min(360, host.offsetWidth || 360)}px`, height: `${PANEL}px`, "box-sizing": "border-box",
      background: c.back, border: `1px solid ${c.line}`, "border-radius": "12px", "box-shadow": "0 2px 10px rgb(0 0 0 / .25)",
    });
    style(words, { all: "initial", display: "block", padding: "12px 14px 0", font: "14px/1.4 system-ui, sans-serif", color: c.text });
    if (asking && words.textContent !== question()) words.textContent = question();
    style(yes, { position: "absolute", right: "14px", bottom: "10px", width: "92px", background: c.main, color: c.back, display: ready ? "block" : "none" });
    style(no, { position: "absolute", right: ready ? "114px" : "14px", bottom: "10px", width: "128px" });
  }

  function attach() {
    if (!parts || parts.host.isConnected) return;
    document.documentElement.append(parts.host);
  }

  // A page that rewrites itself removes the bar. We put it back, but not into a page that does so again and again.
  const observer = new MutationObserver(() => {
    if (parts && state?.show && !parts.host.isConnected && reattached++ < 10) attach();
  });

  /** @param {import("../../types/state.d.ts").BarState} next */
  function render(next) {
    const refused = known !== null && next.problem !== "" && next.problem !== known;
    known = next.problem;
    state = next;
    if (!next.show || DASHBOARD.test(location.hostname)) {
      asking = false;
      parts?.host.remove();
      return;
    }
    parts ??= build();
    attach();
    observer.observe(document, { childList: true });
    observer.observe(document.documentElement, { childList: true });
    if (refused && next.status !== "submitted") {
      problem = next.problem;
      asking = true; // without moving the focus
    } else if (problem && next.problem === "") {
      problem = ""; // the person has continued
      asking = false;
    }
    paint();
  }

  function confirm() {
    if (state?.show && state.status !== "submitted") ask(true);
  }

  function focus() {
    if (!parts || !state?.show) return;
    (parts.useful.disabled ? parts.hide : parts.useful).focus();
  }

  dark.addEventListener("change", paint);
  addEventListener("resize", paint);
  addEventListener("beforeprint", () => parts && style(parts.host, { display: "none" }));
  addEventListener("afterprint", paint);

  globalThis.nightjarBar = Object.freeze({ render, confirm, focus });
})();
