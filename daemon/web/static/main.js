// The scripts of every page. Pages work without them; they save reloads and keep the page up to date.
import { live } from "./live.js";
import { swaps } from "./swap.js";
import { keys } from "./keys.js";
import { details } from "./details.js";
import { finds } from "./finds.js";
import { seek } from "./search.js";
import { forms, place } from "./forms.js";
import { parts } from "./load.js";

place();
live();
swaps();
keys();
details();
finds();
seek();
forms();
void parts();

// Where the top bar scrolls, the entry of this page is in sight. CSS can do that, too (scroll-initial-target), but it also moves
// the page.
const entry = document.querySelector(".top li:has([aria-current])");
const bar = entry?.parentElement;
if (entry && bar) {
  const [of, at] = [bar.getBoundingClientRect(), entry.getBoundingClientRect()];
  bar.scrollLeft += at.left - of.left - (of.width - at.width) / 2;
}

for (const form of document.querySelectorAll("form[data-autosubmit]")) {
  form.addEventListener("change", (event) => {
    if (event.target instanceof HTMLSelectElement || (event.target instanceof HTMLInputElement && event.target.files?.length)) form.requestSubmit();
  });
}
for (const form of document.querySelectorAll("form[data-tick-all]")) {
  const all = form.querySelector("button[data-all]");
  if (!all) continue;
  all.hidden = false;
  all.addEventListener("click", () => {
    const boxes = [...form.querySelectorAll("input[type=checkbox]")];
    const on = boxes.some((box) => !box.checked);
    for (const box of boxes) box.checked = on;
  });
}
