// On the list of finds: which cards were on the screen, and selecting several.
import { send } from "./swap.js";

const dwell = 800; // ms that a card is on the screen until it counts as seen
const gather = 1500; // ms in which seen cards are gathered before they are sent

/** The boxes that select finds, in order. @returns {HTMLInputElement[]} */
export function picks() {
  return [...document.querySelectorAll("input[data-pick]")];
}

/** Shows how many finds are selected. */
export function counted() {
  const form = document.getElementById("bulk");
  if (!form) return;
  const n = picks().filter((box) => box.checked).length;
  const text = n ? `${n} selected` : "";
  const says = form.querySelector("[data-picked]");
  if (says.textContent !== text) says.textContent = text;
  form.classList.toggle("on", n > 0);
  const all = document.querySelector("[data-pick-all]");
  all.textContent = n && n === picks().length ? "Select none" : "Select all shown";
}

/** Selects all finds of the list, or none. */
export function pickAll() {
  const boxes = picks();
  const on = boxes.some((box) => !box.checked);
  for (const box of boxes) box.checked = on;
  counted();
}

function selecting() {
  const form = document.getElementById("bulk");
  if (!form) return;
  document.documentElement.classList.add("scripted");
  const all = document.querySelector("[data-pick-all]");
  all.hidden = false;
  all.addEventListener("click", pickAll);
  let last = null;
  document.addEventListener("click", (event) => {
    const box = event.target;
    if (!(box instanceof HTMLInputElement) || !("pick" in box.dataset)) return;
    const boxes = picks();
    const from = boxes.indexOf(last);
    if (event.shiftKey && from >= 0) {
      const to = boxes.indexOf(box);
      for (const b of boxes.slice(Math.min(from, to), Math.max(from, to) + 1)) b.checked = box.checked;
    }
    last = box;
    counted();
  });
  document.addEventListener("swapped", counted);
  counted(); // a browser keeps boxes ticked when it goes back
}

function seeing() {
  const list = document.querySelector("ol.finds");
  if (!list) return;
  const back = list.dataset.back ?? "";
  const timers = new Map();
  let waiting = [];
  let timer = 0;
  const tell = () => {
    window.clearTimeout(timer);
    timer = 0;
    if (!waiting.length) return;
    const body = new URLSearchParams({ ids: waiting.join(","), back });
    waiting = [];
    if (document.hidden) navigator.sendBeacon("/finds/seen", body);
    else send("/finds/seen", body).catch(() => {}); // the finds stay new
  };
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      window.clearTimeout(timers.get(target));
      if (!isIntersecting) continue;
      timers.set(target, window.setTimeout(() => {
        if (document.hidden) return;
        watch.unobserve(target);
        waiting.push(target.dataset.new);
        if (!timer) timer = window.setTimeout(tell, gather);
      }, dwell));
    }
  }, { threshold: 0.6 });
  for (const card of document.querySelectorAll("li[data-new]")) watch.observe(card);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) tell();
  });
}

export function finds() {
  for (const link of document.querySelectorAll("[data-scripted]")) link.hidden = false;
  selecting();
  seeing();
}
