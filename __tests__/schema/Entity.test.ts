import { describe, expect, it } from '@jest/globals';
import { Controller, Entity, EntityMixin, hasOwnKey, validateRequired } from 'holdfast';

class User extends Entity {
  id = '';
  name = '';
  isAdmin = false;
}

describe('Entity.pk', () => {
  it('Entity.pk defaults to the id, as a string', () => {
    expect(User.pk({ id: 'a' })).toBe('a');
    expect(User.pk({ id: 1 })).toBe('1');
    expect(User.pk({ id: 0 })).toBe('0');
    expect(User.pk({ id: 10n })).toBe('10');
  });

  it.each([undefined, null, '', 'undefined', 'NaN', NaN])(
    'Entity.pk returns undefined for an id of %p',
    (id) => {
      expect(User.pk({ id })).toBeUndefined();
    },
  );

  it('Entity.pk returns undefined when the value has no id, whatever the default of the class', () => {
    class Draft extends Entity {
      id = 'unsaved';
    }
    expect(Draft.pk({ title: 'x' })).toBeUndefined();
  });

  it('Entity.pk finds an id that the class does not declare', () => {
    class Loose extends Entity {}
    expect(Loose.pk({ id: 7 })).toBe('7');
  });

  it('Entity.pk throws for a class with neither id nor pk()', () => {
    class Nameless extends Entity {
      title = '';
    }
    expect(() => Nameless.pk({ title: 'x' })).toThrow(
      expect.objectContaining({ code: 'HF_PK_UNDEFINED', message: expect.stringContaining('Nameless') }),
    );
  });

  it('Entity.pk accepts an id that is a getter', () => {
    class Slugged extends Entity {
      slug = '';
      get id(): string {
        return `slug:${this.slug}`;
      }
    }
    expect(Slugged.pk({ slug: 'x' })).toBe('slug:x');
  });

  it('pk() can combine several fields, the parent, the key and the args', () => {
    class Vote extends Entity {
      articleId = '';
      user = '';
      override pk(parent?: unknown, key?: string, args?: readonly unknown[]): string {
        return JSON.stringify([this.articleId, this.user, parent, key, args]);
      }
    }
    expect(Vote.pk({ articleId: 'a', user: 'u' }, { id: 'p' }, 'votes', [{ page: 1 }])).toBe(
      '["a","u",{"id":"p"},"votes",[{"page":1}]]',
    );
  });

  it('pk() can use getters and methods of its class and of the base classes', () => {
    abstract class Base extends Entity {
      group = '';
      get scope(): string {
        return `g:${this.group}`;
      }
    }
    class Member extends Base {
      nick = '';
      lower(): string {
        return this.nick.toLowerCase();
      }
      override pk(): string {
        return `${this.scope}/${this.lower()}`;
      }
    }
    expect(Member.pk({ group: 'x', nick: 'ANN' })).toBe('g:x/ann');
  });

  it('pk() receives the value without defaults', () => {
    class Item extends Entity {
      id = 'default';
      kind = 'default';
      get label(): string {
        return this.kind;
      }
      override pk(): string {
        return this.label;
      }
    }
    expect(Item.pk({ id: '1' })).toBeUndefined();
    expect(Item.pk({ id: '1', kind: 'k' })).toBe('k');
  });

  it('Entity.pk calls the pk() of the class even if the data has a field pk', () => {
    expect(User.pk({ id: '1', pk: 'data' })).toBe('1');
  });

  it('instances have a pk() method', () => {
    expect(User.fromJS({ id: '5' }).pk()).toBe('5');
  });
});

