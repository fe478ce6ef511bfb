// What background/tracker.js reads and stores.
import type { Entry } from "../src/background/history.js";

/** A document that the browser has committed and that has not reported yet. */
export interface Arrival {
  tab: number;
  parentDoc: string;
  /** redacted */
  url: string;
  /** the browser's transition type */
  type: string;
  qualifiers: string[];
  /** the page on which the person was or clicked */
  from: string;
  /** the page whose link opened the tab */
  opener: string;
  /** the URL before a redirect by the server */
  requested: string;
  /** whether the person had just clicked in the page */
  gesture: boolean;
  /** index in the history before a step through it; -1 if there was no step */
  origin: number;
  /**
   * whether it gets its entry in the history only when it reports: Chromium commits Back inside a frame like an ordinary
   * load, and only the document itself knows better
   */
  late: boolean;
  /** the document that redirected here before it reported */
  before: Arrival | null;
}

export interface TabState {
  histories: Record<string, { entries: Entry[]; index: number }>;
  /** navigations that have begun, by frame */
  pending: Record<string, { url: string; at: number }>;
  /** the page whose link opened the tab, until its first page */
  opener: string;
  /** the person's last click */
  gesture: { at: number; doc: string } | null;
  /** the address that the person gave last while the document stayed; absent before there was one */
  entered?: { url: string; how: "typed" | "bookmark" } | null;
}

export interface TrackerState {
  tabs: Record<string, TabState>;
  /** the page of each recorded document */
  docs: Record<string, string>;
  arrivals: Record<string, Arrival>;
  pages: Record<string, { url: string; frameset: boolean; area: number; frames: string[] }>;
}

/** Details of the events of webNavigation. */
export type Details = Pick<chrome.webNavigation.WebNavigationTransitionCallbackDetails, "tabId" | "frameId" | "url"> & {
  documentId?: string;
  parentDocumentId?: string;
  parentFrameId?: number;
  documentLifecycle?: string;
  transitionType?: string;
  transitionQualifiers?: string[];
  error?: string;
};
