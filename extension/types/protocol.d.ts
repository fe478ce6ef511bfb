// The wire format between extension and daemon; daemon/protocol/messages.go, handshake.go and replies.go describe the
// same. daemon/protocol/testdata pins both. Binary values are standard base64 with padding.

export type EventType =
  | "session.start" | "visit" | "snapshot" | "back" | "forward" | "frame" | "useful" | "not-useful" | "label"
  | "session.pause" | "session.resume" | "submit" | "discard";

export type How = "typed" | "link" | "bookmark" | "reload" | "form" | "new-tab" | "other";

export type FrameKind = "frame" | "iframe";

/** The fields that only some types of event have. */
export interface EventFields {
  /** session.start */
  topic?: string;
  /** UUIDv7 of the page load */
  page?: string;
  /** visit, frame */
  url?: string;
  /** visit */
  title?: string;
  /** visit */
  how?: How;
  /** visit, back, forward: page load it came from */
  from?: string;
  /** visit: when it differs from url, an alias of it */
  requested?: string;
  /** snapshot: base64 of gzip of UTF-8 */
  html?: string;
  /** snapshot: the HTML was cut at 4 MiB */
  truncated?: boolean;
  /** frame: page load that holds it */
  parent?: string;
  /** frame */
  kind?: FrameKind;
  /** label */
  name?: string;
}

export interface Event extends EventFields {
  v: 1;
  /** UUIDv7 */
  id: string;
  /** UUID of the browser's installation */
  client: string;
  /** counts up per client, from 1 */
  seq: number;
  /** UUIDv7 */
  session: string;
  tab: number;
  frame: number;
  /** RFC 3339, UTC, milliseconds; never used to order events */
  at: string;
  type: EventType;
}

export interface Ack { type: "ack"; ids: string[] }

/** Turns an event down, or without id the connection. */
export interface Refuse { type: "refuse"; id?: string; code: string; message: string }

export interface SessionState {
  id: string;
  topic: string;
  status: "recording" | "paused" | "submitted" | "none";
  pages: number;
  useful: number;
}

export interface TrainingState { topic: string; stage: string; done: number; total: number; running: boolean }

export interface State {
  type: "state";
  session: SessionState | null;
  topics: string[];
  training: TrainingState | null;
  problem: string;
  never: string[];
  refused: number;
}

export interface Dashboard { type: "dashboard"; url: string }
export interface Pong { type: "pong" }
export interface PairCommit { type: "pair.commit"; commit: string }
export interface PairReveal { type: "pair.reveal"; public: string; random: string }
export interface PairDone { type: "pair.done" }
export interface Challenge { type: "challenge"; nonce: string; mac: string }

/** What the daemon says. */
export type Reply = Ack | Refuse | State | Dashboard | Pong | PairCommit | PairReveal | PairDone | Challenge;

/** What the extension says beside events. */
export type Request =
  | { type: "pair.commit"; v: 1; client: string; name: string; commit: string }
  | { type: "pair.reveal"; public: string; random: string }
  | { type: "hello"; v: 1; client: string; nonce: string }
  | { type: "proof"; mac: string }
  | { type: "ping" }
  | { type: "dashboard" };
