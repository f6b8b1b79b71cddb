import {
  All,
  ArraySchema,
  Delete,
  Endpoint,
  Entity,
  Invalidate,
  Union,
  Values,
  type Controller,
  type Meta,
  type Schema,
} from 'holdfast';
import { Article, Country, FeedItem, Folder, Link, Post } from '../models.ts';
import type { Row } from '../table.ts';
import { silently } from '../../support/silently.ts';
import { Tag, User } from '../../support/entities.ts';

/** A response that is read back by the schema it came with. */
function response(
  title: string,
  schema: Schema & {},
  answer: unknown,
  expected: unknown,
  { isWarned = false, ...more }: Partial<Row> & { isWarned?: boolean } = {},
): Row {
  const endpoint = new Endpoint(async () => structuredClone(answer), { name: 'get', schema });
  const fetch = (controller: Controller) => controller.fetch(endpoint);
  return {
    title,
    calls: [isWarned ? (controller) => silently(() => fetch(controller)) : fetch],
    read: (controller) => controller.getResponse(endpoint).data,
    shows: (value: unknown) => value,
    expected,
    ...more,
  };
}

/** A response that `fetch` refuses: it rejects with the code, and nothing is read. */
function refused(
  title: string,
  schema: Schema & {},
  answer: unknown,
  code: string,
  more: Partial<Row> = {},
): Row {
  const endpoint = new Endpoint(async () => structuredClone(answer), { name: 'get', schema });
  let rejected: unknown;
  return {
    title,
    calls: [
      (controller) =>
        controller.fetch(endpoint).then(
          () => (rejected = undefined),
          (error: unknown) => (rejected = (error as { code?: string }).code), // a HoldfastError
        ),
    ],
    read: (controller) => [rejected, controller.getResponse(endpoint).data],
    expected: [code, undefined],
    here: 'errors',
    ...more,
  };
}

const ADA = { id: 'ada', name: 'Ada' };
const BOB = { id: 'bob', name: 'Bob' };
const LINK = { id: '1', type: 'link', url: 'https://a.example' };
const POST = { id: '1', type: 'post', text: 'hello' };
const KELP = { id: '1', title: 'Kelp', author: ADA };
const DAY = '2020-05-14T00:00:00.000Z';

const kindOf = (value: unknown): string =>
  value instanceof Entity ? value.constructor.name : value === null ? 'null' : typeof value;
const kinds = (values: object): unknown =>
  Array.isArray(values)
    ? values.map(kindOf)
    : Object.fromEntries(Object.entries(values).map(([key, value]) => [key, kindOf(value)]));
const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

class Profile extends Entity {
  id = '';
  bio = '';
  owner = User.fromJS();
  friends: Record<string, User> = {};
  pinned: { main?: User; rest: readonly User[] } = { rest: [] };
  shown: Link | Post | null = null;
  static override key = 'Profile';
  static override schema = {
    owner: User,
    friends: new Values(User),
    pinned: { main: User, rest: [User] },
    shown: FeedItem,
  };
}

const PROFILE = { id: 'p', bio: '', owner: ADA, friends: {}, pinned: { rest: [] }, shown: null };

class Visit extends Entity {
  at = '';
  user = '';
  static override key = 'Visit';
  override pk() {
    return `${this.user}/${this.at}`;
  }
}

class Settings extends Entity {
  theme = 'light';
  static override key = 'Settings';
  override pk() {
    return 'the only one';
  }
}

class Price extends Entity {
  symbol = '';
  amount = 0;
  static override key = 'Price';
  override pk(_parent?: unknown, key?: string) {
    return key;
  }
  static override process(input: object, _parent: unknown, key: string) {
    return { ...input, symbol: key };
  }
}

class Held extends Entity {
  id = '';
  heldIn = '';
  static override key = 'Held';
  static override process(input: object, _parent: unknown, heldIn: string) {
    return { ...input, heldIn };
  }
}

class Unwanted extends Entity {
  id = '';
  static override key = 'Unwanted';
  static override process() {
    return undefined;
  }
}

class Stream extends Entity {
  username = '';
  game = '';
  static override key = 'Stream';
  override pk() {
    return this.username;
  }
  static override process(
    input: object,
    _parent: unknown,
    _key: string | undefined,
    args: readonly unknown[],
  ) {
    return { ...input, username: args[0] };
  }
}

class Chapter extends Entity {
  id = '';
  book = '';
  static override key = 'Chapter';
  static override process(input: object, parent: { id: string }) {
    return { ...input, book: parent.id };
  }
}

