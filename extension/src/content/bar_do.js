// What the buttons of the bar do: they ask the background, and open and close the parts of the panel. This is a classic
// script; it defines one frozen object, nightjarBarDo.
(() => {
  "use strict";

  if (globalThis.nightjarBarDo || window !== window.top) return; // injected twice, or a frame

  const { t, pill: pillText } = globalThis.nightjarBarText;

  /** @typedef {import("../../types/state.d.ts").BarPlace} BarPlace */
  /** @typedef {import("../../types/state.d.ts").BarState} BarState */

  /** How long a change of the bar's shape can be undone, ms. */
  const UNDO = 10_000;

  /** @param {import("../../types/globals.d.ts").BarMemory} b @param {import("../../types/globals.d.ts").BarSteps} on */
  function make(b, on) {
    /** @param {string} name @param {object} params @returns {Promise<any>} the answer; null after a failure, which is shown */
    async function ask(name, params) {
      b.failure = "";
      try {
        const answer = await chrome.runtime.sendMessage({ name, params });
        if (answer?.ok) return answer;
        b.failure = answer?.error ?? t("bar_again");
      } catch {
        b.failure = t("bar_updated");
      }
      if (!b.opened) on.open("tap");
      on.announce(b.failure);
      on.paint();
      return null;
    }

    const doings = {
      press() {
        const { kind } = pillText(/** @type {BarState} */ (b.state));
        if (kind === "open") doings.toggle();
        else doings.act(kind === "learned" ? "learned" : "useful");
      },
      // A mouse that rests on the pill has opened it already; its click means that it stays.
      toggle: () => (b.opened === "tap" ? on.close() : on.open("tap")),
      /** @param {import("../../types/messages.d.ts").BarAction} action */
      act: (action) => void ask("bar.do", { action }).then(on.paint),
      sent: () => void ask("sent.open", {}),
      submit() {
        doings.section("");
        b.known = "";
        doings.act("submit");
      },
      /** Opens a part of the panel, or closes it. @param {import("../../types/globals.d.ts").BarSection} next */
      section(next) {
        const was = b.section;
        b.section = next;
        b.problem = "";
        if (!b.opened) b.opened = "tap";
        on.paint();
        if (!b.parts?.inner) return;
        const { labels, menu, ask: asked, submit, label, more } = b.parts.inner;
        if (next === "label") {
          labels.field.value = "";
          on.typed();
          labels.field.focus();
        } else if (next === "menu") menu.places[0].choice.focus();
        else if (next === "ask") (asked.yes.style.display === "none" ? asked.no : asked.yes).focus();
        else if (was) ({ label, menu: more, ask: submit })[was].focus();
      },
      /** @param {string} name */
      async label(name) {
        if (name.trim() !== "" && (await ask("bar.label", { name }))) labelled();
      },
      async remove() {
        if (await ask("bar.label", { name: "" })) labelled();
      },
      async unlabel() {
        if (await ask("bar.label.undo", {})) labelled();
      },
      /** @param {BarPlace} place */
      place(place) {
        b.put = place;
        b.aside = null;
        void ask("bar.place", { place });
        on.paint();
      },
      /** @param {"pill"|"tab"|"none"} shape @param {boolean} everywhere */
      async shape(shape, everywhere) {
        const answer = await ask("bar.shape", { shape, everywhere });
        if (!answer) return;
        b.section = "";
        clearTimeout(b.undo?.timer);
        const text = shape === "tab" ? t(everywhere ? "bar_collapsed_all" : "bar_collapsed_site") : t(everywhere ? "bar_hidden_all" : "bar_hidden_site");
        b.undo = shape === "pill" ? null : { text, was: answer.value, timer: setTimeout(forget, UNDO) };
        on.paint();
        if (b.undo) on.announce(b.undo.text);
        (b.undo ? b.parts?.inner?.toast.undo : b.parts?.useful)?.focus();
      },
      forget,
      async undo() {
        if (!b.undo && b.state?.forgotten) return doings.act("never.undo");
        const was = b.undo?.was;
        forget();
        if (was && (await ask("bar.shape.undo", was))) b.parts?.useful.focus();
      },
    };

    function labelled() {
      if (b.before) return on.leave();
      doings.section("");
    }

    /** Ends the offer to undo. */
    function forget() {
      clearTimeout(b.undo?.timer);
      b.undo = null;
      if (b.state) on.render(b.state);
    }

    return doings;
  }

  globalThis.nightjarBarDo = Object.freeze({ make });
})();
