/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act } from '@testing-library/react';
import { Controller, Endpoint } from 'holdfast';
import { useSuspense } from 'holdfast/react';
import type { ReactElement } from 'react';
import { FakeTime } from '../../support/fakeTime.ts';
import { Held } from '../../support/held.ts';
import { show, text } from '../Backend.tsx';
import { IssueWithAuthor } from '../../support/entities.ts';
import { turn } from '../../support/turns.ts';

describe('a component that replaces another with the same read', () => {
  it.each([true, false])(
    'each mount requests stale data, however soon (invalidIfStale: %s)',
    async (invalidIfStale) => {
      const held = new Held();
      const time = new FakeTime();
      const controller = new Controller({ now: time.now, schedule: time.schedule });
      const get = new Endpoint(({ id }: { readonly id: string }) => held.fetch(id), {
        name: 'get',
        schema: IssueWithAuthor,
        dataExpiryLength: 100,
        invalidIfStale,
      });
      const Title = ({ id }: { readonly id: string }): ReactElement => (
        <b>{useSuspense(get, { id }).title}</b>
      );
      const answer = (number: number, id: string, title: string): Promise<void> =>
        act(async () => {
          held.call(number).resolve({ id, title, author: { id: 'u', name: 'Ann' } });
          await turn();
        });

      const render = await show(controller, <Title id="a" />);
      await answer(0, 'a', 'one');
      await time.pass(200);
      // The store tells the first one, so React renders both before those who wait for the answer learn of it.
      await render(<Title key="second" id="a" />);
      await answer(1, 'a', 'two');
      await render(<Title key="second" id="b" />);
      await answer(2, 'b', 'other');
      await time.pass(200);
      await render(<Title key="second" id="a" />);
      expect(held.calls).toHaveLength(4);
      await answer(3, 'a', 'three');
      expect(text()).toContain('three');
      expect(held.calls).toHaveLength(4);
    },
  );
});
