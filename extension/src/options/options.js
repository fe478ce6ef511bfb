// Options: the connection, what is never recorded, the agreement.
import { byId, count, onClick, send, watch } from "../shared/messages.js";
import { NEVER_DEFAULT, parseHosts } from "../shared/settings.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */

let filled = false;
let consent = false;

/** @param {string} id @param {string} text */
const write = (id, text) => (byId(id, HTMLElement).textContent = text);

/** @param {UiState} state */
function render(state) {
  const { connection, settings } = state;
  const pairing = connection.state === "pairing";
  consent = state.consent;
  if (!filled) {
    byId("address", HTMLInputElement).value = settings.address.replace("ws://", "");
    byId("never", HTMLTextAreaElement).value = settings.never.join("\n");
    byId("private-network", HTMLInputElement).checked = settings.privateNetwork;
    filled = true;
  }
  write("connection", words(state));
  byId("pairing", HTMLElement).hidden = !(pairing && connection.digits);
  write("digits", connection.digits.replace(/(...)(...)/, "$1 $2"));
  byId("digits", HTMLElement).setAttribute("aria-label", [...connection.digits].join(" "));
  byId("connect", HTMLButtonElement).hidden = pairing || connection.state === "connected";
  byId("disconnect", HTMLButtonElement).hidden = pairing || connection.state === "unpaired";
  byId("dashboard", HTMLButtonElement).hidden = connection.state !== "connected";
  const theirs = state.daemonNever;
  write("daemon-never", theirs.length > 0 ? `Nightjar's own list holds ${count(theirs.length, "more host")}: ${theirs.join(", ")}` : "");
  write("consent", state.consent ? "You have agreed to recording during sessions." : "You have not agreed. Nothing is recorded.");
  byId("withdraw", HTMLButtonElement).disabled = !state.consent;
}

/** @param {UiState} state */
function words({ connection, settings }) {
  /** @type {Record<UiState["connection"]["state"], string>} */
  const plain = {
    unpaired: "This browser is not connected to Nightjar.",
    pairing: "Connecting…",
    connecting: "Connecting…",
    connected: `Connected to Nightjar at ${settings.address.replace("ws://", "")}.`,
    offline: "Nightjar does not answer. It will be tried again.",
    stranger: "Another program answers at this address.",
    revoked: "Nightjar does not know this browser any more.",
  };
  return connection.state === "connected" ? plain.connected : connection.message || plain[connection.state];
}

/** @param {string} text */
function saved(text) {
  write("saved", text);
}

watch(render);

onClick("connect", async () => {
  saved("");
  if (!consent) throw new Error("Please read and agree first: press “Read it again” at the end of this page.");
  await send("pair.start", { address: byId("address", HTMLInputElement).value });
});
onClick("cancel", () => send("pair.cancel", {}));
onClick("disconnect", () => send("pair.forget", {}));
onClick("dashboard", () => send("dashboard.open", {}));
onClick("save-never", async () => {
  const field = byId("never", HTMLTextAreaElement);
  const { hosts, bad } = parseHosts(field.value);
  if (bad.length > 0) throw new Error(`Not a host: ${bad.slice(0, 3).join(", ")}. Write one such as bank.example.`);
  await send("settings.set", { never: hosts });
  field.value = hosts.join("\n");
  saved(`Saved: ${count(hosts.length, "host")} never recorded.`);
});
onClick("default-never", async () => {
  byId("never", HTMLTextAreaElement).value = NEVER_DEFAULT.join("\n");
  saved("The first list is back in the field. Save it to use it.");
});
byId("private-network", HTMLInputElement).addEventListener("change", async (event) => {
  if (!event.isTrusted) return;
  await send("settings.set", { privateNetwork: byId("private-network", HTMLInputElement).checked });
  saved("Saved.");
});
onClick("bar-place", async () => {
  await send("settings.set", { barPlace: null });
  saved("The bar starts in its corner again.");
});
onClick("read", () => chrome.tabs.create({ url: chrome.runtime.getURL("welcome/welcome.html") }));
onClick("withdraw", async () => {
  await send("consent.set", { given: false });
  saved("Taken back. Nothing is recorded until you agree again.");
});
