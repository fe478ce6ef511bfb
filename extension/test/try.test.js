// "Try an address" on the options page: what it says is what the recorder does.
import assert from "node:assert/strict";
import test from "node:test";
import "./text_fake.js";
import { tryAddress } from "../src/options/try.js";
import { FakeClient } from "./browser_fake.js";
import { ownPage } from "./page_fake.js";
import { uiState } from "./states_fake.js";

const RULES = { daemonNever: ["never.test"], privateNetwork: false, address: "ws://127.0.0.1:4774" };

test("which rule decides, for all kinds of addresses", () => {
  const list = "bank.test, bücher.test\nhttps://mail.test/inbox *.wild.test 203.0.113.7 [2001:db8::1]";
  const rows = /** @type {[string, RegExp][]} */ ([
    ["https://www.bank.test/accounts", /“bank.test” on the list above/],
    ["BANK.test", /“bank.test”/],
    ["bank.test:8443/x", /“bank.test”/],
    ["bank.test./x", /“bank.test”/],
    ["notbank.test", /^It would be recorded/],
    ["bank.test.evil.example", /^It would be recorded/],
    ["https://example.org/bank.test?x=bank.test", /^It would be recorded/],
    ["https://BÜCHER.test/a", /“bücher.test” on the list above/],
    ["xn--bcher-kva.test", /“bücher.test”/],
    ["https://user@mail.test/other", /“https:\/\/mail.test\/inbox”/],
    ["http://a.b.wild.test", /“\*\.wild\.test”/],
    ["http://203.0.113.7/", /“203.0.113.7”/],
    ["http://3405803783/", /“203.0.113.7”/], // the same address as a number
    ["http://[2001:DB8:0:0::1]:80/", /“\[2001:db8::1\]”/],
    ["http://203.0.113.8/", /^It would be recorded/],
    ["sub.never.test", /“never.test” on the list in Nightjar’s settings/],
    ["192.168.1.1", /your own network/],
    ["http://0x7f.1/", /your own network/],
    ["localhost:8080", /your own network/],
    ["printer", /your own network/],
    ["127.0.0.1:4774", /a page of Nightjar/],
    ["http://[::1]/", /your own network/],
    ["about:config", /not a web page/],
    ["mailto:x@a.test", /not a web page/],
    ["ftp://a.test/", /not a web page/],
    [`a.test/${"x".repeat(20_000)}`, /address is too long/],
    ["not an address", /not the address of a web page/],
    ["https://", /not the address of a web page/],
  ]);
  for (const [typed, text] of rows) assert.match(tryAddress(typed, list, RULES).text, text, typed);
  assert.equal(tryAddress("  ", list, RULES).text, "");
  assert.equal(tryAddress("192.168.1.1", list, { ...RULES, privateNetwork: true }).verdict, "yes");
});

test("how the address would be kept", () => {
  const { stored, parts } = tryAddress("https://u:canary@a.test/reset?access_token=canary&q=ice#canary", "", RULES);
  assert.equal(stored, "https://a.test/reset?access_token=redacted&q=ice");
  assert.equal(parts, "Replaced or cut off: user name and password, the value of “access_token”, the part after #.");
  assert.equal(tryAddress("a.test/x", "", RULES).parts, "Nothing in it would be replaced or cut off.");
  assert.equal(tryAddress("bank.test/?access_token=canary", "bank.test", RULES).stored, "", "of what is not recorded nothing is kept");
});

test("the page answers while the person types, under the list that is not saved yet", async () => {
  const client = new FakeClient();
  client.answers["ui.state"] = () => uiState({ settings: { ...uiState({}).settings, never: [] }, daemonNever: [] });
  const p = await ownPage("options", client);
  assert.equal(p.sees("try-result"), false);
  await p.write("try", "www.bank.test/x?PHPSESSID=canary");
  assert.match(p.text("try-result"), /^It would be recorded during a session\. It would be kept as: https:\/\/www\.bank\.test\/x\?PHPSESSID=redacted/);
  await p.write("never", "bank.test");
  assert.equal(p.text("try-says"), "It would not be recorded: “bank.test” on the list above covers it.");
  assert.deepEqual(client.sent.map((m) => m.name).filter((name) => name !== "ui.state"), [], "nothing is saved or sent");
  await p.write("try", "10.0.0.1");
  assert.match(p.text("try-result"), /own network/);
  p.element("private-network").checked = true;
  await p.person.send(p.element("private-network"), "input", {}, "Event");
  assert.match(p.text("try-result"), /^It would be recorded/);
});

test("marks are switched on after the browser allowed access, and off at once", async () => {
  const client = new FakeClient();
  client.answers["ui.state"] = () => uiState({});
  const p = await ownPage("options", client);
  const sent = () => client.named("settings.set");
  const tick = async (/** @type {boolean} */ on) => {
    p.element("marks").checked = on;
    await p.person.send(p.element("marks"), "change", {}, "Event");
  };
  assert.equal(p.element("marks").checked, false);
  assert.equal(p.element("marks-kinds").querySelectorAll("svg").length, 4);
  client.grants = false;
  await tick(true);
  assert.deepEqual(sent(), [{ marks: false }]);
  assert.equal(p.element("marks").checked, false);
  assert.match(p.text("problem"), /does not let Nightjar read pages/);
  client.grants = true;
  await tick(true);
  await tick(false);
  assert.deepEqual(sent().slice(1), [{ marks: true }, { marks: false }]);
  assert.equal(p.text("saved"), "Off. The marks are gone.");
});
