import { describe, expect, it } from '@jest/globals';
import { Controller, createResource, Endpoint } from 'holdfast';
import { devtoolsInProduction, type DevtoolsOptions } from 'holdfast/devtools';
import { build } from '../support/esbuild.ts';
import path from 'node:path';
import { Article } from '../support/entities.ts';

const { get, getList } = createResource({ path: '/articles/:id', schema: Article });

function setUp(options: DevtoolsOptions = {}) {
  const tools = devtoolsInProduction(options);
  return { tools, controller: new Controller({ plugins: [tools], now: () => 7_000 }) };
}

const articles = (count: number, title = '') =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), title }));

describe('the timeline', () => {
  it('the timeline has the last commits, the newest first, with what they changed', () => {
    const { tools, controller } = setUp({ maxCommits: 2 });
    for (const title of ['one', 'two', 'three']) controller.setResponse(get, { id: '1' }, { id: '1', title });
    const entries = tools.timeline.entries();
    expect(entries).toMatchObject([
      { id: 3, at: 7_000, origin: 'app', rows: 1, results: 1, action: { type: 'setResponse' } },
      { id: 2 },
    ]);
    expect(entries[0]?.changes()).toMatchObject([
      { kind: 'refreshed', table: undefined, key: 'GET /articles/1' },
      { kind: 'changed', table: 'Article', key: '1', before: { title: 'two' }, after: { title: 'three' } },
    ]);
  });

  it('the timeline forgets the changes of the oldest commits, and of one that is too large, but keeps their sizes', () => {
    const { tools, controller } = setUp();
    for (const title of ['a', 'b', 'c']) controller.setResponse(getList, articles(9_000, title));
    const changes = () => tools.timeline.entries().map((entry) => entry.changes()?.length);
    expect(changes()).toEqual([1_000, 1_000, undefined]);
    controller.setResponse(getList, { large: 1 }, articles(30_000, 'd'));
    expect(changes()).toEqual([undefined, undefined, undefined, undefined]);
    controller.setResponse(get, { id: '1' }, { id: '1', title: 'small' });
    expect(tools.timeline.entries()[0]?.changes()).toHaveLength(2);
    expect(tools.timeline.entries().map(({ rows }) => rows)).toEqual([1, 30_001, 9_001, 9_001, 9_001]);
  });
});

describe('requests', () => {
  it('the plugin lists requests while they are in flight and after they have ended', async () => {
    const { tools, controller } = setUp();
    let answer: (value: string) => void = () => undefined;
    const ask = new Endpoint(
      (_: { readonly id: string }) => new Promise<string>((resolve) => (answer = resolve)),
      { name: 'ask' },
    );
    const seen: unknown[] = [];
    tools.status.subscribe(() => seen.push(tools.status.get().requests));
    const asking = controller.fetch(ask, { id: '1' });
    expect(tools.traffic.entries()).toMatchObject([{ args: [{ id: '1' }], endedAt: undefined }]);
    answer('yes');
    await asking;
    expect(tools.traffic.entries()).toMatchObject([{ startedAt: 7_000, endedAt: 7_000, error: undefined }]);
    expect(seen[0]).toBe(1);
    expect(seen.at(-1)).toBe(0);
    expect(tools.traffic.read(ask.key({ id: '1' }))?.endpoint).toBe(ask);
  });

  it('requests fail as without a network while being offline is simulated', async () => {
    const { tools, controller } = setUp();
    let calls = 0;
    const ask = new Endpoint(async () => (calls += 1), { name: 'ask' });
    tools.setOffline(true);
    await expect(controller.fetch(ask)).rejects.toMatchObject({ name: 'NetworkError', status: 0 });
    expect(tools.traffic.entries()).toMatchObject([{ error: { status: 0 } }]);
    tools.setOffline(false);
    expect(await controller.fetch(ask)).toBe(1);
    expect(calls).toBe(1);
  });
});

describe('a bundle', () => {
  async function bundle(mode: string, contents: string) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: __dirname, loader: 'tsx' },
      bundle: true,
      minify: true,
      splitting: true,
      outdir: 'out',
      write: false,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      tsconfig: path.join(__dirname, '../../tsconfig.json'),
      define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
      external: ['react', 'react-dom'],
      logLevel: 'error',
    });
    return outputFiles.map(({ path: name, text }) => ({ name: path.basename(name), text }));
  }

  const app = `
    import { Controller } from 'holdfast';
    import { DataProvider } from 'holdfast/react';
    import { devtools, Inspector } from 'holdfast/devtools';
    const controller = new Controller({ plugins: [devtools()] });
    export const app = <DataProvider controller={controller}><Inspector /></DataProvider>;`;
  const marks = [
    '__REDUX_DEVTOOLS_EXTENSION__',
    'holdfast-inspector',
    'attachShadow',
    'react-dom',
    'PAUSE_RECORDING',
  ];

  const all = async (mode: string, contents: string) =>
    (await bundle(mode, contents)).map(({ text }) => text).join('\n');

  it('a bundle has nothing of the devtools in it, which a development bundle has', async () => {
    const [development, production] = await Promise.all([all('development', app), all('production', app)]);
    expect(marks.filter((mark) => development.includes(mark))).toEqual(marks);
    expect(marks.filter((mark) => production.includes(mark))).toEqual([]);
    const without = app.replace('devtools()', '').replace('<Inspector />', '');
    expect(production.length - (await all('production', without)).length).toBeLessThan(200);
  });

  it('a development bundle loads the panel by itself, and no React for the plugin alone', async () => {
    const first = async (contents: string) =>
      (await bundle('development', contents)).find(({ name }) => name === 'stdin.js')?.text ?? '';
    expect(await first(app)).not.toContain('attachShadow');
    const plugin = `import { devtools } from 'holdfast/devtools'; export const plugin = devtools();`;
    expect(await first(plugin)).not.toMatch(/from\s*["']react/);
  });
});
