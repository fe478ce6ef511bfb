// The web graph of a session: zoom and pan, steps through the way taken, and what is joined with the page pointed at. Without
// this script the picture is fitted, its titles show, and the step buttons are links.

const wide = 1000, high = 625, bend = 0.2; // as in chart/web.go and web_draw.go
const most = 10; // zoom
const pause = 1100; // ms between two steps that are played

const still = matchMedia("(prefers-reduced-motion: reduce)");

class Web {
  constructor(figure) {
    this.figure = figure;
    this.frame = figure.querySelector(".web-frame");
    this.world = figure.querySelector(".web-world");
    this.pages = figure.querySelector(".web-pages");
    this.nodes = [...this.pages.querySelectorAll("a")];
    this.tip = figure.querySelector(".web-tip");
    this.status = figure.querySelector("#web-step");
    this.spots = this.nodes.map((node) => {
      const spot = node.querySelector("svg");
      return [parseFloat(spot.getAttribute("x")) * wide / 100, parseFloat(spot.getAttribute("y")) * high / 100];
    });
    this.steps = (this.pages.dataset.steps || "").split(" ").filter(Boolean).map((text) => {
      const back = text.includes("<");
      const [from, to] = text.split(back ? "<" : "-").map(Number);
      return { from, to, back };
    });
    this.joined = this.nodes.map((node) => new Set((node.dataset.to || "").split(" ").filter(Boolean).map(Number)));
    this.joined.forEach((all, from) => { for (const to of [...all]) this.joined[to].add(from); });
    this.zoom = 1;
    this.first = Number(this.pages.dataset.first || 0); // steps before this part of the way
    this.all = Number(this.pages.dataset.all || this.steps.length);
    this.at = Math.max(0, Number(this.pages.dataset.at || 0) - this.first);
    this.timer = 0;
    for (const hidden of figure.querySelectorAll(".web-zoom, [data-step=play], .web-help")) hidden.hidden = false;
    this.listen();
  }

