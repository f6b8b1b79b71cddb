/** @jest-environment jest-fixed-jsdom */
import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, render, screen } from '@testing-library/react';
import { Collection, Controller, Endpoint, Entity, Lazy, Scalar, Values } from 'holdfast';
import { AsyncBoundary, DataProvider, useQuery, useSuspense } from 'holdfast/react';
import type { ReactElement } from 'react';
import { Book } from '../../support/entities.ts';

const options = {
  lens: (args: readonly [{ readonly currency?: string }?]) => args[0]?.currency,
  key: 'currency',
};
class ProductWithOptionalPrice extends Entity {
  id = '';
  name = '';
  price: number | undefined = 0;
  static override key = 'Product';
  static override schema = { price: new Scalar(options) };
}
const byCurrency = new Scalar({ ...options, entity: ProductWithOptionalPrice });

const rates: Record<string, number> = { EUR: 1, USD: 2, GBP: 3 };
let requests: string[] = [];
const getProducts = new Endpoint(
  async ({ currency }: { currency: string }) => {
    requests.push(`products ${currency}`);
    return ['1', '2'].map((id) => ({ id, name: `p${id}`, price: Number(id) * (rates[currency] ?? 0) }));
  },
  { name: 'getProducts', schema: new Collection([ProductWithOptionalPrice], { argsKey: () => ({}) }) },
);
const getPrices = new Endpoint(
  async ({ currency }: { currency: string }) => {
    requests.push(`prices ${currency}`);
    return { 1: { price: rates[currency] }, 2: { price: 2 * (rates[currency] ?? 0) } };
  },
  { name: 'getPrices', schema: new Values(byCurrency) },
);
class NamedAuthorWithBooks extends Entity {
  id = '';
  name = '';
  books: string[] = [];
  static override key = 'Author';
  static override schema = { books: new Lazy([Book]) };
}
const getAuthor = new Endpoint(
  async ({ id }: { id: string }) => ({ id, name: 'Ann', books: [{ id: 'a', title: 'A' }, { id: 'b' }] }),
  { name: 'getAuthor', schema: NamedAuthorWithBooks },
);

let renders: Record<string, number> = {};
const count = (name: string): void => void (renders[name] = (renders[name] ?? 0) + 1);
const text = (name: string): string | null => screen.getByTestId(name).textContent;

afterEach(() => {
  cleanup();
  renders = {};
  requests = [];
});

function Prices({ currency }: { currency: string }): ReactElement {
  const products = useSuspense(getProducts, { currency });
  useSuspense(getPrices, { currency });
  count(currency);
  return <p data-testid={currency}>{products.map(({ name, price }) => `${name} ${price}`).join(', ')}</p>;
}
function Price({ currency }: { currency: string }): ReactElement {
  const product = useQuery(ProductWithOptionalPrice, { id: '1', currency });
  count(`one ${currency}`);
  return <p data-testid={`one ${currency}`}>{String(product?.price)}</p>;
}

it('components show the same entities by several lens values, each rendered only for its own', async () => {
  const controller = new Controller();
  const tree = (...currencies: string[]): ReactElement => (
    <DataProvider controller={controller}>
      {currencies.map((currency) => (
        <AsyncBoundary key={currency} fallback={<p>loading</p>}>
          <Prices currency={currency} />
          <Price currency={currency} />
        </AsyncBoundary>
      ))}
    </DataProvider>
  );
  const { rerender } = render(tree('EUR'));
  expect(await screen.findByTestId('EUR')).toBeTruthy();
  expect(text('EUR')).toBe('p1 1, p2 2');
  expect(text('one EUR')).toBe('1');
  const rendered = { ...renders };
  await act(async () => rerender(tree('EUR', 'USD')));
  expect(await screen.findByTestId('USD')).toBeTruthy();
  expect([text('EUR'), text('USD'), text('one USD')]).toEqual(['p1 1, p2 2', 'p1 2, p2 4', '2']);
  // The list was there already, by whatever currency.
  expect(requests).toEqual(['products EUR', 'prices EUR', 'prices USD']);
  // Once for the parent that rendered again, and not for the values of another currency.
  expect(renders['EUR']).toBe((rendered['EUR'] ?? 0) + 1);
  const before = { ...renders };
  act(() => controller.setResponse(getPrices, { currency: 'USD' }, { 1: { price: 7 } }));
  expect([text('EUR'), text('USD'), text('one EUR'), text('one USD')]).toEqual([
    'p1 1, p2 2',
    'p1 7, p2 4',
    '1',
    '7',
  ]);
  expect(renders['EUR']).toBe(before['EUR']);
  expect(renders['one EUR']).toBe(before['one EUR']);
  expect(renders['one USD']).toBe((before['one USD'] ?? 0) + 1);
  act(() => controller.set(ProductWithOptionalPrice, { id: '1' }, { name: 'Pen' }));
  expect([text('EUR'), text('USD')]).toEqual(['Pen 1, p2 2', 'Pen 7, p2 4']);
});

it('a change of a member renders only components that resolve the lazy relation', async () => {
  const controller = new Controller();
  function Titles({ author }: { author: NamedAuthorWithBooks }): ReactElement {
    const books = useQuery(NamedAuthorWithBooks.schema.books.query, author.books);
    count('titles');
    return <p data-testid="titles">{books?.map(({ id, title }) => id + title).join() ?? 'none'}</p>;
  }
  function Name(): ReactElement {
    const author = useSuspense(getAuthor, { id: '1' });
    count('name');
    return (
      <>
        <p data-testid="name">{author.name}</p>
        <Titles author={author} />
      </>
    );
  }
  render(
    <DataProvider controller={controller}>
      <AsyncBoundary fallback={<p>loading</p>}>
        <Name />
      </AsyncBoundary>
    </DataProvider>,
  );
  expect(await screen.findByTestId('name')).toBeTruthy();
  expect(text('titles')).toBe('aA,b');
  const before = { ...renders };
  act(() => controller.set(Book, { id: 'b' }, { title: 'B' }));
  expect(text('titles')).toBe('aA,bB');
  expect(renders).toEqual({ name: before['name'], titles: (before['titles'] ?? 0) + 1 });
  act(() =>
    controller.set(NamedAuthorWithBooks, { id: '1' }, (draft) => {
      draft.books = ['b'];
    }),
  );
  expect(text('titles')).toBe('bB');
});
