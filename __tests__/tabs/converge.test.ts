/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Delete, Endpoint, type State } from 'holdfast';
import { Network } from './network.ts';
import { runs } from '../support/runs.ts';
import { Article, getArticle, openTab, wakePages, type Tab } from './support.ts';

const TABS = 3;

/** How many stories are tried; more of them look longer. */
const RUNS = runs(300);

const deleteArticle = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
  name: 'deleteArticle',
  sideEffect: true,
  schema: new Delete(Article),
});

const getTitle = new Endpoint(async ({ id }: { id: string }) => id, { name: 'getTitle' });

const tab = fc.nat(TABS - 1);
const id = fc.constantFrom('1', '2', '3');

/** What happens: something is done in a tab, or the network carries or loses a message. */
const step = fc.oneof(
  fc.record({
    do: fc.constantFrom('write', 'read', 'delete', 'invalidate', 'expire'),
    tab,
    id,
    waits: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('deliver', 'deliver', 'lose'), route: fc.nat() }),
  fc.record({ do: fc.constant('wake') }),
);
const rareReset = fc.record({ do: fc.constant('reset'), tab });

type Step =
  | {
      readonly do: 'write' | 'read' | 'delete' | 'invalidate' | 'expire';
      readonly tab: number;
      readonly id: string;
      readonly waits: boolean;
    }
  | { readonly do: 'deliver' | 'lose'; readonly route: number }
  | { readonly do: 'wake' }
  | { readonly do: 'reset'; readonly tab: number };

const steps = fc.array(fc.oneof({ weight: 20, arbitrary: step }, { weight: 1, arbitrary: rareReset }), {
  maxLength: 60,
}) as fc.Arbitrary<Step[]>; // fast-check widens the names to strings

/** Rows and results as they stand, to be compared. */
function contents({ tables, results }: State): unknown {
  const rows = [...(tables['Article']?.entries() ?? [])].map(([pk, { value, meta }]) => [
    pk,
    value,
    meta.order,
  ]);
  return {
    rows: rows.sort(byName),
    results: [...results.entries()]
      .map(([key, { value, meta, invalidated }]) => [key, value, meta.order, meta.expiresAt, invalidated])
      .sort(byName),
  };
}

function byName([left]: unknown[], [right]: unknown[]): number {
  return String(left).localeCompare(String(right));
}

describe('tabs', () => {
  it(
    'come to the same whatever is committed where, and whichever messages are late or lost',
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (happening) => {
          const network = new Network();
          network.install();
          let now = 1_000;
          let committed = 0;
          const tabs = Array.from({ length: TABS }, () =>
            openTab({ now: () => now, schedule: network.schedule }),
          );
          try {
            for (const [index, next] of happening.entries()) {
              switch (next.do) {
                case 'deliver':
                case 'lose':
                  await network.deliverOne(next.route, next.do === 'lose');
                  break;
                case 'wake':
                  wakePages();
                  break;
                case 'reset':
                  now += 1;
                  await tabs[next.tab]?.controller.reset();
                  break;
                case 'write':
                case 'read':
                case 'delete':
                case 'invalidate':
                case 'expire':
                  if (next.waits) now += 1;
                  committed += 1;
                  act(tabs[next.tab], next, `title ${index}`);
                  await network.microtasks();
              }
            }
            await network.deliver();
            wakePages();
            await network.deliver();
            // Whoever has only now learned of a reset asks what there is.
            wakePages();
            await network.deliver();
            const { posted } = network;
            const [first, ...others] = tabs.map((each) => contents(each.controller.getState()));
            for (const other of others) expect(other).toEqual(first);
            // Silence: three questions, no answers.
            wakePages();
            await network.deliver();
            expect(network.posted - posted).toBe(TABS);
            // Each commit is told once, and each loss is asked for and answered once by each of the others.
            expect(posted).toBeLessThan(30 + committed + 8 * happening.length);
            expect(tabs.flatMap(({ errors }) => errors)).toEqual([]);
          } finally {
            for (const each of tabs) await each.controller.stop();
            network.restore();
          }
        }),
        { numRuns: RUNS },
      );
    },
    Math.max(120_000, RUNS * 500),
  );
});

function act(where: Tab | undefined, next: Extract<Step, { id: string }>, title: string): void {
  if (where === undefined) return;
  const { controller } = where;
  const { id: articleId } = next;
  switch (next.do) {
    case 'write':
      controller.set(Article, { id: articleId }, { id: articleId, title });
      break;
    case 'read':
      controller.setResponse(getArticle, { id: articleId }, { id: articleId, title });
      controller.setResponse(getTitle, { id: articleId }, title);
      break;
    case 'delete':
      controller.setResponse(deleteArticle, { id: articleId }, { id: articleId });
      break;
    case 'invalidate':
      controller.invalidate(getArticle, { id: articleId });
      controller.invalidate(getTitle, { id: articleId });
      break;
    case 'expire':
      controller.expireAll(getArticle);
      controller.expireAll(getTitle);
  }
}
