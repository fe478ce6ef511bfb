// A fake browser for unit tests, with the events and calls that the extension uses. It reads the real manifest, so that an
// API without its permission is an error here, too.
import { i18n } from "./text_fake.js";
import { source } from "./vectors.js";

export const manifest = JSON.parse(source("src/manifest.json"));
export const ORIGIN = "chrome-extension://fake/";

/** A chrome.events.Event that tests can fire. */
class Fired {
  /** @type {((...args: any[]) => any)[]} */
  listeners = [];
  /** @param {(...args: any[]) => any} f */
  addListener(f) {
    this.listeners.push(f);
  }
  /** @param {...any} args */
  fire(...args) {
    return this.listeners.map((f) => f(...args));
  }
}

/** @param {Map<string, any>} values */
const area = (values) => ({
  get: async (/** @type {string[]} */ keys) =>
    Object.fromEntries(keys.filter((k) => values.has(k)).map((k) => [k, structuredClone(values.get(k))])),
  set: async (/** @type {Record<string, any>} */ changes) => {
    for (const [k, v] of Object.entries(changes)) values.set(k, structuredClone(v));
  },
  remove: async (/** @type {string} */ key) => void values.delete(key),
});

export class FakeBrowser {
  local = new Map();
  session = new Map();
  badge = { text: "", title: "" };
  /** What the button shows in one tab only. */
  tabBadge = { text: "", title: "" };
  /** What webNavigation.getFrame says, in addition. @type {Record<string, any>} */
  frame = {};
  /** What a script in a page does. @type {() => Promise<any>} */
  script = async () => [];
  /** @type {Map<string, any>} */
  alarms = new Map();
  /** Messages to tabs. @type {{tab: number, name: string, params: any}[]} */
  told = [];
  /** @type {any[]} */
  tabs = [{ id: 1, url: "http://a.test/", active: true, incognito: false, lastAccessed: 1 }];
  opened = /** @type {string[]} */ ([]);
  /** The entries of the context menus by id. @type {Map<string, any>} */
  menus = new Map();
  /** Icons shown in the toolbar. @type {any[]} */
  icons = [];
  /** Whether the person has granted what is optional. */
  granted = true;
  /** The registered content scripts by id. @type {Map<string, any>} */
  scripts = new Map();
  /** Tabs in which files were started. @type {number[]} */
  injected = [];
  /** Tabs whose page was said to be from before the session. @type {number[]} */
  before = [];
  /** The API of navigation events, whether the person has granted it or not. @type {any} */
  navigation = null;
  /** Tabs whose page has no content script. @type {Set<number>} */
  deaf = new Set();
  chrome = this.#make();

  /** The person answers the browser's question, or changes the access later. @param {boolean} yes */
  async grant(yes) {
    this.granted = yes;
    this.chrome.permissions[yes ? "onAdded" : "onRemoved"].fire({});
  }

  /** Returns what a restarted background finds: the storage, but no listeners. */
  restart() {
    this.chrome = this.#make();
    return this.chrome;
  }

