// The open session: what is recorded, marks, pause, Submit and Discard.
import { documentText } from "../shared/documents.js";
import { byId, onClick, send } from "../shared/messages.js";
import { count } from "../shared/text.js";
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
  if (session && gone) write("discarded-text", `“${session.topic}” is discarded. It is deleted ${timeLeft(gone.at)}, or when you start another session. Nothing is recorded.`);
}

/** @param {UiState} state @param {Session} session @param {number} lastPause length of the pause that was chosen last, in minutes */
function renderSession(state, session, lastPause) {
  const { page, counts, barShown } = state;
  const recording = session.status === "recording";
  const { pages, useful: marked } = counts ?? { pages: session.pages, useful: session.marked.length };
  write("session-topic", session.topic);
  write("session-facts", `${recording ? "Recording" : "Paused (nothing is recorded)"}: ${count(pages, "page")}, ${marked} useful.`);
  write("session-until", !recording && session.until ? `Recording goes on ${timeLeft(session.until)}.` : "");
  write("session-began", state.began ? `Began with the search “${state.began.query}” (${state.began.engine}).` : "");
  write("session-browsers", state.browsers?.length ? `Recorded together with ${state.browsers.join(", ")}.` : "");
  write("page-facts", recording ? pageText(page) : "");
  const useful = byId("useful", HTMLButtonElement);
  useful.textContent = page.useful ? "✓ Useful" : "Useful";
  useful.setAttribute("aria-pressed", String(page.useful));
  useful.disabled = !recording || page.recorded === "left-out" || page.recorded === "none";
  show("pause", recording);
  show("resume", !recording);
  show("pauses", !recording);
  for (const minutes of PAUSES) {
    const chosen = session.until ? minutes === lastPause : minutes === 0;
    byId(`pause-${minutes}`, HTMLButtonElement).setAttribute("aria-pressed", String(chosen));
  }
  write("bar-toggle", barShown ? "Hide the bar" : "Show the bar");
  renderQuestions(state, pages, marked);
}

/** @param {UiState} state @param {number} pages @param {number} marked */
function renderQuestions({ connection, browsers = [] }, pages, marked) {
  const ready = marked > 0;
  const waits = connection.state === "connected" ? "" : " Nightjar is not running; the session waits here.";
  const together = browsers.length > 0 ? ` ${browsers.join(", ")} submits its part, too.` : "";
  show("submit-yes", ready);
  write("submit-text", ready
    ? `Recording stops and Nightjar learns from ${count(pages, "page")}, ${marked} of them useful.${together}${waits}`
    : "Mark at least one page Useful before you submit. The session is still open.");
  write("discard-text", browsers.length > 0
    ? `Delete what this browser recorded, or the whole session? ${browsers.join(", ")} records it, too. You can undo this for 10 minutes.`
    : "Delete the whole session, here and in Nightjar? You can undo this for 10 minutes.");
  write("discard-yes", browsers.length > 0 ? "Delete it here" : "Delete the session");
  show("discard-all", browsers.length > 0);
}

/** @param {UiState["page"]} page */
function pageText(page) {
  const document = documentText(page);
  if (document) return document;
  return {
    yes: page.useful ? "This page is marked Useful. Press Useful again to remove the mark." : "This page is recorded.",
    "left-out": page.why ?? "This page is not recorded. It is on a never-record list or on your own network, or it asks for a password or a card.",
    unknown: "This page was open before the session. If you mark it Useful, it is recorded.",
    none: "Nothing to mark: the page in front is not a web page.",
  }[page.recorded];
}
