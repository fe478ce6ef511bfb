// The bar on each page during a session: a pill at an edge of the window that opens for more. A closed shadow root separates
// it from the page, and only the person's own events count. This is a classic script, the last of the bar's; it defines one
// frozen object, nightjarBar.
//
// Geometry in CSS px, for programs that click at coordinates. The host #nightjar-bar is the pill, 32 high; it is 92 wide while
// the page can be marked and fewer than 100 pages are. Unless the person moved it or something of the page is there, it is 12
// away from the right and the lower edge of the window. A click at 30 from its LEFT edge marks the page Useful; one at 14 from
// its RIGHT edge opens the panel or closes it. The mouse opens the panel, too, when it rests on the pill. The panel is 6 beside
// the pill, towards the middle of the window. How high it is depends on what it says, so read what it shows before you click.
(() => {
  "use strict";

  if (globalThis.nightjarBar || window !== window.top) return; // injected twice, or a frame

  const { pill: pillText, question, forgotten, change } = globalThis.nightjarBarText;
  const { style, media, PARTS } = globalThis.nightjarBarLook;
  const { CORNER, view, rectAt, nearest, step, free } = globalThis.nightjarBarPlace;
  const { build } = globalThis.nightjarBarParts;
  const { fill, arrange, offer } = globalThis.nightjarBarPaint;

  /** @typedef {import("../../types/state.d.ts").BarState} BarState */

  /** Host of Nightjar's dashboard, which needs no bar. */
  const DASHBOARD = /^nightjar-[0-9a-f]{32}\.localhost$/;
  const HEIGHT = 32;
  const WIDTH = { mark: 92, open: 112, learned: 184 };
  const TAB = { width: 12, height: 44, turn: true };
  /** How often a page may remove or restyle the bar until it is left so. */
  const REPAIRS = 10;

  /** @type {import("../../types/globals.d.ts").BarMemory} */
  const b = {
    state: null, parts: null, opened: "", section: "", problem: "", known: null, failure: "", put: null, aside: null, undo: null,
    before: null, dragging: false, printing: false, repairs: 0, ours: "", unwatch: null,
  };
  const doings = globalThis.nightjarBarDo.make(b, { open, close, leave, typed, paint, announce, render });

  /** @param {"hover"|"focus"|"tap"} how */
  function open(how) {
    if (!b.state || !b.parts) return;
    b.opened = how;
    paint();
  }

  function close() {
    if (b.undo && !b.state?.show) doings.forget();
    b.opened = "";
    b.section = "";
    b.failure = "";
    b.before = null;
    paint();
    look();
  }

  /** Closes, and gives the focus back to the page. */
  function leave() {
    const to = b.before;
    const at = b.parts?.root.activeElement;
    close();
    if (at instanceof HTMLElement) at.blur();
    if (to?.isConnected) to.focus();
  }

  /** @param {string} text */
  function announce(text) {
    if (b.parts && text) b.parts.heard.textContent = b.parts.heard.textContent === text ? `${text}\u00a0` : text;
  }

  /** The labels to choose from: those that hold what is typed. */
  function names() {
    const text = b.parts?.inner?.labels.field.value.trim().toLowerCase() ?? "";
    return (b.state?.names ?? []).filter((name) => name.toLowerCase().includes(text)).slice(0, 9);
  }

  function typed() {
    if (b.parts?.inner) offer(b.parts.inner, names(), doings);
  }

  const bar = {
    doings, open, close, leave, typed, names,
    parts: () => b.parts,
    opened: () => b.opened,
    section: () => b.section,
    /** Whether a key brought the focus here from the page. */
    visiting: () => b.before !== null,
    /** Whether it stays open although the mouse leaves. */
    busy: () => b.section === "ask" || b.section === "label" || b.dragging,
    /** Whether the page can get a label. */
    can: () => b.state?.status === "recording" && !["left-out", "none"].includes(b.state.page.recorded),
    /** @param {string} arrow */
    step: (arrow) => step(b.aside?.place ?? wanted(), arrow, size()),
    /** @param {number} x @param {number} y */
    drag(x, y) {
      b.dragging = true;
      const v = view();
      const { width, height } = size();
      if (b.parts?.inner) style(b.parts.inner.panel, { opacity: "0" });
      if (b.parts) set({ x: Math.max(0, Math.min(x, v.width - width)), y: Math.max(0, Math.min(y, v.height - height)), width, height });
    },
    /** @param {number} x @param {number} y */
    drop(x, y) {
      b.dragging = false;
      if (b.parts?.inner) style(b.parts.inner.panel, { opacity: "1" });
      doings.place(nearest(x, y, size()));
    },
  };

  const wanted = () => b.put ?? b.state?.place ?? CORNER;
  /** What decides how much room it needs, and where. @param {BarState|null} s */
  const form = (s) => s && JSON.stringify([s.place, s.shape, pillText(s).kind]);
  /** Whether it is a mere tab now. */
  const small = () => !b.opened && !b.dragging && (b.state?.shape === "tab" || b.aside?.tab === true);
  const size = () => {
    const kind = b.state ? pillText(b.state).kind : "mark";
    const digits = kind === "mark" ? String(b.state?.useful ?? 0).length : 0;
    return { width: WIDTH[kind] + 8 * Math.max(0, digits - 2), height: HEIGHT };
  };

  /** Moves the bar aside from what the page shows now, or back. @returns {boolean} whether it moved */
  function look() {
    if (!b.parts || !b.state || b.opened || b.dragging || hidden()) return false;
    const was = JSON.stringify(b.aside);
    const place = b.state.shape === "tab" ? null : free(wanted(), size(), b.parts.host);
    b.aside = place ? { place, tab: false } : { place: free(wanted(), TAB, b.parts.host, 0) ?? free(wanted(), TAB, b.parts.host, 0, false) ?? wanted(), tab: true };
    if (JSON.stringify(b.aside) === was) return false;
    layout();
    return true;
  }

  const hidden = () => b.printing || Boolean(document.fullscreenElement);

  /** @param {{x: number, y: number, width: number, height: number}} r in the window */
  function set(r) {
    if (!b.parts) return;
    style(b.parts.host, { left: `${r.x}px`, top: `${r.y}px`, width: `${r.width}px`, height: `${r.height}px`, display: hidden() ? "none" : "block" });
    b.ours = b.parts.host.style.cssText;
  }

  /** Puts pill or tab, and the panel, where they belong. */
  function layout() {
    if (!b.parts || !b.state || b.dragging) return;
    const tab = small();
    const place = b.aside?.place ?? wanted();
    const r = tab ? rectAt(place, TAB, 0) : rectAt(place, size());
    set(r);
    arrange(b.parts, r, tab, b.opened !== "");
  }

  function paint() {
    if (!b.parts || !b.state) return;
    style(b.parts.host, { all: "initial", ...PARTS.front });
    const { state, opened, section, problem, failure } = b;
    const grown = b.parts.inner !== null;
    fill(b.parts, { state, opened, section, problem, failure, undo: b.undo?.text ?? forgotten(state), names: names(), can: bar.can(), place: wanted() }, doings);
    if (b.parts.inner && !grown) globalThis.nightjarBarHands.drag(bar, b.parts.host, b.parts.inner.grip);
    layout();
  }

  // A page that rewrites itself removes the bar. It comes back, but not into a page that does so again and again.
  const observer = new MutationObserver(() => {
    if (!b.parts || !b.unwatch || b.repairs >= REPAIRS) return;
    if (!b.parts.host.isConnected) {
      b.repairs++;
      document.documentElement.append(b.parts.host);
    } else if (b.parts.host.style.cssText !== b.ours) {
      b.repairs++;
      b.parts.host.style.cssText = b.ours;
    }
  });

  function attach() {
    b.parts ??= build(doings);
    if (b.unwatch) return;
    document.documentElement.append(b.parts.host);
    observer.observe(document, { childList: true });
    observer.observe(document.documentElement, { childList: true });
    observer.observe(b.parts.host, { attributes: true });
    globalThis.nightjarBarHands.listen(bar, b.parts);
  }

  function detach() {
    b.unwatch?.();
    b.unwatch = null;
    observer.disconnect();
    b.opened = "";
    b.section = "";
    b.parts?.host.remove();
    b.parts = null;
    b.aside = null;
  }

  /** @param {BarState} next */
  function render(next) {
    const was = b.state;
    const refused = b.known !== null && next.problem !== "" && next.problem !== b.known;
    b.known = next.problem;
    b.state = next;
    if (JSON.stringify(next.place) === JSON.stringify(b.put)) b.put = null;
    const other = form(was) !== form(next);
    if (other && !b.opened) b.aside = null;
    if ((!next.show && !b.undo) || DASHBOARD.test(location.hostname)) return detach();
    attach();
    if (was && was !== next) announce(change(was, next));
    if (was && next.forgotten && next.forgotten.host !== was.forgotten?.host) b.opened ||= "tap"; // without moving the focus
    if (refused && next.status !== "submitted") {
      b.section = "ask";
      b.problem = next.problem;
      b.opened ||= "tap"; // without moving the focus
      announce(question(next, b.problem));
    } else if (b.problem && next.problem === "") {
      b.problem = ""; // the person has continued
      if (b.section === "ask") b.section = "";
      if (b.opened === "tap") b.opened = "";
    }
    const focused = b.parts?.root.activeElement;
    paint();
    if (focused && !b.parts?.root.activeElement) b.parts?.useful.focus(); // what had it is gone
    if (b.unwatch && other) look();
    b.unwatch ??= globalThis.nightjarBarWatch.watch(look);
  }

  /** Does something that a key or the toolbar asked for. @param {() => void} work */
  function visit(work) {
    if (!b.parts || !b.state?.show) return;
    if (!b.opened && document.activeElement instanceof HTMLElement && document.activeElement !== b.parts.host) b.before = document.activeElement;
    open("tap");
    work();
  }

  const confirm = () => b.state?.status !== "submitted" && visit(() => doings.section("ask"));
  const label = () => bar.can() && visit(() => doings.section("label"));
  const focus = () => visit(() => b.parts?.useful.focus());

  media.addEventListener("change", paint);
  addEventListener("resize", layout);
  document.addEventListener("fullscreenchange", layout);
  addEventListener("beforeprint", () => {
    b.printing = true;
    layout();
  });
  addEventListener("afterprint", () => {
    b.printing = false;
    layout();
  });
  globalThis.nightjarBarHands.keys(bar);

  globalThis.nightjarBar = Object.freeze({ render, confirm, label, focus });
})();
