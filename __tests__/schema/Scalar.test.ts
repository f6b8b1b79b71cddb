import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  All,
  Collection,
  Controller,
  createResource,
  Delete,
  Endpoint,
  Entity,
  Query,
  Scalar,
  Union,
  Values,
  type Schema,
} from 'holdfast';

interface Params {
  readonly currency?: string;
}

const byCurrency = new Scalar({ lens: (args: readonly [Params?]) => args[0]?.currency, key: 'currency' });

class TaxedProduct extends Entity {
  id = '';
  name = '';
  price = 0;
  tax = 0;
  static override key = 'Product';
  static override schema: Record<string, Schema> = { price: byCurrency, tax: byCurrency };
}
class Service extends Entity {
  id = '';
  fee = 0;
  static override key = 'Service';
  static override schema = { fee: byCurrency };
}
class Shelf extends Entity {
  id = '';
  best = TaxedProduct.fromJS();
  products: TaxedProduct[] = [];
  static override key = 'Shelf';
  static override schema = { best: TaxedProduct, products: [TaxedProduct] };
}
const columns = new Scalar({
  lens: (args: readonly [Params?]) => args[0]?.currency,
  key: 'currency',
  entity: TaxedProduct,
});

let requested = 0;
function endpointOf<const S extends Schema & {}>(name: string, schema: S) {
  return new Endpoint(
    (_params: Params): Promise<unknown> => {
      requested += 1;
      return Promise.resolve();
    },
    { name, schema },
  );
}
const getProduct = endpointOf('getProduct', TaxedProduct);
const getProducts = endpointOf('getProducts', [TaxedProduct]);
const shared = new Collection([TaxedProduct], { argsKey: () => ({}) });
const getShared = endpointOf('getShared', shared);
const getColumns = endpointOf('getColumns', new Values(columns));

const euro: Params = { currency: 'EUR' };
const dollar: Params = { currency: 'USD' };

let controller: Controller;
beforeEach(() => {
  controller = new Controller();
});
const product = (params: Params, id = '1'): TaxedProduct | undefined =>
  controller.get(TaxedProduct, { id, ...params });
const answer = (params: Params, price: number): void =>
  controller.setResponse(getProduct, params, { id: '1', name: 'Pen', price, tax: price / 10 });

