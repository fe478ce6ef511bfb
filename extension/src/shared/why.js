// Why a page is not recorded, in words. The popup, the bar, the options and the page "What was sent" show them.
import { t } from "./text.js";

/** @typedef {import("./rules.js").Why} Why */

/** Such as "it asks for a password". @param {Why} why */
export const whyWords = (why) => t(`sent_why_${why.replaceAll("-", "_")}`);

/** Such as "This page is not recorded: it asks for a password." @param {Why} why */
export const whyText = (why) => t("sent_not_recorded", whyWords(why));
