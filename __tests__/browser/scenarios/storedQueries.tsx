import type { ReactElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Aggregate, Controller, Entity, Select } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { DataProvider, useQuery, useStatus } from 'holdfast/react';

/** What a list must show in the end. */
export interface Expected {
  readonly ids: readonly string[];
  readonly count: number;
}

/** What was on screen between two tasks of the page: the browser may have painted each of these. */
export interface Screen {
  readonly ids: readonly string[];
  /** Undefined while it is not known. */
  readonly count: number | undefined;
  readonly isRestored: boolean;
  /** How many issues were in memory. */
  readonly inMemory: number;
  /** In ms since the page began to load. */
  readonly at: number;
}

export interface StoredQueriesPage {
  /** Stores this many issues and shows those of one project, so that the browser's next page begins with them. */
  fill(issues: number): Promise<void>;
  /** Shows the issues of a project; gives everything that was on screen until all rows are in memory. */
  show(project: string, restore: 'lazy' | 'progressive'): Promise<Screen[]>;
}

declare global {
  var storedQueries: StoredQueriesPage;
}

class IssueInProject extends Entity {
  id = '';
  title = '';
  state = 'open';
  project = '';
  priority = 0;
  static override key = 'Issue';
}

const openIssues = new Select(IssueInProject, {
  where: ({ project }: { project: string }) => ({ project, state: 'open' }),
  orderBy: { priority: 'desc' },
  limit: 50,
});
const openCount = new Aggregate(IssueInProject, {
  where: ({ project }: { project: string }) => ({ project, state: 'open' }),
  values: { n: 'count' },
});

function open(restore: 'lazy' | 'progressive') {
  const storage = indexedDB({ name: 'stored-queries', persist: 'all', restore });
  return { storage, controller: new Controller({ plugins: [storage] }) };
}

type Opened = ReturnType<typeof open>;

function Progress({ storage }: Pick<Opened, 'storage'>): ReactElement {
  return <progress data-restored={useStatus(storage.status).isRestored} />;
}

function Issues({ project }: { readonly project: string }): ReactElement {
  const issues = useQuery(openIssues, { project });
  const count = useQuery(openCount, { project });
  return (
    <ul data-count={count?.n}>
      {issues?.map(({ id, title }) => (
        <li key={id} id={id}>
          {title}
        </li>
      ))}
    </ul>
  );
}

/** Renders, and adds what is on screen to `seen` after each task. */
function render({ controller, storage }: Opened, project: string, seen: Screen[]): void {
  const root = document.getElementById('root')!; // the test's page has it
  new MutationObserver(() => {
    const { restored } = root.querySelector('progress')!.dataset; // these two are always there
    const { count } = root.querySelector('ul')!.dataset;
    seen.push({
      ids: [...root.querySelectorAll('li')].map(({ id }) => id),
      count: count === undefined ? undefined : Number(count),
      isRestored: restored === 'true',
      inMemory: controller.getState().tables['Issue']?.size ?? 0,
      at: performance.now(),
    });
  }).observe(root, { childList: true, subtree: true, attributes: true });
  createRoot(root).render(
    <DataProvider controller={controller}>
      {/* Renders first, when nothing has asked for the rows yet. */}
      <Progress storage={storage} />
      <Issues project={project} />
    </DataProvider>,
  );
}

globalThis.storedQueries = {
  async fill(issues) {
    const opened = open('lazy');
    const { controller } = opened;
    controller.set(
      [IssueInProject],
      Array.from({ length: issues }, (_, at) => ({
        id: `i${at}`,
        title: `Issue ${at}`,
        state: at % 4 === 0 ? 'open' : 'closed',
        project: `p${at % 5}`,
        priority: (at * 7919) % 1_000,
      })),
    );
    await controller.flush();
    const seen: Screen[] = [];
    render(opened, 'p0', seen);
    while (!seen.some(({ count }) => count !== undefined)) await new Promise(requestAnimationFrame);
    await controller.flush();
  },

  async show(project, restore) {
    const opened = open(restore);
    const { controller, storage } = opened;
    // As an app does that shows nothing before it has read the disk.
    await controller.ready;
    const seen: Screen[] = [];
    render(opened, project, seen);
    while (seen.length === 0 || !storage.status.get().isRestored) await new Promise(requestAnimationFrame);
    // What has come last is on screen with the next frame.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    return seen;
  },
};
