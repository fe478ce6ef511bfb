// The page of an ontology: branches open, and terms are chosen, without loading the whole page; arrow keys move in the tree.
import { parse, replace } from "./swap.js";

/** Fetches the tree as an address has it, and puts it in place. @param {string} address @param {boolean} [back] */
async function show(address, back = false) {
  try {
    const answer = await fetch(address, { headers: { "X-Fragment": "1" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const fresh = parse(await answer.text());
    if (!back) history.pushState(null, "", address);
    const focused = document.getElementById("ontology")?.contains(document.activeElement);
    if (!replace("ontology", fresh)) throw new Error("no tree");
    const term = document.querySelector("#ontology-rows .current .ontology-label");
    if (focused && term instanceof HTMLElement) term.focus({ preventScroll: true });
  } catch {
    location.assign(address); // the daemon is gone or the login expired: the new page says so
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || form.dataset.tree === undefined) return;
  event.preventDefault();
  const button = /** @type {SubmitEvent} */ (event).submitter;
  const named = button instanceof HTMLButtonElement ? `[name="${button.name}"][value="${CSS.escape(button.value)}"]` : "";
  const query = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  if (button instanceof HTMLButtonElement && button.name) query.append(button.name, button.value);
  void show(`${form.getAttribute("action")}?${query}`).then(() => {
    const same = named && document.querySelector(`#ontology-rows ${named}`);
    if (same instanceof HTMLElement) same.focus({ preventScroll: true });
    // On a narrow screen the chosen term is below the tree.
    const term = document.querySelector(".ontology-term");
    if (button instanceof HTMLButtonElement && button.name === "term" && term && term.getBoundingClientRect().top > innerHeight * .7) term.scrollIntoView();
  });
});

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[data-tree]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  void show(link.getAttribute("href") ?? "");
});

window.addEventListener("popstate", () => void show(location.href, true));

// The address of the page is that of what it shows, also after a change.
document.addEventListener("swapped", (event) => {
  if (/** @type {CustomEvent} */ (event).detail !== "ontology") return;
  const here = document.getElementById("ontology")?.dataset.here;
  if (here) history.replaceState(null, "", here);
  // When nothing is left to undo or redo, the button is gone: the focus goes to the other one.
  if (pressed && !document.getElementById(pressed)) {
    document.getElementById(pressed === "ontology-undo" ? "ontology-redo" : "ontology-undo")?.focus();
  }
  pressed = "";
});

let pressed = ""; // id of the button for Undo or Redo that was pressed
document.addEventListener("submit", (event) => {
  const button = /** @type {SubmitEvent} */ (event).submitter;
  pressed = button && /^ontology-(undo|redo)$/.test(button.id) ? button.id : "";
});

/** Moves the focus in the tree. */
document.addEventListener("keydown", (event) => {
  const row = event.target instanceof Element && event.target.closest(".ontology-row");
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = [...document.querySelectorAll("#ontology-rows .ontology-row")];
  const at = rows.indexOf(row);
  const toggle = row.querySelector(".ontology-toggle");
  const open = toggle?.getAttribute("aria-expanded") === "true";
  const above = row.closest("li")?.parentElement?.closest("li")?.querySelector(".ontology-row");
  let next = null;
  if (event.key === "ArrowDown") next = rows[at + 1];
  else if (event.key === "ArrowUp") next = rows[at - 1];
  else if (event.key === "Home") next = rows[0];
  else if (event.key === "End") next = rows.at(-1);
  else if (event.key === "ArrowRight" && open) next = rows[at + 1];
  else if (event.key === "ArrowLeft" && !open) next = above;
  else if (toggle instanceof HTMLElement && (event.key === "ArrowRight" || event.key === "ArrowLeft")) toggle.click();
  else return;
  event.preventDefault();
  const label = next?.querySelector(".ontology-label");
  if (label instanceof HTMLElement) label.focus();
});
