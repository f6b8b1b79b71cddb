import {
  HoldfastError,
  NetworkError,
  type Commit,
  type Controller,
  type EntityClass,
  type LayerId,
  type Mutation,
  type PluginRequest,
  type PluginStatus,
  type SideRecords,
  type Unsent,
} from 'holdfast';
import { Arrivals } from './Arrivals.ts';
import { Database } from './Database.ts';
import { Drainer } from './Drainer.ts';
import { webLocks, type Locks } from './Lease.ts';
import { Ledger, NAME } from './Ledger.ts';
import type { OutboxOptions, OutboxPlugin, OutboxState } from './OutboxOptions.ts';
import { readAfter } from './readAfter.ts';
import { Registry } from './Registry.ts';
import { Session, type Sign } from './Session.ts';
import { cancelled, reject, Sender } from './Sender.ts';
import { PACING, type Pacing } from './Showing.ts';
import { scopedName } from '../shared/scopedName.ts';
import { SideKeeper } from './SideKeeper.ts';
import { registerSync } from './sync.ts';
import { Waiting } from './Waiting.ts';

const EMPTY: OutboxState = { state: 'working', entries: [], pending: [], sending: [], failed: [] };

/** What a test may put in the place of what the browser has. */
export interface QueueParts {
  readonly database?: Database;
  readonly locks?: Locks | undefined;
  readonly pacing?: Pacing;
  /** In ms; see `READ_WITHIN`. */
  readonly readWithin?: number;
}

/**
 * A database that does not open yet may hold mutations that come before all others: nothing is sent until it has been
 * read, or has not opened for this long, in ms.
 */
const READ_WITHIN = 10_000;

