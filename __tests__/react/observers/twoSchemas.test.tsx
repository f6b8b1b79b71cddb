/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { Controller, Endpoint } from 'holdfast';
import { AsyncBoundary, DataProvider, useSuspense } from 'holdfast/react';
import { ArticleWithNumericId } from '../../support/entities.ts';

describe('two endpoints with one key and schemas of different shapes', () => {
  it('mounted data stays without alternating refetches, and the other read states why it failed', async () => {
    let requests = 0;
    const getArticle = new Endpoint(
      (_params: { id: number }) => {
        requests += 1;
        return Promise.resolve({ id: 1, title: `Answer ${requests}`, article: { id: 1, title: 'nested' } });
      },
      { name: 'getArticle', schema: ArticleWithNumericId },
    );
    const getNested = getArticle.extend({ schema: { article: ArticleWithNumericId } });
    const Title = () => <h1>{useSuspense(getArticle, { id: 1 }).title}</h1>;
    const Nested = () => <h2>{useSuspense(getNested, { id: 1 }).article.title}</h2>;
    const Failure = ({ error }: { error: Error }) => <p role="alert">{error.message}</p>;
    const report = console.error;
    console.error = () => undefined; // React reports what a boundary has caught
    const controller = new Controller();
    const page = (isNestedShown: boolean) => (
      <DataProvider controller={controller}>
        <AsyncBoundary fallback="…">
          <Title />
        </AsyncBoundary>
        <AsyncBoundary fallback="…" errorComponent={Failure}>
          {isNestedShown ? <Nested /> : null}
        </AsyncBoundary>
      </DataProvider>
    );
    const { rerender } = render(page(false));
    await screen.findByText('Answer 1');
    rerender(page(true));
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /the key \(getArticle.*\).*HF_TWO_SCHEMAS/,
    );
    console.error = report;
    expect(screen.getByText('Answer 1')).toBeDefined();
    expect(requests).toBe(2);
  });

  it('two reads refetch in turn when only one of them is mounted', async () => {
    const getNumbers = new Endpoint(() => Promise.resolve([{ id: 1 }]), {
      name: 'getNumbers',
      schema: [ArticleWithNumericId],
    });
    const getPlain = getNumbers.extend({ schema: undefined });
    const controller = new Controller();
    await controller.fetch(getNumbers);
    expect(await controller.fetch(getPlain)).toEqual([{ id: 1 }]);
    expect(controller.getResponse(getNumbers).data).toBeUndefined();
    expect((await controller.fetch(getNumbers))[0]).toBeInstanceOf(ArticleWithNumericId);
  });
});
