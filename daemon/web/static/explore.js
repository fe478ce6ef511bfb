// Explore: a grouping is looked at without leaving its page, and the console of operators has keys. Without this script the links
// and forms lead to the same pages.
import { parse, replace } from "./swap.js";

const wait = 140; // ms after the slider moved
const live = ["explore-level", "explore-body"];

const works = () => document.querySelector("#grouping-state .tag.live") !== null;
let working = works();

// Once a grouping is made, its page shows the result.
document.addEventListener("swapped", () => {
  if (working && !works()) location.reload();
  working = works();
});

const body = document.getElementById("explore-body");
const slider = document.querySelector("[data-slider] input[type=range]");
let asked = null;
let address = location.href; // of what is shown

/** Shows another level, cluster or concept. @param {string} url @param {boolean} keep whether the address bar keeps up */
async function show(url, keep) {
  asked?.abort();
  asked = new AbortController();
  try {
    const answer = await fetch(url, { headers: { "X-Refresh": live.join(" ") }, signal: asked.signal });
    if (!answer.ok) throw new Error(String(answer.status));
    const fresh = parse(await answer.text());
    if (!fresh.getElementById("explore-body")) throw new Error("no such part");
    const folded = document.querySelector(".icicle-fold:not([open])");
    for (const id of live) replace(id, fresh);
    if (folded) document.querySelector(".icicle-fold")?.removeAttribute("open");
    if (keep) history.pushState(null, "", url);
    address = url;
    level();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    location.href = url; // the daemon is gone or the login expired: the page says so
  }
}

/** Puts the slider where the page is, and says what it means. */
function level() {
  const now = document.getElementById("explore-body")?.dataset.level;
  if (!(slider instanceof HTMLInputElement) || now === undefined) return;
  if (slider.value !== now && document.activeElement !== slider) slider.value = now;
  const says = document.querySelector(".level-says")?.textContent?.trim();
  if (says) slider.setAttribute("aria-valuetext", says);
}

if (body) {
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a[data-part]") : null;
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const url = link.getAttribute("href") ?? "";
    const away = !link.closest(".explore-chosen, .levels, .explore-list");
    void show(url, true).then(() => {
      const chosen = document.getElementById("chosen");
      if (!chosen) return;
      const { top } = chosen.getBoundingClientRect();
      if (away || top > window.innerHeight * 0.9 || top < 0) chosen.scrollIntoView({ block: "start" });
    });
  });
  window.addEventListener("popstate", () => {
    if (location.href !== address) void show(location.href, false);
  });
}
if (slider instanceof HTMLInputElement) {
  let timer = 0;
  level();
  slider.form?.querySelector("button")?.remove(); // the slider shows the level itself
  slider.addEventListener("input", () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => {
      const q = new URLSearchParams(/** @type {any} */ (new FormData(slider.form)));
      void show(`${location.pathname}?${q}`, true);
    }, wait);
  });
}

const text = document.getElementById("console-text");
if (text instanceof HTMLTextAreaElement) {
  const past = [...document.querySelectorAll("#history [data-text]")].map((e) => e.dataset.text ?? "");
  let at = -1;
  let begun = "";
  const say = (value) => {
    text.value = value;
    text.setSelectionRange(value.length, value.length);
  };
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      text.form?.requestSubmit();
    } else if (event.key === "ArrowUp" && !event.shiftKey && !text.value.slice(0, text.selectionStart).includes("\n")) {
      if (at < 0) begun = text.value;
      if (at < 0 && past[0] === text.value) at = 0; // it was run just now
      if (at + 1 >= past.length) return;
      event.preventDefault();
      at += 1;
      say(past[at]);
    } else if (event.key === "ArrowDown" && !event.shiftKey && at >= 0 && !text.value.slice(text.selectionEnd).includes("\n")) {
      event.preventDefault();
      at -= 1;
      say(at < 0 ? begun : past[at]);
    }
  });
}
