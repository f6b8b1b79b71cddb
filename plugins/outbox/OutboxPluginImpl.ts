import {
  HoldfastError,
  NetworkError,
  onEnvironmentChange,
  type AnyPlugin,
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
import { RemoteEntries } from './queue/RemoteEntries.ts';
import { OutboxDatabase } from './storage/OutboxDatabase.ts';
import { decodeArgs } from './storage/bodies.ts';
import { Drainer } from './sending/Drainer.ts';
import { countsOf } from './queue/OutboxStateCache.ts';
import type { Locks } from './sending/Lease.ts';
import { webLocks } from '../shared/locks.ts';
import { Queue, NAME } from './queue/Queue.ts';
import type { OutboxEntry, OutboxOptions, OutboxPlugin, OutboxState } from './OutboxOptions.ts';
import { readAfterQueue } from './sending/readAfterQueue.ts';
import { Registry } from './queue/Registry.ts';
import { Session, strongerSignal, type SessionSignal } from './sending/Session.ts';
import { cancelledError, reject, Sender } from './sending/Sender.ts';
import { PACING, type Pacing } from './queue/LayerReplay.ts';
import { scopedName } from '../shared/scopedName.ts';
import { SideRecordStore } from './storage/SideRecordStore.ts';
import { UnloadJournal } from './storage/UnloadJournal.ts';
import { onPageLifecycle } from '../shared/pageLifecycle.ts';
import { registerSync } from './sending/sync.ts';
import { PendingPromises } from './queue/PendingPromises.ts';

const EMPTY: OutboxState = {
  state: 'working',
  entries: [],
  pending: [],
  sending: [],
  failed: [],
  counts: countsOf(() => 0),
};

/** Replaceable parts, for tests. */
export interface OutboxPluginDeps {
  readonly database?: OutboxDatabase;
  readonly locks?: Locks | undefined;
  readonly pacing?: Pacing;
  /** In ms; see `READ_WITHIN`. */
  readonly readWithin?: number;
}

/** How long sending waits for a database that does not open, in ms: it may hold earlier mutations. */
const READ_WITHIN = 10_000;

/** The parts of a started outbox. */
interface StartedOutbox {
  readonly controller: Controller;
  readonly queue: Queue;
  readonly remote: RemoteEntries;
  readonly sender: Sender;
  readonly promises: PendingPromises;
  readonly drainer: Drainer;
  readonly session: Session;
  /** Undefined with a storage plugin. */
  readonly ownStore: OutboxDatabase | undefined;
}

/** The plugin. */
export class OutboxPluginImpl implements OutboxPlugin {
  readonly name = NAME;
  readonly syncTag: string;
  readonly status: PluginStatus<OutboxState> = {
    initial: EMPTY,
    get: () => this.#parts?.queue.entries.state ?? EMPTY,
    subscribe: (listener) => this.#parts?.queue.entries.subscribe(listener) ?? (() => undefined),
  };
  readonly #options: OutboxOptions;
  readonly #registry: Registry;
  readonly #database: OutboxDatabase;
  readonly #locks: Locks | undefined;
  readonly #pacing: Pacing;
  /** Whether a logout has left entries on disk, and no sign-in followed. */
  #isParked = false;
  #resets = 0;
  /** The strongest signal that no check of the session has answered yet. */
  #signal: SessionSignal | undefined;
  /** The check of the session in progress. */
  #checking: Promise<void> | undefined;
  readonly #readWithin: number;
  /** Whether sending may start: stored entries are known, or have taken too long. */
  #isReadable = false;
  #markReadable: () => void = () => undefined;
  readonly #readable = new Promise<void>((resolve) => {
    this.#markReadable = () => {
      this.#isReadable = true;
      resolve();
    };
  });
  /** Whether the last read succeeded. */
  #isRead = false;
  #parts: StartedOutbox | undefined;
  #starting: Promise<void> = Promise.resolve();
  #unsubscribe: () => void = () => undefined;
  #unlisten: () => void = () => undefined;
  #isStopped = false;
  /** Whether to register a background sync: once for stored entries, and for each new one. */
  #isSyncDue = true;

  /** @throws HoldfastError `HF_OUTBOX_NAME` when two endpoints have one name */
  constructor(options: OutboxOptions, parts: OutboxPluginDeps = {}) {
    const { name = 'holdfast-outbox', scope } = options;
    this.#options = options;
    this.#registry = new Registry(options.endpoints);
    this.syncTag = scopedName(name, scope);
    this.#database = parts.database ?? new OutboxDatabase(this.syncTag);
    this.#pacing = parts.pacing ?? PACING;
    this.#locks = 'locks' in parts ? parts.locks : webLocks();
    this.#readWithin = parts.readWithin ?? READ_WITHIN;
    this.#database.onLost((records) =>
      this.#report(`Queued mutations can no longer be read and are lost (${records})`, undefined),
    );
    this.#database.onReplaced(() => {
      if (this.#parts?.ownStore === undefined) return;
      this.#report(
        'The outbox was deleted while the app was running; pending mutations are written again',
        undefined,
      );
      void this.syncRecords('lost');
    });
  }

  get isAttached(): boolean {
    return this.#parts !== undefined;
  }

  start(controller: Controller): Promise<void> {
    const storage = controller.plugins.find((plugin) => plugin.side !== undefined);
    const store = storage === undefined ? this.#database : new SideRecordStore(controller, storage, NAME);
    const journal = this.#journalFor(storage);
    const queue = new Queue(this.#options, this.#registry, controller, store, journal);
    const remote = new RemoteEntries(queue, controller, this.#pacing);
    const session = new Session(this.#options, (run, delay) => controller.schedule(run, delay));
    const sender = new Sender(controller, queue, this.#options, session);
    const promises = new PendingPromises(queue, sender);
    const drainer = new Drainer({
      controller,
      entries: queue.entries,
      name: this.syncTag,
      lease: this.#database,
      locks: this.#locks,
      attempt: (entry, isMine) => sender.attempt(entry, isMine),
      store: () => sender.storeAnswered(),
      onStart: () => this.#read(),
      onEnd: () => queue.records.written,
      onIdle: () => {
        promises.releaseIdle(drainer);
        // The user may have signed in during an attempt.
        if (queue.entries.unauthorized().some(({ isPaused }) => isPaused)) void this.#checkSession('read');
        // Not whenever it is idle: a failed attempt of the service worker wakes this tab too, and the browser may
        // wrongly report to be online. They would wake each other for as long as the server is down.
        if (!this.#isSyncDue || queue.entries.isDrained) return;
        this.#isSyncDue = false;
        registerSync(this.syncTag);
      },
      isPaused: () => this.#isParked,
      onError: (cause) => this.#report('The outbox could not send pending mutations; it will retry', cause),
    });
    const ownStore = store === this.#database ? this.#database : undefined;
    this.#parts = { controller, queue, remote, sender, promises, drainer, session, ownStore };
    this.#unlisten = onPageLifecycle({ onLeave: () => queue.records.prepareUnload() });
    this.#starting = this.#start();
    return this.#starting;
  }

  mutate(mutation: Mutation): Promise<unknown> | undefined {
    const parts = this.#parts;
    if (parts === undefined || this.#isStopped || this.#registry.find(mutation.endpoint.name) === undefined)
      return undefined;
    return new Promise((resolve, reject) => {
      // If it cannot be stored, the promise rejects.
      const entry = parts.queue.enqueue(mutation, { resolve, reject });
      parts.promises.add(entry);
      this.#isSyncDue = true;
      void this.#checkSession('activity');
      void Promise.all([entry.firstWrite, this.#starting.catch(() => undefined)]).then(() => this.#wake());
    });
  }

  request(request: PluginRequest, next: (request: PluginRequest) => Promise<unknown>): Promise<unknown> {
    const parts = this.#parts;
    if (parts === undefined) return next(request);
    const isMutation = request.endpoint.sideEffect === true;
    const response = isMutation ? next(request) : readAfterQueue(parts, request, next);
    const { sender } = parts;
    const since = sender.failures;
    response.then(
      () => {
        sender.onApiAnswer();
        if (sender.onSuccess(since)) void this.#wake();
      },
      (error: unknown) => error instanceof NetworkError && error.isFromApi && sender.onApiAnswer(),
    );
    // Such as a login request. Requests of the outbox itself are no signal.
    if (this.#needsAuth && this.#registry.find(request.endpoint.name) === undefined)
      response.then(
        () => this.#checkSession(isMutation ? 'login' : 'read'),
        () => undefined,
      );
    return response;
  }

  commit(commit: Commit): void {
    this.#parts?.queue.onCommit(commit);
  }

  settles(records: SideRecords): readonly LayerId[] {
    const parts = this.#parts;
    if (parts === undefined) return [];
    const { layers, ...changes } = parts.remote.applyFromTab(records);
    // After the rows of the same commit are applied.
    queueMicrotask(() => {
      if (this.#isStopped) return;
      void parts.remote.replayNew().then(() => this.#wake());
      parts.promises.settleRemote(changes);
    });
    return layers;
  }

  async syncRecords(cause: 'missed' | 'lost'): Promise<void> {
    if (cause === 'lost') {
      this.#parts?.remote.onStorageLost();
      this.#parts?.queue.rewriteAll();
      return;
    }
    await this.#read();
    // The tab that added it may be gone.
    if (!this.#isStopped) void this.#wake();
  }

  async reset(origin: string, unsent: Unsent = 'discard'): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined) return;
    const { queue, ownStore } = parts;
    const isKept = unsent === 'keep';
    this.#resets += 1;
    const dropped = [...queue.entries.all()];
    parts.sender.clear();
    const through = queue.clear();
    parts.remote.clear(through, isKept);
    parts.promises.onReset(dropped, isKept);
    // Records that could not be read may be kept, too.
    this.#isParked = isKept && (this.#isParked || dropped.length > 0 || !this.#isRead);
    queue.entries.isParked = this.#isParked;
    if (isKept) return;
    queue.records.clearJournal(through);
    ownStore?.dropPending(through);
    if (origin === 'app') await ownStore?.clear(through);
  }

  async flush(): Promise<void> {
    // The storage plugin's own flush writes the entries.
    await this.#parts?.ownStore?.flush();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    this.#unlisten();
    const parts = this.#parts;
    if (parts !== undefined) {
      // A request in flight may have arrived; it is sent again with the same idempotency key.
      parts.sender.stop();
      const stopped = parts.drainer.stop();
      parts.remote.stop();
      parts.sender.storeAnswered();
      await Promise.all([stopped, parts.ownStore?.flush().catch(() => undefined)]);
      await parts.queue.records.written;
      parts.promises.releaseAll();
    }
    await this.#database.close();
  }

  retry = (key: string): void => {
    const { queue, drainer } = this.#started;
    const entry = queue.entries.get(key);
    if (entry === undefined || entry.isSending) return;
    if (entry.isDeadLetter) queue.requeue(entry);
    else queue.entries.unblock([entry]);
    void drainer.wake();
  };

  discard = (key: string): boolean => {
    const { queue, drainer } = this.#started;
    const entry = queue.entries.get(key);
    if (entry === undefined || entry.isSending) return false;
    for (const removed of queue.removeWithDependents(entry)) reject(removed, cancelledError(removed));
    void drainer.wake();
    return true;
  };

  edit = (key: string, args: readonly unknown[]): boolean => {
    const { queue, drainer } = this.#started;
    const entry = queue.entries.get(key);
    if (entry === undefined || entry.isSending) return false;
    if (entry.isDeadLetter) queue.requeue(entry, args);
    else queue.edit(entry, args);
    entry.retryAt = 0;
    void drainer.wake();
    return true;
  };

  resolve = (key: string, version: 'mine' | 'theirs' | readonly unknown[]): boolean => {
    const { queue } = this.#started;
    const entry = queue.entries.get(key);
    if (entry?.status !== 'conflict') return false;
    if (version === 'theirs') {
      queue.showTheirs(entry);
      return this.discard(key);
    }
    const { mine } = entry.record.conflict ?? {};
    return this.edit(key, version !== 'mine' ? version : mine === undefined ? entry.args : decodeArgs(mine));
  };

  resume = async (): Promise<boolean> => {
    await this.#starting.catch(() => undefined);
    await this.#unblockAll();
    return this.drain();
  };

  drain = async (): Promise<boolean> => {
    await this.#starting.catch(() => undefined);
    const { controller, queue, drainer } = this.#started;
    await this.#checkSession('activity');
    const isUnderWay = drainer.isRunning;
    this.#retryNow();
    // Reads entries that other tabs have sent, and their results.
    await controller.catchUp();
    if (!this.#isReadable) return false;
    await drainer.wake();
    if (isUnderWay && !queue.entries.isDrained) {
      // An attempt from before this call proves nothing.
      this.#retryNow();
      await drainer.wake();
    }
    return queue.entries.isDrained && !this.#isParked && this.#isRead;
  };

  isPending = (entity: object): boolean => {
    const Class = entity.constructor as EntityClass; // its class
    return this.#started.queue.entries.rows.has(Class.key, Class.pk(entity) ?? '');
  };

  pendingFor = (entity: object): PluginStatus<OutboxEntry | undefined> => {
    const Class = entity.constructor as EntityClass; // its class
    const pk = Class.pk(entity) ?? '';
    const { rows } = this.#started.queue.entries;
    return {
      get: () => rows.find(Class.key, pk)?.view,
      subscribe: (listener) => rows.subscribe(Class.key, pk, listener),
    };
  };

  get #started(): StartedOutbox {
    if (this.#parts === undefined)
      throw new HoldfastError(
        'HF_PLUGIN',
        'outbox() is used before a controller has started it; pass it to one',
      );
    return this.#parts;
  }

  async #start(): Promise<void> {
    const { controller } = this.#started;
    await this.#read();
    if (this.#isStopped) return;
    const { environment } = controller;
    this.#unsubscribe = onEnvironmentChange(environment, ({ isReconnect, isReturn }) => {
      if (isReconnect || isReturn) void this.#checkSession('activity');
      // Entries that failed without a network, or while nobody looked, are due at once.
      if (isReconnect || isReturn) for (const entry of this.#started.queue.entries.all()) entry.hasten();
      void this.#wake();
    });
    void this.#wake();
  }

  /** Sends what can be sent, once stored entries are known. */
  async #wake(): Promise<void> {
    await this.#readable;
    if (!this.#isStopped) await this.#parts?.drainer.wake();
  }

  /** Makes every entry due now. */
  #retryNow(): void {
    for (const entry of this.#started.queue.entries.all()) entry.retryAt = 0;
  }

  /** Whether entries wait for a sign-in. */
  get #needsAuth(): boolean {
    if (this.#isStopped) return false;
    return this.#isParked || (this.#parts?.queue.entries.unauthorized().length ?? 0) > 0;
  }

  /** Checks the session after a signal that the user may have signed in, and again after those that arrive meanwhile. */
  #checkSession(signal: SessionSignal): Promise<void> {
    // Requests of `init` itself are no signal; nobody can tell them from others.
    if (!this.#needsAuth || (signal !== 'activity' && this.#started.session.isCallingInit))
      return this.#checking ?? Promise.resolve();
    this.#signal = strongerSignal(signal, this.#signal);
    this.#checking ??= this.#answerSignals();
    return this.#checking;
  }

  async #answerSignals(): Promise<void> {
    const { session } = this.#started;
    try {
      for (let signal = this.#signal; signal !== undefined && this.#needsAuth; signal = this.#signal) {
        this.#signal = undefined;
        if (!(await session.mayHaveChanged(signal)) || this.#isStopped) continue;
        // An `init` with different headers at each call must not cause many attempts.
        await this.#unblockAll(signal !== 'read');
        void this.#wake();
      }
    } finally {
      this.#signal = this.#checking = undefined;
    }
  }

  /** Has everything tried again, and reads parked entries. */
  async #unblockAll(isAtOnce = true): Promise<void> {
    const { queue, remote } = this.#started;
    const held = [...queue.entries.all()].filter(
      ({ needsAuth, isRequestBlocked }) => needsAuth || isRequestBlocked,
    );
    queue.entries.unblock(held, isAtOnce);
    if (!this.#isParked) return;
    const resets = this.#resets;
    remote.unpark();
    // Parked entries come first, so nothing is sent before they are read.
    await this.#read();
    if (resets !== this.#resets) return;
    this.#isParked = queue.entries.isParked = false;
  }

  async #read(): Promise<void> {
    const { remote, promises } = this.#started;
    try {
      promises.settleRemote(await remote.read());
      this.#isRead = true;
      this.#markReadable();
    } catch (cause) {
      this.#report('The outbox cannot be read; it continues in memory', cause);
      this.#isRead = false;
      if (!isLate(cause)) this.#markReadable();
      else if (!this.#isReadable) this.#readLater();
    }
  }

  #readLater(): void {
    const { controller, ownStore } = this.#started;
    controller.schedule(() => this.#markReadable(), this.#readWithin);
    // The storage plugin calls syncRecords() once its database is open.
    void ownStore
      ?.whenOpened()
      .then((isOpen) => (isOpen && !this.#isStopped ? this.syncRecords('missed') : undefined));
  }

  /** None if the storage plugin encodes its records: `localStorage` has them as text. */
  #journalFor(storage: AnyPlugin | undefined): UnloadJournal | undefined {
    const database = storage === undefined ? this.syncTag : storage.plainDatabase;
    return database === undefined ? undefined : new UnloadJournal([database, this.syncTag]);
  }

  #report(message: string, cause: unknown): void {
    const { onError = (error: HoldfastError) => console.error(error) } = this.#options;
    onError(new HoldfastError('HF_STORAGE', message, { cause }));
  }
}

/** Whether reading failed because the database does not open yet. */
function isLate(cause: unknown): boolean {
  const { name, cause: reason } = (cause ?? {}) as { readonly name?: unknown; readonly cause?: unknown }; // the rejection
  return name === 'TimeoutError' || (reason !== undefined && isLate(reason));
}
