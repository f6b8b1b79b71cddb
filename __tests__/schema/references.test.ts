import { describe, expect, it } from '@jest/globals';
import { Delete, Entity, references, type Schema } from 'holdfast';
import { User } from '../support/entities.ts';

class Label extends Entity {
  id = '';
}
class ArticleWithNestedReferences extends Entity {
  id = '';
  static override key = 'Article';
  static override schema = { author: User, labels: [Label], meta: { editor: User }, createdAt: Date };
}

function found(schema: Schema, value: unknown): string[] {
  const names: string[] = [];
  references(schema, value, (entity, pk) => names.push(`${entity.key} ${pk}`));
  return names;
}

describe('references', () => {
  it('references lists the rows that a result contains', () => {
    expect(found(ArticleWithNestedReferences, '1')).toEqual(['Article 1']);
    expect(found([ArticleWithNestedReferences], ['1', '2'])).toEqual(['Article 1', 'Article 2']);
    expect(
      found(
        { results: [ArticleWithNestedReferences], owner: User, next: '' },
        { results: ['1'], owner: 'u', next: 'x' },
      ),
    ).toEqual(['Article 1', 'User u']);
    expect(found([[User]], [['a'], ['b']])).toEqual(['User a', 'User b']);
  });

  it('references lists the rows that a row refers to directly, given the schema of its fields', () => {
    const row = {
      id: '1',
      author: 'u',
      labels: ['a', 'b'],
      meta: { editor: 'e' },
      createdAt: 'x',
      title: 't',
    };
    expect(found(ArticleWithNestedReferences.schema, row)).toEqual([
      'User u',
      'Label a',
      'Label b',
      'User e',
    ]);
  });

  it('references lists a deleted entity', () => {
    expect(found(new Delete(User), 'u')).toEqual(['User u']);
  });

  it('references skips nulls, absent fields and values of another shape', () => {
    expect(found(ArticleWithNestedReferences, null)).toEqual([]);
    expect(found([ArticleWithNestedReferences], 'text')).toEqual([]);
    expect(found([ArticleWithNestedReferences], [null, { id: 1 }, 5])).toEqual([]);
    expect(found(ArticleWithNestedReferences.schema, { labels: null, meta: 'text' })).toEqual([]);
    expect(found({ constructor: User }, {})).toEqual([]);
    expect(found(undefined, ['1'])).toEqual([]);
  });
});