class Book extends Entity {
  id = '';
  chapters: readonly Chapter[] = [];
  static override key = 'Book';
  static override schema = { chapters: [Chapter] };
}

class Complete extends Article {
  static override validate(row: Readonly<Record<string, unknown>>) {
    return 'title' in row ? undefined : 'no title';
  }
}

const getStream = new Endpoint(async (_username: string) => ({ game: 'chess' }), {
  name: 'stream',
  schema: Stream,
});

/** One response, read by its own schema. */
export const shapeRows: readonly Row[] = [
  // An entity at the top
  response('an entity reads as an instance of its class', User, ADA, 'User', { shows: kindOf }),
  response(
    'an entity has its defaults for what the response lacks',
    User,
    { id: 'ada' },
    { id: 'ada', name: '' },
  ),
  response(
    'an entity keeps fields that its class does not declare',
    User,
    { ...ADA, age: 36 },
    { ...ADA, age: 36 },
  ),
  response(
    'falsy fields are data',
    Post,
    { id: '1', type: 'post', text: '' },
    { id: '1', type: 'post', text: '' },
  ),
  response(
    'a null field is null, not its default',
    User,
    { id: 'ada', name: null },
    { id: 'ada', name: null },
  ),
  response('a numeric id keeps its type as a field', User, { id: 5, name: 'Five' }, { id: 5, name: 'Five' }),
  response('an id of 0 is a primary key', User, { id: 0, name: 'Zero' }, { id: 0, name: 'Zero' }),
  response(
    'pk() names an entity by another field',
    [Country],
    [{ code: 'fr' }, { code: 'de' }],
    ['fr', 'de'],
    {
      shows: (list: readonly Country[]) => list.map(({ code }) => code),
    },
  ),
  response(
    'a primary key may be made of several fields',
    [Visit],
    [
      { user: 'ada', at: '1' },
      { user: 'ada', at: '2' },
      { user: 'ada', at: '1' },
    ],
    ['ada/1', 'ada/2', 'ada/1'],
    { shows: (list: readonly Visit[]) => list.map((visit) => visit.pk()) },
  ),
  response('an entity may be the only one of its class', Settings, { theme: 'dark' }, { theme: 'dark' }),
  response(
    'pk() and process() see the key in a map',
    new Values(Price),
    { ACME: { amount: 1 }, BYTE: { amount: 2 } },
    { ACME: { symbol: 'ACME', amount: 1 }, BYTE: { symbol: 'BYTE', amount: 2 } },
  ),
  {
    title: 'process() fills in what only the args say',
    calls: [(controller) => controller.fetch(getStream, 'ann')],
    read: (controller) => controller.getResponse(getStream, 'ann').data,
    shows: (value: unknown) => value,
    expected: { username: 'ann', game: 'chess' },
  },
  response(
    'process() sees the parent, which it may refer to',
    Book,
    { id: 'b', chapters: [{ id: 'c1' }, { id: 'c2' }] },
    {
      id: 'b',
      chapters: [
        { id: 'c1', book: 'b' },
        { id: 'c2', book: 'b' },
      ],
    },
  ),
  response(
    'process() of members of a map in a field sees that field',
    { prices: new Values(Held) },
    { prices: { ACME: { id: '1' } } },
    { prices: { ACME: { id: '1', heldIn: 'prices' } } },
    { differs: 'The key passed to `process` and `pk`' },
  ),
  refused('process() has to return an object', Unwanted, { id: '1' }, 'HF_PROCESS', {
    differs: '`process` that returns undefined',
  }),
  refused('an entity does not arrive as a list of values', Price, [5, 1], 'HF_SHAPE', {
    differs: 'An entity that arrives as a list or a plain value',
  }),
  refused('an entity without a primary key is refused', User, { name: 'Nobody' }, 'HF_PK_MISSING'),
  response('null as a whole response is data', User, null, null, { differs: '`null` as a whole response' }),
  refused('text where an entity is declared is refused', User, '<html>', 'HF_SHAPE'),
  refused('a list where an entity is declared is refused', User, [ADA], 'HF_SHAPE'),
  refused('an object where a list is declared is refused', [User], { a: ADA }, 'HF_SHAPE', {
    differs: 'An object where a list is declared',
  }),
  refused(
    'a response that validate() rejects is an error',
    Complete,
    { id: '1', author: ADA },
    'HF_INVALID_ENTITY',
  ),

  // Relations in an entity
  response(
    'a nested entity reads as one',
    Article,
    KELP,
    { ...ADA },
    { shows: ({ author }: Article) => author },
  ),
  response('a date is converted', Article, { ...KELP, published: DAY }, new Date(DAY), {
    shows: ({ published }: Article) => published,
  }),
  response('an optional relation may be null', Article, { ...KELP, editor: null }, null, {
    shows: ({ editor }: Article) => editor,
  }),
  response('an optional relation may be absent', Article, KELP, null, {
    shows: ({ editor }: Article) => editor,
  }),
  response('a list in an entity may be empty', Article, { ...KELP, tags: [] }, [], {
    shows: ({ tags }: Article) => tags,
  }),
  response('a list in an entity may be absent', Article, KELP, [], { shows: ({ tags }: Article) => tags }),
  response(
    'a list in an entity holds entities',
    Article,
    { ...KELP, tags: [{ id: 't', label: 'Sea' }] },
    ['Tag'],
    { shows: ({ tags }: Article) => kinds(tags) },
  ),
  response('a null list in an entity is null', Article, { ...KELP, tags: null }, null, {
    shows: ({ tags }: Article) => tags,
  }),
  response(
    'one entity in two places of a response is the identical object',
    Article,
    { ...KELP, editor: { id: 'ada' } },
    true,
    { shows: ({ author, editor }: Article) => author === editor },
  ),
  response(
    'a map in an entity keeps its keys',
    Profile,
    { ...PROFILE, friends: { best: BOB } },
    { best: BOB },
    {
      shows: ({ friends }: Profile) => friends,
    },
  ),
  response(
    'an object in an entity holds entities at any depth',
    Profile,
    { ...PROFILE, pinned: { main: ADA, rest: [BOB], note: 'plain' } },
    { main: ADA, rest: [BOB], note: 'plain' },
    { shows: ({ pinned }: Profile) => pinned },
  ),
  response(
    'a union in an entity reads as the class that it names',
    Profile,
    { ...PROFILE, shown: POST },
    'Post',
    {
      shows: ({ shown }: Profile) => kindOf(shown),
    },
  ),
  response('a union in an entity may be null', Profile, PROFILE, null, {
    shows: ({ shown }: Profile) => shown,
  }),

  // References by pk
  response('a relation may arrive as a pk', [Article], [KELP, { id: '2', author: 'ada' }], [ADA, ADA], {
    shows: (list: readonly Article[]) => list.map(({ author }) => author),
  }),
  response(
    'a list of relations may arrive as pks',
    { users: [User], admins: [User] },
    { users: [ADA, BOB], admins: ['bob'] },
    [BOB],
    {
      shows: ({ admins }: { admins: readonly User[] }) => admins,
    },
  ),
  response(
    'a pk may arrive as a number',
    { users: [User], first: User },
    { users: [{ id: 1, name: 'One' }], first: 1 },
    { id: 1, name: 'One' },
    {
      shows: ({ first }: { first: User }) => first,
    },
  ),
  response(
    'a pk in a map stands for an entity',
    { users: [User], by: new Values(User) },
    { users: [ADA], by: { x: 'ada' } },
    { x: ADA },
    {
      shows: ({ by }: { by: Record<string, User> }) => by,
    },
  ),
  response('a list leaves out the pk of what is not stored', [User], [ADA, 'nobody'], ['ada'], {
    shows: ids,
  }),
  response(
    'an optional relation to what is not stored reads as undefined',
    Article,
    { ...KELP, editor: 'nobody' },
    undefined,
    {
      shows: ({ editor }: Article) => editor,
    },
  ),
  refused(
    'a required relation to what is not stored makes the response an error',
    Article,
    { ...KELP, author: 'nobody' },
    'HF_INVALID_ENTITY',
    {
      differs: 'A required relation that is not stored',
    },
  ),

  refused(
    'an object with a required member that is not stored is an error',
    { user: User },
    { user: 'nobody' },
    'HF_INVALID_ENTITY',
    { differs: 'A required relation that is not stored' },
  ),

  // Lists
  response('a list keeps its order', [User], [BOB, ADA], ['bob', 'ada'], { shows: ids }),
  response('an empty list is data', [User], [], []),
  response('ArraySchema is the same as a list', new ArraySchema(User), [BOB, ADA], ['bob', 'ada'], {
    shows: ids,
  }),
  response(
    'a list leaves out null and undefined members',
    [User],
    [ADA, null, undefined, BOB],
    ['ada', 'bob'],
    {
      differs: 'A null in a list',
      shows: (list: readonly (User | null)[]) => list.map((user) => user?.id),
    },
  ),
  response(
    'a list shows an entity twice where it arrived twice',
    [User],
    [ADA, BOB, ADA],
    ['ada', 'bob', 'ada'],
    { shows: ids },
  ),
  response(
    'a list in a list keeps its form',
    [[User]],
    [[ADA], [], [BOB, ADA]],
    [['ada'], [], ['bob', 'ada']],
    {
      shows: (lists: readonly (readonly User[])[]) => lists.map(ids),
    },
  ),
  response(
    'a list of objects holds entities',
    [{ user: User, role: '' }],
    [{ user: ADA, role: 'admin' }],
    [{ user: ADA, role: 'admin' }],
  ),
  response(
    'a list of plain values stays as it is',
    { names: [''] as never },
    { names: ['a', 'b'] },
    { names: ['a', 'b'] },
  ),
  response(
    'a list leaves out members that validate() rejects',
    [Complete],
    [KELP, { id: '2', author: ADA }],
    ['1'],
    {
      differs: 'An invalid member of a list',
      shows: ids,
    },
  ),

  // Objects
  response(
    'an object of schemas has the members of its response',
    { user: User, total: 0 },
    { user: ADA, total: 3 },
    { user: ADA, total: 3 },
  ),
  response(
    'an object keeps members that its schema does not name',
    { user: User },
    { user: ADA, total: 3, next: null },
    { user: ADA, total: 3, next: null },
  ),
  response(
    'an object in an object holds entities',
    { data: { page: { users: [User] } } },
    { data: { page: { users: [ADA] } } },
    { data: { page: { users: [ADA] } } },
  ),
  response(
    'a null member of an object is null',
    { user: User, next: '' },
    { user: null, next: null },
    { user: null, next: null },
  ),
  response('an absent member of an object is absent', { user: User, next: '' }, { next: 'b' }, { next: 'b' }),
  response(
    'falsy members of an object are data',
    { a: 0, b: '', c: false, d: User },
    { a: 0, b: '', c: false, d: ADA },
    { a: 0, b: '', c: false, d: ADA },
  ),
  response(
    'members named like those of Object.prototype are data',
    new Values(User),
    { constructor: ADA, toString: BOB },
    { constructor: ADA, toString: BOB },
  ),

  // Maps
  response('a map keeps its keys', new Values(User), { x: ADA, y: BOB }, { x: ADA, y: BOB }),
  response('an empty map is data', new Values(User), {}, {}),
  response(
    'a map leaves out the pk of what is not stored',
    new Values(User),
    { x: ADA, y: 'nobody' },
    ['x'],
    { shows: Object.keys },
  ),
  response(
    'a map of lists holds entities',
    new Values([User]),
    { all: [ADA, BOB], none: [] },
    { all: [ADA, BOB], none: [] },
  ),
  response(
    'a map of objects holds entities',
    new Values({ user: User }),
    { x: { user: ADA, since: 5 } },
    { x: { user: ADA, since: 5 } },
  ),
  response('a map in a list holds entities', [new Values(User)], [{ x: ADA }, {}], [{ x: ADA }, {}]),

  // Unions
  response('a union reads as the class that a field names', FeedItem, LINK, 'Link', { shows: kindOf }),
  response(
    'a list of a union mixes classes, also with equal pks',
    [FeedItem],
    [LINK, POST],
    ['Link', 'Post'],
    { shows: kinds },
  ),
  response(
    'a map of a union mixes classes',
    new Values(FeedItem),
    { a: LINK, b: POST },
    { a: 'Link', b: 'Post' },
    {
      differs: 'Lists, maps, `All` and `Delete` of several classes',
      shows: kinds,
    },
  ),
  response(
    'a function may return the type',
    [new Union({ links: Link, posts: Post }, ({ type }) => `${type}s`)],
    [LINK, POST],
    ['Link', 'Post'],
    { shows: kinds },
  ),
  response(
    'an unknown type is kept as it arrived',
    [FeedItem],
    [LINK, { id: '2', type: 'poll', n: 1 }],
    [LINK, { id: '2', type: 'poll', n: 1 }],
    { isWarned: true },
  ),
  response('a union leaves out null members of a list', [FeedItem], [null, POST], ['Post'], {
    differs: 'A null in a list',
    shows: kinds,
  }),
  response(
    'a union in an object reads as its class',
    { item: FeedItem, next: '' },
    { item: POST, next: '' },
    { item: 'Post', next: 'string' },
    { shows: kinds },
  ),

  // Converters
  response(
    'a function converts a field when it is read',
    { at: (value: string) => new URL(value) },
    { at: 'https://a.example/x' },
    '/x',
    {
      shows: ({ at }: { at: URL }) => at.pathname,
    },
  ),
  response('a converter is not called for null', { at: Date }, { at: null }, { at: null }),
  response('a list of dates is converted', { days: [Date] }, { days: [DAY] }, { days: [new Date(DAY)] }),
  response('a map of dates is converted', new Values(Date), { x: DAY }, { x: new Date(DAY) }),

  // Cycles
  response(
    'a cycle through a list leads back to the identical object',
    Folder,
    { id: 'a', name: 'A', children: [{ id: 'b', name: 'B', parent: 'a' }] },
    true,
    { shows: (folder: Folder) => folder.children[0]?.parent === folder },
  ),
  response('an entity may refer to itself', Folder, { id: 'a', parent: 'a' }, true, {
    shows: (folder: Folder) => folder.parent === folder,
  }),
  response(
    'a cycle of three entities is closed',
    [Folder],
    [
      { id: 'a', parent: 'b' },
      { id: 'b', parent: 'c' },
      { id: 'c', parent: 'a' },
    ],
    true,
    { shows: ([a]: readonly Folder[]) => a?.parent?.parent?.parent === a },
  ),

  // Without a schema, and All
  response('All as a response gives every entity of the class', new All(User), [ADA, BOB], ['ada', 'bob'], {
    shows: ids,
  }),
  response(
    'All of a union gives the entities of each member',
    new All(FeedItem),
    [LINK, POST],
    ['Link', 'Post'],
    { shows: kinds },
  ),
];

