/** @jest-environment jest-fixed-jsdom */
import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, within } from '@testing-library/react';
import { Aggregate, Controller, Entity, Select } from 'holdfast';
import { devtoolsInProduction } from 'holdfast/devtools';
import { useQuery } from 'holdfast/react';
import { open, showInspector } from './shownInspector.tsx';

class ListedTask extends Entity {
  id = '';
  project = '';
  title = '';
  size = 0;
  static override key = 'Task';
}

const ofProject = new Select(ListedTask, {
  where: ({ project }: { project: string }) => ({ project }),
  orderBy: { size: 'desc' },
  limit: 1,
});
const largeOnes = new Aggregate(ListedTask, { where: { size: { gt: 1 } }, values: { n: 'count' } });
const ofFirst = new Select(new Select(ListedTask, { limit: 1 }), { orderBy: { title: 'asc' } });

function App() {
  const first = useQuery(ofProject, { project: 'a' });
  const second = useQuery(ofProject, { project: 'b' });
  const { n } = useQuery(largeOnes) ?? { n: 0 };
  return <p>{[first?.length, second?.length, n, useQuery(ofFirst)?.length].join()}</p>;
}

const controller = new Controller({ plugins: [devtoolsInProduction()] });

afterEach(async () => {
  await act(async () => cleanup());
  await controller.stop();
});

it('the inspector lists mounted live queries with their indexes, what these cost, and queries without one', async () => {
  sessionStorage.clear();
  localStorage.clear();
  controller.set(
    [ListedTask],
    [
      { id: '1', project: 'a', title: 'One', size: 1 },
      { id: '2', project: 'a', title: 'Two', size: 2 },
      { id: '3', project: 'b', title: 'Three', size: 3 },
    ],
  );
  const { inspector } = await showInspector(controller, <App />);
  await open(inspector, 'Queries');
  const items = (name: string) =>
    [...inspector.getByRole('list', { name }).children].map((item) =>
      item.textContent.replaceAll(/\s+/g, ' '),
    );
  expect(items('Live queries')).toEqual([
    'Select of Task [{"project":"a"}] 2 rows from Task by project, sorted by size desc',
    'Select of Task [{"project":"b"}] 1 row from Task by project, sorted by size desc',
    'Aggregate of Task [] no index2 rows from Task all rows',
    'Select of Task [] 3 rows from Task all rows',
  ]);
  const indexes = within(inspector.getByRole('list', { name: 'Indexes' }));
  expect(indexes.getByText(/by project/).textContent).toContain('Queries2Entries3Buckets2, of which 2 read');
});
