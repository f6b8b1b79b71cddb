import { afterEach, beforeEach, expect } from '@jest/globals';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import type { Controller } from 'holdfast';
import { AsyncBoundary, DataProvider, type ErrorFallbackProps } from 'holdfast/react';
import type { ReactElement, ReactNode } from 'react';

function Failure({ error }: ErrorFallbackProps): ReactElement {
  return <p role="alert">{error.message}</p>;
}

function App({ controller, children }: { controller: Controller; children: ReactNode }): ReactElement {
  return (
    <DataProvider controller={controller}>
      <AsyncBoundary fallback={<p>loading</p>} errorComponent={Failure}>
        {children}
      </AsyncBoundary>
    </DataProvider>
  );
}

/** Renders below a provider and a boundary; the returned function renders other children in their place. */
export async function show(
  controller: Controller,
  children: ReactNode,
): Promise<(children: ReactNode) => Promise<void>> {
  const app = (shown: ReactNode): ReactElement => <App controller={controller}>{shown}</App>;
  // Unset again by the callback before anyone reads it.
  let rerender: ReturnType<typeof render>['rerender'] = () => undefined;
  await act(async () => {
    ({ rerender } = render(app(children)));
    return Promise.resolve();
  });
  return (next) =>
    act(async () => {
      rerender(app(next));
      return Promise.resolve();
    });
}

/** All text on the screen. */
export const text = (): string => document.body.textContent;

/** Waits until the screen shows this text and nothing else. */
export async function expectText(expected: string): Promise<void> {
  await waitFor(() => expect(text()).toBe(expected));
}

/** Waits until an error boundary shows a message, and gives it. */
export async function expectError(): Promise<string> {
  return (await screen.findByRole('alert')).textContent;
}

/** Lets requests be sent and answered, also wrong ones. It waits for turns, because a slow machine needs more time for each. */
export const settle = (): Promise<void> =>
  act(async () => {
    for (let turns = 0; turns < 30; turns++) await new Promise((resolve) => setTimeout(resolve, 1));
  });

/** Keeps what React reports of caught errors out of the output. */
export function quietErrors(): void {
  const { error } = console;
  beforeEach(() => {
    console.error = () => undefined;
  });
  afterEach(() => {
    console.error = error;
  });
}

afterEach(cleanup);
