import {
  Mutations,
  type Commit,
  type Controller,
  type HoldfastError,
  type Mutation,
  type SideRecords,
  type StoreAnswer,
} from 'holdfast';
import { copiedArgs, storedArgs } from './bodies.ts';
import { Entries } from './Entries.ts';
import { Entry, mutationsOf, type Waiter } from './Entry.ts';
import type { Keeper } from './Keeper.ts';
import type { OutboxOptions } from './OutboxOptions.ts';
import type { Failure } from './outcome.ts';
import { moveKey, type EntryRecord, type Hold, type MoveRecord } from './record.ts';
import { Records } from './Records.ts';
import type { Registry } from './Registry.ts';
import { withServerPks, type ServerIds } from './temporaryPks.ts';
import { uniqueKey } from '../shared/uniqueKey.ts';

/** Name of the plugin, and of its records. */
export const NAME = 'outbox';

/** An entry and what stores its answer. */
export interface Answered {
  readonly entry: Entry;
  /** The key that it was sent with. */
  readonly idempotencyKey: string;
  readonly store: StoreAnswer;
}

/** Entries, what is shown of them and what is on disk of them, kept in step. */
export class Ledger {
  readonly name = NAME;
  readonly entries = new Entries(({ mutation }) => (mutation === undefined ? [] : this.#namesOf(mutation)));
  readonly registry: Registry;
  readonly mutations: Mutations;
  readonly records: Records;
  /** The server's ids of each temporary pk that has been answered. */
  readonly moved = new Map<string, ServerIds>();
  readonly #options: OutboxOptions;
  readonly #controller: Controller;
  #shownThrough = 0;

  constructor(options: OutboxOptions, registry: Registry, controller: Controller, keeper: Keeper) {
    this.#options = options;
    this.registry = registry;
    this.#controller = controller;
    this.mutations = new Mutations(controller);
    this.records = new Records(keeper, (error) => this.tell(error));
  }

  /** The highest order that is shown. */
  get shownThrough(): number {
    return this.#shownThrough;
  }

  /**
   * Takes in a mutation, at once.
   *
   * @throws HoldfastError `HF_OUTBOX_ARGS` when it cannot be stored
   */
  enter(mutation: Mutation, waiter: Waiter): Entry {
    const { endpoint, temporaryPk, askedAt } = mutation;
    mutation.args = this.#current(mutation);
    const key = uniqueKey();
    const record: EntryRecord = {
      name: endpoint.name,
      args: storedArgs(endpoint.name, mutation.args),
      order: this.entries.nextOrder(askedAt),
      revision: 1,
      createdAt: askedAt,
      attempts: 0,
      idempotencyKey: key,
      temporaryPk,
      isAwaited: this.#controller.environment.isOnline,
      scope: this.#options.scope ?? null,
    };
    const entry = new Entry(key, this.queueOf(endpoint.name), record, mutation);
    entry.waiter = waiter;
    this.entries.add(entry);
    entry.kept = this.#batch([entry], 'optimistic', () => {
      this.show(entry);
      return this.commit([[key, record], ...this.#unkeptMakers(entry)]);
    });
    entry.isRewritten = false;
    void entry.kept.then((isKept) => {
      if (isKept) entry.isKept = true;
    });
    return entry;
  }

  /** Args with the pks of now: of what the server has made, and of what it has renamed. */
  #current({ endpoint, args }: Mutation): readonly unknown[] {
    const made = withServerPks(args, this.moved);
    return isolated(made, () =>
      this.mutations.currentArgs({ endpoint, args: made }, this.registry.naming(endpoint)),
    );
  }

  #namesOf({ endpoint, args }: Mutation): readonly string[] {
    const named = isolated([], () =>
      this.mutations.named({ endpoint, args }, this.registry.naming(endpoint)),
    );
    return named.map(([table, pk]) => nameOf(table, pk));
  }

