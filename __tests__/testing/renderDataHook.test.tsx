/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, waitFor } from '@testing-library/react';
import { createResource } from 'holdfast';
import { useFetch } from 'holdfast/react';
import { renderDataHook } from 'holdfast/testing';
import * as React from 'react';
import { ArticleWithNumericId } from '../support/entities.ts';

const ArticleResource = createResource({
  urlPrefix: 'https://a.test',
  path: '/a/:id',
  schema: ArticleWithNumericId,
});
const fixture = (id: number) => ({
  endpoint: ArticleResource.get,
  args: [{ id }],
  response: { id, title: `title ${id}` },
});

/** Absent in React 18. */
const react: { readonly use?: typeof React.use } = React;

beforeEach(() => {
  // React would have tests await what suspends, which a function that gives its result at once cannot.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

describe('what renderDataHook has rendered', () => {
  const stopped: string[] = [];
  const useNoted = (name: string) =>
    React.useEffect(
      () => () => {
        stopped.push(name);
      },
      [name],
    );

  it('unmount() unmounts what renderDataHook rendered, once', () => {
    const { unmount } = renderDataHook(() => useNoted('first'));
    unmount();
    unmount();
    expect(stopped).toEqual(['first']);
    expect(document.body.children).toHaveLength(0);
    renderDataHook(() => useNoted('second'));
    expect(stopped).toEqual(['first']);
  });

  it('renderDataHook unmounts when the test has ended', () => {
    expect(stopped).toEqual(['first', 'second']);
    expect(document.body.children).toHaveLength(0);
  });

  it('renderDataHook runs the effects of the first render, and applies their state changes', () => {
    const { result } = renderDataHook(() => {
      const [value, setValue] = React.useState('first');
      React.useEffect(() => setValue('set'), []);
      return value;
    });
    expect(result.current).toBe('set');
  });
});

(react.use === undefined ? describe.skip : describe)('use(useFetch()) in renderDataHook', () => {
  const useTitle = ({ id }: { id: number }): string =>
    react.use!(useFetch(ArticleResource.get, { id })).title;

  it('renderDataHook resolves once the request has its response, and again with other props', async () => {
    const { result, rerender } = renderDataHook(useTitle, {
      initialProps: { id: 5 },
      resolverFixtures: [fixture(5), fixture(6)],
    });
    expect(result.current).toBeNull();
    await waitFor(() => expect(result.current).toBe('title 5'));
    rerender({ id: 6 });
    await waitFor(() => expect(result.current).toBe('title 6'));
  });

  it('renderDataHook has its data at once when stored, and follows its changes', () => {
    const { result, controller } = renderDataHook(useTitle, {
      initialProps: { id: 5 },
      initialFixtures: [fixture(5)],
    });
    expect(result.current).toBe('title 5');
    act(() => controller.set(ArticleWithNumericId, { id: 5 }, { title: 'new' }));
    expect(result.current).toBe('new');
  });

  it('renderDataHook returns the error of a request that fails', async () => {
    const rendered = renderDataHook(useTitle, { initialProps: { id: 7 }, resolverFixtures: [] });
    await waitFor(() => expect(rendered.error?.message).toContain('No fixture answers'));
  });
});
