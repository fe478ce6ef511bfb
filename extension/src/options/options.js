// The options page: the connection, what is never recorded, the bar, the agreement.
import { attempt, byId, onClick, send, watch } from "../shared/messages.js";
import { NEVER_DEFAULT, parseHosts } from "../shared/settings.js";
import { count } from "../shared/text.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */

/** Fields that show what is kept, or what the person wrote before that was known. @type {Set<string>} */
const filled = new Set();
let consent = false;

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
  write("connection", connectionText(state));
  byId("pairing", HTMLElement).hidden = !(pairing && connection.digits);
  write("digits", connection.digits.replace(/(...)(...)/, "$1 $2"));
  byId("digits", HTMLElement).setAttribute("aria-label", [...connection.digits].join(" "));
  byId("connect", HTMLButtonElement).hidden = pairing || connection.state === "connected";
  byId("disconnect", HTMLButtonElement).hidden = pairing || connection.state === "unpaired";
  byId("dashboard", HTMLButtonElement).hidden = connection.state !== "connected";
  const theirs = state.daemonNever;
  write("daemon-never", theirs.length > 0 ? `Nightjar's settings add ${count(theirs.length, "host")}: ${theirs.join(", ")}` : "");
  write("consent", state.consent ? "You agreed to recording during sessions." : "You have not agreed. Nothing is recorded.");
  byId("withdraw", HTMLButtonElement).disabled = !state.consent;
}

/** @param {UiState} state */
function connectionText({ connection, settings }) {
  /** @type {Record<UiState["connection"]["state"], string>} */
  const plain = {
    unpaired: "This browser is not connected to Nightjar.",
    pairing: "Connecting…",
    connecting: "Connecting…",
    connected: `Connected to Nightjar at ${settings.address.replace("ws://", "")}.`,
    offline: "Nightjar does not answer. Check that it is running.",
    stranger: "Another program answers at this address. Check the address.",
    revoked: "Nightjar no longer knows this browser. Connect it again.",
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
watch(render);

onClick("connect", saving(async () => {
  if (!consent) throw new Error("Agree to recording first: press “Read it again” at the end of this page.");
  await send("pair.start", { address: byId("address", HTMLInputElement).value });
  return "";
}));
onClick("cancel", () => send("pair.cancel", {}));
onClick("disconnect", () => send("pair.forget", {}));
onClick("dashboard", () => send("dashboard.open", {}));
onClick("save-never", saving(async () => {
  const field = byId("never", HTMLTextAreaElement);
  const { hosts, bad } = parseHosts(field.value);
  if (bad.length > 0) throw new Error(`Not a host: ${bad.slice(0, 3).join(", ")}. Write hosts like this: bank.example.`);
  await send("settings.set", { never: hosts });
  field.value = hosts.join("\n");
  return `Saved. The list has ${count(hosts.length, "host")}.`;
}));
onClick("default-never", saving(async () => {
  byId("never", HTMLTextAreaElement).value = NEVER_DEFAULT.join("\n");
  filled.add("never");
  return "The default list is back in the field. Save it to use it.";
}));
const savePrivateNetwork = saving(async () => {
  await send("settings.set", { privateNetwork: byId("private-network", HTMLInputElement).checked });
  return "Saved.";
});
byId("private-network", HTMLInputElement).addEventListener("change", (event) => {
  if (event.isTrusted) void attempt(savePrivateNetwork);
});
onClick("bar-place", saving(async () => {
  await send("settings.set", { barPlace: null });
  return "The bar is back in its corner.";
}));
onClick("read", () => chrome.tabs.create({ url: chrome.runtime.getURL("welcome/welcome.html") }));
onClick("withdraw", saving(async () => {
  await send("consent.set", { given: false });
  return "Agreement withdrawn. Nothing is recorded until you agree again.";
}));
