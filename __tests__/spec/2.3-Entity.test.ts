import { describe, expect, it } from '@jest/globals';
import { Controller, Entity, RestEndpoint, validateRequired, type EntityValue, type Schema } from 'holdfast';
import { assertType, type Equal } from '../types/equal.ts';
import { baseUrl, startServer } from './server.ts';
import { failure } from '../support/failure.ts';
import { Log } from '../support/entities.ts';

const server = startServer();

class UserWithDefaults extends Entity {
  id = '';
  name = 'nobody';
  age = 0;
  isAdmin = false;
  tags: string[] = [];
  static override key = 'User';
}

/** The own fields of an instance, without its class. */
const fieldsOf = (instance: object) => Object.fromEntries(Object.entries(instance));

describe('2.3 fields', () => {
  it('default values of an entity fill in missing fields of a response', async () => {
    server.json('GET /user', { id: '1', age: 30 });
    const user = await new Controller().fetch(
      new RestEndpoint({ urlPrefix: baseUrl, path: '/user', schema: UserWithDefaults }),
    );
    expect(fieldsOf(user)).toEqual({ id: '1', name: 'nobody', age: 30, isAdmin: false, tags: [] });
  });

  it('each field of an entity has the type of its default', () => {
    const { name, age, isAdmin, tags } = UserWithDefaults.fromJS();
    assertType<Equal<typeof name, string>>();
    assertType<Equal<typeof age, number>>();
    assertType<Equal<typeof isAdmin, boolean>>();
    assertType<Equal<typeof tags, string[]>>();
    expect([name, age, isAdmin, tags]).toEqual(['nobody', 0, false, []]);
  });
});

describe('2.3 pk()', () => {
  class Slugged extends Entity {
    slug = '';
    override pk() {
      return this.slug;
    }
    static override key = 'Slugged';
  }
  class Numbered extends Entity {
    number = 0;
    override pk() {
      return this.number;
    }
    static override key = 'Numbered';
  }
  class Composite extends Entity {
    group = '';
    number = 0;
    override pk() {
      return `${this.group},${this.number}`;
    }
    static override key = 'Composite';
  }

  it.each([
    ['a string', Slugged, { slug: 'x' }, 'x'],
    ['a number', Numbered, { number: 5 }, '5'],
    ['made of several fields', Composite, { group: 'g', number: 5 }, 'g,5'],
  ])(
    'an entity is stored under the primary key that pk() returns: %s',
    async (_what, schema, response, pk) => {
      server.json('GET /one', response);
      const controller = new Controller();
      const endpoint = new RestEndpoint({ urlPrefix: baseUrl, path: '/one', schema });
      const one = await controller.fetch(endpoint);
      expect(controller.get<Schema>(schema, response)).toBe(one);
      expect(controller.getState().tables[schema.key]?.get(pk)?.value).toEqual(response);
    },
  );

  it('reading an entity whose pk() returns null causes an error', async () => {
    class Draft extends Entity {
      number: number | null = null;
      override pk() {
        return this.number;
      }
      static override key = 'Draft';
    }
    server.json('GET /draft', { number: null });
    const endpoint = new RestEndpoint({ urlPrefix: baseUrl, path: '/draft', schema: Draft });
    const error = await failure(new Controller().fetch(endpoint));
    expect(error).toMatchObject({ code: 'HF_PK_MISSING', message: expect.stringContaining('Draft') });
  });

  it('a class with neither pk() nor an id field is refused', async () => {
    class Keyless extends Entity {
      title = '';
      static override key = 'Keyless';
    }
    server.json('GET /keyless', { title: 'x' });
    const endpoint = new RestEndpoint({ urlPrefix: baseUrl, path: '/keyless', schema: Keyless });
    const error = await failure(new Controller().fetch(endpoint));
    expect(error).toMatchObject({ code: 'HF_PK_UNDEFINED', message: expect.stringContaining('Keyless') });
  });
});

