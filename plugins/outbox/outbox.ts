import {
  HoldfastError,
  onEnvironmentChange,
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
import { OutboxDatabase } from './storage/OutboxDatabase.ts';
import { decodeArgs } from './storage/bodies.ts';
import { Entries } from './queue/Entries.ts';
import type { Entry } from './queue/Entry.ts';
import { PACING, type Pacing } from './queue/LayerReplay.ts';
import { rowName } from './queue/PendingRows.ts';
import { Queue, NAME } from './queue/Queue.ts';
import { Registry } from './queue/Registry.ts';
import { Sync } from './queue/Sync.ts';
import type { OutboxEntry, OutboxOptions, OutboxPlugin, OutboxState } from './OutboxOptions.ts';
import { Leader } from './sending/Leader.ts';
import { Sender } from './sending/Sender.ts';
import { Session } from './sending/Session.ts';
import { registerSync } from './sending/backgroundSync.ts';
import type { Locks } from './sending/withLock.ts';
import { sideRecords } from './storage/PersistedRecords.ts';
import { UnloadJournal } from './storage/UnloadJournal.ts';
import { webLocks } from '../shared/locks.ts';
import { onPageLifecycle } from '../shared/pageLifecycle.ts';
import { scopedName } from '../shared/scopedName.ts';

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
  readonly queue: Queue;
  readonly sync: Sync;
  readonly sender: Sender;
  readonly leader: Leader;
  readonly session: Session;
  /** Undefined with a storage plugin. */
  readonly ownStore: OutboxDatabase | undefined;
}

/** The plugin. */
export class OutboxPluginImpl implements OutboxPlugin {
  readonly name = NAME;
  readonly syncTag: string;
  readonly #entries = new Entries();
  readonly status: PluginStatus<OutboxState> = {
    initial: this.#entries.state,
    get: () => this.#entries.state,
    subscribe: (listener) => this.#entries.subscribe(listener),
  };
  readonly #options: OutboxOptions;
  readonly #deps: OutboxPluginDeps;
  readonly #registry: Registry;
  readonly #database: OutboxDatabase;
  #parts: StartedOutbox | undefined;
  #starting: Promise<void> = Promise.resolve();
  /** Ends the subscriptions to events of the page and the device. */
  #unsubscribe: () => void = () => undefined;
  /** Whether to register a background sync: once for stored entries, and for each new one. */
  #isSyncDue = true;

  /**
   * @throws HoldfastError `HF_OUTBOX_NAME` when two endpoints have one name, `HF_PLUGIN` when one is neither a resource
   * nor an endpoint
   */
  constructor(options: OutboxOptions, deps: OutboxPluginDeps = {}) {
    const { name = 'holdfast-outbox', scope } = options;
    this.#options = options;
    this.#deps = deps;
    this.#registry = new Registry(options.endpoints);
    this.syncTag = scopedName(name, scope);
    this.#database = deps.database ?? new OutboxDatabase(this.syncTag);
  }

  get isAttached(): boolean {
    return this.#parts !== undefined;
  }

