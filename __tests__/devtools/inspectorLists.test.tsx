/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import '@testing-library/react/dont-cleanup-after-each';
import { act, cleanup, fireEvent, within } from '@testing-library/react';
import { Controller, createResource, Entity, RestEndpoint } from 'holdfast';
import { devtoolsInProduction } from 'holdfast/devtools';
import { useCache, useDLE } from 'holdfast/react';
import { hosts, open, press, pressKey, search, showInspector, until, type Shown } from './shownInspector.tsx';
import { Author } from '../support/entities.ts';

class ArticleWithBody extends Entity {
  id = '';
  title = '';
  body = '';
  author: Author | undefined = undefined;
  static override key = 'Article';
  static override schema = { author: Author };
}

const { get, getList } = createResource({
  path: '/articles/:id',
  schema: ArticleWithBody,
  dataExpiryLength: 30_000,
});
const getAuthor = createResource({ path: '/authors/:id', schema: Author }).get;
/** Never answered. */
const getSlowly = new RestEndpoint({ path: '/slow', fetchResponse: () => new Promise(() => undefined) });

const ada = { id: '1', name: 'Ada' };

let now: number;
let controller: Controller;

beforeEach(() => {
  now = 1_000_000;
  sessionStorage.clear();
  localStorage.clear();
  controller = new Controller({ plugins: [devtoolsInProduction()], now: () => now });
  controller.setResponse(get, { id: 'b' }, { id: 'b', title: 'Kelp', body: 'x'.repeat(1_000), author: ada });
  now += 1_000;
  controller.setResponse(getList, [{ id: 'a', title: 'Urchins', author: ada }]);
  now += 1_000;
  controller.setResponse(getAuthor, { id: '1' }, ada);
});
afterEach(async () => {
  await act(async () => cleanup());
  await controller.stop();
});

function App() {
  useDLE(getSlowly);
  return <p>{useCache(get, { id: 'b' })?.title}</p>;
}

/** Reads what only a list has brought. */
function Titles() {
  return <p>{useCache(get, { id: 'a' })?.title}</p>;
}

const show = async (tab?: string) => {
  const { inspector } = await showInspector(controller, <App />);
  await open(inspector, tab);
  return inspector;
};

const listed = (inspector: Shown, list = 'Results') =>
  within(inspector.getByRole('list', { name: list })).getAllByRole('button');
const keys = (inspector: Shown) =>
  listed(inspector).map((item) => item.querySelector('.key')?.textContent.replace('GET ', ''));

describe('the inspector’s lists', () => {
  it('the inspector counts results by kind, and shows one kind alone', async () => {
    const inspector = await show();
    const counts = within(inspector.getByRole('group', { name: 'Show only' }));
    expect(counts.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'On screen 2',
      'Off screen 2',
      'Loading 1',
      'Fresh 3',
      'Stale 0',
      'Invalid 0',
      'Error 0',
    ]);
    await press(inspector, 'Loading 1');
    expect(keys(inspector)).toEqual(['/slow']);
    await press(inspector, 'Loading 1');
    expect(keys(inspector)).toHaveLength(4);
  });

  it('the inspector says that a read without a result is answered by rows', async () => {
    const { inspector } = await showInspector(controller, <Titles />);
    await open(inspector);
    expect(inspector.getByRole('button', { name: /GET \/articles\/a/ }).textContent).toContain('from rows');
  });

  it('the inspector sorts lists in both directions', async () => {
    const inspector = await show();
    expect(keys(inspector)).toEqual(['/slow', '/articles/b', '/authors/1', '/articles']);
    const sortBy = (order: string) =>
      act(
        async () => void fireEvent.change(inspector.getByLabelText('Sort by'), { target: { value: order } }),
      );
    await sortBy('received');
    expect(keys(inspector)).toEqual(['/slow', '/authors/1', '/articles', '/articles/b']);
    await sortBy('expiry');
    expect(keys(inspector)).toEqual(['/slow', '/articles/b', '/articles', '/authors/1']);
    await sortBy('key');
    await press(inspector, 'The other way round');
    expect(keys(inspector)).toEqual(['/slow', '/authors/1', '/articles/b', '/articles']);
  });

  it('a list is one stop of the Tab key, and arrow keys move in it', async () => {
    const inspector = await show();
    const stops = () => listed(inspector).map(({ tabIndex }) => tabIndex);
    expect(stops()).toEqual([0, -1, -1, -1]);
    await act(async () => listed(inspector)[0]?.focus());
    await pressKey(inspector, 'Results', 'ArrowDown');
    expect(stops()).toEqual([-1, 0, -1, -1]);
    // Nothing is shown in full until something has been chosen; then that follows.
    expect(inspector.queryByText('Data as read')).toBeNull();
    await act(async () => listed(inspector)[1]?.click());
    await pressKey(inspector, 'Results', 'End');
    expect(listed(inspector).map((item) => item.getAttribute('aria-pressed'))).toEqual([
      'false',
      'false',
      'false',
      'true',
    ]);
  });

  it('lists are as they were after a change of tab, and after a reload', async () => {
    const inspector = await show();
    await search(inspector, 'Search keys', 'articles');
    await act(async () => listed(inspector)[1]?.click());
    const isLeft = (shown: Shown) => {
      expect(keys(shown)).toEqual(['/articles/b', '/articles']);
      expect(listed(shown)[1]?.getAttribute('aria-pressed')).toBe('true');
    };
    await act(async () => inspector.getByRole('tab', { name: /Rows/ }).click());
    await act(async () => inspector.getByRole('tab', { name: /Results/ }).click());
    isLeft(inspector);
    await act(async () => cleanup());
    await until(() => hosts().length === 0);
    const again = await showInspector(controller, <App />);
    isLeft(again.inspector);
  });

  it('the inspector shows where a row is on screen', async () => {
    controller.setResponse(getAuthor, { id: '2' }, { id: '2', name: 'Grace' });
    const inspector = await show('Rows');
    await act(
      async () => void fireEvent.change(inspector.getByLabelText('Table'), { target: { value: 'Author' } }),
    );
    await press(inspector, /Ada/);
    const part = inspector.getByText('On screen as part of').closest('section');
    expect([...(part?.querySelectorAll('.key') ?? [])].map(({ textContent }) => textContent)).toEqual([
      'GET /articles/b',
    ]);
    await press(inspector, /Grace/);
    expect(inspector.queryByText('On screen as part of')).toBeNull();
  });

  it('the inspector shows how many rows a commit added and changed', async () => {
    controller.setResponse(getList, [
      { id: 'a', title: 'Sea urchins', author: ada },
      { id: 'c', title: 'Crabs', author: ada },
    ]);
    const inspector = await show('Commits');
    const [newest] = listed(inspector, 'Commits');
    expect(newest?.textContent).toMatch(/\+1.*~\d.*↻/);
    await search(inspector, 'Search commits', 'author');
    expect(listed(inspector, 'Commits')).toHaveLength(1);
  });
});

