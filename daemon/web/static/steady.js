// What the daemon reports must not move a button away from under the pointer.

/** Makes a change, and scrolls by as much as it moved what stands below the part, so that this stays where it is on the screen.
 * @param {string} id of the part that changes @param {() => void} change */
export function steadily(id, change) {
  const top = () => document.getElementById(id)?.nextElementSibling?.getBoundingClientRect().top;
  const before = top();
  const root = document.documentElement;
  root.style.overflowAnchor = "none"; // or the browser may scroll as well
  change();
  const after = top();
  if (before !== undefined && after !== undefined && after !== before) {
    window.scrollBy({ top: after - before, behavior: "instant" });
  }
  requestAnimationFrame(() => root.style.removeProperty("overflow-anchor"));
}
