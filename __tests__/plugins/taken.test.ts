import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Endpoint, logout, reachability, refetchOn, retry, type Plugin } from 'holdfast';
import { devtools } from 'holdfast/devtools';
import { indexedDB } from 'holdfast/indexeddb';
import { outbox } from 'holdfast/outbox';
import { tabs } from 'holdfast/tabs';

const started: Controller[] = [];

function start(plugins: readonly Plugin[]): Controller {
  const controller = new Controller({ plugins });
  started.push(controller);
  return controller;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((controller) => controller.stop()));
});

describe.each<() => Plugin>([
  () => indexedDB({ name: 'app' }),
  () => outbox({ endpoints: [] }),
  tabs,
  devtools,
  logout,
  reachability,
  refetchOn,
  retry,
])('a plugin with state of its controller: %#', (make) => {
  it('a plugin with state is refused by a second controller, which starts nothing', async () => {
    const plugin = make();
    const first = start([plugin]);
    let isStarted = false;
    const other: Plugin = { name: 'other', start: () => void (isStarted = true) };
    const refusal = expect.objectContaining({
      code: 'HF_PLUGIN',
      message: expect.stringContaining(plugin.name),
    });
    expect(() => start([other, plugin])).toThrow(refusal);
    await first.ready;
    expect(() => start([other, plugin])).toThrow(refusal);
    await first.stop();
    expect(() => start([other, plugin])).toThrow(refusal);
    expect(isStarted).toBe(false);
    expect(started).toHaveLength(1);
  });
});

describe('a plugin without state', () => {
  it('a plugin without state may be used by several controllers', () => {
    const keys: unknown[] = [];
    const log: Plugin = { name: 'log', commit: ({ action }) => void keys.push(action.key) };
    const get = new Endpoint((id: number) => Promise.resolve(id), { name: 'get', key: String });
    for (const [id, controller] of [start([log]), start([log])].entries())
      controller.setResponse(get, id, 'something');
    expect(keys).toEqual(['0', '1']);
  });
});
