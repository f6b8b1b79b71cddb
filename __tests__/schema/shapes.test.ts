import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  ArraySchema,
  Controller,
  Delete,
  Endpoint,
  Entity,
  references,
  Union,
  Values,
  type Schema,
} from 'holdfast';
import { normalize } from '../../src/schema/normalize.ts';
import { shapeOf } from '../../src/schema/shapeOf.ts';

class TypedArticle extends Entity {
  id = '';
  type = 'article';
  title = '';
  static override key = 'Article';
}
class TypedVideo extends Entity {
  id = '';
  type = 'video';
  length = 0;
  static override key = 'Video';
}
const Item = new Union({ article: TypedArticle, video: TypedVideo }, 'type');

/** What a response reads as through a schema, and again after another write. */
function reader(schema: Schema) {
  const controller = new Controller();
  const endpoint = new Endpoint(() => Promise.resolve(), { name: 'get', schema });
  return {
    controller,
    store: (response: unknown) => {
      controller.setResponse(endpoint, response);
    },
    read: (): unknown => controller.getResponse(endpoint).data,
  };
}

describe('ArraySchema', () => {
  it('ArraySchema equals a list in brackets', () => {
    const { controller, store, read } = reader(new ArraySchema(TypedArticle));
    store([{ id: 1, title: 'one' }, { id: 2 }]);
    const list = read() as TypedArticle[];
    expect(list.map(({ title }) => title)).toEqual(['one', '']);
    expect(list[0]).toBe(controller.get(TypedArticle, { id: 1 }));
    expect(list[0]).toBeInstanceOf(TypedArticle);
    expect(shapeOf(new ArraySchema(TypedArticle))).toBe(shapeOf([TypedArticle]));
  });

  it('ArraySchema refuses values that are no list', () => {
    expect(() => normalize(new ArraySchema(TypedArticle), { id: 1 })).toThrow('should be a list');
  });
});

describe('Values', () => {
  it('Values keeps the keys and denormalizes the values', () => {
    const { controller, store, read } = reader(new Values(TypedArticle));
    store({ a: { id: 1, title: 'one' }, b: { id: 2 }, none: null });
    const map = read() as Record<string, TypedArticle | null>;
    expect(Object.keys(map)).toEqual(['a', 'b']);
    expect(map['a']).toBe(controller.get(TypedArticle, { id: 1 }));
  });

  it('Values treats any key as data', () => {
    const response: unknown = JSON.parse(
      '{ "__proto__": { "id": 1 }, "constructor": { "id": 2 }, "🙂": { "id": 3 } }',
    );
    const { store, read } = reader({ map: new Values(TypedArticle) });
    store({ map: response });
    const { map } = read() as { map: Record<string, TypedArticle> };
    expect(Object.entries(map).map(([key, { id }]) => [key, id])).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
      ['🙂', 3],
    ]);
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
  });

  it('Values passes the map and the key to pk() and process() for a whole response, and otherwise its field', () => {
    class Rate extends Entity {
      currency = '';
      static override key = 'Rate';
      override pk(_parent?: unknown, key?: string): string | undefined {
        return key;
      }
      static override process(input: object, parent: object, key: string): object {
        return { ...input, currency: key, beside: Object.keys(parent) };
      }
    }
    const whole = reader(new Values(Rate));
    whole.store({ EUR: {}, USD: {} });
    expect(whole.read()).toEqual({
      EUR: { currency: 'EUR', beside: ['EUR', 'USD'] },
      USD: { currency: 'USD', beside: ['EUR', 'USD'] },
    });
    const field = reader({ rates: new Values(Rate), day: '' });
    field.store({ rates: { EUR: {} }, day: 'today' });
    expect(field.read()).toMatchObject({ rates: { EUR: { currency: 'rates', beside: ['rates', 'day'] } } });
  });

  it('Values leaves out missing members', () => {
    class Complete extends TypedArticle {
      static override validate({ title }: Readonly<Record<string, unknown>>): string | undefined {
        return title === undefined ? 'no title' : undefined;
      }
    }
    const { store, read } = reader(new Values(Complete));
    store({ a: { id: 1, title: 'one' }, b: { id: 2 } });
    expect(Object.keys(read() as object)).toEqual(['a']);
  });

  it('members of a Values map receive the parent and field of the map, and errors name their key', () => {
    const seen: unknown[] = [];
    class Child extends Entity {
      id = '';
      static override process(input: object, parent: unknown, key: string): object {
        seen.push([(parent as { id: number }).id, key]);
        return { ...input };
      }
    }
    class Parent extends Entity {
      id = 0;
      static override schema = { children: new Values(Child) };
    }
    normalize(Parent, { id: 7, children: { a: { id: 1 }, b: { id: 2 } } });
    expect(seen).toEqual([
      [7, 'children'],
      [7, 'children'],
    ]);
    expect(() => normalize(new Values(TypedArticle), { a: { title: 'x' } })).toThrow('a in the response');
    expect(() => normalize(new Values(TypedArticle), [])).toThrow('should be an object of values');
  });

  it('references lists the entities in a Values map', () => {
    const found: string[] = [];
    references(new Values([TypedArticle]), { a: ['1', '2'], b: ['3'] }, (entity, pk) =>
      found.push(entity.key + pk),
    );
    expect(found).toEqual(['Article1', 'Article2', 'Article3']);
  });
});

