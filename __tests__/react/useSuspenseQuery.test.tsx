/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { Aggregate, Controller, Select, type Restored, type StoragePlugin } from 'holdfast';
import { DataProvider, useQuery, useSuspense } from 'holdfast/react';
import { Suspense, type ReactElement } from 'react';
import { User } from '../support/entities.ts';

const byName = new Select(User, {
  where: ({ name }: { name: string }) => ({ name }),
});
const count = new Aggregate(User, { values: { n: 'count' } });

const meta = { requestedAt: 0, receivedAt: 0, expiresAt: Infinity, order: 1, answered: 1 };
const rowsOf = (...users: { id: string; name: string }[]): Restored => ({
  rows: users.map((value) => ['User', value.id, { value, meta }] as const),
  results: [],
});

/** A disk that answers when the test says so. */
class SlowDisk implements StoragePlugin {
  readonly name = 'slow';
  readonly wanted: string[] = [];
  answer: (restored?: Restored) => void = () => undefined;

  restore({ tables = [] }: { readonly tables?: readonly string[] }): Promise<Restored | undefined> {
    this.wanted.push(...tables);
    return new Promise((resolve) => {
      this.answer = resolve;
    });
  }
}

function Waiting({ name }: { name: string }): ReactElement {
  return <p>{`waited: ${useSuspense(byName, { name })?.length}, of ${useSuspense(count)?.n}`}</p>;
}

function Direct({ name }: { name: string }): ReactElement {
  return <p>{`direct: ${useQuery(byName, { name })?.length}, of ${useQuery(count)?.n}`}</p>;
}

function show(controller: Controller, name: string): void {
  render(
    <DataProvider controller={controller}>
      <Direct name={name} />
      <Suspense fallback={<p>waiting</p>}>
        <Waiting name={name} />
      </Suspense>
    </DataProvider>,
  );
}

const texts = (): (string | null)[] => screen.getAllByText(/./u).map(({ textContent }) => textContent);

afterEach(cleanup);

describe('useSuspense of a live query', () => {
  it('useSuspense of a live query waits until the table is restored, once for all readers', async () => {
    const disk = new SlowDisk();
    const controller = new Controller({ plugins: [disk] });
    controller.set(User, { id: 'x' }, { name: 'Bob' });
    await act(async () => show(controller, 'Ann'));
    expect(texts()).toEqual(['direct: undefined, of undefined', 'waiting']);
    await act(async () => disk.answer(rowsOf({ id: '1', name: 'Ann' }, { id: '2', name: 'Ann' })));
    expect(texts()).toEqual(['direct: 2, of 3', 'waited: 2, of 3']);
    expect(disk.wanted).toEqual(['User']);
  });

  it('useSuspense of a live query shows an empty list only when the table is restored', async () => {
    const disk = new SlowDisk();
    const controller = new Controller({ plugins: [disk] });
    controller.set(User, { id: 'x' }, { name: 'Bob' });
    await act(async () => show(controller, 'Ann'));
    expect(texts()).toEqual(['direct: undefined, of undefined', 'waiting']);
    await act(async () => disk.answer());
    expect(texts()).toEqual(['direct: 0, of 1', 'waited: 0, of 1']);
  });

  it('useSuspense of a live query shows a list of the members in memory at once, and counts only after the restore', async () => {
    const disk = new SlowDisk();
    const controller = new Controller({ plugins: [disk] });
    controller.set(User, { id: 'x' }, { name: 'Bob' });
    await act(async () => show(controller, 'Bob'));
    expect(texts()).toEqual(['direct: 1, of undefined', 'waiting']);
    await act(async () => disk.answer(rowsOf({ id: '1', name: 'Bob' })));
    expect(texts()).toEqual(['direct: 2, of 2', 'waited: 2, of 2']);
  });

  it('useSuspense of a live query does not wait without a disk', async () => {
    await act(async () => show(new Controller(), 'Ann'));
    expect(texts()).toEqual(['direct: undefined, of undefined', 'waited: undefined, of undefined']);
  });

  it('useSuspense of a live query counts without a restore after a reset', async () => {
    const disk = new SlowDisk();
    const controller = new Controller({ plugins: [disk] });
    await act(async () => show(controller, 'Bob'));
    await act(async () => disk.answer(rowsOf({ id: '1', name: 'Bob' })));
    await act(() => controller.reset());
    await act(async () => controller.set([User], [{ id: '2', name: 'Ann' }]));
    expect(texts()[0]).toBe('direct: 0, of 1');
  });
});