const allUsers = new All(User);
const getUsers = new Endpoint(async () => [ADA, BOB], { name: 'getUsers', schema: [User] });
const getUser = new Endpoint(async (id: string) => [ADA, BOB].find((user) => user.id === id), {
  name: 'getUser',
  schema: User,
});
const getArticle = new Endpoint(async () => ({ ...KELP, editor: BOB, tags: [{ id: 't1' }, { id: 't2' }] }), {
  name: 'getArticle',
  schema: Article,
});
const getArticles = new Endpoint(async () => [KELP, { id: '2', title: 'Moss', author: BOB }], {
  name: 'getArticles',
  schema: [Article],
});
const getPair = new Endpoint(async () => ({ first: ADA, second: BOB }), {
  name: 'getPair',
  schema: { first: User, second: User },
});
const getMap = new Endpoint(async () => ({ x: ADA, y: BOB }), { name: 'getMap', schema: new Values(User) });
const getFeed = new Endpoint(async () => [LINK, POST], { name: 'getFeed', schema: [FeedItem] });
const getItem = new Endpoint(async () => POST, { name: 'getItem', schema: FeedItem });

const remove = (entity: typeof User | typeof Tag | typeof Article, by: unknown) =>
  new Endpoint(async () => by, { name: 'remove', sideEffect: true, schema: new Delete(entity) });
