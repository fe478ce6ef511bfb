// A page with the bar, as the person sees and uses it.
import { webPage } from "./page_fake.js";
import { barState } from "./states_fake.js";

/** @typedef {Partial<import("../types/state.d.ts").BarState>} Changes */

/** A page whose bar shows a state. @param {Changes} [changes] @param {any} [options] */
export async function bar(changes, options) {
  const page = await webPage(options);
  page.client.sent = [];
  const show = (/** @type {Changes} */ next) => page.client.tell("bar.state", barState(next));
  show(changes ?? {});
  const visible = (/** @type {any} */ element) => page.document.contains(page.root.host) && element.getClientRects().length > 0;
  const buttons = () => [...page.root.querySelectorAll("button")].filter(visible);
  const named = (/** @type {any} */ b) => b.getAttribute("aria-label") ?? b.textContent;
  const dialog = () => page.root.querySelector("[role=alertdialog]");
  const self = {
    ...page, show,
    /** The visible buttons by their names. */
    labels: () => buttons().map(named),
    /** @param {string} label @returns {any} the first visible button with this name */
    button: (label) => buttons().find((b) => named(b) === label),
    /** The button that opens and closes the panel. */
    opener: () => page.root.querySelector("[aria-expanded]"),
    open: () => page.root.querySelector("[aria-expanded]").getAttribute("aria-expanded") === "true",
    /** What stands in the bar. */
    text: () => [...page.root.querySelectorAll("div, span")].filter((e) => visible(e) && e.children.length === 0).map((e) => e.textContent).join(" | "),
    heard: () => page.root.querySelector("[role=status]").textContent,
    /** The question or problem, "" without one. */
    question: () => (dialog() && visible(dialog()) ? dialog().querySelector("div").textContent : ""),
    field: () => page.root.querySelector("input"),
    /** @param {string} label */
    answer: (label) => page.person.click([...dialog().querySelectorAll("button")].find((b) => b.textContent === label)),
    asked: () => page.client.named("bar.do").map((/** @type {any} */ params) => params.action),
    there: () => page.document.getElementById("nightjar-bar") !== null,
    /** Opens the panel with a tap. */
    tap: () => page.person.click(page.root.querySelector("[aria-expanded]")),
    /** Presses a key where the focus is. @param {string} key */
    key: (key) => page.person.press(page.root.activeElement, key),
    /** @param {string} type @param {any} [init] */
    mouse: (type, init) => page.person.send(page.root.querySelector("[role=toolbar]"), type, { pointerType: "mouse", ...init }, "PointerEvent"),
    /** Where the host is: left, top, width and height, px. */
    at: () => ["left", "top", "width", "height"].map((side) => parseInt(page.root.host.style[side])),
  };
  return self;
}
