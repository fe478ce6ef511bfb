// "More…": which sites a session records.
import { byId, onClick, send } from "../shared/messages.js";
import { parseHosts } from "../shared/settings.js";
import { t } from "../shared/text.js";
import { show, write } from "./view.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */
/** @typedef {import("../../types/state.d.ts").Sites} Sites */

/**
 * @param {() => Promise<void>} refresh
 * @returns {{render: (state: UiState, visible: boolean, open: boolean) => void, chosen: () => Sites|undefined}}
 */
export function sitesForm(refresh) {
  const only = byId("sites-only", HTMLTextAreaElement);
  const not = byId("sites-not", HTMLTextAreaElement);
  let typed = false;
  let host = "";
  let session = "";

  /** @returns {Sites} @throws with a message for the person */
  function read() {
    const lists = [only, not].map((field) => parseHosts(field.value));
    const bad = lists.flatMap((list) => list.bad);
    if (bad.length > 0) throw new Error(t("popup_no_site", bad[0]));
    return { only: lists[0].hosts, not: lists[1].hosts };
  }

  /** @param {HTMLTextAreaElement} field */
  function addHere(field) {
    if (host && !parseHosts(field.value).hosts.includes(host)) field.value = [field.value.trim(), host].filter(Boolean).join("\n");
    typed = true;
    field.focus();
  }

  for (const field of [only, not]) field.addEventListener("input", () => (typed = true));
  byId("sites-form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
  onClick("only-here", async () => addHere(only));
  onClick("not-here", async () => addHere(not));
  onClick("sites-save", async () => {
    const sites = read();
    await send("session.sites", sites);
    typed = false;
    await refresh();
    write("sites-facts", t("popup_sites_saved"));
  });

  return {
    chosen: () => {
      const sites = read();
      return sites.only.length + sites.not.length > 0 ? sites : undefined;
    },
    render: (state, visible, open) => {
      const now = open ? (state.session?.id ?? "") : "";
      if (now !== session) write("sites-facts", "");
      if (now !== session) typed = false;
      session = now;
      host = state.host ?? "";
      show("sites", visible);
      show("sites-save", open);
      for (const id of ["only-here", "not-here"]) byId(id, HTMLButtonElement).disabled = host === "";
      const chosen = open ? state.session?.sites : undefined;
      const n = (chosen?.only.length ?? 0) + (chosen?.not.length ?? 0);
      write("sites-summary", n > 0 ? t("popup_more_sites") : t("popup_more"));
      if (typed) return;
      only.value = chosen?.only.join("\n") ?? "";
      not.value = chosen?.not.join("\n") ?? "";
    },
  };
}