const deleteBob = remove(User, { id: 'bob' });
const deleteAda = remove(User, { id: 'ada' });

/** A deletion, in each place where the entity is read. */
export const deletionRows: readonly Row[] = [
  {
    title: 'a deleted entity is no longer read by its pk',
    calls: [(c) => c.fetch(getUsers), (c) => c.fetch(deleteBob)],
    read: (c) => c.get(User, { id: 'bob' }),
    expected: undefined,
  },
  {
    title: 'a deleted entity makes a read of it invalid',
    calls: [(c) => c.fetch(getUser, 'bob'), (c) => c.fetch(deleteBob)],
    read: (c) => c.getResponse(getUser, 'bob').data,
    expected: undefined,
  },
  {
    title: 'a list leaves out what was deleted',
    calls: [(c) => c.fetch(getUsers), (c) => c.fetch(deleteBob)],
    read: (c) => c.getResponse(getUsers).data,
    shows: ids,
    expected: ['ada'],
  },
  {
    title: 'a list is empty once all of it was deleted',
    calls: [(c) => c.fetch(getUsers), (c) => c.fetch(deleteBob), (c) => c.fetch(deleteAda)],
    read: (c) => c.getResponse(getUsers).data,
    shows: ids,
    expected: [],
  },
  {
    title: 'a map leaves out what was deleted',
    calls: [(c) => c.fetch(getMap), (c) => c.fetch(deleteBob)],
    read: (c) => c.getResponse(getMap).data,
    shows: Object.keys,
    expected: ['x'],
  },
  {
    title: 'an object whose member was deleted is invalid',
    calls: [(c) => c.fetch(getPair), (c) => c.fetch(deleteBob)],
    read: (c) => c.getResponse(getPair).data,
    expected: undefined,
  },
  {
    title: 'a list in an entity leaves out what was deleted',
    calls: [(c) => c.fetch(getArticle), (c) => c.fetch(remove(Tag, { id: 't1' }))],
    read: (c) => c.getResponse(getArticle).data,
    shows: (article: Article) => ids(article.tags),
    expected: ['t2'],
  },
  {
    title: 'an optional relation that was deleted reads as undefined',
    calls: [(c) => c.fetch(getArticle), (c) => c.fetch(deleteBob)],
    read: (c) => c.getResponse(getArticle).data,
    shows: ({ id, editor }: Article) => [id, editor],
    expected: ['1', undefined],
  },
  {
    title: 'a required relation that was deleted makes its entity invalid',
    calls: [(c) => c.fetch(getArticle), (c) => c.fetch(deleteAda)],
    read: (c) => c.getResponse(getArticle).data,
    expected: undefined,
  },
  {
    title: 'a list leaves out entities whose required relation was deleted',
    calls: [(c) => c.fetch(getArticles), (c) => c.fetch(deleteBob)],
    read: (c) => c.getResponse(getArticles).data,
    shows: ids,
    expected: ['1'],
  },
  {
    title: 'a union whose entity was deleted is invalid',
    calls: [
      (c) => c.fetch(getItem),
      (c) =>
        c.setResponse(
          new Endpoint(async () => null, { name: 'd', sideEffect: true, schema: new Delete(Post) }),
          { id: '1' },
        ),
    ],
    read: (c) => c.getResponse(getItem).data,
    expected: undefined,
  },
  {
    title: 'a list of a union leaves out the deleted one, not its namesake',
    calls: [
      (c) => c.fetch(getFeed),
      (c) =>
        c.setResponse(
          new Endpoint(async () => null, { name: 'd', sideEffect: true, schema: new Delete(Post) }),
          { id: '1' },
        ),
    ],
    read: (c) => c.getResponse(getFeed).data,
    shows: kinds,
    expected: ['Link'],
  },
  {
    title: 'All leaves out what was deleted',
    calls: [(c) => c.fetch(getUsers), (c) => c.fetch(deleteBob)],
    read: (c) => c.get(allUsers),
    shows: ids,
    expected: ['ada'],
  },
  {
    title: 'a deletion may answer with the pk as text',
    calls: [(c) => c.fetch(getUsers), (c) => c.fetch(remove(User, 'bob'))],
    read: (c) => c.getResponse(getUsers).data,
    shows: ids,
    expected: ['ada'],
  },
  {
    title: 'Invalidate is another name of Delete',
    calls: [
      (c) => c.fetch(getUsers),
      (c) =>
        c.setResponse(
          new Endpoint(async () => null, { name: 'i', sideEffect: true, schema: new Invalidate(User) }),
          { id: 'bob' },
        ),
    ],
    read: (c) => c.getResponse(getUsers).data,
    shows: ids,
    expected: ['ada'],
  },
  {
    title: 'a list of deletions deletes each',
    calls: [
      (c) => c.fetch(getUsers),
      (c) =>
        c.setResponse(
          new Endpoint(async () => null, { name: 'm', sideEffect: true, schema: [new Delete(User)] }),
          [{ id: 'bob' }, 'ada'],
        ),
    ],
    read: (c) => c.getResponse(getUsers).data,
    shows: ids,
    expected: [],
  },
  {
    title: 'a deletion beside other entities in one answer takes effect with them',
    calls: [
      (c) => c.fetch(getUsers),
      (c) =>
        c.setResponse(
          new Endpoint(async () => null, {
            name: 'b',
            sideEffect: true,
            schema: { gone: new Delete(User), kept: User },
          }),
          { gone: { id: 'bob' }, kept: { id: 'ada', name: 'Ada L.' } },
        ),
    ],
    read: (c) => c.getResponse(getUsers).data,
    shows: (list: readonly User[]) => list.map(({ name }) => name),
    expected: ['Ada L.'],
  },
  {
    title: 'an entity that is fetched after its deletion is back in lists that named it',
    calls: [(c) => c.fetch(getUsers), (c) => c.fetch(deleteBob), (c) => c.fetch(getUser, 'bob')],
    read: (c) => c.getResponse(getUsers).data,
    shows: ids,
    expected: ['ada', 'bob'],
  },
];

