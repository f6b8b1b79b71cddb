import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { executablePath, launch } from '../browser/chromium.ts';
import { install } from './installing.ts';
import { freePort, Terminal } from './Terminal.ts';
import { readTutorial } from './tutorial.ts';

describe('docs/tutorial.md', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'birds-'));
  const terminal = new Terminal(folder);
  const steps = readTutorial();
  /** The ports that the tutorial names, and free ones that the test uses in their place. */
  const ports = new Map([
    ['3001', ''],
    ['5173', ''],
    ['4173', ''],
  ]);

  beforeAll(async () => {
    for (const port of ports.keys()) ports.set(port, await freePort());
  });
  afterAll(async () => {
    await terminal.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const inFreePorts = (text: string) => text.replace(/\d{4}/g, (port) => ports.get(port) ?? port);

  const [server, vite, preview] = ['node server.mjs', 'npx vite', 'npx vite preview'];
  /** The commands that go on, each in a terminal of its own: what is run, and where it answers. */
  const serving = new Map([
    [server, { run: server, at: 'http://localhost:3001' }],
    [vite, { run: `${vite} --strictPort --port 5173`, at: 'http://localhost:5173' }],
    [preview, { run: `${preview} --strictPort --port 4173`, at: 'http://localhost:4173' }],
  ]);
  async function start(command: string): Promise<void> {
    const { run, at } = serving.get(command) ?? { run: command, at: '' };
    await terminal.start(inFreePorts(run), inFreePorts(at));
  }
  const stop = (command: string) => terminal.interrupt(inFreePorts(serving.get(command)?.run ?? command));

  async function type(command: string): Promise<void> {
    if (command.startsWith('npm install')) await install(command, terminal, folder);
    else if (!serving.has(command)) await terminal.run(command);
    else if (executablePath !== undefined) await start(command);
  }

  /** What the reader does and sees, in the tutorial's words. */
  function actsOn(page: Page): Record<string, () => Promise<void>> {
    const bird = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    const has = async (...names: string[]) => {
      for (const name of names) await bird(name).waitFor();
      expect(await page.getByRole('listitem').count()).toBe(names.length);
    };
    const choose = (name: string) => page.getByRole('button', { name }).click();
    const save = async (name: string, place: string) => {
      await page.getByLabel('Bird').fill(name);
      await page.getByLabel('Place').fill(place);
      await page.getByRole('button', { name: 'Save' }).click();
    };
    return {
      'Open http://localhost:5173: the list has a robin and a heron.': async () => {
        await page.goto(inFreePorts('http://localhost:5173'));
        await has('Robin', 'Heron');
      },
      'Choose the heron: the place where you saw it appears below the list.': async () => {
        await choose('Heron');
        await page.getByText('Heron, seen at the lake.').waitFor();
      },
      'Save a wren, seen at the hedge: it appears in the list at once, and the server logs it in the first terminal.':
        async () => {
          await save('Wren', 'the hedge');
          await has('Robin', 'Heron', 'Wren');
          await terminal.printed(server, 'Noted: Wren');
        },
      'Stop Vite with Ctrl+C. Leave the server running.': () => stop(vite),
      'Open http://localhost:4173: the list has a robin, a heron and a wren.': async () => {
        await page.goto(inFreePorts('http://localhost:4173'));
        await has('Robin', 'Heron', 'Wren');
      },
      'Stop the server and Vite with Ctrl+C. For the page, the network is now gone.': async () => {
        // A reader is slower than the service worker and the disk.
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
        await stop(server);
        await stop(preview);
      },
      'Reload: the page and the list are still there.': async () => {
        await page.reload();
        await has('Robin', 'Heron', 'Wren');
      },
      'Choose the wren: it was seen at the hedge.': async () => {
        await choose('Wren');
        await page.getByText('Wren, seen at the hedge.').waitFor();
      },
      'Save an owl, seen at the old barn: it appears in the list, marked as not sent yet.': async () => {
        await save('Owl', 'the old barn');
        await has('Robin', 'Heron', 'Wren', 'Owl (not sent yet)');
      },
      'Reload again: the owl is still there, still marked.': async () => {
        await page.reload();
        await has('Robin', 'Heron', 'Wren', 'Owl (not sent yet)');
      },
      'Start the server and Vite again, and reload: the mark disappears, and the server has logged the owl.':
        async () => {
          await start(server);
          await start(preview);
          await page.reload();
          await terminal.printed(server, 'Noted: Owl');
          await page.getByText('(not sent yet)').waitFor({ state: 'detached' });
          await has('Robin', 'Heron', 'Wren', 'Owl');
        },
    };
  }

  it(`the tutorial works exactly as written in an empty folder${executablePath === undefined ? ', except for the steps that need Chromium' : ''}`, async () => {
    const browser = executablePath === undefined ? undefined : await launch();
    const page = await browser?.context.newPage();
    const complaints: string[] = [];
    page?.on('console', (message) => {
      if (message.text().includes('[holdfast]')) complaints.push(message.text());
    });
    page?.on('pageerror', (error) => complaints.push(error.message));
    const acts = page && actsOn(page);
    // Each thing that the text has the reader do is done below, and nothing else.
    const texts = steps.flatMap((step) => (step.kind === 'act' ? [step.text] : []));
    if (acts) expect(Object.keys(acts)).toEqual(texts);

    for (const step of steps) {
      if (step.kind === 'file') {
        const file = path.join(folder, step.path);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, inFreePorts(step.content));
      } else if (step.kind === 'commands') {
        for (const line of step.lines) await type(line);
      } else {
        await acts?.[step.text]?.().catch(async (error: unknown) => {
          const seen = await page?.locator('body').innerText();
          throw new Error(`${step.text}\nThe page: ${seen ?? ''}\n${complaints.join('\n')}`, {
            cause: error,
          });
        });
      }
    }
    expect(complaints).toEqual([]);
    await browser?.close();
  }, 180_000);
});
