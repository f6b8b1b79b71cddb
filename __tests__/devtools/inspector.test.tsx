/** @jest-environment jest-fixed-jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import '@testing-library/react/dont-cleanup-after-each';
import { act, cleanup, within } from '@testing-library/react';
import { Controller, createResource, Endpoint } from 'holdfast';
import { devtoolsInProduction, type InspectorOptions } from 'holdfast/devtools';
import { useCache } from 'holdfast/react';
import { classOf, jsonOf } from '../../plugins/devtools/inspector/data/values.ts';
import { frame, hosts, open, press, search, showInspector, until } from './shownInspector.tsx';
import { Article } from '../support/entities.ts';

const { get, getList } = createResource({ path: '/articles/:id', schema: Article, dataExpiryLength: 30_000 });

let now: number;
let controller: Controller;
const tools = () => controller.plugins[0] as ReturnType<typeof devtoolsInProduction>; // made so below

beforeEach(() => {
  now = 1_000_000;
  sessionStorage.clear();
  localStorage.clear();
  controller = new Controller({ plugins: [devtoolsInProduction()], now: () => now });
  controller.setResponse(getList, [
    { id: '1', title: 'Kelp' },
    { id: '2', title: 'Urchins' },
  ]);
  controller.setResponse(get, { id: '1' }, { id: '1', title: 'Kelp' });
});
afterEach(async () => {
  await act(async () => cleanup());
  await controller.stop();
});

function Title() {
  return <p>{useCache(get, { id: '1' })?.title}</p>;
}

const show = (options: InspectorOptions = {}, of = controller) => showInspector(of, <Title />, options);

describe('<Inspector />', () => {
  it('the inspector is mounted once, also in Strict Mode, and unmounted with its component', async () => {
    const { unmount, inspector } = await show();
    inspector.getByRole('button', { name: 'Open the Holdfast inspector' });
    await act(async () => unmount());
    await until(() => hosts().length === 0);
  });

  it('the inspector lists results with their remaining freshness', async () => {
    const { inspector } = await show();
    await open(inspector);
    const item = inspector.getByRole('button', { name: /GET \/articles\/1/ });
    expect(item.textContent).toContain('30 s');
    expect(item.textContent).toContain('1 reader on screen');
    expect(inspector.getByRole('button', { name: 'GET /articles 30 s' })).toBeTruthy();
    now += 10_000;
    await act(async () => controller.set(Article, { id: '2' }, { title: 'Sea urchins' }));
    await until(() => item.textContent.includes('20 s'));
    now += 30_000;
    await act(async () => controller.set(Article, { id: '2' }, { title: 'Urchins' }));
    await until(() => item.textContent.includes('stale'));
  });

  it('the inspector expires and invalidates one result, or all', async () => {
    const { inspector } = await show();
    await open(inspector);
    await press(inspector, /GET \/articles\/1/);
    await press(inspector, 'Expire');
    expect(controller.getResponse(get, { id: '1' }).expiresAt).toBeLessThanOrEqual(now);
    expect(controller.getResponse(getList).expiresAt).toBeGreaterThan(now);
    await press(inspector, 'Invalidate');
    expect(controller.getResponse(get, { id: '1' }).data).toBeUndefined();
    await press(inspector, 'Invalidate all');
    expect(controller.getResponse(getList).data).toBeUndefined();
  });

  it('the inspector finds rows by their values', async () => {
    const { inspector } = await show();
    await open(inspector, 'Rows');
    const rows = () =>
      within(inspector.getByRole('list', { name: 'Rows of Article' })).getAllByRole('button');
    expect(rows().map(({ textContent }) => textContent)).toEqual(['1Kelp', '2Urchins']);
    await search(inspector, 'Search rows', 'urch');
    expect(rows().map(({ textContent }) => textContent)).toEqual(['2Urchins']);
    await act(async () => rows()[0]?.click());
    expect(inspector.getByText('“Urchins”')).toBeTruthy();
  });

  it('the inspector shows what a commit changed, before and after', async () => {
    const { inspector } = await show();
    await act(async () => controller.set(Article, { id: '1' }, { title: 'Giant kelp' }));
    await open(inspector, 'Commits');
    await press(inspector, /set Article 1 changed/);
    expect(inspector.getByText('“Kelp”').closest('del')).toBeTruthy();
    expect(inspector.getByText('“Giant kelp”').closest('ins')).toBeTruthy();
  });

  it('the inspector simulates being offline', async () => {
    const { inspector } = await show();
    await open(inspector);
    const toggle = inspector.getByRole('switch', { name: 'Simulate being offline' });
    const told: string[] = [];
    const stop = controller.environment.subscribe(() => told.push(String(controller.environment.isOnline)));
    await act(async () => toggle.click());
    expect(tools().isOffline).toBe(true);
    await until(() => toggle.getAttribute('aria-checked') === 'true');
    await act(async () => toggle.click());
    expect(tools().isOffline).toBe(false);
    expect(told).toEqual(['false', 'true']);
    stop();
  });

  it('the inspector clears everything, after a confirmation', async () => {
    const { inspector } = await show();
    await open(inspector);
    await press(inspector, 'Clear');
    expect(controller.get(Article, { id: '1' })).toBeDefined();
    await press(inspector, 'Clear everything?');
    expect(controller.get(Article, { id: '1' })).toBeUndefined();
  });

  it('the inspector opens with its shortcut, closes with Escape, and remembers its tab', async () => {
    const { inspector, unmount } = await show({ shortcut: 'Ctrl+Shift+K' });
    const shortcut = { key: 'K', code: 'KeyK', ctrlKey: true, shiftKey: true };
    await act(
      async () => void window.dispatchEvent(new KeyboardEvent('keydown', { ...shortcut, altKey: true })),
    );
    expect(inspector.queryByRole('tablist')).toBeNull();
    await act(async () => void window.dispatchEvent(new KeyboardEvent('keydown', shortcut)));
    await act(async () => inspector.getByRole('tab', { name: 'Storage' }).click());
    await act(async () => unmount());
    await until(() => hosts().length === 0);
    const again = (await show()).inspector;
    expect(again.getByRole('tab', { name: 'Storage' }).getAttribute('aria-selected')).toBe('true');
    await act(async () => {
      const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true });
      again.getByRole('tab', { name: 'Storage' }).dispatchEvent(key);
    });
    again.getByRole('button', { name: 'Open the Holdfast inspector' });
  });

  it('a closed inspector reads nothing', async () => {
    await show();
    let looks = 0;
    const { getState } = controller;
    controller.getState = () => {
      looks += 1;
      return getState.call(controller);
    };
    await act(async () => controller.set(Article, { id: '1' }, { title: 'Unseen' }));
    await act(frame);
    expect(looks).toBe(0);
  });

  it('the inspector says that the plugin is missing', async () => {
    const bare = new Controller();
    const { inspector } = await show({ defaultOpen: true }, bare);
    expect(inspector.getByText('devtools()')).toBeTruthy();
    expect(inspector.queryByRole('switch')).toBeNull();
    await bare.stop();
  });
});

describe('values that are hard to show', () => {
  const send = new Endpoint(async (_body: unknown): Promise<unknown> => undefined, {
    name: 'send',
    sideEffect: true,
  });

  async function showSent(...bodies: readonly unknown[]) {
    for (const body of bodies) await controller.fetch(send, body);
    const { inspector } = await show();
    await open(inspector, 'Requests');
    const items = () => within(inspector.getByRole('list', { name: 'Requests' })).getAllByRole('button');
    await act(async () => items()[0]?.click());
    return { inspector, choose: (at: number) => act(async () => items()[at]?.click()) };
  }

  it('the inspector says that it cannot show a value whose code throws, and shows the others', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    await controller.fetch(send, { title: 'Readable' });
    await controller.fetch(send, proxy);
    revoke();
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { inspector, choose } = await showSent();
    inspector.getByText(/^This cannot be shown: .*revoked/);
    await choose(1);
    inspector.getByText('“Readable”');
    printed.mockRestore();
  });

  it('the inspector shows errors of any kind', async () => {
    const thrown: Record<string, unknown> = { code: 7n };
    thrown['self'] = thrown;
    const fail = new Endpoint((): Promise<unknown> => Promise.reject(thrown), { name: 'fail' }); // oxlint-disable-line typescript/prefer-promise-reject-errors -- apps do
    await controller.fetch(fail).catch(() => undefined);
    const { inspector } = await showSent();
    expect(inspector.getByText(/circle to/).textContent).toContain('"code": "7"');
  });

  it('an error is shown with its name, since minifiers shorten that of its class', () => {
    class b extends Error {
      override readonly name = 'NetworkError';
    }
    class Unnamed extends Error {}
    expect([new b(), new Unnamed()].map(classOf)).toEqual(['NetworkError {2}', 'Unnamed {2}']);
  });

  it('the inspector shows Maps with keys of any kind', async () => {
    const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const { inspector } = await showSent(
      new Map<unknown, string>([
        [Object.create(null), 'first'],
        [{}, 'second'],
      ]),
    );
    inspector.getByText('“first”');
    inspector.getByText('“second”');
    expect(printed).not.toHaveBeenCalled();
    printed.mockRestore();
  });

  it('the inspector shows the first bytes of a file', async () => {
    const { inspector } = await showSent({ file: new Uint8Array(3_000_000).fill(7) });
    expect(inspector.getByText(/^3,000,000 bytes/).textContent).toMatch(/^3,000,000 bytes:( 7){32} …$/);
  });

  it('what is copied contains Maps, Sets and the first bytes of a file', () => {
    const map = new Map<string, unknown>([['a', new Set([1])]]);
    map.set('circle', map);
    expect(JSON.parse(jsonOf({ map, bytes: new Uint8Array([1, 2]) }))).toEqual({
      map: [
        ['a', [1]],
        ['circle', '[circle to Map {2}]'],
      ],
      bytes: '2 bytes: 1 2',
    });
  });

  it('the inspector shows a field named like one of every object as added', async () => {
    const getPlain = new Endpoint(async (): Promise<unknown> => undefined, { name: 'getPlain' });
    controller.setResponse(getPlain, {});
    controller.setResponse(getPlain, { constructor: 'new' });
    const { inspector } = await show();
    await open(inspector, 'Commits');
    const commits = within(inspector.getByRole('list', { name: 'Commits' })).getAllByRole('button');
    await act(async () => commits[0]?.click());
    const [change] = inspector
      .getAllByRole('definition')
      .filter(({ innerHTML }) => innerHTML.includes('<del>'));
    expect(change?.textContent).toBe('undefined → “new”');
  });

  it('the inspector ignores the keydown without a key that Chrome dispatches when it fills in a form', async () => {
    await show();
    const faults: unknown[] = [];
    const note = (event: ErrorEvent): void => {
      event.preventDefault();
      faults.push(event.error);
    };
    window.addEventListener('error', note);
    window.dispatchEvent(new Event('keydown'));
    window.removeEventListener('error', note);
    expect(faults).toEqual([]);
  });
});
