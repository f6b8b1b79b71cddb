/** @jest-environment jest-fixed-jsdom */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { Controller, Delete, Endpoint } from 'holdfast';
import { AsyncBoundary, DataProvider, useCache, useController, useSuspense } from 'holdfast/react';
import {
  memo,
  StrictMode,
  startTransition,
  Suspense,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react';
import { IssueWithAuthor, User } from '../support/entities.ts';
import { turn } from '../support/turns.ts';

let requests: string[] = [];
let titles: Record<string, string> = {};
const issue = (id: string) => ({ id, title: titles[id] ?? '', author: { id: 'u', name: 'Ann' } });
/** Requests that wait for `settle`, so that no test depends on how long anything takes. */
let waiting: (() => void)[] = [];
const answered = () => new Promise<void>((answer) => void waiting.push(answer));
const getIssue = new Endpoint(
  async ({ id }: { id: string }) => {
    requests.push(id);
    await answered();
    if (titles[id] === undefined) throw Object.assign(new Error(`no issue ${id}`), { status: 404 });
    return issue(id);
  },
  { name: 'getIssue', schema: IssueWithAuthor },
);
const getIssues = new Endpoint(
  async () => {
    requests.push('list');
    await answered();
    return Object.keys(titles).map(issue);
  },
  { name: 'getIssues', schema: [IssueWithAuthor] },
);
const rename = new Endpoint(async ({ id }: { id: string }, title: string) => ({ ...issue(id), title }), {
  name: 'rename',
  schema: IssueWithAuthor,
  sideEffect: true,
});
const remove = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
  name: 'remove',
  schema: new Delete(IssueWithAuthor),
  sideEffect: true,
});

let renders: Record<string, number> = {};
const count = (name: string): void => {
  renders[name] = (renders[name] ?? 0) + 1;
};

function Title({ id }: { id: string }): ReactElement {
  const { title, author } = useSuspense(getIssue, { id });
  count(`title ${id}`);
  return <p data-testid={id}>{`${title} by ${author.name}`}</p>;
}

async function show(controller: Controller, children: ReactNode): Promise<ReturnType<typeof render>> {
  let shown: ReturnType<typeof render> | undefined;
  await act(async () => {
    shown = render(
      <DataProvider controller={controller}>
        <AsyncBoundary
          fallback={<p>loading</p>}
          errorComponent={({ error }) => <p role="alert">{error.message}</p>}
        >
          {children}
        </AsyncBoundary>
      </DataProvider>,
    );
    await turn();
  });
  return shown as ReturnType<typeof render>; // set by act's callback
}

/** Lets the server respond until no request is pending. */
const settle = () =>
  act(async () => {
    for (let quiet = 0; quiet < 3; quiet++) {
      if (waiting.length > 0) quiet = 0;
      for (const answer of waiting.splice(0)) answer();
      await turn();
    }
  });

/** The value of a promise, while the server responds. */
async function served<T>(promise: Promise<T>): Promise<T> {
  await settle();
  return promise;
}

beforeEach(() => {
  cleanup();
  requests = [];
  waiting = [];
  renders = {};
  titles = { a: 'one', b: 'two', c: 'three' };
});

