import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync, execSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProcess, type ServerProcess } from '../demo/serverProcess.ts';
import { describeInBrowser } from './chromium.ts';

// Uses no browser, but the build of the app, like the tests beside it.
describeInBrowser('demo/start.mjs', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast demo start '));
  let demo: ServerProcess;

  beforeAll(async () => {
    execFileSync(process.execPath, ['demo/build.mjs'], { stdio: 'inherit' });
    const flags = ['--port', '0', '--latency', '5', '--data', path.join(folder, 'db.json')];
    demo = await startProcess('demo/start.mjs', flags);
  });
  afterAll(async () => {
    await demo.stop('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  const printed = async (text: RegExp, by = demo): Promise<string> => {
    for (;;) {
      const line = by.lines().find((each) => text.test(each));
      if (line !== undefined) return line;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it('prints the command that starts the same REST server again, also with a path with spaces', async () => {
    const [command = ''] = /node demo\/server.*(?=│)/.exec(await printed(/start it again/)) ?? [];
    expect(command.trim()).toMatch(/ --port \d+ --latency 5 --data ".*db\.json"$/);
    expect(execSync(`${command} --help`, { encoding: 'utf8' })).toContain('--data FILE');
  });

  it('continues to serve the app when its REST server is stopped', async () => {
    const [, pid] = /process (\d+)/.exec(await printed(/REST server .*process/)) ?? [];
    process.kill(Number(pid), 'SIGTERM');
    await printed(/has stopped/);
    // A process that ends because of this takes a moment to do so.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const page = await fetch(demo.url);
    expect(page.status).toBe(200);
  });

  it('waits for its REST server at Ctrl-C, also when `npm start` passes the signal on', async () => {
    const own = await startProcess('demo/start.mjs', [
      '--port',
      '0',
      '--data',
      path.join(folder, 'own.json'),
    ]);
    const [, address = '', pid] =
      /(http\S+) +\(process (\d+)\)/.exec(await printed(/REST server .*process/, own)) ?? [];
    // It has something to write before it ends.
    await fetch(`${address}/issues/HAR-1`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: '{"title":"Changed"}',
    });
    await Promise.all([own.stop('SIGINT'), own.stop('SIGINT')]);
    expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
  });
});
