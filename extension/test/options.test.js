// The options and the welcome page as the person sees and uses them.
import assert from "node:assert/strict";
import test from "node:test";
import { NEVER_DEFAULT } from "../src/shared/settings.js";
import { FakeClient, ORIGIN } from "./browser_fake.js";
import { ownPage, settled } from "./page_fake.js";
import { session, uiState } from "./states_fake.js";

/** @typedef {Partial<import("../types/state.d.ts").UiState>} Changes */

/** An open page. @param {"options"|"welcome"} name @param {Changes} [changes] @param {Promise<void>} [before] is awaited before the state is told */
async function open(name, changes, before = Promise.resolve()) {
  const client = new FakeClient();
  let state = uiState(changes);
  client.answers["ui.state"] = () => before.then(() => state);
  const page = await ownPage(name, client);
  return {
    client, ...page,
    /** What was sent besides questions for the state. */
    sent: () => client.sent.filter((message) => message.name !== "ui.state"),
    /** @param {Changes} next */
    show: async (next) => {
      state = uiState(next);
      await page.changed();
    },
    /** Ticks or unticks a box. @param {string} id @param {boolean} on */
    tick: (id, on) => {
      page.element(id).checked = on;
      return page.person.send(page.element(id), "change", {}, "Event");
    },
  };
}

/** @param {import("../types/state.d.ts").ConnectionStatus["state"]} state @param {string} [message] @param {string} [digits] */
const connection = (state, message = "", digits = "") => ({ state, message, digits });

/** A promise that is kept when happen is called. */
function later() {
  let happen = () => {};
  const promise = /** @type {Promise<void>} */ (new Promise((resolve) => (happen = resolve)));
  return { promise, happen: () => happen() };
}

test("options: Connect sends the address that the person wrote", async () => {
  const p = await open("options", { connection: connection("unpaired") });
  assert.equal(p.element("address").value, "127.0.0.1:4774");
  assert.equal(p.text("connection"), "This browser is not connected to Nightjar.");
  assert.equal(p.sees("disconnect"), false);
  await p.write("address", "localhost:5000");
  await p.click("connect");
  assert.deepEqual(p.sent(), [{ name: "pair.start", params: { address: "localhost:5000" } }]);
});

test("options: what the person writes before the state is known stays, the other fields are filled", async () => {
  const known = later();
  const p = await open("options", {}, known.promise);
  await p.write("address", "localhost:5000");
  known.happen();
  await settled();
  assert.equal(p.element("address").value, "localhost:5000");
  assert.notEqual(p.element("never").value, "");
});

test("options: a wrong address is a problem on the page", async () => {
  const p = await open("options", { connection: connection("unpaired") });
  p.client.answers["pair.start"] = () => {
    throw new Error("Enter an address of this computer, such as 127.0.0.1:4774.");
  };
  await p.click("connect");
  assert.match(p.text("problem"), /address of this computer/);
});

test("options: without consent nothing is connected", async () => {
  const p = await open("options", { consent: false, connection: connection("unpaired") });
  await p.click("connect");
  assert.match(p.text("problem"), /^Agree to recording first/);
  assert.deepEqual(p.sent(), []);
});

test("options: the six digits are shown while pairing, for eyes and ears, and pairing can be cancelled", async () => {
  const p = await open("options", { connection: connection("pairing", "Contacting Nightjar…") });
  assert.equal(p.sees("pairing"), false);
  assert.equal(p.sees("connect"), false);
  await p.show({ connection: connection("pairing", "Compare these digits.", "012345") });
  assert.equal(p.text("digits"), "012 345");
  assert.equal(p.element("digits").getAttribute("aria-label"), "0 1 2 3 4 5");
  assert.equal(p.text("connection"), "Compare these digits.");
  await p.click("cancel");
  assert.deepEqual(p.sent(), [{ name: "pair.cancel", params: {} }]);
  await p.show({ connection: connection("unpaired", "The connection was declined in the dashboard.") });
  assert.equal(p.text("digits"), "");
  assert.equal(p.text("connection"), "The connection was declined in the dashboard.");
  assert.equal(p.sees("connect"), true);
});

test("options: a connected browser can be disconnected and opens the dashboard", async () => {
  const p = await open("options");
  assert.equal(p.text("connection"), "Connected to Nightjar at 127.0.0.1:4774.");
  assert.equal(p.sees("connect"), false);
  await p.click("dashboard");
  await p.click("disconnect");
  assert.deepEqual(p.sent().map((m) => m.name), ["dashboard.open", "pair.forget"]);
  await p.show({ connection: connection("revoked") });
  assert.match(p.text("connection"), /no longer knows this browser/);
  assert.equal(p.sees("dashboard"), false);
  assert.equal(p.sees("connect"), true);
});

test("options: the never-record list is edited, cleaned and saved", async () => {
  const p = await open("options", { settings: { ...uiState().settings, never: ["bank.test"] } });
  assert.equal(p.element("never").value, "bank.test");
  await p.write("never", "bank.test\nhttps://mail.test/inbox\nbank.test");
  await p.click("save-never");
  assert.deepEqual(p.sent(), [{ name: "settings.set", params: { never: ["bank.test", "mail.test"] } }]);
  assert.equal(p.element("never").value, "bank.test\nmail.test");
  assert.equal(p.text("saved"), "Saved. The list has 2 hosts.");
});

test("options: a word that is no host is a problem, and nothing is saved", async () => {
  const p = await open("options");
  await p.write("never", "good.test\nbad*host");
  await p.click("save-never");
  assert.equal(p.text("problem"), "Not a host: bad*host. Write hosts like this: bank.example.");
  assert.deepEqual(p.sent(), []);
});

