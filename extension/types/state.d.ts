// What the extension stores, and what its pages show.
import type { Why } from "../src/shared/rules.js";
import type { Event, How, TrainingState } from "./protocol.d.ts";

export interface Settings {
  /** ws://127.0.0.1:PORT */
  address: string;
  /** hosts that are never recorded, including their subdomains */
  never: string[];
  /** whether pages of this computer and its network are recorded, too */
  privateNetwork: boolean;
  /** whether links that Nightjar knows get a mark */
  marks: boolean;
  barHidden: boolean;
  /** where the bar is; null: in its corner at the bottom right */
  barPlace: BarPlace | null;
  /** whether the bar is a small tab at the edge on every site */
  barTab: boolean;
  /** what the person chose for single sites, by host, the last choice at the end */
  barSites: { host: string; shape: BarShape }[];
}

/** A place at an edge of the window. */
export interface BarPlace {
  edge: "bottom" | "top" | "left" | "right";
  /** share of the way along the edge, 0 to 1, from the left or from the top */
  at: number;
}

/** How much of the bar is shown: all of it, a small tab at the edge, or nothing. */
export type BarShape = "pill" | "tab" | "none";

/** The session, stored in the database of the queue. */
export interface Session {
  id: string;
  topic: string;
  status: "recording" | "paused" | "submitted";
  /** number of distinct URLs visited */
  pages: number;
  /** redacted URLs marked Useful */
  marked: string[];
  /** redacted URLs of links that the person said look useful; absent for none */
  links?: string[];
  /** pages that are marked since a link to them looks useful: the link by the page, both as redacted URLs; absent for none */
  byLink?: Record<string, string>;
  /** names of milestones by redacted URL, the one given last at the end; absent for none */
  names?: Record<string, string>;
  /** the page whose name changed last, and its name before, "" for none; absent when there is nothing to undo */
  renamed?: { url: string; was: string };
  /** why Nightjar could not learn from it, until the person continues; "" without a problem */
  problem: string;
  /** when it was submitted, milliseconds since 1970; 0 before */
  submittedAt: number;
  /** while paused: when recording goes on by itself, milliseconds since 1970; absent: when the person resumes */
  until?: number;
  /** which sites are recorded; absent: all */
  sites?: Sites;
  /** the run of the browser in which it was started */
  run: string;
  /** the person discarded it and can still undo that; it is paused then */
  discarded?: Discarded;
}

/** A site that the person put on the never-record list by the menu, and what went out of the session with it. */
export interface Forgotten {
  host: string;
  /** whether it was not on the list before */
  added: boolean;
  /** until when it can be undone, milliseconds since 1970 */
  at: number;
  /** the id of the session, "" for none */
  session: string;
  /** redacted URLs */
  pages: string[];
  marked: string[];
  names: Record<string, string>;
}

/** Hosts, including their subdomains. */
export interface Sites {
  /** nothing else is recorded, unless it is empty */
  only: string[];
  /** not recorded */
  not: string[];
}

export interface Discarded {
  /** when it is deleted, milliseconds since 1970 */
  at: number;
  /** whether what other browsers recorded of it is deleted, too */
  whole: boolean;
  /** its status before */
  was: "recording" | "paused";
}

export interface ConnectionStatus {
  /**
   * unpaired: not connected yet; pairing: waiting for the person's approval; offline: no answer; stranger: a program
   * answers that does not have the key; revoked: the daemon no longer knows this browser.
   */
  state: "unpaired" | "pairing" | "connecting" | "connected" | "offline" | "stranger" | "revoked";
  /** for the person to read */
  message: string;
  /** the six digits while pairing, as soon as they are known */
  digits: string;
}

export interface QueueStatus {
  queued: number;
  refused: number;
  /** why the last event was refused */
  lastRefusal: string;
  /** snapshots left out because the queue was full */
  dropped: number;
  /** what could not be stored; absent while nothing failed */
  unkept?: UnkeptEvents;
}

/** Events that the browser could not store in this run. */
export interface UnkeptEvents {
  events: number;
  /** when the first failed, in ms since 1970; 0 for none */
  since: number;
  why: "" | "full" | "broken";
  /** whether the last attempt to store something failed */
  failing: boolean;
}

/** What became of an event: it waits, the daemon stored or refused it, or it was left out because the queue was full. */
export type SentState = "waiting" | "stored" | "refused" | "dropped";

