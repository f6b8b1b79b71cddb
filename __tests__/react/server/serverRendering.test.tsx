import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Endpoint, stateReadable, stateWritable } from 'holdfast';
import { AsyncBoundary, DataProvider, useCache, useSuspense } from 'holdfast/react';
import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { Suspense, version, type ReactElement } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { Story } from '../../support/entities.ts';

let requests: string[] = [];
/** An answer that the test gives when it likes. */
class Answer {
  resolve!: (text: string) => void;
  reject!: (error: Error) => void;
  readonly promise = new Promise<string>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}
let answers = new Map<string, Answer>();
const answer = (id: string): Answer => {
  const found = answers.get(id) ?? new Answer();
  answers.set(id, found);
  return found;
};
const getStory = new Endpoint(
  async ({ id }: { id: string }) => {
    requests.push(id);
    return { id, text: await answer(id).promise };
  },
  { name: 'getStory', schema: Story },
);

function StoryText({ id }: { id: string }): ReactElement {
  return <p id={id}>{useSuspense(getStory, { id }).text}</p>;
}

interface PageProps {
  readonly controller: Controller;
  readonly ids: readonly string[];
  readonly title?: string;
}
function Page({ controller, ids, title }: PageProps): ReactElement {
  return (
    <DataProvider controller={controller}>
      <main title={title}>
        {ids.map((id) => (
          <Suspense key={id} fallback={<i>waiting for {id}</i>}>
            <StoryText id={id} />
          </Suspense>
        ))}
      </main>
    </DataProvider>
  );
}

const SCRIPT = /<script type="application\/json" data-holdfast-state>([^<]*)\n<\/script>/g;
const withoutState = (html: string) => html.replaceAll(SCRIPT, '');
const stories = (html: string) =>
  [...html.matchAll(SCRIPT)].map(([, text]) => {
    const { tables } = JSON.parse(text ?? '') as { tables: [string, [string][]][] };
    return tables.flatMap(([, rows]) => rows.map(([pk]) => pk));
  });

/** A client that shows what has come so far, and may read slowly. */
class Client extends Writable {
  html = '';
  #more: (() => void)[] = [];

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.html += chunk.toString();
    for (const tell of this.#more.splice(0)) tell();
    setImmediate(done);
  }

  async shows(text: string): Promise<void> {
    while (!this.html.includes(text)) await new Promise<void>((tell) => this.#more.push(tell));
  }
}

beforeEach(() => {
  requests = [];
  answers = new Map();
});

describe(`React ${version}: a page streamed to Node`, () => {
  it('the stream contains each boundary after its data, while the others wait', async () => {
    const controller = new Controller();
    const client = new Client();
    const { pipe } = renderToPipeableStream(<Page controller={controller} ids={['fast', 'slow']} />, {
      onShellReady: () => pipe(stateWritable(controller, client)),
    });
    await client.shows('\n</script>');
    expect(client.html).toContain('waiting for <!-- -->slow');
    expect(stories(client.html)).toEqual([[]]);
    answer('fast').resolve('Fast!');
    await client.shows('Fast!');
    expect(client.html).not.toContain('Slow!');
    expect(requests).toEqual(['fast', 'slow']);
    answer('slow').resolve('Slow!');
    await once(client, 'finish');
    expect(stories(client.html)).toEqual([[], ['fast'], ['slow']]);
    for (const id of ['fast', 'slow']) {
      const data = client.html.indexOf(`"${id}"`);
      expect(data).toBeGreaterThan(0);
      expect(data).toBeLessThan(client.html.indexOf(`<p id="${id}">`));
    }
  });

  it('the stream keeps the HTML of React unchanged, whatever its size and however slowly it is read', async () => {
    const controller = new Controller();
    const client = new Client({ highWaterMark: 16 });
    const ids = ['a', 'b', 'c', 'd', 'e'];
    let written = '';
    let refused = 0;
    const recorded = (writable: Client): Client =>
      new Proxy(writable, {
        get(target, name) {
          if (name !== 'write') return Reflect.get(target, name) as unknown;
          return (chunk: string | Uint8Array) => {
            written += Buffer.from(chunk as string).toString(); // either kind
            const hasRoom = target.write(chunk);
            if (!hasRoom) refused += 1;
            return hasRoom;
          };
        },
      });
    const { pipe } = renderToPipeableStream(
      <Page controller={controller} ids={ids} title={'long '.repeat(2_000)} />,
      {
        onShellReady: () => pipe(recorded(stateWritable(controller, client))),
      },
    );
    for (const id of ids) {
      answer(id).resolve(`${id} `.repeat(20_000));
      await new Promise((next) => setImmediate(next));
    }
    await once(client, 'finish');
    expect(withoutState(client.html)).toBe(written);
    expect(written.length).toBeGreaterThan(200_000);
    expect(refused).toBeGreaterThan(0);
    expect(stories(client.html).flat().sort()).toEqual(ids);
    for (const { index } of client.html.matchAll(SCRIPT)) expect(client.html[index - 1]).toBe('>');
  });

  it('the stream contains the fallback of a read that fails, and continues', async () => {
    const controller = new Controller();
    const client = new Client();
    const errors: unknown[] = [];
    const { pipe } = renderToPipeableStream(<Page controller={controller} ids={['bad', 'good']} />, {
      onShellReady: () => pipe(stateWritable(controller, client)),
      onError: (error) => void errors.push(error),
    });
    await client.shows('waiting for');
    answer('bad').reject(Object.assign(new Error('no such story'), { status: 404 }));
    answer('good').resolve('Good!');
    await once(client, 'finish');
    expect(errors).toEqual([expect.objectContaining({ message: 'no such story' })]);
    expect(client.html).toContain('waiting for <!-- -->bad');
    expect(client.html).toContain('Good!');
    expect(stories(client.html).flat()).toEqual(['good']);
    expect([...client.html.matchAll(SCRIPT)].join()).not.toContain('no such story');
  });

  it('the stream stops when the client disconnects', async () => {
    const controller = new Controller();
    const client = new Client();
    const { pipe } = renderToPipeableStream(<Page controller={controller} ids={['never']} />, {
      onShellReady: () => pipe(stateWritable(controller, client)),
      onError: () => undefined,
    });
    await client.shows('waiting for');
    const before = client.html;
    client.destroy();
    await once(client, 'close');
    answer('never').resolve('Too late');
    await controller.fetch(getStory, { id: 'never' });
    expect(client.html).toBe(before);
  });

  it('the stream ends the page without data that cannot be serialized', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const controller = new Controller();
    controller.setResponse(new Endpoint(async () => 1, { name: 'odd' }), Symbol('odd'));
    const client = new Client();
    const { pipe } = renderToPipeableStream(<Page controller={controller} ids={[]} />, {
      onShellReady: () => pipe(stateWritable(controller, client)),
    });
    await once(client, 'finish');
    expect(withoutState(client.html)).toBe('<main></main>');
    warn.mockRestore();
  });

  it('the stream passes everything else on to the response', async () => {
    const response = new PassThrough();
    const writable = stateWritable(new Controller(), response);
    let ends = 0;
    writable.on('end', () => (ends += 1));
    writable.setMaxListeners(77);
    // Through a method of the response that is no arrow function, with the response as its `this`.
    writable.once('drain', () => undefined);
    expect(response.listenerCount('drain')).toBe(1);
    writable.emit('drain');
    expect(response.listenerCount('drain')).toBe(0);
    expect(Object.keys(writable)).toEqual(Object.keys(response));
    expect(response.getMaxListeners()).toBe(77);
    expect(writable.writableHighWaterMark).toBe(response.writableHighWaterMark);
    writable.write('<p>');
    writable.end();
    response.resume();
    await once(response, 'end');
    expect(ends).toBe(1);
  });
});

