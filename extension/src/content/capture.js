// Reports each page to the background: asks first whether it may, looks for a password field, and only then reads.
// Everything that decides is in the background; this script only knows its own page.
(() => {
  "use strict";

  if (globalThis.nightjarCapture) return; // injected twice
  globalThis.nightjarCapture = true;

  const { sensitive, take, refreshDelay } = globalThis.nightjarSnapshot;
  const isTop = window === window.top;

  /** A page that sends the browser on within so many seconds is no page the person sees. */
  const REDIRECT = 3;
  /** How long a page may change after pushState before it is read, ms. */
  const SETTLE = 800;
  /** How often, and how many ms apart, something is told. */
  const TRIES = 4;
  const RETRY = 400;
  /** Clicks are told at most this often, ms. */
  const GESTURE = 300;

  let recording = false;
  let lastGesture = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let settling;
  let shownURL = bare();
  let shownIndex = entryIndex();

  function bare() {
    return location.href.split("#")[0];
  }

  /** @returns {Navigation|undefined} */
  function navigationAPI() {
    return globalThis.navigation;
  }

  function entryIndex() {
    return navigationAPI()?.currentEntry?.index ?? -1;
  }

  /**
   * @template {keyof import("../../types/messages.d.ts").ContentMessages} N
   * @param {N} name @param {import("../../types/messages.d.ts").ContentMessages[N]["params"]} params
   * @returns {Promise<import("../../types/messages.d.ts").ContentMessages[N]["result"]|null>}
   */
  async function send(name, params) {
    // The background may die under a message; what it has done already it does not do again. Without an id the
    // extension itself was reloaded, and this script is an orphan.
    for (let attempt = 0; attempt < TRIES && chrome.runtime?.id; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, RETRY));
      const answer = await chrome.runtime.sendMessage({ name, params }).catch(() => undefined);
      if (answer) return answer.ok ? answer.value : null;
    }
    return null;
  }

  /** How the document itself came about. @returns {import("../../types/state.d.ts").Move} */
  function move() {
    const activation = navigationAPI()?.activation;
    const referrer = document.referrer;
    if (activation?.navigationType) {
      const { navigationType, from, entry } = activation;
      const delta = from && entry && from.index >= 0 && entry.index >= 0 ? entry.index - from.index : null;
      const type = navigationType === "push" ? "navigate" : navigationType;
      return { type, delta: type === "traverse" ? delta : null, referrer, same: false };
    }
    const entry = performance.getEntriesByType("navigation")[0];
    const type = entry instanceof PerformanceNavigationTiming ? entry.type : "navigate";
    return { type: type === "back_forward" ? "traverse" : type === "reload" ? "reload" : "navigate", delta: null, referrer, same: false };
  }

  /** @param {import("../../types/state.d.ts").Move} how */
  async function report(how) {
    shownURL = bare();
    const facts = {
      url: location.href,
      move: how,
      frameset: document.body instanceof HTMLFrameSetElement,
      area: window.innerWidth * window.innerHeight,
    };
    if (sensitive()) return send("page.report", { ...facts, title: "", leftOut: true });
    return send("page.report", { ...facts, title: document.title, leftOut: false, html: take() });
  }

  /** @param {boolean} restored from the back/forward cache */
  async function hello(restored) {
    const answer = await send("page.hello", { restored });
    if (!answer) return;
    recording = answer.bar ? answer.bar.status === "recording" : answer.record;
    if (isTop && answer.bar) globalThis.nightjarBar.render(answer.bar);
    if (!answer.record) return;
    const delay = refreshDelay();
    // Leads on in a moment: then it is only another name of the page it leads to.
    if (delay >= 0 && delay <= REDIRECT) await new Promise((resolve) => setTimeout(resolve, delay * 1000 + 2000));
    await report(move());
  }

  /** pushState and steps between its entries; replaceState only gives the same page another name. @param {any} event */
  function entryChanged(event) {
    const type = event.navigationType;
    if (!recording || (type !== "push" && type !== "traverse") || bare() === shownURL) return;
    const delta = type === "traverse" && shownIndex >= 0 ? entryIndex() - shownIndex : null;
    clearTimeout(settling);
    settling = setTimeout(() => {
      shownIndex = entryIndex();
      void report({ type, delta, referrer: "", same: true });
    }, SETTLE);
  }

  /** @param {Event} event */
  function gesture(event) {
    if (!recording || !event.isTrusted || Date.now() - lastGesture < GESTURE) return;
    if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
    lastGesture = Date.now();
    void send("page.gesture", {});
  }

  chrome.runtime.onMessage.addListener((message, sender) => {
    if (sender.id !== chrome.runtime.id || !isTop) return;
    switch (message?.name) {
      case "bar.state":
        recording = message.params.status === "recording";
        return globalThis.nightjarBar.render(message.params);
      case "bar.confirm":
        return globalThis.nightjarBar.confirm();
      case "bar.focus":
        return globalThis.nightjarBar.focus();
      case "page.capture":
        recording = true;
        return void hello(false);
    }
  });

  for (const type of ["click", "auxclick", "keydown", "submit"]) addEventListener(type, gesture, { capture: true, passive: true });
  if (isTop) navigationAPI()?.addEventListener("currententrychange", entryChanged);
  addEventListener("pageshow", (event) => {
    if (event.persisted) void hello(true);
  });

  if (/** @type {any} */ (document).prerendering) {
    document.addEventListener("prerenderingchange", () => void hello(false), { once: true });
  } else {
    void hello(false);
  }
})();
