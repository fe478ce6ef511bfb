import assert from "node:assert/strict";
import test from "node:test";
import "../src/shared/privacy.js";
import { parseHosts, NEVER_DEFAULT } from "../src/shared/settings.js";
import { vectors } from "./vectors.js";

const { redact, never, hostOf, privateNetwork } = globalThis.nightjarPrivacy;

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
  for (const name of ["token", "access_token", "Access-Token", "SIG", "jwt", "otp", "X-Amz-Signature", "x-goog-signature", "to%6ben"]) {
    assert.equal(redact(`https://a.test/p?x=1&${name}=canary&q=y#z`), `https://a.test/p?x=1&${name}=redacted&q=y`, name);
  }
});

test("redact: search words stay", () => {
  for (const query of ["q=ice+hockey+rules+2026+season", "id=12345678901234567890", "page=2", "lang=en", "sort=date-descending-2026", "category=men-s-hockey-2026-winter-games"]) {
    assert.equal(redact(`https://a.test/search?${query}`), `https://a.test/search?${query}`);
  }
});

test("never: the shared vectors", async (t) => {
  for (const row of vectors("never")) {
    await t.test(`${row.url} on ${JSON.stringify(row.hosts)}`, () => assert.equal(never(row.hosts, row.url), row.never));
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