/** What an outbox has once it has been started. */
interface Parts {
  readonly controller: Controller;
  readonly ledger: Ledger;
  readonly arrivals: Arrivals;
  readonly sender: Sender;
  readonly waiting: Waiting;
  readonly drainer: Drainer;
  readonly session: Session;
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
  /** Whether a log-out has left entries on disk that nobody has signed in for since. */
  #isAsleep = false;
  #resets = 0;
  /** Whether it is finding out if somebody has signed in. */
  #isLooking = false;
  readonly #readWithin: number;
  /** Whether mutations may be sent: what was on disk is known, or nobody can wait for it any longer. */
  #isReadable = false;
  #becomeReadable: () => void = () => undefined;
  readonly #readable = new Promise<void>((resolve) => {
    this.#becomeReadable = () => {
      this.#isReadable = true;
      resolve();
    };
  });
  /** Whether the disk was read when it was last asked. */
  #isRead = true;
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
    this.syncTag = scopedName(name, scope);
    this.#database = parts.database ?? new Database(this.syncTag);
    this.#pacing = parts.pacing ?? PACING;
    this.#locks = 'locks' in parts ? parts.locks : webLocks();
    this.#readWithin = parts.readWithin ?? READ_WITHIN;
    this.#database.onLost((records) =>
      this.#tell(`Mutations kept in the outbox cannot be read any more and are lost (${records})`, undefined),
    );
    this.#database.onReplaced(() => {
      if (this.#parts?.ownKeeper === undefined) return;
      this.#tell(
        'The outbox was deleted while the app was running; what is pending is written again',
        undefined,
      );
      this.sideLost();
    });
  }

  get isTaken(): boolean {
    return this.#parts !== undefined;
  }

  start(controller: Controller): Promise<void> {
    const storage = controller.plugins.find((plugin) => plugin.side !== undefined);
    const keeper = storage === undefined ? this.#database : new SideKeeper(controller, storage, NAME);
    const ledger = new Ledger(this.#options, this.#registry, controller, keeper);
    const arrivals = new Arrivals(ledger, controller, this.#pacing);
    const session = new Session(this.#options, (run, delay) => controller.schedule(run, delay));
    const sender = new Sender(controller, ledger, this.#options, session);
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
        // While an attempt was on its way, somebody may have signed in.
        if (ledger.entries.unauthorized().some(({ isPaused }) => isPaused)) void this.#mayBeSignedIn('read');
        // Not at each rest: an attempt of the worker that fails wakes this tab too, and the browser may be wrong in
        // thinking that it is online. Each asks the other then, for as long as the server is down.
        if (!this.#isSyncDue || ledger.entries.isDrained) return;
        this.#isSyncDue = false;
        registerSync(this.syncTag);
      },
      isPaused: () => this.#isAsleep,
      failed: (cause) => this.#tell('The outbox could not send what is pending; it tries again later', cause),
    });
    const ownKeeper = keeper === this.#database ? this.#database : undefined;
    this.#parts = { controller, ledger, arrivals, sender, waiting, drainer, session, ownKeeper };
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
      void this.#mayBeSignedIn('activity');
      void Promise.all([entry.kept, this.#starting.catch(() => undefined)]).then(() => this.#wake());
    });
  }

  request(request: PluginRequest, next: (request: PluginRequest) => Promise<unknown>): Promise<unknown> {
    const parts = this.#parts;
    if (parts === undefined) return next(request);
    const isMutation = request.endpoint.sideEffect === true;
    const response = isMutation ? next(request) : readAfter(parts, request, next);
    const { sender } = parts;
    response.then(
      () => sender.heard(),
      (error: unknown) => error instanceof NetworkError && error.isFromApi && sender.heard(),
    );
    // Such as that of a log-in. What is sent from here says nothing of others.
    if (this.#needsAuth && this.#registry.find(request.endpoint.name) === undefined)
      response.then(
        () => this.#mayBeSignedIn(isMutation ? 'login' : 'read'),
        () => undefined,
      );
    return response;
  }

  commit(commit: Commit): void {
    this.#parts?.ledger.committed(commit);
  }

  settles(records: SideRecords): readonly LayerId[] {
    const parts = this.#parts;
    if (parts === undefined) return [];
    const { layers, ...news } = parts.arrivals.settles(records);
    // Once the rows that came with it are there.
    queueMicrotask(() => {
      if (this.#isStopped) return;
      void parts.arrivals.showNew().then(() => this.#wake());
      parts.waiting.doneElsewhere(news);
    });
    return layers;
  }

  async catchUp(): Promise<void> {
    await this.#read();
    // Whoever left it there may be gone.
    if (!this.#isStopped) void this.#wake();
  }

  async reset(origin: string, unsent: Unsent = 'discard'): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined) return;
    const { ledger, ownKeeper } = parts;
    const isKept = unsent === 'keep';
    this.#resets += 1;
    const dropped = [...ledger.entries.all()];
    parts.sender.clear();
    const through = ledger.clear();
    parts.arrivals.clear(through, isKept);
    parts.waiting.dropped(dropped, isKept);
    this.#isAsleep = isKept && (this.#isAsleep || dropped.length > 0);
    ledger.entries.isAsleep = this.#isAsleep;
    if (isKept) return;
    ownKeeper?.forget(through);
    if (origin === 'app') await ownKeeper?.clear(through);
  }

  sideLost(): void {
    if (this.#parts === undefined) return;
    this.#parts.arrivals.lost();
    this.#parts.ledger.keepAgain();
  }

  async flush(): Promise<void> {
    // The storage plugin's own flush writes what it keeps.
    await this.#parts?.ownKeeper?.flush();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    const parts = this.#parts;
    if (parts !== undefined) {
      // What is on its way may have arrived: it is sent again with its key.
      parts.sender.stop();
      const stopped = parts.drainer.stop();
      parts.arrivals.stop();
      parts.sender.store();
      await Promise.all([stopped, parts.ownKeeper?.flush().catch(() => undefined)]);
      await parts.ledger.records.written;
      parts.waiting.releaseAll();
    }
    await this.#database.close();
  }

  retry = (key: string): void => {
    const { ledger, drainer } = this.#started;
    const entry = ledger.entries.get(key);
    if (entry === undefined || entry.isSending) return;
    if (entry.isFailed) ledger.revive(entry);
    else ledger.entries.lift([entry]);
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

  resume = async (): Promise<boolean> => {
    await this.#starting.catch(() => undefined);
    await this.#lift();
    return this.drain();
  };

  drain = async (): Promise<boolean> => {
    await this.#starting.catch(() => undefined);
    const { controller, ledger, drainer } = this.#started;
    await this.#mayBeSignedIn('activity');
    const isUnderWay = drainer.isRunning;
    this.#hurry();
    // What others have sent, it may not even have heard of: reads the outbox, and what came of it.
    await controller.catchUp();
    if (!this.#isReadable) return false;
    await drainer.wake();
    if (isUnderWay && !ledger.entries.isDrained) {
      // An attempt from before it was asked says nothing of now.
      this.#hurry();
      await drainer.wake();
    }
    return ledger.entries.isDrained && !this.#isAsleep && this.#isRead;
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
    const { controller } = this.#started;
    await this.#read();
    if (this.#isStopped) return;
    const { environment } = controller;
    let { isOnline: wasOnline, isVisible: wasVisible } = environment;
    this.#unsubscribe = environment.subscribe(() => {
      const isBack = environment.isOnline && !wasOnline;
      if (isBack || (environment.isVisible && !wasVisible)) void this.#mayBeSignedIn('activity');
      wasOnline = environment.isOnline;
      wasVisible = environment.isVisible;
      // What failed for want of a network may go at once.
      if (isBack) this.#hurry();
      void this.#wake();
    });
    void this.#wake();
  }

  /** Sends what can be sent, once it is known what comes first. */
  async #wake(): Promise<void> {
    await this.#readable;
    if (!this.#isStopped) await this.#parts?.drainer.wake();
  }

  /** Lets nothing wait any longer for its next attempt. */
  #hurry(): void {
    for (const entry of this.#started.ledger.entries.all()) entry.retryAt = 0;
  }

  /** Whether entries wait for somebody to sign in. */
  get #needsAuth(): boolean {
    if (this.#isStopped) return false;
    return this.#isAsleep || (this.#parts?.ledger.entries.unauthorized().length ?? 0) > 0;
  }

  /** Something has happened that may be a sign of somebody having signed in. */
  async #mayBeSignedIn(sign: Sign): Promise<void> {
    if (!this.#needsAuth || this.#isLooking || this.#started.session.isAsking) return;
    this.#isLooking = true;
    try {
      if (!(await this.#started.session.mayHaveChanged(sign)) || this.#isStopped) return;
      // Headers that are others each time must not make for many attempts.
      await this.#lift(sign !== 'read');
      void this.#wake();
    } finally {
      this.#isLooking = false;
    }
  }

  /** Has everything tried again; takes in what was kept for whoever signs in. */
  async #lift(isAtOnce = true): Promise<void> {
    const { ledger, arrivals } = this.#started;
    const held = [...ledger.entries.all()].filter(({ hold }) => hold !== undefined);
    ledger.entries.lift(held, isAtOnce);
    if (!this.#isAsleep) return;
    const resets = this.#resets;
    arrivals.wake();
    // Nothing is sent before: what was kept comes before what was asked for since.
    await this.#read();
    if (resets !== this.#resets) return;
    this.#isAsleep = ledger.entries.isAsleep = false;
  }

  async #read(): Promise<void> {
    const { arrivals, waiting } = this.#started;
    try {
      waiting.doneElsewhere(await arrivals.read());
      this.#isRead = true;
      this.#becomeReadable();
    } catch (cause) {
      this.#tell('The outbox cannot be read; it goes on from memory', cause);
      this.#isRead = false;
      if (!isLate(cause)) this.#becomeReadable();
      else if (!this.#isReadable) this.#readLater();
    }
  }

  #readLater(): void {
    const { controller, ownKeeper } = this.#started;
    controller.schedule(() => this.#becomeReadable(), this.#readWithin);
    // A storage plugin has everybody catch up once its database is open.
    void ownKeeper?.openedLate().then((isOpen) => (isOpen && !this.#isStopped ? this.catchUp() : undefined));
  }

  #tell(message: string, cause: unknown): void {
    const { onError = (error: HoldfastError) => console.error(error) } = this.#options;
    onError(new HoldfastError('HF_STORAGE', message, { cause }));
  }
}

/** Whether a database could not be read since it does not open yet. */
function isLate(cause: unknown): boolean {
  const { name, cause: reason } = (cause ?? {}) as { readonly name?: unknown; readonly cause?: unknown }; // whatever was thrown
  return name === 'TimeoutError' || (reason !== undefined && isLate(reason));
}
