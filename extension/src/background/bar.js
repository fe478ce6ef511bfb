// The bar's settings: where it is, and how much of it is shown everywhere and on single sites; and what the person does in
// it besides what the popup offers, too.

/** @typedef {import("../../types/state.d.ts").BarShape} BarShape */
/** @typedef {import("../../types/state.d.ts").Settings} Settings */
/** @typedef {import("../../types/messages.d.ts").BarShapes} BarShapes */
/** @typedef {import("./app.js").App} App */

/** Most sites with a choice of their own; a new one replaces the oldest. */
export const MAX_SITES = 200;

const SHAPES = ["pill", "tab", "none"];
const EDGES = ["bottom", "top", "left", "right"];

/** The host of a page's URL, "" for none. @param {string|undefined} url */
function hostOf(url) {
  try {
    return new URL(url ?? "").hostname;
  } catch {
    return "";
  }
}

/** @param {Settings} settings @param {string|undefined} url of the page @returns {BarShapes} */
export function shapes({ barHidden, barTab, barSites }, url) {
  const host = hostOf(url);
  return { everywhere: barHidden ? "none" : barTab ? "tab" : "pill", site: barSites.find((s) => s.host === host)?.shape ?? null };
}

/** How much of the bar the page shows. @param {Settings} settings @param {string|undefined} url @returns {BarShape} */
export function shapeAt(settings, url) {
  const { everywhere, site } = shapes(settings, url);
  return site ?? everywhere;
}

/** @param {Settings} settings @param {string|undefined} url @param {BarShapes} to */
function setShapes(settings, url, { everywhere, site }) {
  settings.barHidden = everywhere === "none";
  settings.barTab = everywhere === "tab";
  const host = hostOf(url);
  const others = settings.barSites.filter((s) => s.host !== host);
  settings.barSites = site && host ? [...others, { host, shape: site }].slice(-MAX_SITES) : others;
}

/** Shows the bar again on a page where it is hidden. @param {Settings} settings @param {string|undefined} url */
export function unhide(settings, url) {
  const { everywhere, site } = shapes(settings, url);
  const shown = everywhere === "none" ? "pill" : everywhere;
  if (everywhere === "none" || site === "none") setShapes(settings, url, { everywhere: shown, site: site === "none" ? null : site });
}

/** Hides the bar, everywhere and on the page. @param {Settings} settings @param {string|undefined} url */
export function hide(settings, url) {
  setShapes(settings, url, { everywhere: "none", site: null });
}

/** @param {any} place @returns {import("../../types/state.d.ts").BarPlace|null} null for what is no place: the bar's corner */
export function cleanPlace(place) {
  const ok = EDGES.includes(place?.edge) && typeof place.at === "number" && place.at >= 0 && place.at <= 1;
  return ok ? { edge: place.edge, at: place.at } : null;
}

/**
 * @param {App} app @param {(app: App, tab: number, work: () => Promise<void>) => Promise<void>} onPage
 * @returns {Pick<import("../../types/messages.d.ts").Handlers<import("../../types/messages.d.ts").ContentMessages>, "bar.place"|"bar.label"|"bar.label.undo"|"bar.shape"|"bar.shape.undo">}
 */
export function barHandlers(app, onPage) {
  const { commands, store } = app;
  const change = async (/** @type {() => void} */ work) => {
    await app.task(work);
    app.changed(false);
    return null;
  };
  return {
    "bar.place": ({ place }) => change(() => void (store.kept.settings.barPlace = cleanPlace(place))),
    "bar.label": async ({ name }, sender) => {
      const tab = sender.tab?.id ?? -1;
      await onPage(app, tab, () => commands.name(tab, String(name)));
      return null;
    },
    "bar.label.undo": async (_, sender) => {
      await app.task(() => commands.unname(sender.tab?.id ?? -1)).finally(() => app.changed(false));
      return null;
    },
    "bar.shape": async ({ shape, everywhere }, sender) => {
      const { settings } = store.kept;
      const was = shapes(settings, sender.tab?.url);
      if (!SHAPES.includes(shape)) return was;
      // What is chosen for all sites holds on this one, too; what is already so everywhere needs no choice for the site.
      const to = everywhere === true ? { everywhere: shape, site: null } : { everywhere: was.everywhere, site: shape === was.everywhere ? null : shape };
      await change(() => setShapes(settings, sender.tab?.url, to));
      return was;
    },
    "bar.shape.undo": ({ everywhere, site }, sender) =>
      change(() => {
        if (SHAPES.includes(everywhere)) setShapes(store.kept.settings, sender.tab?.url, { everywhere, site: site && SHAPES.includes(site) ? site : null });
      }),
  };
}
