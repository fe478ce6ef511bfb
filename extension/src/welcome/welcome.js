// The first page after installation: it says what Nightjar keeps and asks for agreement. Nothing is recorded without it.
import { localize } from "../shared/localize.js";
import { attempt, byId, onClick, send } from "../shared/messages.js";

const agree = byId("agree", HTMLInputElement);

/** @param {boolean} given */
function show(given) {
  agree.checked = given;
  byId("yes", HTMLButtonElement).disabled = !given;
  byId("next", HTMLElement).hidden = !given;
}

agree.addEventListener("change", () => (byId("yes", HTMLButtonElement).disabled = !agree.checked));
onClick("yes", async () => {
  await send("consent.set", { given: true });
  byId("declined", HTMLElement).hidden = true;
  show(true);
  byId("connect", HTMLButtonElement).focus();
});
onClick("no", async () => {
  await send("consent.set", { given: false });
  show(false);
  byId("declined", HTMLElement).hidden = false;
});
onClick("connect", () => chrome.runtime.openOptionsPage());

localize();
show(false); // some browsers keep a tick when the page is loaded again
void attempt(async () => {
  const { consent } = await send("ui.state", {});
  if (consent) show(true); // else nothing changes: the person may have ticked the box before the answer came
});
