import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, logout, reachability, refetchOn, retry } from 'holdfast';
import { devtools } from 'holdfast/devtools';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { tabs } from 'holdfast/tabs';

/** What Cloudflare Workers refuse while a module is evaluated. */
function forbid(): void {
  const refuse = (): never => {
    throw new Error('Disallowed operation called within global scope.');
  };
  jest.spyOn(crypto, 'randomUUID').mockImplementation(refuse);
  jest.spyOn(crypto, 'getRandomValues').mockImplementation(refuse);
  jest.spyOn(Math, 'random').mockImplementation(refuse);
  for (const name of ['setTimeout', 'setInterval', 'fetch'] as const)
    jest.spyOn(globalThis, name).mockImplementation(refuse);
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a module that is also loaded by a worker on a server', () => {
  it('all plugins are created without random values, timers and requests', () => {
    forbid();
    expect(() => [
      new Controller(),
      indexedDB({ name: 'app' }),
      outbox({ endpoints: [] }),
      refetchOn(),
      retry(),
      logout(),
      reachability(),
      tabs({ name: 'app' }),
      devtools(),
    ]).not.toThrow();
  });
});
