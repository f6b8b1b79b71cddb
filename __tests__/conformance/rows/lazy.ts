import { Endpoint, Entity, Lazy, Scalar, Values, type Controller } from 'holdfast';
import { silently } from '../../support/silently.ts';
import type { Row } from '../table.ts';
import { User } from '../../support/entities.ts';

class Member extends Entity {
  id = '';
  name = '';
  static override key = 'Member';
}
class Team extends Entity {
  id = '';
  name = '';
  lead: string | null = null;
  members: readonly string[] = [];
  static override key = 'Team';
  static readonly lead = new Lazy(User);
  static readonly members = new Lazy([Member]);
  static override schema = { lead: Team.lead, members: Team.members };
}
const getTeam = new Endpoint(async (_args: { id: string }): Promise<unknown> => null, {
  name: 'getTeam',
  schema: Team,
});
const getMembers = new Endpoint(async (): Promise<unknown> => null, {
  name: 'getMembers',
  schema: [Member],
});
const TEAM = {
  id: '1',
  name: 'Reef',
  lead: { id: 'u', name: 'Ann' },
  members: [
    { id: 'a', name: 'Ada' },
    { id: 'b', name: 'Ben' },
  ],
};
const loadTeam = (c: Controller) => c.setResponse(getTeam, { id: '1' }, TEAM);
const team = (c: Controller) => c.getResponse(getTeam, { id: '1' }).data;
const names = (members: readonly Member[] = []): string[] => members.map(({ name }) => name);

/** Relations that are read on demand. */
export const lazyRows: readonly Row[] = [
  {
    title: 'a lazy list reads as pks',
    calls: [loadTeam],
    read: (c) => team(c)?.members,
    expected: ['a', 'b'],
  },
  { title: 'a lazy entity reads as its pk', calls: [loadTeam], read: (c) => team(c)?.lead, expected: 'u' },
  {
    title: 'the query of a lazy list resolves what the field reads as',
    calls: [loadTeam],
    read: (c) => c.get(Team.members.query, team(c)?.members),
    shows: names,
    expected: ['Ada', 'Ben'],
  },
  {
    title: 'the query of a lazy entity takes its pk, or args that name it',
    calls: [loadTeam],
    read: (c) => [c.get(Team.lead.query, team(c)?.lead)?.name, c.get(Team.lead.query, { id: 'u' })?.name],
    expected: ['Ann', 'Ann'],
  },
  {
    title: 'what a lazy relation embeds is stored as the entities that it is',
    calls: [loadTeam],
    read: (c) => [c.get(Member, { id: 'b' })?.name, c.get(User, { id: 'u' })?.name],
    expected: ['Ben', 'Ann'],
  },
  {
    title: 'a changed member is another object in the query, and leaves what names it the same',
    calls: [loadTeam, (c) => (former = team(c)), (c) => c.set(Member, { id: 'a' }, { name: 'Adele' })],
    read: (c) => [names(c.get(Team.members.query, team(c)?.members)), team(c) === former],
    expected: [['Adele', 'Ben'], true],
    here: 'requests',
  },
  {
    title: 'a lazy list reads the change of one of its members that another response brings',
    calls: [loadTeam, (c) => c.setResponse(getMembers, [{ id: 'b', name: 'Bea' }])],
    read: (c) => c.get(Team.members.query, team(c)?.members),
    shows: names,
    expected: ['Ada', 'Bea'],
  },
  {
    title: 'members that are not stored are left out of what the query of a lazy list gives',
    calls: [loadTeam],
    read: (c) => c.get(Team.members.query, ['a', 'none']),
    shows: names,
    expected: ['Ada'],
  },
  {
    title: 'a lazy relation that is null reads as null',
    calls: [(c) => c.setResponse(getTeam, { id: '1' }, { ...TEAM, lead: null })],
    read: (c) => team(c)?.lead,
    expected: null,
  },
];
let former: Team | undefined;

const byCurrency = new Scalar({
  lens: (args: readonly ({ currency?: string } | undefined)[]) => args[0]?.currency,
  key: 'currency',
});
class Product extends Entity {
  id = '';
  name = '';
  price: number | undefined = undefined;
  static override key = 'Product';
  static override schema = { price: byCurrency };
}
const prices = new Scalar({
  lens: (args: readonly ({ currency?: string } | undefined)[]) => args[0]?.currency,
  key: 'currency',
  entity: Product,
});
const getProducts = new Endpoint(async (_args: { currency?: string }): Promise<unknown> => null, {
  name: 'getProducts',
  schema: [Product],
});
const getPrices = new Endpoint(async (_args: { currency: string }): Promise<unknown> => null, {
  name: 'getPrices',
  schema: new Values(prices),
});
const inEuros = (c: Controller) =>
  c.setResponse(getProducts, { currency: 'EUR' }, [{ id: '1', name: 'Rope', price: 9 }]);
const inDollars = (c: Controller) =>
  c.setResponse(getProducts, { currency: 'USD' }, [{ id: '1', name: 'Rope', price: 10 }]);
const priceIn = (c: Controller, currency: string) => c.get(Product, { id: '1', currency })?.price;

/** Fields whose values depend on args. */
export const scalarRows: readonly Row[] = [
  {
    title: 'a scalar reads as its value for the args of the reader',
    calls: [inEuros, inDollars],
    read: (c) => [priceIn(c, 'EUR'), priceIn(c, 'USD')],
    expected: [9, 10],
  },
  {
    title: 'a list reads the scalars for its own args',
    calls: [inEuros, inDollars],
    read: (c) => c.getResponse(getProducts, { currency: 'EUR' }).data?.map(({ price }) => price),
    expected: [9],
  },
  {
    title: 'a scalar that was not loaded for a lens value is undefined',
    calls: [inEuros],
    read: (c) => [c.get(Product, { id: '1', currency: 'USD' })?.name, priceIn(c, 'USD')],
    expected: ['Rope', undefined],
  },
  {
    title: 'other fields of the entity are the same for every lens value',
    calls: [inEuros, inDollars, (c) => c.set(Product, { id: '1' }, { name: 'Cord' })],
    read: (c) => ['EUR', 'USD'].map((currency) => c.get(Product, { id: '1', currency })?.name),
    expected: ['Cord', 'Cord'],
  },
  {
    title: 'a response of scalars alone changes the entities that it names by pk',
    calls: [inEuros, (c) => c.setResponse(getPrices, { currency: 'EUR' }, { 1: { price: 8 } })],
    read: (c) => c.getResponse(getProducts, { currency: 'EUR' }).data?.map(({ price }) => price),
    expected: [8],
  },
  {
    title: 'a value for one lens value leaves the entity for another the same object',
    calls: [
      inEuros,
      (c) => (formerProduct = c.get(Product, { id: '1', currency: 'EUR' })),
      (c) => c.setResponse(getPrices, { currency: 'USD' }, { 1: { price: 11 } }),
    ],
    read: (c) => [c.get(Product, { id: '1', currency: 'EUR' }) === formerProduct, priceIn(c, 'USD')],
    expected: [true, 11],
    here: 'requests',
  },
  {
    title: 'a scalar that arrives for args without a lens value is not stored',
    differs: 'A `Scalar` that arrives without a lens value',
    calls: [
      inEuros,
      (c) => silently(() => c.setResponse(getProducts, {}, [{ id: '1', name: 'Cord', price: 7 }])),
    ],
    read: (c) => [c.get(Product, { id: '1', currency: 'EUR' })?.name, priceIn(c, 'EUR')],
    expected: ['Cord', 9],
  },
];
let formerProduct: Product | undefined;
