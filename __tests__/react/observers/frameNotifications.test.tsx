/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { Controller } from '../../../src/index.ts';
import { DataProvider, useQuery } from '../../../src/react.ts';
import { Price } from '../../support/entities.ts';

describe("components and batch(…, { notify: 'frame' })", () => {
  it('components render once a frame, with the last change of the batch', async () => {
    const controller = new Controller();
    controller.set(Price, { id: 'a' }, { value: 0 });
    const rendered: (number | undefined)[] = [];
    function Shown() {
      const price = useQuery(Price, { id: 'a' });
      rendered.push(price?.value);
      return <p>{price?.value}</p>;
    }
    render(
      <DataProvider controller={controller}>
        <Shown />
      </DataProvider>,
    );
    await act(async () => {
      for (let value = 1; value <= 5; value++)
        controller.batch(() => controller.set(Price, { id: 'a' }, { value }), { notify: 'frame' });
      await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    expect(rendered).toEqual([0, 5]);
    expect(screen.getByText('5')).toBeDefined();
    // What is written without it shows at once.
    act(() => controller.set(Price, { id: 'a' }, { value: 6 }));
    expect(rendered).toEqual([0, 5, 6]);
  });
});
