/** One call of an endpoint that waits to be answered by the test. */
export interface HeldCall {
  readonly args: readonly unknown[];
  resolve(response: unknown): void;
  reject(error: unknown): void;
}

/** A function for endpoints whose every call waits until the test answers it. */
export class Held {
  readonly calls: HeldCall[] = [];

  /** The function of the endpoint. */
  readonly fetch = (...args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      this.calls.push({ args, resolve, reject });
    });

  /** The call with this number, which must have been made. */
  call(number: number): HeldCall {
    const call = this.calls[number];
    if (call === undefined) throw new Error(`There were only ${this.calls.length} calls`);
    return call;
  }
}

/** Resolves in a later task, when the reactions to settled promises have run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    // jsdom has no setImmediate.
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve);
  });
}

/** An error with an HTTP status, as an endpoint over HTTP throws it. */
export class StatusError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`Status ${status}`);
    this.status = status;
  }
}
