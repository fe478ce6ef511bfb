// The package for the stores: the same bytes wherever and whenever it is made, with what the browsers load and no key.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";

const extension = fileURLToPath(new URL("..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "nightjar-pack-"));
test.after(() => rmSync(scratch, { recursive: true, force: true }));

/** Packs a copy of the extension as the task does. @param {string} folder of the copy @returns {Buffer} */
function pack(folder) {
  const path = execFileSync(process.execPath, [join(folder, "tools", "pack.js"), join(folder, "out")], { encoding: "utf8" }).trim();
  return readFileSync(path);
}

/** A copy, as another clone has it: other times, other order in the folders. @param {string} name */
function clone(name) {
  const folder = join(scratch, name);
  for (const part of ["src", "tools"]) cpSync(join(extension, part), join(folder, part), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  for (const file of readdirSync(join(folder, "src"), { recursive: true })) utimesSync(join(folder, "src", String(file)), 1, 1_000_000 * (1 + (String(file).length % 7)));
  writeFileSync(join(folder, "src", ".DS_Store"), "of the system's, not ours");
  return folder;
}

/** The files in a zip file, read from its directory as unzip does. @param {Buffer} zip */
function unzip(zip) {
  const end = zip.length - 22;
  assert.equal(zip.readUInt32LE(end), 0x06054b50);
  let at = zip.readUInt32LE(end + 16);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    assert.equal(zip.readUInt32LE(at), 0x02014b50);
    const [size, length, place] = [zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28), zip.readUInt32LE(at + 42)];
    const name = zip.toString("utf8", at + 46, at + 46 + length);
    assert.equal(zip.toString("utf8", place + 30, place + 30 + length), name);
    const data = zip.subarray(place + 30 + length, place + 30 + length + size);
    assert.equal(crc32(data), zip.readUInt32LE(at + 16), name);
    at += 46 + length;
    return { name, data };
  });
}

const first = pack(clone("one"));

test("two clones and two runs give the same bytes", () => {
  const folder = clone("two");
  assert.ok(first.equals(pack(folder)));
  assert.ok(first.equals(pack(folder)));
  writeFileSync(join(folder, "src", "shared", "text.js"), "");
  assert.ok(!first.equals(pack(folder)), "another content, another package");
});

test("the package has every file of the extension, and a manifest without the key", () => {
  const all = unzip(first);
  const src = join(extension, "src");
  const wanted = readdirSync(src, { recursive: true }).map((name) => String(name).replaceAll("\\", "/")).filter((name) => statSync(join(src, name)).isFile());
  assert.deepEqual(all.map((file) => file.name), wanted.sort());
  for (const { name, data } of all) {
    if (name !== "manifest.json") assert.ok(data.equals(readFileSync(join(src, name))), name);
  }
  const { key, ...rest } = JSON.parse(readFileSync(join(src, "manifest.json"), "utf8"));
  assert.ok(key);
  assert.deepEqual(JSON.parse(String(all.find((file) => file.name === "manifest.json")?.data)), rest);
});
