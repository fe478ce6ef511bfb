// Keys of the list of finds and of the page of questions, and the list of all keys; templates/_keys.html says which.
import { counted, pickAll, picks } from "./finds.js";

const setting = "nightjar.keys"; // "off" when the person turned them off

function cards() {
  return [...document.querySelectorAll("[data-find]")];
}

let last = ""; // the id of the find that had the focus last: keys go on from it when the focus is lost

function current() {
  const at = document.activeElement;
  if (at?.closest("#find-details")) return document.querySelector("[data-find][aria-current]");
  return at?.closest("[data-find]") ?? (!at || at === document.body ? document.getElementById(last) : null);
}

/** Whether a find itself has the focus, and not something in it: the arrows scroll the page otherwise. */
const onFind = () => document.activeElement?.matches("[data-find]");

function move(step) {
  const all = cards();
  if (!all.length) return null;
  const at = current();
  const i = at ? all.indexOf(at) + step : step > 0 ? 0 : all.length - 1;
  const next = all[Math.min(Math.max(i, 0), all.length - 1)];
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
  return next;
}

/** Selects a find, or turns its selection over. */
function pick(find, on) {
  const box = find?.querySelector("input[data-pick]");
  if (!box) return;
  box.checked = on ?? !box.checked;
  counted();
}

function act(key) {
  const find = current() ?? cards()[0];
  if (key === "z") return document.querySelector('button[data-key="z"]')?.click();
  if (key === "a") return pickAll();
  const many = document.querySelector(`#bulk button[data-key="${key}"]`);
  if (many && picks().some((box) => box.checked)) return many.click();
  if (!find) return;
  const id = find.id;
  if (key === "c") {
    if (find !== current()) find.focus({ preventScroll: true }); // the next find that is selected is the one after it
    return pick(find);
  }
  if (key === "o") return find.querySelector("h3 a, h2 a")?.click();
  if (key === "e") {
    const beside = document.querySelector("#find-details:not([hidden])");
    if (beside) return (beside.contains(document.activeElement) ? find : beside).focus({ preventScroll: true });
    const trail = find.querySelector("details.trail");
    if (trail) trail.open = !trail.open;
    return find.focus({ preventScroll: true });
  }
  const button = find.querySelector(`button[data-key="${key}"]`);
  if (!button) return;
  button.click();
  document.getElementById(id)?.focus({ preventScroll: true });
  if (button.value !== "none" && button.value !== "allow") move(1);
}

export function keys() {
  const help = document.getElementById("keys");
  if (!(help instanceof HTMLDialogElement)) return;
  const show = () => {
    for (const group of help.querySelectorAll("[data-when]")) group.hidden = !document.querySelector(group.dataset.when);
    help.showModal();
  };
  const box = document.getElementById("keys-on");
  box.checked = localStorage.getItem(setting) !== "off";
  box.addEventListener("change", () => localStorage.setItem(setting, box.checked ? "on" : "off"));
  for (const button of document.querySelectorAll('[data-open="keys"]')) {
    button.hidden = false;
    button.addEventListener("click", show);
  }
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element) last = target.closest("[data-find]")?.id ?? last;
  });
  document.addEventListener("keydown", (event) => {
    if (!box.checked || help.open || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target;
    if (target instanceof Element && target.closest("input:not([type=checkbox]), select, textarea, [contenteditable]")) return;
    if (event.key === "?") show();
    else if (!document.querySelector("[data-find], [data-key]")) return;
    else if (event.key === "j" || event.key === "ArrowDown" && onFind()) move(1);
    else if (event.key === "k" || event.key === "ArrowUp" && onFind()) move(-1);
    else if (event.key === "J" || event.key === "K") {
      pick(current(), true);
      pick(move(event.key === "J" ? 1 : -1), true);
    } else if (["u", "x", "l", "n", "b", "s", "z", "c", "a", "o", "e"].includes(event.key)) act(event.key);
    else return;
    event.preventDefault();
  });
}
