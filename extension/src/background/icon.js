// The icon in the toolbar. Firefox chooses the one for dark toolbars by itself (theme_icons in the manifest). Chromium knows no
// such choice, and a background cannot see colours, so the extension's own pages tell whether they are dark.

const firefox = () => /Firefox\//.test(navigator.userAgent);

/** @param {boolean} dark whether toolbars are dark */
function show(dark) {
  const kind = dark ? "-dark" : "";
  return chrome.action.setIcon({ path: { 16: `/icons/16${kind}.png`, 32: `/icons/32${kind}.png` } });
}

/** Shows the icon that was right when a page was open last. Chromium forgets it when it closes. */
export async function showIcon() {
  if (firefox()) return;
  const { dark } = await chrome.storage.local.get(["dark"]);
  if (dark === true) await show(true);
}

/** @type {Pick<import("../../types/messages.d.ts").Handlers<import("../../types/messages.d.ts").PageMessages>, "theme.set">} */
export const iconHandlers = {
  "theme.set": async ({ dark }) => {
    if (firefox()) return null;
    await chrome.storage.local.set({ dark: dark === true });
    await show(dark === true);
    return null;
  },
};
