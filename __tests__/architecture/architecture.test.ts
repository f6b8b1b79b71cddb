import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { violations, type Sources } from './violations.ts';

const root = path.join(__dirname, '../..');

function readSources(...folders: string[]): Sources {
  const sources = new Map<string, string>();
  for (const folder of folders) {
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name)) continue;
      const file = path.posix.join(folder, name.replaceAll(path.sep, '/'));
      sources.set(file, readFileSync(path.join(root, file), 'utf8'));
    }
  }
  return sources;
}

/** What the check says about a small library: the files given, over an empty file on each side. */
function check(files: Record<string, string>): string[] {
  return violations(
    new Map(Object.entries({ 'src/util/low.ts': '', 'src/react/high.ts': '', 'src/index.ts': '', ...files })),
  );
}

describe('layers', () => {
  it('every import of the library and its plugins follows the order of the layers', () => {
    expect(violations(readSources('src', 'plugins'))).toEqual([]);
  });
});

describe('the layer check', () => {
  it('the check lets a file import downwards and sideways', () => {
    const store = "import { low } from '../util/low.ts'; import type { Row } from './Row.ts';";
    expect(check({ 'src/store/Table.ts': store, 'src/store/Row.ts': '' })).toEqual([]);
  });

  it('the check refuses an import from a higher layer, even of a type only', () => {
    expect(check({ 'src/store/Table.ts': "import type { High } from '../react/high.ts';" })).toEqual([
      "src/store/Table.ts imports '../react/high.ts': store lies below react",
    ]);
    expect(
      check({ 'src/store/Table.ts': "export type Far = import('../react/high.ts').High;" }),
    ).toHaveLength(1);
    expect(check({ 'src/store/Table.ts': "export { type High } from '../react/high.ts';" })).toHaveLength(1);
    expect(check({ 'src/index.ts': "export { high } from './react/high.ts';" })).toHaveLength(1);
  });

  it('the check refuses `export *`, even of types only', () => {
    for (const all of ['*', 'type *'])
      expect(check({ 'src/store/a.ts': '', 'src/store/b.ts': `export ${all} from './a.ts';` })).toEqual([
        'src/store/b.ts: list the exports one by one',
      ]);
  });

  it('the check refuses import cycles, even of types only', () => {
    const cycle = check({
      'src/store/a.ts': "import type { B } from './b.ts';",
      'src/store/b.ts': "import type { C } from './c.ts';",
      'src/store/c.ts': "import { type A } from './a.ts';",
    });
    expect(cycle).toEqual(['cycle: src/store/a.ts → src/store/b.ts → src/store/c.ts → src/store/a.ts']);
  });

  it('the check keeps plugins within their own folder and the public entry', () => {
    const log = (specifier: string): string[] =>
      check({
        'plugins/indexeddb/log.ts': `import { x } from '${specifier}';`,
        'plugins/tabs/x.ts': '',
        'plugins/shared/x.ts': '',
      });
    expect(log('holdfast')).toEqual([]);
    expect(log('idb')).toEqual([]);
    expect(log('../../src/util/low.ts')).toHaveLength(1);
    expect(log('../tabs/x.ts')).toHaveLength(1);
    expect(log('../shared/x.ts')).toEqual([]);
    expect(
      check({
        'src/util/x.ts': "import { x } from '../../plugins/indexeddb/log.ts'",
        'plugins/indexeddb/log.ts': '',
      }),
    ).toHaveLength(1);
  });

  it('the check allows each package only in the folders that may use it', () => {
    expect(check({ 'src/store/Table.ts': "import { produce } from 'immer';" })).toEqual([
      "src/store/Table.ts imports 'immer': this place may not import the package immer",
    ]);
    expect(check({ 'src/store/transaction.ts': "import { Immer } from 'immer';" })).toEqual([]);
    expect(check({ 'src/controller/Controller.ts': "import { useState } from 'react';" })).toHaveLength(1);
    expect(check({ 'src/controller/Controller.ts': "import { x } from 'holdfast';" })).toHaveLength(1);
  });

  it('the check refuses an import without its extension', () => {
    expect(check({ 'src/util/x.ts': "import { low } from './low';" })).toHaveLength(1);
  });
});
