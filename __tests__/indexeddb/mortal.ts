import type { Storage } from '../../plugins/indexeddb/storage/Storage.ts';

/** How long opening may take, in ms: however busy the machine is, no process continues without the disk. */
export const PATIENT = 60_000;

/** The process that uses a storage. It dies at a step of its storage: before or after an operation, or within one. */
export class Process {
  readonly storage: Storage;
  /** Resolves when the process dies. */
  readonly death: Promise<void>;
  #stepsLeft: number;
  #die: () => void = () => undefined;

  /** @param steps - how many steps of its storage the process lives */
  constructor(storage: Storage, steps: number) {
    this.#stepsLeft = steps;
    this.death = new Promise((resolve) => {
      this.#die = () => {
        this.#stepsLeft = 0;
        storage.close();
        resolve();
      };
    });
    this.storage = mortal(storage, this);
  }

  get isDead(): boolean {
    return this.#stepsLeft <= 0;
  }

  kill(): void {
    if (!this.isDead) this.#die();
  }

  /** It dies after so many more steps, of those too that are taken through `mortal`. */
  dieAfter(steps: number): void {
    if (!this.isDead) this.#stepsLeft = steps;
  }

  /** Returns whether the process lives on. */
  step(): boolean {
    if (this.isDead) return false;
    this.#stepsLeft -= 1;
    if (this.#stepsLeft <= 0) this.#die();
    return !this.isDead;
  }
}

class Died extends Error {}

/**
 * The same storage, or another service whose methods return promises, for a process that may die. Operations that are
 * pending at its death never settle.
 * A transaction in which it dies is undone, as a browser does; one that was complete stays.
 */
export function mortal<T extends object>(service: T, process: Process): T {
  return everyMethod(service, (method, args) => {
    if (AT_ONCE.includes(method.name)) return method.apply(service, args);
    // A listener is called while the process lives.
    if (method.name.startsWith('on'))
      return method.apply(
        service,
        args.map(
          (listener) =>
            (...news: unknown[]) =>
              process.isDead ? undefined : (listener as Method)(...news), // it takes nothing else
        ),
      );
    return operate(service, process, method, args);
  });
}

/** The methods of services that give no promise. */
const AT_ONCE = ['close', 'prepareUnload', 'noteReset'];

async function operate(service: object, process: Process, method: Method, args: unknown[]): Promise<unknown> {
  if (!process.step()) return never();
  try {
    const done: unknown = await method.apply(
      service,
      args.map((arg) => withinTransaction(arg, process)),
    );
    return process.step() ? done : await never();
  } catch (error) {
    if (process.isDead) return never();
    throw error;
  }
}

/** What a process does within a transaction: each use of the view is a step. */
function withinTransaction(argument: unknown, process: Process): unknown {
  if (typeof argument !== 'function') return argument;
  return async (view: object, ...rest: unknown[]): Promise<unknown> => {
    const seen = everyMethod(view, (method, args) =>
      process.step() ? method.apply(view, args) : Promise.reject(new Died()),
    );
    const done: unknown = await Reflect.apply(argument, undefined, [seen, ...rest]);
    if (process.isDead) throw new Died();
    return done;
  };
}

type Method = (...args: unknown[]) => unknown;

function everyMethod<T extends object>(of: T, call: (method: Method, args: unknown[]) => unknown): T {
  return new Proxy(of, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => call(member as Method, args); // any function may be called
    },
  });
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
