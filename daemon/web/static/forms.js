// After a form came back with errors: a list of them at the top, each with a link to its field, and the focus on the first.

/** The page of a refused form has the form's address: it gets its own, so that it can be loaded again. */
export function place() {
  const own = document.body.dataset.page;
  if (own) history.replaceState(null, "", own);
}

export function forms() {
  const banner = document.querySelector(".notices .banner.bad");
  if (!(banner instanceof HTMLElement)) return;
  const wrong = [...document.querySelectorAll("main [aria-invalid=true]")];
  if (!wrong.length) return banner.focus();
  const list = document.createElement("ul");
  for (const [i, field] of wrong.entries()) {
    field.id ||= `wrong-${i}`;
    const link = document.createElement("a");
    link.href = `#${field.id}`;
    link.textContent = `${nameOf(field)}: ${textOf(field.getAttribute("aria-describedby"))}`;
    link.addEventListener("click", (event) => {
      event.preventDefault();
      field.focus();
    });
    list.appendChild(document.createElement("li")).append(link);
  }
  banner.append(list);
  wrong[0].focus();
}

/** The name of a field, as a person sees it. @param {Element} field */
function nameOf(field) {
  return field.getAttribute("aria-label") ?? field.labels?.[0]?.textContent?.trim() ?? field.getAttribute("name") ?? "";
}

/** The text of the first of some elements: the problem comes before the hint. @param {string|null} ids */
function textOf(ids) {
  return document.getElementById((ids ?? "").split(/\s+/)[0])?.textContent ?? "";
}
