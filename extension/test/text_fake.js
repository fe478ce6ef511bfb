// The texts of the extension as the browser gives them, from the real file. Importing it gives chrome.i18n to modules that
// the tests call directly.
import { source } from "./vectors.js";

/** @type {Record<string, {message: string}>} */
export const messages = JSON.parse(source("src/_locales/en/messages.json"));

export const i18n = {
  /** @param {string} key @param {string|string[]} [values] */
  getMessage(key, values = []) {
    const text = messages[key]?.message;
    if (text === undefined) throw new Error(`no text ${key}`); // a browser gives ""
    const all = [values].flat();
    return text.replace(/\$(\$|\d)/g, (_, n) => (n === "$" ? "$" : (all[n - 1] ?? "")));
  },
};

Object.assign(globalThis, { chrome: { i18n, .../** @type {any} */ (globalThis).chrome } });
