// What the toolbar button shows: text, colour and tooltip. Each state has a text of its own, so that nobody needs to tell
// colours apart.
import { documentText, isPage } from "../shared/documents.js";
import { count, t } from "../shared/text.js";

/** @typedef {{text: string, color: string, title: string}} Badge */

const RED = "#b3261e";
const GREY = "#5f6368";
const BROWN = "#8a5a00";

/**
 * Whether a browser that was connected once is not connected now. During the first attempt that is not known yet; later
 * attempts keep the message of the one that failed.
 * @param {import("../../types/state.d.ts").ConnectionStatus} status
 */
const lost = ({ state, message }) => ["offline", "stranger", "revoked"].includes(state) || (state === "connecting" && message !== "");

/**
 * @param {import("../../types/state.d.ts").Session|null} session
 * @param {import("../../types/state.d.ts").ConnectionStatus} status @param {number} queued
 * @param {boolean} access whether the person lets the extension read pages
 * @param {import("../../types/state.d.ts").UnkeptEvents} [unkept] what could not be stored @returns {Badge}
 */
export function badge(session, status, queued, access = true, unkept) {
  if (unkept?.failing) return { text: "!", color: RED, title: t("badge_unkept") };
  const recording = session?.status === "recording";
  const paused = session?.status === "paused";
  const name = session?.topic ?? "";
  if (recording && !access) return { text: "!", color: BROWN, title: t("badge_no_access", name) };
  if (lost(status) && (recording || paused || queued > 0)) {
    const what = recording ? `${t("badge_away_recording", name)} ` : paused ? `${t("badge_away_paused", name)} ` : "";
    const title = what + (queued > 0 ? t("badge_away_queued", count(queued, "event")) : t("badge_away"));
    if (queued > 0) return { text: `…${queued > 99 ? "99+" : queued}`, color: BROWN, title };
    return { text: recording ? "●!" : "‖!", color: BROWN, title };
  }
  if (recording) return { text: "●", color: RED, title: t("badge_recording", name) };
  if (paused) return { text: "‖", color: GREY, title: t("badge_paused", name) };
  return { text: "", color: GREY, title: t("badge_none") };
}

/**
 * What the button shows in the tab of a document that is no page of HTML, in addition; null in all other tabs. The browser
 * forgets it when the tab shows another document.
 * @param {Badge} b @param {import("../../types/state.d.ts").PageState} page @param {boolean} recording
 */
export function tabBadge(b, page, recording) {
  const about = recording ? documentText(page) : "";
  if (!page.document) return null;
  return { text: about && !isPage(page.document) ? "–" : b.text, title: about ? `${b.title} ${about}` : b.title };
}

/** @param {number} tabId @param {ReturnType<typeof tabBadge>} shown */
export async function showTabBadge(tabId, shown) {
  if (shown) await Promise.all([chrome.action.setBadgeText({ tabId, text: shown.text }), chrome.action.setTitle({ tabId, title: shown.title })]);
}

/** @param {Badge} b */
export async function showBadge({ text, color, title }) {
  await Promise.all([
    chrome.action.setBadgeText({ text }),
    chrome.action.setBadgeBackgroundColor({ color }),
    chrome.action.setBadgeTextColor({ color: "#ffffff" }),
    chrome.action.setTitle({ title }),
  ]);
}