  /** Entries that name these rows, which have another pk now, name them by that. Gives those that are changed. */
  #renamed(rows: Iterable<readonly [table: string, pk: string]>): readonly Entry[] {
    const changed = new Set<Entry>();
    for (const [table, pk] of rows)
      for (const entry of this.entries.naming(nameOf(table, pk)))
        if (this.bringUpToDate(entry)) changed.add(entry);
    return [...changed];
  }

  /** Gives an entry args with the pks of now; whether they are others. */
  bringUpToDate(entry: Entry): boolean {
    const { mutation } = entry;
    const args = mutation === undefined ? entry.args : this.#current(mutation);
    if (args === entry.args) return false;
    this.changeArgs(entry, args);
    return true;
  }

  /** Something has been committed: what it renamed is named by its new pk from now on. */
  committed({ base, baseChanges, origin }: Commit): void {
    if (this.entries.size === 0) return;
    const rows: (readonly [string, string])[] = [];
    for (const [table, pks] of baseChanges.rows)
      for (const pk of pks.keys())
        if (base.tables[table]?.get(pk)?.movedTo !== undefined) rows.push([table, pk]);
    const changed = this.#renamed(rows);
    // Of what another tab has renamed, that tab writes the entries; some may be gone that are still known here.
    const isOurs = origin === 'network' || origin === 'app';
    const records = isOurs ? changed.map(({ key, record }) => [key, record] as const) : [];
    if (changed.length > 0) void this.commit(records, { changed });
  }

  /** What it names and another tab is still writing: kept with it, as one is nothing without the other. */
  #unkeptMakers({ references }: Entry): SideRecords {
    return [...references].flatMap((pk) => {
      const maker = this.entries.maker(pk);
      if (maker === undefined || maker.isKept || maker.isHeld) return [];
      return [[maker.key, maker.record] as const];
    });
  }

  /**
   * Commits what has become of entries.
   *
   * @param records - to write, or, where undefined, to delete
   * @returns whether they are durable
   */
  commit(
    records: SideRecords,
    change: { readonly hidden?: readonly Entry[]; readonly changed?: readonly Entry[] } = {},
  ): Promise<boolean> {
    const { hidden = [], changed = [] } = change;
    for (const [key] of records) {
      const entry = this.entries.get(key);
      if (entry !== undefined) entry.isRewritten = true;
    }
    this.mutations.commit({
      origin: NAME,
      hidden: mutationsOf(hidden),
      changed: mutationsOf(changed),
      side: { [NAME]: records },
    });
    return this.records.write(records);
  }

  /** What was on disk of the entries is lost: all of them are written again. */
  keepAgain(): void {
    const entries = [...this.entries.all()];
    for (const entry of entries) entry.isKept = false;
    if (entries.length === 0) return;
    void this.commit(entries.map(({ key, record }) => [key, record])).then((isKept) => {
      for (const entry of entries) if (isKept) entry.isKept = true;
    });
  }

  /** These have been answered. Gives what the last one's answer gives. */
  answered(answers: readonly Answered[]): unknown {
    const entries = answers.map(({ entry }) => entry);
    return this.#batch(entries, 'fetch', () => {
      const records: (readonly [string, unknown])[] = [];
      const changed = new Set<Entry>();
      const changedMeanwhile: Entry[] = [];
      let value: unknown;
      for (const { store } of answers) value = store(answers.length > 1);
      this.mutations.commit({ origin: NAME, hidden: mutationsOf(entries) });
      for (const { entry, idempotencyKey } of answers) {
        const isOther = entry.record.idempotencyKey !== idempotencyKey && !entry.isWithdrawn;
        if (isOther) changedMeanwhile.push(entry);
        else {
          this.entries.remove(entry);
          records.push([entry.key, undefined]);
        }
        const { temporaryPk } = entry.record;
        const made = entry.mutation?.made;
        if (made === undefined) continue;
        this.moved.set(temporaryPk, made);
        // Whoever has it on screen, in whatever tab, may still name it by the temporary one.
        const move: MoveRecord = { ...made, at: this.#controller.now() };
        records.push([moveKey(temporaryPk), move]);
        for (const dependent of this.entries.naming(temporaryPk)) {
          this.changeArgs(dependent, withServerPks(dependent.args, this.moved));
          changed.add(dependent);
        }
      }
      const named = answers.flatMap(({ entry: { mutation } }) =>
        mutation === undefined ? [] : isolated([], () => this.mutations.named(mutation, [])),
      );
      for (const entry of this.#renamed(
        named.filter(([table, pk]) => this.mutations.movedTo(table, pk) !== undefined),
      ))
        changed.add(entry);
      for (const { key, record } of changed) records.push([key, record]);
      void this.commit(records, { changed: [...changed] });
      for (const entry of changedMeanwhile) this.#keepChanged(entry);
      return value;
    });
  }

  /** Another tab has given it other args while it was sent with the old ones: those are another mutation. */
  #keepChanged(entry: Entry): void {
    entry.isSending = entry.isHeld = false;
    this.entries.revive(entry);
    if (entry.mutation?.made === undefined) this.show(entry);
    // What was made would be made twice.
    else this.bury(entry, { message: 'It was changed in another tab after it had been sent' });
  }

  changeArgs(entry: Entry, args: readonly unknown[]): void {
    this.entries.unindex(entry);
    entry.changeArgs(args);
    this.entries.index(entry);
    this.entries.changed(entry);
  }

  /** An attempt has failed. */
  attempted(entry: Entry, problem: Failure, hold?: Hold): void {
    entry.attempted(problem, hold);
    this.entries.changed(entry);
    void this.commit([[entry.key, entry.record]]);
  }

  /** The server has refused it, and nobody waits for it any more. What it would have made is no longer shown. */
  bury(entry: Entry, failure: Failure): void {
    entry.change({ failure });
    this.entries.bury(entry);
    const hidden = [entry, ...this.entries.dependents(entry)];
    void this.commit([[entry.key, entry.record]], { hidden });
  }

  /** Takes it out, and whatever names what it would have made. Gives all of them. */
  withdraw(entry: Entry): readonly Entry[] {
    const all = [entry, ...this.entries.dependents(entry)];
    for (const gone of all) this.entries.remove(gone);
    void this.commit(
      all.map(({ key }) => [key, undefined]),
      { hidden: all },
    );
    return all;
  }

  /** A dead letter waits to be sent again; what hung on it is shown again. Throws as `enter` does. */
  revive(entry: Entry, args: readonly unknown[] = entry.args): void {
    const { failure: _, ...record } = entry.record;
    const copies = copiedArgs(record.name, args);
    this.#batch([entry], 'optimistic', () => {
      entry.adopt({ ...record, attempts: 0, idempotencyKey: uniqueKey() });
      this.changeArgs(entry, copies);
      this.entries.revive(entry);
      for (const shown of [entry, ...this.entries.dependents(entry)])
        if (shown.mutation?.layer === undefined && !shown.isFailed) this.show(shown);
      void this.commit([[entry.key, entry.record]]);
    });
  }

  /** Other args for one that waits: another mutation to the server. Throws as `enter` does. */
  edit(entry: Entry, args: readonly unknown[]): void {
    const copies = copiedArgs(entry.record.name, args);
    entry.adopt({ ...entry.record, idempotencyKey: uniqueKey() });
    this.changeArgs(entry, copies);
    void this.commit([[entry.key, entry.record]], { changed: [entry] });
  }

  /** Forgets everything; gives the highest order that anything forgotten can have. */
  clear(): number {
    this.moved.clear();
    return this.entries.clear(this.#controller.now());
  }

  /** What a failed attempt of it has met is not as it seemed. */
  held(entry: Entry, hold: Hold, problem: Failure): void {
    entry.adopt({ ...entry.record, hold, problem });
    this.entries.changed(entry);
    void this.commit([[entry.key, entry.record]]);
  }

  /** Whether a record is of those whose outbox this is. */
  isOurs({ scope }: EntryRecord): boolean {
    return scope === undefined || scope === (this.#options.scope ?? null);
  }

  /** Shows what is expected of it, above all that is shown. */
  show({ mutation, record }: Entry): void {
    this.#shownThrough = Math.max(this.#shownThrough, record.order);
    if (mutation !== undefined) this.mutations.show(mutation);
  }

  /** The queue that the mutations of an endpoint wait in. */
  queueOf(name: string): string {
    return this.#options.queue?.({ name }) ?? '';
  }

  /** Makes one commit of all that `run` commits, in the name of the mutation if it is of one. */
  #batch<T>(entries: readonly Entry[], type: 'fetch' | 'optimistic', run: () => T): T {
    const [mutation, ...others] = mutationsOf(entries);
    return mutation === undefined || others.length > 0
      ? this.#controller.batch(run)
      : this.mutations.batch(mutation, type, run);
  }

  /** Tells the app of what went wrong. */
  tell(error: HoldfastError): void {
    (this.#options.onError ?? ((problem) => console.error(problem)))(error);
  }
}

/** Names a row unlike any temporary pk. */
function nameOf(table: string, pk: string): string {
  return JSON.stringify([table, pk]);
}

/** What `find` gives, which asks classes of the app; `otherwise` where those fail. */
function isolated<T>(otherwise: T, find: () => T): T {
  try {
    return find();
  } catch {
    return otherwise;
  }
}