describe('Union', () => {
  const warn = jest.fn();
  beforeEach(() => {
    warn.mockClear();
    jest.spyOn(console, 'warn').mockImplementation(warn);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('a Union denormalizes one value, a list and a map, each value by its own class', () => {
    const { controller, store, read } = reader({ one: Item, list: [Item], map: new Values(Item) });
    const [article, video] = [
      { id: 1, type: 'article', title: 'one' },
      { id: 1, type: 'video', length: 9 },
    ];
    store({ one: video, list: [article, video], map: { v: video, a: article } });
    const first = controller.get(TypedArticle, { id: 1 });
    const second = controller.get(TypedVideo, { id: 1 });
    expect(first).toBeInstanceOf(TypedArticle);
    expect(second?.length).toBe(9);
    const data = read() as { one: unknown; list: unknown[]; map: Record<string, unknown> };
    expect(data.one).toBe(second);
    expect(data.list[0]).toBe(first);
    expect(data.list[1]).toBe(second);
    expect(data.map).toEqual({ v: second, a: first });
    expect(warn).not.toHaveBeenCalled();
  });

  it('a Union can discriminate by a function', () => {
    const byLength = new Union({ article: TypedArticle, video: TypedVideo }, (value) =>
      'length' in value ? 'video' : 'article',
    );
    const { entities } = normalize([byLength], [{ id: 1, length: 5 }, { id: 2 }]);
    expect([...entities.keys()]).toEqual(['Video', 'Article']);
  });

  it('the function of a Union may read what args and the response of a delete lack', async () => {
    const byKind = new Union(
      { article: TypedArticle, video: TypedVideo },
      ({ meta }) => (meta as { kind: string }).kind,
    );
    const controller = new Controller();
    const get = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id, meta: { kind: 'video' } }), {
      name: 'getOfKind',
      schema: byKind,
    });
    expect(controller.getResponse(get, { id: '1' }).data).toBeUndefined();
    expect(controller.get(byKind, { id: '1' })).toBeUndefined();
    expect(await controller.fetch(get, { id: '1' })).toBeInstanceOf(TypedVideo);
    const remove = new Endpoint(({ id }: { id: string }) => Promise.resolve({ id }), {
      name: 'removeOfKind',
      schema: new Delete(byKind),
      sideEffect: true,
    });
    await controller.fetch(remove, { id: '1' });
    expect(controller.get(TypedVideo, { id: '1' })).toBeUndefined();
    // An error for a response is reported to the caller.
    expect(() => {
      controller.setResponse(get, { id: '1' }, { id: '1' });
    }).toThrow(TypeError);
  });

  it('a Union keeps values of unknown type as they arrived, and warns', () => {
    const { store, read } = reader([Item]);
    const unknown = { id: 3, type: 'podcast', pk: '3' };
    store([unknown, 'text', { id: 1, type: 'article' }, { id: 4, type: 'constructor' }]);
    expect((read() as unknown[]).slice(0, 2)).toEqual([unknown, 'text']);
    expect((read() as unknown[])[2]).toBeInstanceOf(TypedArticle);
    expect(warn).toHaveBeenCalledTimes(3);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('(HF_UNION_TYPE)'));
  });

  it('a list of a Union returns changed members as new objects and keeps the others', () => {
    const { controller, store, read } = reader([Item]);
    store([
      { id: 1, type: 'article' },
      { id: 2, type: 'video' },
    ]);
    const before = read() as unknown[];
    controller.set(TypedArticle, { id: 1 }, { title: 'new' });
    expect(read()).toEqual([expect.objectContaining({ title: 'new' }), before[1]]);
    expect((read() as unknown[])[1]).toBe(before[1]);
  });

  it('a Union stays intact when a recipe changes the row that contains it', () => {
    class Post extends Entity {
      id = '';
      subject: TypedArticle | TypedVideo = TypedArticle.fromJS();
      votes = 0;
      static override key = 'Post';
      static override schema = { subject: Item };
    }
    const { controller, store } = reader(Post);
    store({ id: 1, subject: { id: 2, type: 'video' } });
    controller.set(Post, { id: 1 }, (draft) => {
      draft.votes = 1;
    });
    expect(controller.get(Post, { id: 1 })).toMatchObject({ votes: 1, subject: { id: 2 } });
    expect(controller.get(Post, { id: 1 })?.subject).toBe(controller.get(TypedVideo, { id: 2 }));
    controller.set(Post, { id: 1 }, (draft) => {
      draft.subject = TypedArticle.fromJS({ id: '9', type: 'article', title: 'nine' });
    });
    expect(controller.get(Post, { id: 1 })?.subject).toBe(controller.get(TypedArticle, { id: 9 }));
  });

  it('a Union can be read by args, and references lists the entities in it', () => {
    const { controller, store } = reader([Item]);
    store([{ id: 1, type: 'article' }]);
    expect(controller.get(Item, { id: 1, type: 'article' })).toBe(controller.get(TypedArticle, { id: 1 }));
    expect(controller.get(Item, { id: 1 })).toBeUndefined();
    const found: string[] = [];
    const { result } = normalize([Item], [{ id: 1, type: 'article' }]);
    references([Item], result, (entity, pk) => found.push(entity.key + pk));
    expect(found).toEqual(['Article1']);
  });
});
