import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeInBrowser, launch, type Browser } from '../browser/chromium.ts';
import { install } from './installing.ts';
import { freePort, Terminal } from './Terminal.ts';

const example = path.join(__dirname, '../../examples/quick-start');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

describeInBrowser('examples/quick-start, in a folder of its own', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quick-start-'));
  const terminal = new Terminal(folder);
  let browser: Browser;

  beforeAll(async () => {
    cpSync(example, folder, { recursive: true, filter: (file) => !file.includes('node_modules') });
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
    const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    await install(`npm install --no-save ${names.join(' ')}`, terminal, folder);
    browser = await launch();
  });
  afterAll(async () => {
    await terminal.close();
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the quick start compiles', async () => {
    await terminal.run('npx tsc');
  });

  it('the quick start shows its list, marks offline changes, and sends them when back online', async () => {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    await terminal.start(`npm start -- --strictPort --port ${port}`, url);
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    await page.goto(url);
    const item = (text: string) => page.getByRole('listitem').filter({ hasText: text });
    await item('Splice the halyard').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(2);

    await browser.context.setOffline(true);
    await page.getByLabel('Splice the halyard').check();
    await page.getByLabel('New task').fill('Check the anchor');
    await page.getByRole('button', { name: 'Add' }).click();
    await item('Splice the halyard').filter({ hasText: 'not sent yet' }).waitFor();
    await item('Check the anchor').filter({ hasText: 'not sent yet' }).waitFor();

    await browser.context.setOffline(false);
    await page.getByText('not sent yet').first().waitFor({ state: 'detached' });
    const stored = (await (await fetch(`${url}/api/tasks`)).json()) as { text: string; isDone: boolean }[];
    expect(stored.map(({ text, isDone }) => [text, isDone])).toEqual([
      ['Splice the halyard', true],
      ['Scrub the deck', true],
      ['Check the anchor', false],
    ]);
    expect(complaints).toEqual([]);
  });
});
