// Packs the extension for the stores of both browsers: node tools/pack.js [FOLDER]. The same files give the same bytes, on any
// machine: the files stand in the order of their names, without their times, and are not compressed.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";

const SRC = fileURLToPath(new URL("../src", import.meta.url));

/** 1 January 1980, the first day that a zip file can name. */
const DAY = 0x21;
/** Version 2.0 of the format, names in UTF-8. */
const VERSION = 20;
const UTF8 = 0x800;
/** An ordinary file that all may read; in the upper half, as Unix has it. */
const MODE = (0o100644 << 16) >>> 0;

/**
 * The files of the extension. The manifest lacks "key": Chrome's store refuses it and gives an extension its id, and Firefox
 * does not read it. @param {string} folder @returns {{name: string, data: Buffer}[]}
 */
export function files(folder) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1).replaceAll("\\", "/"))
    .sort((a, b) => (a < b ? -1 : 1));
  return names.map((name) => ({ name, data: name === "manifest.json" ? manifest(folder) : readFileSync(join(folder, name)) }));
}

/** @param {string} folder */
function manifest(folder) {
  const all = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  delete all.key;
  return Buffer.from(`${JSON.stringify(all, null, 2)}\n`);
}

/** A zip file; APPNOTE.TXT 6.3. @param {{name: string, data: Buffer}[]} all @returns {Buffer} */
export function zip(all) {
  const bodies = [];
  const list = [];
  let at = 0;
  for (const { name, data } of all) {
    const label = Buffer.from(name);
    // version, flags, method, time, day, checksum, sizes, lengths of name and extra field
    const shared = numbers([VERSION, 2], [UTF8, 2], [0, 2], [0, 2], [DAY, 2], [crc32(data), 4], [data.length, 4], [data.length, 4], [label.length, 2], [0, 2]);
    const body = Buffer.concat([numbers([0x04034b50, 4]), shared, label, data]);
    // length of the comment, disk, text or not, mode, place
    list.push(numbers([0x02014b50, 4], [VERSION | (3 << 8), 2]), shared, numbers([0, 2], [0, 2], [0, 2], [MODE, 4], [at, 4]), label);
    bodies.push(body);
    at += body.length;
  }
  const directory = Buffer.concat(list);
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [all.length, 2], [all.length, 2], [directory.length, 4], [at, 4], [0, 2]);
  return Buffer.concat([...bodies, directory, end]);
}

/** Numbers in little-endian order. @param {[number, 2|4][]} all value, bytes */
function numbers(...all) {
  const made = Buffer.alloc(all.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of all) at = made.writeUIntLE(value, at, bytes);
  return made;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const out = process.argv[2] ?? ".";
  const { version } = JSON.parse(readFileSync(join(SRC, "manifest.json"), "utf8"));
  const path = join(out, `nightjar-extension-${version}.zip`);
  mkdirSync(out, { recursive: true });
  writeFileSync(path, zip(files(SRC)));
  console.info(path);
}
