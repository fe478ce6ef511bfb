// Asks for the access that a session needs, from a page with a button.
import { ACCESS } from "./access.js";
import { send, showProblem } from "./messages.js";
import { t } from "./text.js";

/** The browser answers within this many ms if it need not ask the person. */
const AT_ONCE = 500;

/**
 * Asks for access. It must be the first call of a click's handler: browsers refuse the question anywhere else.
 * @throws with a message for the person who declined
 */
export async function grantHosts() {
  const answer = chrome.permissions.request(ACCESS);
  const asking = setTimeout(() => showProblem(t("shared_asks")), AT_ONCE);
  const yes = await answer.finally(() => clearTimeout(asking));
  showProblem("");
  if (!yes) throw new Error(t("shared_declined"));
}

/**
 * Asks for access if it is missing, then starts a session. As grantHosts, it must be the first call of a click's handler.
 * @param {import("../../types/messages.d.ts").PageMessages["session.start"]["params"]} params @throws with a message for the person
 */
export async function startSession(params) {
  const answer = grantHosts();
  // The browser's question may close the popup. Then the background starts the session when the answer comes.
  void send("session.wish", { start: params }).catch(() => {});
  try {
    await answer;
  } catch (error) {
    await send("session.wish", { start: null }).catch(() => {});
    throw error;
  }
  await send("session.start", params);
}
