import {
  Mutations,
  HoldfastError,
  type Commit,
  type Controller,
  type Mutation,
  type SideRecords,
  type StoreResponse,
} from 'holdfast';
import { decodeArgs, snapshotArgs, storedArgs } from '../storage/bodies.ts';
import { Callers, cancelledError, notSent, reject } from './Callers.ts';
import { Entries } from './Entries.ts';
import { Entry, mutationsOf, recordsOf, type Waiter } from './Entry.ts';
import { GoneEntries } from './GoneEntries.ts';
import type { Failure } from '../sending/classifyFailure.ts';
import type { OutboxOptions } from '../OutboxOptions.ts';
import type { EntryEvent } from './entryStatus.ts';
import { MutationArgs, withFallback, type RowKey } from './MutationArgs.ts';
import {
  formerFields,
  moveKey,
  type Conflict,
  type EntryRecord,
  type MoveRecord,
} from '../storage/record.ts';
import { PersistedRecords, type QueueStore } from '../storage/PersistedRecords.ts';
import type { UnloadJournal } from '../storage/UnloadJournal.ts';
import { rowName } from './PendingRows.ts';
import type { Registry } from './Registry.ts';
import { compareEntries } from './SortedEntries.ts';
import { temporaryPksIn } from './temporaryPks.ts';
import { BlobSupport, holdsBlob } from '../../shared/blobStorage.ts';
import { runIsolated } from '../../shared/runIsolated.ts';
import { uniqueKey } from '../../shared/uniqueKey.ts';

/** The name of the plugin and of its records. */
export const NAME = 'outbox';

/** An entry and the function that stores its response. */
export interface AnsweredEntry {
  readonly entry: Entry;
  /** The key of the answered attempt. */
  readonly idempotencyKey: string;
  readonly store: StoreResponse;
}

