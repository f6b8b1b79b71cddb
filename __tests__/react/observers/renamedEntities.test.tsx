/** @jest-environment jest-fixed-jsdom */
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Suspense, type ReactElement } from 'react';
import { Controller } from 'holdfast';
import { DataProvider, useSuspense } from 'holdfast/react';
import { endpointsOf, SlugServer } from '../../integration/SlugServer.ts';

afterEach(cleanup);

const server = new SlugServer();
server.add('One', { body: 'text' });
server.add('Two');

describe('a rename', () => {
  it('a rename keeps the React elements of a list, and a detail under the old pk', async () => {
    const controller = new Controller();
    const { articles } = endpointsOf(server);

    function List(): ReactElement {
      return (
        <ul>
          {useSuspense(articles.getList).map((article) => (
            <li key={controller.keyOf(article)}>{article.title}</li>
          ))}
        </ul>
      );
    }

    function Detail({ slug }: { slug: string }): ReactElement {
      const article = useSuspense(articles.get, { slug });
      return <h1 title={article.slug}>{article.title}</h1>;
    }

    await act(async () => {
      render(
        <DataProvider controller={controller}>
          <Suspense fallback="loading">
            <List />
            <Detail slug="one" />
          </Suspense>
        </DataProvider>,
      );
      await Promise.resolve();
    });
    await screen.findByRole('heading');
    const items = (): HTMLElement[] => screen.getAllByRole('listitem');
    const before = items();
    const heading = screen.getByRole('heading');
    const asked = server.seen.length;
    await act(async () => {
      await controller.fetch(articles.partialUpdate, { slug: 'one' }, { title: 'Uno' });
    });
    expect(items()).toEqual(before);
    expect(items().map(({ textContent }) => textContent)).toEqual(['Uno', 'Two']);
    expect(screen.getByRole('heading')).toBe(heading);
    expect(heading.title).toBe('uno');
    expect(server.seen).toHaveLength(asked + 1);
    await act(async () => {
      await controller.fetch(articles.create, { title: 'One' });
    });
    expect(items().map(({ textContent }) => textContent)).toEqual(['Uno', 'Two', 'One']);
    expect(items()[0]).toBe(before[0]);
  });
});
