// Parts with data-live="KIND…" are fetched again when the daemon reports a change of that kind; with data-live="crawl:12" only
// for crawl 12. Parts with data-offer="KIND" are hidden until then, and offer to reload.
// Parts with data-steady stand above what a person works on: what is below them keeps its place on the screen. Lists with
// data-grows get new lines at their end, and only lines that changed are replaced. Parts with data-words are read out: their text
// is replaced, and not they. A page with data-awake is looked at again and again even while it is hidden: the person is in
// another tab, whose next step needs this one.
import { steadily } from "./steady.js";
import { parse, renew } from "./swap.js";

const pause = 700; // ms between two fetches of the page
const awake = 1500; // ms between two fetches while it is hidden

export function live() {
  if (!document.querySelector("[data-live], [data-offer]")) return;
  const waiting = new Set();
  let timer = 0;
  let busy = false;
  // HTML of each part as the daemon last sent it. A part is replaced only when this changes.
  const shown = new Map([...document.querySelectorAll("[data-live], [data-grows] > *")].map((part) => [part.id, part.outerHTML]));

  const refresh = async () => {
    timer = 0;
    if (busy) return void (timer = window.setTimeout(refresh, pause));
    busy = true;
    const ids = [...waiting];
    waiting.clear();
    try {
      const answer = await fetch(location.href, { headers: { "X-Refresh": ids.join(" ") } }); // only these parts
      if (answer.ok) {
        const html = await answer.text();
        const fresh = parse(html);
        for (const id of ids) {
          if (typing(id)) {
            waiting.add(id); // until the person has sent or left the field
            continue;
          }
          const part = fresh.getElementById(id)?.outerHTML;
          if (part === undefined || part === shown.get(id)) continue;
          const old = document.getElementById(id);
          if (old?.hasAttribute("data-words")) old.textContent = fresh.getElementById(id)?.textContent ?? "";
          else if (old?.hasAttribute("data-grows")) grow(old, fresh.getElementById(id), html, shown);
          else if (old?.hasAttribute("data-steady")) steadily(id, () => renew(id, html));
          else renew(id, html);
          shown.set(id, part);
        }
      }
    } catch {
      // the daemon is gone; the event source reconnects by itself
    } finally {
      busy = false;
      if (waiting.size && !timer) timer = window.setTimeout(refresh, pause);
    }
  };

  // What a form has put in place is not what the daemon sent last.
  document.addEventListener("swapped", (event) => shown.delete(/** @type {CustomEvent} */ (event).detail));

  const hear = (kind, id) => {
    for (const part of document.querySelectorAll("[data-live]")) {
      const wanted = (part.dataset.live ?? "").split(" ");
      if (part.id && (kind === "all" || wanted.includes(kind) || wanted.includes(`${kind}:${id}`))) waiting.add(part.id);
    }
    for (const part of document.querySelectorAll("[data-offer]")) {
      if (part.dataset.offer === kind && part.hidden) steadily(part.id, () => { part.hidden = false; });
    }
    if (waiting.size && !timer) timer = window.setTimeout(refresh, pause);
  };

  // A hidden page closes its connection: browsers keep only six to a host, so six tabs would use them up.
  let source = null;
  const listen = () => {
    source = new EventSource("/events");
    // The page may have missed changes while it was loading or hidden, or while the daemon was gone.
    source.addEventListener("open", () => hear("all", ""));
    source.addEventListener("news", (event) => {
      const news = JSON.parse(event.data);
      hear(news.kind, news.id);
    });
  };
  document.addEventListener("visibilitychange", () => {
    source?.close();
    if (!document.hidden) listen();
  });
  if (!document.hidden) listen();
  window.setInterval(() => {
    if (document.hidden && document.querySelector("[data-awake]")) hear("all", "");
  }, awake);
  expire(hear);
}

/** Adds the lines that are new to a list. @param {Element} list @param {string} html @param {Map<string, string>} shown */
function grow(list, fresh, html, shown) {
  for (const line of fresh.children) {
    if (!document.getElementById(line.id)) list.append(document.importNode(line, true));
    else if (line.outerHTML !== shown.get(line.id)) renew(line.id, html);
    shown.set(line.id, line.outerHTML);
  }
}

/** Whether the person is typing in a part. @param {string} id */
function typing(id) {
  const field = document.activeElement;
  const typed = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return typed && field.value !== field.defaultValue && document.getElementById(id)?.contains(field);
}

/** Fetches the page again after the times in data-until, at which the daemon sends no event. */
function expire(hear) {
  const asked = new Set();
  window.setInterval(() => {
    for (const part of document.querySelectorAll("[data-until]")) {
      const until = part.dataset.until;
      if (Date.now() > Date.parse(until) && !asked.has(until)) {
        asked.add(until);
        hear("all", "");
      }
    }
  }, 1000);
}
