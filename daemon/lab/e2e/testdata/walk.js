// Notes on which element the Tab key stops, in window.walk: each key looks at the element that has the focus before it moves
// on. walk.end() lists what a person without a mouse would trip over, one line each.
(() => {
  const stops = "a[href], area[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex], iframe, audio[controls], video[controls]";
  const shown = (e) => e.checkVisibility({ visibilityProperty: true });
  const name = (e) => `${e.tagName.toLowerCase()}${e.id ? "#" + e.id : ""}${e.name ? `[name=${e.name}]` : ""} “${(e.getAttribute("aria-label") ?? e.innerText ?? e.textContent ?? "").trim().replace(/\s+/g, " ").slice(0, 40)}”`;
  // what may change with the focus: of the element and of what is in it, for symbols of pictures
  const look = (e) => [e, ...[...e.querySelectorAll("*")].slice(0, 8)].map((x) => {
    const s = getComputedStyle(x);
    return [s.outlineStyle === "none" ? "" : s.outline, s.boxShadow, s.borderColor, s.stroke, s.strokeWidth].join();
  }).join();
  const all = () => [...document.querySelectorAll(stops)].filter((e) => {
    if (e.tabIndex < 0 || e.matches(":disabled") || !shown(e) || e.closest("[inert]")) return false;
    if (e.matches("summary") && e !== e.parentElement.querySelector("summary")) return false;
    if (e.matches("input[type=radio]")) { // a group is one stop
      const group = [...document.querySelectorAll(`input[type=radio][name="${e.name}"]`)].filter((x) => x.form === e.form);
      return e === (group.find((x) => x.checked) ?? group[0]);
    }
    return true;
  });
  const plain = new Map(all().map((e) => [e, look(e)]));
  const went = [];
  const problems = [];
  // where an element with the focus can be seen: problems when it is under something, or outside of the window
  const covered = (e) => {
    const r = [...e.getClientRects()].find((r) => r.width > 0 && r.height > 0);
    if (!r) return "has no place";
    const left = Math.max(r.left, 0), right = Math.min(r.right, innerWidth), top = Math.max(r.top, 0), bottom = Math.min(r.bottom, innerHeight);
    if (right - left < 2 || bottom - top < 2) return "is outside of the window";
    const inset = Math.min(3, (right - left) / 4, (bottom - top) / 4);
    const points = [[(left + right) / 2, (top + bottom) / 2], [left + inset, top + inset], [right - inset, top + inset], [left + inset, bottom - inset], [right - inset, bottom - inset]];
    const hits = points.map(([x, y]) => document.elementFromPoint(x, y));
    const own = (hit) => hit && (e.contains(hit) || hit.contains(e) || [...(e.labels ?? [])].some((l) => l.contains(hit)));
    if (!hits.some(own)) return `is under ${hits[0] ? name(hits[0]) : "nothing"}`;
    if (r.height > innerHeight / 2 || e.matches("textarea")) return ""; // what scrolls itself: the line with the caret is enough
    const bar = hits.find((hit) => hit?.closest(".top, .savebar") && !e.closest(".top, .savebar"));
    return bar ? `is partly under ${name(bar.closest(".top, .savebar"))}` : "";
  };
  const walk = { done: false, note() {
    const e = document.activeElement;
    if (walk.done || !e || went.at(-1) === e) return; // fields of a time are stops of one element
    if (e === document.body || went.includes(e)) return void (walk.done = went.length > 0);
    went.push(e);
    const why = covered(e);
    if (why) problems.push(`${name(e)} ${why}`);
    if (plain.has(e) && look(e) === plain.get(e)) problems.push(`${name(e)} looks the same with the focus`);
  }, end() {
    const want = all();
    const got = went.filter((e) => e.isConnected);
    for (const e of want) {
      if (e.tabIndex > 0) problems.push(`${name(e)} has a tabindex above 0`);
      if (plain.has(e) && !got.includes(e)) problems.push(`${name(e)} is not reached`);
    }
    const both = got.filter((e) => want.includes(e));
    const order = want.filter((e) => both.includes(e));
    const at = both.findIndex((e, i) => e !== order[i]);
    if (at >= 0) problems.push(`${name(both[at])} comes before ${name(order[at])}`);
    if (!walk.done) problems.push(`the keyboard is trapped at ${name(went.at(-1))}`);
    return problems;
  } };
  window.addEventListener("keydown", walk.note, { capture: true });
  window.walk = walk;
  return plain.size;
})()
