import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, createResource } from 'holdfast';
import { devtools, type DevtoolsOptions } from 'holdfast/devtools';
import { Article } from '../support/entities.ts';

const ArticleResource = createResource({ path: '/articles/:id', schema: Article, optimistic: true });

interface Sent {
  readonly action: Record<string, unknown>;
  readonly state: unknown;
}

/** What the browser's extension does, as far as a page can see. */
class FakeExtension {
  options: object | undefined;
  readonly inits: unknown[] = [];
  readonly sent: Sent[] = [];
  readonly errors: string[] = [];
  listeners = new Set<(message: object) => void>();

  connect(options: object) {
    this.options = options;
    return {
      init: (state: unknown) => void this.inits.push(state),
      send: (action: Record<string, unknown>, state: unknown) => void this.sent.push({ action, state }),
      error: (message: string) => void this.errors.push(message),
      subscribe: (listener: (message: object) => void) => {
        this.listeners.add(listener);
        return () => void this.listeners.delete(listener);
      },
    };
  }

  say(message: object) {
    for (const listener of this.listeners) listener(message);
  }
}

const scope = globalThis as { __REDUX_DEVTOOLS_EXTENSION__?: FakeExtension };
let extension: FakeExtension;
let controller: Controller;

function start(options: DevtoolsOptions = {}) {
  controller = new Controller({ plugins: [devtools(options)], now: () => 5_000 });
  return controller;
}

beforeEach(() => {
  extension = scope.__REDUX_DEVTOOLS_EXTENSION__ = new FakeExtension();
});
afterEach(async () => {
  delete scope.__REDUX_DEVTOOLS_EXTENSION__;
  await controller.stop();
});

const article = (title: string) => ({ id: '1', title });

