// Parts that take a moment to work out, so that the page does not wait for them: an element with data-load is replaced by the
// one with its id at that address, a fold with data-load when it opens. Without this script the link in it leads there. One
// with data-again is not ready yet: it is asked for again until it is.
import { parse } from "./swap.js";

/** @param {HTMLElement} part */
async function fill(part) {
  const address = part.dataset.load ?? "";
  delete part.dataset.load; // once
  part.ariaBusy = "true";
  const answer = await fetch(address, { headers: { "X-Fragment": "1" } }).catch(() => null);
  const fresh = answer?.ok ? parse(await answer.text()).getElementById(part.id) : null;
  if (!fresh) {
    part.dataset.load = address;
    part.ariaBusy = null;
    return;
  }
  const next = document.importNode(fresh, true);
  if (next instanceof HTMLDetailsElement) next.open = true;
  const focused = part.contains(document.activeElement);
  part.replaceWith(next);
  if (next instanceof HTMLDetailsElement) next.querySelector("summary")?.focus({ preventScroll: true });
  else if (focused) keepFocus(next);
  if ("again" in next.dataset) await again(next);
}

/**
 * What had the focus is gone: the keyboard goes on from what came instead.
 * @param {HTMLElement} part
 */
function keepFocus(part) {
  const first = part.querySelector("a[href], button, summary, input, select");
  if (!first) part.tabIndex = -1;
  (first instanceof HTMLElement ? first : part).focus({ preventScroll: true });
}

/** @param {HTMLElement} part */
async function again(part) {
  await new Promise((resolve) => setTimeout(resolve, 400));
  if (part.isConnected) await fill(part);
}

export async function parts() {
  document.addEventListener("toggle", (event) => {
    const fold = event.target;
    if (fold instanceof HTMLDetailsElement && fold.open && fold.dataset.load) void fill(fold);
  }, true);
  document.addEventListener("swapped", (event) => {
    const fresh = document.getElementById(/** @type {CustomEvent} */ (event).detail);
    for (const part of fresh?.querySelectorAll("[data-load]:not(details)") ?? []) {
      if (part instanceof HTMLElement && part.ariaBusy !== "true") void fill(part);
    }
  });
  for (const part of document.querySelectorAll("[data-load]:not(details)")) {
    if (part instanceof HTMLElement) await ("again" in part.dataset ? again(part) : fill(part)); // one after the other: each asks for much
  }
}