describe('a Scalar in the fields of an entity', () => {
  it('a Scalar gives each reader the values for its args', () => {
    answer(euro, 10);
    answer(dollar, 12);
    expect(product(euro)).toMatchObject({ id: '1', name: 'Pen', price: 10, tax: 1 });
    expect(product(dollar)).toMatchObject({ name: 'Pen', price: 12, tax: 1.2 });
    expect(controller.getResponse(getProduct, euro).data).toBe(product(euro));
    expect(controller.getResponse(getProduct, dollar).data).toBe(product(dollar));
    expect(product(euro)).toBeInstanceOf(TaxedProduct);
  });

  it('a Scalar reads as undefined for a value that was not loaded, and for args without a lens value', () => {
    answer(euro, 10);
    expect(product(dollar)?.name).toBe('Pen');
    expect(product(dollar)?.price).toBeUndefined();
    expect(product({})?.price).toBeUndefined();
  });

  it('a Scalar keeps the object of one lens value when values of another arrive', () => {
    answer(euro, 10);
    const before = product(euro);
    let told = 0;
    controller.watch(TaxedProduct, { id: '1', ...euro }, () => (told += 1));
    answer(dollar, 12);
    answer(euro, 10);
    expect(product(euro)).toBe(before);
    expect(told).toBe(0);
    answer(euro, 11);
    expect(product(euro)).not.toBe(before);
    expect(told).toBe(1);
    expect(product(dollar)?.price).toBe(12);
  });

  it('a change of any other field is shown through each lens value', () => {
    answer(euro, 10);
    answer(dollar, 12);
    controller.set(TaxedProduct, { id: '1' }, { name: 'Pencil' });
    expect(product(euro)).toMatchObject({ name: 'Pencil', price: 10 });
    expect(product(dollar)).toMatchObject({ name: 'Pencil', price: 12 });
  });

  it('a Scalar keeps null as a value, and fields that a response lacks', () => {
    answer(euro, 10);
    controller.setResponse(getProduct, euro, { id: '1', price: null });
    controller.setResponse(getProduct, dollar, { id: '1', price: 12 });
    expect(product(euro)).toMatchObject({ price: null, tax: 1 });
    expect(product(dollar)?.price).toBe(12);
  });

  it('a Scalar treats any lens value as data', () => {
    for (const [price, currency] of ['__proto__', 'constructor', 'a|b', '😀'].entries())
      answer({ currency }, price + 1);
    expect(
      ['__proto__', 'constructor', 'a|b', '😀', 'toString'].map((currency) => product({ currency })?.price),
    ).toEqual([1, 2, 3, 4, undefined]);
  });

  it('the responses of each lens value are ordered independently', async () => {
    const answers: Record<string, (price: number) => void> = {};
    const ask = ({ currency, at }: { currency: string; at: number }): Promise<unknown> =>
      new Promise((resolve) => {
        answers[`${currency} ${at}`] = (price) => resolve({ id: '1', price });
      });
    const get = new Endpoint(ask, { name: 'get', schema: TaxedProduct });
    const asked = [];
    for (const at of [1, 2])
      for (const currency of ['EUR', 'USD']) asked.push(controller.fetch(get, { currency, at }));
    await Promise.resolve();
    // The dollar values were requested last, and the euro values arrive last.
    answers['USD 2']?.(22);
    await asked[3];
    answers['EUR 2']?.(12);
    await asked[2];
    expect([product(euro)?.price, product(dollar)?.price]).toEqual([12, 22]);
    answers['EUR 1']?.(11);
    answers['USD 1']?.(21);
    await Promise.all(asked);
    expect([product(euro)?.price, product(dollar)?.price]).toEqual([12, 22]);
    // One that was asked for before another lens value, yet after the stored one of its own.
    const late = controller.fetch(get, { currency: 'EUR', at: 3 });
    const later = controller.fetch(get, { currency: 'USD', at: 3 });
    await Promise.resolve();
    answers['USD 3']?.(23);
    await later;
    answers['EUR 3']?.(13);
    await late;
    expect([product(euro)?.price, product(dollar)?.price]).toEqual([13, 23]);
  });

  it('a Scalar in the fields of an entity is read by members of lists, maps, unions, collections, All and Query', () => {
    const prices = [
      { id: '1', price: 1 },
      { id: '2', price: 2 },
    ];
    const many = Array.from({ length: 50 }, (_, id) => ({ id: String(id), price: id }));
    const getMap = endpointOf('getMap', new Values(TaxedProduct));
    const either = new Union({ product: TaxedProduct, service: Service }, ({ type }) => type);
    const getEither = endpointOf('getEither', [either]);
    for (const [params, factor] of [
      [euro, 1],
      [dollar, 10],
    ] as const) {
      const times = <T extends { price: number }>(list: T[]): T[] =>
        list.map((one) => ({ ...one, price: one.price * factor }));
      controller.setResponse(getProducts, params, times(many));
      controller.setResponse(getShared, params, times(many));
      controller.setResponse(getMap, params, { a: times(prices)[0], b: times(prices)[1] });
      controller.setResponse(getEither, params, [
        { type: 'product', ...times(prices)[0] },
        { type: 'service', id: '1', fee: factor },
      ]);
    }
    const sums = [euro, dollar].map((params) => ({
      list: controller.getResponse(getProducts, params).data?.[40]?.price,
      collection: controller.getResponse(getShared, params).data?.[40]?.price,
      map: controller.getResponse(getMap, params).data?.['b']?.price,
      union: controller
        .getResponse(getEither, params)
        .data?.map((one) => ('fee' in one ? one.fee : one.price)),
      all: controller.get(new All(TaxedProduct), params)?.find(({ id }) => id === '40')?.price,
      query: controller.get(
        new Query(new All(TaxedProduct), (all, _params: Params) => all.find(({ id }) => id === '40')?.price),
        params,
      ),
    }));
    expect(sums).toEqual([
      { list: 40, collection: 40, map: 2, union: [1, 1], all: 40, query: 40 },
      { list: 400, collection: 400, map: 20, union: [10, 10], all: 400, query: 400 },
    ]);
    const [first, second] = [euro, dollar].map((params) => controller.getResponse(getShared, params).data);
    expect(first).not.toBe(second);
    expect(first?.[3]).toBe(product(euro, '3'));
    expect(controller.getResponse(getShared, euro).data).toBe(first);
  });

  it('a Scalar in the fields of an entity is read by entities that have such an entity', () => {
    const getShelf = endpointOf('getShelf', Shelf);
    for (const [params, price] of [
      [euro, 10],
      [dollar, 12],
    ] as const)
      controller.setResponse(getShelf, params, {
        id: 's',
        best: { id: '1', price },
        products: [{ id: '1', price }],
      });
    const shelf = controller.getResponse(getShelf, euro).data;
    expect(shelf?.best.price).toBe(10);
    expect(shelf?.products[0]).toBe(shelf?.best);
    expect(controller.getResponse(getShelf, dollar).data?.best.price).toBe(12);
    expect(controller.get(Shelf, { id: 's', ...euro })).toBe(shelf);
    controller.setResponse(getProduct, dollar, { id: '1', price: 13 });
    expect(controller.getResponse(getShelf, euro).data).toBe(shelf);
    expect(controller.getResponse(getShelf, dollar).data?.best.price).toBe(13);
  });

  it('a Scalar in the fields of an entity is deleted with its entity for each lens value', () => {
    answer(euro, 10);
    answer(dollar, 12);
    controller.setResponse(getProducts, euro, ['1']);
    controller.setResponse(endpointOf('delete', new Delete(TaxedProduct)), {}, { id: '1' });
    expect(product(euro)).toBeUndefined();
    expect(product(dollar)).toBeUndefined();
    expect(controller.getResponse(getProducts, euro).data).toEqual([]);
  });

  it('a Scalar in the fields of an entity is set by fields and by recipes, for the lens value of the args', () => {
    answer(euro, 10);
    answer(dollar, 12);
    controller.set(TaxedProduct, { id: '1', ...euro }, { price: 20 });
    controller.set(TaxedProduct, { id: '1', ...dollar }, (draft) => {
      draft.price = 24;
      draft.name = 'Pencil';
    });
    expect(product(euro)).toMatchObject({ price: 20, tax: 1, name: 'Pencil' });
    expect(product(dollar)).toMatchObject({ price: 24, tax: 1.2, name: 'Pencil' });
  });
});

