import {
  HoldfastError,
  Mutations,
  type Controller,
  type LayerId,
  type Mutation,
  type SideRecords,
  type StoreAnswer,
} from 'holdfast';
import { encodeArgs } from './bodies.ts';
import { Entries } from './Entries.ts';
import { Entry, type Waiter } from './Entry.ts';
import type { Keeper } from './Keeper.ts';
import type { OutboxOptions } from './OutboxOptions.ts';
import type { Failure } from './outcome.ts';
import {
  asEntryRecord,
  asMoveRecord,
  movedPk,
  moveKey,
  type EntryRecord,
  type MoveRecord,
} from './record.ts';
import type { Registry } from './Registry.ts';
import { withServerPks } from './temporaryPks.ts';

/** Name of the plugin, and of its records. */
export const NAME = 'outbox';

/** How long a temporary pk is remembered after the server has given another, in ms. */
const REMEMBERED = 7 * 24 * 3_600_000;

/** An entry and what stores its answer. */
export interface Answered {
  readonly entry: Entry;
  readonly store: StoreAnswer;
}

/** Entries, what is shown of them and what is on disk of them, kept in step. */
export class Ledger {
  readonly entries = new Entries();
  readonly registry: Registry;
  readonly mutations: Mutations;
  /** The server's pk of each temporary one that has been answered. */
  readonly moved = new Map<string, string | number>();
  readonly #options: OutboxOptions;
  readonly #controller: Controller;
  readonly #keeper: Keeper;
  /** Keys that have been removed here and may still be on disk, or in what is being read of it. */
  readonly #removed = new Set<string>();
  /** Those that have come from elsewhere and are not shown yet. */
  #fresh: Entry[] = [];
  /** The highest order that is shown. */
  #shownThrough = 0;
  #reading: Promise<unknown> = Promise.resolve();
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: OutboxOptions, registry: Registry, controller: Controller, keeper: Keeper) {
    this.#options = options;
    this.registry = registry;
    this.#controller = controller;
    this.mutations = new Mutations(controller);
    this.#keeper = keeper;
  }

  /** Settles when all that was written is durable, or has failed to be. */
  get written(): Promise<unknown> {
    return this.#writing;
  }

  /**
   * Takes in a mutation, at once.
   *
   * @throws HoldfastError `HF_OUTBOX_ARGS` when it cannot be stored
   */
  enter(mutation: Mutation, waiter: Waiter): Entry {
    const { endpoint, temporaryPk } = mutation;
    const now = this.#controller.now();
    mutation.args = withServerPks(mutation.args, this.moved);
    const key = uniqueKey();
    const record: EntryRecord = {
      name: endpoint.name,
      args: cloned(endpoint.name, mutation.args),
      order: this.entries.nextOrder(now),
      revision: 1,
      createdAt: now,
      attempts: 0,
      idempotencyKey: key,
      temporaryPk,
      isAwaited: this.#controller.environment.isOnline,
    };
    const entry = new Entry(key, this.#queueOf(endpoint.name), record, mutation);
    entry.waiter = waiter;
    this.entries.add(entry);
    entry.kept = this.#controller.batch(() => {
      this.#show(entry);
      return this.commit([[key, record]]);
    });
    void entry.kept.then((isKept) => (entry.isKept = isKept));
    return entry;
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
    this.mutations.commit({
      origin: NAME,
      hidden: mutationsOf(hidden),
      changed: mutationsOf(changed),
      side: { [NAME]: records },
    });
    return this.#write(records);
  }

  /** These have been answered. Gives what the last one's answer gives. */
  answered(answers: readonly Answered[]): unknown {
    return this.#controller.batch(() => {
      const records: (readonly [string, unknown])[] = [];
      const changed = new Set<Entry>();
      let value: unknown;
      for (const { store } of answers) value = store(answers.length > 1);
      const hidden = answers.map(({ entry }) => entry);
      this.mutations.commit({ origin: NAME, hidden: mutationsOf(hidden) });
      for (const entry of hidden) {
        this.entries.remove(entry);
        records.push([entry.key, undefined]);
        const { temporaryPk } = entry.record;
        const made = entry.mutation?.made;
        if (made === undefined) continue;
        const id = this.#idOf(made.table, made.pk);
        this.moved.set(temporaryPk, id);
        // Whoever has it on screen, in whatever tab, may still name it by the temporary one.
        const move: MoveRecord = { ...made, id, at: this.#controller.now() };
        records.push([moveKey(temporaryPk), move]);
        for (const dependent of this.entries.naming(temporaryPk)) {
          this.changeArgs(dependent, withServerPks(dependent.args, this.moved));
          changed.add(dependent);
        }
      }
      for (const { key, record } of changed) records.push([key, record]);
      void this.commit(records, { changed: [...changed] });
      return value;
    });
  }

  changeArgs(entry: Entry, args: readonly unknown[]): void {
    this.entries.unindex(entry);
    entry.changeArgs(args);
    this.entries.index(entry);
    this.entries.changed(entry);
  }

  /** Its record has changed. */
  changed(entry: Entry, change: Parameters<Entry['change']>[0]): void {
    entry.change(change);
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

  /** A dead letter waits to be sent again; what hung on it is shown again. */
  revive(entry: Entry, args: readonly unknown[] = entry.args): void {
    const { failure: _, ...record } = entry.record;
    this.#controller.batch(() => {
      entry.adopt({ ...record, attempts: 0, idempotencyKey: uniqueKey() });
      this.changeArgs(entry, args);
      this.entries.revive(entry);
      for (const shown of [entry, ...this.entries.dependents(entry)])
        if (shown.mutation?.layer === undefined && !shown.isFailed) this.#show(shown);
      void this.commit([[entry.key, entry.record]]);
    });
  }

  /** Other args for one that waits: another mutation to the server. */
  edit(entry: Entry, args: readonly unknown[]): void {
    entry.adopt({ ...entry.record, idempotencyKey: uniqueKey() });
    this.changeArgs(entry, args);
    void this.commit([[entry.key, entry.record]], { changed: [entry] });
  }

  /**
   * Takes in what is on disk: at the start, and whenever another tab may have changed it.
   *
   * @returns those that are gone
   */
  async read(): Promise<readonly Entry[]> {
    await this.#writing;
    const reading = this.#keeper.read();
    this.#reading = reading.catch(() => undefined);
    const records = await reading;
    const onDisk = new Set(records.map(([key]) => key));
    const gone = [...this.entries.all()].filter(({ key, isKept }) => isKept && !onDisk.has(key));
    const hidden = this.#take([...records, ...gone.map(({ key }) => [key, undefined] as const)]);
    // Over a part of a row, a layer would show a part of it; and what came of those that are gone lies on disk with it.
    const standing = mutationsOf([...this.#fresh, ...gone]).filter(
      ({ endpoint }) => endpoint.getOptimisticResponse !== undefined,
    );
    if (standing.length > 0) await this.mutations.restore(standing);
    this.#showAll(hidden);
    return gone;
  }

  /** Another tab has written these. Gives the layers that this takes away, and those that are gone. */
  settles(records: SideRecords): { readonly layers: readonly LayerId[]; readonly gone: readonly Entry[] } {
    const gone = records.flatMap(([key, record]) =>
      record === undefined ? (this.entries.get(key) ?? []) : [],
    );
    const hidden = this.#take(records);
    const layers = mutationsOf(hidden).flatMap(({ layer }) => layer ?? []);
    for (const mutation of mutationsOf(hidden)) mutation.layer = mutation.expected = undefined;
    return { layers, gone };
  }

  /** Shows what `settles` brought, above the rows that came with it. */
  showNew(): void {
    this.#showAll([]);
  }

  clear(): void {
    this.entries.clear();
    this.moved.clear();
    this.#fresh = [];
  }

  /** Gives those that are no longer to be shown. */
  #take(records: SideRecords): Entry[] {
    const hidden: Entry[] = [];
    const added: Entry[] = [];
    const expired: string[] = [];
    const moved: string[] = [];
    for (const [key, stored] of records) {
      const temporaryPk = movedPk(key);
      if (temporaryPk !== undefined) {
        const move = asMoveRecord(stored);
        if (move === undefined) continue;
        if (this.#controller.now() - move.at > REMEMBERED) expired.push(key);
        this.moved.set(temporaryPk, move.id);
        this.mutations.alias(move.table, temporaryPk, move.pk);
        moved.push(temporaryPk);
        continue;
      }
      const known = this.entries.get(key);
      const record = asEntryRecord(stored);
      if (record === undefined) {
        if (known !== undefined && !known.isSending) {
          this.entries.remove(known);
          hidden.push(known);
        }
      } else if (known === undefined) {
        if (!this.#removed.has(key)) added.push(this.#restored(key, record));
      } else if (record.revision > known.record.revision) {
        this.#adopt(known, record);
        hidden.push(known);
        this.#fresh.push(known);
      }
    }
    added.sort((left, right) => left.record.order - right.record.order);
    for (const entry of added) this.entries.add(entry);
    this.#fresh.push(...added);
    // Another tab has rewritten those that it knew of.
    for (const entry of new Set(moved.flatMap((temporaryPk) => this.entries.naming(temporaryPk)))) {
      if (entry.isSending) continue;
      this.changeArgs(entry, withServerPks(entry.args, this.moved));
      hidden.push(entry);
      this.#fresh.push(entry);
    }
    if (expired.length > 0) void this.#write(expired.map((key) => [key, undefined]));
    return hidden;
  }

  #restored(key: string, record: EntryRecord): Entry {
    return Entry.restored(key, this.#queueOf(record.name), record, this.registry.find(record.name));
  }

  #adopt(entry: Entry, record: EntryRecord): void {
    this.entries.unindex(entry);
    const wasFailed = entry.isFailed;
    const isFailed = record.failure !== undefined;
    entry.take(record);
    this.entries.index(entry);
    if (wasFailed && !isFailed) this.entries.revive(entry);
    else if (!wasFailed && isFailed) this.entries.bury(entry);
    else this.entries.changed(entry);
  }

  /** Shows what has come from elsewhere, in order, as one change. */
  #showAll(hidden: readonly Entry[]): void {
    const fresh = this.#fresh;
    this.#fresh = [];
    if (fresh.length === 0 && hidden.length === 0) return;
    this.#controller.batch(() => {
      const first = fresh.reduce((least, { record }) => Math.min(least, record.order), Infinity);
      // What came later lies above.
      const above =
        first > this.#shownThrough
          ? fresh
          : [...this.entries.all()].filter(({ record }) => record.order >= first);
      this.mutations.commit({ origin: NAME, hidden: mutationsOf([...hidden, ...above]) });
      for (const entry of above)
        if (this.entries.get(entry.key) === entry && !entry.isFailed && !this.entries.isHopeless(entry))
          this.#show(entry);
    });
  }

  #show({ mutation, record }: Entry): void {
    this.#shownThrough = Math.max(this.#shownThrough, record.order);
    if (mutation === undefined) return;
    try {
      this.mutations.show(mutation);
    } catch (cause) {
      // What the app makes of it is its own affair: it is sent all the same.
      this.#tell(
        new HoldfastError(
          'HF_PLUGIN',
          `getOptimisticResponse of ${mutation.endpoint.name} threw, so nothing is shown of it until it has been answered; check it`,
          { cause },
        ),
      );
    }
  }

  #write(records: SideRecords): Promise<boolean> {
    const gone = records.filter(([, record]) => record === undefined).map(([key]) => key);
    for (const key of gone) this.#removed.add(key);
    const writing = this.#keeper.write(records).then(
      () => true,
      (cause: unknown) => {
        this.#tell(
          new HoldfastError(
            'HF_STORAGE',
            'The outbox cannot be written, so what is pending is kept in memory only; allow site data to keep it',
            { cause },
          ),
        );
        return false;
      },
    );
    this.#writing = writing;
    void Promise.all([writing, this.#reading]).then(() => {
      for (const key of gone) this.#removed.delete(key);
    });
    return writing;
  }

  #queueOf(name: string): string {
    return this.#options.queue?.({ name }) ?? '';
  }

  /** A pk as the server's data has it: a number, where the row says so. */
  #idOf(table: string, pk: string): string | number {
    const { id } = { ...this.#controller.getState().tables[table]?.get(pk)?.value } as {
      readonly id?: unknown;
    }; // a row's fields
    return typeof id === 'number' && String(id) === pk ? id : pk;
  }

  #tell(error: HoldfastError): void {
    (this.#options.onError ?? ((problem) => console.error(problem)))(error);
  }
}

function mutationsOf(entries: readonly Entry[]): readonly Mutation[] {
  return entries.flatMap(({ mutation }) => mutation ?? []);
}

/** A copy, as the record has it: what the app changes in its objects later on is not what it asked for. */
function cloned(name: string, args: readonly unknown[]): readonly unknown[] {
  try {
    return structuredClone(encodeArgs(args));
  } catch (cause) {
    throw new HoldfastError(
      'HF_OUTBOX_ARGS',
      `${name} was given an argument that cannot be stored, such as a function or a stream, so it was not sent; pass plain data, FormData, Blob or the like`,
      { cause },
    );
  }
}

/** Unlike any other of any tab. `randomUUID` is missing on pages without TLS. */
function uniqueKey(): string {
  const { crypto } = globalThis as { readonly crypto?: Partial<Crypto> }; // not everywhere all of it
  if (crypto?.randomUUID !== undefined) return crypto.randomUUID();
  return Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 10)).join('-');
}
