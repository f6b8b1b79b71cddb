/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Controller } from 'holdfast';
import { AsyncBoundary, DataProvider, ErrorBoundary, useDLE, useFetch, useSuspense } from 'holdfast/react';
import { StrictMode, useEffect, type ErrorInfo, type ReactElement } from 'react';
import { Backend, failed, show, text } from './Backend.tsx';

let backend = new Backend();
let now = 0;
const { error } = console;
beforeEach(() => {
  backend = new Backend();
  now = 1_000;
  // React logs every error that a boundary catches.
  console.error = () => undefined;
});
afterEach(() => {
  cleanup();
  console.error = error;
});

const Title = ({ id }: { id: string }): ReactElement => <p>{useSuspense(backend.getIssue, { id }).title}</p>;

const tryAgain = (): Promise<void> =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Try again' })));

describe('the default error component', () => {
  it('the default error component shows a sentence and a button, and no status, URL or code', async () => {
    backend.failure = failed(
      404,
      'getIssue: GET https://api.test/issues/a was answered with 404 (HF_NETWORK)',
    );
    await show(
      new Controller(),
      <AsyncBoundary errorClassName="problem">
        <Title id="a" />
      </AsyncBoundary>,
    );
    await backend.settle();
    const alert = screen.getByRole('alert');
    expect(alert.querySelector('p')?.textContent).toBe('This could not be loaded.');
    expect(alert.textContent).not.toMatch(/404|GET|HF_/);
    expect(alert.className).toBe('problem');
  });

  it('the button of the default error component retries without waiting for the error to expire', async () => {
    backend.failure = failed(500);
    await show(
      new Controller({ now: () => now }),
      <AsyncBoundary fallback="loading">
        <Title id="a" />
      </AsyncBoundary>,
    );
    await backend.settle();
    await tryAgain();
    expect(text()).toBe('loading');
    await backend.settle();
    expect(screen.getByRole('alert')).toBeTruthy();
    backend.failure = undefined;
    await tryAgain();
    await backend.settle();
    expect(text()).toBe('one');
    expect(backend.requests).toEqual(['a', 'a', 'a']);
  });

  it('the default error component does not submit a surrounding form', async () => {
    let submitted = 0;
    await show(
      new Controller(),
      <form onSubmit={() => (submitted += 1)}>
        <AsyncBoundary>
          <Title id="none" />
        </AsyncBoundary>
      </form>,
    );
    await backend.settle();
    await tryAgain();
    expect(submitted).toBe(0);
  });
});

describe('resetting an error boundary', () => {
  it('a reset leaves other boundaries and their failed reads unchanged', async () => {
    await show(
      new Controller({ now: () => now }),
      <ErrorBoundary>
        <AsyncBoundary fallback="loading">
          <Title id="none" />
        </AsyncBoundary>
        <AsyncBoundary fallback="loading">
          <Title id="neither" />
        </AsyncBoundary>
      </ErrorBoundary>,
    );
    await backend.settle();
    expect(backend.requests).toEqual(['none', 'neither']);
    const [first] = screen.getAllByRole('button');
    await act(async () => void fireEvent.click(first as Element));
    await backend.settle();
    // The other boundary still shows its error.
    expect(backend.requests).toEqual(['none', 'neither', 'none']);
    expect(screen.getAllByRole('alert')).toHaveLength(2);
  });

  it('a reset requests all failed reads of one boundary at the first press', async () => {
    await show(
      new Controller({ now: () => now }),
      <AsyncBoundary fallback="loading">
        <Title id="none" />
        <Title id="neither" />
      </AsyncBoundary>,
    );
    await backend.settle();
    expect([...backend.requests].sort()).toEqual(['neither', 'none']);
    Object.assign(backend.titles, { none: 'four', neither: 'five' });
    await tryAgain();
    await backend.settle();
    expect(text()).toBe('fourfive');
    expect([...backend.requests].sort()).toEqual(['neither', 'neither', 'none', 'none']);
  });

  it('a reset requests reads that useFetch failed to load', async () => {
    const Fetched = (): ReactElement => {
      const promise = useFetch(backend.getIssue, { id: 'a' }) as Promise<{ title: string }> & {
        status?: string;
        reason?: Error;
        value?: { title: string };
      };
      // oxlint-disable-next-line typescript/only-throw-error -- as use() of React 19 does
      if (promise.status !== 'fulfilled') throw promise.status === 'rejected' ? promise.reason : promise;
      return <p>{promise.value?.title}</p>;
    };
    backend.failure = failed(500);
    await show(
      new Controller({ now: () => now }),
      <AsyncBoundary fallback="loading">
        <Fetched />
      </AsyncBoundary>,
    );
    await backend.settle();
    backend.failure = undefined;
    await tryAgain();
    await backend.settle();
    expect(text()).toBe('one');
    expect(backend.requests).toEqual(['a', 'a']);
  });

  it('a reset leaves failed reads that stay on screen elsewhere unchanged', async () => {
    const Elsewhere = (): ReactElement => <i>{useDLE(backend.getIssue, { id: 'none' }).error?.message}</i>;
    await show(
      new Controller({ now: () => now }),
      <>
        <Elsewhere />
        <AsyncBoundary fallback="loading">
          <Title id="neither" />
        </AsyncBoundary>
      </>,
    );
    await backend.settle();
    await tryAgain();
    await backend.settle();
    expect([...backend.requests].sort()).toEqual(['neither', 'neither', 'none']);
  });
});