describe('an update that renames an entity with a Scalar', () => {
  class Page extends Entity {
    slug = '';
    title = '';
    text = '';
    override pk() {
      return this.slug;
    }
    static override key = 'Page';
    static override schema = {
      text: new Scalar({
        lens: (args: readonly [{ readonly lang?: string }?]) => args[0]?.lang,
        key: 'lang',
      }),
    };
  }

  it('a rename keeps the values of each lens value', async () => {
    const pages = createResource({
      path: '/pages/:slug',
      searchParams: {} as { lang: string },
      schema: Page,
    });
    const getPage = new Endpoint((_params: { lang: string }) => Promise.resolve({}), {
      name: 'getPage',
      schema: Page,
    });
    controller.setResponse(getPage, { lang: 'en' }, { slug: 'tide', title: 'Tide', text: 'tide' });
    controller.setResponse(getPage, { lang: 'nl' }, { slug: 'tide', title: 'Tide', text: 'getij' });
    const read = (lang: string) => controller.getResponse(getPage, { lang }).data;
    expect([read('en')?.text, read('nl')?.text]).toEqual(['tide', 'getij']);
    const rename = pages.update.extend({
      fetchResponse: () => Promise.resolve(Response.json({ slug: 'tides', title: 'Tides', text: 'tides' })),
    });
    await controller.fetch(rename, { slug: 'tide', lang: 'en' } as { slug: string }, { title: 'Tides' });
    expect(read('en')).toMatchObject({ slug: 'tides', title: 'Tides', text: 'tides' });
    expect(read('nl')).toMatchObject({ slug: 'tides', title: 'Tides', text: 'getij' });
    expect(controller.get(Page, { slug: 'tide', lang: 'nl' })).toBe(read('nl'));
  });
});