  #make() {
    const needs = (/** @type {string} */ permission, /** @type {any} */ api) => {
      if (![...manifest.permissions, ...manifest.optional_permissions].includes(permission)) throw new Error(`the manifest lacks the permission ${permission}`);
      return api;
    };
    this.navigation = needs("webNavigation", {
      onBeforeNavigate: new Fired(), onCommitted: new Fired(), onDOMContentLoaded: new Fired(), onCompleted: new Fired(), onErrorOccurred: new Fired(),
      onCreatedNavigationTarget: new Fired(), onReferenceFragmentUpdated: new Fired(), onHistoryStateUpdated: new Fired(),
      getFrame: async () => ({ parentDocumentId: "d1", ...this.frame }),
    });
    const browser = this;
    return {
      i18n,
      runtime: {
        id: "fake",
        onMessage: new Fired(), onConnect: new Fired(), onStartup: new Fired(), onInstalled: new Fired(),
        getURL: (/** @type {string} */ path) => ORIGIN + path,
        getManifest: () => manifest,
        getPlatformInfo: async () => ({}),
      },
      storage: needs("storage", { local: area(this.local), session: area(this.session) }),
      get webNavigation() {
        return browser.granted ? browser.navigation : undefined;
      },
      permissions: {
        onAdded: new Fired(), onRemoved: new Fired(),
        contains: async () => this.granted,
      },
      tabs: {
        onRemoved: new Fired(), onActivated: new Fired(), onUpdated: new Fired(),
        query: async (/** @type {any} */ q) => this.tabs.filter((t) => !q.active || t.active),
        sendMessage: async (/** @type {number} */ tab, /** @type {any} */ m) => {
          if (this.deaf.has(tab)) throw new Error("Could not establish connection. Receiving end does not exist.");
          this.told.push({ tab, ...m });
        },
        create: async (/** @type {any} */ { url }) => void this.opened.push(url),
        get: async (/** @type {number} */ id) => this.tabs.find((t) => t.id === id),
      },
      alarms: needs("alarms", {
        onAlarm: new Fired(),
        get: async (/** @type {string} */ name) => this.alarms.get(name),
        create: async (/** @type {string} */ name, /** @type {any} */ info) => void this.alarms.set(name, info),
        clear: async (/** @type {string} */ name) => this.alarms.delete(name),
      }),
      contextMenus: needs("contextMenus", {
        onClicked: new Fired(),
        removeAll: async () => this.menus.clear(),
        create: (/** @type {any} */ entry) => void this.menus.set(entry.id, structuredClone(entry)),
        update: async (/** @type {string} */ id, /** @type {any} */ changes) => {
          if (!this.menus.has(id)) throw new Error(`no entry ${id}`);
          Object.assign(this.menus.get(id), changes);
        },
      }),
      windows: { onFocusChanged: new Fired() },
      scripting: needs("scripting", {
        executeScript: async (/** @type {any} */ { target, files }) => {
          if (!this.granted) throw new Error("Cannot access contents of the page.");
          await this.script();
          if (!files) return void this.before.push(target.tabId);
          this.injected.push(target.tabId);
          this.deaf.delete(target.tabId);
        },
        getRegisteredContentScripts: async (/** @type {any} */ { ids }) => [...this.scripts.values()].filter((s) => ids.includes(s.id)),
        registerContentScripts: async (/** @type {any[]} */ all) => {
          for (const script of all) {
            if (this.scripts.has(script.id)) throw new Error(`Duplicate script ID '${script.id}'`);
            this.scripts.set(script.id, script);
          }
        },
        unregisterContentScripts: async (/** @type {any} */ { ids }) => ids.forEach((/** @type {string} */ id) => this.scripts.delete(id)),
      }),
      commands: {
        onCommand: new Fired(),
        getAll: async () => Object.entries(manifest.commands).map(([name, c]) => ({ name, shortcut: /** @type {any} */ (c).suggested_key?.default ?? "" })),
      },
      action: {
        setBadgeText: async (/** @type {any} */ { text, tabId }) => void ((tabId ? this.tabBadge : this.badge).text = text),
        setIcon: async (/** @type {any} */ { path }) => void this.icons.push(path),
        setTitle: async (/** @type {any} */ { title, tabId }) => void ((tabId ? this.tabBadge : this.badge).title = title),
        setBadgeBackgroundColor: async () => {},
        setBadgeTextColor: async () => {},
      },
    };
  }

  /**
   * Sends a message as a page or content script does.
   * @param {string} name @param {any} params @param {any} sender @returns {Promise<any>} undefined when nobody answers
   */
  message(name, params, sender) {
    return new Promise((resolve) => {
      const answered = this.chrome.runtime.onMessage.fire({ name, params }, { id: "fake", ...sender }, resolve);
      if (!answered.includes(true)) resolve(undefined);
    });
  }

  /** Opens one of our own pages. @param {string} path @returns {{close: () => void}} */
  openPage(path) {
    const port = { name: "ui", sender: { url: ORIGIN + path }, onDisconnect: new Fired(), postMessage: () => {}, disconnect: () => {} };
    this.chrome.runtime.onConnect.fire(port);
    return { close: () => void port.onDisconnect.fire() };
  }

  /** From the popup. @param {string} name @param {any} [params] */
  page(name, params = {}) {
    return this.message(name, params, { url: `${ORIGIN}popup/popup.html` });
  }

  /** From the content script of a tab's page. @param {string} name @param {any} params @param {{url: string, doc: string, tab?: any, frameId?: number}} from */
  content(name, params, { url, doc, tab, frameId = 0 }) {
    return this.message(name, params, { url, documentId: doc, frameId, tab: { id: 1, url, incognito: false, ...tab } });
  }
}

/** What a content script or one of our own pages sees of the browser, with a background that the test plays. */
export class FakeClient {
  /** What pages told about the browser's colours. @type {{dark: boolean}[]} */
  themes = [];
  /** Other messages to the background. @type {{name: string, params: any}[]} */
  sent = [];
  /** The answers of the background by name of the message; null without one. @type {Record<string, (params: any) => any>} */
  answers = {};
  /** How many of the next messages get no answer, as when the browser ends the background. */
  lost = 0;
  /** @type {{onMessage: Fired, onDisconnect: Fired}[]} */
  ports = [];
  /** URLs of the tabs opened. @type {string[]} */
  opened = [];
  /** Changes of tabs. @type {any[]} */
  updated = [];
  /** What the person answers when the browser asks for access. @type {boolean|Promise<boolean>} */
  grants = true;
  /** What was asked for. @type {any[]} */
  asked = [];
  chrome = {
    i18n,
    runtime: {
      /** @type {string|undefined} */
      id: "fake",
      onMessage: new Fired(),
      getURL: (/** @type {string} */ path) => ORIGIN + path,
      sendMessage: (/** @type {any} */ message) => this.#answer(structuredClone(message)),
      connect: () => {
        const port = { onMessage: new Fired(), onDisconnect: new Fired() };
        this.ports.push(port);
        return port;
      },
      openOptionsPage: async () => void this.opened.push(`${ORIGIN}options/options.html`),
    },
    permissions: {
      request: async (/** @type {any} */ what) => {
        this.asked.push(what);
        return this.grants;
      },
    },
    tabs: {
      create: async (/** @type {any} */ { url }) => void this.opened.push(url),
      getCurrent: async () => ({ id: 7 }),
      update: async (/** @type {number} */ id, /** @type {any} */ changes) => void this.updated.push({ id, ...changes }),
    },
    commands: {},
  };

  /** @param {{name: string, params: any}} message */
  async #answer(message) {
    if (message.name === "theme.set") {
      this.themes.push(message.params);
      return { ok: true, value: null };
    }
    this.sent.push(message);
    if (this.lost-- > 0) throw new Error("Could not establish connection. Receiving end does not exist.");
    try {
      return { ok: true, value: structuredClone((await this.answers[message.name]?.(message.params)) ?? null) };
    } catch (error) {
      return { ok: false, error: error instanceof Error ? error.message : String(error) };
    }
  }

  /** The messages with this name. @param {string} name */
  named(name) {
    return this.sent.filter((message) => message.name === name).map((message) => message.params);
  }

  /** Sends a message of the background to the content script. @param {string} name @param {any} params @param {string} [id] of the sender */
  tell(name, params, id = "fake") {
    this.chrome.runtime.onMessage.fire({ name, params: structuredClone(params) }, { id });
  }
}
