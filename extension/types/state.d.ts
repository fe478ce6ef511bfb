// What the extension keeps, and what its pages are shown.
import type { How, TrainingState } from "./protocol.d.ts";

export interface Settings {
  /** ws://127.0.0.1:PORT */
  address: string;
  /** hosts never recorded, their subdomains included */
  never: string[];
  /** pages of this computer and its network are recorded too */
  privateNetwork: boolean;
  barHidden: boolean;
  /** the bar's distance from the right and lower edge of the window in px, null: where it starts */
  barPlace: BarPlace | null;
}

export interface BarPlace { right: number; bottom: number }

/** The session as the extension knows it; kept in storage.local. */
export interface Session {
  id: string;
  topic: string;
  status: "recording" | "paused" | "submitted";
  /** distinct URLs visited */
  pages: number;
  /** redacted URLs marked Useful */
  marked: string[];
  /** why it could not be learned from, until the person goes on; "" without one */
  problem: string;
  /** when it was submitted, milliseconds since 1970; 0 before */
  submittedAt: number;
}

export interface ConnectionStatus {
  /**
   * unpaired: Connect was never pressed; pairing: waiting for the person's approval; offline: nobody answers;
   * stranger: somebody answers who does not hold the key; revoked: the daemon does not know this browser any more.
   */
  state: "unpaired" | "pairing" | "connecting" | "connected" | "offline" | "stranger" | "revoked";
  /** in words a person understands */
  message: string;
  /** the six digits while pairing, once known */
  digits: string;
}

export interface QueueStatus {
  queued: number;
  refused: number;
  /** why the last event was refused */
  lastRefusal: string;
  /** snapshots left out because the queue was full */
  dropped: number;
}

/** What popup, options and welcome page show. */
export interface UiState {
  consent: boolean;
  settings: Settings;
  session: Session | null;
  connection: ConnectionStatus;
  queue: QueueStatus;
  topics: string[];
  training: TrainingState | null;
  problem: string;
  /** the never-record list of the daemon's settings */
  daemonNever: string[];
  /** the page the person is looking at */
  page: PageState;
}

export interface PageState {
  /** none: no page that could be recorded; left-out: on purpose; unknown: not recorded yet */
  recorded: "yes" | "left-out" | "unknown" | "none";
  useful: boolean;
}

/** What the bar shows. */
export interface BarState {
  show: boolean;
  status: "recording" | "paused" | "submitted";
  topic: string;
  pages: number;
  useful: number;
  page: PageState;
  queued: number;
  connected: boolean;
  training: TrainingState | null;
  problem: string;
  place: BarPlace | null;
}

/** How a page came about, as its own content script sees it. */
export interface Move {
  type: "navigate" | "reload" | "traverse" | "push" | "replace";
  /** steps in the joint history of one site, null when unknown */
  delta: number | null;
  referrer: string;
  /** within the same document (pushState) */
  same: boolean;
}

/** What a content script says of its page. */
export interface PageReport {
  url: string;
  title: string;
  move: Move;
  /** holds a password or card number field: nothing of it was read */
  leftOut: boolean;
  /** is a <frameset> */
  frameset: boolean;
  /** width times height in px² */
  area: number;
  html?: string;
}

/** A report with what the browser says of its sender. */
export interface Report extends PageReport {
  tab: number;
  frame: number;
  doc: string;
  parentDoc: string;
}

/** What the tracker found out; the recorder makes an event of it. */
export type Fact =
  | { type: "visit"; page: string; url: string; how: How; from: string; requested: string }
  | { type: "back" | "forward"; page: string; from: string }
  | { type: "frame"; page: string; parent: string; url: string; kind: "frame" | "iframe" };
