// Forms with data-swap="ID" are sent without leaving the page. The response replaces the element with that id.

/** @param {string} html */
export function parse(html) {
  return new DOMParser().parseFromString(html, "text/html");
}

/** Replaces the element with this id by the one from html. Keeps the focus, scrolling and opened details.
 * @param {string} id @param {string} html @returns {Element|null} */
export function replace(id, html) {
  const old = document.getElementById(id);
  const fresh = parse(html).getElementById(id);
  if (!old || !fresh) return null;
  const focus = old.contains(document.activeElement) ? document.activeElement : null;
  const place = focus && [...old.querySelectorAll("a, button, input, select, textarea, summary, [tabindex]")].indexOf(focus);
  const open = [...old.querySelectorAll("details")].map((d) => d.open);
  const next = document.importNode(fresh, true);
  const scrolled = [...old.querySelectorAll(".scroll, .table")].map((e) => e.scrollLeft);
  old.replaceWith(next);
  next.querySelectorAll(".scroll, .table").forEach((e, i) => { e.scrollLeft = scrolled[i] ?? 0; });
  next.querySelectorAll("details").forEach((d, i) => { d.open = open[i] ?? d.open; });
  if (focus) {
    const same = focus.id && document.getElementById(focus.id);
    const near = [...next.querySelectorAll("a, button, input, select, textarea, summary, [tabindex]")][place ?? -1];
    const target = same || near || next;
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }
  return next;
}

/** Updates the parts with data-count, whose numbers the person's action has changed. */
async function recount() {
  const parts = [...document.querySelectorAll("[data-count]")];
  if (!parts.length) return;
  const answer = await fetch(location.href, { headers: { "X-Refresh": "1" } }).catch(() => null);
  if (!answer?.ok) return; // the next page shows the right numbers
  const html = await answer.text();
  const fresh = parse(html);
  for (const part of parts) {
    if (!fresh.getElementById(part.id)) part.remove();
    else replace(part.id, html);
  }
}

export function swaps() {
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.dataset.swap) return;
    event.preventDefault();
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    const button = /** @type {SubmitEvent} */ (event).submitter;
    if (button instanceof HTMLButtonElement && button.name) body.set(button.name, button.value);
    try {
      const answer = await fetch(form.action, { method: "POST", body, headers: { "X-Fragment": "1" } });
      if (!answer.ok) throw new Error(String(answer.status));
      replace(form.dataset.swap, await answer.text());
      void recount();
    } catch {
      location.reload(); // the daemon is gone or the login expired: the new page says so
    }
  });
}
