// The keys as the popup shows them, and the way to change them.
import assert from "node:assert/strict";
import test from "node:test";
import { FakeClient } from "./browser_fake.js";
import { ownPage } from "./page_fake.js";
import { uiState } from "./states_fake.js";

/** @param {object} commands what the browser has as chrome.commands */
async function popup(commands) {
  const client = new FakeClient();
  client.chrome.commands = commands;
  client.answers["ui.state"] = () => uiState({ keys: { useful: "Alt+Shift+U", label: "Ctrl+Shift+1", pause: "", bar: "Alt+Shift+J", submit: "" } });
  return { client, ...(await ownPage("popup", client)) };
}

test("the popup shows the bound keys, and says where there is none", async () => {
  const p = await popup({});
  const rows = [...p.element("keys-list").children].map((e) => e.textContent);
  assert.deepEqual(rows, ["Useful", "Alt+Shift+U", "Label", "Ctrl+Shift+1", "Pause or resume", "not set", "Go to the bar", "Alt+Shift+J", "Submit", "not set"]);
});

test("Change keys opens the browser's own page", async () => {
  let opened = 0;
  const firefox = await popup({ openShortcutSettings: async () => void opened++ });
  await firefox.click("keys-change");
  assert.equal(opened, 1);
  const chromium = await popup({});
  await chromium.click("keys-change");
  assert.deepEqual(chromium.client.opened, ["chrome://extensions/shortcuts"]);
});

test("where the browser opens no such page, the popup says how to get there", async () => {
  const p = await popup({});
  p.client.chrome.tabs.create = async () => {
    throw new Error("Illegal URL");
  };
  await p.click("keys-change");
  assert.match(p.text("problem"), /about:addons/);
});
