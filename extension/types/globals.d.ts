// The objects that the classic scripts define.
import type { BarAction, BarShapes } from "./messages.d.ts";
import type { BarPlace, BarState, DocumentKind } from "./state.d.ts";
import type { LinkState } from "./protocol.d.ts";

declare global {
  var nightjarSecretWords: Readonly<
    Record<
      | "SECRET_NAMES" | "HINT_NAMES" | "KEPT_NAMES" | "SHORT_NAMES" | "RANGE_NAMES" | "REVISION_WORDS" | "SECRET_PATHS" | "HINT_PATHS" | "OPEN_PATHS" | "PUBLIC_PATHS"
      | "ARCHIVE_HOSTS" | "ARCHIVE_PATHS" | "KEYED_FILES", Set<string>> & {
      SECRET_ENDING: RegExp;
      HINT_ENDING: RegExp;
      OPEN_HOSTS: Map<string, string>;
    }
  >;
  var nightjarRandom: Readonly<
    Record<"UNTOLD" | "OPEN" | "HINTED" | "ANNOUNCED", number> & {
      random(text: string, told: number): boolean;
      excess(run: string): number;
    }
  >;
  var nightjarPrivacy: Readonly<{
    redact(raw: string): string;
    removed(raw: string): string[];
    ordinary(url: string): boolean;
  }>;
  var nightjarSnapshot: Readonly<{
    shadows(): Map<Element, ShadowRoot>;
    length(found: Map<Element, ShadowRoot>): number;
    sensitive(found?: Map<Element, ShadowRoot>): "" | "password" | "card" | "code";
    take(names?: Set<string>, found?: Map<Element, ShadowRoot>): string;
    title(): string;
    refreshDelay(): number;
    kind(): DocumentKind | undefined;
  }>;
  var nightjarBar: Readonly<{
    render(state: BarState): void;
    confirm(): void;
    label(): void;
    focus(): void;
  }>;
  var nightjarRoutes: Readonly<{
    look(shadows: Iterable<ShadowRoot>): { pieces: Map<number, number>; size: number };
    changed(before: { pieces: Map<number, number>; size: number }, now: { pieces: Map<number, number>; size: number }, replaced: boolean): boolean;
  }>;
  var nightjarShapes: Readonly<{ known(state: unknown): state is LinkState; draw(state: LinkState): SVGSVGElement }>;
  var nightjarMarks: Readonly<{ stop(): void }> | undefined;
  var nightjarBarText: Readonly<{
    t(key: string, ...subs: string[]): string;
    pill(state: BarState): { kind: "mark" | "open" | "learned"; text: string };
    facts(state: BarState): string;
    page(state: BarState): string;
    question(state: BarState, problem: string): string;
    forgotten(state: BarState): string;
    change(was: BarState, is: BarState): string;
  }>;
  var nightjarBarLook: Readonly<{
    style(element: HTMLElement, styles: BarStyles): void;
    show(element: HTMLElement, visible: boolean, display?: string): void;
    write(element: HTMLElement, text: string): void;
    make<K extends keyof HTMLElementTagNameMap>(tag: K, styles: BarStyles, ...children: (Node | string)[]): HTMLElementTagNameMap[K];
    button(label: string, work: () => void, styles?: BarStyles): HTMLButtonElement;
    ring(element: HTMLElement): void;
    PARTS: Readonly<Record<string, BarStyles>>;
    PANEL: number;
    media: MediaQueryList;
    colours(): Record<string, string>;
  }>;
  var nightjarBarPlace: Readonly<{
    CORNER: Readonly<BarPlace>;
    view(): { width: number; height: number };
    rectAt(place: BarPlace, size: BarSize, margin?: number): BarRect;
    nearest(x: number, y: number, size: BarSize): BarPlace;
    step(place: BarPlace, key: string, size: BarSize): BarPlace | null;
    free(wanted: BarPlace, size: BarSize, host: Element, margin?: number, strict?: boolean): BarPlace | null;
  }>;
  var nightjarBarWatch: Readonly<{ watch(look: () => boolean): () => void }>;
  var nightjarBarParts: Readonly<{ build(doings: BarDoings): BarParts; grow(parts: BarParts, doings: BarDoings): BarInner; item(text: string, work: () => void): HTMLButtonElement }>;
  var nightjarBarPaint: Readonly<{
    fill(parts: BarParts, shown: BarShown, doings: BarDoings): void;
    arrange(parts: BarParts, host: BarRect, tab: boolean, open: boolean): void;
    offer(inner: BarInner, names: string[], doings: BarDoings): void;
  }>;
  var nightjarBarDo: Readonly<{ make(memory: BarMemory, steps: BarSteps): BarDoings }>;
  var nightjarBarHands: Readonly<{ keys(bar: Bar): void; listen(bar: Bar, parts: BarParts): void; drag(bar: Bar, host: HTMLElement, handle: HTMLElement): void }>;
  var nightjarCapture: boolean | undefined;
  /** set when the content scripts start in a page that was open before the session */
  var nightjarBefore: boolean | undefined;
}

