/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, waitFor } from '@testing-library/react';
import { All, Endpoint, Entity, Query } from 'holdfast';
import { useCache, useDLE, useQuery, useSuspense } from 'holdfast/react';
import { Suspense, useState, version, type ReactElement, type ReactNode } from 'react';
import { Held } from '../../support/held.ts';
import { StreamedPage } from './StreamedPage.tsx';
import { User } from '../../support/entities.ts';

class StoryWithAuthor extends Entity {
  id = '';
  text = '';
  author = User.fromJS();
  static override key = 'Story';
  static override schema = { author: User };
}
const authors = new Query(new All(User), (users) => users.at(0)?.name);

let held = new Held();
const getStory = new Endpoint((args: { readonly id: string }) => held.fetch(args), {
  name: 'getStory',
  schema: StoryWithAuthor,
});
/** The stories that server and page have requested. */
const requests = (): string => held.calls.map(idOf).join(' ');
const idOf = ({ args }: Held['calls'][number]): string => (args[0] as { id: string }).id; // as getStory was called
const call = (id: string) => held.calls.findLast((made) => idOf(made) === id)!;
const answer = (id: string, name = 'Ann') =>
  call(id).resolve({ id, text: `Story ${id}`, author: { id: 'u', name } });

function Told({ id, children }: { id: string; children?: ReactNode }): ReactElement {
  const { text, author } = useSuspense(getStory, { id });
  return (
    <div>
      {text} by {author.name};{children}
    </div>
  );
}
const Part = ({ id, children }: { id: string; children?: ReactNode }) => (
  <Suspense fallback={`[${id}]`}>
    <Told id={id}>{children}</Told>
  </Suspense>
);
const TWO = (
  <>
    <Part id="a" />
    <Part id="b" />
  </>
);

let page: StreamedPage;
/** What React has found amiss, and reported to the console. */
let reported: string[] = [];

/** React 18 reports that it renders a part in the browser that was updated before it arrived. */
const forgetUpdates = (): void => {
  if (version.startsWith('18')) expect(page.trouble.splice(0).join()).toMatch(/received an update/);
};

/** Begins to stream, as far as the data of the first part. */
async function stream(app: ReactNode): Promise<void> {
  page = new StreamedPage(app);
  await page.arrives('\n</script>');
}

beforeEach(() => {
  held = new Held();
  reported = [];
  jest.spyOn(console, 'error').mockImplementation((...args: unknown[]) => {
    const message = args.map(String).join(' ');
    // A server has a realm of its own; here both renderers are in one.
    if (!message.includes('multiple renderers')) reported.push(message);
  });
});
afterEach(() => {
  page.close();
  jest.restoreAllMocks();
});

