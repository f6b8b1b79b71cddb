import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, render, waitFor } from '@testing-library/react';
import { Suspense, useEffect, type ReactElement } from 'react';
import type { Controller } from 'holdfast';
import { DataProvider, ErrorBoundary } from 'holdfast/react';
import {
  clearWorld,
  listen,
  newTab,
  reload,
  serving,
  settle,
  setUpWorld,
  type Row,
  type World,
} from './table.ts';

/** What a step may do beside using the controller. */
export interface Screen extends World {
  /** Renders with other props. */
  rerender(props: unknown): void;
  /** Renders the children of the boundary again. */
  reset(): void;
}

/** Something that happens, and what is then on screen, one after the other. */
type Step = readonly [happens: (controller: Controller, screen: Screen) => unknown, ...shown: unknown[]];

/** A component that shows what a hook gives; `'suspended'`, and `'error …'` with status, code or message, included. */
export interface HookRow extends Pick<Row, 'title' | 'differs' | 'server'> {
  /** What happens before it is mounted. */
  readonly calls?: Row['calls'];
  readonly useHook: (props: never) => unknown;
  readonly props?: unknown;
  /** What is shown once it is mounted, one after the other. */
  readonly shows: readonly unknown[];
  readonly then?: readonly Step[];
  /** What the same component shows after a reload and in a second tab, without any request; undefined where it is not tried. */
  readonly elsewhere?: readonly unknown[];
}

/** Runs each row; those that say so also after a reload and in a second tab. */
export function testHooks(name: string, rows: readonly HookRow[]): void {
  describe(name, () => {
    beforeAll(listen.start);
    afterAll(listen.stop);
    beforeEach(setUpWorld);
    beforeEach(ignoreCaughtErrors);
    afterEach(clearWorld);
    afterEach(() => void jest.restoreAllMocks());

    it.each(rows.map((row) => [row.title, row] as const))('%s', async (_, row) => {
      const world = serving(row.server ?? {});
      const controller = await newTab();
      await before(row, controller, world);
      await story(row, controller, world);
    });

    const elsewhere = rows
      .filter((row) => row.elsewhere !== undefined)
      .map((row) => [row.title, row] as const);
    if (elsewhere.length === 0) return;

    it.each(elsewhere)('%s: after a reload', async (_, row) => {
      const world = serving(row.server ?? {});
      const controller = await newTab();
      await before(row, controller, world);
      const stage = await story(row, controller, world);
      await act(async () => {
        stage.unmount();
        await settle();
      });
      await showsAtOnce(row, await reload(controller), world, stage.props);
    });

    it.each(elsewhere)('%s: in a second tab', async (_, row) => {
      const world = serving(row.server ?? {});
      const [controller, second] = [await newTab(), await newTab()];
      await before(row, controller, world);
      const stage = await story(row, controller, world);
      await settle();
      await showsAtOnce(row, second, world, stage.props);
    });
  });
}

/** React logs each error that a boundary catches. */
function ignoreCaughtErrors(): void {
  const { error } = console;
  jest.spyOn(console, 'error').mockImplementation((...logged: unknown[]) => {
    if (!logged.some((each) => each instanceof Error)) error(...logged);
  });
}

async function before(row: HookRow, controller: Controller, world: World): Promise<void> {
  for (const call of row.calls ?? []) {
    world.advance(1);
    await call(controller, world);
  }
}

async function story(row: HookRow, controller: Controller, world: World): Promise<Stage> {
  const stage = new Stage(row, controller);
  await act(async () => {
    stage.mount(row.props);
    await settle();
  });
  await stage.expect(row.shows);
  for (const [happens, ...shown] of row.then ?? []) {
    world.advance(1);
    await act(async () => {
      const happening = happens(controller, {
        ...world,
        rerender: (props) => stage.mount(props),
        reset: () => stage.reset(),
      });
      await settle();
      await happening;
    });
    await stage.expect(shown);
  }
  return stage;
}

async function showsAtOnce(
  row: HookRow,
  controller: Controller,
  world: World,
  props: unknown,
): Promise<void> {
  const asked = world.requests.length;
  const stage = new Stage(row, controller);
  await act(async () => {
    stage.mount(props);
    await settle();
  });
  await stage.expect(row.elsewhere ?? []);
  expect(world.requests.length).toBe(asked);
}

/** A component on screen, and what it has shown since it was looked at last. */
class Stage {
  props: unknown;
  reset: () => void = () => undefined;
  readonly #shown: unknown[] = [];
  #last: unknown = NOTHING;
  #root: ReturnType<typeof render> | undefined;
  readonly #app: (props: unknown) => ReactElement;

  constructor({ useHook }: HookRow, controller: Controller) {
    const show = (value: unknown): void => {
      if (equal(value, this.#last)) return;
      this.#last = value;
      this.#shown.push(value);
    };
    function Subject({ props }: { readonly props: unknown }): null {
      const value = useHook(props as never); // the row's own props
      useEffect(() => show(value));
      return null;
    }
    function Waiting(): null {
      useEffect(() => show('suspended'));
      return null;
    }
    const Failure = ({
      error,
      resetErrorBoundary,
    }: {
      error: Error;
      resetErrorBoundary: () => void;
    }): null => {
      useEffect(() => {
        const { status, code } = error as { status?: number; code?: string }; // a NetworkError or HoldfastError may be
        this.reset = resetErrorBoundary;
        show(`error ${status ?? code ?? error.message}`);
      });
      return null;
    };
    this.#app = (props) => (
      <DataProvider controller={controller}>
        <ErrorBoundary fallbackComponent={Failure}>
          <Suspense fallback={<Waiting />}>
            <Subject props={props} />
          </Suspense>
        </ErrorBoundary>
      </DataProvider>
    );
  }

  mount(props: unknown): void {
    this.props = props;
    if (this.#root === undefined) this.#root = render(this.#app(props));
    else this.#root.rerender(this.#app(props));
  }

  unmount(): void {
    this.#root?.unmount();
  }

  /** Waits until all of these have been shown, and nothing else. */
  async expect(shown: readonly unknown[]): Promise<void> {
    await waitFor(() => expect(this.#shown.length).toBeGreaterThanOrEqual(shown.length)).catch(
      () => undefined,
    );
    await act(() => settle());
    expect(this.#shown.splice(0)).toEqual(shown);
  }
}

const NOTHING = Symbol('nothing shown');

function equal(left: unknown, right: unknown): boolean {
  return (
    Object.is(left, right) || (typeof left === 'object' && JSON.stringify(left) === JSON.stringify(right))
  );
}
