/** A message of the extension: a button or a change of its lifecycle. */
export interface MonitorMessage {
  /** `START` when a monitor opens, `STOP` when it closes, `DISPATCH` for a button, `ACTION` for typed text. */
  readonly type: string;
  readonly payload?: unknown;
}

/** A connection to the Redux DevTools. */
export interface Connection {
  init(state: unknown): void;
  send(action: { readonly type: string }, state: unknown): void;
  subscribe(listener: (message: MonitorMessage) => void): (() => void) | undefined;
  /** Shows an error message. */
  error?(message: string): void;
}

/** The part of the Redux DevTools extension that is used here. */
export interface Extension {
  connect(options: object): Connection;
}

/** The extension, if the browser has it. */
export function findExtension(): Extension | undefined {
  // Defined by the extension.
  return (globalThis as { readonly __REDUX_DEVTOOLS_EXTENSION__?: Extension }).__REDUX_DEVTOOLS_EXTENSION__;
}
