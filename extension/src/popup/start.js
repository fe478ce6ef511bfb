// The form that starts a session: a topic, sites, or an open session of another browser to join.
import { startSession } from "../shared/grant.js";
import { attempt, byId, onClick } from "../shared/messages.js";
import { count, t } from "../shared/text.js";
import { chips, offer, show } from "./view.js";

/** @typedef {import("../../types/state.d.ts").UiState} UiState */

/** Most topics with a button; the field proposes all. */
const RECENT = 5;

/**
 * @param {() => Promise<void>} refresh @param {() => import("../../types/state.d.ts").Sites|undefined} sites those that were chosen
 * @returns {(state: UiState, visible: boolean) => void} shows it
 */
export function startForm(refresh, sites) {
  const topic = byId("topic", HTMLInputElement);
  let visible = false;
  /** @type {NonNullable<UiState["open"]>} */
  let open = [];

  /** @param {string} [joins] id of the session to join */
  async function start(joins) {
    await startSession({ topic: topic.value, ...(joins && { joins }), ...(sites() && { sites: sites() }) });
    topic.value = "";
    await refresh();
  }

  byId("start-form", HTMLFormElement).addEventListener("submit", (event) => event.preventDefault());
  onClick("start", () => start());

  return (state, now) => {
    show("no-session", now);
    const topics = state.topics;
    offer("topics", topics);
    chips("recent", topics.slice(0, RECENT).map((text) => ({ text })), (n) => {
      topic.value = topics[n];
      byId("start", HTMLButtonElement).focus();
    });
    open = state.open ?? [];
    show("join", open.length > 0);
    chips("join-list", open.map((one) => ({ text: t("popup_join_one", one.topic, one.browser, count(one.pages, "page")) })), (n) => {
      void attempt(() => start(open[n].id));
    });
    if (now && !visible) topic.focus();
    visible = now;
  };
}
