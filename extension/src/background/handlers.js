// Answers messages. Content scripts may only report their page and pass on what the person does in the bar. All other
// messages are for our own pages.

/** @typedef {import("../../types/messages.d.ts").ContentMessages} ContentMessages */
/** @typedef {import("../../types/messages.d.ts").PageMessages} PageMessages */
/** @typedef {import("./app.js").App} App */
import { barHandlers, hide, unhide } from "./bar.js";
import { cleanAddress } from "../shared/protocol.js";
import { parseHosts } from "../shared/settings.js";
import { cleanKind } from "./documents.js";
import { stopMarks } from "./marks.js";
import { lookedAt } from "./tabs.js";

/** What the bar has buttons for. @type {readonly import("../../types/messages.d.ts").BarAction[]} */
const BAR_ACTIONS = ["useful", "submit", "pause", "resume", "learned", "dashboard", "never.undo"];

/** @param {App} app @returns {import("../../types/messages.d.ts").Handlers<Omit<ContentMessages, "sent.open"|"links.known">>} */
export function contentHandlers(app) {
  const { recorder } = app;
  return {
    "page.hello": ({ restored, before }, sender) => {
      const tab = tabOf(sender);
      const doc = sender.documentId ?? "";
      return app.task(async () => {
        if (restored && sender.frameId === 0) await recorder.restored(tab, doc);
        const wants = before === true ? "wantsBefore" : "wants";
        return {
          record: recorder[wants](doc, sender.url, sender.tab?.url),
          bar: sender.frameId === 0 ? app.barState(tab, sender.tab?.url) : null,
        };
      });
    },
    "page.report": async (report, sender) => {
      const tab = tabOf(sender);
      const frame = sender.frameId ?? 0;
      const doc = sender.documentId ?? "";
      if (!doc || typeof report?.url !== "string" || originOf(report.url) !== originOf(sender.url)) return false;
      const parentDoc = frame === 0 ? "" : await parentOf(tab, frame);
      const clean = await app.documents.complete(cleanReport(report, tab, frame, doc, parentDoc));
      return app.task(() => recorder.report(clean, sender.tab?.url ?? report.url));
    },
    "page.again": async (again, sender) => {
      const { documentId: doc, frameId: frame = 0, tab } = sender;
      if (!doc || typeof again?.url !== "string" || typeof again.html !== "string") return null;
      const { url, html } = again;
      await app.task(() => recorder.again({ url, html, redacted: cleanNames(again.redacted), tab: tabOf(sender), frame, doc }, tab?.url ?? url));
      return null;
    },
    "page.gesture": async (_, sender) => {
      if (recorder.recording) await app.task(() => recorder.tracker.gesture(tabOf(sender), sender.documentId ?? ""));
      return null;
    },
    "bar.do": async ({ action }, sender) => {
      if (BAR_ACTIONS.includes(action)) await act(app, action, tabOf(sender));
      return null;
    },
    ...barHandlers(app, onPage),
  };
}

/** A report with only the known fields, each of its type: a page may have tampered with it. @param {import("../../types/state.d.ts").PageReport} r @param {number} tab @param {number} frame @param {string} doc @param {string} parentDoc @returns {import("../../types/state.d.ts").Report} */
function cleanReport(r, tab, frame, doc, parentDoc) {
  return {
    url: r.url, title: String(r.title ?? ""), leftOut: r.leftOut === true, frameset: r.frameset === true,
    area: Number(r.area) || 0, html: typeof r.html === "string" ? r.html : "",
    field: r.field === "card" || r.field === "code" ? r.field : "password", redacted: cleanNames(r.redacted),
    move: {
      type: r.move?.type ?? "navigate", same: r.move?.same === true, referrer: String(r.move?.referrer ?? ""),
      delta: Number.isInteger(r.move?.delta) ? r.move.delta : null,
      changed: r.move?.changed === true, late: Math.min(Math.max(Number(r.move?.late) || 0, 0), 60_000),
    },
    tab, frame, doc, parentDoc,
    ...(cleanKind(r.document) && { document: cleanKind(r.document) }),
  };
}

/** Names of redacted parts: few and short. @param {unknown} names */
const cleanNames = (names) => (Array.isArray(names) ? names.slice(0, 20).map((name) => String(name).slice(0, 60)) : []);

/** @param {number} tabId @param {number} frameId */
async function parentOf(tabId, frameId) {
  try {
    const frame = await chrome.webNavigation.getFrame({ tabId, frameId });
    return frame?.parentDocumentId ?? "";
  } catch {
    return "";
  }
}

/** @param {string|undefined} url */
function originOf(url) {
  try {
    return new URL(url ?? "").origin;
  } catch {
    return "";
  }
}

/** @param {chrome.runtime.MessageSender} sender */
const tabOf = (sender) => sender.tab?.id ?? -1;

/**
 * Does what the person asked for in the bar, in the popup, by keyboard or in the menu.
 * @param {App} app @param {import("../../types/messages.d.ts").BarAction} action @param {number} tab
 */
