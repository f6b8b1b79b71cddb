import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installed, root } from './consumer.ts';

/** A copy of the installed package, from which files are taken away. */
const app = path.join(root, '.tmp/laterCode');
const plugin = path.join(app, 'node_modules/holdfast/dist/plugins/indexeddb');

const file = {
  compaction: path.join(plugin, 'maintenance/compactAndEvict.js'),
  codec: path.join(plugin, 'records/CodedStorage.js'),
  evict: path.join(plugin, 'maintenance/evict.js'),
  migrate: path.join(plugin, 'maintenance/migration.js'),
  rebuild: path.join(plugin, 'maintenance/rebuildHeader.js'),
};

beforeAll(() => {
  rmSync(app, { recursive: true, force: true });
  mkdirSync(path.join(app, 'node_modules'), { recursive: true });
  cpSync(installed, path.join(app, 'node_modules/holdfast'), { recursive: true });
  // Otherwise `holdfast` names this repository.
  writeFileSync(path.join(app, 'package.json'), '{ "private": true }\n');
});

afterAll(() => rmSync(app, { recursive: true, force: true }));

/** Runs a program without some files, as offline or after a deploy; returns what it printed as JSON. */
function runWithout(missing: readonly string[], program: string): unknown {
  for (const name of missing) renameSync(name, `${name}.missing`);
  try {
    return runIn('module', program);
  } finally {
    for (const name of missing) rmSync(name, { force: true });
    cpSync(path.join(installed, 'dist'), path.join(app, 'node_modules/holdfast/dist'), { recursive: true });
  }
}

function runIn(format: 'module' | 'commonjs', program: string): unknown {
  const source =
    format === 'module' ? `${imports}${setUp}${program}` : `${requires}${setUp}(async () => {${program}})();`;
  const output = execFileSync(process.execPath, [`--input-type=${format}`, '--eval', source], {
    cwd: app,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' },
    timeout: 60_000,
  });
  return JSON.parse(output);
}

const imports = `
  import 'fake-indexeddb/auto';
  import { renameSync } from 'node:fs';
  import { Controller, Endpoint, Entity } from 'holdfast';
  import { indexedDB as storage } from 'holdfast/indexeddb';`;
const requires = `
  require('fake-indexeddb/auto');
  const { Controller, Endpoint, Entity } = require('holdfast');
  const { indexedDB: storage } = require('holdfast/indexeddb');`;
const setUp = `
  class Article extends Entity {
    id = '';
    title = '';
    static key = 'Article';
  }
  const codec = {
    encode: (text) => new TextEncoder().encode(text).reverse(),
    decode: (bytes) => new TextDecoder().decode(bytes.slice().reverse()),
  };
  const requests = [];
  const getList = new Endpoint(
    async ({ count }) => {
      requests.push(count);
      return Array.from({ length: count }, (_, id) => ({ id: String(id), title: 'Article ' + id }));
    },
    { name: 'getList', schema: [Article], dataExpiryLength: Infinity },
  );
  function open(options) {
    const errors = [];
    const plugin = storage({ name: 'app', onError: ({ code, message }) => errors.push(code + ' ' + message), ...options });
    const controller = new Controller({ plugins: [plugin] });
    return { plugin, controller, errors };
  }
  const when = (plugin, holds) =>
    new Promise((resolve) => {
      // The library's own timers keep no process alive.
      const alive = setInterval(() => undefined, 1_000);
      const check = () => {
        if (!holds(plugin.status.get())) return;
        clearInterval(alive);
        resolve();
      };
      plugin.status.subscribe(check);
      check();
    });
  const print = (value) => console.log(JSON.stringify(value));`;

/** Stores 1,500 rows, which is enough for a compaction, and opens the app again. */
const roundTrip = (options: string): string => `
  const first = open(${options});
  await first.controller.ready;
  await first.controller.fetch(getList, { count: 1500 });
  await first.controller.flush();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await first.controller.stop();
  const { plugin, controller, errors } = open(${options});
  await controller.restored;
  const rows = await controller.fetchIfStale(getList, { count: 1500 });
  const { restoredRows } = plugin.status.get();
  await controller.stop();
  print({ rows: rows.length, last: rows.at(-1).title, requests, restoredRows, errors: [...first.errors, ...errors] });`;

const stored = { rows: 1500, last: 'Article 1499', requests: [1500], restoredRows: 1500, errors: [] };

