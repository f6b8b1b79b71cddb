/** @jest-environment jsdom */
import { memo, useState } from 'react';
import { act, render } from '@testing-library/react';
import { describe, expect, it } from '@jest/globals';
import { Controller, createResource, Entity } from 'holdfast';
import { DataProvider, useQuery, useSuspense } from 'holdfast/react';
import { stepsOf } from '../support/steps.ts';

class Issue extends Entity {
  id = '';
  title = '';
  static override key = 'Issue';
}

const Issues = createResource({ urlPrefix: 'https://example.com', path: '/issues/:id', schema: Issue });

function Row({ id }: { readonly id: string }) {
  const { title } = useSuspense(Issues.get, { id });
  return <p>{title}</p>;
}

function Queried({ id }: { readonly id: string }) {
  return <p>{useQuery(Issue, { id })?.title}</p>;
}

const idsOf = (size: number): readonly string[] => Array.from({ length: size }, (_, place) => `row ${place}`);

const Rows = memo(function Rows({ size }: { readonly size: number }) {
  return idsOf(size).map((id) => (
    <div key={id}>
      <Row id={id} />
      <Queried id={id} />
    </div>
  ));
});

interface App {
  readonly controller: Controller;
  /** Shows these rows beside the others. */
  readonly show: (...ids: readonly string[]) => Promise<void>;
}

/** An app with so many mounted rows, each read by two hooks. */
function mounted(size: number): App {
  const controller = new Controller();
  for (const id of ['one', 'two', ...idsOf(size)])
    controller.setResponse(Issues.get, { id }, { id, title: 'Title' });
  let setShown: (ids: readonly string[]) => void;
  function Shown() {
    const [ids, setIds] = useState<readonly string[]>([]);
    setShown = setIds;
    return ids.map((id, place) => (
      <div key={place}>
        <Row id={id} />
        <Queried id={id} />
      </div>
    ));
  }
  render(
    <DataProvider controller={controller}>
      <Rows size={size} />
      <Shown />
    </DataProvider>,
  );
  return { controller, show: (...ids) => act(async () => setShown(ids)) };
}

let count = 0;

const changes: readonly (readonly [what: string, run: (app: App) => Promise<void>])[] = [
  [
    'mounting and unmounting a row',
    async ({ show }) => {
      await show('one');
      await show();
    },
  ],
  [
    'a row that shows another entity',
    async ({ show }) => {
      await show('one');
      await show('two');
    },
  ],
  [
    'a change of a row that is shown',
    async ({ controller, show }) => {
      await show('one');
      await act(async () => controller.set(Issue, { id: 'one' }, { title: `${(count += 1)}` }));
    },
  ],
];

describe('the cost of a change, with ten times as many mounted rows', () => {
  it.each(changes)('%s costs the same', async (_, run) => {
    const costOf = async (size: number): Promise<number> => {
      const app = mounted(size);
      await run(app); // set-up counts nothing
      return stepsOf(() => run(app));
    };
    const steps = await costOf(30);
    expect(steps).toBeGreaterThan(0);
    expect(await costOf(300)).toBeLessThanOrEqual(1.05 * steps + 60);
  });
});