  listen() {
    const { figure, frame } = this;
    figure.addEventListener("click", (event) => {
      const step = event.target.closest("[data-step]");
      const zoom = event.target.closest("[data-zoom]");
      if (step && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        this.step(step.dataset.step);
      } else if (zoom) {
        this.scale({ in: 1.5, out: 1 / 1.5, fit: 0 }[zoom.dataset.zoom]);
      } else if (this.dragged) {
        event.preventDefault(); // the end of a drag opens no page
      }
    });
    figure.addEventListener("keydown", (event) => this.key(event));
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey && !frame.contains(document.activeElement)) return; // the page scrolls
      event.preventDefault();
      this.scale(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), event.clientX, event.clientY);
    }, { passive: false });
    this.drag();
    this.pinch();
    frame.addEventListener("pointermove", (event) => { if (event.pointerType === "mouse" && !this.held) this.point(this.nearest(event, 18)); });
    frame.addEventListener("pointerleave", () => this.point(-1));
    this.pages.addEventListener("focusin", (event) => this.point(this.nodes.indexOf(event.target.closest("a")), true));
    this.pages.addEventListener("focusout", () => this.point(-1));
  }

  /** Multiplies the zoom, 0 for the whole picture, and keeps what is at a point of the window, by default its middle. */
  scale(by, clientX, clientY) {
    const { frame, world } = this;
    const box = frame.getBoundingClientRect();
    const x = (clientX ?? box.left + box.width / 2) - box.left, y = (clientY ?? box.top + box.height / 2) - box.top;
    const before = this.zoom;
    this.zoom = by ? Math.min(Math.max(this.zoom * by, 1), most) : 1;
    const left = (frame.scrollLeft + x) * this.zoom / before - x, top = (frame.scrollTop + y) * this.zoom / before - y;
    frame.classList.toggle("zoomed", this.zoom > 1);
    world.style.width = this.zoom > 1 ? `${this.zoom * 100}%` : "";
    frame.scrollTo({ left, top, behavior: "instant" });
    this.point(-1);
  }

  pan(x, y) {
    this.frame.scrollBy({ left: x * this.frame.clientWidth * 0.2, top: y * this.frame.clientHeight * 0.2, behavior: still.matches ? "instant" : "smooth" });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = this.nodes.indexOf(document.activeElement);
    const onButton = event.target.closest(".web-bar");
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (arrow && onButton) return;
    if (arrow) from < 0 ? this.pan(...arrow) : this.walk(from, ...arrow);
    else if (event.key === "+" || event.key === "=") this.scale(1.5);
    else if (event.key === "-") this.scale(1 / 1.5);
    else if (event.key === "0") this.scale(0);
    else if (event.key === ",") this.step("back");
    else if (event.key === ".") this.step("forward");
    else if (event.key === "Home") this.step("first");
    else if (event.key === "End") this.step("last");
    else if (event.key === " " && !onButton) this.step("play");
    else if (event.key === "Escape" && from >= 0) this.frame.focus();
    else return;
    event.preventDefault();
    event.stopPropagation(); // other keys of the dashboard
  }

  /** Focuses the nearest page in a direction. */
  walk(from, x, y) {
    const [fx, fy] = this.place(from);
    let best = -1, least = Infinity;
    this.nodes.forEach((_, i) => {
      const [px, py] = this.place(i), along = (px - fx) * x + (py - fy) * y, aside = Math.abs((px - fx) * y) + Math.abs((py - fy) * x);
      if (i !== from && along > 0 && along + 2 * aside < least) [best, least] = [i, along + 2 * aside];
    });
    if (best >= 0) {
      this.nodes[best].focus({ preventScroll: true });
      this.reveal(best);
    }
  }

  /** The position of a page in the window. */
  place(i) {
    const box = this.nodes[i].querySelector("use:last-of-type").getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  }

  nearest(event, within) {
    let best = -1, least = within;
    this.nodes.forEach((_, i) => {
      const [x, y] = this.place(i), away = Math.hypot(x - event.clientX, y - event.clientY);
      if (away < least) [best, least] = [i, away];
    });
    return best;
  }

  reveal(i) {
    const [x, y] = this.place(i), box = this.frame.getBoundingClientRect(), margin = 40;
    if (x > box.left + margin && x < box.right - margin && y > box.top + margin && y < box.bottom - margin) return;
    this.frame.scrollBy({ left: x - box.left - box.width / 2, top: y - box.top - box.height / 2, behavior: still.matches ? "instant" : "smooth" });
  }

  /** Shows the title and the links of a page, -1 for none. */
  point(i) {
    if (i === this.pointed) return;
    this.pointed = i;
    this.figure.classList.toggle("pointing", i >= 0);
    this.figure.querySelector(".near").setAttribute("d", i < 0 ? "" : [...this.joined[i]].map((j) => this.line(i, j)).join(""));
    this.nodes.forEach((node, j) => {
      node.classList.toggle("here", j === i);
      node.classList.toggle("joined", i >= 0 && this.joined[i].has(j) && this.joined[i].size < 12);
    });
    const title = i < 0 ? "" : this.nodes[i].dataset.title;
    this.tip.hidden = !title;
    if (!title) return;
    this.tip.textContent = title;
    const [x, y] = this.place(i), box = this.figure.getBoundingClientRect();
    this.tip.style.left = `${Math.max(0, Math.min(x - box.left - this.tip.offsetWidth / 2, box.width - this.tip.offsetWidth))}px`;
    this.tip.style.top = `${y - box.top + 18}px`;
  }

  line(a, b, back) {
    const [ax, ay] = this.spots[a], dx = this.spots[b][0] - ax, dy = this.spots[b][1] - ay;
    return back ? `M${ax} ${ay}q${dx / 2 - dy * bend} ${dy / 2 + dx * bend} ${dx} ${dy}` : `M${ax} ${ay}l${dx} ${dy}`;
  }

  title(i) {
    return this.nodes[i].dataset.title || this.nodes[i].textContent.trim();
  }

  step(what) {
    const count = this.steps.length;
    if (!count) return;
    if (what === "play") return this.timer ? this.stop() : this.play();
    this.stop();
    this.show({ first: 1, back: Math.max(this.at - 1, 0), forward: Math.min(this.at + 1, count), last: count }[what]);
  }

  play() {
    if (this.at >= this.steps.length) this.show(0);
    this.figure.classList.add("playing");
    this.label("Pause");
    const next = () => {
      if (!this.figure.isConnected) return this.stop();
      this.show(this.at + 1);
      this.timer = this.at < this.steps.length ? setTimeout(next, pause) : 0;
      if (!this.timer) this.stop();
    };
    this.timer = setTimeout(next, 0);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.figure.classList.remove("playing");
    this.label("Play");
  }

  label(text) {
    const button = this.figure.querySelector("[data-step=play]");
    button?.setAttribute("aria-label", text);
    button?.setAttribute("title", `${text} (space)`);
  }

  /** Shows step n of the way, 0 for none. */
  show(n) {
    this.at = n;
    this.pages.dataset.at = String(n && n + this.first);
    const now = this.figure.querySelector(".web-lines .now"), before = this.figure.querySelector(".before");
    this.figure.classList.toggle("stepping", n > 0);
    for (const node of this.nodes) node.classList.remove("now");
    const drawn = this.steps.slice(0, Math.max(n - 1, 0)).filter((s) => s.from !== s.to).map((s) => this.line(s.from, s.to, s.back));
    before.setAttribute("d", [...new Set(drawn)].join(""));
    if (n === 0) {
      now.setAttribute("d", "");
      this.status.textContent = `${this.all} steps in all.`;
      return;
    }
    const { from, to, back } = this.steps[n - 1];
    const fresh = now.cloneNode(); // starts the drawing of the line again
    fresh.setAttribute("d", from === to ? "" : this.line(from, to, back));
    fresh.setAttribute("pathLength", "1");
    now.replaceWith(fresh);
    this.nodes[to].classList.add("now");
    this.status.textContent = `Step ${n + this.first} of ${this.all}: ${back ? "back " : ""}from “${this.title(from)}” to “${this.title(to)}”`;
    this.reveal(to);
  }

  drag() {
    const { frame } = this;
    frame.addEventListener("pointerdown", (event) => {
      this.dragged = false;
      if (event.pointerType !== "mouse" || event.button !== 0 || this.zoom === 1) return;
      this.held = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop };
    });
    window.addEventListener("pointermove", (event) => {
      if (!this.held) return;
      const dx = event.clientX - this.held.x, dy = event.clientY - this.held.y;
      if (Math.hypot(dx, dy) > 4) this.dragged = true;
      frame.classList.toggle("dragging", this.dragged);
      frame.scrollTo({ left: this.held.left - dx, top: this.held.top - dy, behavior: "instant" });
    });
    window.addEventListener("pointerup", () => {
      this.held = null;
      frame.classList.remove("dragging");
    });
    frame.addEventListener("dragstart", (event) => event.preventDefault());
  }

  /** Two fingers zoom; one finger scrolls, which the browser does. */
  pinch() {
    let apart = 0;
    const spread = (touches) => Math.hypot(touches[0].clientX - touches[1].clientX, touches[0].clientY - touches[1].clientY);
    this.frame.addEventListener("touchstart", (event) => { apart = event.touches.length === 2 ? spread(event.touches) : 0; }, { passive: true });
    this.frame.addEventListener("touchmove", (event) => {
      if (event.touches.length !== 2 || !apart) return;
      event.preventDefault();
      const now = spread(event.touches), [a, b] = event.touches;
      this.scale(now / apart, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
      apart = now;
    }, { passive: false });
  }
}

const known = new WeakSet();

/** Takes over every web graph of the page that it does not have yet. The page replaces them when a session grows. */
function take() {
  for (const figure of document.querySelectorAll(".web")) {
    if (known.has(figure)) continue;
    known.add(figure);
    new Web(figure);
  }
}

take();
new MutationObserver(take).observe(document.getElementById("main") ?? document.body, { childList: true, subtree: true });
