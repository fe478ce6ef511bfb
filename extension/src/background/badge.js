// The toolbar button: what is going on, at a glance.

/**
 * @typedef {{text: string, color: string, title: string}} Badge
 * @param {import("../../types/state.d.ts").Session|null} session
 * @param {boolean} connected @param {number} queued @param {boolean} paired @returns {Badge}
 */
export function badge(session, connected, queued, paired) {
  const waiting = queued > 0 && !connected && paired;
  const tail = waiting ? ` Waiting for Nightjar to start: ${queued} kept here until then.` : "";
  if (waiting) {
    const what = session?.status === "recording" ? `Recording “${session.topic}”.` : "";
    return { text: `…${queued > 99 ? "99+" : queued}`, color: "#8a5a00", title: `Nightjar. ${what}${tail}`.trim() };
  }
  if (session?.status === "recording") return { text: "●", color: "#b3261e", title: `Nightjar is recording “${session.topic}”.` };
  if (session?.status === "paused") return { text: "‖", color: "#5f6368", title: `Nightjar is paused in “${session.topic}”. Nothing is recorded.` };
  return { text: "", color: "#5f6368", title: "Nightjar. No session: nothing is recorded." };
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