describe('a page streamed to the web', () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  async function read(stream: ReadableStream<Uint8Array>, told: (html: string) => void = () => undefined) {
    let html = '';
    const decoder = new TextDecoder();
    for await (const chunk of stream) told((html += decoder.decode(chunk, { stream: true })));
    return html;
  }

  it('a page streamed to the web has data only between what was written at once, though one reads slowly', async () => {
    const controller = new Controller();
    const parts = [
      ['<main', '><i></i></m', 'ain>'],
      ['<div hi', 'dden>ü', '</div>', '<script>', '</script>'],
    ];
    let push: ((texts: string[]) => void) | undefined;
    let close: (() => void) | undefined;
    const html = new ReadableStream<Uint8Array>(
      {
        type: 'bytes',
        start(out) {
          push = (texts) => {
            for (const text of texts) out.enqueue(encode(text));
          };
          close = () => out.close();
        },
      },
      { highWaterMark: 0 },
    );
    const seen: string[] = [];
    const reading = read(stateReadable(controller, html), (part) => void seen.push(part));
    push?.(parts[0]!);
    while (!seen.join('').includes('data-holdfast-state')) await new Promise((next) => setTimeout(next));
    controller.setResponse(getStory, { id: 'x' }, { id: 'x', text: 'X' });
    push?.(parts[1]!);
    close?.();
    const page = await reading;
    expect(withoutState(page)).toBe(parts.flat().join(''));
    expect(page.startsWith(`${parts[0]!.join('')}<script type="application/json"`)).toBe(true);
    expect(page.endsWith(`</script>${parts[1]!.join('')}`)).toBe(true);
    expect(stories(page)).toEqual([[], ['x']]);
  });

  it('a page streamed to the web is cancelled with its reader, and fails with its source', async () => {
    let cancelled: unknown;
    const endless = new ReadableStream<Uint8Array>({ cancel: (reason) => void (cancelled = reason) });
    await stateReadable(new Controller(), endless).cancel('gone');
    expect(cancelled).toBe('gone');
    const failing = new ReadableStream<Uint8Array>({ start: (out) => out.error(new Error('render failed')) });
    await expect(read(stateReadable(new Controller(), failing))).rejects.toThrow('render failed');
  });
});

it('server rendering reads stored data without a request', async () => {
  function Shown(): ReactElement {
    return <p>{useCache(getStory, { id: '1' })?.text ?? 'nothing'}</p>;
  }
  const controller = new Controller();
  controller.setResponse(getStory, { id: '1' }, { id: '1', text: 'One' });
  const client = new Client();
  const { pipe } = renderToPipeableStream(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…">
        <Shown />
      </AsyncBoundary>
    </DataProvider>,
    { onAllReady: () => pipe(client) },
  );
  await once(client, 'finish');
  expect(client.html).toContain('<p>One</p>');
  expect(requests).toEqual([]);
});
