// The options page: the connection, what is never recorded, access to pages, the bar, the agreement.
import { ACCESS } from "../shared/access.js";
import "../shared/shapes.js";
import { showDigits } from "../shared/digits.js";
import { localize } from "../shared/localize.js";
import { attempt, byId, onClick, send, watch } from "../shared/messages.js";
import { NEVER_DEFAULT, parseHosts } from "../shared/settings.js";
import { count, t } from "../shared/text.js";
import { watchTry } from "./try.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */

/** Fields that show what is kept, or what the person wrote before that was known. @type {Set<string>} */
const filled = new Set();
let consent = false;
const tried = watchTry();

/** @param {string} id @param {string} text */
const write = (id, text) => (byId(id, HTMLElement).textContent = text);

/** Fills a field once. @param {string} id @param {() => void} work */
function fill(id, work) {
  if (!filled.has(id)) work();
  filled.add(id);
}

/** @param {UiState} state */
function render(state) {
  const { connection, settings } = state;
  const pairing = connection.state === "pairing";
  consent = state.consent;
  fill("address", () => (byId("address", HTMLInputElement).value = settings.address.replace("ws://", "")));
  fill("never", () => (byId("never", HTMLTextAreaElement).value = settings.never.join("\n")));
  fill("private-network", () => (byId("private-network", HTMLInputElement).checked = settings.privateNetwork));
  byId("marks", HTMLInputElement).checked = settings.marks && state.access;
  tried(state);
  write("connection", connectionText(state));
  showDigits(connection.digits);
  byId("connect", HTMLButtonElement).hidden = pairing || connection.state === "connected";
  byId("disconnect", HTMLButtonElement).hidden = pairing || connection.state === "unpaired";
  byId("dashboard", HTMLButtonElement).hidden = connection.state !== "connected";
  const theirs = state.daemonNever;
  write("daemon-never", theirs.length > 0 ? t("options_daemon_never", count(theirs.length, "host"), theirs.join(", ")) : "");
  write("access", state.access ? t("options_access_granted") : t("options_access_none"));
  byId("access-remove", HTMLButtonElement).disabled = !state.access;
  write("consent", state.consent ? t("options_consent_given") : t("options_consent_none"));
  byId("withdraw", HTMLButtonElement).disabled = !state.consent;
}

/** @param {UiState} state */
function connectionText({ connection, settings }) {
  /** @type {Record<UiState["connection"]["state"], string>} */
  const plain = {
    unpaired: t("options_unpaired"),
    pairing: t("options_connecting"),
    connecting: t("options_connecting"),
    connected: t("options_connected", settings.address.replace("ws://", "")),
    offline: t("options_offline"),
    stranger: t("options_stranger"),
    revoked: t("options_revoked"),
  };
  return connection.state === "connected" ? plain.connected : connection.message || plain[connection.state];
}

/** Runs work and shows the text it returns; while it runs and if it fails, shows none. @param {() => Promise<string>} work */
const saving = (work) => async () => {
  write("saved", "");
  write("saved", await work());
};

for (const id of ["address", "never", "private-network"]) {
  byId(id, HTMLElement).addEventListener("input", () => filled.add(id));
}
localize();
for (const item of document.querySelectorAll("#marks-kinds li")) {
  const kind = item.getAttribute("data-kind");
  if (globalThis.nightjarShapes.known(kind)) item.prepend(globalThis.nightjarShapes.draw(kind));
}
watch(render);

onClick("connect", saving(async () => {
  if (!consent) throw new Error(t("options_agree_first"));
  await send("pair.start", { address: byId("address", HTMLInputElement).value });
  return "";
}));
onClick("cancel", () => send("pair.cancel", {}));
onClick("disconnect", () => send("pair.forget", {}));
onClick("dashboard", () => send("dashboard.open", {}));
onClick("save-never", saving(async () => {
  const field = byId("never", HTMLTextAreaElement);
  const { hosts, bad } = parseHosts(field.value);
  if (bad.length > 0) throw new Error(t("options_bad_hosts", bad.slice(0, 3).join(", ")));
  await send("settings.set", { never: hosts });
  field.value = hosts.join("\n");
  return t("options_list_saved", count(hosts.length, "host"));
}));
onClick("default-never", saving(async () => {
  byId("never", HTMLTextAreaElement).value = NEVER_DEFAULT.join("\n");
  filled.add("never");
  return t("options_default_back");
}));
const savePrivateNetwork = saving(async () => {
  await send("settings.set", { privateNetwork: byId("private-network", HTMLInputElement).checked });
  return t("options_saved");
});
byId("private-network", HTMLInputElement).addEventListener("change", (event) => {
  if (event.isTrusted) void attempt(savePrivateNetwork);
});
const saveMarks = async (/** @type {Promise<boolean>} */ answer, /** @type {boolean} */ on) => {
  write("saved", "");
  const allowed = await answer;
  await send("settings.set", { marks: on && allowed });
  byId("marks", HTMLInputElement).checked = on && allowed;
  if (on && !allowed) throw new Error(t("options_marks_denied"));
  write("saved", on ? t("options_marks_on") : t("options_marks_off"));
};
byId("marks", HTMLInputElement).addEventListener("change", (event) => {
  const on = byId("marks", HTMLInputElement).checked;
  // Browsers let a page ask for access only at once after the person's click.
  if (event.isTrusted) void attempt(() => saveMarks(on ? chrome.permissions.request(ACCESS) : Promise.resolve(true), on));
});
onClick("bar-place", saving(async () => {
  await send("settings.set", { barPlace: null });
  return t("options_bar_back");
}));
onClick("access-remove", saving(async () => {
  await chrome.permissions.remove(ACCESS);
  return t("options_access_away");
}));
onClick("read", () => chrome.tabs.create({ url: chrome.runtime.getURL("welcome/welcome.html") }));
onClick("withdraw", saving(async () => {
  await send("consent.set", { given: false });
  return t("options_withdrawn");
}));
