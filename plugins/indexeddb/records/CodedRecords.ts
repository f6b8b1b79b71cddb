import { LOST } from '../../shared/unreadableRecords.ts';
import { valuesThatThrow } from './clonable.ts';
import { WrongKeyError, type Codec } from './Codec.ts';
import { decodeHeader, type Header } from './header.ts';
import type { RewritePlan } from '../maintenance/RewritePlan.ts';
import type { SideChange } from '../writing/side.ts';
import type { AppendOptions, Records, StorageView } from '../storage/Storage.ts';
import { decodeText, encodeText } from 'holdfast';

/**
 * Records that are encoded by a codec. Readable are the names of tables, their numbers of rows, times, and
 * the keys of other plugins' records.
 *
 * A codec is asynchronous, and an IndexedDB transaction ends while it is awaited. So each access is a transaction of
 * its own, and a read starts over if the disk was rewritten between two of them. Results are stored under numbers,
 * and the directory of those numbers is an encoded record too, since the keys may be as secret as the data.
 */
export class CodedRecords implements Records {
  readonly #records: Records;
  readonly #codec: Codec;

  constructor(records: Records, codec: Codec) {
    this.#records = records;
    this.#codec = codec;
  }

  get identity(): string | undefined {
    return this.#records.identity;
  }

  async read<T>(run: (view: StorageView) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await run(this.#view());
      } catch (error) {
        if (!(error instanceof ConcurrentRewrite)) throw error;
      }
    }
  }

  async append(
    records: readonly unknown[],
    side: readonly SideChange[],
    options: AppendOptions,
  ): Promise<boolean> {
    const coded = await Promise.all(records.map((record) => this.#encode(record)));
    const codedSide = await Promise.all(
      side.map(async (change) =>
        change.record === undefined ? change : { ...change, record: await this.#encode(change.record) },
      ),
    );
    return this.#records.append(coded, codedSide, options);
  }

  async rewrite(plan: RewritePlan, from: Header): Promise<boolean> {
    const directory = await this.#directory((at) => this.#records.read(at));
    let last = 0;
    for (const number of directory.values()) last = Math.max(last, number);
    const results: [string, unknown][] = [];
    for (const [key, result] of plan.results) {
      const number = directory.get(key) ?? ++last;
      if (result === undefined) directory.delete(key);
      else directory.set(key, number);
      results.push([String(number), result === undefined ? undefined : await this.#encode(result)]);
    }
    const shards: [string, number, unknown][] = [];
    for (const [table, shard, rows] of plan.shards) shards.push([table, shard, await this.#encode(rows)]);
    return this.#records.rewrite(
      { ...plan, results, shards, directory: await this.#encode(directory) },
      from,
    );
  }

  findUnstorable(values: readonly unknown[]): Promise<ReadonlySet<unknown>> {
    return Promise.resolve(valuesThatThrow(values, encodeText));
  }

  /** The view of one read: all accesses see the same revision, or the read fails with `ConcurrentRewrite`. */
  #view(): StorageView {
    let first: Header | undefined;
    const readConsistent = <T>(at: (view: StorageView) => Promise<T>): Promise<T> =>
      this.#records.read(async (view) => {
        const [record, found] = await Promise.all([view.header(), at(view)]);
        const header = decodeHeader(record);
        first ??= header;
        const { epoch, revision, version } = first;
        if (header.epoch !== epoch || header.revision !== revision || header.version !== version)
          throw new ConcurrentRewrite();
        return found;
      });
    let directory: Promise<Map<string, number>> | undefined;
    const numbers = (): Promise<Map<string, number>> => (directory ??= this.#directory(readConsistent));
    const entries = <K>(coded: readonly (readonly [K, unknown])[]): Promise<(readonly [K, unknown])[]> =>
      Promise.all(coded.map(async ([key, record]) => [key, await this.#decode(record)] as const));
    return {
      header: () => readConsistent((view) => view.header()),
      log: async (through, limit) => entries(await readConsistent((view) => view.log(through, limit))),
      resultKeys: async () => [...(await numbers()).keys()],
      result: async (key) => {
        const number = (await numbers()).get(key);
        return number === undefined
          ? undefined
          : this.#decode(await readConsistent((view) => view.result(String(number))));
      },
      shardKeys: () => readConsistent((view) => view.shardKeys()),
      shard: async (table, shard) => this.#decode(await readConsistent((view) => view.shard(table, shard))),
      shards: async (table, start, count) => {
        const blocks = await readConsistent((view) => view.shards(table, start, count));
        return Promise.all(blocks.map((block) => this.#decode(block)));
      },
      side: async (plugin) => entries(await readConsistent((view) => view.side(plugin))),
      directory: () => readConsistent((view) => view.directory()),
    };
  }

  async #directory(
    read: (at: (view: StorageView) => Promise<unknown>) => Promise<unknown>,
  ): Promise<Map<string, number>> {
    const numbers = await this.#decode(await read((view) => view.directory()));
    // Its own record, since the codec has accepted it.
    return numbers instanceof Map ? (numbers as Map<string, number>) : new Map<string, number>();
  }

  async #encode(record: unknown): Promise<Uint8Array> {
    const coded = (await this.#codec.encode(encodeText(record))) as Uint8Array | undefined; // untyped code may return nothing
    if (coded === undefined) throw new TypeError('encode() of the codec returned nothing');
    return coded;
  }

  /**
   * Null, which is not a valid record, for anything that the codec rejects.
   *
   * @throws WrongKeyError
   */
  async #decode(record: unknown): Promise<unknown> {
    if (record === undefined || record === LOST) return record;
    try {
      return decodeText(await this.#codec.decode(record as Uint8Array)); // the codec checks it
    } catch (error) {
      if (error instanceof WrongKeyError) throw error;
      return null;
    }
  }
}

/** The disk was rewritten during a read. */
class ConcurrentRewrite extends Error {}
