// The popup of the toolbar button: starts, pauses, submits and discards a session, marks pages, and shows the state.
import { documentText } from "../shared/documents.js";
import { byId, onClick, send, watch } from "../shared/messages.js";
import { changeKeys, listKeys } from "../shared/keys.js";
import { count, trainingText } from "../shared/text.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */

/** @type {UiState|null} */
let shown = null;
/** @type {""|"submit"|"discard"} */
let asking = "";
/** Whether the person has changed the name of the milestone and not saved it. */
let typed = false;

/** @param {string} id @param {boolean} visible */
const show = (id, visible) => (byId(id, HTMLElement).hidden = !visible);

/** @param {string} id @param {string} text */
const write = (id, text) => {
  const element = byId(id, HTMLElement);
  if (element.textContent !== text) element.textContent = text;
};

/** @param {UiState} state */
function render(state) {
  shown = state;
  const { consent, connection, session, training } = state;
  const paired = connection.state !== "unpaired" && connection.state !== "revoked";
  const on = session !== null && session.status !== "submitted";
  if (!on) asking = "";
  show("no-consent", !consent);
  show("not-paired", consent && !paired && !on);
  if (connection.state === "revoked") write("not-paired-why", connection.message);
  show("no-session", consent && paired && !on);
  show("session", consent && on);
  offer("topics", state.topics);
  offer("milestones", state.names);
  if (session && on) renderSession(state, session);
  show("training", training !== null && !on);
  if (training) renderTraining(training);
  show("daemon-problem", state.problem !== "");
  write("daemon-problem", sentence(state.problem));
  write("connection", connectionText(state));
  write("queue", queueText(state));
  listKeys(byId("keys-list", HTMLElement), state.keys);
  byId("dashboard", HTMLButtonElement).disabled = !paired;
}

/** Offers values in a field. @param {string} id of its list @param {string[]} values */
function offer(id, values) {
  const list = byId(id, HTMLDataListElement);
  if (list.children.length === values.length && values.every((v, i) => list.children[i].getAttribute("value") === v)) return;
  list.replaceChildren(
    ...values.map((value) => {
      const option = document.createElement("option");
      option.value = value;
      return option;
    }),
  );
}

/** @param {UiState["page"]} page @param {boolean} recording */
function renderMilestone(page, recording) {
  const can = recording && page.recorded !== "left-out" && page.recorded !== "none";
  const field = byId("milestone", HTMLInputElement);
  if (!typed && field.value !== (page.milestone ?? "")) field.value = page.milestone ?? "";
  field.disabled = !can;
  byId("milestone-save", HTMLButtonElement).disabled = !can;
  show("milestone-remove", can && page.milestone !== undefined);
  show("milestone-undo", can && page.undo === true);
  const name = page.milestone === undefined ? "A name for pages on the way, such as “department”. Nightjar learns the order of such steps." : `This page is “${page.milestone}”.`;
  write("milestone-facts", can ? name : "");
}

/** @param {UiState} state @param {import("../../types/state.d.ts").Session} session */
function renderSession({ page, settings, connection, counts }, session) {
  const recording = session.status === "recording";
  write("session-topic", session.topic);
  const what = recording ? "Recording" : "Paused (nothing is recorded)";
  const { pages, useful: marked } = counts ?? { pages: session.pages, useful: session.marked.length };
  write("session-facts", `${what}: ${count(pages, "page")}, ${marked} useful.`);
  write("page-facts", pageText(page, recording));
  const useful = byId("useful", HTMLButtonElement);
  useful.textContent = page.useful ? "✓ Useful" : "Useful";
  useful.setAttribute("aria-pressed", String(page.useful));
  useful.disabled = !recording || page.recorded === "left-out" || page.recorded === "none";
  renderMilestone(page, recording);
  show("pause", recording);
  show("resume", !recording);
  write("bar-toggle", settings.barHidden ? "Show the bar" : "Hide the bar");
  show("submit-question", asking === "submit");
  show("discard-question", asking === "discard");
  const ready = session.marked.length > 0;
  const waits = connection.state === "connected" ? "" : " Nightjar is not running; the session waits here.";
  show("submit-yes", ready);
  write(
    "submit-text",
    ready
      ? `Recording stops and Nightjar learns from ${count(pages, "page")}, ${marked} of them useful.${waits}`
      : "Mark at least one page Useful before you submit. The session is still open.",
  );
}

/** @param {UiState["page"]} page @param {boolean} recording */
function pageText(page, recording) {
  if (!recording) return "";
  if (documentText(page)) return documentText(page);
  return {
    yes: page.useful ? "This page is marked Useful. Press Useful again to remove the mark." : "This page is recorded.",
    "left-out": page.why ?? "This page is not recorded. It is on a never-record list or on your own network, or it asks for a password or a card.",
    unknown: "This page was open before the session. If you mark it Useful, it is recorded.",
    none: "Nothing to mark: the page in front is not a web page.",
  }[page.recorded];
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

/** @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const refresh = watch(render);

/** Asks before Submit or Discard; "" closes the question. @param {typeof asking} what */
async function ask(what) {
  asking = what;
  if (shown) render(shown);
  const focus = what === "submit" ? (shown?.session?.marked.length ? "submit-yes" : "submit-no") : what === "discard" ? "discard-no" : "submit";
  byId(focus, HTMLElement).focus();
}

/** Names the page; "" takes the name back. @param {string} name */
const callIt = (name) => renamed(send("session.milestone", { name }));

/** Shows the page's name after a change. The button that was pressed may be gone, so the focus goes to the field. @param {Promise<unknown>} change */
async function renamed(change) {
  await change;
  typed = false;
  await refresh();
  byId("milestone", HTMLInputElement).focus();
}

byId("start-form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
onClick("start", async () => {
  await send("session.start", { topic: byId("topic", HTMLInputElement).value });
  await refresh();
});
onClick("useful", () => send("session.useful", {}));
byId("milestone-form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
byId("milestone", HTMLInputElement).addEventListener("input", () => (typed = true));
onClick("milestone-save", async () => {
  const name = byId("milestone", HTMLInputElement).value;
  if (!name.trim()) throw new Error("Type a name for the milestone.");
  await callIt(name);
});
onClick("milestone-remove", () => callIt(""));
onClick("milestone-undo", () => renamed(send("session.milestone.undo", {})));
onClick("submit", () => ask("submit"));
onClick("submit-no", () => ask(""));
onClick("submit-yes", async () => {
  await send("session.submit", {});
  asking = "";
  await refresh();
});
onClick("pause", () => send("session.pause", {}));
onClick("resume", () => send("session.resume", {}));
onClick("discard", () => ask("discard"));
onClick("discard-no", () => ask(""));
onClick("discard-yes", async () => {
  await send("session.discard", {});
  asking = "";
  await refresh();
});
onClick("bar-toggle", () => send("bar.show", { visible: shown?.settings.barHidden ?? false }));
onClick("keys-change", changeKeys);
onClick("dashboard", () => send("dashboard.open", {}));
onClick("sent", () => send("sent.open", {}));
onClick("options", () => chrome.runtime.openOptionsPage());
onClick("go-connect", () => chrome.runtime.openOptionsPage());
onClick("read-consent", () => chrome.tabs.create({ url: chrome.runtime.getURL("welcome/welcome.html") }));
