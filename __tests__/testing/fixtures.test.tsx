/** @jest-environment jest-fixed-jsdom */
import { describe, expect, it } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import { Suspense, useState, type ReactElement } from 'react';
import { Controller, createResource, hookifyResource } from 'holdfast';
import { useController, useSuspense } from 'holdfast/react';
import { MockResolver, mockRequests, renderDataHook, storeFixtures, type Fixture } from 'holdfast/testing';
import { ArticleWithNumericId } from '../support/entities.ts';

const ArticleResource = createResource({
  path: '/articles/:id',
  schema: ArticleWithNumericId,
  urlPrefix: 'https://api.test',
});

const five: Fixture = {
  endpoint: ArticleResource.get,
  args: [{ id: 5 }],
  response: { id: 5, title: 'Five' },
};

describe('mockRequests', () => {
  it('mockRequests answers the call that a fixture names, and stores the response like any other', async () => {
    const controller = new Controller({ plugins: [mockRequests([five])] });
    const article = await controller.fetch(ArticleResource.get, { id: 5 });
    expect(article).toBeInstanceOf(ArticleWithNumericId);
    expect(article.title).toBe('Five');
    expect(controller.get(ArticleWithNumericId, { id: 5 })).toBe(article);
  });

  it('mockRequests answers every call of an endpoint by a function of its args', async () => {
    const fixtures: Fixture[] = [
      {
        endpoint: ArticleResource.get,
        response: ({ id }: { id: number }) => ({ id, title: `Number ${id}` }),
      },
    ];
    const controller = new Controller({ plugins: [mockRequests(fixtures)] });
    const [one, two] = await Promise.all([
      controller.fetch(ArticleResource.get, { id: 1 }),
      controller.fetch(ArticleResource.get, { id: 2 }),
    ]);
    expect([one.title, two.title]).toEqual(['Number 1', 'Number 2']);
  });

  it('mockRequests distinguishes mutations of one path by their bodies', async () => {
    const args = (title: string) => [{ id: 5 }, { title }] as const;
    const fixtures: Fixture[] = [
      { endpoint: ArticleResource.update, args: args('A'), response: { id: 5, title: 'as A' } },
      { endpoint: ArticleResource.update, args: args('B'), response: { id: 5, title: 'as B' } },
    ];
    const controller = new Controller({ plugins: [mockRequests(fixtures)] });
    expect((await controller.fetch(ArticleResource.update, ...args('A'))).title).toBe('as A');
    expect((await controller.fetch(ArticleResource.update, ...args('B'))).title).toBe('as B');
  });

  it.each([[{}], [''], [undefined]])(
    'mockRequests deletes what the params name if the response does not: %j',
    async (response) => {
      const controller = new Controller({
        plugins: [mockRequests([five, { endpoint: ArticleResource.delete, response }])],
      });
      await controller.fetch(ArticleResource.get, { id: 5 });
      await controller.fetch(ArticleResource.delete, { id: 5 });
      expect(controller.get(ArticleWithNumericId, { id: 5 })).toBeUndefined();
    },
  );

  it('mockRequests answers endpoints that a hook created', async () => {
    const hooked = hookifyResource(ArticleResource, () => ({ headers: { 'Access-Token': 'a' } }));
    const { result } = renderDataHook(() => hooked.useGet(), { resolverFixtures: [five] });
    const controller = new Controller({ plugins: [mockRequests([{ ...five }])] });
    expect((await controller.fetch(result.current, { id: 5 })).title).toBe('Five');
  });

  it('mockRequests rejects with the error of a fixture', async () => {
    const error = new Error('Gone');
    const controller = new Controller({ plugins: [mockRequests([{ ...five, error }])] });
    await expect(controller.fetch(ArticleResource.get, { id: 5 })).rejects.toBe(error);
  });

  it('mockRequests uses the last of several matching fixtures', async () => {
    const other: Fixture = { ...five, response: { id: 5, title: 'Another' } };
    const controller = new Controller({ plugins: [mockRequests([five, other])] });
    expect((await controller.fetch(ArticleResource.get, { id: 5 })).title).toBe('Another');
  });

  it('mockRequests waits as long as a fixture says', async () => {
    const settled: string[] = [];
    const slow: Fixture = { ...five, args: [{ id: 6 }], response: { id: 6 }, delay: 20 };
    const controller = new Controller({ plugins: [mockRequests([five, slow])] });
    await Promise.all([
      controller.fetch(ArticleResource.get, { id: 6 }).then(() => settled.push('slow')),
      controller.fetch(ArticleResource.get, { id: 5 }).then(() => settled.push('at once')),
    ]);
    expect(settled).toEqual(['at once', 'slow']);
  });

  it('mockRequests rejects a call as soon as its signal is aborted', async () => {
    const cancel = new AbortController();
    const response = () => new Promise<never>(() => undefined);
    const controller = new Controller({ plugins: [mockRequests([{ ...five, response }])] });
    const endpoint = ArticleResource.get.extend({ signal: cancel.signal });
    const canceled = expect(controller.fetch(endpoint, { id: 5 })).rejects.toBe('Changed my mind');
    cancel.abort('Changed my mind');
    await canceled;
  });

  it('mockRequests fails a request without a fixture, and names it', async () => {
    const controller = new Controller({ plugins: [mockRequests([five])] });
    await expect(controller.fetch(ArticleResource.get, { id: 6 })).rejects.toThrow(/GET .*articles\/6/);
  });

  it('mockRequests lets a request without a fixture through if it is configured to', async () => {
    const passed: string[] = [];
    const network = ArticleResource.get.extend({
      fetchResponse: (url: string) => {
        passed.push(url);
        return Promise.resolve(Response.json({ id: 6, title: 'Real' }));
      },
    });
    const controller = new Controller({ plugins: [mockRequests([five], { unhandled: 'fetch' })] });
    expect((await controller.fetch(network, { id: 6 })).title).toBe('Real');
    expect(passed).toEqual(['https://api.test/articles/6']);
  });
});

