// Writes the texts of _locales into a page of the extension. An element names its text by data-i18n; what stands between
// two ** in a text is strong. data-i18n-placeholder, data-i18n-aria-label and data-i18n-title name texts of attributes.
import { t } from "./text.js";

const ATTRIBUTES = ["placeholder", "aria-label", "title"];

/** Writes the texts into the page. */
export function localize() {
  for (const element of document.querySelectorAll("[data-i18n]")) element.replaceChildren(...parts(t(element.getAttribute("data-i18n") ?? "")));
  for (const name of ATTRIBUTES) {
    for (const element of document.querySelectorAll(`[data-i18n-${name}]`)) element.setAttribute(name, t(element.getAttribute(`data-i18n-${name}`) ?? ""));
  }
  document.documentElement.lang = t("shared_language");
}

/** @param {string} text */
function parts(text) {
  return text.split("**").map((part, i) => {
    if (i % 2 === 0) return part;
    const strong = document.createElement("strong");
    strong.textContent = part;
    return strong;
  });
}
