// Starts the background. All listeners are added at top level, synchronously: the browser may have started the background
// to deliver one event, and it would drop an event without a listener.
import { App } from "./app.js";
import { unhide } from "./bar.js";
import { act, contentHandlers, pageHandlers } from "./handlers.js";
import { iconHandlers, showIcon } from "./icon.js";
import { marksHandlers } from "./marks.js";
import { Navigation } from "./navigation.js";
import { openSent, sentHandlers } from "./sent.js";
import { lookedAt } from "./tabs.js";
import { Wish, wishHandlers } from "./wish.js";

/** Exported for the tests. */
export const app = new App();
const { tracker } = app.recorder;
const content = { ...contentHandlers(app), ...marksHandlers(app), "sent.open": () => openSent(app) };
const own = pageHandlers(app);
const wish = new Wish(
  (start) => own["session.start"](start, {}),
  () => app.open(),
);
const pages = { ...own, ...sentHandlers(app), ...wishHandlers(wish), ...iconHandlers };
const navigation = new Navigation(app);
navigation.listen(false);

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  if (sender.id !== chrome.runtime.id || typeof message?.name !== "string") return undefined;
  const ours = sender.url?.startsWith(chrome.runtime.getURL("")) ?? false;
  if (!ours && (sender.tab === undefined || sender.tab.incognito)) return undefined;
  /** @type {Record<string, (params: any, sender: chrome.runtime.MessageSender) => unknown>} */
  const handlers = ours ? pages : content;
  if (!Object.hasOwn(handlers, message.name)) return undefined;
  void Promise.resolve()
    .then(() => handlers[message.name](message.params ?? {}, sender))
    .then(
      (value) => respond({ ok: true, value }),
      (error) => respond({ ok: false, error: error instanceof Error ? error.message : String(error) }),
    );
  return true; // answered later
});

chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== "ui" || !port.sender?.url?.startsWith(chrome.runtime.getURL(""))) return port.disconnect();
  app.ports.add(port);
  port.onDisconnect.addListener(() => app.ports.delete(port));
  void app.connection.connect().then(() => app.connection.ensure());
});

chrome.permissions.onAdded.addListener(() => {
  navigation.listen(true);
  void wish.answered().catch((error) => console.info("nightjar:", error)).then(() => app.reachAll());
});
chrome.permissions.onRemoved.addListener(() => app.changed(false));

chrome.tabs.onRemoved.addListener((tab) => void app.task(() => {
  tracker.removed(tab);
  return app.documents.removed(tab);
}));
chrome.tabs.onActivated.addListener(({ tabId }) => void app.lookAt(tabId));

chrome.alarms.onAlarm.addListener(() => void app.wake());
chrome.runtime.onStartup.addListener(() => void app.wake());

chrome.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === "install") void chrome.tabs.create({ url: chrome.runtime.getURL("welcome/welcome.html") });
});

app.menus.listen((id, info, tab) => command(id, tab, info.linkUrl));
chrome.commands.onCommand.addListener((name, tab) => void command(name, tab));

/** @param {string} name of a command or an entry of a menu @param {chrome.tabs.Tab|undefined} tab @param {string} [link] over which the menu opened */
async function command(name, tab, link = "") {
  const looked = tab ?? (await lookedAt());
  const id = looked?.id ?? -1;
  if (looked?.incognito) return;
  try {
    switch (name) {
      case "useful":
        return await act(app, "useful", id);
      case "pause":
        return await act(app, app.recorder.session?.status === "paused" ? "resume" : "pause", id);
      case "dashboard":
        return await act(app, "dashboard", id);
      case "label":
        return await label(id, looked?.url);
      case "link":
        return await app.task(() => app.commands.toggleLink(id, link)).finally(() => app.changed(false));
      case "never":
        return await app.task(() => app.never.add(looked?.url)).finally(() => app.changed(false));
      case "sent":
        return await openSent(app);
      case "submit":
      case "bar":
        await showAgain(id, looked?.url);
        await app.tell(id, name === "submit" ? "bar.confirm" : "bar.focus", {});
    }
  } catch (error) {
    console.info("nightjar:", error);
  }
}

/** Lets the person give the page a label: in the bar, or in the popup where there is no bar. @param {number} tab @param {string|undefined} url */
async function label(tab, url) {
  try {
    // Firefox opens the popup only at once after the key was pressed.
    if (!app.recorder.tracker.pageOf(tab)) return await chrome.action.openPopup();
  } catch {
    // The browser does not open it, or the page is only not known yet.
  }
  await showAgain(tab, url);
  await app.tell(tab, "bar.label", {});
}

/** Shows the bar on a page where the person had hidden it. @param {number} tab @param {string|undefined} url */
async function showAgain(tab, url) {
  await app.task(() => unhide(app.store.kept.settings, url));
  await app.showBar(tab, url);
}

void app.wake();
void showIcon();
