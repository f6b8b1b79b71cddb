/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import '@testing-library/react/dont-cleanup-after-each';
import { act, cleanup, within } from '@testing-library/react';
import { Aggregate, Controller, Entity, Select } from 'holdfast';
import { devtoolsInProduction } from 'holdfast/devtools';
import { indexedDB, memoryStorage } from 'holdfast/indexeddb';
import { useQuery } from 'holdfast/react';
import { open, showInspector, until } from './shownInspector.tsx';

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

let controller: Controller;

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

afterEach(async () => {
  await act(async () => cleanup());
  await controller.stop();
});

it('the inspector lists mounted live queries with their indexes, what these cost, and queries without one', async () => {
  controller = new Controller({ plugins: [devtoolsInProduction()] });
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

it('the inspector lists indexes that no query uses, since they are kept for a while', async () => {
  controller = new Controller({ plugins: [devtoolsInProduction()] });
  controller.set(ListedTask, { id: '1' }, { project: 'a', title: 'One', size: 1 });
  const stop = controller.watch(ofProject, { project: 'a' }, () => undefined);
  const { inspector } = await showInspector(controller, <p />);
  await open(inspector, 'Queries');
  const index = () => inspector.getByRole('list', { name: 'Indexes' }).textContent;
  expect(index()).toMatch(/by project, sorted by size desc *Queries1Entries1/);
  stop();
  // What was read last stays in the read cache until enough else was read.
  const other = new Select(ListedTask, { where: ({ at }: { at: string }) => ({ id: at }) });
  for (
    let at = 0;
    controller.queryIndexes().some(({ queries, fields }) => fields[0] === 'project' && queries > 0);
    at++
  )
    controller.get(other, { at: String(at) });
  await act(async () => controller.set(ListedTask, { id: '2' }, { project: 'a', title: 'Two', size: 2 }));
  await until(() => index().includes('unused'));
  expect(index()).toMatch(/by project, sorted by size desc unused *Queries0Entries2/);
});

it('the inspector says beside live queries that rows are still being restored', async () => {
  const disk = memoryStorage();
  const options = { name: 'app', persist: 'all', restore: 'progressive' } as const;
  controller = new Controller({ plugins: [indexedDB({ ...options, storage: disk })] });
  controller.set(ListedTask, { id: '1' }, { project: 'a', title: 'One', size: 1 });
  await controller.flush();
  await controller.stop();

  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const slowly = (name: string): ReturnType<typeof disk> => {
    const storage = disk(name);
    const read = storage.read.bind(storage);
    storage.read = async (run) => {
      await answered;
      return read(run);
    };
    return storage;
  };
  controller = new Controller({
    plugins: [devtoolsInProduction(), indexedDB({ ...options, storage: slowly })],
  });
  const { inspector } = await showInspector(controller, <App />);
  await open(inspector, 'Queries');
  expect(inspector.getByText('More rows are being restored from disk.')).toBeDefined();
  await act(async () => answer());
  await until(() => inspector.queryByText('More rows are being restored from disk.') === null);
  // What was restored is shown with the inspector's next update.
  const queries = (): string => inspector.getByRole('list', { name: 'Live queries' }).textContent;
  await until(() => queries().includes('1 row from Task'));
});
