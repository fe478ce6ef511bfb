// The page "What was sent": the last events as they left, and what was left out.
import { localize } from "../shared/localize.js";
import { attempt, byId, onClick, send, watch } from "../shared/messages.js";
import { count, t } from "../shared/text.js";
import { whyWords } from "../shared/why.js";
import { unpackHTML } from "./unpack.js";
import { clock, kindOf, nameOf, redactedText, sizeText, stateText, stateWord } from "./words.js";

/** @typedef {import("../../types/state.d.ts").SentEvent} SentEvent */
/** @typedef {import("../../types/protocol.d.ts").Event} Event */

/** How much of a page's text is shown at first, and of its packed form, in characters. */
const FIRST = 100_000;
const PACKED = 60;

/** @type {SentEvent[]} */
let events = [];
/** The shown elements by the events' numbers. @type {Map<number, Row>} */
const rows = new Map();
/** @typedef {{item: HTMLLIElement, update: (entry: SentEvent) => void, find: string}} Row */

/** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {Partial<Record<"className"|"textContent"|"title", string>>} [fields] @param {...Node} children @returns {HTMLElementTagNameMap[K]} */
function make(tag, fields = {}, ...children) {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
}

/** @param {string} id @param {string} text */
function write(id, text) {
  const element = byId(id, HTMLElement);
  if (element.textContent !== text) element.textContent = text;
}

/** The address or title that an event is about. Most events name only the load of their page. @param {Event} event */
function about(event) {
  if (event.topic) return event.topic;
  const visit = event.url ? event : events.find(({ event: e }) => e.page === event.page && e.url)?.event;
  const page = [visit?.title, visit?.url].filter(Boolean).join(" – ");
  return [event.name, page].filter(Boolean).join(": ");
}

/** @param {SentEvent} entry @returns {Row} */
function row(entry) {
  const { event } = entry;
  const state = make("span");
  const name = make("span", { className: "about" });
  const time = make("time", { textContent: clock(Date.parse(event.at)), title: new Date(event.at).toLocaleString() });
  const summary = make("summary", {}, time, make("span", { className: "what", textContent: nameOf(event.type) }, name), state);
  const said = make("p");
  const redacted = make("p");
  const body = make("div", { className: "body" }, said, redacted);
  const details = make("details", {}, summary, body);
  details.addEventListener("toggle", () => void (details.open && body.children.length === 2 && attempt(() => open(entry, body))));
  const item = make("li", {}, details);
  /** @param {SentEvent} now */
  const update = (now) => {
    state.className = `state ${now.state}`;
    state.textContent = stateWord(now.state);
    said.textContent = stateText(now);
    redacted.textContent = redactedText(now);
    redacted.hidden = redacted.textContent === "";
    name.textContent = about(event);
  };
  return { item, update, find: "" };
}

/** Shows the event as it left. @param {SentEvent} entry @param {HTMLElement} body */
async function open({ event: { seq }, state }, body) {
  const event = await send("sent.entry", { seq });
  if (!event) throw new Error(t("sent_gone"));
  const exact = JSON.stringify(event);
  const brief = event.html ? { ...event, html: `${event.html.slice(0, PACKED)}…` } : event;
  const code = make("pre", { textContent: JSON.stringify(brief) });
  code.tabIndex = 0;
  const indent = make("button", { textContent: t("sent_indent") });
  let indented = false;
  press(indent, async () => {
    indented = !indented;
    indent.setAttribute("aria-pressed", String(indented));
    code.textContent = JSON.stringify(brief, null, indented ? 2 : 0);
  });
  indent.setAttribute("aria-pressed", "false");
  const copy = make("button", { textContent: t("sent_copy") });
  press(copy, async () => {
    await navigator.clipboard.writeText(exact);
    write("said", t("sent_copied"));
  });
  const note = [state === "waiting" ? t("sent_as_waiting") : t("sent_as_sent"), event.html ? t("sent_shortened") : ""].join(" ").trim();
  body.append(make("p", { className: "quiet", textContent: note }), code, make("div", { className: "row" }, indent, copy));
  if (event.html) body.append(...(await pageText(event.html)));
}

