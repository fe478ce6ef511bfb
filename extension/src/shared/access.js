// The access that a session needs: to pages of all sites, and to the browser's navigation events. The extension has neither
// after installation. The person grants both with one answer when the first session starts, and can take them back.

/** @type {{origins: string[], permissions: chrome.runtime.ManifestOptionalPermission[]}} */
export const ACCESS = { origins: ["http://*/*", "https://*/*"], permissions: ["webNavigation"] };

/** Whether the person has granted all of it. */
export const granted = () => chrome.permissions.contains(ACCESS);
