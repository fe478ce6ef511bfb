// The popup of the toolbar button: starts, pauses, submits and discards a session, marks and labels pages, and shows the
// state. Each part of it has a file.
import { changeKeys, listKeys } from "../shared/keys.js";
import { grantHosts } from "../shared/grant.js";
import { localize } from "../shared/localize.js";
import { byId, onClick, send, watch } from "../shared/messages.js";
import { count, t } from "../shared/text.js";
import { labelForm } from "./labels.js";
import { sessionPart } from "./recording.js";
import { sitesForm } from "./sites.js";
import { startForm } from "./start.js";
import { renderStatus } from "./status.js";
import { show, write } from "./view.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */

localize();

/** The parts ask for it before it is there, but only call it later. */
const again = () => refresh();
const sites = sitesForm(again);
const renderStart = startForm(again, sites.chosen);
const renderRecording = sessionPart(again);
const renderLabels = labelForm(again);
const refresh = watch(render);

/** @param {UiState} state */
function render(state) {
  const { consent, connection, session } = state;
  const paired = connection.state !== "unpaired" && connection.state !== "revoked";
  const on = session !== null && session.status !== "submitted" && !session.discarded;
  show("no-consent", !consent);
  show("not-paired", consent && !paired && !on);
  if (connection.state === "revoked") write("not-paired-why", connection.message);
  renderStart(state, consent && paired && !on);
  renderRecording(state, consent && on);
  show("no-access", consent && on && !state.access);
  renderLabels(state, session?.status === "recording");
  sites.render(state, consent && (on || paired), on);
  renderStatus(state, on);
  renderForgotten(state);
  listKeys(byId("keys-list", HTMLElement), state.keys);
  byId("dashboard", HTMLButtonElement).disabled = !paired;
}

/** @param {UiState} state */
function renderForgotten({ forgotten, session }) {
  show("forgotten", forgotten !== undefined);
  if (!forgotten) return;
  const { host, pages } = forgotten;
  write("forgotten-text", session && pages > 0 ? t("never_done_pages", host, count(pages, "page")) : t("never_done", host));
}

onClick("grant", grantHosts);
onClick("forgotten-undo", () => send("never.undo", {}));
onClick("keys-change", changeKeys);
onClick("dashboard", () => send("dashboard.open", {}));
onClick("learned", () => send("dashboard.learned", {}));
onClick("sent", () => send("sent.open", {}));
onClick("options", () => chrome.runtime.openOptionsPage());
onClick("go-connect", () => chrome.runtime.openOptionsPage());
onClick("read-consent", () => chrome.tabs.create({ url: chrome.runtime.getURL("welcome/welcome.html") }));
