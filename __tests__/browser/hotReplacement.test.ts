import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startProcess, type ServerProcess } from '../demo/serverProcess.ts';
import { describeInBrowser, launch, type Browser } from './chromium.ts';

const root = path.join(__dirname, '../..');
/** Beside what `scripts/pack.mjs` has unpacked. */
const consumer = path.join(root, '.tmp/consumer');

/** The lines that `docs/react.md` adds below a controller. */
function documented(): string {
  const guide = readFileSync(path.join(root, 'docs/react.md'), 'utf8');
  const found = /## Hot module replacement.*?```js\n(.*?)```/s.exec(guide)?.[1];
  if (found === undefined) throw new Error('docs/react.md has no code for hot module replacement');
  return found;
}

const files = {
  'index.html': '<!doctype html><div id="root"></div><script type="module" src="/main.jsx"></script>',
  'main.jsx': `
    import { createRoot } from 'react-dom/client';
    import { App } from './App';
    createRoot(document.getElementById('root')).render(<App />);
  `,
  'App.jsx': `
    import { DataProvider, useQuery } from 'holdfast/react';
    import { controller } from './controller';
    import { Task } from './model';
    controller.set(Task, { id: '1' }, { id: '1', text: 'kelp' });
    const Label = () => <p>{useQuery(Task, { id: '1' })?.label}</p>;
    export const App = () => <DataProvider controller={controller}><Label /></DataProvider>;
  `,
  'controller.js': `
    import { Controller } from 'holdfast';
    import { Task } from './model';
    const counter = {
      name: 'counter',
      start: () => void (window.running = (window.running ?? 0) + 1),
      stop: () => void window.running--,
    };
    export const controller = new Controller({ plugins: [counter] });
    ${documented()}
  `,
  'model.js': `
    import { Entity } from 'holdfast';
    export class Task extends Entity {
      id = '';
      text = '';
      static key = 'Task';
      get label() {
        return 'Press the ' + this.text;
      }
    }
  `,
  'server.mjs': `
    import react from '@vitejs/plugin-react';
    import { createServer } from 'vite';
    const root = import.meta.dirname;
    const server = await createServer({
      root,
      cacheDir: root + '/cache',
      configFile: false,
      logLevel: 'silent',
      plugins: [react()],
      server: { port: 0, fs: { strict: false } },
    });
    await server.listen();
    console.log('http://localhost:' + server.httpServer.address().port);
  `,
};

describeInBrowser('hot module replacement by Vite', () => {
  let folder: string;
  let vite: ServerProcess;
  let browser: Browser;

  beforeAll(async () => {
    mkdirSync(consumer, { recursive: true });
    folder = mkdtempSync(path.join(consumer, 'hot-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    vite = await startProcess(path.join(folder, 'server.mjs'), []);
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    await vite.stop('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  it('an edited model continues with the new class, and the controller from before the edit is stopped', async () => {
    const page = await browser.context.newPage();
    await page.goto(vite.url);
    await page.getByText('Press the kelp').waitFor();
    await page.evaluate('window.isSamePage = true');
    writeFileSync(path.join(folder, 'model.js'), files['model.js'].replace('Press', 'Dry'));
    await page.getByText('Dry the kelp').waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    expect(await page.evaluate('window.running')).toBe(1);
  });
});
