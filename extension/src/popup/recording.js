// The open session: what is recorded, marks, pause, Submit and Discard.
import { documentText } from "../shared/documents.js";
import { byId, onClick, send } from "../shared/messages.js";
import { count, t } from "../shared/text.js";
import { show, timeLeft, write } from "./view.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */
/** @typedef {import("../../types/state.d.ts").Session} Session */

/** Lengths of a pause that are offered, in minutes; 0: until the person resumes. */
const PAUSES = [5, 15, 60, 0];

/** @param {() => Promise<void>} refresh @returns {(state: UiState, open: boolean) => void} shows it */
export function sessionPart(refresh) {
  /** @type {""|"submit"|"discard"} */
  let asking = "";
  /** @type {UiState|null} */
  let shown = null;
  let lastPause = -1;

  /** @param {UiState} state @param {boolean} open */
  function render(state, open) {
    shown = state;
    if (!open) asking = "";
    show("session", open);
    show("session-more", open);
    show("submit-question", asking === "submit");
    show("discard-question", asking === "discard");
    renderDiscarded(state.session);
    if (state.session && open) renderSession(state, state.session, lastPause);
  }

  /** Asks before Submit or Discard; "" closes the question. @param {typeof asking} what */
  async function ask(what) {
    const before = asking;
    asking = what;
    if (shown) render(shown, true);
    const ready = (shown?.counts?.useful ?? shown?.session?.marked.length ?? 0) > 0;
    const focus = { submit: ready ? "submit-yes" : "submit-no", discard: "discard-no", "": before || "submit" }[what];
    byId(focus, HTMLElement).focus();
  }

  /** @param {Promise<unknown>} done */
  async function after(done) {
    await done;
    asking = "";
    await refresh();
  }

  onClick("useful", () => send("session.useful", {}));
  onClick("submit", () => ask("submit"));
  onClick("submit-no", () => ask(""));
  onClick("submit-yes", () => after(send("session.submit", {})));
  onClick("pause", async () => {
    lastPause = 0;
    await after(send("session.pause", {}));
    byId("resume", HTMLButtonElement).focus();
  });
  onClick("resume", async () => {
    await after(send("session.resume", {}));
    byId("pause", HTMLButtonElement).focus();
  });
  for (const minutes of PAUSES) {
    onClick(`pause-${minutes}`, async () => {
      lastPause = minutes;
      await after(send("session.pause", minutes > 0 ? { minutes } : {}));
    });
  }
  onClick("discard", () => ask("discard"));
  onClick("discard-no", () => ask(""));
  onClick("discard-yes", () => after(send("session.discard", {})));
  onClick("discard-all", () => after(send("session.discard", { whole: true })));
  onClick("undo", () => after(send("session.discard.undo", {})));
  onClick("bar-toggle", () => send("bar.show", { visible: !(shown?.barShown ?? true) }));
  return render;
}

/** @param {Session|null} session */
function renderDiscarded(session) {
  const gone = session?.discarded;
  show("discarded", gone !== undefined);
  if (session && gone) write("discarded-text", t("popup_discarded", session.topic, timeLeft(gone.at)));
}

/** @param {UiState} state @param {Session} session @param {number} lastPause length of the pause that was chosen last, in minutes */
function renderSession(state, session, lastPause) {
  const { page, counts, barShown } = state;
  const recording = session.status === "recording";
  const { pages, useful: marked } = counts ?? { pages: session.pages, useful: session.marked.length };
  write("session-topic", session.topic);
  write("session-facts", recording ? t("popup_recording", count(pages, "page"), marked) : t("popup_paused", count(pages, "page"), marked));
  write("session-until", !recording && session.until ? t("popup_until", timeLeft(session.until)) : "");
  write("session-began", state.began ? t("popup_began", state.began.query, state.began.engine) : "");
  write("session-browsers", state.browsers?.length ? t("popup_together", state.browsers.join(", ")) : "");
  write("page-facts", recording ? pageText(page) : "");
  const useful = byId("useful", HTMLButtonElement);
  useful.textContent = page.useful ? t("popup_is_useful") : t("popup_useful");
  useful.setAttribute("aria-pressed", String(page.useful));
  useful.disabled = !recording || page.recorded === "left-out" || page.recorded === "none";
  show("pause", recording);
  show("resume", !recording);
  show("pauses", !recording);
  for (const minutes of PAUSES) {
    const chosen = session.until ? minutes === lastPause : minutes === 0;
    byId(`pause-${minutes}`, HTMLButtonElement).setAttribute("aria-pressed", String(chosen));
  }
  write("bar-toggle", barShown ? t("popup_bar_hide") : t("popup_bar_show"));
  renderQuestions(state, pages, marked);
}

/** @param {UiState} state @param {number} pages @param {number} marked */
function renderQuestions({ connection, browsers = [] }, pages, marked) {
  const ready = marked > 0;
  const others = browsers.join(", ");
  const learns = [t("popup_submit_text", count(pages, "page"), marked)];
  if (others) learns.push(t("popup_submit_together", others));
  if (connection.state !== "connected") learns.push(t("popup_submit_waits"));
  show("submit-yes", ready);
  write("submit-text", ready ? learns.join(" ") : t("popup_submit_none"));
  write("discard-text", others ? t("popup_discard_together", others) : t("popup_discard_text"));
  write("discard-yes", others ? t("popup_discard_here") : t("popup_discard_yes"));
  show("discard-all", others !== "");
}

/** @param {UiState["page"]} page */
function pageText(page) {
  const document = documentText(page);
  if (document) return document;
  return {
    yes: page.useful ? t("popup_page_useful") : t("popup_page_yes"),
    "left-out": page.why ?? t("popup_page_left_out"),
    unknown: t("popup_page_unknown"),
    none: t("popup_page_none"),
  }[page.recorded];
}
