// How the person reached a page: derived from the browser's transition type and from what the page itself knows.

/**
 * @param {import("../../types/state.d.ts").Report} r @param {import("../../types/tracker.d.ts").Arrival} a
 * @returns {import("../../types/protocol.d.ts").How}
 */
export function howOf(r, a) {
  if (a.type === "reload") return "reload";
  if (a.qualifiers.includes("forward_back")) return "other"; // a reopened tab, or a page from before the session
  if (a.opener) return "new-tab";
  if (a.qualifiers.includes("from_address_bar")) return a.type === "auto_bookmark" ? "bookmark" : "typed";
  switch (a.type) {
    case "typed":
    case "generated":
    case "keyword":
    case "keyword_generated":
      return "typed";
    case "auto_bookmark":
      return "bookmark";
    case "form_submit":
      return "form";
    case "link":
      // Firefox says "link" whenever it does not know. A real link has a referrer or a click before it.
      return r.move.referrer || a.gesture || a.qualifiers.includes("client_redirect") ? "link" : "other";
  }
  return "other";
}
