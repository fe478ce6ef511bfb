// Draws the icons from src/icons/nightjar.svg: node tools/icons.js. It knows the few shapes that this drawing uses. The
// same drawing gives the same pixels on any machine.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { crc32, deflateSync } from "node:zlib";

const FOLDER = new URL("../src/icons/", import.meta.url);

/** The size of the drawing. */
const BOX = 128;
/** Samples of a pixel in each direction. @param {number} size */
const samples = (size) => (size > 48 ? 4 : 8);
/** Pieces of a curve. */
const PIECES = 24;

/** Colours on dark toolbars, in place of those of the drawing. @type {Record<string, string>} */
const ON_DARK = { "#1b2440": "#e9edfb", "#f6d98b": "#dd9d1f", "#b98a5e": "#95673c", "#7f5a3a": "#5f3f22", "#14192b": "#14192b" };

/** The icons: file, size in pixels, colours. @type {{name: string, size: number, colours: Record<string, string>}[]} */
export const ICONS = [16, 32, 48, 128].flatMap((size) => [
  { name: `${size}.png`, size, colours: {} },
  ...(size <= 32 ? [{ name: `${size}-dark.png`, size, colours: ON_DARK }] : []),
]);

/** @typedef {[number, number]} Point */

/** @param {string} tag @param {string} name @returns {string} */
const attribute = (tag, name) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "0";

/** The shapes of the drawing, the lowest first, as outlines. @param {string} svg @returns {{colour: string, outline: Point[]}[]} */
function shapes(svg) {
  return [...svg.matchAll(/<(rect|circle|path)\b[^>]*>/g)].map(([tag, kind]) => {
    const n = (/** @type {string} */ name) => Number(attribute(tag, name));
    const path =
      kind === "path" ? attribute(tag, "d")
      : kind === "circle" ? circle(n("cx"), n("cy"), n("r"))
      : rounded(n("width"), n("height"), n("rx"));
    return { colour: attribute(tag, "fill"), outline: flatten(path) };
  });
}

