import { expect, it } from '@jest/globals';
import { collectionPk } from '../../src/schema/collection/collectionArgs.ts';
import { formerLists, renamedParams } from '../../src/store/listRenames.ts';
import { RENAMES, type Rename } from '../../src/store/renames.ts';
import { emptyState, type State } from '../../src/store/State.ts';
import { transact } from '../../src/store/transaction.ts';
import { mutationMeta } from './rows.ts';

const path = 'https://api.test/articles/:slug';

/** A state in which an article has been renamed so many times, between two slugs. */
function renamedBackAndForth(times: number): State {
  return transact(emptyState(), (writer) => {
    for (let order = 1; order <= times; order++) {
      const [from, to] = order % 2 === 1 ? ['one', 'uno'] : ['uno', 'one'];
      const below = { path, was: { slug: from }, now: { slug: to } };
      const rename: Rename = {
        value: { table: 'Article', from, to, below },
        meta: mutationMeta(order, order),
      };
      writer.setRow(RENAMES, String(order), rename);
    }
  }).state;
}

it('a list has each former pk once, however often its parent was renamed back and forth', () => {
  const listOf = (slug: string): string => collectionPk({ slug }, `${path}/comments`);
  expect(formerLists(renamedBackAndForth(20), listOf('one'))).toEqual([listOf('uno')]);
  expect(formerLists(renamedBackAndForth(21), listOf('uno'))).toEqual([listOf('one')]);
});

it('a rename leaves a body alone whose objects have no text', () => {
  const below = { path, was: { slug: 'one' }, now: { slug: 'uno' } };
  const params = { slug: 'one', author: Object.create(null) as object };
  expect(renamedParams(params, `${path}/comments`, below)).toEqual({ ...params, slug: 'uno' });
});
