import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Endpoint, Entity, Lazy, Scalar, type Schema } from 'holdfast';
import { Network } from './network.ts';
import { ArticleWithText, openTab } from '../support/tabs.ts';

let network: Network;
beforeEach(() => {
  network = new Network();
  network.install();
});
afterEach(() => network.restore());

class ProductWithRelated extends Entity {
  id = '';
  name = '';
  price = 0;
  related: string[] = [];
  static override key = 'Product';
  static override schema: Record<string, Schema> = {
    price: new Scalar({
      lens: (args: readonly [{ readonly currency?: string }?]) => args[0]?.currency,
      key: 'currency',
    }),
    related: new Lazy([ArticleWithText]),
  };
}
const getProduct = new Endpoint(
  (_params: { id: string; currency: string }): Promise<unknown> => Promise.resolve(),
  {
    name: 'getProduct',
    schema: ProductWithRelated,
  },
);

it.each([
  ['one after the other', undefined],
  ['within one millisecond', () => 1_000_000],
])('values of a lens value that tabs receive %s are broadcast to other tabs', async (_when, now) => {
  const options = now === undefined ? {} : { now };
  const [first, second] = [openTab(options), openTab(options)];
  await network.deliver();
  const euro = { id: '1', currency: 'EUR' };
  const dollar = { id: '1', currency: 'USD' };
  const related = [{ id: 'a', title: 'A' }];
  first.controller.setResponse(getProduct, euro, { id: '1', name: 'Pen', price: 10, related });
  await network.deliver();
  second.controller.setResponse(getProduct, dollar, { id: '1', name: 'Pen', price: 12, related });
  first.controller.setResponse(getProduct, euro, { id: '1', name: 'Pen', price: 11, related });
  const before = second.controller.get(ProductWithRelated, dollar);
  await network.deliver();
  for (const { controller } of [first, second]) {
    expect([euro, dollar].map((params) => controller.get(ProductWithRelated, params)?.price)).toEqual([
      11, 12,
    ]);
    const product = controller.get(ProductWithRelated, dollar);
    expect(product?.related).toEqual(['a']);
    expect(controller.get(new Lazy([ArticleWithText]).query, product?.related)?.[0]?.title).toBe('A');
  }
  expect(second.controller.get(ProductWithRelated, dollar)).toBe(before);
});
