// What goes on besides the session: the connection, the queue, a submitted session and its training.
import { byId } from "../shared/messages.js";
import { count, t, trainingText } from "../shared/text.js";
import { show, write } from "./view.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */

/** @param {UiState} state @param {boolean} open whether a session is */
export function renderStatus(state, open) {
  const { session, training } = state;
  show("training", training !== null && !open);
  if (training) renderTraining(training);
  show("learned", state.learned === true);
  const submitted = !open && session?.status === "submitted" && training === null && state.problem === "";
  show("submitted", submitted);
  if (submitted) {
    const waits = state.queue.queued > 0 || state.connection.state !== "connected";
    write("submitted-text", waits ? t("popup_submitted_waits", session.topic) : t("popup_submitted", session.topic));
  }
  show("daemon-problem", state.problem !== "");
  write("daemon-problem", state.problem.charAt(0).toUpperCase() + state.problem.slice(1));
  write("connection", connectionText(state));
  write("queue", queueText(state));
  const { unkept } = state.queue;
  show("unkept", unkept?.failing === true);
  write("unkept", unkept?.failing ? unkeptText(unkept) : "");
}

/** @param {import("../../types/protocol.d.ts").TrainingState} training */
function renderTraining(training) {
  write("training-text", trainingText(training));
  const bar = byId("training-bar", HTMLProgressElement);
  bar.hidden = !training.running;
  if (training.total > 0) bar.value = training.done / training.total;
  else bar.removeAttribute("value");
}

/** @param {UiState} state */
function connectionText({ connection, settings }) {
  const address = settings.address.replace("ws://", "");
  switch (connection.state) {
    case "connected":
      return t("popup_connected", address);
    case "connecting":
      return t("popup_connecting", address);
    case "pairing":
      return connection.digits ? t("popup_digits", connection.digits) : connection.message;
    case "unpaired":
      return connection.message || t("popup_not_connected");
    default:
      return connection.message || t("popup_no_answer", address);
  }
}

/** What could not be stored; while storing fails also why, and what to do. @param {import("../../types/state.d.ts").UnkeptEvents} unkept */
function unkeptText({ events, since, why, failing }) {
  const clock = new Date(since).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const what = events > 0 ? count(events, "event") : t("popup_unkept_notes");
  if (!failing) return t("popup_unkept_over", what, clock);
  return t(why === "full" ? "popup_unkept_full" : "popup_unkept_broken", what, clock);
}

/** @param {UiState} state */
function queueText({ queue, connection }) {
  const parts = [];
  if (queue.queued > 0) parts.push(connection.state === "connected" ? t("popup_sending", count(queue.queued, "event")) : t("popup_kept", count(queue.queued, "event")));
  if (queue.refused > 0) parts.push(t("popup_refused", count(queue.refused, "event"), queue.lastRefusal));
  if (queue.dropped > 0) parts.push(t("popup_dropped", count(queue.dropped, "page")));
  if (queue.unkept && !queue.unkept.failing) parts.push(unkeptText(queue.unkept));
  return parts.join(" ");
}
