import { describe, expect, it } from '@jest/globals';
import { Controller } from '../../../src/index.ts';
import { FakeTime } from '../../support/fakeTime.ts';
import { Price } from '../../support/entities.ts';

function setUp() {
  const time = new FakeTime();
  const controller = new Controller({ schedule: time.schedule });
  const told: (readonly [id: string, value: number | undefined])[] = [];
  for (const id of ['a', 'b']) {
    controller.set(Price, { id }, { value: 0 });
    controller.watch(Price, { id }, (price) => told.push([id, price?.value] as const));
  }
  const stream = (id: string, value: number): void =>
    controller.batch(() => controller.set(Price, { id }, { value }), { notify: 'frame' });
  return { time, controller, told, stream };
}

describe("batch(…, { notify: 'frame' })", () => {
  it('a write in a frame batch can be read at once, and notifies once with the last value', async () => {
    const { time, controller, told, stream } = setUp();
    for (let value = 1; value <= 5; value++) stream('a', value);
    stream('b', 1);
    expect(controller.get(Price, { id: 'a' })?.value).toBe(5);
    expect(told).toEqual([]);
    await time.pass(100);
    expect(told).toEqual([
      ['a', 5],
      ['b', 1],
    ]);
    expect(time.timers).toBe(0);
    stream('a', 6);
    await time.pass(100);
    expect(told).toHaveLength(3);
  });

  it('a frame batch notifies no later than the next write outside it', () => {
    const { time, controller, told, stream } = setUp();
    stream('a', 1);
    controller.set(Price, { id: 'b' }, { value: 2 });
    expect(told).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
    expect(time.timers).toBe(0);
  });

  it('nested batches notify when the outermost batch says', () => {
    const { told, controller, stream } = setUp();
    controller.batch(() => stream('a', 1));
    expect(told).toEqual([['a', 1]]);
  });

  it('a frame batch does not notify a watcher that has unsubscribed', async () => {
    const { time, controller, stream } = setUp();
    const told: unknown[] = [];
    const stop = controller.watch(Price, { id: 'a' }, (price) => told.push(price));
    stream('a', 1);
    stop();
    await time.pass(100);
    expect(told).toEqual([]);
  });

  it('a frame batch notifies plugins at once', () => {
    const commits: string[] = [];
    const controller = new Controller({
      plugins: [{ name: 'log', commit: ({ action }) => void commits.push(action.type) }],
    });
    controller.batch(() => controller.set(Price, { id: 'a' }, { value: 1 }), { notify: 'frame' });
    expect(commits).toEqual(['batch']);
  });

  it('a frame batch leaves no timer behind and notifies every watcher when the controller stops', async () => {
    const { time, controller, told, stream } = setUp();
    stream('a', 1);
    await controller.stop();
    expect(told).toEqual([['a', 1]]);
    expect(time.timers).toBe(0);
  });
});