test("options: a change elsewhere does not overwrite what the person is writing", async () => {
  const p = await open("options");
  await p.write("never", "half.writ");
  await p.show({ settings: { ...uiState().settings, never: ["other.test"] } });
  assert.equal(p.element("never").value, "half.writ");
});

test("options: the default list comes back only when it is saved", async () => {
  const p = await open("options", { settings: { ...uiState().settings, never: [] } });
  await p.click("default-never");
  assert.equal(p.element("never").value, NEVER_DEFAULT.join("\n"));
  assert.deepEqual(p.sent(), []);
  await p.click("save-never");
  assert.deepEqual(p.sent()[0].params, { never: [...NEVER_DEFAULT] });
});

test("options: the daemon's own list is shown", async () => {
  const p = await open("options");
  assert.equal(p.text("daemon-never"), "");
  await p.show({ daemonNever: ["a.test", "b.test"] });
  assert.equal(p.text("daemon-never"), "Nightjar’s settings add 2 hosts: a.test, b.test");
});

test("options: pages of the own network, and an error while saving", async () => {
  const p = await open("options");
  assert.equal(p.element("private-network").checked, false);
  await p.tick("private-network", true);
  assert.deepEqual(p.sent(), [{ name: "settings.set", params: { privateNetwork: true } }]);
  assert.equal(p.text("saved"), "Saved.");
  p.client.answers["settings.set"] = () => {
    throw new Error("the disk is full");
  };
  await p.tick("private-network", false);
  assert.equal(p.text("problem"), "the disk is full");
  assert.equal(p.text("saved"), "");
});

test("options: the bar goes back to its corner", async () => {
  const p = await open("options");
  await p.click("bar-place");
  assert.deepEqual(p.sent(), [{ name: "settings.set", params: { barPlace: null } }]);
});

test("options: the agreement is shown, read again and withdrawn", async () => {
  const p = await open("options");
  assert.equal(p.text("consent"), "You agreed to recording during sessions.");
  await p.click("read");
  assert.deepEqual(p.client.opened, [`${ORIGIN}welcome/welcome.html`]);
  await p.click("withdraw");
  assert.deepEqual(p.sent(), [{ name: "consent.set", params: { given: false } }]);
  await p.show({ consent: false });
  assert.equal(p.text("consent"), "You have not agreed. Nothing is recorded.");
  assert.equal(p.element("withdraw").disabled, true);
});

/** @param {Awaited<ReturnType<typeof open>>} p */
const parts = (p) => ["terms", "choice", "connecting", "pairing", "ready"].filter(p.sees);

test("welcome: one press agrees, and the page goes on to the connection and the first session", async () => {
  const p = await open("welcome", { consent: false, connection: connection("unpaired") });
  assert.deepEqual(parts(p), ["terms", "choice"]);
  await p.click("yes");
  assert.deepEqual(p.sent(), [{ name: "consent.set", params: { given: true } }]);
  await p.show({ connection: connection("unpaired") });
  assert.deepEqual(parts(p), ["connecting"]);
  assert.equal(p.text("connection"), "Looking for Nightjar on this computer…");
  await p.show({ connection: connection("unpaired", "Nightjar is not running.") });
  assert.equal(p.text("connection"), "Nightjar is not running.");
  await p.click("options");
  assert.deepEqual(p.client.opened, [`${ORIGIN}options/options.html`]);
  await p.show({ connection: connection("pairing", "Waiting for your approval in the dashboard.", "012345") });
  assert.deepEqual([p.text("digits"), p.text("connection"), p.sees("options")], ["012 345", "", false]);
  assert.equal(p.element("digits").getAttribute("aria-label"), "0 1 2 3 4 5");
  assert.deepEqual(p.client.updated, []);
  await p.show({ access: false });
  assert.deepEqual(parts(p), ["ready"]);
  assert.deepEqual(p.client.updated, [{ id: 7, active: true }], "it comes back when the person has approved");
  assert.match(p.text("asks"), /access to all sites/);
  await p.write("topic", "Hockey");
  await p.click("start");
  assert.equal(p.client.asked.length, 1);
  assert.deepEqual(p.client.named("session.start"), [{ topic: "Hockey" }]);
  await p.show({ session: session() });
  assert.deepEqual(parts(p), []);
  assert.match(p.text("recording"), /^Recording “Hockey”/);
  await p.show({ connection: connection("offline") });
  await p.show({});
  assert.equal(p.client.updated.length, 1, "it comes back once");
});

test("welcome: a connection that the person did not approve is ended here, and says so", async () => {
  const p = await open("welcome", {});
  assert.match(p.text("ready"), /^Connected If you did not just approve this in the dashboard, disconnect\./);
  await p.click("disconnect");
  assert.deepEqual(p.sent(), [{ name: "pair.forget", params: {} }]);
});

test("welcome: Not now records no consent and says so", async () => {
  const p = await open("welcome", { consent: false });
  await p.click("no");
  assert.deepEqual(p.sent(), [{ name: "consent.set", params: { given: false } }]);
  assert.match(p.text("declined"), /^Nothing is recorded/);
  assert.deepEqual(parts(p), ["terms", "choice"]);
});

test("welcome: a click by a script is no consent", async () => {
  const p = await open("welcome", { consent: false });
  p.element("yes").click();
  assert.deepEqual(p.sent(), []);
  assert.deepEqual(parts(p), ["terms", "choice"]);
});

test("welcome: who has agreed reads it again, and stays in the tab where they are", async () => {
  const p = await open("welcome", { connection: connection("offline", "Nightjar is not running.") });
  assert.deepEqual(parts(p), ["terms", "connecting"]);
  assert.equal(p.text("connection"), "Nightjar is not running.");
  await p.show({});
  assert.deepEqual(parts(p), ["terms", "ready"]);
  assert.deepEqual(p.client.updated, []);
});