export async function act(app, action, tab) {
  const { commands } = app;
  switch (action) {
    case "useful":
      return onPage(app, tab, () => commands.toggleUseful(tab));
    case "never.undo":
      return app.task(() => app.never.undo()).finally(() => app.changed(false));
    case "submit":
      await app.task(() => app.never.settle());
      return app.task(() => commands.submit(app.counts().useful)).finally(() => app.changed(true));
    case "pause":
      return app.task(() => commands.pause()).finally(() => app.changed(true));
    case "resume":
      await app.task(() => commands.resume());
      app.changed(true);
      return app.captureLookedAt();
    case "learned":
      await chrome.tabs.create({ url: await app.connection.dashboard(app.store.daemon.learned) });
      return;
    case "dashboard":
      await chrome.tabs.create({ url: await app.connection.dashboard() });
  }
}

/** Runs work on the page in a tab, and has a page report first that was open before the session. @param {App} app @param {number} tab @param {() => Promise<void>} work */
async function onPage(app, tab, work) {
  if (!app.recorder.tracker.pageOf(tab)) await app.captureLookedAt().then(() => settle(app, tab));
  return app.task(work).finally(() => app.changed(false));
}

/** Waits up to one second for the report of a page. @param {App} app @param {number} tab */
async function settle(app, tab) {
  for (let i = 0; i < 20 && !app.recorder.tracker.pageOf(tab); i++) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** @param {App} app @returns {import("../../types/messages.d.ts").Handlers<Omit<PageMessages, keyof import("../../types/messages.d.ts").SentMessages|"session.wish"|"theme.set">>} */
export function pageHandlers(app) {
  const { commands, connection, store } = app;
  const tab = async () => (await lookedAt())?.id ?? -1;
  const done = async (/** @type {unknown} */ work) => {
    await work;
    return null;
  };
  return {
    "ui.state": () => app.uiState(),
    "consent.set": ({ given }) =>
      done(app.task(async () => {
        if (!given) await commands.pause();
        store.kept.consent = given;
        app.changed(false);
      })),
    "settings.set": (changes) =>
      done(app.task(() => {
        const clean = cleanSettings(changes);
        Object.assign(store.kept.settings, clean);
        if (clean.marks === false) void stopMarks();
        app.changed(false);
      })),
    "pair.start": async ({ address }) => {
      const clean = cleanAddress(address);
      await app.task(() => void (store.kept.settings.address = clean));
      void connection.begin();
      return null;
    },
    "pair.cancel": () => done(connection.cancelPairing()),
    "pair.forget": () => done(connection.forget()),
    "session.start": async ({ topic, joins, sites }) => {
      await app.task(() => commands.start(String(topic), { joins: String(joins ?? ""), sites }));
      app.changed(true);
      await app.captureLookedAt();
      return null;
    },
    "session.useful": async () => done(act(app, "useful", await tab())),
    "session.milestone": async ({ name }) => {
      const at = await tab();
      return done(onPage(app, at, () => commands.name(at, String(name))));
    },
    "session.milestone.undo": async () => {
      const at = await tab();
      return done(app.task(() => commands.unname(at)).finally(() => app.changed(false)));
    },
    "session.submit": async () => done(act(app, "submit", -1)),
    "session.pause": ({ minutes }) => done(app.task(() => commands.pause(Number(minutes) || 0)).finally(() => app.changed(true))),
    "session.resume": async () => done(act(app, "resume", -1)),
    "session.discard": ({ whole }) => done(app.task(() => commands.discard(whole === true)).finally(() => app.changed(true))),
    "session.discard.undo": async () => {
      await app.task(() => commands.undiscard());
      app.changed(true);
      await app.captureLookedAt();
      return null;
    },
    "session.sites": async (sites) => {
      await app.task(() => commands.setSites(sites ?? {}));
      app.changed(false);
      await app.captureLookedAt();
      return null;
    },
    "never.add": async () => {
      const url = (await lookedAt())?.url;
      return done(app.task(() => app.never.add(url)).finally(() => app.changed(false)));
    },
    "never.undo": () => done(act(app, "never.undo", -1)),
    "bar.show": async ({ visible }) => {
      const url = (await lookedAt())?.url;
      return done(app.task(() => {
        (visible ? unhide : hide)(store.kept.settings, url);
        app.changed(false);
      }));
    },
    "dashboard.open": () => done(act(app, "dashboard", -1)),
    "dashboard.learned": () => done(act(app, "learned", -1)),
  };
}

/** @typedef {import("../../types/messages.d.ts").SettingsChange} SettingsChange */

/** @param {SettingsChange} changes @returns {SettingsChange} */
function cleanSettings(changes) {
  /** @type {SettingsChange} */
  const clean = {};
  if (Array.isArray(changes.never)) clean.never = parseHosts(changes.never.join(" ")).hosts;
  if (typeof changes.privateNetwork === "boolean") clean.privateNetwork = changes.privateNetwork;
  if (typeof changes.marks === "boolean") clean.marks = changes.marks;
  if (changes.barPlace === null) clean.barPlace = null;
  return clean;
}
