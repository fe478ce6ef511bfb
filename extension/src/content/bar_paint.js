// Fills the elements of the bar with what a state says. This is a classic script; it defines one frozen object,
// nightjarBarPaint.
(() => {
  "use strict";

  if (globalThis.nightjarBarPaint || window !== window.top) return; // injected twice, or a frame

  const { t, pill: pillText, facts, page, question } = globalThis.nightjarBarText;
  const { style, show, write, colours, PANEL } = globalThis.nightjarBarLook;
  const { view } = globalThis.nightjarBarPlace;
  const { grow, item } = globalThis.nightjarBarParts;

  /** @typedef {import("../../types/globals.d.ts").BarParts} Parts */
  /** @typedef {import("../../types/globals.d.ts").BarInner} Inner */
  /** @typedef {import("../../types/globals.d.ts").BarDoings} Doings */
  /** @typedef {import("../../types/globals.d.ts").BarShown} Shown */

  /** A hint with the key that does the same from the page. @param {string} text @param {string|undefined} key "" if it has none */
  const keyed = (text, key) => (key ? `${text} (${key})` : text);

  /** Fills all that is shown. @param {Parts} parts @param {Shown} shown @param {Doings} doings */
  function fill(parts, shown, doings) {
    const { state, opened } = shown;
    const { kind, text } = pillText(state);
    const { useful, count, tab } = parts;
    write(useful, text);
    useful.title = kind === "mark" ? keyed(t(state.page.useful ? "bar_useful_undo" : "bar_useful_hint"), state.keys.useful) : "";
    if (kind === "mark") useful.setAttribute("aria-pressed", String(state.page.useful));
    else useful.removeAttribute("aria-pressed");
    useful.setAttribute("role", kind === "learned" ? "link" : "button");
    write(count, kind === "mark" ? String(state.useful) : "⋯");
    count.setAttribute("aria-label", kind === "mark" ? t("bar_open", String(state.useful)) : t("bar_open_plain"));
    for (const e of [count, tab]) e.setAttribute("aria-expanded", String(opened !== ""));
    write(tab, state.page.useful ? "✓" : "");
    if (opened) fillPanel(parts.inner ?? grow(parts, doings), shown, doings);
    colour(parts, colours(), kind === "mark" && state.page.useful);
  }

  /** @param {Inner} inner @param {Shown} shown @param {Doings} doings */
  function fillPanel(inner, { state, section, problem, failure, undo, names, can, place }, doings) {
    const going = state.status !== "submitted";
    const asking = section === "ask" && going;
    const { label, pause, submit, row, learned, toast, labels, menu, more, ask } = inner;
    write(inner.topic, state.topic);
    inner.topic.title = state.topic;
    write(inner.facts, facts(state));
    write(inner.page, page(state));
    write(inner.failure, failure);
    show(inner.facts, !asking);
    show(inner.page, !asking && going);
    show(inner.failure, failure !== "");
    show(learned, !going && state.learned);
    show(row, going && !asking, "flex");
    label.setAttribute("aria-expanded", String(section === "label"));
    label.setAttribute("aria-disabled", String(!can));
    style(label, { opacity: can ? "1" : ".5" });
    pause.dataset.action = state.status === "paused" ? "resume" : "pause";
    write(pause, t(state.status === "paused" ? "bar_resume" : "bar_pause"));
    label.title = keyed(t("bar_label"), state.keys.label);
    pause.title = keyed(pause.textContent ?? "", state.keys.pause);
    submit.title = keyed(t("bar_submit"), state.keys.submit);
    submit.setAttribute("aria-expanded", String(asking));
    more.setAttribute("aria-expanded", String(section === "menu"));
    show(toast.box, undo !== "");
    write(toast.text, undo);
    show(labels.box, section === "label");
    if (section === "label") offer(inner, names, doings);
    show(labels.remove, state.page.milestone !== undefined);
    show(labels.undo, state.page.undo === true);
    show(menu.box, section === "menu");
    fillMenu(inner, state, place);
    show(ask.box, asking);
    if (asking) write(ask.words, question(state, problem));
    show(ask.yes, state.useful > 0 && !problem);
  }

  /** @param {Inner} inner @param {Shown["state"]} state @param {Shown["place"]} at */
  function fillMenu({ menu }, state, at) {
    for (const { choice, place } of menu.places) choice.setAttribute("aria-pressed", String(place.edge === at.edge && place.at === at.at));
    const tab = state.shape === "tab";
    const everywhere = state.everywhere === "tab";
    menu.tabSite.dataset.shape = tab ? "pill" : "tab";
    menu.tabAll.dataset.shape = everywhere ? "pill" : "tab";
    write(menu.tabSite, t(tab ? "bar_expand_site" : "bar_collapse_site"));
    write(menu.tabAll, t(everywhere ? "bar_expand_all" : "bar_collapse_all"));
  }

  /** Shows the names that can be chosen. @param {Inner} inner @param {string[]} names @param {Doings} doings */
  function offer({ labels }, names, doings) {
    const { list, empty, field } = labels;
    const key = JSON.stringify(names);
    show(empty, names.length === 0 && field.value === "");
    show(list, names.length > 0, "flex");
    if (list.dataset.names === key) return;
    list.dataset.names = key;
    list.replaceChildren(
      ...names.map((name, i) => {
        const choice = item(`${i + 1}  ${name}`, () => doings.label(name));
        choice.setAttribute("aria-label", name);
        choice.setAttribute("aria-keyshortcuts", String(i + 1));
        choice.title = name;
        return choice;
      }),
    );
    for (const choice of list.children) paintButton(/** @type {HTMLElement} */ (choice), colours());
  }

  /** @param {HTMLElement} b @param {ReturnType<typeof colours>} c */
  const paintButton = (b, c) => style(b, { color: c.text, background: b.getAttribute("aria-pressed") === "true" ? c.soft : c.button, "border-color": c.line });

  /** Colours all parts. @param {Parts} parts @param {ReturnType<typeof colours>} c @param {boolean} marked */
  function colour({ root, pill, tab, useful, count, inner }, c, marked) {
    for (const b of root.querySelectorAll("button")) paintButton(b, c);
    for (const b of [useful, count]) style(b, { background: "transparent", color: marked ? c.onText : c.text });
    style(pill, { background: marked ? c.on : c.back, "border-color": marked ? c.on : c.line });
    style(tab, { background: marked ? c.on : c.back, color: marked ? c.onText : c.quiet, "border-color": c.line });
    if (!inner) return;
    const { panel, grip, more, labels, menu, ask, toast } = inner;
    for (const b of [grip, more]) style(b, { background: "transparent", "border-color": "transparent" });
    for (const b of [inner.learned, ask.yes]) style(b, { background: c.main, color: c.mainText, "border-color": c.main });
    style(panel, { background: c.back, "border-color": c.line, color: c.text, "color-scheme": c.scheme });
    style(labels.field, { background: c.back, color: c.text, "border-color": c.line, "caret-color": c.text });
    for (const e of [inner.topic, inner.failure, ask.words, toast.text]) style(e, { color: c.text });
    for (const e of [inner.facts, inner.page, labels.empty, menu.title]) style(e, { color: c.quiet });
  }

  /**
   * Puts pill or tab, and the panel beside it, into the host.
   * @param {Parts} parts @param {{x: number, y: number, width: number, height: number}} r of the host in the window
   * @param {boolean} tab @param {boolean} open
   */
  function arrange({ pill, tab: tabButton, inner }, r, tab, open) {
    show(pill, !tab, "flex");
    show(tabButton, tab);
    if (!inner) return;
    show(inner.panel, open);
    if (!open) return;
    const v = view();
    const width = Math.min(PANEL, v.width - 16);
    const left = Math.max(8, Math.min(r.x + r.width / 2 > v.width / 2 ? r.x + r.width - width : r.x, v.width - width - 8));
    const above = r.y + r.height / 2 > v.height / 2;
    const room = above ? r.y - 14 : v.height - r.y - r.height - 14;
    style(inner.panel, {
      left: `${left - r.x}px`, width: `${width}px`, "max-height": `${Math.round(room)}px`,
      [above ? "top" : "bottom"]: "auto", [above ? "bottom" : "top"]: `${r.height + 6}px`,
    });
  }

  globalThis.nightjarBarPaint = Object.freeze({ fill, arrange, offer });
})();
