import { describe, expect, it } from '@jest/globals';
import { fixtureRows, withFixtures } from './rows/fixtures.ts';

describe('fixtures', () => {
  it.each(fixtureRows.map((row) => [row.title, row] as const))('%s', async (_, row) => {
    expect(await row.call(withFixtures(row))).toEqual(row.expected);
  });
});
