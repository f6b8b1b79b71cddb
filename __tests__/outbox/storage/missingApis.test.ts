import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Device, openPage, freshDatabases, Server } from '../../support/outbox.ts';

freshDatabases();

let server: Server;
beforeEach(() => {
  server = new Server();
});

/** Has the global object another member until the test ends. */
function define(name: 'navigator' | 'structuredClone', value: unknown): void {
  override(name, { value, writable: true });
}

function override(name: string, descriptor: PropertyDescriptor): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { ...descriptor, configurable: true });
  undo.push(() => {
    if (before === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, before);
  });
}
const undo: (() => void)[] = [];
afterEach(() => {
  for (const run of undo.splice(0)) run();
});

describe('where navigator.locks is null, as in happy-dom', () => {
  it.each([true, false])('an online create is sent (rows stored: %s)', async (withStorage) => {
    define('navigator', { locks: null });
    const { controller, notes, errors } = await openPage(server, new Device(), { withStorage });
    const note = await controller.fetch(notes.create, { text: 'one' });
    expect(note).toMatchObject({ id: 1, text: 'one' });
    await controller.flush();
    expect(errors).toEqual([]);
  });
});

describe('where reading `indexedDB` throws, as in Firefox without storage access', () => {
  it.each([true, false])(
    'an online create is sent, and a reset succeeds (rows stored: %s)',
    async (withStorage) => {
      override('indexedDB', {
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        },
      });
      const { controller, notes, errors } = await openPage(server, new Device(), { withStorage });
      const note = await controller.fetch(notes.create, { text: 'one' });
      expect(note).toMatchObject({ id: 1, text: 'one' });
      expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['HF_STORAGE']));
      await controller.reset();
    },
  );
});

describe('where structuredClone is missing, as in jsdom', () => {
  it('a queued mutation rejects and names it', async () => {
    const { controller, notes } = await openPage(server, new Device(), { withStorage: false });
    define('structuredClone', undefined);
    const error: unknown = await controller
      .fetch(notes.create, { text: 'one' })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'HF_OUTBOX_ARGS' });
    expect(String(error)).toContain('structuredClone is missing');
  });
});
