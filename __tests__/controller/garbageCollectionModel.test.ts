import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { All, Controller, Endpoint, Entity, type Plugin, type State } from 'holdfast';
import { EntityRegistry } from '../../src/store/EntityRegistry.ts';
import { Views } from '../../src/views/Views.ts';
import { FakeEnvironment, FakeTime } from '../support/fakeTime.ts';

/** Points to others of its kind, in circles too. */
class Thing extends Entity {
  id = '';
  next: Thing | undefined;
  others: Thing[] = [];
  static override key = 'Thing';
}
Thing.schema = { next: Thing, others: [Thing] };

/** The same rows, of which it reads less. */
class Brief extends Entity {
  id = '';
  next: Brief | undefined;
  static override key = 'Thing';
}
Brief.schema = { next: Brief };

const endpoints = [0, 1, 2, 3, 4].map((number) =>
  new Endpoint(async (): Promise<unknown> => [], { name: `list${number}` }).extend({
    schema: number < 3 ? [Thing] : [Brief],
  }),
);
const get = new Endpoint(async ({ id }: { id: string }): Promise<unknown> => ({ id }), {
  name: 'get',
  schema: Thing,
});

const pk = fc.integer({ min: 0, max: 7 }).map(String);
const thing = fc.record({
  id: pk,
  next: fc.option(pk, { nil: undefined }),
  others: fc.array(pk, { maxLength: 3 }),
});
const which = fc.nat(endpoints.length - 1);

const step = fc.oneof(
  fc.record({
    do: fc.constant('respond'),
    which,
    things: fc.array(thing, { maxLength: 4 }),
    isRead: fc.boolean(),
  }),
  fc.record({ do: fc.constant('mount'), which }),
  fc.record({ do: fc.constant('unmount'), which }),
  fc.record({ do: fc.constant('get'), id: pk, stays: fc.boolean() }),
  fc.record({ do: fc.constant('set'), thing }),
  fc.record({ do: fc.constant('invalidate'), which }),
  fc.record({ do: fc.constant('query'), stays: fc.boolean() }),
  fc.record({ do: fc.constant('pass'), ms: fc.constantFrom(30_000, 100_000, 200_000) }),
);

/** What the stored results of a state read as, without the controller's own graph. */
function readings(state: State, keys: readonly string[]): unknown[] {
  const views = new Views({ head: state }, new EntityRegistry());
  return endpoints
    .filter((endpoint) => keys.includes(endpoint.key()))
    .map((endpoint) => text(views.result(endpoint.key(), endpoint.schema, [])));
}

/** A joined value, circles cut, to be compared. */
function text(value: unknown): unknown {
  const seen = new Set<unknown>();
  return JSON.stringify(value, (_name, nested: unknown) => {
    if (typeof nested === 'symbol') return String(nested);
    if (typeof nested !== 'object' || nested === null || Array.isArray(nested)) return nested;
    if (seen.has(nested)) return `again ${(nested as Thing).id}`;
    seen.add(nested);
    return nested;
  });
}

it('garbage collection changes nothing that is stored or shown, after any sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const time = new FakeTime();
      let last: State | undefined;
      const faults: unknown[] = [];
      const shown = new Map<() => unknown, unknown>();
      const checker: Plugin = {
        name: 'checker',
        commit({ action, base }) {
          if (action.type === 'collect' && last !== undefined) {
            const keys = [...base.results.entries()].map(([key]) => key);
            const [before, after] = [readings(last, keys), readings(base, keys)];
            if (JSON.stringify(before) !== JSON.stringify(after)) faults.push({ before, after });
            for (const [read, was] of shown) if (read() !== was) faults.push({ was, is: read() });
          }
          last = base;
        },
      };
      const controller = new Controller({
        now: time.now,
        schedule: time.schedule,
        environment: new FakeEnvironment(),
        plugins: [checker],
      });
      const mounted = new Map<number, () => void>();
      const stops: (() => void)[] = [];
      const show = (read: () => unknown, subscribe: (listener: () => void) => () => void): (() => void) => {
        const note = (): void => void shown.set(read, read());
        const stop = subscribe(note);
        note();
        return () => {
          shown.delete(read);
          stop();
        };
      };
      for (const next of steps) {
        if ('things' in next) {
          const endpoint = endpoints[next.which];
          if (endpoint === undefined) continue;
          controller.setResponse(endpoint, next.things);
          if (next.isRead) controller.getResponse(endpoint);
        } else if ('thing' in next) {
          controller.set(Thing, { id: next.thing.id }, next.thing);
        } else if ('id' in next) {
          const view = controller.view(get, [{ id: next.id }]);
          const stop = show(
            () => view.snapshot().data,
            (listener) => view.subscribe(listener),
          );
          if (next.stays) stops.push(stop);
          else stop();
        } else if ('ms' in next) {
          await time.pass(next.ms);
        } else if ('which' in next) {
          const endpoint = endpoints[next.which];
          if (endpoint === undefined) continue;
          const view = controller.view(endpoint, []);
          if (next.do === 'invalidate') controller.invalidate(endpoint);
          else if (next.do === 'unmount' || mounted.has(next.which)) {
            mounted.get(next.which)?.();
            mounted.delete(next.which);
          } else
            mounted.set(
              next.which,
              show(
                () => view.snapshot().data,
                (listener) => view.subscribe(listener),
              ),
            );
        } else {
          const all = new All(Thing);
          const stop = controller.watch(all, () => undefined);
          if (next.stays) stops.push(stop);
          else stop();
        }
      }
      await time.pass(300_000);
      expect(faults).toEqual([]);
      // Once all of it has been shown and has left the screen, nothing stays but what was said to be invalid.
      for (const stop of [...stops, ...mounted.values()]) stop();
      for (const endpoint of endpoints) controller.view(endpoint, []).subscribe(() => undefined)();
      for (let id = 0; id < 8; id++) controller.view(get, [{ id: `${id}` }]).subscribe(() => undefined)();
      await time.pass(900_000);
      expect(faults).toEqual([]);
      const { tables, results } = controller.getState();
      expect([...(tables['Thing']?.entries() ?? [])]).toEqual([]);
      expect([...results.entries()].filter(([, { invalidated }]) => invalidated !== true)).toEqual([]);
      expect(time.timers).toBe(0);
    }),
    { numRuns: 500 },
  );
});
