import assert from "node:assert/strict";
import test from "node:test";
import { dashboard, hostOf, never, privateNetwork } from "../src/shared/hosts.js";
import "../src/shared/secrets.js";
import { parseHosts, NEVER_DEFAULT } from "../src/shared/settings.js";
import { vectors } from "./vectors.js";

const { redact, removed } = globalThis.nightjarPrivacy;

test("redact: the shared vectors; redacting again changes nothing", async (t) => {
  const rows = vectors("redact");
  assert.ok(rows.length > 20);
  for (const { url, redacted } of rows) {
    await t.test(url, () => {
      assert.equal(redact(url), redacted);
      assert.equal(redact(redacted), redacted);
    });
  }
});

test("redact: parameters with secrets keep their name, in any spelling, and lose their value", () => {
  for (const name of ["password", "access_token", "Access-Token", "jwt", "X-Amz-Signature", "x-goog-signature", "pass%77ord"]) {
    assert.equal(redact(`https://a.test/p?x=1&${name}=canary&q=y#z`), `https://a.test/p?x=1&${name}=redacted&q=y`, name);
  }
  for (const name of ["token", "SIG", "otp", "to%6ben", "user-session-id"]) {
    assert.equal(redact(`https://a.test/p?x=1&${name}=Zk3aQ9xT7bLm&q=y#z`), `https://a.test/p?x=1&${name}=redacted&q=y`, name);
    for (const value of ["walk", "CS101", "12", "Venn%2C+Orla"]) {
      assert.equal(redact(`https://a.test/p?${name}=${value}`), `https://a.test/p?${name}=${value}`, name);
    }
  }
});

test("redact: search words stay", () => {
  for (const query of ["q=ice+hockey+rules+2026+season", "id=12345678901234567890", "page=2", "lang=en", "sort=date-descending-2026", "category=men-s-hockey-2026-winter-games"]) {
    assert.equal(redact(`https://a.test/search?${query}`), `https://a.test/search?${query}`);
  }
});

test("removed: the names of what redact takes out, and nothing of what it was", () => {
  const rows = /** @type {[string, string[]][]} */ ([
    ["https://a.test/p?x=1&q=ice", []],
    ["https://a.test/p?x=1&token=Zk3aQ9xT7bLm&q=ice&sid=Zk3aQ9xT7bLm", ["?token", "?sid"]],
    ["https://u:canary@a.test/p#canary", ["login", "fragment"]],
    ["https://a.test/reset/Zk3aQ9xT7bLm2Vw8", ["path"]],
    ["https://a.test/p;jsessionid=canary?q=ice", ["?jsessionid"]],
    ["https://a.test/p?eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", ["?"]],
    ["https://a.test/p?token=redacted", ["?token"]],
    [`https://a.test/p?${"n".repeat(200)}token=canary`, [`?${"n".repeat(60)}`]],
    ["mailto:canary@a.test", []],
  ]);
  for (const [url, names] of rows) assert.deepEqual(removed(url), names, url);
  for (const { url, redacted } of vectors("redact")) {
    const changed = redacted !== "" && redacted !== url;
    if (changed && /^https?:\/\/[^/\\\s][^\\\s]*$/.test(url)) assert.ok(removed(url).length > 0, url);
    for (const name of removed(url)) assert.ok(["login", "path", "fragment", "?"].includes(name) || redacted.includes(name.slice(1)), `${name} of ${url}`);
  }
});

test("never: the shared vectors", async (t) => {
  for (const row of vectors("never")) {
    await t.test(`${row.url} on ${JSON.stringify(row.hosts)}`, () => assert.equal(never(row.hosts, row.url), row.never));
  }
});

test("hosts: the shared vectors", () => {
  for (const { url, refused } of vectors("hosts")) {
    assert.equal(dashboard("ws://127.0.0.1:47600", url), refused === "dashboard", url);
    if (refused !== "dashboard") assert.equal(privateNetwork(url), refused === "own-network", url);
  }
});

test("hostOf", () => {
  assert.equal(hostOf("https://u:p@WWW.Bank.test.:8443/x?y#z"), "www.bank.test");
  assert.equal(hostOf("https://bücher.test/"), "xn--bcher-kva.test");
  assert.equal(hostOf("about:blank"), "");
  assert.equal(hostOf("http:///x"), "");
});

test("privateNetwork", () => {
  const ours = ["http://localhost:80/", "http://a.localhost/", "http://router/", "http://127.1.2.3/", "http://10.0.0.1/", "http://172.16.0.1/", "http://172.31.255.1/",
    "http://192.168.1.1/", "http://169.254.1.1/", "http://100.64.0.1/", "http://0.0.0.0/", "http://[::1]/", "http://[fe80::1]/", "http://[fd00::1]/",
    "http://printer.local/", "http://x.lan/", "http://wiki.internal/", "http://x.home.arpa/", "http://2130706433/", "http://0x7f.1/"];
  for (const url of ours) assert.equal(privateNetwork(url), true, url);
  for (const url of ["https://a.test/", "http://8.8.8.8/", "http://172.32.0.1/", "http://100.128.0.1/", "http://[2606:4700::1]/", "https://local.example/"]) {
    assert.equal(privateNetwork(url), false, url);
  }
});

test("parseHosts", () => {
  assert.deepEqual(parseHosts("Bank.test\n https://mail.test:8/inbox, *.x.test;.y.test bank.test"), {
    hosts: ["bank.test", "mail.test", "x.test", "y.test"],
    bad: [],
  });
  assert.deepEqual(parseHosts("a*b.test http://"), { hosts: [], bad: ["a*b.test", "http://"] });
  assert.deepEqual(parseHosts(NEVER_DEFAULT.join("\n")), { hosts: [...NEVER_DEFAULT], bad: [] });
});
