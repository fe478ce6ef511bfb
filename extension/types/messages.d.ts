// The messages inside the extension. send() and the handlers take their types from these maps.
import type { Event, LinkState } from "./protocol.d.ts";
import type { BarPlace, BarShape, BarState, LeftOut, PageReport, SentEvent, Settings, Sites, UiState } from "./state.d.ts";

/** From a content script to the background. */
export interface ContentMessages {
  /** a page has loaded; restored: it came back from the back/forward cache; before: it was open before the session */
  "page.hello": { params: { restored: boolean; before: boolean }; result: { record: boolean; bar: BarState | null } };
  /** the result is whether what the page shows later is wanted, too */
  "page.report": { params: PageReport; result: boolean };
  /** the page shows more than it did at its report */
  "page.again": { params: { url: string; html: string; redacted: string[] }; result: null };
  /** the person clicked or pressed Enter in the page */
  "page.gesture": { params: Record<string, never>; result: null };
  "bar.do": { params: { action: BarAction }; result: null };
  /** opens the page "What was sent" */
  "sent.open": { params: Record<string, never>; result: null };
  /** which of the links, redacted, Nightjar knows; known is null if it cannot be asked now, the result null if there are no marks in this page */
  "links.known": { params: { urls: string[] }; result: { known: Record<string, LinkState> | null } | null };
  "bar.place": { params: { place: BarPlace | null }; result: null };
  /** names the page; "" takes the name back */
  "bar.label": { params: { name: string }; result: null };
  "bar.label.undo": { params: Record<string, never>; result: null };
  /** changes how much of the bar is shown on the page's site or everywhere; the result is what it was */
  "bar.shape": { params: { shape: BarShape; everywhere: boolean }; result: BarShapes };
  "bar.shape.undo": { params: BarShapes; result: null };
}

/** From popup, options and welcome page to the background. */
export interface PageMessages extends SentMessages {
  "ui.state": { params: Record<string, never>; result: UiState };
  "consent.set": { params: { given: boolean }; result: null };
  "settings.set": { params: SettingsChange; result: null };
  "pair.start": { params: { address: string }; result: null };
  "pair.cancel": { params: Record<string, never>; result: null };
  "pair.forget": { params: Record<string, never>; result: null };
  /** joins: the id of an open session of other browsers, which gives the topic */
  "session.start": { params: { topic: string; joins?: string; sites?: Sites }; result: null };
  /** which sites are recorded from now on */
  "session.sites": { params: Sites; result: null };
  /** the session to start when the person grants access; null: the person declined */
  "session.wish": { params: { start: PageMessages["session.start"]["params"] | null }; result: null };
  "session.useful": { params: Record<string, never>; result: null };
  /** names the page; "" takes the name back */
  "session.milestone": { params: { name: string }; result: null };
  /** takes the last change of a name back */
  "session.milestone.undo": { params: Record<string, never>; result: null };
  "session.submit": { params: Record<string, never>; result: null };
  /** minutes: recording goes on by itself after them; absent: when the person resumes */
  "session.pause": { params: { minutes?: number }; result: null };
  "session.resume": { params: Record<string, never>; result: null };
  /** whole: what other browsers recorded of it is deleted, too */
  "session.discard": { params: { whole?: boolean }; result: null };
  "session.discard.undo": { params: Record<string, never>; result: null };
  /** never records the site of the page in front, and takes its pages out of the session */
  "never.add": { params: Record<string, never>; result: null };
  "never.undo": { params: Record<string, never>; result: null };
  /** whether the browser is dark */
  "theme.set": { params: { dark: boolean }; result: null };
  "bar.show": { params: { visible: boolean }; result: null };
  "dashboard.open": { params: Record<string, never>; result: null };
  /** opens the page of the dashboard that shows what was learned from the session */
  "dashboard.learned": { params: Record<string, never>; result: null };
}

/** From the page "What was sent" to the background. */
export interface SentMessages {
  /** the last events, the newest first, without HTML, and what was left out */
  "sent.list": { params: Record<string, never>; result: { events: SentEvent[]; leftOut: LeftOut[] } };
  /** one event as it was sent or will be sent; null if it was forgotten */
  "sent.entry": { params: { seq: number }; result: Event | null };
  /** forgets the events that left; those that wait stay */
  "sent.clear": { params: Record<string, never>; result: null };
  /** forgets what was left out */
  "sent.clear-left-out": { params: Record<string, never>; result: null };
  /** opens the page */
  "sent.open": { params: Record<string, never>; result: null };
}

/** From the background to a content script. */
export interface TabMessages {
  "bar.state": { params: BarState; result: null };
  /** ask the person to confirm Submit */
  "bar.confirm": { params: Record<string, never>; result: null };
  /** let the person give the page a label */
  "bar.label": { params: Record<string, never>; result: null };
  "bar.focus": { params: Record<string, never>; result: null };
  /** report the page now */
  "page.capture": { params: Record<string, never>; result: null };
}

/** How much of the bar is shown everywhere, and on one site; null for a site without a choice. */
export interface BarShapes { everywhere: BarShape; site: BarShape | null }

/** What the bar's buttons do. */
export type BarAction = "useful" | "submit" | "pause" | "resume" | "learned" | "dashboard" | "never.undo";

/** barPlace: null puts the bar back into its corner. */
export type SettingsChange = Partial<Pick<Settings, "never" | "privateNetwork" | "marks"> & { barPlace: null }>;

export type Handlers<M> = {
  [N in keyof M]: M[N] extends { params: infer P; result: infer R }
    ? (params: P, sender: chrome.runtime.MessageSender) => R | Promise<R>
    : never;
};

/** The answer of the background: a value, or a message for the person. */
export type Answer<R> = { ok: true; value: R } | { ok: false; error: string };
