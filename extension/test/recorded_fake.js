// Web pages that the background records, and the changes of their addresses.
import assert from "node:assert/strict";
import { FakeClient } from "./browser_fake.js";
import { webPage } from "./page_fake.js";
import { barState } from "./states_fake.js";

/** A background that records the page, or does not. @param {boolean} record @param {any} [bar] */
export function background(record, bar = barState()) {
  const client = new FakeClient();
  client.answers["page.hello"] = () => ({ record, bar });
  return client;
}

/** A page that is being recorded and has reported itself. @param {any} [options] */
export async function recorded(options) {
  const page = await webPage({ client: background(true), ...options });
  assert.equal(page.client.named("page.report").length, 1);
  page.client.sent = [];
  return page;
}

/** A change of the history entry in the page. @param {any} page @param {string} path @param {string} navigationType @param {number} [index] */
export function change({ window }, path, navigationType, index = 0) {
  window.history.replaceState(null, "", path);
  window.navigation.currentEntry = { index };
  window.navigation.dispatchEvent(Object.assign(new window.Event("currententrychange"), { navigationType }));
}
