// Small marks beside the links that Nightjar knows: visited, found and not looked at, marked. They are drawn only if the
// person switched that on. Addresses of links go to the extension's background and from there to Nightjar on this computer.
//
// A page must not learn which links are known, since that tells what the person visited. So the marks are no part of the
// page: they lie in a layer above it, in a closed shadow root. And whatever a page can measure of such a layer (whether
// something covers a place, whether something moved, how far the page scrolls) is the same for all links: each link in view
// gets a box of the same size, and what is known only decides what is painted in it. The boxes have no text, since a page
// can search for that; their names are for screen readers only. This is a classic script; it defines one frozen object.
(() => {
  "use strict";

  if (globalThis.nightjarMarks) return; // injected twice

  /** Width and height of a box in px. */
  const SIZE = 11;
  /** Time without changes before links are asked for or boxes are placed, ms. */
  const SETTLE = 250;
  /** Longest wait for a page that changes all the time, ms. */
  const LATEST = 2000;
  /** Most links that are watched in a page, most boxes, most addresses in one question. */
  const MOST_LINKS = 3000;
  const MOST_BOXES = 300;
  const BATCH = 200;
  /** Links within this many px of the window count as in view. */
  const NEAR = "150px";
  /** After these, links may be elsewhere. */
  const CHANGING = ["load", "transitionend"];
  const MOVING = ["scroll", "resize"];
  const DASHBOARD = /^nightjar-[0-9a-f]{32}\.localhost$/;

  /** State by redacted address; null for unknown links. @type {Map<string, import("../../types/protocol.d.ts").LinkState|null>} */
  const known = new Map();
  /** Links in view. @type {Set<HTMLAnchorElement>} */
  const inView = new Set();
  /** @type {Map<HTMLAnchorElement, {box: HTMLElement, state: string}>} */
  const boxes = new Map();
  /** @type {WeakSet<Element>} */
  const watched = new WeakSet();
  let count = 0;
  let stopped = false;
  let asking = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let settling;
  /** When the page began to change without a pause. */
  let restless = 0;
  /** @type {{host: HTMLElement, list: HTMLElement}|null} */
  let layer = null;

  /** @param {string} key */
  const t = (key) => chrome.i18n.getMessage(key);

  /** @param {HTMLElement|SVGElement} element @param {Record<string, string>} styles */
  function style(element, styles) {
    for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, "important");
  }

  /** The address that Nightjar would keep for a link; "" for one that leads to no other page. @param {HTMLAnchorElement} link */
  function addressOf(link) {
    if (!/^https?:$/.test(link.protocol) || link.href.split("#")[0] === location.href.split("#")[0]) return "";
    return globalThis.nightjarPrivacy.redact(link.href);
  }

  function build() {
    const host = document.createElement("div");
    host.id = "nightjar-marks";
    const root = host.attachShadow({ mode: "closed" });
    const list = document.createElement("div");
    list.setAttribute("role", "list");
    list.setAttribute("aria-label", t("marks_list"));
    for (const element of [host, list]) {
      style(element, {
        all: "initial", position: "absolute", left: "0", top: "0", width: "0", height: "0", margin: "0", "pointer-events": "none",
        "z-index": "2147483646", "user-select": "none",
      });
    }
    root.append(list);
    document.documentElement.append(host);
    return { host, list };
  }

  function makeBox() {
    const box = document.createElement("div");
    style(box, {
      all: "initial", position: "absolute", left: "0", top: "0", width: `${SIZE}px`, height: `${SIZE}px`, contain: "strict", "pointer-events": "none",
    });
    return box;
  }

  /** Paints the state of a link into its box. @param {HTMLAnchorElement} link @param {{box: HTMLElement, state: string}} shown */
  function paint(link, shown) {
    const state = known.get(addressOf(link)) ?? "";
    if (shown.state === state) return;
    shown.state = state;
    const { box } = shown;
    box.replaceChildren();
    for (const name of ["role", "aria-label"]) box.removeAttribute(name);
    if (!state) return;
    box.setAttribute("role", "listitem");
    box.setAttribute("aria-label", `${t(`marks_${state.replace("-", "_")}`)}: ${nameOf(link)}`);
    const drawing = globalThis.nightjarShapes.draw(state);
    style(drawing, { all: "initial", display: "block", width: "100%", height: "100%", "pointer-events": "none", "forced-color-adjust": "none" });
    box.append(drawing);
  }

  /** @param {HTMLAnchorElement} link */
  const nameOf = (link) => (link.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 100);

  /** The place for a link's box: after its end, at the top of its last line; null if something covers that end. @param {HTMLAnchorElement} link */
  function placeOf(link) {
    const rects = link.getClientRects();
    const rect = rects[rects.length - 1];
    if (!rect || rect.width === 0 || rect.height === 0) return null;
    const [x, y] = [rect.right - 1, rect.top + rect.height / 2];
    if (x >= 0 && y >= 0 && x < innerWidth && y < innerHeight) {
      const top = document.elementFromPoint(x, y);
      if (top && !link.contains(top) && !top.contains(link)) return null;
    }
    return { x: rect.right + 1, y: rect.top - 2 };
  }

  /** Gives each link in view its box at its place. It first reads all places and then writes, so that the page is laid out once. */
  function place() {
    if (!layer) return;
    style(layer.list, { display: "none" }); // so that no box counts in what is read now
    if (!layer.host.isConnected) document.documentElement.append(layer.host);
    const zero = layer.host.getBoundingClientRect();
    const page = document.documentElement;
    // Beyond these a box would make the page scroll further.
    const [right, bottom] = [page.clientWidth - zero.left - SIZE, page.scrollHeight - scrollY - zero.top - SIZE];
    const places = [...inView].filter((link) => link.isConnected && addressOf(link)).slice(0, MOST_BOXES).map((link) => ({ link, at: placeOf(link) }));
    style(layer.list, { display: "block", opacity: "1" });
    for (const [link, { box }] of boxes) {
      if (places.some((one) => one.link === link && one.at)) continue;
      box.remove();
      boxes.delete(link);
    }
    for (const { link, at } of places) {
      if (!at) continue;
      const shown = boxes.get(link) ?? { box: makeBox(), state: "" };
      if (!boxes.has(link)) {
        boxes.set(link, shown);
        layer.list.append(shown.box);
      }
      const [x, y] = [Math.round(Math.min(at.x - zero.left, right)), Math.round(Math.max(0, Math.min(at.y - zero.top, bottom)))];
      style(shown.box, { transform: `translate(${x}px, ${y}px)` }); // what moves by transform is no layout shift for the page
      paint(link, shown);
    }
  }

  /** Requests the state of links in view that were not requested yet. */
  async function ask() {
    if (asking || stopped) return;
    asking = true;
    try {
      for (;;) {
        const urls = [...new Set([...inView].map(addressOf))].filter((url) => url && !known.has(url)).slice(0, BATCH);
        if (urls.length === 0 || stopped) return;
        if (globalThis.nightjarSnapshot.sensitive()) return stop();
        const answer = await chrome.runtime.sendMessage({ name: "links.known", params: { urls } });
        if (!answer?.ok || answer.value === null) return stop(); // switched off, or the page must not be recorded
        if (!answer.value.known) return; // not now: Nightjar is not running, or too many questions
        for (const url of urls) {
          const state = answer.value.known[url];
          known.set(url, globalThis.nightjarShapes.known(state) ? state : null);
        }
        place();
      }
    } catch {
      stop(); // the extension was updated
    } finally {
      asking = false;
    }
  }

  /** Acts when the page has settled; on one that never does, now and then. */
  function settle() {
    const now = Date.now();
    if (settling === undefined) restless = now;
    else if (now - restless > LATEST) return;
    clearTimeout(settling);
    settling = setTimeout(() => {
      settling = undefined;
      if (stopped) return;
      watchLinks();
      place();
      void ask();
    }, SETTLE);
  }

  /** Hides the boxes while a part of the page scrolls or the window changes its size: they do not move with the links. @param {Event} event */
  function moved(event) {
    if (event.target !== document && layer) style(layer.list, { opacity: "0" });
    settle();
  }

  const sight = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = /** @type {HTMLAnchorElement} */ (target);
        if (isIntersecting) inView.add(link);
        else inView.delete(link);
      }
      settle();
    },
    { rootMargin: NEAR },
  );

  function watchLinks() {
    for (const link of document.querySelectorAll("a[href]")) {
      if (count >= MOST_LINKS) return;
      if (watched.has(link)) continue;
      watched.add(link);
      count++;
      sight.observe(link);
    }
    for (const link of inView) if (!link.isConnected) inView.delete(link);
  }

  const changes = new MutationObserver(settle);

  /** The person came back to the page: what was not known may be known now. */
  function back() {
    if (document.visibilityState !== "visible") return;
    known.clear();
    settle();
  }

  /** Removes everything. */
  function stop() {
    stopped = true;
    clearTimeout(settling);
    sight.disconnect();
    changes.disconnect();
    for (const type of CHANGING) removeEventListener(type, settle, true);
    for (const type of MOVING) removeEventListener(type, moved, true);
    document.removeEventListener("visibilitychange", back);
    layer?.host.remove();
    layer = null;
    boxes.clear();
    inView.clear();
  }

  function start() {
    if (DASHBOARD.test(location.hostname) || globalThis.nightjarSnapshot.sensitive()) return;
    layer = build();
    watchLinks();
    changes.observe(document.documentElement, { childList: true, subtree: true });
    for (const type of CHANGING) addEventListener(type, settle, { capture: true, passive: true });
    for (const type of MOVING) addEventListener(type, moved, { capture: true, passive: true });
    document.addEventListener("visibilitychange", back);
    addEventListener("beforeprint", () => layer && style(layer.host, { display: "none" }));
    addEventListener("afterprint", () => layer && style(layer.host, { display: "block" }));
  }

  globalThis.nightjarMarks = Object.freeze({ stop });
  if (window === window.top) start();
})();
