import 'fake-indexeddb/auto';
import { deserialize, serialize } from 'node:v8';
import { afterEach, beforeEach } from '@jest/globals';
import { IDBFactory } from 'fake-indexeddb';
import {
  Controller,
  Endpoint,
  Entity,
  type HoldfastError,
  type Meta,
  type Schedule,
  type Schema,
} from 'holdfast';
import { indexedDB, type IndexedDBOptions, type IndexedDBPlugin } from 'holdfast/indexeddb';
import { openDB } from 'idb';
import type { Decoding } from '../../plugins/indexeddb/records/records.ts';
import { SharedMetas } from '../../plugins/indexeddb/records/SharedMetas.ts';
import { User } from './entities.ts';

export class Article extends Entity {
  id = '';
  title = '';
  body = '';
  author = User.fromJS();
  at = new Date(0);
  tags: unknown[] = [];
  static override key = 'Article';
  static override schema = { author: User };
}

export const DATABASE = 'test';

/** The names of the endpoints that asked the network in this test. */
export const requests: string[] = [];

/** An endpoint whose answer is always the same value. */
export function answering<const S extends Schema & {}>(
  name: string,
  schema: S,
  answer: unknown,
  dataExpiryLength = Infinity,
) {
  const ask = async (): Promise<unknown> => {
    requests.push(name);
    return structuredClone(answer);
  };
  return new Endpoint(ask, { name, schema, dataExpiryLength });
}

export interface App {
  readonly controller: Controller;
  readonly plugin: IndexedDBPlugin;
  readonly errors: HoldfastError[];
  /** Writes what is pending and closes the database, as at page unload. */
  leave(): Promise<void>;
}

const apps: App[] = [];

/** A controller on the test's database. */
export async function openApp(
  options: Partial<IndexedDBOptions> & { now?: () => number; schedule?: Schedule } = {},
): Promise<App> {
  const { now, schedule, ...rest } = options;
  const errors: HoldfastError[] = [];
  const plugin = indexedDB({ name: DATABASE, onError: (error) => errors.push(error), ...rest });
  const controller = new Controller({
    plugins: [plugin],
    ...(now && { now }),
    ...(schedule && { schedule }),
  });
  const app: App = { controller, plugin, errors, leave: () => controller.stop() };
  apps.push(app);
  await controller.ready;
  return app;
}

/** A database of its own for each test, and nothing left running after it. */
export function freshIndexedDB(): void {
  beforeEach(() => {
    globalThis.indexedDB = new IDBFactory();
    requests.length = 0;
  });
  afterEach(async () => {
    await Promise.allSettled(apps.splice(0).map((app) => app.leave()));
  });
}

/** Every record of a store, as it lies on disk. */
export async function records(store: string, name = DATABASE): Promise<unknown[]> {
  const database = await openDB(name);
  try {
    const transaction = database.transaction(store);
    // The transaction ends later than its request: a fault that comes next would abort it, which nothing would handle.
    const [found] = await Promise.all([transaction.store.getAll(), transaction.done]);
    return found as unknown[]; // idb does not know the stores here
  } finally {
    database.close();
  }
}

/** The marks of resets on disk. */
export async function marks(): Promise<unknown[]> {
  const database = await openDB(DATABASE);
  const names = [...database.objectStoreNames];
  database.close();
  const found = await Promise.all(
    names.filter((name) => name.startsWith('identity ')).map((name) => records(name)),
  );
  return found.flat();
}

/** Bytes that a record takes. */
export function bytes(record: unknown): number {
  return serialize(record).length;
}

/** A copy with nothing shared, as disk makes one. */
export function copied<T>(value: T): T {
  return deserialize(serialize(value)) as T;
}

/** Reads rows of one version, and notes what cannot be read. */
export function decodingInto(unreadable: string[]): Decoding {
  return {
    version: 0,
    unreadable: (where) => unreadable.push(where),
    metas: new SharedMetas(),
    upgrade: (row) => row,
  };
}

export function metaAt(order: number, rest: Partial<Meta> = {}): Meta {
  return { requestedAt: order, receivedAt: order, expiresAt: Infinity, order, answered: 0, ...rest };
}

/** Promises resolve, timers and requests run. */
export function pause(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
