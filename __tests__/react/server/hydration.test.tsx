/** @jest-environment jest-fixed-jsdom */
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act } from '@testing-library/react';
import {
  All,
  Controller,
  deserialize,
  Endpoint,
  Query,
  serialize,
  stateWritable,
  streamedState,
  type ControllerOptions,
} from 'holdfast';
import {
  AsyncBoundary,
  DataProvider,
  useCache,
  useDLE,
  useError,
  useFetch,
  useLive,
  useOnline,
  useQuery,
  useSuspense,
} from 'holdfast/react';
import { indexedDB } from 'holdfast/indexeddb';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers';
import * as React from 'react';
import { StrictMode, Suspense, type ReactElement, type ReactNode } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToPipeableStream } from 'react-dom/server';
import { IssueWithAuthor, User } from '../../support/entities.ts';

// React's server for Node asks for it; jsdom has none.
globalThis.setImmediate = setImmediate;

let requests: string[] = [];
let renders: Record<string, number> = {};
let trouble: string[] = [];
const count = (name: string): void => {
  renders[name] = (renders[name] ?? 0) + 1;
};

const getIssue = new Endpoint(
  async ({ id }: { id: string }): Promise<unknown> => {
    requests.push(id);
    return { id, title: `Title ${id}`, author: { id: 'u', name: 'Ann' } };
  },
  { name: 'getIssue', schema: IssueWithAuthor },
);
const getIssues = new Endpoint(
  async (): Promise<unknown> => {
    requests.push('list');
    return [{ id: '1', title: 'Title 1', author: { id: 'u', name: 'Ann' } }];
  },
  { name: 'getIssues', schema: [IssueWithAuthor], pollFrequency: 60_000 },
);
const titles = new Query(new All(IssueWithAuthor), (issues) => issues.map(({ title }) => title).join());
const rename = (controller: Controller, title: string) =>
  controller.set(IssueWithAuthor, { id: '1' }, { title });

/** Holds back whatever is below it, once it is shut: on the server it is open. */
class Gate {
  #isShut = false;
  #open: (() => void) | undefined;
  #opened: Promise<void> | undefined;

  shut(): void {
    this.#isShut = true;
    this.#opened = new Promise((resolve) => (this.#open = resolve));
  }

  open(): void {
    this.#isShut = false;
    this.#open?.();
  }

