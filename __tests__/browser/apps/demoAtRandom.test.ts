import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startProcess, startRestServer, type ServerProcess } from '../../demo/serverProcess.ts';
import { describeInBrowser, launch, newProfile, type Browser } from '../chromium.ts';
import { DemoTab, PROJECTS } from './random/DemoTab.ts';
import { FlakyProxy, WEATHERS } from './random/FlakyProxy.ts';
import { firstIssues, Ledger, readServer } from './random/Ledger.ts';

/** How many rounds of how many steps, and which is the first. */
const { RANDOM_ROUNDS: rounds = '1', RANDOM_STEPS: steps = '20', RANDOM_SEED: firstSeed = '1' } = process.env;

const STATUSES = ['triage', 'todo', 'in-progress', 'done', 'canceled'];

interface Step {
  readonly action: string;
  readonly tab: number;
  /** Decides everything else. */
  readonly choice: number;
}

describeInBrowser('the demo, used at random', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-random-'));
  let rest: ServerProcess;
  let proxy: FlakyProxy;
  let app: ServerProcess;
  let devices: Browser[];
  let tabs: DemoTab[];
  let ledger: Ledger;

  beforeAll(() => {
    execFileSync(process.execPath, ['demo/build.mjs'], { stdio: 'inherit' });
  });
  afterEach(async () => {
    for (const { close } of devices) await close();
    await app.stop('SIGTERM');
    await proxy.close();
    await rest.stop('SIGTERM');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const actions: Record<string, (tab: DemoTab, choice: number) => Promise<unknown>> = {
    open: (tab, choice) => tab.openIssue(choice),
    async comment(tab, choice) {
      await tab.openIssue(choice);
      const text = ledger.newText('Comment');
      await tab.comment(text);
      ledger.entered(text);
    },
    async title(tab, choice) {
      const id = await tab.openIssue(choice);
      const title = ledger.newText('Title');
      ledger.titled(id, tab.device);
      await tab.retitle(title);
      ledger.titled(id, tab.device, title);
    },
    async status(tab, choice) {
      await tab.openIssue(choice);
      await tab.setStatus(STATUSES[choice % STATUSES.length]!);
    },
    async create(tab, choice) {
      const title = ledger.newText('Issue');
      await tab.create(PROJECTS[choice % PROJECTS.length]!, title);
      ledger.entered(title);
    },
    async delete(tab, choice) {
      await tab.openIssue(choice);
      ledger.deleted(await tab.detail.innerText());
      await tab.remove();
    },
    list: (tab, choice) =>
      tab.showList(PROJECTS[choice % PROJECTS.length]!, ['all', 'open', 'closed'][choice % 3]),
    reload: ({ page }) => page.reload(),
    back: ({ page }) => page.goBack(),
    async close(tab) {
      await tab.page.close();
      tabs[tabs.indexOf(tab)] = await DemoTab.open(tab.device, app.url);
    },
    refresh: (tab) => tab.refresh(),
    offline: ({ device }) => device.context.setOffline(true),
    online: ({ device }) => device.context.setOffline(false),
    async weather(_, choice) {
      proxy.weather = WEATHERS[choice % WEATHERS.length]!;
      await pause(500);
    },
    async fine() {
      proxy.weather = 'fine';
      await pause(500);
    },
    async elsewhere(_, choice) {
      const { issues } = (await (await fetch(`${rest.url}/changes`)).json()) as {
        readonly issues: readonly { readonly id: string }[]; // by its API
      };
      const { id } = issues.at(-1 - (choice % 10))!;
      const title = ledger.newText('Elsewhere');
      ledger.titled(id, 'elsewhere');
      const headers = { 'Content-Type': 'application/json' };
      await fetch(`${rest.url}/issues/${id}`, { method: 'PATCH', headers, body: JSON.stringify({ title }) });
    },
  };
  const often = [
    'open',
    'comment',
    'comment',
    'title',
    'title',
    'status',
    'create',
    'create',
    'reload',
    'weather',
    'fine',
  ];
  const step: fc.Arbitrary<Step> = fc.record({
    action: fc.constantFrom(...Object.keys(actions), ...often),
    tab: fc.nat({ max: 2 }),
    choice: fc.nat({ max: 1_000 }),
  });

  it.each(Array.from({ length: Number(rounds) }, (_, round) => Number(firstSeed) + round))(
    'two devices and a server behind an unreliable proxy lose nothing, do nothing twice, and agree in the end (seed %i)',
    async (seed) => {
      rest = await startRestServer(path.join(folder, `${seed}.json`));
      proxy = await FlakyProxy.open(rest.url);
      app = await startProcess('demo/server/serveApp.mjs', ['--port', '0', '--api', proxy.url]);
      devices = await Promise.all([newProfile(), newProfile()].map((profile) => launch(profile)));
      ledger = new Ledger();
      const [first, second] = devices as [Browser, Browser];
      tabs = [];
      for (const device of [first, first, second]) tabs.push(await DemoTab.open(device, app.url));
      for (const { page } of tabs)
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

      const [taken] = fc.sample(fc.array(step, { minLength: Number(steps), maxLength: Number(steps) }), {
        seed,
        numRuns: 1,
      });
      const story: string[] = [];
      for (const { action, tab, choice } of taken!) {
        const done = actions[action]!(tabs[tab]!, choice);
        // What is not on the screen cannot be used: the device or the server may be offline.
        const outcome = await done.then(String, (reason: unknown) => String(reason).split('\n')[0]);
        story.push(`${action} in tab ${tab} (${choice}): ${outcome}`);
      }

      proxy.weather = 'fine';
      for (const { context } of devices) await context.setOffline(false);
      const outboxes: string[] = [];
      for (const tab of tabs) {
        await tab.showList('HAR');
        outboxes.push(await tab.sent());
      }
      const reported = outboxes.join('\n');
      const onServer = await readServer(rest.url);
      expect({ seed, story, faults: ledger.faults(onServer, reported) }).toEqual({ seed, story, faults: [] });
      for (const [index, tab] of tabs.entries())
        for (const project of PROJECTS) {
          await tab.showList(project);
          await tab.refresh();
          // Until all issues are in memory, the list may still grow.
          await tab.page.getByText(/\d open of \d/).waitFor();
          const isAccepted = (text: string): boolean => !reported.includes(text.split(' ')[0]!);
          const wanted = firstIssues(onServer, project).filter(isAccepted);
          const shown = (await tab.firstIssues()).filter(isAccepted);
          expect({ seed, story, index, shown }).toEqual({ seed, story, index, shown: wanted });
        }
      expect(tabs.flatMap(({ problems }) => problems)).toEqual([]);
    },
  );
});