describe('useSuspense', () => {
  it('useSuspense suspends, fetches once and shows the data', async () => {
    await show(
      new Controller(),
      <>
        <Title id="a" />
        <Title id="a" />
      </>,
    );
    expect(screen.getByText('loading')).toBeTruthy();
    await settle();
    expect(screen.getAllByText('one by Ann')).toHaveLength(2);
    expect(requests).toEqual(['a']);
  });

  it('useSuspense starts parallel reads at once', async () => {
    await show(
      new Controller(),
      <>
        <Suspense>
          <Title id="a" />
        </Suspense>
        <Suspense>
          <Title id="b" />
        </Suspense>
      </>,
    );
    expect(requests).toEqual(['a', 'b']);
    await settle();
  });

  it('useSuspense fetches once in Strict Mode', async () => {
    await show(
      new Controller(),
      <StrictMode>
        <Title id="a" />
      </StrictMode>,
    );
    await settle();
    expect(screen.getByTestId('a').textContent).toBe('one by Ann');
    expect(requests).toEqual(['a']);
  });

  it('useSuspense re-renders only the components that show what changed', async () => {
    const controller = new Controller();
    await served(controller.fetch(getIssues));
    const Row = memo(function Row({ id }: { id: string }): ReactElement {
      count(`row ${id}`);
      return <Title id={id} />;
    });
    function List(): ReactElement {
      count('list');
      return (
        <>
          {Object.keys(titles).map((id) => (
            <Row key={id} id={id} />
          ))}
        </>
      );
    }
    await show(controller, <List />);
    await settle();
    renders = {};
    await act(async () => {
      await controller.fetch(rename, { id: 'b' }, 'zwei');
    });
    expect(screen.getByTestId('b').textContent).toBe('zwei by Ann');
    expect(renders).toEqual({ 'title b': 1 });
    renders = {};
    act(() => controller.set(User, { id: 'u' }, { name: 'Eve' }));
    expect(renders).toEqual({ 'title a': 1, 'title b': 1, 'title c': 1 });
  });

  it('useSuspense throws a failed read to the boundary', async () => {
    const spy = console.error;
    console.error = () => undefined;
    await show(new Controller(), <Title id="missing" />);
    await settle();
    console.error = spy;
    expect(screen.getByRole('alert').textContent).toBe('no issue missing');
    expect(requests).toEqual(['missing']);
  });

  it('useSuspense shows stale data at once and refreshes it once in the background', async () => {
    let now = 1_000;
    const controller = new Controller({ now: () => now });
    await served(controller.fetch(getIssue, { id: 'a' }));
    titles['a'] = 'new';
    now += 60_001;
    await show(controller, <Title id="a" />);
    expect(requests).toEqual(['a', 'a']);
    await settle();
    expect(screen.getByTestId('a').textContent).toBe('new by Ann');
    expect(requests).toEqual(['a', 'a']);
  });

  it.each([
    ['data that is stale as soon as it arrives', { dataExpiryLength: 0 }],
    ['and must not be shown stale', { dataExpiryLength: 0, invalidIfStale: true }],
  ])('useSuspense fetches once for each mount: %s', async (_what, options) => {
    const endpoint = getIssue.extend(options);
    function Fleeting(): ReactElement {
      return <p data-testid="a">{useSuspense(endpoint, { id: 'a' }).title}</p>;
    }
    const controller = new Controller();
    const { rerender } = await show(controller, <Fleeting />);
    await settle();
    expect(screen.getByTestId('a').textContent).toBe('one');
    expect(requests).toEqual(['a']);
    await act(async () => rerender(<DataProvider controller={controller}>gone</DataProvider>));
    await act(async () => {
      rerender(
        <DataProvider controller={controller}>
          <Suspense fallback="loading">
            <Fleeting />
          </Suspense>
        </DataProvider>,
      );
      await turn();
    });
    await settle();
    expect(screen.getByTestId('a').textContent).toBe('one');
    expect(requests).toEqual(['a', 'a']);
  });

  it('useSuspense throws an error that expires at once, and retries at the next mount only', async () => {
    const spy = console.error;
    console.error = () => undefined;
    const endpoint = getIssue.extend({ errorExpiryLength: 0 });
    function Failing(): ReactElement {
      return <p>{useSuspense(endpoint, { id: 'none' }).title}</p>;
    }
    await show(new Controller(), <Failing />);
    await settle();
    console.error = spy;
    expect(screen.getByRole('alert').textContent).toBe('no issue none');
    expect(requests.length).toBeLessThanOrEqual(2);
  });

  it('useSuspense shows the fallback after a plain invalidation, and keeps the screen in a transition', async () => {
    const controller = new Controller();
    await show(controller, <Title id="a" />);
    await settle();
    titles['a'] = 'new';
    act(() => controller.invalidate(getIssue, { id: 'a' }));
    expect(screen.getByText('loading')).toBeTruthy();
    await settle();
    expect(screen.getByTestId('a').textContent).toBe('new by Ann');

    titles['a'] = 'newer';
    await act(async () => {
      startTransition(() => controller.invalidate(getIssue, { id: 'a' }));
    });
    expect(screen.queryByText('loading')).toBeNull();
    expect(screen.getByTestId('a').textContent).toBe('new by Ann');
    await settle();
    expect(screen.getByTestId('a').textContent).toBe('newer by Ann');
    expect(requests).toEqual(['a', 'a', 'a']);
  });

  it('useSuspense refetches when its entity was deleted', async () => {
    const controller = new Controller();
    await show(controller, <Title id="a" />);
    await settle();
    await act(async () => {
      await controller.fetch(remove, { id: 'a' });
    });
    await settle();
    expect(requests).toEqual(['a', 'a']);
    expect(screen.getByTestId('a').textContent).toBe('one by Ann');
  });

  it.each([
    ['confirmed', remove],
    ['optimistic', remove.extend({ getOptimisticResponse: (_, { id }) => ({ id }) })],
  ])('a page that is left before its entity is deleted requests nothing: %s', async (_, deletion) => {
    const controller = new Controller();
    let leave = (): void => undefined;
    function Pages(): ReactElement {
      const [isLeft, setIsLeft] = useState(false);
      leave = () => setIsLeft(true);
      return isLeft ? <p>next page</p> : <Title id="a" />;
    }
    await show(controller, <Pages />);
    await settle();
    await act(async () => {
      leave();
      await controller.fetch(deletion, { id: 'a' });
    });
    await settle();
    expect(screen.getByText('next page')).toBeTruthy();
    expect(requests).toEqual(['a']);
  });

  it('useSuspense reads nothing with null args', async () => {
    function Maybe({ id }: { id: string | null }): ReactElement {
      const found = useSuspense(getIssue, id === null ? null : { id });
      return <p>{found?.title ?? 'nothing'}</p>;
    }
    await show(new Controller(), <Maybe id={null} />);
    expect(screen.getByText('nothing')).toBeTruthy();
    expect(requests).toEqual([]);
  });

  it('useSuspense reads other data when its args change', async () => {
    const controller = new Controller();
    const { rerender } = await show(controller, <Title id="a" />);
    await settle();
    await act(async () => {
      rerender(
        <DataProvider controller={controller}>
          <Suspense fallback="…">
            <Title id="b" />
          </Suspense>
        </DataProvider>,
      );
    });
    await settle();
    expect(screen.getByTestId('b').textContent).toBe('two by Ann');
    expect(requests).toEqual(['a', 'b']);
  });

  it('useSuspense fetches again what was invalidated before its args changed and after', async () => {
    const controller = new Controller();
    let setId: (id: string) => void = () => undefined;
    function Chosen(): ReactElement {
      const [id, choose] = useState('a');
      setId = choose;
      return <Title id={id} />;
    }
    await show(controller, <Chosen />);
    await settle();
    for (const id of ['a', 'b']) {
      act(() => setId(id));
      await settle();
      expect(screen.getByTestId(id)).toBeTruthy();
      act(() => controller.invalidate(getIssue, { id }));
      expect(screen.getByText('loading')).toBeTruthy();
      await settle();
      expect(screen.getByTestId(id)).toBeTruthy();
    }
    expect(requests).toEqual(['a', 'a', 'b', 'b']);
  });
});

describe('useCache', () => {
  it('useCache shows stored data without fetching', async () => {
    const controller = new Controller();
    function Cached(): ReactElement {
      return <p data-testid="cached">{useCache(getIssue, { id: 'a' })?.title ?? 'nothing'}</p>;
    }
    await show(controller, <Cached />);
    expect(screen.getByTestId('cached').textContent).toBe('nothing');
    expect(requests).toEqual([]);
    await act(async () => {
      await served(controller.fetch(getIssue, { id: 'a' }));
    });
    expect(screen.getByTestId('cached').textContent).toBe('one');
  });
});

describe('useController', () => {
  it('useController throws an error outside a provider that says what is missing', () => {
    function Lost(): ReactElement {
      useController();
      return <p />;
    }
    const spy = console.error;
    console.error = () => undefined;
    expect(() => render(<Lost />)).toThrow(/HF_NO_PROVIDER/);
    console.error = spy;
  });
});
