// The history of one frame in one tab, as far as we have seen it. webNavigation does not say whether a step was Back or
// Forward or where it led, so we keep the history ourselves and look documents up in it.

/**
 * One entry. page is "" if nothing was recorded there (left out, paused, left too quickly). url is redacted; it is "" for a
 * page that must not be recorded.
 * @typedef {{doc: string, page: string, url: string}} Entry
 * @typedef {{entries: Entry[], index: number}} History
 */

/** Most entries of one history. */
const KEEP = 100;

/** @returns {History} */
export const emptyHistory = () => ({ entries: [], index: -1 });

/** @param {History} h @returns {Entry|undefined} */
export const current = (h) => h.entries[h.index];

/**
 * Adds an entry after the current one and drops the entries ahead, or replaces the current one.
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
 * Finds the entry to which a step through the history led: the entry with this document; otherwise the one that is delta
 * steps away, if its URL matches; otherwise the nearest one with this URL. Of two equally near entries it takes the one
 * behind, since people go back far more often than forward.
 * @param {History} h @param {{doc?: string, url: string, delta?: number|null}} step @returns {number} its index, or -1
 */
export function find(h, { doc, url, delta }) {
  const indexes = h.entries.map((_, i) => i).sort((a, b) => Math.abs(a - h.index) - Math.abs(b - h.index) || a - b);
  if (doc) {
    const same = indexes.filter((i) => h.entries[i].doc === doc);
    // pushState gives one document several entries. A page that was left out has no URL to compare.
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
