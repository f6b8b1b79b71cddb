import { expect, it } from '@jest/globals';
import { readPages } from '../docs/blocks.ts';
import { freshnessRows, updateRows, verbRows } from './rows/controller.ts';
import { endpointRows, requestRows } from './rows/endpoints.ts';
import { fixtureRows } from './rows/fixtures.ts';
import { hookRows, suspenseRows } from './rows/hooks.tsx';
import { lazyRows, scalarRows } from './rows/lazy.ts';
import { collectionRows, pageRows, resourceRows } from './rows/lists.ts';
import { pendingRows, settledRows } from './rows/optimistic.ts';
import { formRows, pathRows } from './rows/paths.ts';
import { queryRows } from './rows/queries.ts';
import { deletionRows, mergeRows, shapeRows } from './rows/schemas.ts';

const TABLES: Readonly<Record<string, readonly { readonly title: string; readonly differs?: string }[]>> = {
  collectionRows,
  deletionRows,
  endpointRows,
  fixtureRows,
  formRows,
  freshnessRows,
  hookRows,
  lazyRows,
  mergeRows,
  pageRows,
  pathRows,
  pendingRows,
  queryRows,
  requestRows,
  resourceRows,
  scalarRows,
  settledRows,
  shapeRows,
  suspenseRows,
  updateRows,
  verbRows,
};

/** The first column of the tables between two headings of the page. */
function listed(): readonly string[] {
  const page = readPages().get('docs/fromDataClient.md') ?? '';
  const [, section = ''] = page.split('## What behaves differently');
  const [tables = ''] = section.split('\n## ');
  return [...tables.matchAll(/^\| ([^|]+?) +\|/gm)]
    .map(([, cell]) => cell ?? '')
    .filter((cell) => cell !== 'what' && !/^-+$/.test(cell));
}

it('docs/fromDataClient.md lists each difference that a row shows, and no other', () => {
  const shown = Object.values(TABLES).flatMap((rows) => rows.flatMap(({ differs }) => differs ?? []));
  expect([...new Set(shown)].sort()).toEqual([...listed()].sort());
});

it('no two rows of a conformance table have the same title', () => {
  for (const [name, rows] of Object.entries(TABLES)) {
    const titles = rows.map(({ title }) => title);
    expect([name, titles.filter((title, index) => titles.indexOf(title) !== index)]).toEqual([name, []]);
  }
});

it('the conformance tables have rows for everything that both libraries share', () => {
  const count = Object.values(TABLES).reduce((sum, rows) => sum + rows.length, 0);
  expect(count).toBeGreaterThan(300);
});
