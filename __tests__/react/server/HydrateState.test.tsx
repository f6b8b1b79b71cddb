/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { act, render, waitFor } from '@testing-library/react';
import { Controller, createResource, Endpoint, hydrateState, serialize } from 'holdfast';
import { indexedDB } from 'holdfast/indexeddb';
import { DataProvider, HydrateState, useSuspense } from 'holdfast/react';
import {
  StrictMode,
  startTransition,
  Suspense,
  useEffect,
  useState,
  type ReactElement,
  type ReactNode,
} from 'react';
import { Article } from '../../support/entities.ts';
import { FakeTime } from '../../support/fakeTime.ts';

const ArticleResource = createResource({
  path: '/articles/:id',
  schema: Article,
  urlPrefix: 'http://x.test',
});

let requests = 0;
let answer: { id: string; title: string }[] = [];
const getArticles = new Endpoint(
  async () => {
    requests += 1;
    return answer;
  },
  { name: 'getArticles', schema: [Article], dataExpiryLength: Infinity },
);

/** When the last state was made, in ms since the epoch: in the past, and each in a second of its own. */
let lastState = Date.now() - 60_000;

/** What a server component passes on that fetched the articles with these titles. */
async function stateOf(...titles: string[]): Promise<string> {
  answer = titles.map((title, index) => ({ id: String(index + 1), title }));
  const madeAt = (lastState += 1_000);
  const server = new Controller({ now: () => madeAt });
  await server.fetch(getArticles);
  requests = 0;
  return serialize(server);
}

function Articles(): ReactElement {
  return <p>{useSuspense(getArticles).map(({ title }) => `${title};`)}</p>;
}