  start(controller: Controller): Promise<void> {
    const { pacing = PACING, readWithin = READ_WITHIN } = this.#deps;
    const locks = 'locks' in this.#deps ? this.#deps.locks : webLocks();
    const storage = controller.plugins.find((plugin) => plugin.side !== undefined);
    const ownStore = storage === undefined ? this.#database : undefined;
    const store = storage === undefined ? this.#database : sideRecords(controller, storage, NAME);
    // There is none if the storage plugin encodes its records: `localStorage` has them as text.
    const database = storage === undefined ? this.syncTag : storage.plainDatabase;
    const journal = database === undefined ? undefined : new UnloadJournal([database, this.syncTag]);
    const queue = new Queue(this.#options, this.#registry, controller, store, journal, this.#entries);
    const report = (message: string): void => queue.report(new HoldfastError('HF_STORAGE', message));
    // The storage plugin calls syncRecords() once its database is open.
    const onSlow = (): void =>
      void ownStore?.connection.openWithoutTimeout().then(
        () => {
          if (ownStore.connection.isCreated) sync.onStorageLost();
          void this.syncRecords('missed');
        },
        () => undefined,
      );
    const sync = new Sync(queue, pacing, readWithin, onSlow);
    const session = new Session(queue, async (signal) => {
      // An `init` with different headers at each call must not cause many attempts.
      await this.#requeueHeld(signal !== 'read');
      void leader.wake();
    });
    const sender = new Sender(queue, session);
    const lock = { controller, name: this.syncTag, locks, lease: this.#database };
    const leader = new Leader(queue, sync, sender, lock, () => {
      // The user may have signed in during an attempt.
      if (queue.entries.unauthorized().some(({ awaitsSignIn }) => awaitsSignIn)) void session.check('read');
      // Not whenever it is idle: a failed attempt of the service worker wakes this tab too, and the browser may
      // wrongly report to be online. They would wake each other for as long as the server is down.
      if (!this.#isSyncDue || queue.entries.isDrained) return;
      this.#isSyncDue = false;
      registerSync(this.syncTag);
    });
    this.#database.connection.onLost((records) =>
      report(`Queued mutations can no longer be read and are lost (${records})`),
    );
    ownStore?.onMissedReset(
      () => controller.now(),
      // Plugins report their own failures.
      (at) => void controller.reset({ origin: NAME, at }).catch(() => undefined),
    );
    ownStore?.connection.onReplaced(() => {
      report('The outbox was deleted while in use; pending mutations are written again');
      sync.onStorageLost();
    });
    this.#parts = { queue, sync, sender, leader, session, ownStore };
    const unsubscribes = [
      onPageLifecycle({
        onLeave: () => queue.records.prepareUnload(),
        // Without the tabs plugin, no message says what other pages have queued.
        onReturn: () => void this.syncRecords('missed'),
      }),
      onEnvironmentChange(controller.environment, ({ isReconnect, isReturn }) => {
        if (isReconnect || isReturn) {
          void session.check('activity');
          // Entries that failed without a network, or while the page was hidden, are due at once.
          for (const entry of queue.entries.all()) entry.hasten();
        }
        void leader.wake();
      }),
    ];
    this.#unsubscribe = () => unsubscribes.forEach((unsubscribe) => unsubscribe());
    this.#starting = sync.read().then(() => void leader.wake());
    return this.#starting;
  }

  mutate(mutation: Mutation): Promise<unknown> | undefined {
    const parts = this.#parts;
    if (parts === undefined || parts.queue.isStopped || !this.#isRegistered(mutation)) return undefined;
    return new Promise((resolve, reject) => {
      // If it cannot be stored, the promise rejects.
      const { written } = parts.queue.enqueue(mutation, { resolve, reject });
      this.#isSyncDue = true;
      void parts.session.check('activity');
      void written.then(() => parts.leader.wake());
    });
  }

  request(request: PluginRequest, next: (request: PluginRequest) => Promise<unknown>): Promise<unknown> {
    const parts = this.#parts;
    if (parts === undefined) return next(request);
    const isMutation = request.endpoint.sideEffect === true;
    // A mutation in plain JavaScript may return its result itself.
    const response = isMutation ? Promise.resolve(next(request)) : this.#requestRead(request, next);
    parts.sender.observe(response, () => void parts.leader.wake());
    // Such as a login request. Requests of the outbox itself are no signal.
    if (!this.#isRegistered(request))
      response.then(
        () => parts.session.check(isMutation ? 'login' : 'read'),
        () => undefined,
      );
    return response;
  }

  /** Sends a read after the mutations queued before it, so that it sees their effect, and with the server's pks. */
  async #requestRead(
    request: PluginRequest,
    next: (request: PluginRequest) => Promise<unknown>,
  ): Promise<unknown> {
    const { leader, queue } = this.#started;
    await leader.sendBacklog();
    const args = queue.readArgs(request);
    return next(args === request.args ? request : { ...request, args });
  }

  commit(commit: Commit): void {
    this.#parts?.queue.onCommit(commit);
  }

  settles(records: SideRecords, hasRows: boolean): readonly LayerId[] {
    const { sync, leader } = this.#parts ?? {};
    return sync?.applyFromTab(records, hasRows, () => void leader?.wake()) ?? [];
  }

  async syncRecords(cause: 'missed' | 'lost'): Promise<void> {
    const parts = this.#parts;
    if (cause === 'lost') parts?.sync.onStorageLost();
    else if (parts?.queue.isStopped === false) {
      await parts.sync.read();
      // The tab that added an entry may be gone.
      void parts.leader.wake();
    }
  }

  async reset(origin: string, unsent: Unsent = 'discard', at = 0): Promise<void> {
    const parts = this.#parts;
    if (parts === undefined) return;
    const { ownStore, queue, sender, sync } = parts;
    const { args, entries, gone, records } = queue;
    const isKept = unsent === 'keep';
    const isOurs = origin === 'app';
    // 0 is an unknown time: then all that is queued counts as from before the reset.
    const resetAt = at || queue.controller.now();
    sender.clear();
    queue.callers.dismiss(isKept);
    // Kept entries may refer to creates that were answered before.
    if (!isKept) args.serverIds.clear();
    // Records that could not be read may be kept, too.
    entries.isParked = isKept && (entries.isParked || entries.size > 0 || !sync.isRead);
    const cleared = entries.clear(resetAt, isOurs || at === 0);
    // What is read or received later from before the reset is void, or parked until the user signs in again.
    (isKept ? gone.parked : gone.discarded).push(cleared);
    if (isKept) return;
    records.clear(cleared, isOurs);
    const { keys, through } = cleared;
    await (isOurs ? ownStore?.clear({ at: resetAt, through }) : ownStore?.follow(resetAt, keys));
  }

  async flush(): Promise<void> {
    // The storage plugin's own flush writes the entries.
    await this.#parts?.ownStore?.flush();
  }

  async stop(): Promise<void> {
    this.#unsubscribe();
    const parts = this.#parts;
    if (parts !== undefined) {
      parts.queue.isStopped = true;
      // A request in flight may have arrived; it is sent again with the same idempotency key.
      parts.sender.stop();
      const stopped = parts.leader.stop();
      parts.sender.storeAnswered();
      await Promise.all([stopped, parts.ownStore?.flush().catch(() => undefined)]);
      await parts.queue.records.written;
      parts.queue.callers.releaseAwaited(() => false);
    }
    await this.#database.close();
  }

  retry = (key: string): void => {
    this.#change(key, (entry, queue) => {
      if (entry.isDeadLetter) queue.resend(entry);
      else queue.entries.requeue([entry], true);
    });
  };

  discard = (key: string): boolean => this.#change(key, (entry, queue) => queue.cancel(entry));

  edit = (key: string, args: readonly unknown[]): boolean =>
    this.#change(key, (entry, queue) => {
      queue.resend(entry, args);
      entry.retryAt = 0;
    });

  resolve = (key: string, version: 'mine' | 'theirs' | readonly unknown[]): boolean => {
    const entry = this.#started.queue.entries.get(key);
    if (entry?.status !== 'conflict') return false;
    const { theirs, mine } = entry.record.conflict ?? {};
    if (version === 'theirs') return this.#change(key, (_, queue) => queue.yieldTo(theirs, entry));
    return this.edit(key, version !== 'mine' ? version : mine === undefined ? entry.args : decodeArgs(mine));
  };

  resume = async (): Promise<boolean> => {
    await this.#starting;
    await this.#requeueHeld(true);
    return this.drain();
  };

  drain = async (): Promise<boolean> => {
    await this.#starting;
    const { queue, sync, leader, session } = this.#started;
    const { entries } = queue;
    await session.check('activity');
    // An attempt from before this call proves nothing.
    if (leader.isRunning) await leader.wake();
    for (const entry of entries.all()) entry.retryAt = 0;
    // Other tabs may have sent some, or may be gone.
    await sync.read();
    if (!sync.isReadable) return false;
    await leader.wake();
    return entries.isDrained && !entries.isParked && sync.isRead;
  };

  isPending = (entity: object): boolean => {
    return this.#started.queue.entries.rows.of(rowOf(entity)).some(({ isDeadLetter }) => !isDeadLetter);
  };

  pendingFor = (entity: object): PluginStatus<OutboxEntry | undefined> => {
    const row = rowOf(entity);
    const { rows } = this.#started.queue.entries;
    return {
      get: () => {
        const entries = rows.of(row);
        return (entries.find(({ isDeadLetter }) => isDeadLetter) ?? entries[0])?.view;
      },
      subscribe: (listener) => rows.subscribe(row, listener),
    };
  };

  get #started(): StartedOutbox {
    if (this.#parts === undefined)
      throw new HoldfastError('HF_PLUGIN', 'outbox() has no controller; pass it to one');
    return this.#parts;
  }

  #isRegistered({ endpoint }: Mutation | PluginRequest): boolean {
    return this.#registry.find(endpoint.name) !== undefined;
  }

  /** Changes an entry, and sends what can be sent; returns false if it is being sent, or gone. */
  #change(key: string, change: (entry: Entry, queue: Queue) => void): boolean {
    const { queue, leader } = this.#started;
    const entry = queue.entries.get(key);
    if (entry === undefined || entry.isSending) return false;
    change(entry, queue);
    void leader.wake();
    return true;
  }

  /** Has everything that waits for a sign-in or is blocked tried again, and reads parked entries. */
  #requeueHeld(isAtOnce: boolean): Promise<void> {
    const { queue, sync } = this.#started;
    queue.entries.requeue(queue.entries.held, isAtOnce);
    return sync.unpark();
  }
}

