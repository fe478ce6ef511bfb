// The keys of the extension's commands: which ones the browser has really bound, and where the person changes them.

import { t } from "./text.js";

/** The commands in the order in which they are shown. */
const COMMANDS = ["useful", "label", "pause", "bar", "submit"];

/**
 * The keys that the browser has bound, by command, as it writes them ("Alt+Shift+U"; "⌥⇧U" on a Mac); "" for a command
 * without a key. Browsers bind no suggested key that something else has already.
 * @returns {Promise<Record<string, string>>}
 */
export async function boundKeys() {
  const all = await chrome.commands.getAll();
  return Object.fromEntries(COMMANDS.map((id) => [id, all.find((c) => c.name === id)?.shortcut ?? ""]));
}

/** Lists the keys. @param {HTMLElement} list a <dl> @param {Record<string, string>} keys */
export function listKeys(list, keys) {
  const text = JSON.stringify(keys);
  if (list.dataset.keys === text) return;
  list.dataset.keys = text;
  list.replaceChildren(...COMMANDS.flatMap((id) => [term("dt", t(`keys_${id}`)), keys[id] ? term("kbd", keys[id]) : term("dd", t("keys_none"))]));
}

/** @param {"dt"|"dd"|"kbd"} kind @param {string} text */
function term(kind, text) {
  const element = document.createElement(kind === "kbd" ? "dd" : kind);
  if (kind !== "kbd") element.textContent = text;
  else element.append(Object.assign(document.createElement("kbd"), { textContent: text }));
  return element;
}

/** Opens the browser's page on which the person changes the keys. @throws with a message for the person */
export async function changeKeys() {
  const firefox = /** @type {{openShortcutSettings?: () => Promise<void>}} */ (/** @type {unknown} */ (chrome.commands));
  if (firefox.openShortcutSettings) return firefox.openShortcutSettings();
  try {
    await chrome.tabs.create({ url: "chrome://extensions/shortcuts" });
  } catch {
    throw new Error(t("keys_elsewhere"));
  }
}
