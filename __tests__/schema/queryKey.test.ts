import { describe, expect, it } from '@jest/globals';
import { Collection, Delete } from 'holdfast';
import { queryKey } from '../../src/schema/query/queryKey.ts';
import { User } from '../support/entities.ts';

describe('queryKey', () => {
  it('queryKey returns the entities that the args identify, in the shape of the schema', () => {
    expect(queryKey(User, [{ id: 5 }])).toBe('5');
    expect(queryKey({ user: User, self: User }, [{ id: 5 }])).toEqual({ user: '5', self: '5' });
    expect(queryKey({ data: { user: User } }, [{ id: 5 }])).toEqual({ data: { user: '5' } });
  });

  it.each([
    ['a list', [User]],
    ['a converter', Date],
    ['a deletion', new Delete(User)],
    ['no schema', undefined],
    ['an object without entities', { next: '', at: Date }],
    ['an object with a member whose type only a response shows', { user: User, note: undefined }],
    ['a list with a cursor beside it', { users: new Collection([User]), next: '' }],
    ['a list with a cursor one level away', { page: { users: new Collection([User]) }, next: { page: 0 } }],
    ['an object without fields', {}],
  ] as const)('queryKey is undefined for %s', (_, schema) => {
    expect(queryKey(schema, [{ id: 5 }])).toBeUndefined();
  });

  it('queryKey has the declared values of plain members beside an entity', () => {
    const schema = { data: User, next: '', count: 0, isLast: false, note: null, links: { next: '' } };
    expect(queryKey(schema, [{ id: 5 }])).toEqual({ ...schema, data: '5' });
    expect(queryKey({ page: { data: User }, next: '' }, [{ id: 5 }])).toEqual({
      page: { data: '5' },
      next: '',
    });
  });

  it('queryKey is undefined when the args identify no entity', () => {
    expect(queryKey(User, [])).toBeUndefined();
    expect(queryKey({ user: User }, [{}])).toBeUndefined();
    expect(queryKey({ user: User, next: '' }, [{}])).toBeUndefined();
  });
});