describe('Entity.key', () => {
  it('Entity.key defaults to the name of each class', () => {
    class Admin extends User {}
    expect(User.key).toBe('User');
    expect(Admin.key).toBe('Admin');
    expect(hasOwnKey(User)).toBe(false);
    expect(hasOwnKey(Admin)).toBe(false);
  });

  it('a class without a name needs a key', () => {
    const nameless = (): typeof Entity => class extends Entity {};
    const mixed = EntityMixin(
      class {
        id = '';
      },
    );
    expect(() => nameless().key).toThrow('(HF_KEY_DEFAULTED)');
    expect(() => mixed.key).toThrow('(HF_KEY_DEFAULTED)');
  });

  it('subclasses inherit a key that a class declares', () => {
    class Article extends Entity {
      static override key = 'articles';
    }
    class ArticleDetail extends Article {}
    class Renamed extends Article {
      static override key = 'renamed';
    }
    expect(Article.key).toBe('articles');
    expect(ArticleDetail.key).toBe('articles');
    expect(Renamed.key).toBe('renamed');
    expect(hasOwnKey(ArticleDetail)).toBe(true);
    expect(Entity.key).toBe('Entity');
  });

  it('Entity.key can be a getter', () => {
    class Article extends Entity {
      static override get key(): string {
        return 'computed';
      }
    }
    expect(Article.key).toBe('computed');
    expect(hasOwnKey(Article)).toBe(true);
  });

  it('Entity.key can be assigned, as compilers with set semantics do for static fields', () => {
    class Article extends Entity {}
    class Detail extends Article {}
    class Other extends Article {}
    Article.key = 'assigned';
    expect(Article.key).toBe('assigned');
    expect(Detail.key).toBe('assigned');
    Detail.key = 'detail';
    expect([Article.key, Detail.key, Other.key, Entity.key]).toEqual([
      'assigned',
      'detail',
      'assigned',
      'Entity',
    ]);
    expect(hasOwnKey(Detail)).toBe(true);
  });
});

describe('Entity.defaults', () => {
  it('Entity.defaults contains the values of all fields, inherited ones included', () => {
    class Admin extends User {
      rights: string[] = ['read'];
    }
    expect(Admin.defaults).toEqual({ id: '', name: '', isAdmin: false, rights: ['read'] });
    expect(User.defaults).toEqual({ id: '', name: '', isAdmin: false });
  });

  it('Entity.defaults is frozen', () => {
    expect(Object.isFrozen(User.defaults)).toBe(true);
  });
});

describe('Entity.fromJS', () => {
  it('fromJS returns only defaults without an argument and for an empty object', () => {
    expect(User.fromJS()).toEqual({ id: '', name: '', isAdmin: false });
    expect(User.fromJS({})).toEqual({ id: '', name: '', isAdmin: false });
    expect(User.fromJS()).toBeInstanceOf(User);
  });

  it('fromJS fills in fields that are not given', () => {
    expect(User.fromJS({ name: 'Ann' })).toEqual({ id: '', name: 'Ann', isAdmin: false });
  });

  it('fromJS prefers given data to class fields, also to those of subclasses', () => {
    class Admin extends User {
      override name = 'root';
      override isAdmin = true;
    }
    expect(Admin.fromJS({ name: 'Ann', isAdmin: false })).toEqual({ id: '', name: 'Ann', isAdmin: false });
  });

  it('fromJS keeps falsy data', () => {
    class Thing extends Entity {
      id = 'x';
      count = 5;
      note: string | null = 'n';
      on = true;
    }
    expect(Thing.fromJS({ id: '', count: 0, note: null, on: false })).toEqual({
      id: '',
      count: 0,
      note: null,
      on: false,
    });
  });

  it('fromJS keeps fields that the class does not declare', () => {
    // @ts-expect-error the class does not declare it
    expect(User.fromJS({ extra: 1 })).toHaveProperty('extra', 1);
  });

  it('fromJS gives each instance its own defaults', () => {
    class Tagged extends Entity {
      id = '';
      tags: string[] = [];
    }
    Tagged.fromJS().tags.push('a');
    expect(Tagged.fromJS().tags).toEqual([]);
    expect(Tagged.defaults.tags).toEqual([]);
  });

  it('fromJS does not change its argument', () => {
    const props = Object.freeze({ id: '1', name: 'Ann' });
    const user = User.fromJS(props);
    expect(user).not.toBe(props);
    expect(props).toEqual({ id: '1', name: 'Ann' });
  });
});

