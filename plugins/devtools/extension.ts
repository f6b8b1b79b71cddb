/** What the extension sends: its buttons and its life. */
export interface MonitorMessage {
  /** `START` when somebody looks, `STOP` when nobody does, `DISPATCH` for a button, `ACTION` for what was typed. */
  readonly type: string;
  readonly payload?: unknown;
}

/** A line to the Redux DevTools. */
export interface Connection {
  init(state: unknown): void;
  send(action: { readonly type: string }, state: unknown): void;
  subscribe(listener: (message: MonitorMessage) => void): (() => void) | undefined;
  /** Shows a note. */
  error?(message: string): void;
}

/** The part of the Redux DevTools extension that we use. */
export interface Extension {
  connect(options: object): Connection;
}

/** The extension, where the browser has it. */
export function findExtension(): Extension | undefined {
  // The extension puts it there.
  return (globalThis as { readonly __REDUX_DEVTOOLS_EXTENSION__?: Extension }).__REDUX_DEVTOOLS_EXTENSION__;
}
