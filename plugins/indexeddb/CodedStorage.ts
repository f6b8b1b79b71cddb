import { LOST } from '../shared/unreadableRecords.ts';
import type { Codec } from './Codec.ts';
import { decodeHeader, type Header } from './header.ts';
import type { Plan } from './Plan.ts';
import type { SideChange } from './side.ts';
import type { Appended, AppendOptions, Storage, StorageView } from './Storage.ts';
import { fromText, toText } from './typedText.ts';

/**
 * A storage in which whatever a record holds is written by a codec. What stays readable: the names of tables, how many
 * rows they have, times, and the keys under which other plugins keep their records.
 *
 * A codec takes its time, and transactions end while it is awaited. So each look at the disk is a transaction of its
 * own, and a read begins anew when the disk was rewritten between two of them. Results lie under numbers, and which
 * number is whose is a coded record too: their keys may be as secret as what they hold.
 */
export class CodedStorage implements Storage {
  readonly #storage: Storage;
  readonly #codec: Codec;

  constructor(storage: Storage, codec: Codec) {
    this.#storage = storage;
    this.#codec = codec;
  }

  get lost(): string | undefined {
    return this.#storage.lost;
  }

  onReplaced(listener: () => void): void {
    this.#storage.onReplaced(listener);
  }

  onLost(listener: (records: string) => void): void {
    this.#storage.onLost(listener);
  }

  open(): Promise<void> {
    return this.#storage.open();
  }

  openedLate(): Promise<boolean> {
    return this.#storage.openedLate();
  }

  async read<T>(run: (view: StorageView) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await run(this.#view());
      } catch (error) {
        if (!(error instanceof Rewritten)) throw error;
      }
    }
  }

  async append(
    records: readonly unknown[],
    side: readonly SideChange[],
    options: AppendOptions,
  ): Promise<Appended> {
    const coded = await Promise.all(records.map((record) => this.#encode(record)));
    const codedSide = await Promise.all(
      side.map(async (change) =>
        change.record === undefined ? change : { ...change, record: await this.#encode(change.record) },
      ),
    );
    return this.#storage.append(coded, codedSide, options);
  }

  async rewrite(plan: Plan, from: Header): Promise<boolean> {
    const directory = await this.#directory((at) => this.#storage.read(at));
    let last = Math.max(0, ...directory.values());
    const results: [string, unknown][] = [];
    for (const [key, result] of plan.results) {
      const number = directory.get(key) ?? ++last;
      if (result === undefined) directory.delete(key);
      else directory.set(key, number);
      results.push([String(number), result === undefined ? undefined : await this.#encode(result)]);
    }
    const shards: [string, number, unknown][] = [];
    for (const [table, shard, rows] of plan.shards) shards.push([table, shard, await this.#encode(rows)]);
    return this.#storage.rewrite(
      { ...plan, results, shards, directory: await this.#encode(directory) },
      from,
    );
  }

  clear(keepsSide?: boolean): Promise<Header> {
    return this.#storage.clear(keepsSide);
  }

  hurry(): void {
    this.#storage.hurry();
  }

  close(): void {
    this.#storage.close();
  }

  isStorable(value: unknown): boolean {
    try {
      toText(value);
      return true;
    } catch {
      return false;
    }
  }

  /** What one read sees: every look at the disk shows it as of the same rewrite, or the read ends with `Rewritten`. */
  #view(): StorageView {
    let first: Header | undefined;
    const look = <T>(at: (view: StorageView) => Promise<T>): Promise<T> =>
      this.#storage.read(async (view) => {
        const [record, found] = await Promise.all([view.header(), at(view)]);
        const header = decodeHeader(record);
        first ??= header;
        if (header.epoch !== first.epoch || header.revision !== first.revision) throw new Rewritten();
        return found;
      });
    let directory: Promise<Map<string, number>> | undefined;
    const numbers = (): Promise<Map<string, number>> => (directory ??= this.#directory(look));
    const entries = <K>(coded: readonly (readonly [K, unknown])[]): Promise<(readonly [K, unknown])[]> =>
      Promise.all(coded.map(async ([key, record]) => [key, await this.#decode(record)] as const));
    return {
      header: () => look((view) => view.header()),
      log: async (through, limit) => entries(await look((view) => view.log(through, limit))),
      resultKeys: async () => [...(await numbers()).keys()],
      result: async (key) => {
        const number = (await numbers()).get(key);
        return number === undefined
          ? undefined
          : this.#decode(await look((view) => view.result(String(number))));
      },
      results: async (first, last) => {
        const asked = [...(await numbers())].filter(([key]) => first <= key && key <= last);
        const records = await look((view) =>
          Promise.all(asked.map(([, number]) => view.result(String(number)))),
        );
        return Promise.all(records.map((record) => this.#decode(record)));
      },
      shardKeys: () => look((view) => view.shardKeys()),
      shard: async (table, shard) => this.#decode(await look((view) => view.shard(table, shard))),
      shards: async (table, start, count) => {
        const blocks = await look((view) => view.shards(table, start, count));
        return Promise.all(blocks.map((block) => this.#decode(block)));
      },
      side: async (plugin) => entries(await look((view) => view.side(plugin))),
      directory: () => look((view) => view.directory()),
    };
  }

  async #directory(
    read: (at: (view: StorageView) => Promise<unknown>) => Promise<unknown>,
  ): Promise<Map<string, number>> {
    const numbers = await this.#decode(await read((view) => view.directory()));
    // Of its own making, where the codec has accepted it.
    return numbers instanceof Map ? (numbers as Map<string, number>) : new Map<string, number>();
  }

  async #encode(record: unknown): Promise<Uint8Array> {
    return this.#codec.encode(toText(record));
  }

  /** Null, which is no record of any shape, for what the codec does not accept. */
  async #decode(record: unknown): Promise<unknown> {
    if (record === undefined || record === LOST) return record;
    try {
      return fromText(await this.#codec.decode(record as Uint8Array)); // whatever it is, the codec judges it
    } catch {
      return null;
    }
  }
}

/** The disk was rewritten between two looks of one read. */
class Rewritten extends Error {}
