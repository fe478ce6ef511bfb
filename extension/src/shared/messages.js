// Sending messages inside the extension; types/messages.d.ts is the map of them.

/**
 * Sends to the background.
 * @template {keyof import("../../types/messages.d.ts").PageMessages} N
 * @param {N} name @param {import("../../types/messages.d.ts").PageMessages[N]["params"]} params
 * @returns {Promise<import("../../types/messages.d.ts").PageMessages[N]["result"]>} @throws what went wrong, in words
 */
export async function send(name, params) {
  /** @type {import("../../types/messages.d.ts").Answer<any>|undefined} */
  const answer = await chrome.runtime.sendMessage({ name, params });
  if (!answer) throw new Error("Nightjar's background did not answer. Please try again.");
  if (!answer.ok) throw new Error(answer.error);
  return answer.value;
}

/** Runs show with the state now and whenever it changes. @param {(state: import("../../types/state.d.ts").UiState) => void} show */
export function watch(show) {
  const refresh = async () => show(await send("ui.state", {}));
  // An open port tells the background that somebody is looking; it says when to look again.
  const listen = () => {
    const port = chrome.runtime.connect({ name: "ui" });
    port.onMessage.addListener(() => void refresh());
    port.onDisconnect.addListener(() => setTimeout(listen, 500)); // the background died: wake it
  };
  listen();
  void refresh();
  return refresh;
}

/** The element with this id, of this class. @template {HTMLElement} T @param {string} id @param {new () => T} type @returns {T} */
export function byId(id, type) {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`no ${type.name} #${id}`);
  return element;
}

/** Runs work when the person clicks, and shows what went wrong. @param {string} id @param {() => Promise<unknown>} work */
export function onClick(id, work) {
  const button = byId(id, HTMLButtonElement);
  let busy = false;
  button.addEventListener("click", async (event) => {
    if (!event.isTrusted || busy) return;
    const problem = byId("problem", HTMLElement);
    problem.textContent = "";
    busy = true;
    try {
      await work();
    } catch (error) {
      problem.textContent = error instanceof Error ? error.message : String(error);
    }
    busy = false;
  });
}

/** "1 page", "3 pages". @param {number} n @param {string} noun */
export const count = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** What a training is doing, in words. @param {import("../../types/protocol.d.ts").TrainingState} training */
export function trainingText(training) {
  if (!training.running) return `Nightjar has learned “${training.topic}”.`;
  const part = training.total > 0 ? ` (${training.done} of ${training.total})` : "";
  return `Nightjar is learning “${training.topic}”: ${training.stage}${part}`;
}
