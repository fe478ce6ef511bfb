// Scripts of the first steps and of Tonight: copy a path, let a browser ask to connect, go on after the first training.

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

/** Whether this page let a browser ask. It does so once; after that the person has a button. */
let offered = false;

/** Lets a browser ask while this page is open, for the time that the daemon gives. The person compares the digits. */
function offer() {
  offered = true;
  const say = (shown) => navigator.sendBeacon("/settings/pairing/page", new URLSearchParams({ shown }));
  say("yes");
  window.addEventListener("pagehide", () => say("no"));
}

/** Shows buttons that need a script, and goes on once the page behind this address has become another one. */
function look() {
  if (!offered && document.querySelector("#pairing[data-pair]")) offer();
  for (const button of document.querySelectorAll("button[data-copy][hidden]")) button.hidden = false;
  const next = steps && document.querySelector("#start-next[data-goto]");
  if (next instanceof HTMLElement) location.assign(next.dataset.goto ?? "/");
}
look();
new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
