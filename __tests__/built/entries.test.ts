import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { installed, root, run } from './consumer.ts';

const entries = {
  holdfast: 'src/index.ts',
  'holdfast/react': 'src/react.ts',
  'holdfast/testing': 'src/testing.ts',
  'holdfast/indexeddb': 'plugins/indexeddb/index.ts',
  'holdfast/outbox': 'plugins/outbox/index.ts',
  'holdfast/tabs': 'plugins/tabs/index.ts',
  'holdfast/devtools': 'plugins/devtools/index.ts',
};

/** The names of the values (not the types) that an entry file lists. */
function listedValues(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(root, file), 'utf8'),
    ts.ScriptTarget.ES2022,
  );
  return source.statements
    .filter(ts.isExportDeclaration)
    .filter((statement) => !statement.isTypeOnly)
    .flatMap(({ exportClause }) =>
      exportClause !== undefined && ts.isNamedExports(exportClause) ? [...exportClause.elements] : [],
    )
    .filter((element) => !element.isTypeOnly)
    .map((element) => element.name.text)
    .sort();
}

/** A program that does one round through entity, endpoint and store, and one through an error class of two entries. */
const roundTrip = `
  class Person extends Entity {
    id = '';
    name = '';
    get greeting() { return 'I am ' + this.name; }
    static key = 'Person';
  }
  const getPerson = new Endpoint(async ({ id }) => ({ id, name: 'Ada' }), { name: 'getPerson', schema: Person });
  const controller = new Controller();
  controller.fetch(getPerson, { id: '1' }).then((person) => {
    console.log(JSON.stringify({
      greeting: person.greeting,
      same: controller.get(Person, { id: '1' }) === person,
      plugin: indexedDB({ name: 'app' }).name,
    }));
    controller.stop();
  });
`;

describe.each(Object.entries(entries))('%s', (name, file) => {
  it('the build exports everything that its entry lists, as ESM and as CommonJS', () => {
    const listed = listedValues(file);
    expect(listed.length).toBeGreaterThan(0);
    expect(run('module', `console.log(JSON.stringify(Object.keys(await import('${name}')).sort()))`)).toEqual(
      listed,
    );
    expect(run('commonjs', `console.log(JSON.stringify(Object.keys(require('${name}')).sort()))`)).toEqual(
      listed,
    );
  });

  it('the build has no export without a value', () => {
    const program = `console.log(JSON.stringify(Object.entries(require('${name}')).filter(([, value]) => value == null)))`;
    expect(run('commonjs', program)).toEqual([]);
  });
});

describe('the built package', () => {
  it.each(['js', 'cjs'])(
    'the built package marks only the entries that need React with "use client" (.%s)',
    (extension) => {
      const dist = path.join(installed, 'dist');
      const marked = readdirSync(dist, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith(`.${extension}`))
        .filter((file) => /^['"]use client['"];/.test(readFileSync(path.join(dist, file), 'utf8')))
        .map((file) => path.basename(file).replace(/-[^-]{8}\./, '.'));
      expect(marked).toEqual(expect.arrayContaining([`react.${extension}`, `useOutbox.${extension}`]));
      // Server components create controllers and take plugins from these.
      for (const entry of ['index', 'outbox', 'tabs', 'indexeddb'])
        expect(marked).not.toContain(`${entry}.${extension}`);
    },
  );

  it.each([
    [
      'module',
      `import { Controller, Endpoint, Entity } from 'holdfast'; import { indexedDB } from 'holdfast/indexeddb';`,
    ],
    [
      'commonjs',
      `const { Controller, Endpoint, Entity } = require('holdfast'); const { indexedDB } = require('holdfast/indexeddb');`,
    ],
  ] as const)('the built package works in plain Node as %s', (format, imports) => {
    expect(run(format, imports + roundTrip)).toEqual({
      greeting: 'I am Ada',
      same: true,
      plugin: 'indexeddb',
    });
  });

  it.each(Object.keys(entries))(
    'the CommonJS build requires no ES module, which older Node and Jest cannot load: %s',
    (name) => {
      const program = `require('${name}'); console.log('true')`;
      expect(run('commonjs', program, ['--no-experimental-require-module'])).toBe(true);
    },
  );

  const builtFiles = readdirSync(path.join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.c?js$/.test(name))
    .map((name) => path.join(installed, 'dist', name));

  it('the built package imports its own dependencies and React, and no other package', () => {
    const imported = builtFiles
      .flatMap((file) => ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles)
      .map(({ fileName }) => fileName)
      .filter((name) => !name.startsWith('.'));
    expect([...new Set(imported)].sort()).toEqual([
      'idb',
      'immer',
      'path-to-regexp',
      'react',
      'react-dom',
      'react-dom/client',
      'react/jsx-runtime',
    ]);
  });

  it('the built package has no static blocks, which Safari before 16.4 and React Native cannot parse', () => {
    const hasBlock = (node: ts.Node): boolean =>
      ts.isClassStaticBlockDeclaration(node) ||
      (ts.forEachChild(node, (child) => hasBlock(child) || undefined) ?? false);
    const withBlocks = builtFiles.filter((file) =>
      hasBlock(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022)),
    );
    expect(builtFiles.length).toBeGreaterThan(20);
    expect(withBlocks).toEqual([]);
  });

  it('the built package has no lookbehind in a pattern, which Safari before 16.4 cannot parse', () => {
    const withLookbehind = builtFiles.filter((file) => /\(\?<[=!]/.test(readFileSync(file, 'utf8')));
    expect(withLookbehind).toEqual([]);
  });

  it.each(['.js', '.cjs'])('the built package contains no module twice in its %s files', (extension) => {
    const dist = path.join(installed, 'dist');
    const maps = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith(`${extension}.map`),
    );
    const sources = maps.flatMap((file) => {
      const map = JSON.parse(readFileSync(path.join(dist, file), 'utf8')) as { sources: string[] };
      return map.sources.map((source) => path.join(path.dirname(file), source));
    });
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((source, index) => sources.indexOf(source) !== index)).toEqual([]);
  });
});