describe('2.3 static key', () => {
  it('the static key names the table of the entity', async () => {
    class Car extends Entity {
      id = '';
      static override key = 'Vehicle';
    }
    server.json('GET /car', { id: '1' });
    const controller = new Controller();
    await controller.fetch(new RestEndpoint({ urlPrefix: baseUrl, path: '/car', schema: Car }));
    expect(Object.keys(controller.getState().tables)).toEqual(['Vehicle']);
  });

  it('an entity without a static key is stored in a table named after its class', async () => {
    class Boat extends Entity {
      id = '';
    }
    server.json('GET /boat', { id: '1' });
    const controller = new Controller();
    await controller.fetch(new RestEndpoint({ urlPrefix: baseUrl, path: '/boat', schema: Boat }));
    expect(Object.keys(controller.getState().tables)).toEqual(['Boat']);
  });

  it('two classes with the same key map to the same cached entity', async () => {
    class Name extends Entity {
      id = '';
      name = '';
      static override key = 'Person';
    }
    class Contact extends Entity {
      id = '';
      name = '';
      email = '';
      static override key = 'Person';
    }
    server.json('GET /name', { id: '1', name: 'Ann' });
    server.json('GET /contact', { id: '1', email: 'ann@example.com' });
    const controller = new Controller();
    await controller.fetch(new RestEndpoint({ urlPrefix: baseUrl, path: '/name', schema: Name }));
    const contact = await controller.fetch(
      new RestEndpoint({ urlPrefix: baseUrl, path: '/contact', schema: Contact }),
    );
    expect(contact).toEqual(Contact.fromJS({ id: '1', name: 'Ann', email: 'ann@example.com' }));
    controller.set(Contact, { id: '1' }, { name: 'Eve' });
    expect(controller.get(Name, { id: '1' })?.name).toBe('Eve');
  });
});

describe('2.3 static schema', () => {
  class Article extends Entity {
    id = '';
    author = UserWithDefaults.fromJS();
    reviewers: UserWithDefaults[] = [];
    createdAt = new Date(0);
    static override key = 'Article';
    static override schema = { author: UserWithDefaults, reviewers: [UserWithDefaults], createdAt: Date };
  }
  const getArticle = new RestEndpoint({ urlPrefix: baseUrl, path: '/article', schema: Article });
  const response = {
    id: '1',
    author: { id: 'u', name: 'Ann' },
    reviewers: [{ id: 'v', name: 'Bob' }, { id: 'u' }],
    createdAt: '2020-02-02T00:00:00.000Z',
  };
  const fetchArticle = () => {
    server.json('GET /article', response);
    return new Controller().fetch(getArticle);
  };

  it('the static schema maps a field to an Entity class', async () => {
    const { author } = await fetchArticle();
    expect(author).toBeInstanceOf(UserWithDefaults);
    expect(author.name).toBe('Ann');
  });

  it('the static schema maps a field to a list [Entity]', async () => {
    const { author, reviewers } = await fetchArticle();
    expect(reviewers.map(({ name }) => name)).toEqual(['Bob', 'Ann']);
    expect(reviewers[1]).toBe(author);
  });

  it('the static schema converts a field to a date', async () => {
    const { createdAt } = await fetchArticle();
    expect(createdAt).toEqual(new Date('2020-02-02T00:00:00.000Z'));
  });

  it('nested objects of an entity without a static schema are plain data', async () => {
    class Plain extends Entity {
      id = '';
      author: { readonly id?: string } = {};
      static override key = 'Plain';
    }
    server.json('GET /plain', { id: '1', author: { id: 'u' } });
    const controller = new Controller();
    const plain = await controller.fetch(
      new RestEndpoint({ urlPrefix: baseUrl, path: '/plain', schema: Plain }),
    );
    expect(plain.author).toEqual({ id: 'u' });
    expect(Object.keys(controller.getState().tables)).toEqual(['Plain']);
  });
});

describe('2.3 validate(processedEntity)', () => {
  class Checked extends Entity {
    id = '';
    title = '';
    body = '';
    static override key = 'Checked';
    static override validate(processed: EntityValue): string | undefined {
      return typeof processed['body'] === 'string' ? undefined : 'the body is missing';
    }
  }
  const getChecked = new RestEndpoint({ urlPrefix: baseUrl, path: '/checked/:id', schema: Checked });

  it('an entity is readable if validate returns nothing', async () => {
    server.json('GET /checked/1', { id: '1', body: 'text' });
    expect((await new Controller().fetch(getChecked, { id: '1' })).body).toBe('text');
  });

  it('an entity reads as missing if validate returns a truthy value', () => {
    const controller = new Controller();
    controller.set(Checked, { id: '1' }, { id: '1', title: 'only' });
    expect(controller.get(Checked, { id: '1' })).toBeUndefined();
    controller.set(Checked, { id: '1' }, { body: 'now' });
    expect(controller.get(Checked, { id: '1' })).toEqual(
      Checked.fromJS({ id: '1', title: 'only', body: 'now' }),
    );
  });

  it('validate receives the entity without defaults', async () => {
    const seen: EntityValue[] = [];
    class Watched extends Entity {
      id = '';
      title = 'default';
      static override key = 'Watched';
      static override validate(processed: EntityValue) {
        seen.push({ ...processed });
        return undefined;
      }
    }
    server.json('GET /watched', { id: '1' });
    await new Controller().fetch(new RestEndpoint({ urlPrefix: baseUrl, path: '/watched', schema: Watched }));
    expect(seen[0]).toEqual({ id: '1' });
  });

  it('validate can combine validateRequired with the validate of the base class', () => {
    class Whole extends Checked {
      note = '';
      static override key = 'Whole';
      static override validate(processed: EntityValue) {
        return validateRequired(processed, this.defaults) ?? super.validate(processed);
      }
    }
    expect(Whole.validate({ id: '1', title: '', body: '' })).toMatch('note');
    expect(Whole.validate({ id: '1', title: '', body: 5, note: '' })).toBe('the body is missing');
    expect(Whole.validate({ id: '1', title: '', body: '', note: '' })).toBeUndefined();
  });
});

