import type { BarState } from "./state.d.ts";

declare global {
  // eslint-disable-next-line no-var
  var nightjarPrivacy: Readonly<{
    redact(raw: string): string;
    never(hosts: readonly string[], url: string): boolean;
    hostOf(url: string): string;
    privateNetwork(url: string): boolean;
  }>;
  // eslint-disable-next-line no-var
  var nightjarSnapshot: Readonly<{ sensitive(): boolean; take(): string; refreshDelay(): number }>;
  // eslint-disable-next-line no-var
  var nightjarBar: Readonly<{
    render(state: BarState): void;
    confirm(): void;
    focus(): void;
  }>;
  // eslint-disable-next-line no-var
  var nightjarCapture: boolean | undefined;
  interface Navigation extends EventTarget {
    readonly currentEntry: { index: number; url: string } | null;
    readonly activation: {
      entry: { index: number } | null;
      from: { index: number } | null;
      navigationType: "push" | "replace" | "reload" | "traverse";
    } | null;
  }
}
export {};