describe(`React ${version}: a page that streams in several parts`, () => {
  afterEach(() => {
    expect(page.trouble).toEqual([]);
    expect(reported).toEqual([]);
  });

  it('a page hydrates its shell first, and then its parts as they arrive, out of order', async () => {
    await stream(TWO);
    await page.hydrates();
    expect(page.text).toBe('[a][b]');
    answer('b');
    await page.arrives('Story b<');
    await page.shows('[a]Story b by Ann;');
    answer('a');
    await page.arrives();
    await page.shows('Story a by Ann;Story b by Ann;');
    expect(requests()).toBe('a b');
    await act(async () => page.controller.set(User, { id: 'u' }, { name: 'Bob' }));
    await page.shows('Story a by Bob;Story b by Bob;');
  });

  const NESTED = (
    <Part id="a">
      <Part id="b" />
    </Part>
  );
  describe.each([
    ['beside each other', TWO],
    ['one in the other', NESTED],
  ])('two parts, %s, of which the later has a newer version of an entity in the earlier', (_, app) => {
    it('both parts are written from the first version, and show the newer once they have hydrated', async () => {
      await stream(app);
      answer('a', 'Ann');
      await page.arrives('Story a<');
      await page.shows('Story a by Ann;[b]');
      answer('b', 'Anna');
      await page.arrives();
      await page.shows('Story a by Ann;Story b by Ann;');
      await page.hydrates();
      await page.shows('Story a by Anna;Story b by Anna;');
      expect(requests()).toBe('a b');
    });

    it('parts hydrate as they arrive', async () => {
      await stream(app);
      await page.hydrates();
      answer('a', 'Ann');
      await page.arrives('Story a<');
      answer('b', 'Anna');
      await page.arrives();
      await page.shows('Story a by Anna;Story b by Anna;');
      expect(requests()).toBe('a b');
    });
  });

  it('the user’s change is kept when a later part contains older data of the server', async () => {
    await stream(TWO);
    answer('a', 'Ann');
    await page.arrives('Story a<');
    await page.hydrates();
    await page.shows('Story a by Ann;[b]');
    await act(async () => page.controller.set(User, { id: 'u' }, { name: 'Bob' }));
    await page.shows('Story a by Bob;[b]');
    answer('b', 'Ann');
    await page.arrives();
    await page.shows('Story a by Bob;Story b by Bob;');
    expect(requests()).toBe('a b');
  });

  it('a part that renders again does not request what the server is waiting for', async () => {
    let rerender: () => void = () => undefined;
    function Shell(): ReactElement {
      const [count, setCount] = useState(0);
      rerender = () => setCount(count + 1);
      return (
        <>
          {count}
          <Part id="a" />
        </>
      );
    }
    await stream(<Shell />);
    await page.hydrates();
    await act(async () => rerender());
    await page.shows('1[a]');
    answer('a');
    await page.arrives();
    await page.shows('1Story a by Ann;');
    expect(requests()).toBe('a');
    forgetUpdates();
  });

  it('a shell that reads the same data does not request what the server is waiting for', async () => {
    const Shell = () => {
      const { data, loading } = useDLE(getStory, { id: 'a' });
      return (
        <>
          {loading ? 'loading' : data?.text}
          <Part id="a" />
        </>
      );
    };
    await stream(<Shell />);
    await page.hydrates();
    expect(page.text).toBe('loading[a]');
    answer('a');
    await page.arrives();
    await page.shows('Story aStory a by Ann;');
    expect(requests()).toBe('a');
    forgetUpdates();
  });

  it.each([
    ['useCache', () => useCache(getStory, { id: 'a' })?.author.name ?? 'nobody'],
    ['useDLE', () => useDLE(getStory, { id: 'a' }).data?.author.name ?? 'nobody'],
    ['useQuery', () => useQuery(authors) ?? 'nobody'],
  ])('a shell written without data hydrates after later parts: %s', async (_, name) => {
    const Shell = () => (
      <>
        {name()}: {TWO}
      </>
    );
    await stream(<Shell />);
    answer('a');
    await page.arrives('Story a<');
    await page.shows('nobody: Story a by Ann;[b]');
    await page.hydrates();
    await page.shows('Ann: Story a by Ann;[b]');
    answer('b');
    await page.arrives();
    await page.shows('Ann: Story a by Ann;Story b by Ann;');
    expect(requests()).toBe('a b');
  });
});

describe(`React ${version}: a part missing from the stream`, () => {
  // React says that the server has left the part to it.
  afterEach(() => {
    expect(page.trouble).toHaveLength(1);
    expect(reported).toEqual([]);
  });

  it('a part whose read failed on the server is requested once by the page', async () => {
    await stream(TWO);
    await page.hydrates();
    call('b').reject(Object.assign(new Error('out of order'), { status: 500 }));
    await page.arrives('$RX(');
    await waitFor(() => expect(requests()).toBe('a b b'));
    answer('b');
    await page.shows('[a]Story b by Ann;');
    answer('a');
    await page.arrives();
    await page.shows('Story a by Ann;Story b by Ann;');
    expect(requests()).toBe('a b b');
  });

  it('a part that the server gave up is requested by the page', async () => {
    await stream(TWO);
    answer('a');
    await page.arrives('Story a<');
    await page.hydrates();
    page.abort();
    await page.arrives();
    await waitFor(() => expect(requests()).toBe('a b b'));
    answer('b');
    await page.shows('Story a by Ann;Story b by Ann;');
  });
});