describe('an instance', () => {
  class Article extends Entity {
    id = '';
    title = '';
    get shout(): string {
      return this.title.toUpperCase();
    }
    get slug(): string {
      return `#${this.title}`;
    }
    set slug(value: string) {
      this.title = value;
    }
    length(): number {
      return this.title.length;
    }
  }

  it('an instance has the getters and methods of its class', () => {
    const article = Article.fromJS({ title: 'one' });
    expect(article.shout).toBe('ONE');
    expect(article.length()).toBe(3);
  });

  it('an instance keeps its methods, getters and setters if the data has a field of the same name', () => {
    const data: object = { id: '1', title: 'one', length: 7, shout: 'data', slug: 'data', pk: 'data' };
    const article = Article.fromJS(data);
    expect(article.length()).toBe(3);
    expect(article.shout).toBe('ONE');
    expect(article.title).toBe('one');
    expect(article.pk()).toBe('1');
  });

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'toLocaleString'])(
    'a data field %s does not break an instance',
    (field) => {
      const article = Article.fromJS({ title: 'one', [field]: 'data' });
      expect(article.constructor).toBe(Article);
      const anything: unknown = article;
      expect(String(anything)).toBe('[object Object]');
      expect(Object.hasOwn(article, field)).toBe(false);
    },
  );

  it('an instance keeps its class if the data has a field __proto__', () => {
    // JSON.parse makes an own field of it; object literals would set the prototype.
    const hostile = JSON.parse('{ "title": "one", "__proto__": { "isAdmin": true } }') as Record<
      string,
      unknown
    >; // the text above
    const article = Article.fromJS(hostile);
    expect(article).toBeInstanceOf(Article);
    expect(Object.getPrototypeOf(article)).toBe(Article.prototype);
    expect('isAdmin' in article).toBe(false);
    expect('isAdmin' in {}).toBe(false);
  });

  it('data fills a declared field that is named like a member of Object', () => {
    class Odd extends Entity {
      id = '';
      override toString = 'default';
    }
    expect(Odd.fromJS({ toString: 'data' })).toHaveProperty('toString', 'data');
  });

  it('data replaces the default of a field that holds a function', () => {
    class WithHandler extends Entity {
      id = '';
      format: unknown = () => 'default';
    }
    expect(WithHandler.fromJS({ format: 'data' }).format).toBe('data');
  });
});

describe('merging', () => {
  const older = { requestedAt: 0, receivedAt: 0, expiresAt: 0, order: 1, answered: 0 };
  const newer = { ...older, order: 2 };

  it('Entity.merge takes the incoming fields and keeps the others', () => {
    expect(User.merge({ id: '1', name: 'Ann', age: 3 }, { id: '1', name: 'Bea' })).toEqual({
      id: '1',
      name: 'Bea',
      age: 3,
    });
  });

  it('the store fills in missing fields from an older incoming value', () => {
    expect(User.mergeWithStore(older, newer, { name: 'stored' }, { name: 'incoming' })).toEqual({
      name: 'incoming',
    });
    expect(User.mergeWithStore(newer, older, { name: 'stored' }, { name: 'incoming', age: 3 })).toEqual({
      name: 'stored',
      age: 3,
    });
  });

  it('the store ignores an incoming value if shouldUpdate returns false', () => {
    class Versioned extends Entity {
      id = '';
      version = 0;
      static override shouldUpdate(
        _existingMeta: unknown,
        _incomingMeta: unknown,
        existing: { version?: number },
        incoming: { version?: number },
      ): boolean {
        return (incoming.version ?? 0) > (existing.version ?? 0);
      }
    }
    const stored = { id: '1', version: 5, title: 'stored' };
    expect(Versioned.mergeWithStore(older, newer, stored, { id: '1', version: 4, title: 'late' })).toBe(
      stored,
    );
    expect(Versioned.mergeWithStore(older, newer, stored, { id: '1', version: 6 })).toEqual({
      id: '1',
      version: 6,
      title: 'stored',
    });
  });

  it('the store reverses the merge if shouldReorder returns true', () => {
    class FirstWins extends Entity {
      id = '';
      static override shouldReorder(): boolean {
        return true;
      }
    }
    expect(FirstWins.mergeWithStore(older, newer, { title: 'first' }, { title: 'second', more: 1 })).toEqual({
      title: 'first',
      more: 1,
    });
  });

  it('the store uses an overridden merge, in the order of shouldReorder', () => {
    class Log extends Entity {
      id = '';
      static override merge(
        existing: { lines: string[] },
        incoming: { lines: string[] },
      ): Record<string, unknown> {
        return { ...existing, ...incoming, lines: [...existing.lines, ...incoming.lines] };
      }
    }
    expect(Log.mergeWithStore(older, newer, { lines: ['a'] }, { lines: ['b'] })).toEqual({
      lines: ['a', 'b'],
    });
    expect(Log.mergeWithStore(newer, older, { lines: ['a'] }, { lines: ['b'] })).toEqual({
      lines: ['b', 'a'],
    });
  });

  it.each([undefined, null, 'text'])('a merge that returns %p is an error, and the row stays', (merged) => {
    class Careless extends Entity {
      id = '';
      title = '';
      static override merge(): Record<string, unknown> {
        return merged as never; // as in plain JavaScript
      }
    }
    const careless = expect.objectContaining({
      code: 'HF_PROCESS',
      message: expect.stringContaining('Careless.merge() returned') as unknown,
    });
    const controller = new Controller();
    const stored = { id: '1', title: 'stored' };
    controller.set(Careless, { id: '1' }, stored);
    const set = (): void => controller.set(Careless, { id: '1' }, { id: '1', title: 'changed' });
    expect(set).toThrow(careless);
    const setTwice = (): void => controller.set([Careless], [{ id: '2' }, { id: '2', title: 'twice' }]);
    expect(setTwice).toThrow(careless);
    expect(controller.get(Careless, { id: '1' })).toMatchObject(stored);
    expect(controller.get(Careless, { id: '2' })).toBeUndefined();
  });
});