describe('the inspector’s commits', () => {
  it('the inspector shows the changed members at every depth', async () => {
    const getPage = new RestEndpoint({ path: '/page', schema: undefined });
    controller.setResponse(getPage, { total: 216, page: { size: 25, order: 'newest' } });
    controller.setResponse(getPage, { total: 215, page: { size: 25, order: 'oldest' } });
    const inspector = await show('Commits');
    await act(async () => listed(inspector, 'Commits')[0]?.click());
    const terms = [...(inspector.getByText('value.total').closest('dl')?.querySelectorAll('dt') ?? [])];
    expect(terms.map(({ parentElement }) => parentElement?.textContent)).toEqual([
      'value.total216 → 215',
      'value.page.order“newest” → “oldest”',
    ]);
  });
});

describe('the inspector’s data', () => {
  it('the inspector’s data is a tree whose closed branches say what they hold', async () => {
    const inspector = await show();
    await press(inspector, /GET \/articles\/b/);
    const author = inspector.getByText('author').closest('button');
    expect(author?.textContent).toBe('author: Author {2}  id: “1”  name: “Ada”');
    expect(inspector.queryByText('name')).toBeNull();
    await act(async () => author?.click());
    expect(inspector.getByText('name')).toBeTruthy();
  });

  it('the inspector shortens a long text, and shows all of it when asked', async () => {
    const inspector = await show();
    await press(inspector, /GET \/articles\/b/);
    expect(inspector.getByText(/^“x+…”$/).textContent).toHaveLength(403);
    await press(inspector, 'all 1,000 characters');
    expect(inspector.getByText(/^“x+”$/).textContent).toHaveLength(1_002);
  });

  it('the inspector’s data is searched by names and values, however deep', async () => {
    const inspector = await show();
    await press(inspector, /GET \/articles\/b/);
    await search(inspector, 'Search data', 'ADA');
    expect(inspector.getByText('author.name').closest('.leaf')?.textContent).toBe('author.name: “Ada”');
    await search(inspector, 'Search data', 'nowhere');
    inspector.getByText('Nothing in it has this.');
  });
});

describe('the inspector’s place', () => {
  it('the inspector’s place is at the bottom or the right, light or dark, also in the next browser tab', async () => {
    const inspector = await show();
    expect(document.body.style.paddingBottom).toBe('440px');
    await press(inspector, 'Move to the right');
    expect(document.body.style.paddingBottom).toBe('');
    expect(document.body.style.paddingRight).toBe('560px');
    await press(inspector, 'Theme: system');
    await act(async () => cleanup());
    await until(() => hosts().length === 0);
    expect(document.body.style.paddingRight).toBe('');
    sessionStorage.clear();
    const { inspector: next } = await showInspector(controller, <App />);
    await open(next);
    next.getByRole('button', { name: 'Theme: light' });
    expect(
      next.getByRole('separator', { name: 'Width of the inspector' }).getAttribute('aria-valuenow'),
    ).toBe('560');
  });
});

describe('the list of mutations', () => {
  it('the list of mutations shows the first hundred, and more on request', async () => {
    const entry = { name: 'create', args: [], status: 'queued', createdAt: 0, attempts: 0, retryAt: 0 };
    const entries = Array.from({ length: 150 }, (_, at) => ({ ...entry, key: String(at) }));
    const state = { entries };
    const queue = {
      name: 'outbox',
      status: { get: () => state, subscribe: () => () => undefined },
      drain: () => Promise.resolve(true),
    };
    await controller.stop();
    controller = new Controller({ plugins: [devtoolsInProduction(), queue] });
    const { inspector } = await showInspector(controller, null);
    await open(inspector, 'Outbox');
    const items = () => within(inspector.getByRole('list', { name: 'Mutations' })).getAllByRole('button');
    expect(items()).toHaveLength(100);
    await press(inspector, 'Show more');
    expect(items()).toHaveLength(150);
  });
});
