import { expect, it } from '@jest/globals';
import { Controller, deserialize, Endpoint, stateReadable } from 'holdfast';
import { DataProvider, useSuspense } from 'holdfast/react';
import { Suspense, version, type ReactElement } from 'react';
import { Held, settled } from '../../support/held.ts';
import { Story } from '../../support/entities.ts';

const SCRIPT = /<script type="application\/json" data-holdfast-state>([^<]*)\n<\/script>/g;

/** The renderer to web streams that runs outside browsers. */
const renderer = () =>
  version.startsWith('18') ? import('react-dom/server.browser') : import('react-dom/server.edge');

it(`React ${version}: a page of renderToReadableStream brings each boundary after its data, while the others wait`, async () => {
  const { renderToReadableStream } = await renderer();
  const held = new Held();
  const getStory = new Endpoint(({ id }: { readonly id: string }) => held.fetch(id), {
    name: 'getStory',
    schema: Story,
  });
  const StoryText = ({ id }: { readonly id: string }): ReactElement => (
    <p id={id}>{useSuspense(getStory, { id }).text}</p>
  );
  const controller = new Controller();
  const html = await renderToReadableStream(
    <DataProvider controller={controller}>
      <main>
        {['fast', 'slow'].map((id) => (
          <Suspense key={id} fallback={<i>waiting</i>}>
            <StoryText id={id} />
          </Suspense>
        ))}
      </main>
    </DataProvider>,
  );
  const reader = stateReadable(controller, html).getReader();
  const decoder = new TextDecoder();
  let page = '';
  const shows = async (text: string): Promise<void> => {
    while (!page.includes(text)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`The page has ended without ${text}`);
      page += decoder.decode(value, { stream: true });
    }
  };

  await shows('\n</script>');
  expect(page).toContain('waiting');
  held.call(0).resolve({ id: 'fast', text: 'Fast!' });
  await shows('Fast!</p>');
  await settled();
  // That the server waits for it is said, and no more.
  expect(page.replaceAll(SCRIPT, '')).not.toContain('slow');
  held.call(1).resolve({ id: 'slow', text: 'Slow!' });
  await shows('Slow!</p>');
  for (let next = await reader.read(); !next.done; next = await reader.read())
    page += decoder.decode(next.value, { stream: true });

  const scripts = [...page.matchAll(SCRIPT)].map(([, text]) => text ?? '');
  expect(scripts.map((text) => ['fast', 'slow'].filter((id) => text.includes(`"${id}"`)))).toEqual([
    [],
    ['fast'],
    ['slow'],
  ]);
  for (const id of ['fast', 'slow'])
    expect(page.indexOf(`"${id}"`)).toBeLessThan(page.indexOf(`<p id="${id}">`));
  expect(held.calls).toHaveLength(2);
  const hydrated = new Controller({ initialState: deserialize(scripts[1]!) });
  expect(hydrated.getResponse(getStory, { id: 'fast' }).data?.text).toBe('Fast!');
});
