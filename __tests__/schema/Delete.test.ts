import { describe, expect, it } from '@jest/globals';
import { Controller, Delete, Endpoint, Entity, Invalidate, Union } from 'holdfast';
import { normalize } from '../../src/schema/normalize.ts';
import { deepFreeze } from './deepFreeze.ts';
import { Article, Video } from '../support/entities.ts';

const schema = new Delete(Article);

/** The pks that a response marks as deleted, and those that it brings. */
function found(input: unknown, of: Parameters<typeof normalize>[0] = schema): unknown {
  const rows = [...(normalize(of, input).entities.get('Article')?.values() ?? [])];
  return {
    deleted: rows.filter(({ value }) => value === undefined).map(({ pk }) => pk),
    stored: rows.filter(({ value }) => value !== undefined).map(({ pk }) => pk),
  };
}

describe('Delete', () => {
  it('Delete is also exported as Invalidate', () => {
    expect(Invalidate).toBe(Delete);
  });

  it.each([{ id: 5, title: 'gone' }, { id: '5' }, '5', 5])(
    'Delete marks the entity that %p identifies as deleted',
    (input) => {
      expect(found(deepFreeze(input))).toEqual({ deleted: ['5'], stored: [] });
    },
  );

  it('Delete works inside lists and plain objects', () => {
    expect(found([{ id: 1 }, '2'], [schema])).toEqual({ deleted: ['1', '2'], stored: [] });
    expect(found({ removed: 1, left: [{ id: 2 }] }, { removed: schema, left: [Article] })).toEqual({
      deleted: ['1'],
      stored: ['2'],
    });
  });

  it.each([
    ['as the response has it, if it is the whole response', schema, { id: 1 }, { id: 1 }],
    ['as undefined in a list', [schema], [{ id: 1 }, '2'], [undefined, undefined]],
    ['as undefined in a field of an object', { removed: schema, n: 0 }, { removed: '1', n: 1 }, { n: 1 }],
  ])('fetch resolves with a deleted entity %s', async (_, of, response, given) => {
    const controller = new Controller();
    controller.set(Article, { id: '1' }, { title: 'gone' });
    const remove = new Endpoint(async (): Promise<unknown> => response, {
      name: 'remove',
      schema: of,
      sideEffect: true,
    });
    expect(await controller.fetch(remove)).toEqual(given);
    expect(controller.get(Article, { id: '1' })).toBeUndefined();
  });

  it('the last occurrence of a deleted entity in a response wins', () => {
    expect(found({ removed: 1, left: [{ id: 1 }] }, { removed: schema, left: [Article] })).toEqual({
      deleted: [],
      stored: ['1'],
    });
    expect(found({ left: [{ id: 1 }], removed: 1 }, { left: [Article], removed: schema })).toEqual({
      deleted: ['1'],
      stored: [],
    });
  });

  it('Delete uses process() and pk() of the class', () => {
    class Slugged extends Entity {
      slug = '';
      override pk(): string {
        return this.slug;
      }
      static override key = 'Article';
      static override process(input: { title: string }): object {
        return { slug: input.title.toLowerCase() };
      }
    }
    expect(found({ title: 'ONE' }, new Delete(Slugged))).toEqual({ deleted: ['one'], stored: [] });
  });

  it('Delete in a union deletes the entity of the discriminated class, or of any class with its pk', () => {
    class Post extends Entity {
      id = '';
      static override key = 'Post';
    }
    const item = new Delete(new Union({ post: Post, video: Video }, ({ type }) => type));
    const deleted = (input: unknown): unknown =>
      [...normalize(item, input).entities].map(([table, rows]) => [table, ...rows.keys()]);
    expect(deleted({ id: 5, type: 'video' })).toEqual([['Video', '5']]);
    const both = [
      ['Post', '5'],
      ['Video', '5'],
    ];
    expect([deleted({ id: 5 }), deleted('5')]).toEqual([both, both]);
    expect(() => normalize(item, true)).toThrow('(HF_SHAPE)');
  });

  it('Delete of a union deletes nothing for a value of a type that the union does not list', async () => {
    const controller = new Controller();
    controller.set(Article, { id: '5' }, { title: 'kept' });
    const answer = { id: '5', type: 'poll' };
    const remove = new Endpoint(async () => answer, {
      name: 'remove',
      schema: new Delete(new Union({ article: Article, video: Video }, ({ type }) => type)),
      sideEffect: true,
    });
    expect(await controller.fetch(remove)).toEqual(answer);
    expect(controller.get(Article, { id: '5' })?.title).toBe('kept');
  });

  it.each([[[]], [[{ id: 1 }]], [true]])('Delete refuses %p', (input) => {
    expect(() => normalize(schema, input, [], 'remove')).toThrow(
      expect.objectContaining({ code: 'HF_SHAPE', message: expect.stringMatching(/remove.*Article/) }),
    );
  });
});