describe('code of holdfast/indexeddb that is loaded later', () => {
  it.each(['module', 'commonjs'] as const)('is found in the build (%s)', (format) => {
    const options = '{ codec, version: 2, maxRows: 2000, migrate: { Article: (row) => row } }';
    expect(runIn(format, roundTrip(options))).toEqual(stored);
  });

  it('is in files of its own in the CommonJS build too', () => {
    const chunks = readdirSync(path.join(app, 'node_modules/holdfast/dist/chunks')).join(' ');
    for (const name of ['compactAndEvict', 'CodedStorage', 'evict', 'migration'])
      expect(chunks).toMatch(new RegExp(`\\b${name}-[\\w-]+\\.cjs\\b`));
  });

  it('is not needed without `codec`, `maxRows` and `migrate`', () => {
    expect(runWithout([file.codec, file.evict, file.migrate], roundTrip('{ version: 2 }'))).toEqual(stored);
  });

  it('is not needed for reading: without any of it, all rows are restored', () => {
    const every = [file.compaction, file.codec, file.evict, file.migrate, file.rebuild];
    expect(runWithout(every, roundTrip('{ version: 2 }'))).toMatchObject({
      ...stored,
      errors: expect.any(Array),
    });
  });

  it('may be missing: writes, reads and a reset work without compaction', () => {
    const program = `
      const first = open();
      await first.controller.ready;
      await first.controller.fetch(getList, { count: 1500 });
      await first.controller.flush();
      await first.controller.stop();
      const { plugin, controller, errors } = open();
      await controller.restored;
      const rows = await controller.fetchIfStale(getList, { count: 1500 });
      await when(plugin, ({ state }) => state === 'degraded');
      await controller.reset();
      await controller.fetch(getList, { count: 2 });
      await controller.flush();
      await controller.stop();
      const last = open();
      const after = await last.controller.fetchIfStale(getList, { count: 2 });
      await last.controller.stop();
      print({ rows: rows.length, after: after.length, requests, errors });`;
    const { errors, ...rest } = runWithout([file.compaction, file.evict], program) as { errors: string[] };
    expect(rest).toEqual({ rows: 1500, after: 2, requests: [1500, 2] });
    expect(errors.join('\n')).toMatch(/HF_STORAGE .* log cannot be compacted \(.*compactAndEvict\.js/);
  });

  it('may be missing for `codec`: the app keeps everything in memory, and writes it once the code has loaded', () => {
    const program = `
      const first = open({ codec });
      await first.controller.ready;
      const { state } = first.plugin.status.get();
      await first.controller.fetch(getList, { count: 2 });
      await first.controller.flush();
      await first.controller.reset();
      await first.controller.fetch(getList, { count: 3 });
      await first.controller.flush();
      ${putBack(file.codec)}
      await when(first.plugin, ({ state }) => state === 'working');
      await first.controller.stop();
      const { controller, errors } = open({ codec });
      const rows = await controller.fetchIfStale(getList, { count: 3 });
      await controller.stop();
      print({ state, rows: rows.length, requests, error: first.errors[0], later: errors });`;
    const { error, ...rest } = runWithout([file.codec], program) as { error: string };
    expect(rest).toEqual({ state: 'degraded', rows: 3, requests: [2, 3], later: [] });
    expect(error).toMatch(/HF_STORAGE .* cannot be opened .*CodedStorage\.js.*until the code .* has loaded/);
  });

  it('may be missing for `migrate`: the disk stays as it is until the code has loaded', () => {
    const program = `
      const first = open({ version: 1 });
      await first.controller.ready;
      await first.controller.fetch(getList, { count: 2 });
      await first.controller.stop();
      const migrate = { Article: (row) => ({ ...row, title: row.title.toUpperCase() }) };
      const { plugin, controller, errors } = open({ version: 2, migrate });
      await controller.ready;
      const { state } = plugin.status.get();
      ${putBack(file.migrate)}
      await when(plugin, ({ state }) => state === 'working');
      const rows = await controller.fetchIfStale(getList, { count: 2 });
      await controller.stop();
      print({ state, titles: rows.map(({ title }) => title), requests, error: errors[0] });`;
    expect(runWithout([file.migrate], program)).toEqual({
      state: 'degraded',
      titles: ['ARTICLE 0', 'ARTICLE 1'],
      requests: [2],
      error: expect.stringMatching(/cannot be opened .*migration\.js/),
    });
  });
});

/** The file can be loaded again. */
function putBack(missing: string): string {
  return `renameSync(${JSON.stringify(`${missing}.missing`)}, ${JSON.stringify(missing)});`;
}
