// Where the bar is. A place is an edge of the window and a share of the way along it, so that it stays valid when the window
// changes. The bar moves aside from what the page keeps at the same place of the window: fixed and sticky elements, dialogs,
// and buttons that no scrolling would free. This is a classic script; it defines one frozen object, nightjarBarPlace.
(() => {
  "use strict";

  if (globalThis.nightjarBarPlace || window !== window.top) return; // injected twice, or a frame

  /** @typedef {import("../../types/state.d.ts").BarPlace} BarPlace */
  /** @typedef {{x: number, y: number, width: number, height: number}} Rect of px in the window */
  /** @typedef {{width: number, height: number, turn?: boolean}} Size turn: upright at the sides, and lying at top and bottom */

  /** Distance of the pill from the edges, and of obstacles from the pill; px. */
  const MARGIN = 12;
  const GAP = 4;
  const BESIDE = GAP + 4;
  /** The bar stays at its edge if a place there is at most so much farther away than one at another edge; px. */
  const STAY = 150;
  /** Places that are tried in one check, at most. */
  const TRIES = 24;
  /** An element that takes this share of the window's width and height is a layer of the page, not an obstacle on it. */
  const WHOLE = 0.9;
  /** A page that can scroll so far frees its buttons; px. */
  const ROOM = 56;

  /** @type {Readonly<BarPlace>} */
  const CORNER = Object.freeze({ edge: "bottom", at: 1 });

  const PRESSABLE =
    "a[href],button,input,select,textarea,summary,label,[role=button],[role=link],[role=menuitem],[role=tab],[role=checkbox],[role=switch],[contenteditable=''],[contenteditable=true]";
  const DIALOG = "dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]";

  /** @returns {Size} the window without scroll bars */
  function view() {
    const { clientWidth, clientHeight } = document.documentElement;
    return { width: clientWidth || innerWidth, height: document.compatMode === "CSS1Compat" ? clientHeight || innerHeight : innerHeight };
  }

  /** @param {Size} size @param {BarPlace["edge"]} edge @returns {Size} */
  const turned = (size, edge) => (size.turn && (edge === "top" || edge === "bottom") ? { width: size.height, height: size.width } : size);

  /** @param {BarPlace} place @param {Size} size @param {number} [margin] @returns {Rect} */
  function rectAt({ edge, at }, size, margin = MARGIN) {
    const v = view();
    const { width, height } = turned(size, edge);
    const x = Math.max(0, v.width - width);
    const y = Math.max(0, v.height - height);
    const on = (/** @type {number} */ room) => Math.round(Math.min(room, Math.max(0, MARGIN + at * (room - 2 * MARGIN))));
    const across = (/** @type {boolean} */ far, /** @type {number} */ room) => (far ? Math.max(0, room - margin) : Math.min(room, margin));
    const level = edge === "top" || edge === "bottom";
    return { x: level ? on(x) : across(edge === "right", x), y: level ? across(edge === "bottom", y) : on(y), width, height };
  }

  /** The place at an edge that is nearest to a point. @param {BarPlace["edge"]} edge @param {number} x left @param {number} y top @param {Size} size @returns {BarPlace} */
  function along(edge, x, y, size) {
    const v = view();
    const level = edge === "top" || edge === "bottom";
    const { width, height } = turned(size, edge);
    const room = (level ? v.width - width : v.height - height) - 2 * MARGIN;
    const at = room > 0 ? ((level ? x : y) - MARGIN) / room : 1;
    return { edge, at: Math.round(Math.min(1, Math.max(0, at)) * 1000) / 1000 };
  }

  /** The place that is nearest to a point of the window. @param {number} x left @param {number} y top @param {Size} size @returns {BarPlace} */
  function nearest(x, y, size) {
    const v = view();
    const far = { left: x, right: v.width - size.width - x, top: y, bottom: v.height - size.height - y };
    const edges = /** @type {BarPlace["edge"][]} */ (["bottom", "right", "left", "top"]);
    return along(edges.reduce((best, edge) => (far[edge] < far[best] ? edge : best)), x, y, size);
  }

  /** The place after an arrow key: a step along the edge, or to another edge. @param {BarPlace} place @param {string} key @param {Size} size @returns {BarPlace|null} */
  function step(place, key, size) {
    if (key === "Home") return { ...CORNER };
    const arrow = /** @type {Record<string, [number, number, BarPlace["edge"]]>} */ ({
      ArrowLeft: [-1, 0, "left"], ArrowRight: [1, 0, "right"], ArrowUp: [0, -1, "top"], ArrowDown: [0, 1, "bottom"],
    })[key];
    if (!arrow) return null;
    const [dx, dy, to] = arrow;
    const { x, y } = rectAt(place, size);
    const level = place.edge === "top" || place.edge === "bottom";
    if (level === (dx !== 0)) return along(place.edge, x + 24 * dx, y + 24 * dy, size);
    if (place.at > 0 && place.at < 1) return { edge: to, at: place.at };
    // A corner belongs to two edges.
    const side = level ? (place.at === 1 ? "right" : "left") : place.at === 1 ? "bottom" : "top";
    return along(side, x + 24 * dx, y + 24 * dy, size);
  }

  /** @param {Rect} a @param {Rect} b */
  const overlap = (a, b) =>
    a.x < b.x + b.width + GAP && b.x < a.x + a.width + GAP && a.y < b.y + b.height + GAP && b.y < a.y + a.height + GAP;

  /** @param {Element} element @returns {Rect} */
  function rectOf(element) {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left, y: top, width, height };
  }

  /** @param {Rect} r */
  const whole = (r) => r.width >= WHOLE * view().width && r.height >= WHOLE * view().height;

  /** The parent as it is shown: out of a shadow root, its host. @param {Element} element @returns {Element|null} */
  const above = (element) => element.parentElement ?? (element.getRootNode() instanceof ShadowRoot ? /** @type {ShadowRoot} */ (element.getRootNode()).host : null);

  /** The shadow root of an element of the page, also a closed one. @param {Element} element @returns {ShadowRoot|null} */
  function shadowOf(element) {
    const { dom } = /** @type {any} */ (chrome); // Chromium's; Firefox has a property
    try {
      return dom?.openOrClosedShadowRoot(element) ?? /** @type {any} */ (element).openOrClosedShadowRoot ?? element.shadowRoot;
    } catch {
      return element.shadowRoot; // not an HTML element
    }
  }

  /** What the page shows at a point, without the bar. @param {number} x @param {number} y @param {Element} host @returns {Element|null} */
  function hit(x, y, host) {
    let found = document.elementsFromPoint(x, y).find((element) => element !== host) ?? null;
    for (let depth = 0; found && depth < 4; depth++) {
      const root = shadowOf(found);
      const inner = root?.elementsFromPoint(x, y).find((element) => element.getRootNode() === root);
      if (!inner) break;
      found = inner;
    }
    return found;
  }

  /** One check of the page. Elements are looked at once, since many points hit the same ones. */
  class Look {
    /** @type {Map<Element, Rect|null>} */
    #known = new Map();
    /** @param {Element} host @param {boolean} strict whether also parts of the page without buttons must stay free */
    constructor(host, strict) {
      this.host = host;
      this.strict = strict;
    }

    /** What is below a place of the bar. @param {Rect} r @returns {Rect[]} */
    below(r) {
      const found = new Set();
      const columns = Math.max(2, Math.ceil(r.width / 20));
      const rows = Math.max(2, Math.ceil(r.height / 16));
      for (let i = 0; i <= columns; i++) {
        for (let j = 0; j <= rows; j++) {
          const x = r.x + (i / columns) * (r.width - 1);
          const element = hit(x, r.y + (j / rows) * (r.height - 1), this.host);
          if (element) found.add(this.strict ? (this.#kept(element) ?? this.#pressed(element, r)) : this.#middle(element, r));
        }
      }
      found.delete(null);
      return [...found];
    }

    /** The middle of a button that would be below the bar. @param {Element} element @param {Rect} r of the bar */
    #middle(element, r) {
      const b = this.#pressed(element, r);
      const inner = b && { x: b.x + 0.3 * b.width, y: b.y + 0.3 * b.height, width: 0.4 * b.width, height: 0.4 * b.height };
      return inner && overlap(r, inner) ? inner : null;
    }

    /** The fixed or sticky element or the dialog around an element. @param {Element} element @returns {Rect|null} */
    #kept(element) {
      const known = this.#known.get(element);
      if (known !== undefined) return known;
      this.#known.set(element, null);
      const result = this.#keptNow(element);
      this.#known.set(element, result);
      return result;
    }

    /** @param {Element} element */
    #keptNow(element) {
      if (element === document.documentElement || element === document.body) return null;
      const parent = above(element);
      const around = parent && this.#kept(parent);
      if (around) return around;
      const own = rectOf(element);
      const position = getComputedStyle(element).position;
      if (position === "fixed" || position === "sticky" || element.matches(DIALOG)) return whole(own) ? null : own;
      // A layer over the whole window that lets clicks through keeps single things, such as messages, at their place.
      const layer = parent && getComputedStyle(parent);
      return layer?.position === "fixed" && layer.pointerEvents === "none" && !whole(own) ? own : null;
    }

    /** The button or link around an element, if scrolling would not free it. @param {Element} element @param {Rect} r of the bar @returns {Rect|null} */
    #pressed(element, r) {
      const button = element.closest(PRESSABLE) ?? (getComputedStyle(element).cursor === "pointer" ? element : null);
      if (!button || whole(rectOf(button))) return null;
      const low = r.y + r.height / 2 > view().height / 2;
      const scrolls = (/** @type {Element} */ e) => (low ? e.scrollHeight - e.clientHeight - e.scrollTop : e.scrollTop) >= ROOM;
      for (let at = above(button); at && at !== document.documentElement && at !== document.body; at = above(at)) {
        const { overflowY, position } = getComputedStyle(at);
        if ((overflowY === "auto" || overflowY === "scroll") && scrolls(at)) return null;
        if (position === "fixed") return rectOf(button);
      }
      const locked = [document.documentElement, document.body].some((e) => e && /hidden|clip/.test(getComputedStyle(e).overflowY));
      return !locked && scrolls(document.scrollingElement ?? document.documentElement) ? null : rectOf(button);
    }
  }

  /** Places to try, the nearest to the wanted one first: along all edges, and right beside each obstacle. @param {BarPlace} wanted @param {Size} size @param {Rect[]} obstacles */
  function candidates(wanted, size, obstacles) {
    const from = rectAt(wanted, size);
    /** @type {BarPlace[]} */
    const all = [];
    const edges = /** @type {BarPlace["edge"][]} */ (["bottom", "top", "left", "right"]);
    for (const edge of edges) {
      for (const at of [0, 0.25, 0.5, 0.75, 1]) all.push({ edge, at });
      for (const o of obstacles) {
        all.push(along(edge, o.x - size.width - BESIDE, o.y - size.height - BESIDE, size), along(edge, o.x + o.width + BESIDE, o.y + o.height + BESIDE, size));
      }
    }
    const far = (/** @type {BarPlace} */ place) => {
      const r = rectAt(place, size);
      return Math.hypot(r.x - from.x, r.y - from.y) + (place.edge === wanted.edge ? 0 : STAY);
    };
    return all.map((place) => ({ place, cost: far(place) })).sort((a, b) => a.cost - b.cost).map(({ place }) => place);
  }

  /**
   * The place where the bar covers nothing that the page keeps there: the wanted one, or the nearest free one; null without one.
   * @param {BarPlace} wanted @param {Size} size @param {Element} host of the bar @param {number} [margin]
   * @param {boolean} [strict] whether it covers nothing at all; else it leaves the middle of each button free @returns {BarPlace|null}
   */
  function free(wanted, size, host, margin = MARGIN, strict = true) {
    const look = new Look(host, strict);
    const first = look.below(rectAt(wanted, size, margin));
    if (first.length === 0) return wanted;
    const obstacles = [...first];
    const tried = new Set();
    for (let i = 0; i < TRIES; i++) {
      const next = candidates(wanted, size, obstacles).find((place) => {
        const r = rectAt(place, size, margin);
        return !tried.has(`${r.x} ${r.y}`) && !obstacles.some((o) => overlap(r, o));
      });
      if (!next) return null;
      const r = rectAt(next, size, margin);
      tried.add(`${r.x} ${r.y}`);
      const found = look.below(r);
      if (found.length === 0) return next;
      obstacles.push(...found);
    }
    return null;
  }

  globalThis.nightjarBarPlace = Object.freeze({ CORNER, MARGIN, view, rectAt, nearest, step, free });
})();
