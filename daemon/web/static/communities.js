// On the pages of maps: a document can be dropped on its field, and the page of a map in the making goes on to the map.

const zone = document.querySelector("[data-drop]");
const field = zone?.querySelector("input[type=file]");
if (zone instanceof HTMLElement && field instanceof HTMLInputElement) {
  const hint = zone.querySelector("[data-drop-hint]");
  if (hint instanceof HTMLElement) hint.hidden = false;
  const carries = (event) => event.dataTransfer?.types.includes("Files") || event.dataTransfer?.types.includes("text/uri-list");
  zone.addEventListener("dragover", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    zone.classList.add("over");
  });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    zone.classList.remove("over");
    if (!carries(event)) return;
    event.preventDefault();
    const address = document.getElementById("map-url");
    if (event.dataTransfer.files.length) field.files = event.dataTransfer.files;
    else if (address instanceof HTMLInputElement) address.value = event.dataTransfer.getData("text/uri-list").split("\n")[0].trim();
  });
}

/** Goes to the map once it is ready. */
function look() {
  const ready = document.querySelector("#map-next[data-goto]");
  if (ready instanceof HTMLElement) location.replace(ready.dataset.goto ?? "/communities");
}
look();
new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
