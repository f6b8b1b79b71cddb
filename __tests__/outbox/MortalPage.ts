import type { Commit } from 'holdfast';
import { tabs } from 'holdfast/tabs';
import { IdbStorage } from '../../plugins/indexeddb/storage/IdbStorage.ts';
import { OutboxDatabase } from '../../plugins/outbox/storage/OutboxDatabase.ts';
import type { Locks } from '../../plugins/outbox/sending/withLock.ts';
import { mortal, PATIENT, Process } from '../indexeddb/mortal.ts';
import { makePage, type Device, type Page, type Server } from '../support/outbox.ts';

/** What the pages have of the browser. */
export interface Setting {
  /** Whether entries lie with the rows, or in a database of the outbox's own. */
  readonly withStorage: boolean;
  /** Whether there are Web Locks, or a lease takes their place. */
  readonly withLocks: boolean;
  /** Whether mutations are shown at once. Default: true. */
  readonly isOptimistic?: boolean;
}

/** How a page lives. */
export interface Life {
  /** After how many steps it is killed. Default: it is not. */
  readonly steps?: number;
  /** Whether it talks with the others. Default: true. */
  readonly isHeard?: boolean;
  /** Gives the headers of each attempt. */
  readonly init?: () => RequestInit;
  /** Called after each reset of its data. */
  readonly onReset?: (page: Page) => void;
  /** Its database of the outbox, where it is not one of its own connection. */
  readonly database?: OutboxDatabase;
  /** How long it waits for a database to open, in ms. Default: `PATIENT`. */
  readonly openWithin?: number;
}

/** Web Locks of one device. */
export class DeviceLocks implements Locks {
  #last: Promise<unknown> = Promise.resolve();

  request(_: string, run: () => Promise<void>): Promise<unknown> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/**
 * A page that may be killed at any step: before or after it uses its disk or the network, or within a transaction.
 * From then on it does nothing, and holds no lock and no channel.
 */
export class MortalPage {
  readonly page: Page;
  readonly #process: Process;

  constructor(server: Server, device: Device, locks: DeviceLocks, setting: Setting, life: Life = {}) {
    const { steps = Infinity, isHeard = true, init = () => ({}), openWithin = PATIENT, onReset } = life;
    const { database = new OutboxDatabase('holdfast-outbox', openWithin) } = life;
    const process = new Process(new IdbStorage('app', openWithin), Infinity);
    this.#process = process;
    const own: Locks = {
      request: (name, run) =>
        locks.request(name, () =>
          process.isDead ? Promise.resolve() : Promise.race([run(), process.death]),
        ),
    };
    const screen = {
      name: 'screen',
      commit: ({ action }: Commit): void => {
        if (action.type === 'reset') setImmediate(() => (process.isDead ? undefined : onReset?.(this.page)));
      },
    };
    this.page = withChannelsOf(process, () =>
      makePage(mortal(server, process), device, {
        withStorage: setting.withStorage,
        isOptimistic: setting.isOptimistic ?? true,
        init,
        timeout: 2_000,
        storage: process.storage,
        more: [...(isHeard ? [tabs({ name: 'app' })] : []), screen],
        schedule: (run, delay) => device.schedule(() => (process.isDead ? undefined : run()), delay),
        parts: {
          database: mortal(database, process),
          locks: setting.withLocks ? own : undefined,
          // Few at once, so that concurrent events are tested as well.
          readWithin: Infinity,
          pacing: { size: 2, pause: () => new Promise((resolve) => setImmediate(resolve)) },
        },
      }),
    );
    process.dieAfter(steps);
  }

  get isDead(): boolean {
    return this.#process.isDead;
  }

  /** Resolves when it has started, or died. */
  get started(): Promise<unknown> {
    return Promise.race([this.page.controller.ready, this.#process.death]);
  }

  /** @param steps - how many more it lives */
  dieAfter(steps: number): void {
    this.#process.dieAfter(steps);
  }

  kill(): void {
    this.#process.kill();
  }

  /** Goes as a page does that is closed, unless it is dead. */
  async leave(): Promise<void> {
    if (!this.isDead) await Promise.race([this.page.leave(), this.#process.death]);
  }
}

/** Makes something whose channels end with a process. */
export function withChannelsOf<T>(process: Process, make: () => T): T {
  const { BroadcastChannel } = globalThis;
  globalThis.BroadcastChannel = class extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      void process.death.then(() => super.close());
    }

    override postMessage(message: unknown): void {
      if (!process.isDead) super.postMessage(message);
    }
  };
  try {
    return make();
  } finally {
    globalThis.BroadcastChannel = BroadcastChannel;
  }
}
