/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render } from '@testing-library/react';
import { Controller, Entity, Select } from 'holdfast';
import { DataProvider, useQuery } from 'holdfast/react';
import { memo, type ReactElement } from 'react';

class FedIssue extends Entity {
  id = '';
  project = '';
  state = 'open';
  title = '';
  score = 0;
  static override key = 'Issue';
}

interface Row {
  readonly id: string;
  readonly project: string;
  readonly state: string;
  readonly title: string;
  readonly score: number;
}

const LIMIT = 50;
const ROWS = 2_000;

const openByScore = new Select(FedIssue, {
  where: ({ project }: { project: string }) => ({ project, state: 'open' }),
  orderBy: { score: 'desc' },
  limit: LIMIT,
});

/** What has rendered since the last look, in any order: `list`, and the ids of rows. */
let renders: string[] = [];
function rendered(): string[] {
  const counted = renders.sort();
  renders = [];
  return counted;
}

const IssueRow = memo(function IssueRow({ issue }: { issue: FedIssue }): ReactElement {
  renders.push(issue.id);
  return <li>{`${issue.title} ${String(issue.score)}`}</li>;
});

function IssueList(): ReactElement {
  const issues = useQuery(openByScore, { project: 'p1' }) ?? [];
  renders.push('list');
  return <ul>{issues.map((issue) => <IssueRow key={issue.id} issue={issue} />)}</ul>; // oxfmt-ignore
}

/** The same rows in plain objects, and what they are expected to render. */
class Model {
  readonly #rows = new Map<string, Row>();
  #shown: readonly Row[] = [];

  set(row: Row): void {
    this.#rows.set(row.id, row);
  }

  get(id: string): Row {
    return this.#rows.get(id)!; // every id that the feed uses is stored
  }

  /** The window, said in plain code. */
  get window(): readonly Row[] {
    return [...this.#rows.values()]
      .filter(({ project, state }) => project === 'p1' && state === 'open')
      .sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
      .slice(0, LIMIT);
  }

  /** What must render since the last call: the list if its members changed, and each member that is new or changed. */
  expected(): string[] {
    const [before, after] = [this.#shown, this.window];
    this.#shown = after;
    const isSame = after.length === before.length && after.every((row, at) => row === before[at]);
    const rows = after.filter((row) => !before.includes(row)).map(({ id }) => id);
    return isSame ? [] : [...rows, 'list'].sort();
  }
}

/** Numbers that look random, the same in each run. */
function numbers(): (below: number) => number {
  let state = 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

function mount(): { controller: Controller; model: Model } {
  const model = new Model();
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    id: `i${String(at)}`,
    project: `p${String(at % 4)}`,
    state: at % 3 === 0 ? 'closed' : 'open',
    title: `Issue ${String(at)}`,
    score: at,
  }));
  for (const row of rows) model.set(row);
  const controller = new Controller();
  controller.set([FedIssue], rows);
  render(
    <DataProvider controller={controller}>
      <IssueList />
    </DataProvider>,
  );
  expect(rendered()).toEqual(model.expected());
  return { controller, model };
}

/** Makes changes, most of rows that are not shown. Rows change, enter, leave and move. */
function makeChange(
  { controller, model }: ReturnType<typeof mount>,
  nth: number,
  next: (below: number) => number,
): void {
  const shown = model.window;
  const isOfShown = next(3) === 0;
  const id = isOfShown ? shown[next(shown.length)]!.id : `i${String(next(ROWS))}`;
  const changes: Partial<Row>[] = [
    { title: `Changed ${String(nth)}` },
    { title: `Changed ${String(nth)}` },
    { score: ROWS + nth },
    { score: -nth },
    { state: model.get(id).state === 'open' ? 'closed' : 'open' },
  ];
  const change = changes[next(changes.length)]!; // in the list
  model.set({ ...model.get(id), ...change });
  controller.set(FedIssue, { id }, change);
}

afterEach(cleanup);

function expectShown({ model }: ReturnType<typeof mount>): void {
  const texts = [...document.querySelectorAll('li')].map((row) => row.textContent);
  expect(texts).toEqual(model.window.map(({ title, score }) => `${title} ${String(score)}`));
}

describe(`a live query that shows ${String(LIMIT)} of ${String(ROWS)} rows`, () => {
  it('renders its list once for each change in its window, and only the rows that changed', () => {
    const mounted = mount();
    const next = numbers();
    const counts = { nothing: 0, changed: 0, entered: 0 };
    for (let nth = 0; nth < 600; nth++) {
      const before = new Set(mounted.model.window.map(({ id }) => id));
      act(() => {
        makeChange(mounted, nth, next);
      });
      const expected = mounted.model.expected();
      expect([nth, rendered()]).toEqual([nth, expected]);
      const [row] = expected.filter((name) => name !== 'list');
      counts[row === undefined ? 'nothing' : before.has(row) ? 'changed' : 'entered'] += 1;
    }
    expectShown(mounted);
    // Every kind of change has occurred.
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(20);
  });

  it('renders once for all changes of a frame, and not for a row that has entered and left within the frame', async () => {
    const mounted = mount();
    const { controller, model } = mounted;
    const next = numbers();
    const frame = (run: () => void): Promise<void> =>
      act(async () => {
        controller.batch(run, { notify: 'frame' });
        await new Promise((resolve) => requestAnimationFrame(resolve));
      });
    for (let nth = 0; nth < 40; nth++) {
      await frame(() => {
        for (let at = 0; at < 17; at++) makeChange(mounted, 17 * nth + at, next);
      });
      expect([nth, rendered()]).toEqual([nth, model.expected()]);
    }
    const outside = 'i0';
    expect(model.get(outside).project).toBe('p0');
    await frame(() => {
      controller.set(FedIssue, { id: outside }, { project: 'p1', state: 'open', score: 1_000_000 });
      controller.set(FedIssue, { id: outside }, { project: 'p0' });
    });
    expect(rendered()).toEqual([]);
    expectShown(mounted);
  });
});
