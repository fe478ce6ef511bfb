// The wire format between extension and daemon. The Go package daemon/browse/protocol describes the same format, and the vectors in
// its testdata folder test both. Binary values are standard base64 with padding.

export type EventType =
  | "session.start" | "visit" | "snapshot" | "back" | "forward" | "frame" | "useful" | "not-useful" | "label"
  | "link-useful" | "link-not-useful"
  | "session.pause" | "session.resume" | "submit" | "discard";

export type How = "typed" | "link" | "bookmark" | "reload" | "form" | "new-tab" | "other";

/** what a page is that is not HTML */
export type Media = "pdf" | "text";

export type FrameKind = "frame" | "iframe";

/** Fields of some types of events only. */
export interface EventFields {
  /** session.start */
  topic?: string;
  /** UUIDv7 of the page load */
  page?: string;
  /** visit, frame; link-useful, link-not-useful: where the link leads */
  url?: string;
  /** visit */
  title?: string;
  /** visit */
  how?: How;
  /** visit, back, forward: the page load before it */
  from?: string;
  /** visit: the URL before redirects, an alias of url; absent if equal */
  requested?: string;
  /** visit: absent for HTML */
  media?: Media;
  /** snapshot: HTML as UTF-8, compressed with gzip, as base64 */
  html?: string;
  /** snapshot: the HTML was cut at 4 MiB */
  truncated?: boolean;
  /** visit, frame, link-useful, link-not-useful: the person lets pages of their own network be recorded, and this is one */
  own?: boolean;
  /** frame: the page load that contains it */
  parent?: string;
  /** frame */
  kind?: FrameKind;
  /** label: the milestone's name; without one, the page is no milestone any more */
  name?: string;
  /** session.start: UUID of a session of another browser that this one belongs to */
  joins?: string;
  /** discard: what other browsers recorded of the session is deleted, too */
  whole?: boolean;
}

export interface Event extends EventFields {
  v: 1;
  /** UUIDv7 */
  id: string;
  /** UUID of this installation of the extension */
  client: string;
  /** number of the event; counts from 1 per client */
  seq: number;
  /** UUIDv7 */
  session: string;
  tab: number;
  frame: number;
  /** RFC 3339 in UTC with milliseconds; does not order events */
  at: string;
  type: EventType;
}

export interface Ack { type: "ack"; ids: string[] }

/** Refuses an event or, without id, the connection. */
export interface Refuse { type: "refuse"; id?: string; code: string; message: string }

export interface SessionState {
  id: string;
  topic: string;
  status: "recording" | "paused" | "submitted" | "none";
  /** of the whole, with what other browsers recorded of it */
  pages: number;
  useful: number;
  /** names of the other browsers that record it, too; absent for none */
  browsers?: string[];
  /** another browser submitted it, so this one must submit its part */
  close?: boolean;
  /** absent when it did not begin with a search */
  began?: Search;
}

/** The search with which a session began. */
export interface Search { query: string; engine: string }

/** An open session of other browsers, which this one may join. */
export interface OpenSession {
  id: string;
  topic: string;
  /** names of the browsers */
  browser: string;
  pages: number;
  useful: number;
}

export interface TrainingState { topic: string; stage: string; done: number; total: number; running: boolean }

export interface State {
  type: "state";
  session: SessionState | null;
  /** the one used last first */
  topics: string[];
  /** absent for none */
  open?: OpenSession[];
  /** milestones of the session's topic, to offer; daemons before them send none */
  names?: string[];
  training: TrainingState | null;
  problem: string;
  never: string[];
  /** the text of every PDF is read, also of one that is not marked */
  pdfs?: boolean;
  refused: number;
  /** path of the dashboard's page that shows what was learned from the session; absent before there is something, and from older daemons */
  learned?: string;
  /** whether the daemon answers the request "known"; daemons before it take it for nonsense */
  knows?: boolean;
}

export interface Dashboard { type: "dashboard"; url: string }
/** What the daemon knows of a link: it is marked, visited, or found by a crawl and not looked at. */
export type LinkState = "useful" | "not-useful" | "visited" | "found";
export interface Known { type: "known"; known: Record<string, LinkState> }
export interface Pong { type: "pong" }
export interface PairCommit { type: "pair.commit"; commit: string }
export interface PairReveal { type: "pair.reveal"; public: string; random: string }
export interface PairDone { type: "pair.done" }
export interface Challenge { type: "challenge"; nonce: string; mac: string }

/** Messages of the daemon. */
export type Reply = Ack | Refuse | State | Dashboard | Known | Pong | PairCommit | PairReveal | PairDone | Challenge;

/** Messages of the extension other than events. */
export type Request =
  | { type: "pair.commit"; v: 1; client: string; name: string; commit: string }
  | { type: "pair.reveal"; public: string; random: string }
  | { type: "hello"; v: 1; client: string; nonce: string }
  | { type: "proof"; mac: string }
  | { type: "ping" }
  /** never record a host in any browser, and delete what the session and those joined with it have of it; session: "" for none */
  | { type: "never"; v: 1; id: string; host: string; session: string }
  | { type: "dashboard"; path?: string }
  | { type: "known"; urls: string[] };
