// The first page after installation: it says what Nightjar keeps and asks for agreement. Nothing is recorded without it. Then it
// shows how the connection comes about, and starts the first session.
import { startSession } from "../shared/grant.js";
import { localize } from "../shared/localize.js";
import { byId, onClick, send, watch } from "../shared/messages.js";
import { showDigits } from "../shared/digits.js";
import { t } from "../shared/text.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */

/** @param {string} id @param {boolean} visible */
const show = (id, visible) => (byId(id, HTMLElement).hidden = !visible);

/** Whether the person agreed on this page; it then goes on by itself. */
let agreed = false;
let connectedOnce = false;

/** @param {UiState} state */
function render({ consent, connection, session, access }) {
  const connected = connection.state === "connected";
  const open = session !== null && session.status !== "submitted" && !session.discarded;
  show("terms", !(consent && agreed));
  show("choice", !consent);
  show("connecting", consent && !connected);
  const found = connection.message || t(connection.state === "unpaired" ? "welcome_looking" : "options_connecting");
  byId("connection", HTMLElement).textContent = connection.digits ? "" : found;
  showDigits(connection.digits);
  show("options", !connection.digits);
  show("ready", consent && connected && !open);
  show("asks", !access);
  byId("recording", HTMLElement).textContent = consent && open ? t("welcome_recording", session.topic) : "";
  if (agreed && connected && !connectedOnce) {
    connectedOnce = true;
    void comeBack();
  }
}

/** Shows this page again: the person approved the connection in the dashboard, and goes on here. */
async function comeBack() {
  byId("topic", HTMLInputElement).focus();
  const tab = await chrome.tabs.getCurrent();
  if (tab?.id !== undefined) await chrome.tabs.update(tab.id, { active: true });
}

localize();
const refresh = watch(render);

onClick("yes", async () => {
  agreed = true;
  await send("consent.set", { given: true });
  show("declined", false);
  await refresh();
  byId("connecting-title", HTMLElement).focus();
});
onClick("no", async () => {
  await send("consent.set", { given: false });
  show("declined", true);
});
onClick("options", () => chrome.runtime.openOptionsPage());
onClick("disconnect", () => send("pair.forget", {}));
byId("start-form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
onClick("start", async () => {
  await startSession({ topic: byId("topic", HTMLInputElement).value });
  await refresh();
});
