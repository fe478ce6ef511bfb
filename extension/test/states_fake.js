// States that the background sends to bar and pages, for tests.
import { DEFAULTS } from "../src/shared/settings.js";

/** @typedef {import("../types/state.d.ts").BarState} BarState */
/** @typedef {import("../types/state.d.ts").UiState} UiState */

const KEYS = { useful: "Alt+Shift+U", label: "Alt+Shift+L", pause: "", bar: "Alt+Shift+J", submit: "" };

/** The bar on a recorded page. @param {Partial<BarState>} [changes] @returns {BarState} */
export const barState = (changes) => ({
  show: true, status: "recording", topic: "Hockey", pages: 3, useful: 1, page: { recorded: "yes", useful: false }, queued: 0,
  connected: true, training: null, problem: "", place: null, shape: "pill", everywhere: "pill", learned: false, names: ["Team", "league table"], keys: { ...KEYS }, ...changes,
});

/** An open session. @param {Partial<import("../types/state.d.ts").Session>} [changes] @returns {import("../types/state.d.ts").Session} */
export const session = (changes) => ({
  id: "s", topic: "Hockey", status: "recording", pages: 3, marked: ["http://a.test/"], problem: "", submittedAt: 0, run: "r", ...changes,
});

/** A connected browser without a session. @param {Partial<UiState>} [changes] @returns {UiState} */
export const uiState = (changes) => ({
  consent: true, settings: { ...DEFAULTS }, session: null, connection: { state: "connected", message: "", digits: "" },
  queue: { queued: 0, refused: 0, lastRefusal: "", dropped: 0 }, topics: ["Hockey", "Sailing"], names: ["Team", "league table"], training: null, problem: "",
  daemonNever: [], access: true, page: { recorded: "yes", useful: false }, barShown: true, keys: { ...KEYS }, ...changes,
});