class Summary extends Entity {
  id = '';
  title = '';
  static override key = 'Doc';
}
class Detail extends Summary {
  body = '';
  static override validate(row: Readonly<Record<string, unknown>>) {
    return 'body' in row ? undefined : 'no body';
  }
}
class Basket extends Entity {
  id = '';
  items: readonly string[] = [];
  static override key = 'Basket';
  static override merge(existing: { items?: readonly string[] }, incoming: { items?: readonly string[] }) {
    return { ...existing, ...incoming, items: [...(existing.items ?? []), ...(incoming.items ?? [])] };
  }
}
class Versioned extends Entity {
  id = '';
  version = 0;
  text = '';
  static override key = 'Versioned';
  static override shouldReorder(
    _a: unknown,
    _b: unknown,
    existing: { version?: number },
    incoming: { version?: number },
  ) {
    return (incoming.version ?? 0) < (existing.version ?? 0);
  }
}
class Timed extends Entity {
  id = '';
  static override key = 'Timed';
  static override shouldReorder(existing: Meta, incoming: Meta) {
    metas = [existing, incoming].map(({ requestedAt, receivedAt }) => typeof requestedAt + typeof receivedAt);
    return false;
  }
}
let metas: unknown;
class Frozen extends Entity {
  id = '';
  text = '';
  static override key = 'Frozen';
  static override shouldUpdate() {
    return false;
  }
}
class Person extends User {
  email = '';
  static override key = 'Person';
  static override readonly indexes = ['email'];
}

