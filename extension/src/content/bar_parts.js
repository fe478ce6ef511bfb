// The elements of the bar in its closed shadow root: the pill or the tab, the panel that opens beside it, and in the panel
// the menu, the labels and the question before Submit. This is a classic script; it defines one frozen object, nightjarBarParts.
(() => {
  "use strict";

  if (globalThis.nightjarBarParts || window !== window.top) return; // injected twice, or a frame

  const { make, button, ring, style, write, PARTS } = globalThis.nightjarBarLook;
  const { t } = globalThis.nightjarBarText;

  /** The places of the menu, in three columns; the middle of the second row stays empty. @type {readonly [string, string, import("../../types/state.d.ts").BarPlace][]} */
  const PLACES = [
    ["bar_place_top_left", "↖", { edge: "top", at: 0 }], ["bar_place_top", "↑", { edge: "top", at: 0.5 }], ["bar_place_top_right", "↗", { edge: "top", at: 1 }],
    ["bar_place_left", "←", { edge: "left", at: 0.5 }], ["bar_place_right", "→", { edge: "right", at: 0.5 }],
    ["bar_place_bottom_left", "↙", { edge: "bottom", at: 0 }], ["bar_place_bottom", "↓", { edge: "bottom", at: 0.5 }], ["bar_place_bottom_right", "↘", { edge: "bottom", at: 1 }],
  ];

  /** @typedef {import("../../types/globals.d.ts").BarDoings} Doings what the person can do */

  /** @param {string} text @param {() => void} work */
  const item = (text, work) => button(text, work, PARTS.item);

  /** @param {Doings} doings */
  function build(doings) {
    const host = document.createElement("div");
    host.id = "nightjar-bar";
    const root = host.attachShadow({ mode: "closed" });

    const useful = button("", doings.press, PARTS.useful);
    const count = button("", doings.toggle, PARTS.count);
    const pill = make("div", PARTS.pill, useful, count);
    const tab = button("", doings.toggle, PARTS.tab);
    tab.setAttribute("aria-label", t("bar_tab"));

    const heard = make("div", PARTS.heard);
    heard.setAttribute("role", "status");
    const box = make("div", PARTS.box, pill, tab, heard);
    box.setAttribute("role", "toolbar");
    box.setAttribute("aria-label", "Nightjar");
    root.append(box);
    return { host, root, box, pill, useful, count, tab, heard, inner: null };
  }

  /** Builds the panel. Most pages never need it. @param {import("../../types/globals.d.ts").BarParts} parts @param {Doings} doings */
  function grow(parts, doings) {
    const topic = make("span", PARTS.topic);
    topic.dir = "auto";
    const grip = button("⠿", () => grip.focus(), { ...PARTS.quiet, cursor: "move", "touch-action": "none" });
    grip.setAttribute("aria-label", t("bar_grip"));
    grip.title = t("bar_grip");
    const more = button("⋯", () => doings.section(more.getAttribute("aria-expanded") === "true" ? "" : "menu"), PARTS.quiet);
    more.setAttribute("aria-label", t("bar_menu"));
    more.title = t("bar_menu");
    const head = make("div", PARTS.head, topic, grip, more);
    const facts = make("div", PARTS.line);
    const page = make("div", PARTS.line);
    const failure = make("div", { ...PARTS.line, "font-weight": "600" });
    const label = button(t("bar_label"), () => doings.section(label.getAttribute("aria-expanded") === "true" ? "" : "label"));
    label.setAttribute("aria-keyshortcuts", "L");
    const pause = button("", () => doings.act(pause.dataset.action === "resume" ? "resume" : "pause"));
    const submit = button(t("bar_submit"), () => doings.section("ask"));
    const row = make("div", PARTS.row, label, pause, submit);
    const learned = button(t("bar_learned"), () => doings.act("learned"), { margin: "10px 0 0" });
    learned.setAttribute("role", "link");
    const toast = undone(doings);
    const labels = labelList(doings);
    const menu = menuList(doings);
    const ask = question(doings);
    const panel = make("div", PARTS.panel, head, facts, page, failure, learned, row, toast.box, labels.box, menu.box, ask.box);
    parts.heard.before(panel);
    parts.inner = { panel, topic, grip, more, facts, page, failure, row, label, pause, submit, learned, toast, labels, menu, ask };
    return parts.inner;
  }

  /** What was changed about the bar, and the way back. @param {Doings} doings */
  function undone(doings) {
    const text = make("div", PARTS.line);
    const undo = button(t("bar_undo"), doings.undo);
    return { box: make("div", { display: "none", margin: "8px 0 0" }, text, make("div", PARTS.row, undo)), text, undo };
  }

  /** @param {Doings} doings */
  function labelList(doings) {
    const field = make("input", PARTS.field);
    field.type = "text";
    field.maxLength = 100;
    field.autocomplete = "off";
    field.placeholder = t("bar_label_field");
    field.setAttribute("aria-label", t("bar_label_field"));
    ring(field);
    const save = button(t("bar_label_save"), () => doings.label(field.value));
    const list = make("div", PARTS.list);
    const empty = make("div", PARTS.line);
    write(empty, t("bar_label_empty"));
    const remove = button(t("bar_label_remove"), doings.remove);
    const undo = button(t("bar_label_undo"), doings.unlabel);
    const box = make("div", { display: "none", margin: "10px 0 0" }, make("div", { display: "flex", gap: "6px" }, field, save), list, empty, make("div", PARTS.row, remove, undo));
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", t("bar_label"));
    return { box, field, save, list, empty, remove, undo };
  }

  /** @param {Doings} doings */
  function menuList(doings) {
    const places = PLACES.map(([name, sign, place]) => {
      const choice = button(sign, () => doings.place(place), { padding: "0" });
      choice.setAttribute("aria-label", t(name));
      choice.title = t(name);
      return { choice, place };
    });
    style(places[4].choice, { "grid-column": "3" });
    const grid = make("div", PARTS.grid, ...places.map(({ choice }) => choice));
    grid.setAttribute("role", "group");
    grid.setAttribute("aria-label", t("bar_place"));
    const title = make("div", PARTS.line);
    write(title, t("bar_place"));
    const tabSite = item("", () => doings.shape(tabSite.dataset.shape === "pill" ? "pill" : "tab", false));
    const tabAll = item("", () => doings.shape(tabAll.dataset.shape === "pill" ? "pill" : "tab", true));
    const hideSite = item(t("bar_hide_site"), () => doings.shape("none", false));
    const hideAll = item(t("bar_hide_all"), () => doings.shape("none", true));
    const sent = item(t("bar_sent"), () => doings.sent());
    const dashboard = item(t("bar_dashboard"), () => doings.act("dashboard"));
    const box = make("div", { display: "none", margin: "10px 0 0" }, title, grid, make("div", PARTS.list, tabSite, tabAll, hideSite, hideAll, sent, dashboard));
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", t("bar_menu"));
    return { box, places, title, tabSite, tabAll, hideSite, hideAll, sent, dashboard };
  }

  /** @param {Doings} doings */
  function question(doings) {
    const words = make("div", { ...PARTS.line, font: "14px/1.4 system-ui, sans-serif" });
    const yes = button(t("bar_submit"), doings.submit);
    const no = button(t("bar_keep"), () => doings.section(""));
    const box = make("div", { display: "none" }, words, make("div", PARTS.row, yes, no));
    box.setAttribute("role", "alertdialog");
    box.setAttribute("aria-label", t("bar_ask_name"));
    return { box, words, yes, no };
  }

  globalThis.nightjarBarParts = Object.freeze({ build, grow, item });
})();
