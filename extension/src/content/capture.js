// Reports each page to the background. It first asks whether it may, then looks for a password field, and only then reads
// the page. All decisions are in the background; this script only knows its own page.
(() => {
  "use strict";

  const isTop = window === window.top;
  // A window that a script opened shows about:blank first, and Firefox keeps the global object for the page that follows.
  if (isTop && !/^https?:$/.test(location.protocol)) return;
  if (globalThis.nightjarCapture) return; // injected twice
  globalThis.nightjarCapture = true;

  const { shadows, length, sensitive, take, title, refreshDelay, kind } = globalThis.nightjarSnapshot;
  const { look, changed } = globalThis.nightjarRoutes;
  /** Images of SVG and other XML have no room for the bar. */
  const bar = document.documentElement instanceof HTMLElement ? globalThis.nightjarBar : null;

  /** The person does not see a page that redirects within this many seconds. */
  const REDIRECT = 3;
  /** Time that a page gets to change after its address changed before it is read, and before it is looked at again, ms. */
  const SETTLE = 800;
  const AGAIN = [SETTLE, 1600, 2400];
  /** Most attempts to send one message, and the ms between two. */
  const TRIES = 4;
  const RETRY = 400;
  /** A page that changes is read again once it was still for so long, or after the longest time, ms. */
  const STILL = 1500;
  const LONGEST = 20_000;
  /** How often a page is read again at most. */
  const MOST = 3;
  /** Shortest time between two reported clicks, ms. */
  const GESTURE = 300;

  let recording = false;
  let lastGesture = 0;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let settling;
  let shownURL = address();
  let shownIndex = entryIndex();
  /** What the page showed when it reported, or before the person's last click. @type {ReturnType<typeof look>|undefined} */
  let shown;
  /** A change of the address whose content is waited for. @type {{type: "push"|"replace"|"traverse", delta: number|null, at: number}|undefined} */
  let moved;

  /** What was read of the page: its characters of text, how often it may be read again, whether it has changed since, and when. */
  let read = { size: 0, left: 0, dirty: false, at: 0, since: 0 };
  let useful = false;
  const changes = new MutationObserver(() => {
    read.dirty = true;
    read.at = Date.now();
    if (read.at - read.since > LONGEST) changes.disconnect(); // that it has changed is known
  });

  /** The URL without secrets, and without a fragment that is no route. */
  function address() {
    return globalThis.nightjarPrivacy.redact(location.href);
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
    // The browser may end the background while it handles a message. Sending it again is safe: the background does nothing
    // twice. If runtime has no id, the extension was reloaded and this script belongs to the old one.
    for (let attempt = 0; attempt < TRIES && chrome.runtime?.id; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, RETRY));
      const answer = await chrome.runtime.sendMessage({ name, params }).catch(() => undefined);
      if (answer) return answer.ok ? answer.value : null;
    }
    return null;
  }

  /** How the document was loaded. @returns {import("../../types/state.d.ts").Move} */
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
    shownURL = address();
    shownIndex = entryIndex();
    const found = shadows();
    watch(found, 0, 0); // for nothing of the page before
    if (isTop) shown = look(found.values());
    const facts = {
      url: location.href,
      move: how,
      frameset: document.body instanceof HTMLFrameSetElement,
      area: window.innerWidth * window.innerHeight,
    };
    const other = kind();
    if (other && other !== "text") return void send("page.report", { ...facts, title: "", leftOut: false, document: other });
    const field = sensitive(found);
    if (field) return void send("page.report", { ...facts, title: "", leftOut: true, field });
    const names = new Set();
    const html = take(names, found);
    const size = length(found);
    if (isTop) watch(found, size, MOST);
    const wanted = await send("page.report", { ...facts, title: title(), leftOut: false, html, redacted: [...names], ...(other && { document: other }) });
    if (!isTop && wanted) watch(found, size, MOST); // most frames are of other sites, and not recorded
  }

  /**
   * Waits for the page to show more than was read of it.
   * @param {Map<Element, ShadowRoot>} found @param {number} size characters that were read @param {number} left how often it may be read again
   */
  function watch(found, size, left) {
    changes.disconnect();
    read = { size, left, dirty: false, at: 0, since: Date.now() };
    if (left === 0) return;
    for (const root of [document, ...found.values()]) changes.observe(root, { childList: true, subtree: true, characterData: true });
    if (left === MOST) setTimeout(whenStill, STILL);
  }

  function whenStill() {
    const now = Date.now();
    if (read.left < MOST) return; // it was read meanwhile
    if (now - read.since >= LONGEST || (read.dirty && now - read.at >= STILL)) return again();
    setTimeout(whenStill, STILL);
  }

  /** Reads the page again if it shows more than before: what scripts fetch comes after the page is loaded. */
  function again() {
    if (!recording || moved || !read.dirty || read.left === 0 || address() !== shownURL) return;
    const found = shadows();
    if (sensitive(found)) return watch(found, 0, 0);
    const size = length(found);
    if (size <= read.size) return watch(found, read.size, read.left);
    watch(found, size, read.left - 1);
    const names = new Set();
    void send("page.again", { url: location.href, html: take(names, found), redacted: [...names] });
  }

  /** Asks whether to report, and does. @param {boolean} restored whether the page came back from the back/forward cache */
  async function hello(restored) {
    const before = globalThis.nightjarBefore === true;
    globalThis.nightjarBefore = false;
    const answer = await send("page.hello", { restored, before });
    if (!answer) return;
    recording = answer.bar ? answer.bar.status === "recording" : recording || answer.record; // a frame may be recorded already
    if (isTop && answer.bar) bar?.render(answer.bar);
    if (!answer.record) return;
    const delay = refreshDelay();
    // The page redirects in a moment. Then it is only another address of the page it leads to.
    if (delay >= 0 && delay <= REDIRECT) await new Promise((resolve) => setTimeout(resolve, delay * 1000 + 2000));
    // A page that scripts fill in shows nothing yet, and often changes its address once more before it does.
    else if (isTop && document.scripts.length > 0 && look(shadows().values()).size === 0) await new Promise((resolve) => setTimeout(resolve, SETTLE));
    await report(move());
  }

  /**
   * The address changed while the document stayed. It is another page when its content changes, too: then it is reported,
   * once it has settled. A place in the page (#section) is no other address.
   * @param {{navigationType: string|null}} event
   */
  function entryChanged({ navigationType: type }) {
    if (!recording || (type !== "push" && type !== "replace" && type !== "traverse")) return;
    clearTimeout(settling);
    if (address() === shownURL) {
      shownIndex = entryIndex();
      moved = undefined;
      return;
    }
    const delta = type === "traverse" && shownIndex >= 0 ? entryIndex() - shownIndex : null;
    // Scripts often correct the address of a new entry by replaceState at once.
    if (type === "replace" && moved) moved.at = Date.now();
    else moved = { type, delta, at: Date.now() };
    settle(0);
  }

  /** Waits until the page has changed, and reports it; a step through the history is reported in any case. @param {number} attempt */
  function settle(attempt) {
    settling = setTimeout(() => {
      if (!recording || !moved) return;
      const { type, delta, at } = moved;
      const other = shown === undefined || changed(shown, look(shadows().values()), type === "replace");
      if (!other && type !== "traverse" && attempt + 1 < AGAIN.length) return settle(attempt + 1);
      moved = undefined;
      if (!other && type !== "traverse") return;
      void report({ type, delta, referrer: "", same: true, changed: other, late: Date.now() - at });
    }, AGAIN[attempt]);
  }

  /** @param {Event} event */
  function gesture(event) {
    if (!recording || !event.isTrusted || Date.now() - lastGesture < GESTURE) return;
    if (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ") return;
    lastGesture = Date.now();
    if (shown && !moved) shown = look(shadows().values());
    void send("page.gesture", {});
    setTimeout(again, 0); // a click may leave the page, and Chromium loses most of what a page sends while it is left
  }

  chrome.runtime.onMessage.addListener((message, sender) => {
    if (sender.id !== chrome.runtime.id) return;
    if (message?.name === "bar.state") {
      if (message.params.page.useful && !useful) setTimeout(again, 0); // the mark does not wait for it
      useful = message.params.page.useful;
    }
    if (message?.name === "page.capture") {
      recording = true;
      return void hello(false);
    }
    if (!isTop) return;
    switch (message?.name) {
      case "bar.state":
        recording = message.params.status === "recording";
        return bar?.render(message.params);
      case "bar.confirm":
        return bar?.confirm();
      case "bar.label":
        return bar?.label();
      case "bar.focus":
        return bar?.focus();
    }
  });

  for (const type of ["click", "auxclick", "keydown", "submit"]) addEventListener(type, gesture, { capture: true, passive: true });
  const navigation = navigationAPI();
  if (isTop && navigation) navigation.addEventListener("currententrychange", entryChanged);
  else if (isTop) addEventListener("hashchange", () => entryChanged({ navigationType: "push" })); // Firefox before 147
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") again();
  });
  addEventListener("pagehide", again);
  addEventListener("pageshow", (event) => {
    if (event.persisted) void hello(true);
  });

  if (/** @type {any} */ (document).prerendering) {
    document.addEventListener("prerenderingchange", () => void hello(false), { once: true });
  } else {
    void hello(false);
  }
})();