const stored = <S extends Schema & {}>(name: string, schema: S) =>
  new Endpoint(async (): Promise<unknown> => null, { name, schema });
const getDoc = stored('getDoc', Detail);
const getDocs = stored('getDocs', [Summary]);

/** Several responses, and what is read after them. */
export const mergeRows: readonly Row[] = [
  {
    title: 'a later response is merged over the stored entity',
    calls: [
      (c) => c.setResponse(stored('a', User), { id: 'ada', name: 'Ada', age: 36 }),
      (c) => c.setResponse(stored('b', [User]), [{ id: 'ada', name: 'Ada L.' }]),
    ],
    read: (c) => c.get(User, { id: 'ada' }),
    shows: (value: unknown) => value,
    expected: { id: 'ada', name: 'Ada L.', age: 36 },
  },
  {
    title: 'numbers and text are one primary key',
    calls: [
      (c) => c.setResponse(stored('a', User), { id: 5, name: 'Five' }),
      (c) => c.setResponse(stored('b', User), { id: '5', name: 'V' }),
    ],
    read: (c) => [c.get(User, { id: 5 }), c.get(User, { id: '5' })].map((user) => user?.name),
    expected: ['V', 'V'],
  },
  {
    title: 'merge() may gather what arrives',
    calls: [
      (c) => c.setResponse(stored('a', Basket), { id: '1', items: ['x'] }),
      (c) => c.setResponse(stored('b', Basket), { id: '1', items: ['y'] }),
    ],
    read: (c) => c.get(Basket, { id: '1' })?.items,
    expected: ['x', 'y'],
  },
  {
    title: 'merge() also joins two of one response',
    calls: [
      (c) =>
        c.setResponse(stored('a', [Basket]), [
          { id: '1', items: ['x'] },
          { id: '1', items: ['y'] },
        ]),
    ],
    read: (c) => c.get(Basket, { id: '1' })?.items,
    expected: ['x', 'y'],
  },
  {
    title: 'shouldReorder() keeps the fields of the stored one',
    calls: [
      (c) => c.setResponse(stored('a', Versioned), { id: '1', version: 2, text: 'new' }),
      (c) => c.setResponse(stored('b', Versioned), { id: '1', version: 1, text: 'old', extra: true }),
    ],
    read: (c) => c.get(Versioned, { id: '1' }),
    shows: (value: unknown) => value,
    expected: { id: '1', version: 2, text: 'new', extra: true },
  },
  {
    title: 'shouldReorder() compares the times of request and answer',
    differs: 'The times that `shouldReorder` compares',
    calls: [
      (c) => c.setResponse(stored('a', Timed), { id: '1' }),
      (c) => c.setResponse(stored('b', Timed), { id: '1', more: true }),
    ],
    read: () => metas,
    expected: ['numbernumber', 'numbernumber'],
    here: 'times',
  },
  {
    title: 'shouldUpdate() drops what arrives',
    calls: [
      (c) => c.setResponse(stored('a', Frozen), { id: '1', text: 'first' }),
      (c) => c.setResponse(stored('b', Frozen), { id: '1', text: 'second' }),
    ],
    read: (c) => c.get(Frozen, { id: '1' })?.text,
    expected: 'first',
  },
  {
    title: 'a detail is not served from a summary that lacks what validate() asks for',
    calls: [(c) => c.setResponse(getDocs, [{ id: '1', title: 'One' }])],
    read: (c) => [c.get(Detail, { id: '1' }), c.get(Summary, { id: '1' })?.title],
    expected: [undefined, 'One'],
  },
  {
    title: 'a summary reads what the detail has brought',
    calls: [
      (c) => c.setResponse(getDocs, [{ id: '1', title: 'One' }]),
      (c) => c.setResponse(getDoc, { id: '1', title: 'Uno', body: '…' }),
    ],
    read: (c) => c.getResponse(getDocs).data,
    shows: (list: readonly Summary[]) => list.map(({ title }) => title),
    expected: ['Uno'],
  },
  {
    title: 'a summary that comes later leaves the fields of the detail',
    calls: [
      (c) => c.setResponse(getDoc, { id: '1', title: 'Uno', body: '…' }),
      (c) => c.setResponse(getDocs, [{ id: '1', title: 'One' }]),
    ],
    read: (c) => c.getResponse(getDoc).data,
    shows: (value: unknown) => value,
    expected: { id: '1', title: 'One', body: '…' },
  },
  {
    title: 'a field of an index finds its entity',
    calls: [
      (c) =>
        c.setResponse(stored('a', [Person]), [
          { id: '1', email: 'a@b.c' },
          { id: '2', email: 'd@e.f' },
        ]),
    ],
    read: (c) => c.get(Person, { email: 'd@e.f' })?.id,
    expected: '2',
  },
  {
    title: 'an index follows a changed field',
    calls: [
      (c) => c.setResponse(stored('a', Person), { id: '1', email: 'old@b.c' }),
      (c) => c.set(Person, { id: '1' }, { email: 'new@b.c' }),
    ],
    read: (c) => [c.get(Person, { email: 'old@b.c' }), c.get(Person, { email: 'new@b.c' })?.id],
    expected: [undefined, '1'],
  },
  {
    title: 'a relation that comes later is found by the pk that came before',
    calls: [
      (c) => c.setResponse(stored('a', Article), { ...KELP, editor: 'bob' }),
      (c) => c.setResponse(stored('b', User), BOB),
    ],
    read: (c) => c.get(Article, { id: '1' })?.editor,
    shows: (value: unknown) => value,
    expected: BOB,
  },
  {
    title: 'a nested change is read through every parent',
    calls: [
      (c) => c.setResponse(stored('a', [Article]), [KELP, { id: '2', author: 'ada' }]),
      (c) => c.setResponse(stored('b', User), { id: 'ada', name: 'Ada L.' }),
    ],
    read: (c) => ['1', '2'].map((id) => c.get(Article, { id })?.author.name),
    expected: ['Ada L.', 'Ada L.'],
  },
  {
    title: 'a list in an entity is replaced by a later response',
    calls: [
      (c) => c.setResponse(stored('a', Article), { ...KELP, tags: [{ id: 't1' }, { id: 't2' }] }),
      (c) => c.setResponse(stored('b', Article), { ...KELP, tags: [{ id: 't3' }] }),
    ],
    read: (c) => c.get(Article, { id: '1' })?.tags,
    shows: ids,
    expected: ['t3'],
  },
  {
    title: 'a union is found by args that name its type',
    calls: [(c) => c.setResponse(stored('a', [FeedItem]), [LINK, POST])],
    read: (c) => c.get(FeedItem, { type: 'post', id: '1' }),
    shows: kindOf,
    expected: 'Post',
  },
  {
    title: 'a union is not found by args without its type',
    differs: 'A union read without its type',
    calls: [(c) => c.setResponse(stored('a', [FeedItem]), [LINK, POST])],
    read: (c) => c.get(FeedItem, { id: '1' }),
    expected: undefined,
  },
  {
    title: 'All is undefined while nothing of the class has arrived',
    calls: [],
    read: (c) => c.get(new All(User)),
    expected: undefined,
  },
];
