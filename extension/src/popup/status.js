// What goes on besides the session: the connection, the queue, a submitted session and its training.
import { byId } from "../shared/messages.js";
import { count, trainingText } from "../shared/text.js";
import { show, write } from "./view.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */

/** @param {UiState} state @param {boolean} open whether a session is */
export function renderStatus(state, open) {
  const { session, training } = state;
  show("training", training !== null && !open);
  if (training) renderTraining(training);
  const submitted = !open && session?.status === "submitted" && training === null && state.problem === "";
  show("submitted", submitted);
  if (submitted) {
    const waits = state.queue.queued > 0 || state.connection.state !== "connected";
    write("submitted-text", `“${session.topic}” is submitted. ${waits ? "It waits here until Nightjar runs, which learns from it then." : "Nightjar learns from it."}`);
  }
  show("daemon-problem", state.problem !== "");
  write("daemon-problem", state.problem.charAt(0).toUpperCase() + state.problem.slice(1));
  write("connection", connectionText(state));
  write("queue", queueText(state));
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
      return `Connected to Nightjar at ${address}.`;
    case "connecting":
      return `Connecting to ${address}…`;
    case "pairing":
      return connection.digits ? `Compare these digits with the dashboard: ${connection.digits}` : connection.message;
    case "unpaired":
      return connection.message || "Not connected.";
    default:
      return connection.message || `Nightjar does not answer at ${address}.`;
  }
}

/** @param {UiState} state */
function queueText({ queue, connection }) {
  const parts = [];
  if (queue.queued > 0) parts.push(connection.state === "connected" ? `Sending ${count(queue.queued, "event")}.` : `${count(queue.queued, "event")} kept here until Nightjar starts.`);
  if (queue.refused > 0) parts.push(`Nightjar refused ${count(queue.refused, "event")}. Last reason: ${queue.lastRefusal}.`);
  if (queue.dropped > 0) parts.push(`The queue was full, so the text of ${count(queue.dropped, "page")} is missing.`);
  return parts.join(" ");
}
