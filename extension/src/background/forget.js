// What the tracker forgets in a long session.

/** Documents, pages and arrivals kept in the state: this many of the newest, and those that open tabs can still show, up to the limit. */
const KEEP_DOCS = 300;
const MOST_DOCS = 2_000;
/** How many more are allowed before the next cleanup. */
const SLACK = 30;

/**
 * Forgets what no tab can show any more. The state is stored several times per page, so it must stay small.
 * @param {import("../../types/tracker.d.ts").TrackerState} state
 */
export function forget({ tabs, docs, pages, arrivals }) {
  const all = [docs, pages, arrivals].map((map) => ({ /** @type {Record<string, unknown>} */ map, keys: Object.keys(map) }));
  if (all.every(({ keys }) => keys.length < KEEP_DOCS + SLACK)) return;
  const shown = new Set();
  for (const { histories } of Object.values(tabs)) {
    for (const { entries } of Object.values(histories)) for (const { doc, page } of entries) shown.add(doc).add(page);
  }
  for (const { map, keys } of all) {
    for (const key of keys.slice(0, Math.max(0, keys.length - KEEP_DOCS))) if (!shown.has(key)) delete map[key];
    for (const key of Object.keys(map).slice(0, -MOST_DOCS)) delete map[key];
  }
  for (const { histories } of Object.values(tabs)) {
    for (const key of Object.keys(histories)) {
      const parent = key.slice(key.indexOf("@") + 1);
      if (key !== "0" && !docs[parent] && !arrivals[parent]) delete histories[key];
    }
  }
}
