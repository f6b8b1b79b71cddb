import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { IDBObjectStore } from 'fake-indexeddb';
import { BlobSupport, holdsBlob } from '../../../plugins/shared/blobStorage.ts';
import { turn } from '../../support/turns.ts';
import { inBrowser, WEBKIT } from '../../support/userAgent.ts';
import { answering, Article, freshIndexedDB, openApp, records } from '../../support/indexedDB.ts';

freshIndexedDB();
inBrowser(WEBKIT);

const getList = answering(
  'getList',
  [Article],
  Array.from({ length: 1_000 }, (_, index) => ({ id: `a${index}`, title: `title ${index}` })),
);
const getFile = answering('getFile', Article, { id: 'f', title: 'with a file', tags: [new Blob(['file'])] });

afterEach(() => {
  jest.restoreAllMocks();
});

it('a trial of Blobs whose database cannot be created leaves no rejection unhandled', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const { createObjectStore } = IDBDatabase.prototype;
  jest.spyOn(IDBDatabase.prototype, 'createObjectStore').mockImplementationOnce(function (
    this: IDBDatabase,
    ...args
  ) {
    const store = createObjectStore.apply(this, args);
    store.transaction.abort();
    return store;
  });
  expect(await new BlobSupport().ask()).toBe(false);
  for (let turns = 0; turns < 3; turns++) await turn();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

/** Runs all microtasks, and no task. */
async function microtasks(): Promise<void> {
  for (let turn = 0; turn < 500; turn++) await Promise.resolve();
}

describe('in a page in WebKit', () => {
  beforeEach(() => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    Object.assign(globalThis, {
      document: page,
      addEventListener: page.addEventListener.bind(page),
      removeEventListener: page.removeEventListener.bind(page),
    });
  });
  afterEach(() => {
    for (const name of ['document', 'addEventListener', 'removeEventListener'])
      Reflect.deleteProperty(globalThis, name);
  });

  it('the transaction for a response of 1,000 rows begins in its task, however slow the machine is', async () => {
    const { controller } = await openApp();
    await controller.restored;
    const transaction = jest.spyOn(IDBDatabase.prototype, 'transaction');
    let now = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    await controller.fetch(getList);
    await microtasks();
    const writes = transaction.mock.calls.filter(([, mode]) => mode === 'readwrite');
    expect(writes).toHaveLength(1);
    await controller.flush();
    expect(await records('log')).toHaveLength(4);
  });
});

describe.each([
  ['in a page', true],
  ['in a worker', false],
])('%s in WebKit', (_, isPage) => {
  beforeEach(() => {
    if (isPage) Object.assign(globalThis, { document: Object.assign(new EventTarget(), {}) });
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'document');
  });

  it('a row with a Blob is stored where the browser stores Blobs', async () => {
    const first = await openApp();
    await first.controller.fetch(getFile);
    await first.leave();
    const second = await openApp();
    await second.controller.restored;
    const [file] = second.controller.get(Article, { id: 'f' })?.tags ?? [];
    expect(await (file as Blob).text()).toBe('file');
    expect([...first.errors, ...second.errors]).toEqual([]);
  });

  it('a row with a Blob never reaches a database that refuses Blobs; it is reported once, and other rows are kept', async () => {
    const stored: unknown[] = [];
    for (const method of ['add', 'put'] as const) {
      const { [method]: original } = IDBObjectStore.prototype;
      jest.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (
        this: IDBObjectStore,
        value,
        key,
      ) {
        if (value instanceof Blob) throw new DOMException('Error preparing Blob/File data', 'UnknownError');
        stored.push(value);
        return original.call(this, value, key);
      });
    }
    const first = await openApp();
    await first.controller.fetch(getFile);
    await first.controller.fetch(getList);
    await first.controller.flush();
    first.controller.set(Article, { id: 'f' }, { title: 'changed' });
    first.controller.set(Article, { id: 'a1' }, { title: 'changed' });
    await first.controller.flush();
    expect(first.errors.map(({ code }) => code)).toEqual(['HF_ROW_NOT_CLONABLE']);
    expect(first.errors[0]?.message).toMatch(/Article "f" .*Blob/);
    expect(stored.some(holdsBlob)).toBe(false);
    await first.leave();

    const second = await openApp();
    await second.controller.restored;
    expect(second.controller.get(Article, { id: 'a1' })?.title).toBe('changed');
    expect(second.controller.get(Article, { id: 'a999' })?.title).toBe('title 999');
    expect(second.controller.get(Article, { id: 'f' })).toBeUndefined();
  });
});
