// The words of the bar: what it says about a session, and what it announces to screen readers. This is a classic script; it
// defines one frozen object, nightjarBarText.
(() => {
  "use strict";

  if (globalThis.nightjarBarText || window !== window.top) return; // injected twice, or a frame

  /** @typedef {import("../../types/state.d.ts").BarState} BarState */

  /** A text of _locales by its key. @param {string} key @param {...string} subs for its $1, $2, … */
  const t = (key, ...subs) => chrome.i18n.getMessage(key, subs);

  /** "1 page", "3 pages". @param {"page"|"event"} noun @param {number} n */
  const many = (noun, n) => t(n === 1 ? `count_${noun}_one` : `count_${noun}_many`, String(n));

  /** @param {string} text */
  const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");

  /** @param {NonNullable<BarState["training"]>} training */
  const percent = ({ done, total }) => (total > 0 ? String(Math.round((100 * done) / total)) : "");

  /** Whether the page cannot be marked: it is left out, or no page, such as an image. @param {BarState["page"]} p */
  const isOut = (p) => p.recorded === "left-out" || p.recorded === "none";

  /**
   * What the bar says at rest. "mark" is the button Useful; the others open the bar or what was learned.
   * @param {BarState} s @returns {{kind: "mark"|"open"|"learned", text: string}}
   */
  function pill(s) {
    if (s.status === "submitted") {
      if (s.problem) return { kind: "open", text: t("bar_not_learned") };
      if (s.queued > 0 && !s.connected) return { kind: "open", text: t("bar_waits") };
      if (!s.training) return { kind: "open", text: t("bar_learning") };
      if (!s.training.running) return s.learned ? { kind: "learned", text: t("bar_learned") } : { kind: "open", text: t("bar_done") };
      const part = percent(s.training);
      return { kind: "open", text: part ? t("bar_learning_part", part) : t("bar_learning") };
    }
    if (s.status === "paused") return { kind: "open", text: t("bar_paused") };
    if (isOut(s.page)) return { kind: "open", text: t("bar_left_out") };
    return { kind: "mark", text: t(s.page.useful ? "bar_marked" : "bar_useful") };
  }

  /** The numbers of the session, or how far the training is. @param {BarState} s */
  function facts(s) {
    if (s.status === "submitted") return learning(s);
    const pages = many("page", s.pages);
    const all = t("bar_pages_useful", pages, String(s.useful));
    return s.queued > 0 && !s.connected ? `${all}, ${t("bar_unsent", String(s.queued))}` : all;
  }

  /** What is true of the page. @param {BarState} s */
  function page(s) {
    if (s.status === "submitted") return "";
    if (s.status === "paused") return t("bar_paused_line");
    if (isOut(s.page)) return s.page.why ?? t("bar_left_out_line");
    if (s.page.milestone !== undefined) return t("bar_label_is", s.page.milestone);
    return t(s.page.recorded === "yes" ? "bar_page_yes" : "bar_page_none");
  }

  /** @param {BarState} s */
  function learning(s) {
    if (s.problem) return sentence(s.problem);
    if (s.queued > 0 && !s.connected) return t("bar_waiting", many("event", s.queued));
    if (!s.training) return t("bar_submitted");
    if (!s.training.running) return t(s.learned ? "bar_trained" : "bar_trained_plain");
    const part = percent(s.training);
    return part ? t("bar_training_part", s.training.stage, part) : t("bar_training", s.training.stage);
  }

  /** What the bar asks before Submit, or why there is nothing to submit. @param {BarState} s @param {string} problem "" for none */
  function question(s, problem) {
    if (problem) return sentence(problem);
    if (s.useful === 0) return t("bar_none_marked");
    const asked = `${t("bar_ask", s.topic, many("page", s.pages), String(s.useful))} ${t("bar_ask_more")}`;
    return s.connected ? asked : `${asked} ${t("bar_ask_away")}`;
  }

  /** The site that is never recorded from now on, as long as that can be undone; "" for none. @param {BarState} s */
  function forgotten({ forgotten: gone }) {
    if (!gone) return "";
    return gone.pages > 0 ? t("never_done_pages", gone.host, many("page", gone.pages)) : t("never_done", gone.host);
  }

  /** What a screen reader says about a change; "" for nothing. @param {BarState} was @param {BarState} is */
  function change(was, is) {
    if (is.status !== was.status) {
      if (is.status === "submitted") return learning(is);
      return t(is.status === "paused" ? "bar_paused_said" : "bar_recording_said");
    }
    if (is.status === "submitted") {
      const ended = was.training?.running === true && is.training?.running === false;
      return ended || is.problem !== was.problem || is.learned !== was.learned ? learning(is) : "";
    }
    if (is.forgotten && is.forgotten.host !== was.forgotten?.host) return forgotten(is);
    if (is.page.useful !== was.page.useful) return t(is.page.useful ? "bar_marked_said" : "bar_unmarked_said", String(is.useful));
    if (is.page.milestone !== was.page.milestone && is.page.milestone) return t("bar_labelled", is.page.milestone);
    return "";
  }

  globalThis.nightjarBarText = Object.freeze({ t, pill, facts, page, question, forgotten, change });
})();
