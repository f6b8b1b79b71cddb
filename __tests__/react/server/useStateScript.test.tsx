import { expect, it } from '@jest/globals';
import { Controller, deserialize, Endpoint, serialize } from 'holdfast';
import { DataProvider, HydrateState, useStateScript, useSuspense } from 'holdfast/react';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Suspense, type ReactElement, type ReactNode } from 'react';
import { renderToPipeableStream, renderToStaticMarkup, renderToString } from 'react-dom/server';
import { Held } from '../../support/held.ts';
import { Story } from '../../support/entities.ts';

let held = new Held();
const getStory = new Endpoint(({ id }: { readonly id: string }) => held.fetch(id), {
  name: 'getStory',
  schema: Story,
});
const StoryText = ({ id }: { readonly id: string }): ReactElement => (
  <p>{useSuspense(getStory, { id }).text}</p>
);

/** What a framework that streams the page inserts before its next part. */
let insert: () => ReactNode = () => null;
const insertion = (): string => renderToStaticMarkup(insert());
function Inserting({ children }: { readonly children: ReactNode }): ReactNode {
  insert = useStateScript();
  return children;
}

/** The texts of the elements in some HTML. */
const texts = (html: string) =>
  [...html.matchAll(/<script type="application\/json" data-holdfast-state="">([^<]*)\n<\/script>/g)].map(
    ([, text = '']) => text,
  );
const titleIn = (text: string | undefined, id: string) =>
  new Controller({ initialState: deserialize(text ?? '') }).get(Story, { id })?.text;

it('useStateScript renders what was fetched since its last call, first what the server still waits for', async () => {
  held = new Held();
  const stream = new PassThrough();
  let html = '';
  stream.on('data', (chunk: Buffer) => (html += chunk.toString()));
  await new Promise<void>((resolve) => {
    const { pipe } = renderToPipeableStream(
      <DataProvider create={() => new Controller()}>
        <Inserting>
          <Suspense fallback="waiting">
            <StoryText id="1" />
          </Suspense>
        </Inserting>
      </DataProvider>,
      {
        onShellReady: () => {
          pipe(stream);
          resolve();
        },
      },
    );
  });
  const [first] = texts(insertion());
  expect(JSON.parse(first ?? '')).toMatchObject({
    tables: [],
    results: [],
    pending: [getStory.key({ id: '1' })],
  });
  expect(insertion()).toBe('');
  held.call(0).resolve({ id: '1', text: '</script><b>Kelp' });
  await once(stream, 'end');
  expect(html).toContain('Kelp');
  const [second] = texts(insertion());
  expect(titleIn(second, '1')).toBe('</script><b>Kelp');
  expect(insertion()).toBe('');
});

it('HydrateState on a server gives its children the data, without a request', async () => {
  held = new Held();
  const fetching = new Controller();
  const fetched = fetching.fetch(getStory, { id: '1' });
  held.call(0).resolve({ id: '1', text: 'Moss' });
  await fetched;
  const stream = new PassThrough();
  let html = '';
  stream.on('data', (chunk: Buffer) => (html += chunk.toString()));
  const { pipe } = renderToPipeableStream(
    <DataProvider create={() => new Controller()}>
      <HydrateState state={serialize(fetching)}>
        <StoryText id="1" />
      </HydrateState>
    </DataProvider>,
    { onShellReady: () => pipe(stream) },
  );
  await once(stream, 'end');
  expect(html).toBe('<p>Moss</p>');
  expect(held.calls).toHaveLength(1);
});

it('rendering stored data on a server reads no clock, so that a framework can prerender it', async () => {
  held = new Held();
  const fetching = new Controller();
  const fetched = fetching.fetch(getStory, { id: '1' });
  held.call(0).resolve({ id: '1', text: 'Fern' });
  await fetched;
  const create = (): Controller =>
    new Controller({
      now: () => {
        throw new Error('The clock was read');
      },
    });
  const html = renderToString(
    <DataProvider create={create}>
      <Inserting>
        <HydrateState state={serialize(fetching)}>
          <StoryText id="1" />
        </HydrateState>
      </Inserting>
    </DataProvider>,
  );
  expect(html).toBe('<p>Fern</p>');
});