describe('Entity.queryKey', () => {
  it('Entity.queryKey returns the pk that the args identify', () => {
    expect(User.queryKey([{ id: 5 }])).toBe('5');
    expect(User.queryKey(['5'])).toBe('5');
    expect(User.queryKey([5])).toBe('5');
  });

  it.each([[[]], [[null]], [[undefined]], [[{}]], [['']], [[{ name: 'Ann' }]], [[{ id: null }]]])(
    'Entity.queryKey returns undefined for %j',
    (args) => {
      expect(User.queryKey(args)).toBeUndefined();
    },
  );

  it('Entity.queryKey returns undefined when pk() throws for the args', () => {
    class Nested extends Entity {
      owner = { id: '' };
      override pk(): string {
        return this.owner.id;
      }
    }
    expect(Nested.queryKey([{ id: 5 }])).toBeUndefined();
    expect(Nested.queryKey([{ owner: { id: 'o' } }])).toBe('o');
  });
});

describe('a field that holds a function', () => {
  class Author extends Entity {
    id = '';
    name = '';
    initial = (): string => this.name.charAt(0);
  }
  class Book extends Entity {
    id = '';
    title = '';
    author: Author | undefined = Author.fromJS();
    shout = (): string => `${this.title}!`;
    static override schema = { author: Author };
  }
  const at = { id: '1' };
  const read = (controller: Controller): Book => controller.get(Book, at)!;
  const copy = (controller: Controller): object => Object.assign({}, read(controller));

  it('a copy of an instance stores no functions, and its functions are those of the new instance', () => {
    const controller = new Controller();
    controller.set(Book, at, { id: '1', title: 'Kelp' });
    controller.set(Book, at, { ...copy(controller), title: 'Moss' });
    expect(read(controller).shout()).toBe('Moss!');
    controller.set(Book, at, (draft) => ({ ...draft, ...copy(controller), title: 'Fern' }));
    expect(read(controller).shout()).toBe('Fern!');
    controller.set(Book, at, Book.fromJS({ id: '1', title: 'Reed' }));
    expect(read(controller).shout()).toBe('Reed!');
    let row: object | undefined;
    controller.set(Book, at, (draft) => void (row = { ...draft }));
    expect(row).toEqual({ id: '1', title: 'Reed' });
  });

  it('a function is not among the defaults, so that no row lacks it', () => {
    expect(Object.keys(Book.defaults)).toEqual(['id', 'title', 'author']);
    expect(validateRequired({ id: '1', title: 'Kelp', author: '2' }, Book.defaults)).toBeUndefined();
  });
});
