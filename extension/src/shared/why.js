// Why a page is not recorded, in words. The popup, the bar, the options and the page "What was sent" show them.

/** @typedef {import("./rules.js").Why} Why */

/** What follows "This page is not recorded: ". @type {Readonly<Record<Why, string>>} */
const WORDS = Object.freeze({
  "not-web": "it is not a web page",
  "too-long": "its address is too long",
  nightjar: "it is a page of Nightjar",
  "own-network": "it is on this computer or on your own network",
  list: "it is on your never-record list",
  "daemon-list": "it is on the never-record list in Nightjar’s settings",
  "only-sites": "this session records only some sites, which you chose under More…",
  "not-sites": "you left its site out of this session under More…",
  password: "it asks for a password",
  card: "it asks for a card number",
  code: "it asks for a one-time code",
  "too-fast": "it changed too often in a short time",
  "too-large": "it is too large",
  paused: "recording was paused when it was opened",
});

/** Such as "it asks for a password". @param {Why} why */
export const whyWords = (why) => WORDS[why];

/** Such as "This page is not recorded: it asks for a password." @param {Why} why */
export const whyText = (why) => `This page is not recorded: ${WORDS[why]}.`;
