// What a snapshot contains, and from which pages none is taken.
import assert from "node:assert/strict";
import test from "node:test";
import { MAX_HTML, packHTML } from "../src/shared/protocol.js";
import { webPage } from "./page_fake.js";

/** The snapshot of a page as a document. @param {string} html @param {string} [url] */
async function snapshot(html, url) {
  const { window } = await webPage({ html, url });
  const text = window.nightjarSnapshot.take();
  return { text, document: new window.DOMParser().parseFromString(text, "text/html"), window };
}

test("text and links stay", async () => {
  const { document } = await snapshot(`<title>T</title><h1>Ice</h1><p>two <b>words</b> <a href="/x?q=ice">link</a><img src="a.png" alt="A"></p>`);
  assert.equal(document.title, "T");
  assert.equal(document.body.textContent, "Icetwo words link");
  assert.equal(document.querySelector("a").getAttribute("href"), "/x?q=ice");
  assert.equal(document.querySelector("img").getAttribute("alt"), "A");
});

test("scripts, styles, comments and attributes with code or data go", async () => {
  const { text, document } = await snapshot(`<p>kept</p>
    <script>canary</script><style>canary{}</style><noscript>canary</noscript><template>canary</template><!-- canary -->
    <link rel="stylesheet" href="canary.css"><link rel="canonical" href="/kept"><svg><text>canary</text></svg><object data="canary"></object>
    <p onclick="canary()" style="color: canary" data-user="canary" nonce="canary">kept</p>
    <iframe srcdoc="canary"></iframe><img srcset="canary.png 2x" src="kept.png">`);
  assert.ok(!text.includes("canary"), text);
  assert.equal(document.body.textContent.match(/kept/g).length, 2);
  assert.equal(document.querySelector("link").getAttribute("href"), "/kept");
});

test("nothing that the person typed or chose is in it", async () => {
  const { window } = await webPage({
    html: `<form><input id="i" value="canary"><textarea id="t">canary</textarea><select><option selected>canary</option></select>
      <output>canary</output><button value="canary">Send</button></form><div contenteditable>canary</div>
      <div contenteditable="plaintext-only"><b>canary</b></div><p contenteditable="false">kept</p>`,
  });
  window.document.getElementById("i").value = "canary";
  window.document.getElementById("t").value = "canary";
  const text = window.nightjarSnapshot.take();
  assert.ok(!text.includes("canary"), text);
  assert.ok(text.includes("Send") && text.includes("kept"));
});

test("secrets in links go, and so do links that identify a person or lead to no page", async () => {
  const { text, document } = await snapshot(`
    <a href="/in?access_token=canary&amp;q=ice#canary">a</a><form action="https://user:canary@b.test/"></form><a href="mailto:canary@a.test">b</a>
    <a href="tel:canary">c</a><a href="javascript:canary()">d</a><a href="http://[canary">e</a><blockquote cite="/reset/x7Kq9Zt2Lm4Vb8Nc">f</blockquote>`);
  assert.ok(!text.includes("canary"), text);
  const links = [...document.querySelectorAll("a")].map((a) => a.getAttribute("href"));
  assert.deepEqual(links, ["http://a.test/in?access_token=redacted&q=ice", null, null, null, null]);
  assert.equal(document.querySelector("form").getAttribute("action"), "https://b.test/");
  assert.equal(document.querySelector("blockquote").getAttribute("cite"), "http://a.test/reset/redacted");
});

test("the page itself is not changed, and our bar is not in the snapshot", async () => {
  const { window } = await webPage({ html: `<p onclick="x()">a</p><input value="b"><div id="nightjar-bar">bar</div>` });
  const before = window.document.documentElement.outerHTML;
  assert.ok(!window.nightjarSnapshot.take().includes("nightjar-bar"));
  assert.equal(window.document.documentElement.outerHTML, before);
});

