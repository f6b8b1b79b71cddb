/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { Controller, Endpoint } from 'holdfast';
import { DataProvider, useCache } from 'holdfast/react';
import { FakeTime } from '../support/fakeTime.ts';

const getPrice = new Endpoint(async (): Promise<unknown> => 'from network', { name: 'getPrice' });

describe('useCache', () => {
  it('useCache shows stale data, unless the endpoint forbids it', () => {
    const time = new FakeTime();
    const controller = new Controller({ now: time.now, schedule: time.schedule });
    const strict = getPrice.extend({ invalidIfStale: true });
    const Price = () => <p>{`${String(useCache(getPrice))}, ${String(useCache(strict))}`}</p>;
    const app = (
      <DataProvider controller={controller}>
        <Price />
      </DataProvider>
    );
    const { rerender } = render(app);
    expect(screen.queryByText('undefined, undefined')).not.toBeNull();
    act(() => controller.setResponse(getPrice, 'set'));
    expect(screen.queryByText('set, set')).not.toBeNull();
    time.jump(60_000);
    rerender(
      <DataProvider controller={controller}>
        <Price />
      </DataProvider>,
    );
    expect(screen.queryByText('set, undefined')).not.toBeNull();
  });
});