describe('storeFixtures', () => {
  it('storeFixtures accepts an error as a response', async () => {
    const response = new Error('Gone');
    const fixtures = [
      { ...five, response, error: true },
      { endpoint: ArticleResource.getList, args: [] as const, response: [], error: false },
    ];
    const controller = new Controller();
    storeFixtures(controller, fixtures);
    expect(controller.getError(ArticleResource.get, { id: 5 })).toBe(response);
    expect(controller.getResponse(ArticleResource.getList).data).toEqual([]);
    const fetching = new Controller({ plugins: [mockRequests(fixtures)] });
    await expect(fetching.fetch(ArticleResource.get, { id: 5 })).rejects.toBe(response);
    await expect(fetching.fetch(ArticleResource.getList)).resolves.toEqual([]);
  });

  it('storeFixtures stores data and errors as if just fetched', () => {
    const controller = new Controller();
    const error = new Error('Gone');
    storeFixtures(controller, [five, { endpoint: ArticleResource.get, args: [{ id: 6 }], error }]);
    expect(controller.getResponse(ArticleResource.get, { id: 5 }).data?.title).toBe('Five');
    expect(controller.getError(ArticleResource.get, { id: 6 })).toBe(error);
  });

  it('storeFixtures refuses a fixture without a call', () => {
    const anyCall: Fixture = { endpoint: ArticleResource.get, response: { id: 5 } };
    expect(() => storeFixtures(new Controller(), [anyCall])).toThrow(/has no args/);
  });
});

describe('renderDataHook', () => {
  it('renderDataHook renders stored data at once', () => {
    const { result } = renderDataHook(() => useSuspense(ArticleResource.get, { id: 5 }), {
      initialFixtures: [five],
    });
    expect(result.current.title).toBe('Five');
  });

  it('renderDataHook renders a hook that waits for its data, with props that change', async () => {
    const { result, rerender } = renderDataHook(
      ({ id }: { id: number }) => useSuspense(ArticleResource.get, { id }),
      {
        initialProps: { id: 1 },
        resolverFixtures: [
          {
            endpoint: ArticleResource.get,
            response: ({ id }: { id: number }) => ({ id, title: `No. ${id}` }),
          },
        ],
      },
    );
    await waitFor(() => expect(result.current.title).toBe('No. 1'));
    rerender({ id: 2 });
    await waitFor(() => expect(result.current.title).toBe('No. 2'));
  });

  it('renderDataHook reports what a hook has thrown', async () => {
    const silence = () => undefined;
    const report = console.error;
    console.error = silence; // React reports what a boundary has caught
    const error = new Error('Gone');
    const rendered = renderDataHook(() => useSuspense(ArticleResource.get, { id: 5 }), {
      resolverFixtures: [{ ...five, error }],
    });
    await waitFor(() => expect(rendered.error).toBe(error));
    console.error = report;
  });
});

describe('MockResolver', () => {
  function Title(): ReactElement {
    const { title } = useSuspense(ArticleResource.get, { id: 5 });
    const controller = useController();
    return <button onClick={() => controller.invalidate(ArticleResource.get, { id: 5 })}>{title}</button>;
  }

  it('MockResolver renders a component with its fixtures, and responds again when they change', async () => {
    let show: (title: string) => void = () => undefined;
    function Story(): ReactElement {
      const [title, setTitle] = useState('Five');
      show = setTitle;
      return (
        <MockResolver fixtures={[{ ...five, response: { id: 5, title } }]}>
          <Suspense fallback="…">
            <Title />
          </Suspense>
        </MockResolver>
      );
    }
    render(<Story />);
    const button = await screen.findByRole('button', { name: 'Five' });
    act(() => show('Cinq'));
    expect(screen.getByRole('button', { name: 'Five' })).toBe(button);
    act(() => button.click());
    await screen.findByRole('button', { name: 'Cinq' });
  });

  it('MockResolver answers a read that begins in the render in which its fixtures change', async () => {
    const Chosen = ({ id }: { id: number }) => <p>{useSuspense(ArticleResource.get, { id }).title}</p>;
    const story = (id: number) => (
      <MockResolver fixtures={[{ ...five, args: [{ id }], response: { id, title: `Number ${id}` } }]}>
        <Suspense fallback="…">
          <Chosen id={id} />
        </Suspense>
      </MockResolver>
    );
    const { rerender } = render(story(5));
    await screen.findByText('Number 5');
    rerender(story(6));
    await screen.findByText('Number 6');
  });

  it('MockResolver starts with the data of its initial fixtures', () => {
    render(
      <MockResolver initialFixtures={[five]}>
        <Title />
      </MockResolver>,
    );
    expect(screen.getByRole('button').textContent).toBe('Five');
  });

  it.each([true, false])(
    'MockResolver shows what it has fetched where no boundary is below it (one is above it: %p)',
    async (hasBoundary) => {
      let calls = 0;
      const fixture: Fixture = { ...five, response: () => ({ id: 5, title: `Five, call ${++calls}` }) };
      const story = (
        <MockResolver fixtures={[fixture]}>
          <Title />
        </MockResolver>
      );
      render(hasBoundary ? <Suspense fallback="…">{story}</Suspense> : story);
      await screen.findByRole('button', { name: 'Five, call 1' });
    },
  );
});
