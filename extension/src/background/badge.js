// What the toolbar button shows: text, colour and tooltip.
import { count } from "../shared/text.js";

/**
 * @typedef {{text: string, color: string, title: string}} Badge
 * @param {import("../../types/state.d.ts").Session|null} session
 * @param {boolean} connected @param {number} queued @param {boolean} paired @returns {Badge}
 */
export function badge(session, connected, queued, paired) {
  const recording = session?.status === "recording" ? `Recording “${session.topic}”. ` : "";
  if (queued > 0 && !connected && paired) {
    const title = `${recording}Nightjar is not running: ${count(queued, "event")} kept here until it starts.`;
    return { text: `…${queued > 99 ? "99+" : queued}`, color: "#8a5a00", title };
  }
  if (session?.status === "recording") return { text: "●", color: "#b3261e", title: `Nightjar is recording “${session.topic}”.` };
  if (session?.status === "paused") return { text: "‖", color: "#5f6368", title: `Recording of “${session.topic}” is paused. Nothing is recorded.` };
  return { text: "", color: "#5f6368", title: "Nightjar: no session. Nothing is recorded." };
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