describe('onError', () => {
  it.each([
    ['', false],
    [' in Strict Mode', true],
  ])(
    'onError is called once for each caught error, with the component stack of React%s',
    async (_, isStrict) => {
      const caught: [Error, ErrorInfo][] = [];
      const onError = (failure: Error, info: ErrorInfo): void => void caught.push([failure, info]);
      const app = (
        <DataProvider controller={new Controller({ now: () => now })}>
          <AsyncBoundary fallback="loading" onError={onError}>
            <Title id="none" />
          </AsyncBoundary>
        </DataProvider>
      );
      const shown = await act(async () => render(isStrict ? <StrictMode>{app}</StrictMode> : app));
      await backend.settle();
      expect(caught.map(([{ message }]) => message)).toEqual(['no issue none']);
      expect(caught[0]?.[1].componentStack).toContain('Suspense');
      // Rendering again what failed is no new error; failing again is one.
      shown.rerender(isStrict ? <StrictMode>{app}</StrictMode> : app);
      expect(caught).toHaveLength(1);
      await tryAgain();
      await backend.settle();
      expect(caught).toHaveLength(2);
      expect(caught[1]?.[0]).not.toBe(caught[0]?.[0]);
    },
  );

  it('onError receives an Error for thrown values of other types, and for errors in effects', () => {
    const caught: Error[] = [];
    const Failing = ({ thrown }: { thrown: unknown }): ReactElement => {
      useEffect(() => {
        throw thrown;
      });
      return <p />;
    };
    render(
      <ErrorBoundary onError={(failure) => caught.push(failure)}>
        <Failing thrown="a text" />
      </ErrorBoundary>,
    );
    expect(caught).toEqual([new Error('a text')]);
    expect(caught[0]?.cause).toBe('a text');
    expect(screen.getByRole('alert')).toBeTruthy();
  });
});

describe('listen', () => {
  /** A source of resets, such as a router, that counts its listeners. */
  class Router {
    readonly resets = new Set<() => void>();
    readonly listen = (reset: () => void): (() => void) => {
      this.resets.add(reset);
      return () => this.resets.delete(reset);
    };
  }

  it('listen follows a changed or removed prop, and stops with the boundary', async () => {
    const [first, second] = [new Router(), new Router()];
    let isFailing = true;
    const Page = (): ReactElement => {
      if (isFailing) throw new Error('not yet');
      return <p>there</p>;
    };
    const page = (router?: Router): ReactElement => (
      <ErrorBoundary {...(router && { listen: router.listen })} fallbackComponent={() => <p>failed</p>}>
        <Page />
      </ErrorBoundary>
    );
    const { rerender, unmount } = render(page(first));
    rerender(page(second));
    expect([first.resets.size, second.resets.size]).toEqual([0, 1]);
    expect(text()).toBe('failed');
    isFailing = false;
    await act(async () => second.resets.forEach((reset) => reset()));
    expect(text()).toBe('there');
    rerender(page());
    expect(second.resets.size).toBe(0);
    rerender(page(first));
    unmount();
    expect(first.resets.size).toBe(0);
  });
});

it('a boundary below another controller renders its children again', async () => {
  const app = (controller: Controller): ReactElement => (
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="loading">
        <Title id="a" />
      </AsyncBoundary>
    </DataProvider>
  );
  backend.failure = failed(403);
  const { rerender } = render(app(new Controller()));
  await backend.settle();
  expect(screen.getByRole('alert')).toBeTruthy();
  backend.failure = undefined;
  const other = new Controller();
  rerender(app(other));
  expect(text()).toBe('loading');
  await backend.settle();
  expect(text()).toBe('one');
  rerender(app(other));
  expect(backend.requests).toEqual(['a', 'a']);
});