describe('devtools() and the Redux DevTools', () => {
  it('Redux DevTools receives each commit with exactly its changes, and the size of the state', () => {
    start({ name: 'Shop' });
    expect(extension.options).toMatchObject({ name: 'Shop' });
    expect(extension.inits).toEqual([{ rows: {}, results: 0 }]);
    controller.setResponse(ArticleResource.get, { id: '1' }, article('Old'));
    controller.set(Article, { id: '1' }, { title: 'New' });
    const [first, second] = extension.sent;
    expect(first).toEqual({
      action: {
        type: 'setResponse Article.get',
        name: 'Article.get',
        key: 'GET /articles/1',
        args: [{ id: '1' }],
        origin: 'app',
        changes: {
          rows: { Article: { 1: { kind: 'added', before: undefined, after: article('Old') } } },
          results: {
            'GET /articles/1': { kind: 'added', before: undefined, after: { value: '1', expiresAt: 65_000 } },
          },
        },
      },
      state: { rows: { Article: 1 }, results: 1 },
    });
    expect(second?.action).toMatchObject({
      type: 'set Article',
      changes: {
        rows: { Article: { 1: { kind: 'changed', before: article('Old'), after: article('New') } } },
        results: {},
      },
    });
  });

  it('Redux DevTools receives removals, invalidations and refreshes', async () => {
    start();
    controller.setResponse(ArticleResource.get, { id: '1' }, article('Same'));
    controller.setResponse(ArticleResource.get, { id: '1' }, article('Same'));
    controller.invalidate(ArticleResource.get, { id: '1' });
    await controller.reset();
    const changes = extension.sent.map(({ action }) => action.changes);
    expect(changes.slice(1)).toEqual([
      expect.objectContaining({
        results: { 'GET /articles/1': expect.objectContaining({ kind: 'refreshed' }) },
      }),
      expect.objectContaining({
        results: {
          'GET /articles/1': expect.objectContaining({
            kind: 'changed',
            after: expect.objectContaining({ invalidated: true }),
          }),
        },
      }),
      expect.objectContaining({
        rows: { Article: { 1: { kind: 'removed', before: article('Same'), after: undefined } } },
      }),
    ]);
  });

  it('Redux DevTools distinguishes an optimistic change from a confirmed one', async () => {
    let answer: (response: Response) => void = () => undefined;
    const answered = new Promise<Response>((resolve) => (answer = resolve));
    const update = ArticleResource.partialUpdate.extend({ fetchResponse: () => answered });
    start();
    controller.setResponse(ArticleResource.get, { id: '1' }, article('Old'));
    const updating = controller.fetch(update, { id: '1' }, { title: 'New' });
    const shown = extension.sent.find(({ action }) => String(action.type).startsWith('optimistic'));
    expect(shown?.action).toMatchObject({
      changes: { rows: { Article: { 1: { before: article('Old'), after: article('New') } } } },
      confirmed: { rows: {}, results: {} },
    });
    answer(Response.json(article('New')));
    await updating;
    expect(extension.sent.at(-1)?.action).toMatchObject({ origin: 'network', settled: [expect.any(Number)] });
  });

  it('Redux DevTools receives at most maxChanges changes of a commit, and their total number', () => {
    start({ maxChanges: 3 });
    const articles = Array.from({ length: 10 }, (_, index) => ({ id: String(index), title: '' }));
    controller.setResponse(ArticleResource.getList, articles);
    const { changes } = extension.sent[0]!.action as { changes: { rows: object; omitted: number } };
    // Ten rows, the collection's and the result, of which three are listed.
    expect(changes.omitted).toBe(9);
  });

  it('Redux DevTools receives the whole state if an option or the monitor asks for it', () => {
    start();
    controller.setResponse(ArticleResource.get, { id: '1' }, article('Whole'));
    extension.say({ type: 'ACTION', payload: '{ "type": "holdfast/state" }' });
    const whole = {
      rows: { Article: { 1: { value: article('Whole') } } },
      results: { 'GET /articles/1': { value: '1' } },
    };
    expect(extension.sent.at(-1)?.state).toMatchObject(whole);
    const full = new Controller({ plugins: [devtools({ state: 'full' })] });
    full.setResponse(ArticleResource.get, { id: '1' }, article('Whole'));
    expect(extension.sent.at(-1)?.state).toMatchObject(whole);
  });

  it('nothing is sent while Redux DevTools is paused or closed; it starts again when they open', () => {
    start();
    const write = (title: string) => controller.setResponse(ArticleResource.get, { id: '1' }, article(title));
    extension.say({ type: 'DISPATCH', payload: { type: 'PAUSE_RECORDING', status: true } });
    write('a');
    extension.say({ type: 'DISPATCH', payload: { type: 'PAUSE_RECORDING', status: false } });
    write('b');
    expect(extension.sent).toHaveLength(1);
    extension.say({ type: 'STOP' });
    write('c');
    expect(extension.sent).toHaveLength(1);
    extension.say({ type: 'START' });
    write('d');
    expect(extension.sent).toHaveLength(2);
    expect(extension.inits.at(-1)).toEqual({ rows: { Article: 1 }, results: 1 });
    extension.say({ type: 'DISPATCH', payload: { type: 'COMMIT' } });
    expect(extension.inits).toHaveLength(3);
  });

  it.each([
    'RESET',
    'ROLLBACK',
    'JUMP_TO_STATE',
    'JUMP_TO_ACTION',
    'TOGGLE_ACTION',
    'IMPORT_STATE',
    'LOCK_CHANGES',
    'REORDER_ACTION',
  ])('the plugin answers %s with a note and changes nothing', (type) => {
    start();
    controller.setResponse(ArticleResource.get, { id: '1' }, article('Kept'));
    extension.say({ type: 'DISPATCH', payload: { type, state: '{}' } });
    expect(extension.errors).toEqual([expect.stringContaining('does not support time travel')]);
    expect(controller.get(Article, { id: '1' })?.title).toBe('Kept');
  });

  it('the plugin ignores unknown messages from Redux DevTools', () => {
    start();
    for (const message of [
      { type: 'UPDATE' },
      { type: 'DISPATCH' },
      { type: 'DISPATCH', payload: { type: 'SWEEP' } },
    ])
      extension.say(message);
    expect([extension.errors, extension.sent, extension.inits.length]).toEqual([[], [], 1]);
  });

  it('a stopped plugin no longer listens to Redux DevTools', async () => {
    await start().stop();
    expect(extension.listeners.size).toBe(0);
  });

  it('the plugin works without the extension', () => {
    delete scope.__REDUX_DEVTOOLS_EXTENSION__;
    start();
    controller.setResponse(ArticleResource.get, { id: '1' }, article('Alone'));
    expect(controller.get(Article, { id: '1' })?.title).toBe('Alone');
  });
});