  pass(): void {
    // A thrown promise makes React wait.
    if (this.#isShut) throw this.#opened as unknown as Error;
  }
}
const gate = new Gate();
const Gated = ({ children }: { children: ReactNode }) => {
  gate.pass();
  return <>{children}</>;
};

function Title({ id = '1' }: { id?: string }): ReactElement {
  count('title');
  const issue = useSuspense(getIssue, { id });
  return <h1>{issue.title}</h1>;
}

async function serverRender(controller: Controller, app: ReactNode): Promise<string> {
  const page = new PassThrough();
  let html = '';
  page.on('data', (chunk: Buffer) => (html += chunk.toString()));
  const { pipe } = renderToPipeableStream(<DataProvider controller={controller}>{app}</DataProvider>, {
    onAllReady: () => pipe(page),
    onError: () => undefined,
  });
  await once(page, 'end');
  return html;
}

let root: Root | undefined;
let container = document.createElement('div');

/** Renders on a server, puts the page into the document and begins to hydrate it. */
async function hydrate(
  app: ReactNode,
  options: ControllerOptions = {},
  between: (controller: Controller) => void = () => undefined,
  server = new Controller(),
): Promise<Controller> {
  container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = await serverRender(server, app);
  const controller = new Controller({ initialState: deserialize(serialize(server)), ...options });
  between(controller);
  requests = [];
  renders = {};
  await act(async () => {
    root = hydrateRoot(container, <DataProvider controller={controller}>{app}</DataProvider>, {
      onRecoverableError: (error) => void trouble.push(String(error)),
    });
  });
  return controller;
}
/** Text without the comments by which React parts it. */
const text = (): string => container.textContent;

beforeEach(() => {
  requests = [];
  renders = {};
  trouble = [];
  gate.open();
  jest.spyOn(console, 'error').mockImplementation((...args: unknown[]) => {
    const message = args.map(String).join(' ');
    // A server has a realm of its own; here both renderers are in one.
    if (!message.includes('multiple renderers')) trouble.push(message);
  });
});
afterEach(() => {
  act(() => root?.unmount());
  container.remove();
  jest.restoreAllMocks();
  expect(trouble).toEqual([]);
});

describe('hydration', () => {
  it('hydration requests no fresh data and renders each component once', async () => {
    const controller = await hydrate(
      <AsyncBoundary fallback="loading">
        <Title />
        <Title id="2" />
      </AsyncBoundary>,
    );
    expect(text()).toBe('Title 1Title 2');
    expect(requests).toEqual([]);
    expect(renders).toEqual({ title: 2 });
    await act(async () => rename(controller, 'Renamed'));
    expect(text()).toBe('RenamedTitle 2');
    expect(renders).toEqual({ title: 3 });
  });

  it('hydration is the same for every hook', async () => {
    function Every(): ReactElement {
      count('every');
      const issue = useSuspense(getIssue, { id: '1' });
      const cached = useCache(getIssue, { id: '1' });
      const absent = useCache(getIssue, { id: 'absent' });
      const row = useQuery(IssueWithAuthor, { id: '1' });
      const all = useQuery(titles);
      const { data, loading, refreshing } = useDLE(getIssue, { id: '1' });
      const live = useLive(getIssues);
      const promise = useFetch(getIssue, { id: '1' });
      // React 18 has none.
      const used = 'use' in React ? React.use(promise) : issue;
      const error = useError(getIssue, { id: '1' });
      const parts = [issue, cached, row, data, used, live[0]].map((read) => read?.title);
      return (
        <p>
          {parts.join()} {typeof absent} {all} {String(loading)} {String(refreshing)} {String(useOnline())}{' '}
          {String(error)}
        </p>
      );
    }
    await hydrate(
      <Suspense fallback="loading">
        <Every />
      </Suspense>,
    );
    expect(text()).toBe(`${Array(6).fill('Title 1').join()} undefined Title 1 false false true undefined`);
    expect(requests).toEqual([]);
    expect(renders).toEqual({ every: 1 });
  });

  it('hydration logs nothing in Strict Mode', async () => {
    await hydrate(
      <StrictMode>
        <Suspense fallback="loading">
          <Title />
        </Suspense>
      </StrictMode>,
    );
    expect(text()).toBe('Title 1');
    expect(requests).toEqual([]);
  });

  it('hydration shows what the server rendered although it is stale, and then requests it once', async () => {
    const now = Date.now();
    let answer: () => void = () => undefined;
    let held = Promise.resolve();
    const short = new Endpoint(
      async ({ id }: { id: string }): Promise<unknown> => {
        requests.push(`short ${id}`);
        await held;
        return { id, title: `Title ${id}` };
      },
      { name: 'short', schema: IssueWithAuthor, invalidIfStale: true },
    );
    const loads: boolean[] = [];
    let hydrated = 0;
    function Short(): ReactElement {
      const { data, refreshing } = useDLE(getIssue, { id: '1' });
      loads.push(refreshing);
      React.useEffect(() => void (hydrated += 1), []);
      return (
        <p>
          {useSuspense(short, { id: '1' }).title} {String(refreshing)} {data?.id}
        </p>
      );
    }
    const server = new Controller();
    await server.fetch(getIssue, { id: '1' });
    await hydrate(
      <Suspense fallback="loading">
        <Short />
      </Suspense>,
      { now: () => now + 3_600_000 },
      () => {
        held = new Promise((resolve) => (answer = resolve));
      },
      server,
    );
    expect(hydrated).toBe(1);
    expect(text()).toContain('Title 1');
    expect(loads[0]).toBe(false);
    await act(async () => answer());
    expect(text()).toBe('Title 1 false 1');
    expect(requests.sort()).toEqual(['1', 'short 1']);
  });
});

describe('a part that hydrates late', () => {
  const late = (children: ReactNode) => (
    <>
      <b>early</b>
      <Suspense fallback="loading">
        <Gated>{children}</Gated>
      </Suspense>
    </>
  );
  /** The text at each commit of the late part. */
  let shown: string[] = [];
  function Watched({ of, name }: { of: () => unknown; name: string }): ReactElement {
    count(name);
    const value = String(of());
    shown.push(value);
    return <i>{value}</i>;
  }
  const open = () => act(async () => gate.open());
  beforeEach(() => {
    shown = [];
  });

  const reads: [string, () => unknown][] = [
    ['useSuspense', () => useSuspense(getIssue, { id: '1' }).title],
    ['useCache', () => useCache(getIssue, { id: '1' })?.title],
    ['useQuery', () => useQuery(IssueWithAuthor, { id: '1' })?.title],
    ['useQuery of a table', () => useQuery(titles)],
    ['useDLE', () => useDLE(getIssue, { id: '1' }).data?.title],
    ['useLive', () => useLive(getIssues)[0]?.title],
  ];

  /** A server that has everything the reads above show. */
  async function filled(): Promise<Controller> {
    const server = new Controller();
    await Promise.all([server.fetch(getIssue, { id: '1' }), server.fetch(getIssues)]);
    return server;
  }

  it.each(reads)('a late part first shows the data of the server, then newer data: %s', async (_, of) => {
    const controller = await hydrate(
      late(<Watched of={of} name="late" />),
      {},
      () => gate.shut(),
      await filled(),
    );
    expect(text()).toBe('earlyTitle 1');
    await act(async () => rename(controller, 'Renamed'));
    expect(text()).toBe('earlyTitle 1');
    shown = [];
    await open();
    expect(text()).toBe('earlyRenamed');
    expect(shown).toEqual(['Title 1', 'Renamed']);
    expect(requests).toEqual([]);
  });

  it.each(reads)('a late part renders once when only other data has changed: %s', async (_, of) => {
    const controller = await hydrate(
      late(<Watched of={of} name="late" />),
      {},
      () => gate.shut(),
      await filled(),
    );
    await act(async () => controller.set(User, { id: 'other' }, { name: 'Bob' }));
    renders = {};
    await open();
    expect(renders).toEqual({ late: 1 });
  });

  it('a late part reads the shared objects when they have the same values', async () => {
    const seen = new Set<unknown>();
    const controller = await hydrate(
      late(<Watched of={() => seen.add(useSuspense(getIssue, { id: '1' })).size} name="late" />),
      {},
      () => gate.shut(),
    );
    seen.clear();
    await act(async () => controller.set(User, { id: 'other' }, { name: 'Bob' }));
    await open();
    expect([...seen]).toEqual([controller.get(IssueWithAuthor, { id: '1' })]);
    expect([...seen][0]).toBe(controller.get(IssueWithAuthor, { id: '1' }));
  });

  it('a late part shows a fallback only after it has hydrated data that was removed', async () => {
    const controller = await hydrate(
      late(<Watched of={() => useSuspense(getIssue, { id: '1' }).title} name="late" />),
      {},
      () => gate.shut(),
    );
    await act(async () => controller.invalidate(getIssue, { id: '1' }));
    expect(requests).toEqual([]);
    shown = [];
    await open();
    expect(shown[0]).toBe('Title 1');
    expect(text()).toBe('earlyTitle 1');
    expect(requests).toEqual(['1']);
  });

  it('a part that hydrates late is not changed by a concurrent restore', async () => {
    let restore: (() => void) | undefined;
    await hydrate(
      late(<Watched of={() => useQuery(titles)} name="late" />),
      {
        plugins: [
          {
            name: 'disk',
            start(controller) {
              const meta = { requestedAt: 1, receivedAt: 1, expiresAt: Infinity, order: 1, answered: 0 };
              const row = { value: { id: '7', title: 'From disk' }, meta };
              restore = () =>
                controller.apply({ rows: [['Issue', '7', row]], results: [] }, { origin: 'disk' });
            },
          },
        ],
      },
      () => gate.shut(),
      await filled(),
    );
    await act(async () => restore?.());
    shown = [];
    await open();
    expect(shown).toEqual(['Title 1', 'Title 1,From disk']);
  });

  it('a late part shows nothing that a reset has removed', async () => {
    const controller = await hydrate(
      late(<Watched of={() => useCache(getIssue, { id: '1' })?.title} name="late" />),
      {},
      () => gate.shut(),
      await filled(),
    );
    await act(() => controller.reset());
    shown = [];
    await open();
    expect(shown).not.toContain('Title 1');
    // React reports that the page is another than what it finds.
    trouble = [];
  });

  it('hydration releases the kept snapshot after a minute without hydration', async () => {
    const timers: { run: () => void; delay: number }[] = [];
    const schedule = (run: () => void, delay: number) => {
      const timer = { run, delay };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    };
    const quiet = () => {
      const [timer] = timers.splice(
        timers.findIndex(({ delay }) => delay === 60_000),
        1,
      );
      timer?.run();
    };
    const controller = await hydrate(<b />, { schedule }, undefined, await filled());
    const view = controller.view(getIssue, [{ id: '1' }]);
    rename(controller, 'Renamed');
    const read = () => (view.serverSnapshot().data as IssueWithAuthor).title;
    expect(read()).toBe('Title 1');
    quiet(); // read since the last one
    expect(read()).toBe('Title 1');
    quiet();
    quiet();
    expect(read()).toBe('Renamed');
    expect(timers.filter(({ delay }) => delay === 60_000)).toEqual([]);
  });
});

it('hydration stores data of the server on disk, for a page without a server to read', async () => {
  const lasting = getIssues.extend({ name: 'lasting', dataExpiryLength: Infinity });
  const unread = lasting.extend({ name: 'unread' });
  const server = new Controller();
  await server.fetch(unread);
  const Lasting = () => <p>{useSuspense(lasting)[0]?.title}</p>;
  const controller = await hydrate(
    <Suspense fallback="loading">
      <Lasting />
    </Suspense>,
    { plugins: [indexedDB({ name: 'hydrated' })] },
    undefined,
    server,
  );
  await act(async () => {
    await controller.flush();
    await controller.stop();
  });
  const later = new Controller({ plugins: [indexedDB({ name: 'hydrated', restore: 'lazy' })] });
  expect((await later.fetchIfStale(lasting)).map(({ author }) => author.name)).toEqual(['Ann']);
  expect(requests).toEqual([]);
  // It has not been read, so its rows are unknown: an empty result is better than a list without them.
  expect(await later.fetchIfStale(unread)).toHaveLength(1);
  expect(requests).toEqual(['list']);
  await later.stop();
});

it('hydration leaves reads that failed on the server to the page', async () => {
  let isServer = true;
  const failing = new Endpoint(
    async () => {
      requests.push('failing');
      if (isServer) throw Object.assign(new Error('server trouble'), { status: 500 });
      return 'Fine';
    },
    { name: 'failing' },
  );
  const Failing = () => <p>{useSuspense(failing)}</p>;
  const Loads = () => <p>{String(useDLE(failing).loading)}</p>;
  await hydrate(
    <>
      <Suspense fallback="loading">
        <Failing />
      </Suspense>
      <Loads />
    </>,
    {},
    () => {
      isServer = false;
    },
  );
  expect(text()).toBe('Finefalse');
  expect(requests).toEqual(['failing']);
  // React says that the server has left this boundary to it.
  expect(trouble).toHaveLength(1);
  trouble = [];
});

describe('a page that streams', () => {
  /** Appends what a server streams, as a browser does; scripts are not run. */
  function arrive(html: string): void {
    const part = document.createElement('template');
    part.innerHTML = html;
    document.body.append(part.content);
  }
  async function parts(controller: Controller, writes: (() => void)[]): Promise<string[]> {
    const page = new PassThrough({ encoding: 'utf8' });
    const writable = stateWritable(controller, page) as PassThrough & { flush(): void };
    const found: string[] = [];
    for (const write of writes) {
      write();
      writable.write('<hr>');
      writable.flush();
      let part = '';
      // From Node 26 on, it returns one chunk at a time.
      for (let chunk; (chunk = page.read() as string | null) !== null;) part += chunk;
      found.push(part);
    }
    return Promise.resolve(found);
  }
  const read = (state: DocumentReadyState) => {
    jest.spyOn(document, 'readyState', 'get').mockReturnValue(state);
    document.dispatchEvent(new Event('readystatechange'));
  };
  const turn = () => new Promise((next) => setImmediate(next));
  afterEach(() => {
    read('complete');
    document.body.replaceChildren();
  });
  const server = new Controller();
  const write = (id: string) => () =>
    server.setResponse(getIssue, { id }, { id, title: `Title ${id}`, author: { id: 'u', name: 'Ann' } });

  it('a streamed page starts with its first complete data, and adds the rest as it arrives', async () => {
    jest.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
    const [first, second] = await parts(new Controller(), [() => undefined]).then(async () =>
      parts(server, [write('1'), write('2')]),
    );
    const settled = jest.fn();
    const starting = streamedState();
    void starting.then(settled);
    await turn();
    expect(settled).not.toHaveBeenCalled();
    arrive(first!.replace('\n</script>', '</script>'));
    await turn();
    expect(settled).not.toHaveBeenCalled(); // it has come in part
    (document.querySelector('script')!.firstChild as Text).appendData('\n');
    const controller = new Controller({ initialState: await starting });
    expect(controller.get(IssueWithAuthor, { id: '1' })?.title).toBe('Title 1');
    expect(controller.get(IssueWithAuthor, { id: '2' })).toBeUndefined();

    rename(controller, 'Renamed');
    arrive(second!);
    await turn();
    expect(controller.get(IssueWithAuthor, { id: '2' })?.title).toBe('Title 2');
    expect(controller.get(IssueWithAuthor, { id: '1' })?.title).toBe('Renamed');
    const served = (id: string) =>
      (controller.queryView(IssueWithAuthor, [{ id }]).serverSnapshot() as IssueWithAuthor | undefined)
        ?.title;
    // What comes after the first part is for boundaries that hydrate after the rest of the page.
    expect([served('1'), served('2')]).toEqual(['Title 1', undefined]);
    act(() => {
      root = createRoot(container);
      root.render(<DataProvider controller={controller} />);
    });
    expect([served('1'), served('2')]).toEqual(['Title 1', 'Title 2']);
  });

  it('a streamed page begins with the rendered data, then uses newer data that arrived before it was sent', async () => {
    jest.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
    const author = (name: string, id: string) => (controller: Controller) =>
      controller.setResponse(getIssue, { id }, { id, title: `Title ${id}`, author: { id: 'u', name } });
    const rendering = new Controller();
    const [part] = await parts(rendering, [
      () => {
        author('Ann', '1')(rendering);
        rendering.view(getIssue, [{ id: '1' }]).serverSnapshot(); // as a hook does
        author('Anna', '2')(rendering);
      },
    ]);
    arrive(part!);
    const controller = new Controller({ initialState: await streamedState() });
    const served = controller.view(getIssue, [{ id: '1' }]).serverSnapshot().data as IssueWithAuthor;
    expect([served.title, served.author.name]).toEqual(['Title 1', 'Ann']);
    expect(controller.get(User, { id: 'u' })?.name).toBe('Anna');
  });

  it('a streamed page starts empty when there is no data', async () => {
    const state = await streamedState();
    expect(new Controller({ initialState: state }).getState().results.size).toBe(0);
  });

  it('a streamed page reports data that it cannot read, and continues without it', async () => {
    const script = (content: string) =>
      `<script type="application/json" data-holdfast-state>${content}\n</script>`;
    arrive(script('nonsense'));
    await expect(streamedState()).rejects.toThrow(/HF_INITIAL_STATE/);
    document.body.replaceChildren();

    const reported = jest.fn();
    globalThis.reportError = reported;
    const [first] = await parts(server, [write('1')]);
    arrive(`${first!}${script('nonsense')}`);
    const controller = new Controller({ initialState: await streamedState() });
    expect(controller.get(IssueWithAuthor, { id: '1' })?.title).toBe('Title 1');
    expect(reported).toHaveBeenCalledWith(expect.objectContaining({ code: 'HF_INITIAL_STATE' }));
  });

  it('a streamed page adds no data after a reset', async () => {
    jest.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
    const [first, second] = await parts(server, [write('1'), write('2')]);
    arrive(first!);
    const controller = new Controller({ initialState: await streamedState() });
    await controller.reset();
    arrive(second!);
    await turn();
    expect(controller.getState().results.size).toBe(0);
  });
});
