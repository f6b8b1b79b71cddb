import { describe, expect, it } from '@jest/globals';
import { Controller, Entity } from 'holdfast';
import { ArraySchema } from '../../src/schema/ArraySchema.ts';
import { collectionRow } from '../../src/schema/collection/CollectionRow.ts';
import { EntityRegistry } from '../../src/store/EntityRegistry.ts';

/** Two unrelated classes of one name, as two modules may have them. */
function sameName(): readonly [typeof Entity, typeof Entity] {
  const first = class User extends Entity {
    id = '';
  };
  const second = class User extends Entity {
    id = '';
  };
  return [first, second];
}

describe('EntityRegistry', () => {
  it('EntityRegistry lists the classes of a table in the order of their registration', () => {
    class Article extends Entity {
      static override key = 'Article';
    }
    class SummaryWithoutFields extends Entity {
      static override key = 'Article';
    }
    const registry = new EntityRegistry();
    registry.add(SummaryWithoutFields);
    registry.add(Article);
    registry.add(SummaryWithoutFields);
    expect(registry.of('Article')).toEqual([SummaryWithoutFields, Article]);
    expect(registry.of('Other')).toEqual([]);
  });

  it('EntityRegistry refuses two unrelated classes that share a key by their name alone', () => {
    const [first, second] = sameName();
    const registry = new EntityRegistry();
    registry.add(first);
    expect(() => registry.add(second)).toThrow(
      expect.objectContaining({ code: 'HF_KEY_COLLISION', message: expect.stringContaining('User') }),
    );
    expect(registry.of('User')).toEqual([first]);
  });

  it.each(['["x","y"]', '[Article]', '{Article}'])(
    'EntityRegistry refuses the key %s, which names a table of lists',
    (key) => {
      class Listed extends Entity {
        id = '';
        static override key = key;
      }
      const registry = new EntityRegistry();
      const refusal = { code: 'HF_KEY_COLLISION', message: expect.stringContaining(key) };
      expect(() => registry.add(Listed)).toThrow(expect.objectContaining(refusal));
      expect(registry.of(key)).toEqual([]);
      expect(() => new Controller().set(Listed, { id: 'a' }, { id: 'a' })).toThrow(
        expect.objectContaining(refusal),
      );
    },
  );

  it('EntityRegistry refuses the key of a table of lists although such a list is registered', () => {
    class Article extends Entity {
      id = '';
      static override key = 'Article';
    }
    class Listed extends Entity {
      static override key = '[Article]';
    }
    const registry = new EntityRegistry();
    registry.add(collectionRow(new ArraySchema(Article)));
    expect(() => registry.add(Listed)).toThrow(expect.objectContaining({ code: 'HF_KEY_COLLISION' }));
  });

  it('EntityRegistry accepts a class that extends another of its name', () => {
    const [first] = sameName();
    const second = class User extends first {};
    for (const classes of [
      [first, second],
      [second, first],
    ] as const) {
      const registry = new EntityRegistry();
      for (const entity of classes) registry.add(entity);
      expect(registry.of('User')).toHaveLength(2);
    }
  });

  it('EntityRegistry accepts classes with explicit keys', () => {
    const [first, second] = sameName();
    second.key = 'User';
    const registry = new EntityRegistry();
    registry.add(first);
    registry.add(second);
    expect(registry.of('User')).toEqual([first, second]);
  });

  it('EntityRegistry accepts hostile keys', () => {
    class Hostile extends Entity {
      static override key = '__proto__';
    }
    const registry = new EntityRegistry();
    expect(registry.of('__proto__')).toEqual([]);
    registry.add(Hostile);
    expect(registry.of('__proto__')).toEqual([Hostile]);
  });
});
