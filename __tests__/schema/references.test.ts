import { describe, expect, it } from '@jest/globals';
import { Delete, Entity, references, type Schema } from 'holdfast';
import { User } from '../support/entities.ts';

class Label extends Entity {
  id = '';
}
class Article extends Entity {
  id = '';
  static override schema = { author: User, labels: [Label], meta: { editor: User }, createdAt: Date };
}

function found(schema: Schema, value: unknown): string[] {
  const names: string[] = [];
  references(schema, value, (entity, pk) => names.push(`${entity.key} ${pk}`));
  return names;
}

describe('references', () => {
  it('names the rows that a result holds', () => {
    expect(found(Article, '1')).toEqual(['Article 1']);
    expect(found([Article], ['1', '2'])).toEqual(['Article 1', 'Article 2']);
    expect(
      found({ results: [Article], owner: User, next: '' }, { results: ['1'], owner: 'u', next: 'x' }),
    ).toEqual(['Article 1', 'User u']);
    expect(found([[User]], [['a'], ['b']])).toEqual(['User a', 'User b']);
  });

  it('names what a row refers to directly, given the schema of its fields', () => {
    const row = {
      id: '1',
      author: 'u',
      labels: ['a', 'b'],
      meta: { editor: 'e' },
      createdAt: 'x',
      title: 't',
    };
    expect(found(Article.schema, row)).toEqual(['User u', 'Label a', 'Label b', 'User e']);
  });

  it('names a deleted entity', () => {
    expect(found(new Delete(User), 'u')).toEqual(['User u']);
  });

  it('references skips nulls, absent fields and values of another shape', () => {
    expect(found(Article, null)).toEqual([]);
    expect(found([Article], 'text')).toEqual([]);
    expect(found([Article], [null, { id: 1 }, 5])).toEqual([]);
    expect(found(Article.schema, { labels: null, meta: 'text' })).toEqual([]);
    expect(found({ constructor: User }, {})).toEqual([]);
    expect(found(undefined, ['1'])).toEqual([]);
  });
});