describe('a Scalar that is a schema of its own', () => {
  beforeEach(() => {
    controller.setResponse(getShared, euro, [
      { id: '1', name: 'Pen', price: 10 },
      { id: '2', name: 'Ink', price: 20 },
    ]);
  });

  it('a Scalar response updates the values of entities by pk, and leaves the rest', () => {
    const before = controller.getResponse(getShared, euro).data;
    controller.setResponse(getColumns, dollar, {
      1: { price: 12 },
      2: { price: 24, tax: 2 },
      3: { price: 1 },
    });
    expect(
      controller.getResponse(getShared, dollar).data?.map(({ name, price, tax }) => [name, price, tax]),
    ).toEqual([
      ['Pen', 12, undefined],
      ['Ink', 24, 2],
    ]);
    expect(controller.getResponse(getShared, euro).data).toBe(before);
    expect(product(dollar, '3')).toBeUndefined();
    expect(controller.getResponse(getColumns, dollar).data).toEqual({
      1: { price: 12 },
      2: { price: 24, tax: 2 },
      3: { price: 1 },
    });
    expect(controller.getResponse(getColumns, euro).data).toBeUndefined();
  });

  it('a Scalar accepts lists and collections of values with their pks', () => {
    const getList = endpointOf('getList', [columns]);
    const getNested = endpointOf('getNested', { columns: new Values(columns) });
    const getCollection = endpointOf('getCollection', new Collection([columns]));
    controller.setResponse(getList, dollar, [{ id: '1', price: 12 }]);
    controller.setResponse(getCollection, dollar, [{ id: 2, price: 24 }]);
    controller.setResponse(getNested, { currency: 'GBP' }, { columns: { 1: { price: 8 } } });
    expect(controller.getResponse(getShared, dollar).data?.map(({ price }) => price)).toEqual([12, 24]);
    expect(product({ currency: 'GBP' })?.price).toBe(8);
    expect(controller.getResponse(getList, dollar).data).toEqual([{ id: '1', price: 12 }]);
    expect(controller.getResponse(getCollection, dollar).data).toEqual([{ id: 2, price: 24 }]);
  });

  it('a Scalar finds the pk by a method of a subclass', () => {
    class ByProductId extends Scalar {
      override entityPk(input: { productId?: string }): string | undefined {
        return input.productId;
      }
    }
    const schema = [
      new ByProductId({
        lens: ([params]: readonly [Params?]) => params?.currency,
        key: 'currency',
        entity: TaxedProduct,
      }),
    ];
    controller.setResponse(endpointOf('get', schema), dollar, [{ productId: '1', price: 12 }]);
    expect(product(dollar)?.price).toBe(12);
  });

  it('a Scalar rejects values whose owner is unknown', () => {
    const { key, lens } = columns;
    const unbound = endpointOf('get', new Values(new Scalar({ key, lens })));
    expect(() => controller.setResponse(unbound, dollar, { 1: { price: 1 } })).toThrow(
      expect.objectContaining({ code: 'HF_SCALAR' }),
    );
    expect(() => controller.setResponse(endpointOf('get', [columns]), dollar, [{ price: 1 }])).toThrow(
      expect.objectContaining({ code: 'HF_SHAPE' }),
    );
    expect(() => controller.setResponse(getColumns, dollar, { 1: 5 })).toThrow(
      expect.objectContaining({ code: 'HF_SHAPE' }),
    );
  });

  it('a list with other args is served from its rows, without a fetch', async () => {
    const served = controller.fetchIfStale(getShared, dollar);
    expect((await served).map(({ name }) => name)).toEqual(['Pen', 'Ink']);
    expect(requested).toBe(0);
  });
});

describe('values for which the args select no lens value', () => {
  const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  afterEach(() => {
    warn.mockClear();
  });

  it('values without a lens value are not stored, with a warning in development', () => {
    answer({}, 10);
    expect(product(euro)).toMatchObject({ name: 'Pen', price: undefined });
    expect(warn.mock.calls.flat().join()).toContain('HF_SCALAR');
  });
});

describe('optimistic updates of a Scalar', () => {
  it('optimistic Scalar updates are shown for their lens value alone, and rolled back with it', async () => {
    const products = createResource({
      path: '/products/:id',
      searchParams: {} as { currency: string },
      schema: TaxedProduct,
      optimistic: true,
    });
    answer(euro, 10);
    answer(dollar, 12);
    let settle = (_answer: object): void => undefined;
    const response = new Promise<Response>((resolve) => {
      settle = (answered) => resolve(Response.json(answered));
    });
    const update = products.partialUpdate.extend({ fetchResponse: () => response });
    const sent = controller.fetch(update, { id: '1', currency: 'EUR' } as { id: string }, { price: 99 });
    expect(product(euro)).toMatchObject({ name: 'Pen', price: 99, tax: 1 });
    expect(product(dollar)?.price).toBe(12);
    settle({ id: '1', price: 98 });
    await sent;
    expect(product(euro)).toMatchObject({ name: 'Pen', price: 98, tax: 1 });
    expect(product(dollar)?.price).toBe(12);
  });
});
