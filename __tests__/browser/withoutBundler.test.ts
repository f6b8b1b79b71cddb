import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { build } from '../support/esbuild.ts';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import * as React from 'react';
import { describeInBrowser, launch } from './chromium.ts';

const root = path.join(__dirname, '../..');
/** What `scripts/pack.mjs` has unpacked: the package as it would be published. */
const installed = path.join(root, '.tmp/consumer/node_modules/holdfast');
const entries = ['react', 'indexeddb', 'outbox', 'tabs'];

const others = {
  // React publishes no ES module: pages without a bundler use one from a CDN.
  react: '/react.js',
  'react/jsx-runtime': '/react.js',
  'react-dom/client': '/react.js',
};
const importMaps = {
  'the files for CDNs': {
    holdfast: '/holdfast/dist/browser/index.js',
    ...Object.fromEntries(entries.map((name) => [`holdfast/${name}`, `/holdfast/dist/browser/${name}.js`])),
    ...others,
  },
  'the ES modules, with its dependencies beside them': {
    holdfast: '/holdfast/dist/index.js',
    ...Object.fromEntries(entries.map((name) => [`holdfast/${name}`, `/holdfast/dist/${name}.js`])),
    immer: '/node_modules/immer/dist/immer.production.mjs',
    'path-to-regexp': '/node_modules/path-to-regexp/dist/index.js',
    idb: '/node_modules/idb/build/index.js',
    ...others,
  },
};

const program = `
  import { createElement, Suspense } from 'react';
  import { createRoot } from 'react-dom/client';
  import { Controller, createResource, Entity } from 'holdfast';
  import { DataProvider, useSuspense } from 'holdfast/react';
  import { indexedDB } from 'holdfast/indexeddb';
  import { outbox } from 'holdfast/outbox';
  import { tabs } from 'holdfast/tabs';

  class Article extends Entity {
    id = 0;
    title = '';
    static key = 'Article';
  }
  const Articles = createResource({ path: '/articles/:id', schema: Article, dataExpiryLength: Infinity });
  const controller = new Controller({
    plugins: [indexedDB({ name: 'app' }), outbox({ endpoints: [Articles] }), tabs({ name: 'app' })],
  });
  function Title() {
    const { title } = useSuspense(Articles.get, { id: 5 });
    const rename = () => controller.fetch(Articles.partialUpdate, { id: 5 }, { title: 'Renamed' });
    return createElement('button', { onClick: rename }, title);
  }
  createRoot(document.body).render(
    createElement(DataProvider, { controller }, createElement(Suspense, null, createElement(Title))),
  );
  try {
    controller.fetch(Articles.get, { id: {} }).catch(({ message }) => (document.title = message));
  } catch ({ message }) {
    document.title = message;
  }
  globalThis.flushed = () => controller.flush();
`;

/** React as one ES module, so that there is one React. */
async function reactModule(): Promise<string> {
  const names = Object.keys(React).filter((name) => name !== 'default' && name !== 'module.exports');
  const { outputFiles } = await build({
    stdin: {
      contents: `import React from 'react';
        export const { ${names.join(', ')} } = React;
        export { jsx, jsxs } from 'react/jsx-runtime';
        export { createRoot } from 'react-dom/client';`,
      resolveDir: root,
    },
    bundle: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}

let server: Server;
let origin: string;
const asked: string[] = [];

beforeAll(async () => {
  if (!existsSync(installed))
    throw new Error('The built package is not there; run: npm test -- build browser');
  const react = await reactModule();
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const file = path.join(
      pathname.startsWith('/holdfast/') ? path.dirname(installed) : root,
      decodeURI(pathname),
    );
    if (pathname === '/') {
      const imports = Object.values(importMaps)[Number(searchParams.get('map'))];
      response.setHeader('content-type', 'text/html').end(
        `<!doctype html><title></title><link rel="icon" href="data:,"><body></body>
        <script type="importmap">${JSON.stringify({ imports })}</script><script type="module">${program}</script>`,
      );
    } else if (pathname === '/react.js') response.setHeader('content-type', 'text/javascript').end(react);
    else if (pathname.startsWith('/articles/')) {
      asked.push(`${request.method} ${pathname}`);
      const title = request.method === 'GET' ? 'Five' : 'Renamed';
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: 5, title }));
    } else if (existsSync(file))
      response.setHeader('content-type', 'text/javascript').end(readFileSync(file));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://localhost:${(server.address() as AddressInfo).port}`; // it listens on a port
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

describeInBrowser('a page without a bundler', () => {
  it.each(Object.keys(importMaps).map((name, map) => [name, map] as const))(
    'a page without a bundler reads, stores, writes and restores with %s, and needs no process',
    async (_name, map) => {
      const { context, close } = await launch();
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('console', (message) => {
        if (message.type() !== 'debug') complaints.push(message.text());
      });
      asked.length = 0;
      await page.goto(`${origin}/?map=${map}`);
      expect(await page.evaluate('typeof process')).toBe('undefined');
      await page.getByText('Five').click();
      await page.getByText('Renamed').waitFor();
      expect(asked).toEqual(['GET /articles/5', 'PATCH /articles/5']);
      // As in production, without the sentence.
      expect(await page.title()).toContain('docs/errors.md#hf_');
      await page.evaluate('flushed()');
      await page.reload();
      await page.getByText('Renamed').waitFor();
      expect(asked).toHaveLength(2);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  it('the files for CDNs have all dependencies but React', () => {
    const folder = path.join(installed, 'dist/browser');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.js'),
    );
    const imported = files.flatMap((name) =>
      [...readFileSync(path.join(folder, name), 'utf8').matchAll(/(?:from|import)\s*"([^".][^"]*)"/g)].map(
        ([, from]) => from,
      ),
    );
    expect([...new Set(imported)].sort()).toEqual(['react', 'react/jsx-runtime']);
  });
});