describe('2.3 process(value, parent, key)', () => {
  it('process receives the value, parent and field of a nested entity, and returns what is stored', async () => {
    const calls: unknown[] = [];
    class Address extends Entity {
      id = '';
      street = '';
      of = '';
      static override key = 'Address';
      static override process(value: { street: string }, parent: { id: string }, key?: string) {
        calls.push([{ ...value }, parent.id, key]);
        return { ...value, street: value.street.toUpperCase(), of: parent.id };
      }
    }
    class Person extends Entity {
      id = '';
      home = Address.fromJS();
      static override key = 'Person';
      static override schema = { home: Address };
    }
    server.json('GET /person', { id: 'p', home: { id: 'a', street: 'Elm' } });
    const controller = new Controller();
    const person = await controller.fetch(
      new RestEndpoint({ urlPrefix: baseUrl, path: '/person', schema: Person }),
    );
    expect(calls).toEqual([[{ id: 'a', street: 'Elm' }, 'p', 'home']]);
    expect(person.home).toEqual(Address.fromJS({ id: 'a', street: 'ELM', of: 'p' }));
    expect(controller.getState().tables['Address']?.get('a')?.value).toEqual({
      id: 'a',
      street: 'ELM',
      of: 'p',
    });
  });
});

describe('2.3 merge(existing, incoming)', () => {
  const getThing = (schema: typeof Entity) =>
    new RestEndpoint({ urlPrefix: baseUrl, path: '/thing', schema });

  it('merge takes the incoming fields and keeps the other stored ones', async () => {
    class Thing extends Entity {
      id = '';
      a = 0;
      b = 0;
      static override key = 'Thing';
    }
    const controller = new Controller();
    server.json('GET /thing', { id: '1', a: 1, b: 1 });
    await controller.fetch(getThing(Thing));
    server.json('GET /thing', { id: '1', b: 2 });
    expect(await controller.fetch(getThing(Thing))).toEqual(Thing.fromJS({ id: '1', a: 1, b: 2 }));
  });

  it('an overridden merge can concatenate array fields', async () => {
    const controller = new Controller();
    server.json('GET /thing', { id: '1', lines: ['one'] });
    await controller.fetch(getThing(Log));
    server.json('GET /thing', { id: '1', lines: ['two', 'three'] });
    expect(await controller.fetch(getThing(Log))).toEqual(
      Log.fromJS({ id: '1', lines: ['one', 'two', 'three'] }),
    );
  });

  it('merge is called only if an entity with the same pk is stored', async () => {
    let calls = 0;
    class Counted extends Entity {
      id = '';
      static override key = 'Counted';
      static override merge(existing: EntityValue, incoming: EntityValue) {
        calls += 1;
        return super.merge(existing, incoming);
      }
    }
    const controller = new Controller();
    for (const [id, expected] of [
      ['1', 0],
      ['2', 0],
      ['1', 1],
    ] as const) {
      server.json('GET /thing', { id });
      await controller.fetch(getThing(Counted));
      expect(calls).toBe(expected);
    }
  });
});

describe('2.3 fromJS(obj)', () => {
  it.each([
    ['no argument', () => UserWithDefaults.fromJS()] as const,
    ['an empty object', () => UserWithDefaults.fromJS({})] as const,
  ])('fromJS returns an instance with default values for %s', (_what, make) => {
    const user = make();
    expect(user).toBeInstanceOf(UserWithDefaults);
    expect(fieldsOf(user)).toEqual({ id: '', name: 'nobody', age: 0, isAdmin: false, tags: [] });
  });

  it('fromJS returns an instance with the given fields', () => {
    const user = UserWithDefaults.fromJS({ id: '1', name: 'Ann' });
    expect(user).toBeInstanceOf(UserWithDefaults);
    expect([user.id, user.name, user.age, user.pk()]).toEqual(['1', 'Ann', 0, '1']);
  });
});