export type BarStyles = Record<string, string>;

/** In px. turn: it stands at the sides, and lies at top and bottom. */
export interface BarSize { width: number; height: number; turn?: boolean }

/** In px in the window. */
export interface BarRect { x: number; y: number; width: number; height: number }

export type BarSection = "" | "label" | "menu" | "ask";

/** How the panel was opened; "" while it is closed. */
export type BarOpened = "" | "hover" | "focus" | "tap";

/** The elements of the bar. */
export interface BarParts {
  host: HTMLElement;
  root: ShadowRoot;
  box: HTMLElement;
  pill: HTMLElement;
  useful: HTMLButtonElement;
  /** opens and closes the panel */
  count: HTMLButtonElement;
  tab: HTMLButtonElement;
  /** what screen readers say */
  heard: HTMLElement;
  /** null until the bar is opened for the first time */
  inner: BarInner | null;
}

/** The elements of the panel. */
export interface BarInner {
  panel: HTMLElement;
  topic: HTMLElement;
  grip: HTMLButtonElement;
  more: HTMLButtonElement;
  facts: HTMLElement;
  page: HTMLElement;
  failure: HTMLElement;
  row: HTMLElement;
  label: HTMLButtonElement;
  pause: HTMLButtonElement;
  submit: HTMLButtonElement;
  learned: HTMLButtonElement;
  toast: { box: HTMLElement; text: HTMLElement; undo: HTMLButtonElement };
  labels: { box: HTMLElement; field: HTMLInputElement; save: HTMLButtonElement; list: HTMLElement; empty: HTMLElement; remove: HTMLButtonElement; undo: HTMLButtonElement };
  menu: { box: HTMLElement; title: HTMLElement; places: { choice: HTMLButtonElement; place: BarPlace }[] } & Record<
    "tabSite" | "tabAll" | "hideSite" | "hideAll" | "sent" | "dashboard", HTMLButtonElement
  >;
  ask: { box: HTMLElement; words: HTMLElement; yes: HTMLButtonElement; no: HTMLButtonElement };
}

/** What the person can do in the bar. */
export interface BarDoings {
  press(): void;
  toggle(): void;
  act(action: BarAction): void;
  /** opens the page "What was sent" */
  sent(): void;
  section(next: BarSection): void;
  submit(): void;
  label(name: string): void;
  /** takes the label away */
  remove(): void;
  /** takes the last change of the label back */
  unlabel(): void;
  place(place: BarPlace): void;
  shape(shape: "pill" | "tab" | "none", everywhere: boolean): void;
  undo(): void;
  /** ends the offer to undo */
  forget(): void;
}

/** What the bar remembers in a page. */
export interface BarMemory {
  /** the last one from the background */
  state: BarState | null;
  /** null while it is not shown */
  parts: BarParts | null;
  opened: BarOpened;
  section: BarSection;
  /** why the session could not be submitted; the question shows it */
  problem: string;
  /** the last problem in the state; null before the first state. The question opens for new problems only */
  known: string | null;
  /** why the last thing that the person did failed; "" if it did not */
  failure: string;
  /** where the person put the bar, before the background tells it */
  put: BarPlace | null;
  /** where it is instead; tab: there is no room for more */
  aside: { place: BarPlace; tab: boolean } | null;
  /** the way back from a change of its shape */
  undo: { text: string; was: BarShapes; timer: ReturnType<typeof setTimeout> } | null;
  /** what had the focus before a key moved it to the bar */
  before: HTMLElement | null;
  dragging: boolean;
  printing: boolean;
  /** how often the page has removed or restyled it */
  repairs: number;
  /** the host's styles, as they must be */
  ours: string;
  /** ends the look-out for changes of the page */
  unwatch: (() => void) | null;
}

/** What bar.js does for the buttons. */
export interface BarSteps {
  open(how: "hover" | "focus" | "tap"): void;
  close(): void;
  leave(): void;
  typed(): void;
  paint(): void;
  announce(text: string): void;
  render(state: BarState): void;
}

/** What the bar shows at the moment. */
export interface BarShown {
  state: BarState;
  opened: BarOpened;
  section: BarSection;
  problem: string;
  failure: string;
  undo: string;
  names: string[];
  can: boolean;
  place: BarPlace;
}

/** The bar, as mouse and keyboard use it. */
export interface Bar {
  doings: BarDoings;
  parts(): BarParts | null;
  opened(): BarOpened;
  section(): BarSection;
  open(how: "hover" | "focus" | "tap"): void;
  close(): void;
  /** closes, and gives the focus back to the page */
  leave(): void;
  /** whether a key brought the focus here from the page */
  visiting(): boolean;
  /** whether it stays open although the mouse leaves */
  busy(): boolean;
  /** whether the page can get a label */
  can(): boolean;
  /** the labels to choose from */
  names(): string[];
  typed(): void;
  /** the place after an arrow key, null for another key */
  step(key: string): BarPlace | null;
  drag(x: number, y: number): void;
  drop(x: number, y: number): void;
}
export {};
