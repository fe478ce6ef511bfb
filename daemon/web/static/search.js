// Keys of the search: / goes to its box from every page; j and k move between results, Enter opens one.

export function seek() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (localStorage.getItem("nightjar.keys") === "off" || document.querySelector("dialog[open]")) return;
    const target = event.target;
    if (target instanceof Element && target.closest("input, select, textarea, [contenteditable]")) return;
    if (event.key === "/") {
      const box = document.querySelector("[data-seek]");
      if (!box || box.offsetParent === null) {
        location.href = "/search"; // the box is behind its icon
      } else {
        box.focus();
        box.select();
      }
    } else if (event.key === "j" || event.key === "k") {
      if (!move(event.key === "j" ? 1 : -1)) return;
    } else return;
    event.preventDefault();
  });
}

// Enter needs no code: the focus is on the result's link.
function move(step) {
  const links = [...document.querySelectorAll(".result h3 a")];
  if (!links.length) return false;
  const at = links.indexOf(document.activeElement?.closest(".result")?.querySelector("h3 a"));
  const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1);
  links[next].focus({ preventScroll: true });
  links[next].closest(".result").scrollIntoView({ block: "nearest" });
  return true;
}