test("a snapshot beyond 4 MiB is cut and marked as truncated; one of 4 MiB is whole", async () => {
  const { window } = await webPage({ html: "<p></p>" });
  const paragraph = window.document.querySelector("p");
  const rest = window.nightjarSnapshot.take().length;
  paragraph.textContent = "a".repeat(MAX_HTML - rest);
  assert.equal((await packHTML(window.nightjarSnapshot.take())).truncated, false);
  paragraph.textContent = "a".repeat(2 * MAX_HTML);
  const cut = window.nightjarSnapshot.take();
  assert.equal(cut.length, MAX_HTML + 1);
  assert.equal((await packHTML(cut)).truncated, true);
});

test("a page that asks for a password, a one-time code or a card is sensitive", async () => {
  const fields = /** @type {const} */ ([
    ['type="PASSWORD"', "password"], ['autocomplete="current-password"', "password"], ['autocomplete="new-password"', "password"],
    ['autocomplete="cc-number"', "card"], ['autocomplete="billing cc-csc"', "card"], ['autocomplete="one-time-code"', "code"],
  ]);
  for (const [field, what] of fields) {
    const { window } = await webPage({ html: `<form><input ${field}></form>` });
    assert.equal(window.nightjarSnapshot.sensitive(), what, field);
  }
  const { window } = await webPage({ html: `<input type="search" autocomplete="name"><p>password</p>` });
  assert.equal(window.nightjarSnapshot.sensitive(), "");
});

test("the names of what was redacted in links are told, and not what it was", async () => {
  const { window } = await webPage({ html: `<a href="/x?access_token=canary&q=ice">a</a><a href="http://u:canary@b.test/">b</a><a href="/y#part">c</a><a href="/z?q=2">d</a>` });
  const names = new Set();
  window.nightjarSnapshot.take(names);
  assert.deepEqual([...names], ["?access_token", "login"]);
  const many = await webPage({ html: Array.from({ length: 50 }, (_, i) => `<a href="/x?a${i}access_token=canary">a</a>`).join("") });
  names.clear();
  many.window.nightjarSnapshot.take(names);
  assert.equal(names.size, 20);
});

test("the delay of a redirect by the page", async () => {
  for (const [content, seconds] of /** @type {const} */ ([["0;url=/x", 0], ["2.5; URL='/x'", 2.5], ["300; url=/x", 300], ["5", -1], ["", -1]])) {
    const { window } = await webPage({ html: `<meta http-equiv="Refresh" content="${content}">` });
    assert.equal(window.nightjarSnapshot.refreshDelay(), seconds, content);
  }
  const { window } = await webPage();
  assert.equal(window.nightjarSnapshot.refreshDelay(), -1);
});

/** A linear congruential generator: the same documents in each run. @param {number} seed */
function random(seed) {
  let state = seed;
  return (/** @type {number} */ n) => (state = (state * 48271) % 2147483647) % n;
}

/** A random document: nested, with text and attributes that need escapes. @param {(n: number) => number} draw */
function anyHTML(draw) {
  const names = ["p", "div", "ul", "li", "a", "b", "table", "tr", "td", "pre", "br", "img", "section", "xmp", "math", "svg", "script", "input"];
  const texts = ["ice", "a < b", "x & y", "\u00a0", "“quoted” \"twice\"", "\n", "&lt;", "]]>", "日本"];
  const write = (/** @type {number} */ depth) => {
    let html = "";
    for (let i = draw(5); i >= 0; i--) {
      const name = names[draw(names.length)];
      const value = texts[draw(texts.length)].replaceAll('"', "&quot;");
      html += texts[draw(texts.length)];
      html += `<${name} title="${value}" href="/${draw(9)}" class='${draw(9)}'>${depth > 0 ? write(depth - 1) : ""}</${name}>`;
    }
    return html;
  };
  return write(3);
}

test("a snapshot is the document without what is left out, for random documents", async () => {
  const draw = random(17);
  for (let round = 0; round < 25; round++) {
    const { document, window } = await snapshot(`<title>T</title>${anyHTML(draw)}`);
    const rest = window.document.cloneNode(true);
    for (const gone of rest.querySelectorAll("script,svg,input,#nightjar-bar")) gone.remove();
    const again = new window.DOMParser().parseFromString(rest.documentElement.outerHTML, "text/html");
    assert.equal(document.documentElement.outerHTML, again.documentElement.outerHTML, `round ${round}`);
  }
});