/** The mutation queue: keeps entries, optimistic layers and stored records in sync. */
export class Queue {
  readonly options: OutboxOptions;
  readonly controller: Controller;
  readonly mutations: Mutations;
  readonly args: MutationArgs;
  readonly entries: Entries;
  readonly registry: Registry;
  readonly records: PersistedRecords;
  readonly gone = new GoneEntries();
  readonly callers = new Callers(this);
  /** Whether the outbox does no more work. */
  isStopped = false;
  readonly #blobs = new BlobSupport(() =>
    this.report(
      new HoldfastError(
        'HF_STORAGE',
        'This browser cannot store files, as in private windows of Safari, so mutations with files are kept in memory only, and rejected while offline',
      ),
    ),
  );

  constructor(
    options: OutboxOptions,
    registry: Registry,
    controller: Controller,
    store: QueueStore,
    journal?: UnloadJournal,
    entries = new Entries(),
  ) {
    this.options = options;
    this.registry = registry;
    this.controller = controller;
    this.mutations = new Mutations(controller);
    this.args = new MutationArgs(this.mutations, registry);
    this.entries = entries;
    entries.args = this.args;
    this.records = new PersistedRecords(store, (error) => this.report(error), journal);
    // The clock may have been set back since the last reset.
    entries.reserve(journal?.voidThrough ?? 0);
  }

  /**
   * Adds a mutation.
   *
   * @throws HoldfastError `HF_OUTBOX_ARGS` when it cannot be stored
   */
  enqueue(mutation: Mutation, waiter: Waiter): Entry {
    const { endpoint, temporaryPk, createdAt } = mutation;
    const { args, givesPk } = this.args.ofEntry({
      endpoint,
      args: snapshotArgs(endpoint.name, mutation.args),
    });
    mutation.args = args;
    mutation.givesPk = givesPk;
    const key = uniqueKey();
    const record: EntryRecord = {
      name: endpoint.name,
      args: storedArgs(endpoint.name, args),
      ...(givesPk === true && { givesPk }),
      former: formerFields(mutation),
      order: this.entries.nextOrder(createdAt),
      revision: 1,
      createdAt,
      attempts: 0,
      idempotencyKey: key,
      temporaryPk,
      isAwaited: this.controller.environment.isOnline,
      status: 'queued',
      scope: this.options.scope ?? null,
    };
    const entry = new Entry(key, this.queueOf(endpoint.name), record, mutation);
    this.callers.add(entry, waiter);
    entry.written = this.#batch([entry], 'optimistic', () => {
      this.entries.add(entry);
      this.#show(entry);
      return this.commit([[key, record], ...recordsOf(this.entries.unstoredCreators(entry))]);
    });
    void entry.written.then((isKept) => {
      // A storage plugin that has failed keeps the record, and writes it once it can.
      if (!isKept) return;
      entry.isDurable = true;
      entry.ownWrites -= 1;
    });
    return entry;
  }

  /**
   * The args of a read, with the server's pks.
   *
   * @throws NetworkError of status 0 for an entity that is not created yet
   */
  readArgs({ endpoint, args }: Pick<Mutation, 'endpoint' | 'args'>): readonly unknown[] {
    const current = this.args.withServerPks(args);
    for (const pk of temporaryPksIn(current))
      if (this.entries.creatorOf(pk) !== undefined)
        throw notSent(`${endpoint.name} depends on a queued creation; it waits in the outbox`, 'GET');
    return current;
  }

  /**
   * Updates the pks in an entry's args; returns whether any has changed.
   *
   * @param isReplayPending - whether its layer is to be replayed then
   */
  updateArgs(entry: Entry, isReplayPending?: boolean): boolean {
    const { args, mutation } = entry;
    const current = mutation === undefined ? this.args.withServerPks(args) : this.args.current(mutation);
    if (current === args) return false;
    this.entries.change(entry, () => entry.changeArgs(current), isReplayPending);
    return true;
  }

  /** Updates entries that refer to rows which a commit has renamed. */
  onCommit({ baseChanges, origin }: Commit): void {
    if (this.entries.size === 0) return;
    const changed: Entry[] = [];
    for (const [table, pks] of baseChanges.rows)
      for (const pk of pks.keys()) {
        if (this.mutations.movedTo(table, pk) === undefined) continue;
        const renamed = this.entries.referencing(rowName(table, pk));
        for (const entry of renamed) if (this.updateArgs(entry)) changed.push(entry);
      }
    // The tab that made the rename writes the entries; some may be gone that are still known here.
    const isOurs = origin === 'network' || origin === 'app';
    if (changed.length > 0) void this.commit(isOurs ? recordsOf(changed) : [], { changed });
  }

  /**
   * Commits changes of entries.
   *
   * @param records - to write; undefined deletes
   * @returns whether they are durable
   */
  commit(
    records: SideRecords,
    change: Partial<Record<'hidden' | 'withdrawn' | 'changed', readonly Entry[]>> = {},
  ): Promise<boolean> {
    const { hidden = [], withdrawn = [], changed = [] } = change;
    for (const [key, record] of records) {
      const entry = this.entries.get(key);
      if (entry !== undefined) entry.ownWrites += 1;
      if (record === undefined) this.gone.add(key, this.controller.now());
    }
    const held = this.#blobs.isSupported === true ? [] : records.filter(holdsBlob);
    const written = held.length === 0 ? records : records.filter((record) => !holdsBlob(record));
    this.mutations.commit({
      origin: NAME,
      hidden: mutationsOf(hidden),
      withdrawn: mutationsOf(withdrawn),
      changed: mutationsOf(changed),
      side: { [NAME]: written },
    });
    const writing = this.records.write(written);
    return held.length === 0 ? writing : this.#writeBlobs(held, writing);
  }

  /** Writes records with Blobs, once it is known whether the browser stores those: one that it refuses blocks its database. */
  async #writeBlobs(records: SideRecords, writing: Promise<boolean>): Promise<boolean> {
    if (!(await this.#blobs.ask())) return false;
    const entries = records.flatMap(([key]) => this.entries.get(key) ?? []);
    const areWritten = await this.commit(recordsOf(entries));
    return (await writing) && areWritten;
  }

  /** Stores entries that the disk lacks. Another tab may do so at the same time. Returns whether they are durable. */
  async store(entries: readonly Entry[]): Promise<boolean> {
    if (entries.length === 0 || !(await this.commit(recordsOf(entries)))) return false;
    for (const entry of entries) entry.isDurable = true;
    return true;
  }

  /** The stored records were lost: writes all of them again. */
  rewriteAll(): void {
    const entries = [...this.entries.all()];
    for (const entry of entries) entry.isDurable = false;
    const written = this.store(entries);
    for (const entry of entries) entry.written = written;
  }

  /** Stores the responses of these entries. Returns the last one's value. */
  storeAnswers(answers: readonly AnsweredEntry[]): unknown {
    const entries = answers.map(({ entry }) => entry);
    return this.#batch(entries, 'fetch', () => {
      const records: (readonly [string, unknown])[] = [];
      const changed = new Set<Entry>();
      const changedWhileSent: Entry[] = [];
      let value: unknown;
      for (const { entry, store } of answers) {
        const { mutation, record } = entry;
        if (mutation !== undefined)
          mutation.isReferenced = this.entries.referencing(record.temporaryPk).length > 0;
        value = store(answers.length > 1);
      }
      for (const { entry, idempotencyKey } of answers) {
        const isOther = entry.record.idempotencyKey !== idempotencyKey && !entry.isWithdrawn;
        if (isOther) changedWhileSent.push(entry);
        else {
          this.entries.remove(entry);
          records.push([entry.key, undefined]);
        }
        const { temporaryPk } = entry.record;
        const createdRow = entry.mutation?.createdRow;
        if (createdRow === undefined) continue;
        // Any tab may still refer to it by the temporary pk.
        const move: MoveRecord = { ...createdRow, idempotencyKey, at: this.controller.now() };
        this.args.serverIds.set(temporaryPk, move);
        records.push([moveKey(temporaryPk), move]);
        for (const dependent of this.entries.referencing(temporaryPk))
          if (this.updateArgs(dependent)) changed.add(dependent);
      }
      void this.commit([...records, ...recordsOf(changed)], { hidden: entries, changed: [...changed] });
      for (const entry of changedWhileSent) this.#requeueChanged(entry);
      return value;
    });
  }

  /** Another tab has changed the args while it was being sent: the new args are another mutation. */
  #requeueChanged(entry: Entry): void {
    this.entries.handle(entry, 'release');
    if (entry.mutation?.createdRow === undefined) this.showInOrder(this.entries.toShow([entry]));
    // A create must not be repeated.
    else
      this.deadLetter(entry, {
        reason: 'error',
        message: 'It was changed in another tab after it had been sent',
      });
  }

  /** Changes the status of an entry, and its record. A dead letter, and what depends on it, loses its layer. */
  update(entry: Entry, event: EntryEvent, change: Partial<EntryRecord>): void {
    this.entries.handle(entry, event, { isAwaited: entry.waiter !== undefined, ...change });
    const hidden = entry.isDeadLetter ? this.entries.withDependents(entry) : [];
    void this.commit([[entry.key, entry.record]], { hidden });
  }

  /** Makes it a dead letter. */
  deadLetter(entry: Entry, problem: Failure, conflict?: Conflict): void {
    const event = problem.reason === 'conflict' ? 'conflict' : 'reject';
    const received = conflict && { ...conflict, order: this.mutations.nextOrder() };
    this.update(entry, event, { problem, conflict: received, revision: entry.record.revision + 1 });
  }

  /** Sends an entry with these args, which is another mutation for the server. Throws like `enqueue`. */
  resend(entry: Entry, args: readonly unknown[] = entry.args): void {
    const { name } = entry.record;
    const copies = decodeArgs(storedArgs(name, snapshotArgs(name, args)));
    const { entries } = this;
    const changed = args === entry.args ? undefined : this.#changedArgs(entry, copies);
    this.#batch([entry], 'optimistic', () => {
      entries.change(entry, () => {
        entry.handle('requeue', { attempts: 0 });
        entry.changeArgs(changed?.args ?? copies, uniqueKey(), changed?.givesPk);
      });
      // These args may be from before a create was answered.
      this.updateArgs(entry);
      void this.commit([[entry.key, entry.record]], { changed: [entry] });
      this.showInOrder(entries.toShow(entries.withDependents(entry)));
    });
  }

  /** Args that the app has made from those of an entry, or from what is on screen. */
  #changedArgs({ mutation, names }: Entry, args: readonly unknown[]): Pick<Mutation, 'args' | 'givesPk'> {
    if (mutation === undefined) return { args };
    const isKnown = (table: string, pk: string): boolean => names.includes(rowName(table, pk));
    const changed = this.args.ofEntry({ endpoint: mutation.endpoint, args }, isKnown);
    return mutation.givesPk === true ? { ...changed, givesPk: true } : changed;
  }

  /** Removes an entry with its dependents, and rejects the promises of their callers. */
  cancel(entry: Entry, error: unknown = cancelledError(entry)): void {
    this.#remove(this.entries.withDependents(entry), (removed) =>
      removed === entry ? error : cancelledError(removed),
    );
  }

  #remove(all: readonly Entry[], errorOf: (entry: Entry) => unknown): void {
    for (const removed of all) this.entries.remove(removed);
    void this.commit(
      all.map(({ key }) => [key, undefined]),
      { hidden: all, withdrawn: all },
    );
    for (const removed of all) reject(removed, errorOf(removed));
  }

  /**
   * Resolves a conflict by removing our version. Stores the server's if it is the row that the params name, or the one
   * that the server has instead of the created one. Mutations that depend on the create refer to that row then; without
   * one, they cannot be sent.
   *
   * @param theirs - undefined if it is not to be stored
   */
  yieldTo(theirs: unknown, entry: Entry, error: unknown = cancelledError(entry)): void {
    const { mutation, record } = entry;
    const dependents = this.entries.withDependents(entry).filter((other) => other !== entry);
    const row = mutation && this.args.pathRow(mutation);
    const order = record.conflict?.order;
    const store =
      row === undefined && mutation ? this.mutations.answered(mutation, theirs, order) : undefined;
    this.controller.batch(() => {
      if (store !== undefined) this.storeAnswers([{ entry, idempotencyKey: record.idempotencyKey, store }]);
      else {
        if (row !== undefined) this.#showRow(row, theirs, order);
        this.#remove([entry], () => error);
      }
      this.showInOrder(this.entries.toShow(dependents));
    });
  }

  /**
   * Stores a value if it is this row. A newer version of the row takes precedence.
   *
   * @param order - when the value was received, in the order of all requests
   */
  #showRow([table, pk]: RowKey, value: unknown, order = this.mutations.nextOrder()): void {
    if (typeof value !== 'object' || value === null) return;
    const Class = this.controller.entitiesOf(table).find((known) => known.pk(value) === pk);
    if (Class !== undefined) this.mutations.setReceived(Class, value, order);
  }

  /** What a mutation shows; undefined if that is nothing, or the app's classes throw: the reader of it gets the error. */
  optimisticValue(mutation: Pick<Mutation, 'endpoint' | 'args' | 'expected'>): unknown {
    return withFallback(undefined, () => this.mutations.optimisticValue(mutation));
  }

  /** Shows its prediction above the existing layers. */
  #show({ mutation }: Entry): void {
    if (mutation !== undefined) this.mutations.show(mutation, true);
  }

  /**
   * Shows predictions above the existing layers, in the order in which they are sent.
   *
   * @param shown - entries with all later ones that are shown
   * @param removed - mutations whose layers are removed in the same commit
   */
  showInOrder(shown: readonly Entry[], removed: readonly Mutation[] = []): void {
    this.mutations.commit({ origin: NAME, hidden: [...removed, ...mutationsOf(shown)] });
    for (const entry of [...shown].sort(compareEntries)) if (!this.entries.isHidden(entry)) this.#show(entry);
  }

  /** The queue of an endpoint's mutations. */
  queueOf(name: string): string {
    return this.options.queue?.({ name }) ?? '';
  }

  /** Combines commits into one, with the mutation's action if there is only one. */
  #batch<T>(entries: readonly Entry[], type: 'fetch' | 'optimistic', run: () => T): T {
    const [mutation, ...others] = mutationsOf(entries);
    return mutation === undefined || others.length > 0
      ? this.controller.batch(run)
      : this.mutations.batch(mutation, type, run);
  }

  /** Reports an error to the app. Not at once: the handler may change entries, or reset the controller. */
  report(error: HoldfastError): void {
    const { onError = (problem: HoldfastError) => console.error(problem) } = this.options;
    queueMicrotask(() => runIsolated(() => onError(error)));
  }
}
