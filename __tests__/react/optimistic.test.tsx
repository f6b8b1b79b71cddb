/** @jest-environment jest-fixed-jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { Controller, createResource, Entity, RestEndpoint, type RestEndpointOptions } from 'holdfast';
import { DataProvider, useSuspense } from 'holdfast/react';
import { Suspense, type ReactElement } from 'react';
import { turn } from '../support/turns.ts';

class IssueWithText extends Entity {
  id: number | string = 0;
  text = '';
  static override key = 'Issue';
}

/** What the server says to each request, once the test lets it. */
const requests = new Map<string, (response: Response | Promise<never>) => void>();

class Manual<O extends RestEndpointOptions = RestEndpointOptions> extends RestEndpoint<O> {
  override fetchResponse(): Promise<Response> {
    return new Promise((resolve) => requests.set(this.method, resolve));
  }
}

const common = { path: '/issues/:id', schema: IssueWithText, Endpoint: Manual } as const;
const Optimistic = createResource({ ...common, optimistic: true });
const Plain = createResource(common);

/** The same three mutations, by optimistic resources, and by endpoints with `getOptimisticResponse`. */
const kinds = {
  'optimistic: true': {
    getList: Optimistic.getList,
    update: Optimistic.partialUpdate,
    create: Optimistic.create,
    remove: Optimistic.delete,
  },
  getOptimisticResponse: {
    getList: Plain.getList,
    update: Plain.partialUpdate.extend({
      getOptimisticResponse(snapshot, params, body) {
        const issue = snapshot.get(IssueWithText, params);
        if (issue === undefined) throw snapshot.abort;
        return { id: issue.id, ...(body as object) };
      },
    }),
    create: Plain.getList.push.extend({ getOptimisticResponse: (_snapshot, body) => body }),
    remove: Plain.delete.extend({ getOptimisticResponse: (_snapshot, params) => params }),
  },
};

const MUTATIONS = ['PATCH', 'POST', 'DELETE'] as const;
type Method = (typeof MUTATIONS)[number];

/** What is on screen: the pending mutations, in the order they were made in, over what the server has confirmed. */
function expected(pending: ReadonlySet<Method>, done: ReadonlySet<Method>): string[] {
  const confirmed = new Map<number | string, string>([
    [1, done.has('PATCH') ? 'patched' : 'one'],
    [2, 'two'],
    [3, 'three'],
  ]);
  if (done.has('POST')) confirmed.set(9, 'made');
  if (done.has('DELETE')) confirmed.delete(1);
  if (pending.has('PATCH') && confirmed.has(1)) confirmed.set(1, 'to be patched');
  if (pending.has('POST')) confirmed.set('temporary', 'to be made');
  if (pending.has('DELETE')) confirmed.delete(1);
  return [...confirmed.values()];
}

function answerOf(method: Method, succeeds: boolean): Response | Promise<never> {
  if (!succeeds) return Promise.reject(new Error('refused'));
  if (method === 'PATCH') return Response.json({ id: 1, text: 'patched' });
  return Response.json(method === 'POST' ? { id: 9, text: 'made' } : {});
}

afterEach(() => {
  cleanup();
  requests.clear();
});

describe.each(Object.entries(kinds))('three pending mutations by %s', (_kind, endpoints) => {
  const { getList, update, create, remove } = endpoints;

  function List({ controller }: { controller: Controller }): ReactElement {
    const issues = useSuspense(getList);
    return (
      <ul>
        {issues.map((issue) => (
          <li key={controller.keyOf(issue)} data-key={controller.keyOf(issue)}>
            {issue.text}
          </li>
        ))}
      </ul>
    );
  }

  /** Every row on screen by its React key. */
  function rows(): Map<string, HTMLElement> {
    return new Map(screen.queryAllByRole('listitem').map((row) => [row.dataset['key'] ?? '', row]));
  }

  const texts = (): (string | null)[] => [...rows().values()].map(({ textContent }) => textContent);

  async function show(): Promise<Controller> {
    const controller = new Controller();
    controller.setResponse(getList, [
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
      { id: 3, text: 'three' },
    ]);
    await act(async () => {
      render(
        <DataProvider controller={controller}>
          <Suspense fallback="loading">
            <List controller={controller} />
          </Suspense>
        </DataProvider>,
      );
      return Promise.resolve();
    });
    return controller;
  }

  it.each([
    [['PATCH', 'POST', 'DELETE']],
    [['PATCH', 'DELETE', 'POST']],
    [['POST', 'PATCH', 'DELETE']],
    [['POST', 'DELETE', 'PATCH']],
    [['DELETE', 'PATCH', 'POST']],
    [['DELETE', 'POST', 'PATCH']],
  ] satisfies [Method[]][])(
    'the remaining mutations are shown over the confirmed data, whichever fail: %j',
    async (order) => {
      for (let outcome = 0; outcome < 8; outcome++) {
        const controller = await show();
        await act(async () => {
          for (const asked of [
            controller.fetch(update, { id: 1 }, { text: 'to be patched' }),
            controller.fetch(create, { text: 'to be made' }),
            controller.fetch(remove, { id: 1 }),
          ])
            asked.catch(() => undefined);
          await turn();
        });
        const pending = new Set<Method>(MUTATIONS);
        const done = new Set<Method>();
        expect(texts()).toEqual(expected(pending, done));
        for (const method of order) {
          const before = rows();
          const succeeds = (outcome & (1 << MUTATIONS.indexOf(method))) !== 0;
          await act(async () => {
            requests.get(method)?.(answerOf(method, succeeds));
            await turn();
          });
          pending.delete(method);
          if (succeeds) done.add(method);
          expect(texts()).toEqual(expected(pending, done));
          // Whatever stays on screen is the same element, also where the server has given a pk of its own.
          const after = rows();
          for (const [key, row] of before) if (after.has(key)) expect(after.get(key)).toBe(row);
          expect([...after.keys()]).not.toContain('');
          const isMade = done.has('POST') || pending.has('POST');
          if (isMade) expect([...after.values()].at(-1)).toBe([...before.values()].at(-1));
        }
        expect(controller.get(IssueWithText, { id: 1 })?.text).toBe(
          done.has('DELETE') ? undefined : expected(pending, done)[0],
        );
        cleanup();
      }
    },
  );
});
