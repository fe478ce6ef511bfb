// The history of one frame of one tab as far as it was seen: webNavigation tells neither Back from Forward nor where a
// step led, so it is kept here, and documents are found again in it.

/**
 * One entry. page is "" when nothing was recorded there (left out, paused, gone too quickly); url is redacted, "" when
 * the page is none of our business.
 * @typedef {{doc: string, page: string, url: string}} Entry
 * @typedef {{entries: Entry[], index: number}} History
 */

/** Entries kept of one history. */
const KEEP = 100;

/** @returns {History} */
export const emptyHistory = () => ({ entries: [], index: -1 });

/** @param {History} h @returns {Entry|undefined} */
export const current = (h) => h.entries[h.index];

/**
 * Adds an entry after the current one, dropping what was ahead, or puts it in the current one's place.
 * @param {History} h @param {Entry} entry @param {boolean} [replace]
 */
export function arrive(h, entry, replace = false) {
  if (!replace || h.index < 0) h.index++;
  h.entries.splice(h.index, replace ? 1 : h.entries.length, entry);
  const extra = h.entries.length - KEEP;
  if (extra > 0 && h.index >= extra) {
    h.entries.splice(0, extra);
    h.index -= extra;
  }
}

/**
 * Where a step through the history led. The document decides; then the number of steps, where the URL there fits; then
 * the nearest entry of that URL, behind before ahead, since people go back far more often.
 * @param {History} h @param {{doc?: string, url: string, delta?: number|null}} step @returns {number} -1 when unknown
 */
export function find(h, { doc, url, delta }) {
  const indexes = h.entries.map((_, i) => i).sort((a, b) => Math.abs(a - h.index) - Math.abs(b - h.index) || a - b);
  if (doc) {
    const same = indexes.filter((i) => h.entries[i].doc === doc);
    // pushState gives one document several entries; a left-out page has no URL to compare.
    const exact = same.find((i) => h.entries[i].url === url && i !== h.index) ?? same.find((i) => h.entries[i].url === url);
    if (exact !== undefined) return exact;
    if (same.length > 0) return same[0];
  }
  const others = indexes.filter((i) => i !== h.index && h.entries[i].url === url);
  if (delta) {
    if (others.includes(h.index + delta)) return h.index + delta;
    const sided = others.filter((i) => Math.sign(i - h.index) === Math.sign(delta));
    return sided[0] ?? -1;
  }
  return others[0] ?? -1;
}
