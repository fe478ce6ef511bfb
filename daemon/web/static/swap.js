// Forms with data-swap are sent without leaving the page. Each element with an id in the response replaces the one with that
// id on the page.

import { steadily } from "./steady.js";

/** @param {string} html */
export function parse(html) {
  return new DOMParser().parseFromString(html, "text/html");
}

/** Replaces the element with this id by the one from html. Keeps the focus, scrolling and opened details.
 * @param {string} id @param {string|Document} html @returns {Element|null} */
export function replace(id, html) {
  const old = document.getElementById(id);
  const fresh = (typeof html === "string" ? parse(html) : html).getElementById(id);
  if (!old || !fresh) return null;
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  const place = focus && [...old.querySelectorAll("a, button, input, select, textarea, summary, [tabindex]")].indexOf(focus);
  const open = [...old.querySelectorAll("details")].map((d) => d.open);
  const next = document.importNode(fresh, true);
  const scrolled = [...old.querySelectorAll(".table")].map((e) => e.scrollLeft);
  old.replaceWith(next);
  next.querySelectorAll(".table").forEach((e, i) => { e.scrollLeft = scrolled[i] ?? 0; });
  next.querySelectorAll("details:not(.more)").forEach((d, i) => { d.open = open[i] ?? d.open; });
  const card = next.closest("article.find");
  if (card && next.dataset.state) card.className = `find ${next.dataset.state}`;
  if (focus) {
    const same = focus.id && document.getElementById(focus.id);
    const near = [...next.querySelectorAll("a, button, input, select, textarea, summary, [tabindex]")][place ?? -1];
    const target = card || same || near || next;
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }
  document.dispatchEvent(new CustomEvent("swapped", { detail: id }));
  return next;
}

/** Replaces as replace does, and keeps what the person has ticked, chosen or typed and not sent.
 * @param {string} id @param {string} html */
export function renew(id, html) {
  const kept = edits(document.getElementById(id));
  const next = replace(id, html);
  for (const [key, { checked, value }] of next ? kept : []) {
    const field = fields(next).find((one) => keyOf(one) === key);
    if (field && checked !== undefined) field.checked = checked;
    else if (field) field.value = value;
  }
}

/** @param {Element|null} part @returns {any[]} */
const fields = (part) => [...(part?.querySelectorAll("input:not([type=hidden], [type=file]), textarea, select") ?? [])];

const ticked = ({ type }) => type === "checkbox" || type === "radio";

/** Which field of which form it is. */
const keyOf = (field) => JSON.stringify([field.form?.id, field.form?.getAttribute("action"), field.name, ticked(field) ? field.value : ""]);

/** What the person changed in the fields of a part, by field. @param {Element|null} part */
function edits(part) {
  const changed = new Map();
  for (const field of fields(part)) {
    if (ticked(field) && field.checked !== field.defaultChecked) changed.set(keyOf(field), { checked: field.checked });
    else if (!ticked(field) && field.value !== sentValue(field)) changed.set(keyOf(field), { value: field.value });
  }
  return changed;
}

/** The value that the daemon sent. */
const sentValue = (field) =>
  field instanceof HTMLSelectElement ? ([...field.options].find((o) => o.defaultSelected) ?? field.options[0])?.value ?? "" : field.defaultValue;

/** Puts every part of a response in its place. @param {string} html */
export function place(html) {
  const fresh = parse(html);
  for (const { id } of fresh.querySelectorAll("body > [id]")) {
    if (document.getElementById(id)?.hasAttribute("data-steady")) steadily(id, () => replace(id, fresh));
    else replace(id, fresh);
  }
}

/** Sends a form and puts the response in place. @param {string} url @param {URLSearchParams} body */
export async function send(url, body) {
  const answer = await fetch(url, { method: "POST", body, headers: { "X-Fragment": "1" } });
  if (answer.status === 422) return refused(await answer.text());
  if (!answer.ok) throw new Error(String(answer.status));
  place(await answer.text());
}

/** Says what is wrong at the top of the page. @param {string} html */
function refused(html) {
  const said = parse(html).querySelector(".banner.bad");
  if (!said) return location.reload();
  document.querySelector(".notices .banner.bad")?.remove();
  const banner = document.importNode(said, true);
  document.querySelector(".notices")?.append(banner);
  banner.focus();
}

export function swaps() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.dataset.swap) return;
    const button = /** @type {SubmitEvent} */ (event).submitter;
    if (button?.hasAttribute("formaction")) return; // it saves a file
    event.preventDefault();
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    if (button instanceof HTMLButtonElement && button.name) body.set(button.name, button.value);
    try {
      await send(form.getAttribute("action") ?? "", body); // form.action is a field when one has that name
    } catch {
      location.reload(); // the daemon is gone or the login expired: the new page says so
    }
  });
}
