import {
  HoldfastError,
  type Controller,
  type EntityClass,
  type LayerId,
  type Mutation,
  type PluginRequest,
  type PluginStatus,
  type SideRecords,
} from 'holdfast';
import { Arrivals } from './Arrivals.ts';
import { Database } from './Database.ts';
import { Drainer } from './Drainer.ts';
import { webLocks, type Locks } from './Lease.ts';
import { Ledger, NAME } from './Ledger.ts';
import type { OutboxOptions, OutboxPlugin, OutboxState } from './OutboxOptions.ts';
import { readAfter } from './readAfter.ts';
import { Registry } from './Registry.ts';
import { cancelled, reject, Sender } from './Sender.ts';
import { PACING, type Pacing } from './Showing.ts';
import { SideKeeper } from './SideKeeper.ts';
import { registerSync } from './sync.ts';
import { Waiting } from './Waiting.ts';

const EMPTY: OutboxState = { entries: [], pending: [], sending: [], failed: [] };

/** What a test may put in the place of what the browser has. */
export interface QueueParts {
  readonly database?: Database;
  readonly locks?: Locks | undefined;
  readonly pacing?: Pacing;
}

/** What an outbox has once it has been started. */
interface Parts {
  readonly controller: Controller;
  readonly ledger: Ledger;
  readonly arrivals: Arrivals;
  readonly sender: Sender;
  readonly waiting: Waiting;
  readonly drainer: Drainer;
  /** Where it has its own. */
  readonly ownKeeper: Database | undefined;
}

/** The plugin. */
export class OfflineQueue implements OutboxPlugin {
  readonly name = NAME;
  readonly syncTag: string;
  readonly status: PluginStatus<OutboxState> = {
    initial: EMPTY,
    get: () => this.#parts?.ledger.entries.state ?? EMPTY,
    subscribe: (listener) => this.#parts?.ledger.entries.subscribe(listener) ?? (() => undefined),
  };
  readonly #options: OutboxOptions;
  readonly #registry: Registry;
  readonly #database: Database;
  readonly #locks: Locks | undefined;
  readonly #pacing: Pacing;
  #parts: Parts | undefined;
  #starting: Promise<void> = Promise.resolve();
  #unsubscribe: () => void = () => undefined;
  #isStopped = false;
  /** Whether the browser is to be asked for a background sync: for what lay here, and for each that this tab adds. */
  #isSyncDue = true;

  /** @throws HoldfastError `HF_OUTBOX_NAME` when two endpoints have one name */
  constructor(options: OutboxOptions, parts: QueueParts = {}) {
    const { name = 'holdfast-outbox', scope } = options;
    this.#options = options;
    this.#registry = new Registry(options.endpoints);
    this.syncTag = scope === undefined ? name : `${name}:${scope}`;
    this.#database = parts.database ?? new Database(this.syncTag);
    this.#pacing = parts.pacing ?? PACING;
    this.#locks = 'locks' in parts ? parts.locks : webLocks();
  }

  get isTaken(): boolean {
    return this.#parts !== undefined;
  }

