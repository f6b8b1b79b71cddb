import type { Commit, State } from 'holdfast';
import type { DevtoolsOptions } from './DevtoolsOptions.ts';
import { reduxAction } from './reduxAction.ts';

/** A message of the extension: a button or a change of its lifecycle. */
interface MonitorMessage {
  /** `START` when a monitor opens, `STOP` when it closes, `DISPATCH` for a button, `ACTION` for typed text. */
  readonly type: string;
  readonly payload?: unknown;
}

/** A connection to the Redux DevTools. */
interface Connection {
  init(state: unknown): void;
  send(action: { readonly type: string }, state: unknown): void;
  subscribe(listener: (message: MonitorMessage) => void): (() => void) | undefined;
  /** Shows an error message. */
  error?(message: string): void;
}

/** The part of the Redux DevTools extension that is used here. */
interface Extension {
  connect(options: object): Connection;
}

/** The extension, if the browser has it. */
function findExtension(): Extension | undefined {
  // Defined by the extension.
  return (globalThis as { readonly __REDUX_DEVTOOLS_EXTENSION__?: Extension }).__REDUX_DEVTOOLS_EXTENSION__;
}

/** Explains why a store cannot be moved to an earlier state. */
const NO_TIME_TRAVEL =
  'Holdfast does not support time travel: the same data is also on disk, in other tabs and on the server.';

/** Buttons that would change stored data. */
const REFUSED: ReadonlySet<string> = new Set([
  'RESET',
  'ROLLBACK',
  'JUMP_TO_STATE',
  'JUMP_TO_ACTION',
  'TOGGLE_ACTION',
  'IMPORT_STATE',
  'LOCK_CHANGES',
  'REORDER_ACTION',
]);

/** The features offered to the monitor. */
const FEATURES = {
  pause: true,
  export: true,
  dispatch: true,
  lock: false,
  persist: false,
  import: false,
  jump: false,
  skip: false,
  reorder: false,
  test: false,
};

/** How the extension serializes values that JSON cannot represent. */
const SERIALIZE = { options: { undefined: true, infinity: true, nan: true, date: true, error: true } };

/** Sends each commit to the Redux DevTools. */
export class ReduxBridge {
  readonly #connection: Connection;
  readonly #options: Required<DevtoolsOptions>;
  readonly #read: () => State;
  readonly #unsubscribe: () => void;
  /** Whether the monitor is paused. */
  #isPaused = false;
  /** Whether a monitor may be open. */
  #isWatched = true;

  /** @returns undefined if there is no extension */
  static connect(options: Required<DevtoolsOptions>, read: () => State): ReduxBridge | undefined {
    const extension = findExtension();
    return extension && new ReduxBridge(extension.connect(connectOptions(options)), options, read);
  }

  private constructor(connection: Connection, options: Required<DevtoolsOptions>, read: () => State) {
    this.#connection = connection;
    this.#options = options;
    this.#read = read;
    const unsubscribe = connection.subscribe((message) => this.#onMessage(message));
    this.#unsubscribe = unsubscribe ?? (() => undefined);
    connection.init(this.#state(read()));
  }

  send(commit: Commit): void {
    if (this.#isPaused || !this.#isWatched) return;
    this.#connection.send(reduxAction(commit, this.#options.maxChanges), this.#state(commit.head));
  }

  stop(): void {
    this.#isWatched = false;
    this.#unsubscribe();
  }

  #state(state: State): object {
    return this.#options.state === 'full' ? fullState(state) : counts(state);
  }

  #onMessage({ type, payload }: MonitorMessage): void {
    if (type === 'START') {
      this.#isWatched = true;
      this.#connection.init(this.#state(this.#read()));
    } else if (type === 'STOP') {
      this.#isWatched = false;
    } else if (type === 'DISPATCH') {
      this.#dispatch(payload);
    } else if (type === 'ACTION' && String(payload).includes('holdfast/state')) {
      // Typed into the monitor's dispatcher.
      this.#connection.send({ type: 'holdfast/state' }, fullState(this.#read()));
    }
  }

  #dispatch(payload: unknown): void {
    const { type, status } = (payload ?? {}) as { readonly type?: string; readonly status?: boolean }; // created by the extension
    if (type === 'PAUSE_RECORDING') this.#isPaused = status === true;
    else if (type === 'COMMIT') this.#connection.init(this.#state(this.#read()));
    else if (type !== undefined && REFUSED.has(type)) this.#connection.error?.(NO_TIME_TRAVEL);
  }
}

function connectOptions({ name }: Required<DevtoolsOptions>): object {
  return { name, features: FEATURES, serialize: SERIALIZE };
}

/** A summary at constant cost. */
function counts({ tables, results }: State): object {
  const rows = Object.entries(tables).map(([table, { size }]) => [table, size] as const);
  return { rows: Object.fromEntries(rows), results: results.size };
}

/** All data, as plain objects. */
function fullState({ tables, results }: State): object {
  const rows = Object.entries(tables).map(
    ([table, stored]) => [table, Object.fromEntries(stored.entries())] as const,
  );
  return { rows: Object.fromEntries(rows), results: Object.fromEntries(results.entries()) };
}
