// The texts: each key that is used exists, each key is used, values and places for them fit, and no text stands elsewhere.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import test from "node:test";
import { JSDOM } from "jsdom";
import { messages } from "./text_fake.js";
import { source } from "./vectors.js";

const files = readdirSync(new URL("../src", import.meta.url), { recursive: true }).map((name) => `src/${name}`.replaceAll("\\", "/"));
const scripts = files.filter((name) => name.endsWith(".js"));
const pages = files.filter((name) => name.endsWith(".html"));
const keys = Object.keys(messages);
const manifest = JSON.parse(source("src/manifest.json"));

/** A script without its comments. @param {string} name */
const code = (name) => source(name).replace(/\/\*[\s\S]*?\*\/|(?<=^|[\s;{}])\/\/[^\n]*/g, "");

/** @param {string} page @returns {Document} */
const parse = (page) => new JSDOM(source(page)).window.document;

/** The arguments of a call, split at its commas. @param {string} text what follows the parenthesis */
function args(text) {
  const found = [""];
  let depth = 0;
  let quote = "";
  for (const c of text) {
    if (quote) quote = c === quote ? "" : quote;
    else if ("\"'`".includes(c)) quote = c;
    else if ("([{".includes(c)) depth++;
    else if (")]}".includes(c)) depth--;
    if (depth < 0) break;
    if (c === "," && depth === 0 && !quote) found.push("");
    else found[found.length - 1] += c;
  }
  return found.map((one) => one.trim()).filter(Boolean);
}

/** Calls of a function whose first argument is a key, with their values. @param {string} text @param {RegExp} call @returns {{key: string, values: number}[]} */
const calls = (text, call) =>
  [...text.matchAll(call)].flatMap((m) => {
    const [key, ...values] = args(text.slice(m.index + m[0].length));
    return /^"\w+"$/.test(key) ? [{ key: key.slice(1, -1), values: values.length }] : [];
  });

/** Number of values that a text takes. @param {string} key */
const places = (key) => Math.max(0, ...[...messages[key].message.matchAll(/\$(\d)/g)].map((m) => Number(m[1])));

/** A word of the browsers' that looks like a key. */
const BROWSERS = "back_forward";

/** All uses of keys, by key. */
function uses() {
  /** @type {Map<string, string>} */
  const used = new Map();
  for (const [, key] of source("src/manifest.json").matchAll(/__MSG_(\w+)__/g)) used.set(key, "manifest.json");
  for (const page of pages) {
    for (const element of parse(page).querySelectorAll("*")) {
      for (const { name, value } of element.attributes) if (name.startsWith("data-i18n")) used.set(value, page);
    }
  }
  const parts = [...new Set(keys.map((key) => key.split("_")[0]))].join("|");
  for (const name of scripts) {
    const text = code(name);
    for (const [, key] of text.matchAll(new RegExp(`["'\`]((?:${parts})_\\w+)["'\`]`, "g"))) if (key !== BROWSERS) used.set(key, name);
    // t(`why_${reason}`) uses all keys that begin so.
    for (const [, prefix] of text.matchAll(/\bt\(`(\w+_)\$\{/g)) {
      const begin = keys.filter((key) => key.startsWith(prefix));
      assert.ok(begin.length > 0, `${name}: no text begins with ${prefix}`);
      for (const key of begin) used.set(key, name);
    }
    for (const [, noun] of text.matchAll(/\bcount\([^"\n]*?, "(\w+)"\)/g)) for (const n of ["one", "many"]) used.set(`count_${noun}_${n}`, name);
  }
  return used;
}

test("each text that is used exists, and each that exists is used", () => {
  const used = uses();
  for (const [key, where] of used) assert.ok(messages[key], `${where}: no text ${key}`);
  assert.deepEqual(keys.filter((key) => !used.has(key)), [], "texts that nobody uses");
});

test("the texts stand in order, and none is empty or has an unknown field", () => {
  assert.deepEqual(keys, [...keys].sort());
  for (const [key, text] of Object.entries(messages)) {
    assert.match(key, /^[a-z]+_[a-z0-9_]+$/);
    assert.ok(text.message.trim() === text.message && text.message !== "", key);
    for (const field of Object.keys(text)) assert.ok(["message", "description"].includes(field), `${key}: ${field}`);
  }
});

test("each text gets as many values as it has places for", () => {
  let checked = 0;
  for (const name of scripts) {
    const text = code(name);
    for (const { key, values } of calls(text, /(?<![\w.])t\(/g)) {
      assert.equal(values, places(key), `${name}: ${key}`);
      checked++;
    }
  }
  assert.ok(checked > 20, `only ${checked} calls found`);
  for (const key of keys) {
    const numbers = [...messages[key].message.matchAll(/\$(\d)/g)].map((m) => Number(m[1]));
    for (let n = 1; n <= places(key); n++) assert.ok(numbers.includes(n), `${key} leaves out $${n}`);
    assert.doesNotMatch(messages[key].message, /\$(?![\d$])/, `${key} has a lone $`);
  }
});

test("the manifest's texts are short enough for the stores", () => {
  assert.equal(manifest.default_locale, "en");
  assert.ok(messages.manifest_name.message.length <= 45);
  assert.ok(messages.manifest_description.message.length <= 132);
});

test("no text stands in the pages", () => {
  for (const page of pages) {
    const document = parse(page);
    assert.ok(document.querySelectorAll("[data-i18n]").length > 0, page);
    for (const element of document.querySelectorAll("*")) {
      const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent?.trim());
      assert.deepEqual(own.filter(Boolean), [], `${page}: <${element.localName}>`);
      for (const name of ["placeholder", "aria-label", "title", "alt"]) assert.ok(!element.getAttribute(name), `${page}: ${name}`);
    }
  }
});

test("no sentence stands in the scripts", () => {
  for (const name of scripts) {
    const found = [...code(name).matchAll(/["'`]([A-Z][a-z]* [^"'`]*|[A-Z][a-z’]+[.…])["'`]/g)].map((m) => m[1]);
    assert.deepEqual(found, [], name);
  }
});
