// Keyboard shortcuts on the list of finds: j k u x o e and ?.

const setting = "nightjar.keys"; // "off" when the person turned them off

function finds() {
  return [...document.querySelectorAll("[data-find]")];
}

function current() {
  const at = document.activeElement?.closest("[data-find]");
  return at ?? null;
}

function move(step) {
  const all = finds();
  if (!all.length) return;
  const at = current();
  const i = at ? all.indexOf(at) + step : step > 0 ? 0 : all.length - 1;
  const next = all[Math.min(Math.max(i, 0), all.length - 1)];
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
}

function act(key) {
  const find = current() ?? finds()[0];
  if (!find) return;
  const id = find.id;
  if (key === "o") return find.querySelector("h3 a")?.click();
  if (key === "e") {
    const trail = find.querySelector("details.trail");
    if (trail) trail.open = !trail.open;
    return find.focus({ preventScroll: true });
  }
  find.querySelector(`button[data-key="${key}"]`)?.click();
  document.getElementById(id)?.focus({ preventScroll: true });
}

export function keys() {
  const help = document.getElementById("keys");
  if (!(help instanceof HTMLDialogElement)) return;
  const box = document.getElementById("keys-on");
  box.checked = localStorage.getItem(setting) !== "off";
  box.addEventListener("change", () => localStorage.setItem(setting, box.checked ? "on" : "off"));
  for (const button of document.querySelectorAll('[data-open="keys"]')) {
    button.hidden = false;
    button.addEventListener("click", () => help.showModal());
  }
  document.addEventListener("keydown", (event) => {
    if (!box.checked || help.open || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const target = event.target;
    if (target instanceof Element && target.closest("input, select, textarea, [contenteditable]")) return;
    if (event.key === "?") help.showModal();
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (["u", "x", "o", "e"].includes(event.key)) act(event.key);
    else return;
    event.preventDefault();
  });
}