test("elements may be nested deeply", async () => {
  const { window } = await webPage({ html: "<p>start</p>" });
  let at = window.document.body;
  for (let i = 0; i < 1_000; i++) at = at.appendChild(window.document.createElement("i"));
  at.textContent = "deep";
  assert.match(window.nightjarSnapshot.take(), /<i>deep<\/i>/);
});

/** A page whose scripts have given its elements shadow roots: the one with id h has html in one of that mode. @param {string} page @param {string} html @param {"open"|"closed"} mode */
async function shadowed(page, html, mode) {
  const { window } = await webPage({ html: page });
  const host = window.document.getElementById("h");
  const shadow = host.attachShadow({ mode });
  shadow.append(...new window.DOMParser().parseFromString(`<body>${html}`, "text/html").body.childNodes);
  window.chrome.dom = { openOrClosedShadowRoot: (/** @type {Element} */ element) => (element === host ? shadow : element.shadowRoot) };
  return window;
}

test("what stands in a shadow root is in the snapshot where it is shown, and what a slot shows, in the slot", async () => {
  for (const mode of /** @type {const} */ (["open", "closed"])) {
    for (const host of ["div", "my-card"]) {
      const page = `<p>before</p><${host} id="h"><b slot="name">own</b><i>kept back</i></${host}><p>after</p>`;
      const window = await shadowed(page, `<p>shadow <a href="/in">link</a> <slot name="name">none</slot> <slot name="other">none either</slot></p><script>canary</script><style>canary</style>`, mode);
      const text = window.nightjarSnapshot.take();
      const read = new window.DOMParser().parseFromString(text, "text/html");
      assert.equal(read.body.textContent, "beforeshadow link own none eitherafter", mode);
      assert.equal(read.querySelector("a").getAttribute("href"), "/in");
      assert.ok(!text.includes("canary"), text);
    }
  }
});

test("shadow roots in shadow roots are read, too", async () => {
  const window = await shadowed(`<div id="h"></div>`, `<div><em></em></div>`, "open");
  const inner = window.document.getElementById("h").shadowRoot.querySelector("div").attachShadow({ mode: "open" });
  inner.innerHTML = '<p>deep</p><input type="password">';
  assert.ok(window.nightjarSnapshot.take().includes("deep"));
  assert.equal(window.nightjarSnapshot.sensitive(), "password");
});

test("a field in a shadow root makes a page sensitive", async () => {
  for (const mode of /** @type {const} */ (["open", "closed"])) {
    for (const [field, what] of [['type="password"', "password"], ['autocomplete="cc-number"', "card"], ['autocomplete="one-time-code"', "code"]]) {
      const window = await shadowed(`<my-login id="h"></my-login>`, `<form><input ${field}></form>`, mode);
      assert.equal(window.nightjarSnapshot.sensitive(), what, mode);
    }
  }
});

test("a field that the page does not show does not make it sensitive", async () => {
  for (const html of [`<div style="display:none"><form><input type="password"></form></div>`, `<dialog><input type="password"></dialog>`, `<p hidden><input autocomplete="cc-number"></p>`]) {
    const { window } = await webPage({ html: `<p>text</p>${html}` });
    assert.equal(window.nightjarSnapshot.sensitive(), "", html);
    assert.ok(!window.nightjarSnapshot.take().includes("input"));
  }
  const { window } = await webPage({ html: `<dialog><input type="password"></dialog><input type="password">` });
  assert.equal(window.nightjarSnapshot.sensitive(), "password", "one is shown");
});

test("a page without a title has that of its previews elsewhere, or of its first heading", async () => {
  for (const [html, want] of [
    [`<title>T</title><meta property="og:title" content="O"><h1>H</h1>`, "T"],
    [`<title> </title><meta property="og:title" content=" O "><h1>H</h1>`, "O"],
    [`<h1><img src="logo"></h1><h1 contenteditable>typed</h1><h1> H <b>x</b></h1>`, "H x"],
    [`<p>text</p>`, ""],
  ]) {
    const { window } = await webPage({ html });
    assert.equal(window.nightjarSnapshot.title(), want, html);
  }
});