  start(controller: Controller): Promise<void> {
    const storage = controller.plugins.find((plugin) => plugin.side !== undefined);
    const keeper = storage === undefined ? this.#database : new SideKeeper(controller, storage, NAME);
    const ledger = new Ledger(this.#options, this.#registry, controller, keeper);
    const arrivals = new Arrivals(ledger, controller, this.#pacing);
    const sender = new Sender(controller, ledger, this.#options);
    const waiting = new Waiting(ledger, sender);
    const drainer = new Drainer({
      controller,
      entries: ledger.entries,
      name: this.syncTag,
      lease: this.#database,
      locks: this.#locks,
      attempt: (entry, isMine) => sender.attempt(entry, isMine),
      store: () => sender.store(),
      begins: () => this.#read(),
      ends: () => ledger.records.written,
      rests: () => {
        waiting.rest(drainer);
        // Not at each rest: an attempt of the worker that fails wakes this tab too, and the browser may be wrong in
        // thinking that it is online. Each asks the other then, for as long as the server is down.
        if (!this.#isSyncDue || ledger.entries.isDrained) return;
        this.#isSyncDue = false;
        registerSync(this.syncTag);
      },
      failed: (cause) => this.#tell('The outbox could not send what is pending; it tries again later', cause),
    });
    const ownKeeper = keeper === this.#database ? this.#database : undefined;
    this.#parts = { controller, ledger, arrivals, sender, waiting, drainer, ownKeeper };
    this.#starting = this.#start();
    return this.#starting;
  }

  mutate(mutation: Mutation): Promise<unknown> | undefined {
    const parts = this.#parts;
    if (parts === undefined || this.#isStopped || this.#registry.find(mutation.endpoint.name) === undefined)
      return undefined;
    return new Promise((resolve, reject) => {
      // What cannot be stored rejects it: a promise's executor that throws does so.
      const entry = parts.ledger.enter(mutation, { resolve, reject });
      parts.waiting.add(entry);
      this.#isSyncDue = true;
      void Promise.all([entry.kept, this.#starting.catch(() => undefined)]).then(() => parts.drainer.wake());
    });
  }

  request(request: PluginRequest, next: (request: PluginRequest) => Promise<unknown>): Promise<unknown> {
    const parts = this.#parts;
    if (parts === undefined || request.endpoint.sideEffect === true) return next(request);
    return readAfter(parts, request, next);
  }

  settles(records: SideRecords): readonly LayerId[] {
    const parts = this.#parts;
    if (parts === undefined) return [];
    const { layers, ...news } = parts.arrivals.settles(records);
    // Once the rows that came with it are there.
    queueMicrotask(() => {
      if (this.#isStopped) return;
      void parts.arrivals.showNew().then(() => parts.drainer.wake());
      parts.waiting.doneElsewhere(news);
    });
    return layers;
  }

  async catchUp(): Promise<void> {
    await this.#read();
    // Whoever left it there may be gone.
    if (!this.#isStopped) void this.#parts?.drainer.wake();
  }

  async reset(origin: string): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined) return;
    const dropped = [...parts.ledger.entries.all()];
    parts.sender.clear();
    const through = parts.ledger.clear();
    parts.arrivals.clear(through);
    parts.ownKeeper?.forget(through);
    parts.waiting.dropped(dropped);
    if (origin === 'app') await parts.ownKeeper?.clear(through);
  }

  async flush(): Promise<void> {
    // The storage plugin's own flush writes what it keeps.
    await this.#parts?.ownKeeper?.write([]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    const parts = this.#parts;
    if (parts !== undefined) {
      parts.drainer.stop();
      parts.arrivals.stop();
      parts.sender.store();
      await parts.ledger.records.written;
      parts.waiting.releaseAll();
    }
    await this.#database.close();
  }

  retry = (key: string): void => {
    const { ledger, drainer } = this.#started;
    const entry = ledger.entries.get(key);
    if (entry === undefined || entry.isSending) return;
    entry.retryAt = 0;
    if (entry.isFailed) ledger.revive(entry);
    void drainer.wake();
  };

  discard = (key: string): boolean => {
    const { ledger, drainer } = this.#started;
    const entry = ledger.entries.get(key);
    if (entry === undefined || entry.isSending) return false;
    for (const gone of ledger.withdraw(entry)) reject(gone, cancelled(gone));
    void drainer.wake();
    return true;
  };

  edit = (key: string, args: readonly unknown[]): boolean => {
    const { ledger, drainer } = this.#started;
    const entry = ledger.entries.get(key);
    if (entry === undefined || entry.isSending) return false;
    if (entry.isFailed) ledger.revive(entry, args);
    else ledger.edit(entry, args);
    entry.retryAt = 0;
    void drainer.wake();
    return true;
  };

  drain = async (): Promise<boolean> => {
    await this.#starting.catch(() => undefined);
    const { controller, ledger, drainer } = this.#started;
    const isUnderWay = drainer.isRunning;
    this.#hurry();
    // What others have sent, it may not even have heard of: reads the outbox, and what came of it.
    await controller.catchUp();
    await drainer.wake();
    if (isUnderWay && !ledger.entries.isDrained) {
      // An attempt from before it was asked says nothing of now.
      this.#hurry();
      await drainer.wake();
    }
    return ledger.entries.isDrained;
  };

  isPending = (entity: object): boolean => {
    const Class = entity.constructor as EntityClass; // what it is an instance of
    return this.#started.ledger.entries.concerns(Class.key, Class.pk(entity) ?? '');
  };

  get #started(): Parts {
    if (this.#parts === undefined)
      throw new HoldfastError(
        'HF_PLUGIN',
        'outbox() is used before a controller has started it; give it to one',
      );
    return this.#parts;
  }

  async #start(): Promise<void> {
    const { controller, drainer } = this.#started;
    await this.#read();
    if (this.#isStopped) return;
    const { environment } = controller;
    let wasOnline = environment.isOnline;
    this.#unsubscribe = environment.subscribe(() => {
      const isBack = environment.isOnline && !wasOnline;
      wasOnline = environment.isOnline;
      // What failed for want of a network may go at once.
      if (isBack) this.#hurry();
      void drainer.wake();
    });
    void drainer.wake();
  }

  /** Lets nothing wait any longer for its next attempt. */
  #hurry(): void {
    for (const entry of this.#started.ledger.entries.all()) entry.retryAt = 0;
  }

  async #read(): Promise<void> {
    const { arrivals, waiting } = this.#started;
    try {
      waiting.doneElsewhere(await arrivals.read());
    } catch (cause) {
      this.#tell('The outbox cannot be read; it goes on from memory', cause);
    }
  }

  #tell(message: string, cause: unknown): void {
    const { onError = (error: HoldfastError) => console.error(error) } = this.#options;
    onError(new HoldfastError('HF_STORAGE', message, { cause }));
  }
}