/** @param {number} x @param {number} y @param {number} r */
const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 0 1 ${2 * r} 0a${r} ${r} 0 0 1 ${-2 * r} 0z`;

/** @param {number} w @param {number} h @param {number} r */
const rounded = (w, h, r) =>
  `M${r} 0l${w - 2 * r} 0a${r} ${r} 0 0 1 ${r} ${r}l0 ${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}l${2 * r - w} 0a${r} ${r} 0 0 1 ${-r} ${-r}l0 ${2 * r - h}a${r} ${r} 0 0 1 ${r} ${-r}z`;

/** The corners of a path of one part, with pieces for its curves. @param {string} path @returns {Point[]} */
function flatten(path) {
  /** @type {Point[]} */
  const all = [];
  for (const [, letter, text] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const numbers = [...text.matchAll(/-?(\d+\.?\d*|\.\d+)/g)].map(([number]) => Number(number));
    const size = { M: 2, l: 2, c: 6, a: 7, A: 7, z: 1 }[letter];
    if (!size || (letter !== "z" && (numbers.length === 0 || numbers.length % size !== 0))) throw new Error(`cannot draw ${letter}${text}`);
    for (let i = 0; i < numbers.length; i += size) {
      const from = all.at(-1) ?? [0, 0];
      const part = numbers.slice(i, i + size);
      const to = /** @type {Point} */ (part.slice(-2).map((v, k) => (letter === "M" || letter === "A" ? v : v + from[k])));
      if (letter === "c") all.push(...curve(from, part, to));
      else if (letter === "a" || letter === "A") all.push(...arc(from, part, to));
      else all.push(to);
    }
  }
  return all;
}

/** @param {Point} p @param {number[]} c control points relative to p @param {Point} q @returns {Point[]} */
function curve(p, c, q) {
  return Array.from({ length: PIECES }, (_, i) => {
    const t = (i + 1) / PIECES;
    const u = 1 - t;
    const at = (/** @type {0|1} */ k) => u ** 3 * p[k] + 3 * u * u * t * (p[k] + c[k]) + 3 * u * t * t * (p[k] + c[k + 2]) + t ** 3 * q[k];
    return [at(0), at(1)];
  });
}

/** An arc of a circle; SVG 2, B.2.4. @param {Point} p @param {number[]} part @param {Point} q @returns {Point[]} */
function arc(p, [r, , , large, sweep], q) {
  const [dx, dy] = [(q[0] - p[0]) / 2, (q[1] - p[1]) / 2];
  const half = Math.hypot(dx, dy);
  const radius = Math.max(r, half);
  const off = (Math.sqrt(radius * radius - half * half) / half) * (large === sweep ? -1 : 1);
  const [cx, cy] = [p[0] + dx - off * dy, p[1] + dy + off * dx];
  const from = Math.atan2(p[1] - cy, p[0] - cx);
  let turn = Math.atan2(q[1] - cy, q[0] - cx) - from;
  if (sweep && turn < 0) turn += 2 * Math.PI;
  if (!sweep && turn > 0) turn -= 2 * Math.PI;
  return Array.from({ length: PIECES }, (_, i) => {
    const angle = from + (turn * (i + 1)) / PIECES;
    return [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)];
  });
}

/** Whether a point is inside an outline, by its winding number. Each sample of each pixel asks it. @param {Point[]} outline @param {number} x @param {number} y */
function inside(outline, x, y) {
  let winding = 0;
  let a = outline[outline.length - 1];
  for (const b of outline) {
    if ((a[1] <= y) !== (b[1] <= y)) {
      const left = (b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1]) > 0;
      if (left === b[1] > a[1]) winding += b[1] > a[1] ? 1 : -1;
    }
    a = b;
  }
  return winding !== 0;
}

/** The edges of an outline: left, upper, right, lower. @param {Point[]} outline */
function box(outline) {
  const [xs, ys] = [0, 1].map((k) => outline.map((p) => p[k]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The pixels of an icon: red, green, blue, alpha. @param {string} svg @param {number} size @param {Record<string, string>} colours */
export function draw(svg, size, colours) {
  const pixels = Buffer.alloc(size * size * 4);
  const n = samples(size);
  const layers = shapes(svg).map(({ colour, outline }) => ({ outline, box: box(outline), rgb: rgb(colours[colour] ?? colour) }));
  for (let i = 0; i < size * size; i++) {
    const sum = [0, 0, 0];
    let covered = 0;
    for (let s = 0; s < n * n; s++) {
      const x = ((i % size) + ((s % n) + 0.5) / n) * (BOX / size);
      const y = (Math.floor(i / size) + (Math.floor(s / n) + 0.5) / n) * (BOX / size);
      const top = layers.findLast(({ outline, box: [left, up, right, down] }) => x > left && x < right && y > up && y < down && inside(outline, x, y));
      if (!top) continue;
      covered++;
      top.rgb.forEach((v, k) => (sum[k] += v));
    }
    if (covered === 0) continue;
    sum.forEach((v, k) => (pixels[4 * i + k] = Math.round(v / covered)));
    pixels[4 * i + 3] = Math.round((255 * covered) / n ** 2);
  }
  return pixels;
}

/** @param {string} colour #rrggbb */
const rgb = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** @param {number} size @param {Buffer} pixels @returns {Buffer} a PNG */
function png(size, pixels) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 6], 8); // 8 bits, RGBA
  const rows = Array.from({ length: size }, (_, y) => [Buffer.of(0), pixels.subarray(4 * size * y, 4 * size * (y + 1))]);
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(Buffer.concat(rows.flat()), { level: 9 })), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts]);
}

/** @param {string} name @param {Buffer} data */
function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const made = Buffer.alloc(body.length + 8);
  made.writeUInt32BE(data.length, 0);
  made.set(body, 4);
  made.writeUInt32BE(crc32(body), body.length + 4);
  return made;
}

/** The drawing. */
export const drawing = () => readFileSync(new URL("nightjar.svg", FOLDER), "utf8");

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const { name, size, colours } of ICONS) writeFileSync(new URL(name, FOLDER), png(size, draw(drawing(), size, colours)));
}
