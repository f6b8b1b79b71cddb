import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Meta } from 'holdfast';
import { encodeBatch, splitBatch } from '../../../plugins/indexeddb/records/batchRecord.ts';
import { planCompaction } from '../../../plugins/indexeddb/maintenance/compact.ts';
import type { Header } from '../../../plugins/indexeddb/records/header.ts';
import { IdbStorage } from '../../../plugins/indexeddb/storage/IdbStorage.ts';
import { WriteAheadLog } from '../../../plugins/indexeddb/writing/WriteAheadLog.ts';
import { LostRows } from '../../../plugins/indexeddb/reading/LostRows.ts';
import { Reader } from '../../../plugins/indexeddb/reading/Reader.ts';
import type { WriteBatch, DiskResult, DiskRow } from '../../../plugins/indexeddb/records/records.ts';
import { References } from '../../../plugins/indexeddb/records/References.ts';
import { SyncStates } from '../../../plugins/indexeddb/writing/SyncStates.ts';
import { PATIENT } from '../mortal.ts';
import { clearSiteData } from '../../support/diskFaults.ts';
import { bytes, DATABASE, decodingInto, freshIndexedDB, metaAt, records } from '../../support/indexedDB.ts';

freshIndexedDB();

const DAY = 24 * 60 * 60 * 1_000;
const noSchemas = new References({
  now: () => 0,
  apply: () => undefined,
  reset: async () => undefined,
  entitiesOf: () => [],
  witness: () => undefined,
  schemaOf: () => undefined,
  currentList: (list) => list,
  mountedKeys: () => [],
  queriedRows: () => [],
  plugins: [],
  schedule: () => () => undefined,
});

const silent = {
  onForeign: () => undefined,
  onMissed: () => undefined,
  onEvicted: () => undefined,
  lost: () => undefined,
};

/** The disk with nothing in memory. */
class Bench {
  readonly storage = new IdbStorage(DATABASE, PATIENT);
  readonly unreadable: string[] = [];
  readonly #decoding = decodingInto(this.unreadable);
  readonly #log = new WriteAheadLog(this.#decoding, silent);
  readonly #lostRows = new LostRows();
  readonly reader = new Reader({
    records: this.storage,
    hasSession: true,
    localResets: 0,
    log: this.#log,
    state: undefined,
    syncStates: new SyncStates(),
    references: noSchemas,
    decoding: this.#decoding,
    lostRows: this.#lostRows,
  });