/** One of the last events, as it was sent or will be sent. */
export interface SentEvent {
  /** without its HTML; html is then "" */
  event: Event;
  /** characters of base64 of its HTML, 0 without any */
  size: number;
  state: SentState;
  /** when it left the queue, milliseconds since 1970; 0 while it waits */
  when: number;
  /** why it was refused */
  why: string;
  /** names of what was replaced or cut off before it was queued */
  redacted: string[];
}

/** Something that was left out, and why; kept in memory only. */
export interface LeftOut { at: number; why: Why; host: string }

/** What popup, options and welcome page show. */
export interface UiState {
  consent: boolean;
  settings: Settings;
  session: Session | null;
  /** pages of the session, and those marked Useful; absent without a session */
  counts?: { pages: number; useful: number };
  connection: ConnectionStatus;
  queue: QueueStatus;
  topics: string[];
  /** milestones to offer, the one given last first */
  names: string[];
  /** open sessions of other browsers, to join; absent for none */
  open?: import("./protocol.d.ts").OpenSession[];
  /** names of the other browsers that record this session, too; absent for none */
  browsers?: string[];
  /** the search with which the session began; absent for none */
  began?: import("./protocol.d.ts").Search;
  /** whether the dashboard shows what was learned from the session */
  learned?: boolean;
  training: TrainingState | null;
  problem: string;
  /** the never-record list of the daemon's settings */
  daemonNever: string[];
  /** whether the person lets the extension read pages */
  access: boolean;
  /** the page the person is looking at */
  page: PageState;
  /** its host; absent when it is no web page */
  host?: string;
  /** whether that page may have the bar, or its tab */
  barShown: boolean;
  /** the site put on the never-record list last, and how many pages of it went out of the session; absent when that cannot be undone */
  forgotten?: { host: string; pages: number };
  /** the keys that the browser has bound, by command, as it writes them; "" for none */
  keys: Record<string, string>;
}

/** what a tab shows that is no page of HTML: a PDF and a text file are pages, the others are not */
export type DocumentKind = "pdf" | "text" | "image" | "video" | "audio" | "other";

export interface PageState {
  /** none: not a web page; left-out: not recorded on purpose; unknown: not recorded yet */
  recorded: "yes" | "left-out" | "unknown" | "none";
  useful: boolean;
  /** why it is left out, in words; absent when it is not, or when that is not known */
  why?: string;
  /** its name in this session; absent for none */
  milestone?: string;
  /** whether the last change of a name was this page's, so that it can be undone */
  undo?: boolean;
  /** absent for a page of HTML */
  document?: DocumentKind;
  /** of a PDF: the daemon reads the text of every PDF, also of one that is not marked */
  read?: boolean;
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
  shape: "pill" | "tab";
  /** the shape on sites without a choice of their own */
  everywhere: BarShape;
  /** whether the dashboard can show what was learned from the session */
  learned: boolean;
  /** labels to offer, the one given last first */
  names: string[];
  /** as in UiState */
  forgotten?: { host: string; pages: number };
  /** as in UiState */
  keys: Record<string, string>;
}

/** How a document was loaded, as its content script sees it. */
export interface Move {
  type: "navigate" | "reload" | "traverse" | "push" | "replace";
  /** number of steps through the history, null if unknown */
  delta: number | null;
  referrer: string;
  /** whether the document stayed the same (pushState, a route in the fragment) */
  same: boolean;
  /** with same: whether the document shows other content than before */
  changed?: boolean;
  /** with same: how long ago the address changed, ms */
  late?: number;
}

/** What a content script reports about its page. */
export interface PageReport {
  url: string;
  title: string;
  move: Move;
  /** whether it has a field for a password or a card; then nothing was read */
  leftOut: boolean;
  /** what the field is for */
  field?: "password" | "card" | "code";
  /** names of what was redacted in its links */
  redacted?: string[];
  /** whether it is a <frameset> */
  frameset: boolean;
  /** width times height in px² */
  area: number;
  html?: string;
  /** absent for a page of HTML */
  document?: DocumentKind;
}

/** A report, with what the browser knows about its sender. */
export interface Report extends PageReport {
  tab: number;
  frame: number;
  doc: string;
  parentDoc: string;
}

/** What the tracker found out. The recorder turns it into an event. */
export type Fact =
  | { type: "visit"; page: string; url: string; how: How; from: string; requested: string }
  | { type: "back" | "forward"; page: string; from: string }
  | { type: "frame"; page: string; parent: string; url: string; kind: "frame" | "iframe" };