/** The name of an entity's row. */
function rowOf(entity: object): string {
  const Class = entity.constructor as EntityClass; // its class
  return rowName(Class.key, Class.pk(entity) ?? '');
}

/**
 * Queues mutations until the server has answered them: each is stored before its first attempt, and they are sent in
 * order as soon as possible, even after a reload.
 *
 * Online, `fetch` resolves with the server's response. Offline, or if the connection fails, it resolves with the
 * predicted response once the mutation is stored.
 *
 * Pass it before `tabs()`, and together with `indexedDB()`, which then stores a response and removes its entry in one
 * transaction.
 *
 * @example
 * const box = outbox({
 *   endpoints: [ArticleResource],
 *   init: () => ({ headers: { Authorization: `Bearer ${currentToken()}` } }),
 * });
 * const controller = new Controller({
 *   plugins: [indexedDB({ name: 'app' }), box],
 * });
 * @throws HoldfastError `HF_OUTBOX_NAME` when two endpoints have one name, `HF_PLUGIN` when one is neither a resource
 * nor an endpoint, or when there is no list of them
 */
export function outbox(options: OutboxOptions): OutboxPlugin {
  const { endpoints }: Partial<OutboxOptions> = Object(options) as object; // plain JavaScript passes anything
  if (!Array.isArray(endpoints))
    throw new HoldfastError(
      'HF_PLUGIN',
      'outbox() without endpoints; pass the resources whose mutations it sends: outbox({ endpoints: [ArticleResource] })',
    );
  return new OutboxPluginImpl(options);
}
