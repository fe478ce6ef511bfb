// The objects that the classic scripts define.
import type { BarState, DocumentKind } from "./state.d.ts";
import type { LinkState } from "./protocol.d.ts";

declare global {
  var nightjarPrivacy: Readonly<{
    redact(raw: string): string;
    never(hosts: readonly string[], url: string): boolean;
    hostOf(url: string): string;
    privateNetwork(url: string): boolean;
    removed(raw: string): string[];
  }>;
  var nightjarSnapshot: Readonly<{
    sensitive(): "" | "password" | "card" | "code";
    take(names?: Set<string>): string;
    refreshDelay(): number;
    kind(): DocumentKind | undefined;
  }>;
  var nightjarBar: Readonly<{
    render(state: BarState): void;
    confirm(): void;
    focus(): void;
  }>;
  var nightjarRoutes: Readonly<{
    look(): { pieces: Map<number, number>; size: number };
    changed(before: { pieces: Map<number, number>; size: number }, now: { pieces: Map<number, number>; size: number }, replaced: boolean): boolean;
  }>;
  var nightjarShapes: Readonly<{ known(state: unknown): state is LinkState; draw(state: LinkState): SVGSVGElement }>;
  var nightjarMarks: Readonly<{ stop(): void }> | undefined;
  var nightjarCapture: boolean | undefined;
  /** set when the content scripts start in a page that was open before the session */
  var nightjarBefore: boolean | undefined;
}
export {};