/** The text of a snapshot. @param {string} html */
async function pageText(html) {
  const { text, size, packed } = await unpackHTML(html);
  const sizes = make("p", { textContent: t("sent_page_sizes", sizeText(size), sizeText(packed), sizeText(html.length)) });
  const shown = make("pre", { textContent: text.slice(0, FIRST) });
  shown.tabIndex = 0;
  if (text.length <= FIRST) return [sizes, shown];
  const rest = make("button", { textContent: t("sent_rest") });
  press(rest, async () => {
    shown.textContent = text;
    rest.hidden = true;
    shown.focus();
  });
  return [sizes, shown, make("div", { className: "row" }, rest)];
}

/** Runs work when the person presses the button. @param {HTMLButtonElement} button @param {() => Promise<void>} work */
function press(button, work) {
  button.addEventListener("click", (event) => void (event.isTrusted && attempt(work)));
}

/** Shows the events that the filters let through; what is open stays open. */
function render() {
  const seqs = new Set(events.map(({ event }) => event.seq));
  for (const seq of rows.keys()) if (!seqs.has(seq)) rows.delete(seq);
  const text = byId("text", HTMLInputElement).value.trim().toLowerCase();
  const kind = byId("kind", HTMLSelectElement).value;
  const state = byId("state", HTMLSelectElement).value;
  const shown = events.filter((entry) => {
    const one = rows.get(entry.event.seq) ?? row(entry);
    rows.set(entry.event.seq, one);
    one.update(entry);
    one.find = `${nameOf(entry.event.type)} ${about(entry.event)} ${JSON.stringify(entry.event)}`.toLowerCase();
    const is = entry.state === "dropped" ? "refused" : entry.state;
    return (!kind || kindOf(entry.event.type) === kind) && (!state || is === state) && (!text || one.find.includes(text));
  });
  place(shown.map(({ event }) => /** @type {Row} */ (rows.get(event.seq)).item));
  byId("empty", HTMLElement).hidden = events.length > 0;
  byId("filters", HTMLElement).hidden = events.length === 0;
  byId("clear", HTMLButtonElement).disabled = events.every((entry) => entry.state === "waiting");
  const all = count(events.length, "event");
  write("count", events.length === 0 ? "" : shown.length === events.length ? t("sent_count", all) : t("sent_count_some", shown.length, all));
}

/** Puts the items into the list, and moves none that is where it belongs: it may have the focus. @param {HTMLElement[]} items */
function place(items) {
  const list = byId("events", HTMLElement);
  const wanted = new Set(items);
  for (const child of [...list.children]) if (!wanted.has(/** @type {HTMLElement} */ (child))) child.remove();
  items.forEach((item, i) => {
    if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null);
  });
}

/** @param {import("../../types/state.d.ts").LeftOut[]} all */
function renderLeftOut(all) {
  write("left-out-count", String(all.length));
  byId("left-out", HTMLElement).replaceChildren(
    ...all.map(({ at, why, host }) => make("li", {}, make("time", { textContent: clock(at) }), make("span", { textContent: t("sent_left_out_entry", host || t("sent_left_out_page"), whyWords(why)) }))),
  );
  byId("no-left-out", HTMLElement).hidden = all.length > 0;
  byId("clear-left-out", HTMLButtonElement).disabled = all.length === 0;
}

async function refresh() {
  const { events: now, leftOut } = await send("sent.list", {});
  events = now;
  render();
  renderLeftOut(leftOut);
}

localize();
watch(() => void attempt(refresh));

for (const id of ["text", "kind", "state"]) byId(id, HTMLElement).addEventListener("input", render);
byId("filters", HTMLElement).addEventListener("submit", (event) => event.preventDefault());
onClick("clear", async () => {
  await send("sent.clear", {});
  await refresh();
  write("said", t("sent_cleared"));
});
onClick("clear-left-out", async () => {
  await send("sent.clear-left-out", {});
  await refresh();
  write("said", t("sent_left_out_cleared"));
});
onClick("options", () => chrome.runtime.openOptionsPage());
onClick("dashboard", () => send("dashboard.open", {}));
