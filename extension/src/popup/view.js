// What the parts of the popup share to show texts and buttons.
import { byId } from "../shared/messages.js";
import { count, t } from "../shared/text.js";

/** @param {string} id @param {boolean} visible */
export const show = (id, visible) => (byId(id, HTMLElement).hidden = !visible);

/** Writes a text, but only a new one: screen readers read again what changes. @param {string} id @param {string} text */
export function write(id, text) {
  const element = byId(id, HTMLElement);
  if (element.textContent !== text) element.textContent = text;
}

/** Offers values in a field. @param {string} id of its list @param {string[]} values */
export function offer(id, values) {
  const list = byId(id, HTMLDataListElement);
  if (list.children.length === values.length && values.every((v, i) => list.children[i].getAttribute("value") === v)) return;
  list.replaceChildren(
    ...values.map((value) => {
      const option = document.createElement("option");
      option.value = value;
      return option;
    }),
  );
}

/**
 * Fills a group with buttons. Those that are there already stay, and with them the focus.
 * @param {string} id of the group @param {{text: string, key?: string}[]} wanted key: a key that does the same
 * @param {(n: number) => void} choose gets the number of the button that the person clicked
 */
export function chips(id, wanted, choose) {
  const group = byId(id, HTMLElement);
  const same = group.children.length === wanted.length && wanted.every(({ text }, i) => group.children[i].getAttribute("data-text") === text);
  if (same) return;
  group.replaceChildren(...wanted.map((chip, i) => button(chip, () => choose(i))));
}

/** @param {{text: string, key?: string}} chip @param {() => void} choose */
function button({ text, key }, choose) {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.text = text;
  if (key) {
    const shown = document.createElement("kbd");
    shown.textContent = key;
    shown.setAttribute("aria-hidden", "true");
    made.setAttribute("aria-keyshortcuts", key);
    made.append(shown);
  }
  made.append(text);
  made.addEventListener("click", (event) => event.isTrusted && choose());
  return made;
}

/** The time until a moment, in words. @param {number} at ms since 1970 */
export function timeLeft(at) {
  const clock = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const minutes = Math.max(1, Math.ceil((at - Date.now()) / 60_000));
  return t("popup_at", clock, count(minutes, "minute"));
}
