import { describe, expect, it } from '@jest/globals';
import { Delete, Entity } from 'holdfast';
import { queryKey } from '../../src/schema/queryKey.ts';

class User extends Entity {
  id = '';
}

describe('queryKey', () => {
  it('is what the args name, in the shape of the schema', () => {
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
    ['an object of which only a response can tell a part', { user: User, note: '' }],
    ['an object without fields', {}],
  ] as const)('is undefined for %s', (_, schema) => {
    expect(queryKey(schema, [{ id: 5 }])).toBeUndefined();
  });

  it('is undefined when the args name nothing', () => {
    expect(queryKey(User, [])).toBeUndefined();
    expect(queryKey({ user: User }, [{}])).toBeUndefined();
  });
});
