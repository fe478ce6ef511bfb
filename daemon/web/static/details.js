// What a find's details say is loaded when it is wanted: a fold with data-details is filled when it opens, and on wide windows the
// details of the chosen find stand beside the list. Without this script both are links to the page of the find.
import { parse } from "./swap.js";

const wide = window.matchMedia("(min-width: 1100px)"); // as in layout.css

/** Fetches the details of a find. @param {string} address */
async function load(address) {
  const answer = await fetch(address, { headers: { "X-Fragment": "1" } });
  if (!answer.ok) throw new Error(String(answer.status));
  const part = parse(await answer.text()).querySelector(".find-about");
  if (!part) throw new Error("no details");
  return document.importNode(part, true);
}

/** Fills a fold; on failure its link stays. @param {HTMLDetailsElement} fold */
async function fill(fold) {
  const waiting = fold.querySelector(":scope > .loading");
  if (!waiting || fold.dataset.busy) return;
  fold.dataset.busy = "1";
  try {
    waiting.replaceWith(await load(fold.dataset.details));
  } catch {
    // the daemon is gone or the login expired; the link says so
  } finally {
    delete fold.dataset.busy;
  }
}

/** Shows the details of a find beside the list. @param {HTMLElement} aside @param {Element} find */
async function show(aside, find) {
  const fold = find.querySelector("details[data-details]");
  const title = find.querySelector("h3");
  if (!fold || !title) return;
  aside.dataset.shown = find.id;
  try {
    const part = await load(fold.dataset.details);
    if (aside.dataset.shown !== find.id) return; // another one was chosen meanwhile
    const heading = document.createElement("h2");
    heading.textContent = title.textContent;
    heading.dir = "auto";
    aside.replaceChildren(heading, part);
    aside.hidden = false;
    aside.scrollTop = 0;
  } catch {
    aside.hidden = true;
    delete aside.dataset.shown;
  }
}

export function details() {
  document.addEventListener("toggle", (event) => {
    const fold = event.target;
    if (fold instanceof HTMLDetailsElement && fold.open && fold.dataset.details) void fill(fold);
  }, true);
  const aside = document.getElementById("find-details");
  if (!aside) return;

  const choose = (find) => {
    for (const other of document.querySelectorAll("[data-find][aria-current]")) {
      if (other !== find) other.removeAttribute("aria-current");
    }
    find.setAttribute("aria-current", "true");
    if (wide.matches && aside.dataset.shown !== find.id) void show(aside, find);
  };
  const begin = () => {
    if (!wide.matches) {
      aside.hidden = true;
      delete aside.dataset.shown;
      return;
    }
    const find = document.querySelector("[data-find][aria-current]") ?? document.querySelector("[data-find]");
    if (find) choose(find);
  };
  document.addEventListener("focusin", (event) => {
    const find = event.target instanceof Element ? event.target.closest("[data-find]") : null;
    if (find) choose(find);
  });
  wide.addEventListener("change", begin);
  begin();
}