  async append(batch: Partial<WriteBatch>): Promise<void> {
    const records = splitBatch({ rows: [], results: [], ...batch }).map((part) => encodeBatch(part, 0));
    const log = new WriteAheadLog(this.#decoding, silent);
    await this.storage.read((view) => log.refresh(view));
    const guard = { ...log.guard, identity: this.storage.identity };
    await this.storage.append(records, [], { guard, version: 0, durability: 'relaxed', isUnloading: false });
  }

  async fold(now = 0, meanwhile?: () => Promise<void>): Promise<boolean> {
    const { plan, from } = await planCompaction(this.storage, {
      log: this.#log,
      now,
      decoding: this.#decoding,
      lostRows: this.#lostRows,
    });
    await meanwhile?.();
    return this.storage.rewrite(plan, from);
  }

  async header(): Promise<Header> {
    return (await records('meta'))[0] as Header;
  }
}

function row(pk: string, order: number, rest: Partial<DiskRow> = {}): DiskRow {
  return { table: 'T', pk, value: { order }, meta: metaAt(order), refs: [], ...rest };
}
const many = (count: number, order: number, prefix = 'p'): DiskRow[] =>
  Array.from({ length: count }, (_, index) => row(`${prefix}${index}`, order));

describe('compaction', () => {
  it('a compaction moves the log into shards of about 32 rows, and empties it', async () => {
    const bench = new Bench();
    await bench.append({
      rows: many(1_000, 1),
      results: [{ key: 'r', value: ['p1'], meta: metaAt(1), refs: ['T', 'p1'] }],
    });
    await bench.fold();
    expect(await records('log')).toEqual([]);
    expect(await records('shards')).toHaveLength(32);
    expect(await records('results')).toHaveLength(1);
    const table = (await bench.header()).tables.get('T');
    expect(table).toMatchObject({ shards: 32, rows: 1_000, refs: [] });
    const written = bytes(await records('shards'));
    expect(table?.bytes).toBeGreaterThan(written / 2);
    expect(table?.bytes).toBeLessThan(written * 2);
    expect(await bench.reader.shards('T')).toMatchObject({ rows: { length: 1_000 } });
    bench.storage.close();
  });

  it('a compaction writes only the shards that changed', async () => {
    const bench = new Bench();
    await bench.append({ rows: many(4_000, 1) });
    await bench.fold();
    const before = await records('shards');
    await bench.append({ rows: [row('p7', 2)] });
    await bench.fold();
    const after = await records('shards');
    expect(
      after.filter((shard, place) => JSON.stringify(shard) !== JSON.stringify(before[place])),
    ).toHaveLength(1);
    expect((await bench.header()).tables.get('T')?.rows).toBe(4_000);
    bench.storage.close();
  });

  it('a compaction splits the shards of a table that outgrew them, and keeps every row', async () => {
    const bench = new Bench();
    for (const [turn, count] of [100, 300, 700, 3_000].entries()) {
      await bench.append({ rows: many(count, turn + 1, `t${turn}-`) });
      await bench.fold();
    }
    expect((await bench.header()).tables.get('T')).toMatchObject({ shards: 256, rows: 4_100 });
    const { rows } = await bench.reader.shards('T');
    expect(new Set(rows.map(({ pk }) => pk)).size).toBe(4_100);
    const one = await bench.reader.readReachable({ rows: [['T', 't0-99'], ['T', 't3-2999'], ['T', 'none']] }); // oxfmt-ignore
    expect(one.rows.map(({ pk }) => pk).sort()).toEqual(['t0-99', 't3-2999']);
    expect(one.missing).toEqual(['T', 'none']);
    bench.storage.close();
  });

  it('a compaction of a database that the browser has deleted does not write to the next one', async () => {
    const bench = new Bench();
    await bench.append({ rows: [row('p0', 1), row('p1', 1)] });
    const isDone = await bench.fold(0, async () => {
      clearSiteData(DATABASE, { isWritten: false, isSilent: false });
      // The next database has the same sequence numbers and the same revision.
      await bench.append({ rows: [row('p0', 2, { value: undefined }), row('p1', 1)] });
    });
    expect(isDone).toBe(false);
    expect(await records('log')).toHaveLength(1);
    expect(await records('shards')).toEqual([]);
    bench.storage.close();
  });

  it('a compaction keeps tombstones for a day after they left the log', async () => {
    const bench = new Bench();
    await bench.append({ rows: [row('p0', 1), row('p1', 1)] });
    await bench.append({ rows: [row('p0', 2, { value: undefined })] });
    await bench.fold(1_000);
    const touch = (order: number): Promise<void> => bench.append({ rows: [row('p1', order)] });
    await touch(3);
    await bench.fold(1_000 + DAY);
    expect((await bench.reader.readReachable({ rows: [['T', 'p0']] })).rows).toMatchObject([
      { value: undefined, foldedAt: 1_000 },
    ]);
    await touch(4);
    await bench.fold(1_001 + DAY);
    expect((await bench.reader.readReachable({ rows: [['T', 'p0']] })).rows).toEqual([]);
    expect((await bench.header()).tables.get('T')?.rows).toBe(1);
    bench.storage.close();
  });

  it('a row of another shape costs a compaction at most that row', async () => {
    const bench = new Bench();
    await bench.append({ rows: many(10, 1) });
    await bench.fold();
    const { openDB } = await import('idb');
    const database = await openDB(DATABASE);
    const shard = (await database.get('shards', ['T', 0])) as { pk: unknown[] };
    shard.pk[3] = 5;
    await database.put('shards', shard, ['T', 0]);
    database.close();
    const { rows } = await bench.reader.shards('T');
    expect(rows).toHaveLength(9);
    expect(bench.unreadable).toEqual(['shard 0 of T, row 3']);
    bench.storage.close();
  });

  it('a compaction leaves in the log what was appended while it ran', async () => {
    const bench = new Bench();
    await bench.append({ rows: many(300, 1) });
    await bench.append({ rows: [row('p1', 2)] });
    await bench.fold(0, () => bench.append({ rows: [row('p2', 3), row('p3', 0)] }));
    expect(await records('log')).toHaveLength(1);
    for (const reader of [bench.reader, new Bench().reader]) {
      const found = await reader.readReachable({ rows: ['p0', 'p1', 'p2', 'p3'].map((pk) => ['T', pk]) });
      const orders = found.rows.map(({ pk, value }) => [pk, value?.['order']]).sort();
      expect(orders).toEqual([['p0', 1], ['p1', 2], ['p2', 3], ['p3', 1]]); // oxfmt-ignore
    }
    bench.storage.close();
  });

  it('a compaction does not overwrite another that finished during it', async () => {
    const bench = new Bench();
    const other = new Bench();
    await bench.append({ rows: many(300, 1) });
    const done = await bench.fold(0, async () => {
      await other.fold();
      await other.append({ rows: [row('p1', 2)] });
      await other.fold();
    });
    expect(done).toBe(false);
    expect((await bench.reader.readReachable({ rows: [['T', 'p1']] })).rows[0]?.value).toEqual({ order: 2 });
    bench.storage.close();
    other.storage.close();
  });

  it('a compaction does not change what is read, after any batches and compactions', async () => {
    const pk = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', '', '🦀');
    const table = fc.constantFrom('T', 'U', '__proto__');
    // Mutations are answered here in the order in which they began. Where they are not, and a read began between two
    // answers, the rule goes in a circle (read over first, second over read, first over second), and which version
    // stays depends on which two met.
    const meta = fc
      .tuple(fc.integer({ min: 1, max: 20 }), fc.boolean())
      .map(([nth, isRead]) => ({ order: 2 * nth, answered: isRead ? 0 : 2 * nth + 9 }));
    const change = fc.record({
      table,
      pk,
      meta,
      deleted: fc.boolean(),
      refs: fc.array(fc.tuple(table, pk), { maxLength: 2 }),
    });
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.array(change, { minLength: 1, maxLength: 6 }) },
      { weight: 1, arbitrary: fc.constant('fold' as const) },
      { weight: 1, arbitrary: fc.constant('read' as const) },
    );
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        globalThis.indexedDB = new (globalThis.indexedDB.constructor as new () => IDBFactory)();
        const bench = new Bench();
        const model = new Map<string, DiskRow | DiskResult>();
        const written = new Map<string, string[]>();
        let place = 0;
        for (const step of steps) {
          if (step === 'fold') await bench.fold();
          else if (step === 'read') await bench.reader.results([]);
          else {
            const rows = step.map(({ table, pk, meta, deleted, refs }): DiskRow => {
              const value = deleted ? undefined : { place: ++place, at: new Date(place), big: Infinity };
              return { table, pk, value, meta: metaAt(meta.order, meta), refs: deleted ? [] : refs.flat() };
            });
            const results = step.map(({ pk, meta }): DiskResult => ({
              key: pk,
              value: ++place,
              meta: metaAt(meta.order, meta),
              refs: [],
            }));
            for (const { table, pk, refs } of rows) {
              const key = JSON.stringify([table, pk]);
              written.set(key, [...(written.get(key) ?? []), ...refs]);
            }
            for (const row of rows) keepNewest(model, JSON.stringify([row.table, row.pk]), row);
            for (const result of results) keepNewest(model, result.key, result);
            await bench.append({ rows, results });
          }
        }
        // A reader that has seen every step, and one that comes new to it.
        for (const reader of [bench.reader, new Bench().reader]) {
          const found = await reader.readReachable({ results: ['a', 'b', 'c', '__proto__', 'constructor', '', '🦀'] }); // oxfmt-ignore
          const tables = await Promise.all(['T', 'U', '__proto__'].map((table) => reader.shards(table)));
          const read = new Map<string, unknown>();
          for (const { foldedAt: _, refs, ...row } of tables.flatMap(({ rows }) => rows)) {
            const key = JSON.stringify([row.table, row.pk]);
            const own = model.get(key)?.refs ?? [];
            // What it names, and perhaps what an earlier version named.
            expect(refs.slice(0, own.length)).toEqual(own);
            expect(written.get(key)).toEqual(expect.arrayContaining([...refs]));
            read.set(key, { ...row, refs: own });
          }
          for (const result of found.results) read.set(result.key, result);
          expect(Object.fromEntries(read)).toEqual(Object.fromEntries(model));
        }
        expect(bench.unreadable).toEqual([]);
        run += 1;
      }),
      { numRuns: 60 },
    );
    expect(run).toBeGreaterThan(0);
  });
});

/** The newest by order, as the core orders reads and mutations; the later where neither is older. */
function keepNewest<T extends { meta: Meta }>(model: Map<string, T>, key: string, next: T): void {
  const before = model.get(key);
  if (before === undefined || !older(next.meta, before.meta)) model.set(key, next);
}
function older(next: Meta, before: Meta): boolean {
  if ((next.answered === 0) === (before.answered === 0)) return next.order < before.order;
  return before.answered !== 0 ? next.order < before.answered : next.answered < before.order;
}