let complaints: string[] = [];
beforeEach(() => {
  complaints = [];
  jest.spyOn(console, 'error').mockImplementation((...args: unknown[]) => {
    complaints.push(args.map(String).join(' '));
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  expect(complaints).toEqual([]);
});

/** The app in Strict Mode: what stays on screen, and a page that changes. */
function App({ controller, children }: { controller: Controller; children: ReactNode }): ReactElement {
  return (
    <StrictMode>
      <DataProvider controller={controller}>{children}</DataProvider>
    </StrictMode>
  );
}

it('HydrateState gives its children the data of the server at their first render, without a request', async () => {
  const state = await stateOf('Kelp', 'Moss');
  const { container } = render(
    <App controller={new Controller()}>
      <HydrateState state={state}>
        <Articles />
      </HydrateState>
    </App>,
  );
  expect(container.textContent).toBe('Kelp;Moss;');
  expect(requests).toBe(0);
});

it('HydrateState with a new state updates what is on screen elsewhere, without a request', async () => {
  const controller = new Controller();
  const page = (state: string) => (
    <App controller={controller}>
      <Articles />
      <HydrateState state={state} />
    </App>
  );
  const first = await stateOf('Kelp');
  hydrateState(controller, first);
  const { container, rerender } = render(page(first));
  const second = await stateOf('Giant kelp', 'Moss');
  rerender(page(second));
  await waitFor(() => expect(container.textContent).toBe('Giant kelp;Moss;'));
  expect(requests).toBe(0);
});

it('HydrateState shows a page that a transition brings', async () => {
  const controller = new Controller();
  const [first, second] = [await stateOf('Kelp'), await stateOf('Giant kelp')];
  let show: (state: string) => void = () => undefined;
  function Router(): ReactElement {
    const [state, setState] = useState(first);
    useEffect(() => {
      show = (next) => startTransition(() => setState(next));
    }, []);
    return (
      <HydrateState key={state} state={state}>
        <Suspense fallback="waiting">
          <Articles />
        </Suspense>
      </HydrateState>
    );
  }
  const { container } = render(
    <App controller={controller}>
      <Articles />
      <Router />
    </App>,
  );
  await act(async () => show(second));
  expect(container.textContent).toBe('Giant kelp;Giant kelp;');
});

it('hydrateState keeps what the controller has in a newer version, and takes the rest', async () => {
  const controller = new Controller();
  hydrateState(controller, await stateOf('Kelp', 'Moss'));
  const refreshed = await stateOf('Giant kelp', 'Peat moss');
  controller.set(Article, { id: '1' }, { title: 'Renamed here' });
  hydrateState(controller, refreshed);
  const { data } = controller.getResponse(getArticles);
  expect(data?.map(({ title }) => title)).toEqual(['Renamed here', 'Peat moss']);
});

it('hydrateState keeps what was deleted in between deleted', async () => {
  const controller = new Controller();
  const state = await stateOf('Kelp');
  hydrateState(controller, state);
  controller.setResponse(ArticleResource.delete, { id: '1' }, { id: '1' });
  hydrateState(controller, state);
  expect(controller.get(Article, { id: '1' })).toBeUndefined();
});

it('hydrateState with the same text changes no object and notifies no listener', async () => {
  const controller = new Controller();
  const state = await stateOf('Kelp');
  hydrateState(controller, state);
  await Promise.resolve();
  const before = controller.getResponse(getArticles).data;
  let notified = 0;
  const stop = controller.watch(getArticles, () => (notified += 1));
  hydrateState(controller, state);
  await Promise.resolve();
  expect(controller.getResponse(getArticles).data).toBe(before);
  expect(notified).toBe(0);
  stop();
});

it('hydrateState ignores a text from before a reset, and takes later ones', async () => {
  const now = Date.now();
  let elapsed = 0;
  const controller = new Controller({ now: () => now + elapsed });
  const server = new Controller({ now: () => now - 60_000 + elapsed }); // its clock is a minute behind
  answer = [{ id: '1', title: 'Ada’s' }];
  await server.fetch(getArticles);
  const [shown, onItsWay] = [serialize(server), ((elapsed += 10), serialize(server))];
  hydrateState(controller, shown);
  elapsed += 10;
  await controller.reset();
  hydrateState(controller, shown);
  expect(controller.get(Article, { id: '1' })).toBeUndefined();
  elapsed += 10;
  answer = [{ id: '1', title: 'Ben’s' }];
  await server.fetch(getArticles);
  hydrateState(controller, serialize(server));
  hydrateState(controller, onItsWay);
  expect(controller.get(Article, { id: '1' })?.title).toBe('Ben’s');
});

it('hydrateState ignores a text from before a reset, also if it is the first one', async () => {
  const time = new FakeTime();
  const { now, schedule } = time;
  const [controller, server] = [new Controller({ now, schedule }), new Controller({ now, schedule })];
  answer = [{ id: '1', title: 'Ada’s' }];
  await server.fetch(getArticles);
  const ofAda = serialize(server);
  await time.pass(10);
  await controller.reset();
  hydrateState(controller, ofAda);
  expect(controller.get(Article, { id: '1' })).toBeUndefined();
  await time.pass(10);
  answer = [{ id: '1', title: 'Ben’s' }];
  await server.fetch(getArticles);
  hydrateState(controller, serialize(server));
  hydrateState(controller, ofAda);
  expect(controller.get(Article, { id: '1' })?.title).toBe('Ben’s');
});

it('what a server sent is stored on disk once a hook reads it, and so are later versions', async () => {
  const options = { name: 'hydrated-state' };
  const controller = new Controller({ plugins: [indexedDB(options)] });
  const state = await stateOf('Kelp');
  const { container, unmount } = render(
    <App controller={controller}>
      <HydrateState state={state}>
        <Articles />
      </HydrateState>
    </App>,
  );
  await waitFor(() => expect(container.textContent).toBe('Kelp;'));
  await act(() => controller.flush());
  const refreshed = await stateOf('Giant kelp');
  act(() => hydrateState(controller, refreshed));
  await act(() => controller.flush());
  unmount();
  await controller.stop();
  requests = 0;
  const later = new Controller({ plugins: [indexedDB(options)] });
  const articles = await later.fetchIfStale(getArticles);
  expect(articles.map(({ title }) => title)).toEqual(['Giant kelp']);
  expect(requests).toBe(0);
  await later.stop();
});

it('hydrateState throws HF_INITIAL_STATE for a text that is not of serialize', () => {
  expect(() => hydrateState(new Controller(), '<!doctype html>')).toThrow('HF_INITIAL_STATE');
});
