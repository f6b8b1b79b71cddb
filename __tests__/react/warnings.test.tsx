/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { render, type RenderResult } from '@testing-library/react';
import { StrictMode, useMemo, type ReactElement } from 'react';
import { All, Controller, Endpoint, hookifyResource, Query } from '../../src/index.ts';
import { DataProvider, useCache, useDLE, useQuery } from '../../src/react.ts';
import { Article } from '../support/entities.ts';

const getArticle = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id, title: 'One' }), {
  name: 'getArticle',
  schema: Article,
});
const getOther = getArticle.extend({ name: 'getOther' });

const told: string[] = [];
beforeEach(() => {
  told.length = 0;
  jest.spyOn(console, 'warn').mockImplementation((text: unknown) => told.push(String(text)));
});
afterEach(() => {
  jest.restoreAllMocks();
});

const RENDERS = 12;

/** Renders two components of one kind this often, in Strict Mode; returns the warnings. */
function toldOf(Component: (props: { readonly turn: number }) => ReactElement | null): string[] {
  const controller = new Controller();
  controller.setResponse(getArticle, { id: '1' }, { id: '1', title: 'One' });
  let shown: RenderResult | undefined;
  for (let turn = 0; turn < RENDERS; turn++) {
    const tree = (
      <StrictMode>
        <DataProvider controller={controller}>
          <Component turn={turn} />
          <Component turn={turn} />
        </DataProvider>
      </StrictMode>
    );
    if (shown === undefined) shown = render(tree);
    else shown.rerender(tree);
  }
  shown?.unmount();
  return told;
}

const all = new All(Article);

describe('a value that each render creates again', () => {
  it('a schema that each render creates causes one warning', () => {
    function Titles() {
      useQuery(new Query(all, (articles) => articles.length));
      return null;
    }
    const texts = toldOf(Titles);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('errors.md#hf_unstable_schema');
    expect(texts[0]).toContain('(Query)');
  });

  it('an endpoint that each render creates causes one warning', () => {
    function Title() {
      useDLE(getArticle.extend({ dataExpiryLength: Infinity }), { id: '1' });
      return null;
    }
    const texts = toldOf(Title);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('getArticle');
    expect(texts[0]).toContain('errors.md#hf_unstable_endpoint');
  });

  it('request options that each render creates cause one warning', () => {
    const { useGet } = hookifyResource({ get: getArticle }, () => ({
      signal: new AbortController().signal,
    }));
    function Title() {
      useCache(useGet(), { id: '1' });
      return null;
    }
    const texts = toldOf(Title);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('errors.md#hf_unstable_init');
  });

  it('a value that alternates between a few objects causes no warning', () => {
    const schemas = [new Query(all, () => 1), new Query(all, () => 2)];
    function Switching({ turn }: { readonly turn: number }) {
      useQuery(schemas[turn % 2] ?? Article);
      useCache(turn % 2 === 0 ? getArticle : getOther, { id: '1' });
      return null;
    }
    expect(toldOf(Switching)).toEqual([]);
  });

  it('a memo that sometimes changes, new args and equal request options cause no warning', () => {
    const { useGet } = hookifyResource({ get: getArticle }, () => ({ headers: { 'X-Token': 'abc' } }));
    function Steady({ turn }: { readonly turn: number }) {
      const third = Math.floor(turn / 3);
      useQuery(useMemo(() => new Query(all, () => third), [third]));
      useQuery(Article, { id: String(turn) });
      useDLE(useGet(), { id: '1' });
      return null;
    }
    expect(toldOf(Steady)).toEqual([]);
  });
});

it('components with different request options each keep their endpoint', () => {
  const tokens = ['abc', 'def'];
  let token = '';
  const { useGet } = hookifyResource({ get: getArticle }, () => ({ headers: { token } }));
  const endpoints = new Set<unknown>();
  function Title({ of }: { readonly of: string }) {
    token = of;
    endpoints.add(useGet());
    return null;
  }
  const tree = () => tokens.map((of) => <Title key={of} of={of} />);
  const { rerender } = render(tree());
  rerender(tree());
  expect(endpoints.size).toBe(2);
});
