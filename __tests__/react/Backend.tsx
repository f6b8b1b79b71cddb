import { act, render } from '@testing-library/react';
import { Endpoint, type Controller, type Environment } from 'holdfast';
import { AsyncBoundary, DataProvider } from 'holdfast/react';
import type { ReactElement, ReactNode } from 'react';
import { IssueWithAuthor } from '../support/entities.ts';
import { turn } from '../support/turns.ts';

/** A server of issues that answers when the test says so, so that no test depends on how long anything takes. */
export class Backend {
  /** The requested ids. */
  readonly requests: string[] = [];
  readonly titles: Record<string, string> = { a: 'one', b: 'two', c: 'three' };
  /** What requests fail with, while it is set. */
  failure: Error | undefined;
  readonly #waiting: (() => void)[] = [];

  readonly getIssue = new Endpoint(
    async ({ id }: { readonly id: string }) => {
      this.requests.push(id);
      await new Promise<void>((answer) => void this.#waiting.push(answer));
      if (this.failure !== undefined) throw this.failure;
      if (this.titles[id] === undefined) throw failed(404, `no issue ${id}`);
      return { id, title: this.titles[id], author: { id: 'u', name: 'Ann' } };
    },
    { name: 'getIssue', schema: IssueWithAuthor },
  );

  /** Responds until no request is pending. */
  readonly settle = (): Promise<void> =>
    act(async () => {
      for (let quiet = 0; quiet < 3; quiet++) {
        if (this.#waiting.length > 0) quiet = 0;
        for (const answer of this.#waiting.splice(0)) answer();
        await turn();
      }
    });
}

/** An error as an endpoint over HTTP throws it; status 0 when there was no connection. */
export function failed(status: number, message = `status ${status}`): Error {
  return Object.assign(new Error(message), { status });
}

/** A device that the test takes offline and hides. */
export class Device implements Environment {
  readonly #listeners = new Set<{ readonly tell: () => void }>();
  isOnline = true;
  isVisible = true;

  /** How many listen. */
  get listeners(): number {
    return this.#listeners.size;
  }

  subscribe(listener: () => void): () => void {
    const entry = { tell: listener };
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  change(change: Partial<Pick<Environment, 'isOnline' | 'isVisible'>>): void {
    Object.assign(this, change);
    for (const { tell } of [...this.#listeners]) tell();
  }
}

/** What is rendered, and how to render something else in its place. */
export type Shown = (children: ReactNode) => Promise<void>;

/** Renders below a provider and a boundary. */
export async function show(controller: Controller, children: ReactNode): Promise<Shown> {
  const app = (shown: ReactNode): ReactElement => (
    <DataProvider controller={controller}>
      <AsyncBoundary
        fallback={<p>waiting</p>}
        errorComponent={({ error }) => <p role="alert">{error.message}</p>}
      >
        {shown}
      </AsyncBoundary>
    </DataProvider>
  );
  let rerender: ReturnType<typeof render>['rerender'] = () => undefined; // set by the callback
  await act(async () => {
    ({ rerender } = render(app(children)));
    await turn();
  });
  return (next) =>
    act(async () => {
      rerender(app(next));
      await turn();
    });
}

/** All text on the screen. */
export const text = (): string => document.body.textContent;
