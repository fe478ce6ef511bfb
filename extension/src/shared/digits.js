// The six digits that the person compares, for eyes and ears.
import { byId } from "./messages.js";

/** @param {string} digits "" while there are none to compare */
export function showDigits(digits) {
  byId("pairing", HTMLElement).hidden = digits === "";
  const field = byId("digits", HTMLElement);
  field.textContent = digits.replace(/(...)(...)/, "$1 $2");
  field.setAttribute("aria-label", [...digits].join(" "));
}
