// Scripts of the first steps and of Tonight: copy a path, go on after the first training.

document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element && event.target.closest("button[data-copy]");
  const field = button && document.getElementById(button.dataset.copy);
  if (!(field instanceof HTMLInputElement)) return;
  const said = document.getElementById(`${field.id}-copied`);
  try {
    await navigator.clipboard.writeText(field.value);
    if (said) said.textContent = "Copied.";
  } catch {
    field.focus();
    field.select(); // the person can copy it by keys
    if (said) said.textContent = "Press Ctrl C to copy.";
  }
});

const steps = document.querySelector("#start-next:not([data-goto])") !== null; // this page shows the steps

/** Shows buttons that need a script, and goes on once the page behind this address has become another one. */
function look() {
  for (const button of document.querySelectorAll("button[data-copy][hidden]")) button.hidden = false;
  const next = steps && document.querySelector("#start-next[data-goto]");
  if (next instanceof HTMLElement) location.assign(next.dataset.goto ?? "/");
}
look();
new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
