// What the extension's own pages need: messages to the background, updates, buttons. types/messages.d.ts lists the messages.
import { t } from "./text.js";

/**
 * Sends a message to the background.
 * @template {keyof import("../../types/messages.d.ts").PageMessages} N
 * @param {N} name @param {import("../../types/messages.d.ts").PageMessages[N]["params"]} params
 * @returns {Promise<import("../../types/messages.d.ts").PageMessages[N]["result"]>} @throws with a message for the person
 */
export async function send(name, params) {
  /** @type {import("../../types/messages.d.ts").Answer<any>|undefined} */
  const answer = await chrome.runtime.sendMessage({ name, params }).catch(() => undefined); // the background has ended
  if (!answer) throw new Error(t("shared_silent"));
  if (!answer.ok) throw new Error(answer.error);
  return answer.value;
}

/** Calls show with the state, now and after each change; returns a function that does it at once. @param {(state: import("../../types/state.d.ts").UiState) => void} show */
export function watch(show) {
  let asked = 0, shown = 0;
  const refresh = async () => {
    const n = ++asked;
    const state = await send("ui.state", {});
    if (n < shown) return; // a later question was answered first: this state is older
    shown = n;
    show(state);
  };
  let failed = false;
  const update = async () => {
    try {
      await refresh();
      if (failed) showProblem("");
      failed = false;
    } catch (error) {
      failed = true;
      showProblem(error);
    }
  };
  // The open port tells the background that a page is visible. The background announces changes through it.
  const listen = () => {
    const port = chrome.runtime.connect({ name: "ui" });
    port.onMessage.addListener(() => void update());
    port.onDisconnect.addListener(() => setTimeout(listen, 500)); // the browser ended the background: start it again
  };
  listen();
  void update();
  tellTheme();
  return refresh;
}

/** Tells the background whether the browser is dark, now and when that changes, for the icon in the toolbar. */
function tellTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const tell = () => void send("theme.set", { dark: dark.matches }).catch(() => {}); // the icon stays as it is
  dark.addEventListener("change", tell);
  tell();
}

/** The element with this id, of this class. @template {HTMLElement} T @param {string} id @param {new () => T} type @returns {T} */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`no ${type.name} #${id}`);
  return element;
}

/** Runs work when the person clicks the button with this id, and shows its error. @param {string} id @param {() => Promise<unknown>} work */
export function onClick(id, work) {
  const button = byId(id, HTMLButtonElement);
  let busy = false;
  button.addEventListener("click", async (event) => {
    if (!event.isTrusted || busy) return;
    busy = true;
    await attempt(work);
    busy = false;
  });
}

/** Runs work and shows its error. @param {() => Promise<unknown>} work */
export async function attempt(work) {
  showProblem("");
  try {
    await work();
  } catch (error) {
    showProblem(error);
  }
}

/** @param {unknown} error "" for none */
export function showProblem(error) {
  byId("problem", HTMLElement).textContent = error instanceof Error ? error.message : String(error);
}
