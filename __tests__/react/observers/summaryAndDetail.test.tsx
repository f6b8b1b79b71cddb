/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { Controller, Endpoint } from 'holdfast';
import { DataProvider, useQuery, useSuspense } from 'holdfast/react';
import { Fragment, StrictMode, Suspense, type ReactElement } from 'react';
import { Summary, User } from '../../support/entities.ts';

class ArticleDetail extends Summary {
  author = User.fromJS();
  static override schema = { author: User };
}

let answer: { title: string; name: string };
let asked: string[];
const data = (): object => ({ id: '1', title: answer.title, author: { id: 'u', name: answer.name } });
const getList = new Endpoint(async (): Promise<unknown> => (asked.push('list'), [data()]), {
  name: 'getList',
  schema: [Summary],
});
const getArticle = new Endpoint(
  async (_args: { id: string }): Promise<unknown> => (asked.push('detail'), data()),
  {
    name: 'getArticle',
    schema: ArticleDetail,
  },
);

function Titles(): ReactElement {
  return <p data-testid="list">{useSuspense(getList).map(({ title }) => title)}</p>;
}
function Name(): ReactElement {
  return <p data-testid="name">{useQuery(User, { id: 'u' })?.name}</p>;
}
let isRendering = false;
function Detail(): ReactElement {
  isRendering = true;
  const { title, author } = useSuspense(getArticle, { id: '1' });
  isRendering = false;
  return <p data-testid="detail">{`${title} by ${author.name}`}</p>;
}

const text = (id: string): string | null => screen.getByTestId(id).textContent;
const complaints = jest.spyOn(console, 'error');

beforeEach(() => {
  answer = { title: 'One', name: 'Ann' };
  asked = [];
  complaints.mockClear();
});
afterEach(() => expect(complaints).not.toHaveBeenCalled());

it('a detail is shown beside the list that embedded its relation, and follows each later list', async () => {
  const controller = new Controller();
  controller.set(User, { id: 'u' }, { id: 'u', name: 'Old' });
  const tree = (hasDetail: boolean): ReactElement => (
    <StrictMode>
      <DataProvider controller={controller}>
        <Suspense fallback={<p data-testid="waiting">waiting</p>}>
          <Titles />
          <Name />
          {hasDetail && <Detail />}
        </Suspense>
      </DataProvider>
    </StrictMode>
  );
  const { rerender } = render(tree(false));
  await act(() => controller.fetch(getList).then(() => undefined));
  expect([text('list'), text('name')]).toEqual(['One', 'Old']);
  await act(async () => {
    rerender(tree(true));
    await Promise.resolve();
  });
  expect([text('list'), text('name'), text('detail')]).toEqual(['One', 'Ann', 'One by Ann']);
  for (const name of ['Anna', 'Anne']) {
    answer = { title: `Of ${name}`, name };
    await act(() => controller.fetch(getList).then(() => undefined));
    expect([text('list'), text('name'), text('detail')]).toEqual([
      `Of ${name}`,
      name,
      `Of ${name} by ${name}`,
    ]);
    expect(screen.queryByTestId('waiting')).toBeNull();
  }
  expect(asked).not.toContain('detail');
});

it.each([
  ['in Strict Mode', StrictMode],
  ['without Strict Mode', Fragment],
])(
  'no listener is called during a render that normalizes a stored row, but before the next task, %s',
  async (_, Mode) => {
    const controller = new Controller();
    controller.set(User, { id: 'u' }, { id: 'u', name: 'Old' });
    await controller.fetch(getList);
    const notified: [name: string | undefined, isRendering: boolean][] = [];
    const stop = controller.watch(User, { id: 'u' }, (user) => notified.push([user?.name, isRendering]));
    const tree = (hasDetail: boolean): ReactElement => (
      <Mode>
        <DataProvider controller={controller}>
          <Name />
          {hasDetail && <Detail />}
          <Name />
        </DataProvider>
      </Mode>
    );
    const { rerender } = render(tree(false));
    const names = (): (string | null)[] =>
      screen.getAllByTestId('name').map(({ textContent }) => textContent);
    expect(names()).toEqual(['Old', 'Old']);
    await act(async () => {
      rerender(tree(true));
      await Promise.resolve();
    });
    expect(notified).toEqual([['Ann', false]]);
    expect([text('detail'), ...names()]).toEqual(['One by Ann', 'Ann', 'Ann']);
    stop();
  },
);
