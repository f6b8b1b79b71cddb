import { expect, it } from '@jest/globals';
import { Entity, Lazy, Scalar, Values, type Schema } from 'holdfast';
import { Endpoint } from 'holdfast';
import { freshIndexedDB, openApp, requests } from '../../support/indexedDB.ts';
import { Book } from '../../support/entities.ts';

freshIndexedDB();
class AuthorWithBooks extends Entity {
  id = '';
  books: string[] = [];
  static override key = 'Author';
  static override schema = { books: new Lazy([Book]) };
}

/** The classes as each session declares them. */
function declare() {
  const options = {
    lens: (args: readonly [{ readonly currency?: string }?]) => args[0]?.currency,
    key: 'currency',
  };
  class Product extends Entity {
    id = '';
    name = '';
    price = 0;
    static override key = 'Product';
    static override schema = { price: new Scalar(options) };
  }
  const scalar = new Scalar({ ...options, entity: Product });
  const endpoint = <const S extends Schema & {}>(
    name: string,
    schema: S,
    answer: (currency: string) => object,
  ) =>
    new Endpoint(
      async ({ currency }: { currency: string }): Promise<unknown> => {
        requests.push(`${name} ${currency}`);
        return answer(currency);
      },
      { name, schema, dataExpiryLength: Infinity },
    );
  const priceOf = (currency: string): number => (currency === 'EUR' ? 10 : 12);
  return {
    Product,
    getProducts: endpoint('getProducts', [Product], (currency) => [
      { id: '1', name: 'Pen', price: priceOf(currency) },
    ]),
    getPrices: endpoint('getPrices', new Values(scalar), (currency) => ({ 1: { price: priceOf(currency) } })),
  };
}

it('the values of each lens value are restored with their entity', async () => {
  const first = await openApp();
  const before = declare();
  await first.controller.fetch(before.getProducts, { currency: 'EUR' });
  await first.controller.fetch(before.getPrices, { currency: 'USD' });
  await first.leave();
  requests.length = 0;
  for (const restore of ['lazy', 'progressive'] as const) {
    const { controller, leave } = await openApp({ restore });
    const { Product, getProducts, getPrices } = declare();
    const products = await controller.fetchIfStale(getProducts, { currency: 'EUR' });
    expect(products.map(({ name, price }) => [name, price])).toEqual([['Pen', 10]]);
    expect(await controller.fetchIfStale(getPrices, { currency: 'USD' })).toEqual({ 1: { price: 12 } });
    expect(controller.get(Product, { id: '1', currency: 'USD' })?.price).toBe(12);
    expect(controller.get(Product, { id: '1', currency: 'EUR' })).toBe(products[0]);
    expect(requests).toEqual([]);
    await leave();
  }
});

it('a lazy relation is restored with the entity that declares it', async () => {
  const getAuthor = new Endpoint(
    async ({ id }: { id: string }): Promise<unknown> => {
      requests.push('getAuthor');
      return { id, books: [{ id: 'a', title: 'A' }] };
    },
    { name: 'getAuthor', schema: AuthorWithBooks, dataExpiryLength: Infinity },
  );
  const first = await openApp();
  await first.controller.fetch(getAuthor, { id: '1' });
  await first.leave();
  requests.length = 0;
  const { controller, leave } = await openApp({ restore: 'lazy' });
  const author = await controller.fetchIfStale(getAuthor, { id: '1' });
  expect(author.books).toEqual(['a']);
  expect(controller.get(AuthorWithBooks.schema.books.query, author.books)?.[0]?.title).toBe('A');
  expect(requests).toEqual([]);
  await leave();
});
