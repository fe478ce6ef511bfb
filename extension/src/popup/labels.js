// The label of the page in front: the ones used last have buttons and the keys 1 to 9, any other one is typed.
import { attempt, byId, onClick, send } from "../shared/messages.js";
import { t } from "../shared/text.js";
import { chips, offer, show, write } from "./view.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */

/** Labels with a button and a key. */
const KEYS = 9;

/** @param {() => Promise<void>} refresh @returns {(state: UiState, recording: boolean) => void} shows it */
export function labelForm(refresh) {
  const field = byId("milestone", HTMLInputElement);
  /** How often the person has changed what is in the field, and how often when it was last saved. */
  let typed = 0, saved = 0;
  /** @type {string[]} */
  let offered = [];
  let can = false;

  /** Shows the page's label after a change. The button that was pressed may be gone, so the focus goes to the field. @param {Promise<unknown>} change */
  async function renamed(change) {
    const before = typed;
    await change;
    if (typed === before) saved = typed; // otherwise the person is typing the next one already
    await refresh();
    field.focus();
  }

  /** Labels the page; "" takes the label back. @param {string} name */
  const callIt = (name) => renamed(send("session.milestone", { name }));

  byId("milestone-form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", () => typed++);
  onClick("milestone-save", async () => {
    if (!field.value.trim()) throw new Error(t("popup_no_label"));
    await callIt(field.value);
  });
  onClick("milestone-remove", () => callIt(""));
  onClick("milestone-undo", () => renamed(send("session.milestone.undo", {})));
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA)$/.test(/** @type {Element|null} */ (event.target)?.tagName ?? "") && (event.target !== field || field.value !== "");
    const name = /^[1-9]$/.test(event.key) ? offered[Number(event.key) - 1] : undefined;
    if (!event.isTrusted || !can || typing || !name || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    void attempt(() => callIt(name));
  });

  return ({ page, names }, recording) => {
    can = recording && page.recorded !== "left-out" && page.recorded !== "none";
    offer("milestones", names);
    offered = names.slice(0, KEYS);
    chips("labels", offered.map((text, i) => ({ text, key: String(i + 1) })), (n) => void attempt(() => callIt(offered[n])));
    for (const [i, button] of [...byId("labels", HTMLElement).children].entries()) {
      /** @type {HTMLButtonElement} */ (button).disabled = !can;
      button.setAttribute("aria-pressed", String(offered[i] === page.milestone));
    }
    if (typed === saved && field.value !== (page.milestone ?? "")) field.value = page.milestone ?? "";
    field.disabled = !can;
    byId("milestone-save", HTMLButtonElement).disabled = !can;
    show("milestone-remove", can && page.milestone !== undefined);
    show("milestone-undo", can && page.undo === true);
    const name = page.milestone === undefined ? t("popup_label_none") : t("popup_label_is", page.milestone);
    write("milestone-facts", can ? name : "");
  };
}
