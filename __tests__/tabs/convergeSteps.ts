import fc from 'fast-check';
import { Delete, Endpoint, type State } from 'holdfast';
import { ArticleWithText, getArticle, type Tab } from '../support/tabs.ts';

export const TABS = 3;

const deleteArticle = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
  name: 'deleteArticle',
  sideEffect: true,
  schema: new Delete(ArticleWithText),
});

export const getTitle = new Endpoint(async ({ id }: { id: string }) => id, { name: 'getTitle' });

const tab = fc.nat(TABS - 1);
const id = fc.constantFrom('1', '2', '3');

/** What happens: something is done in a tab, or the network carries or loses a message. */
export const step = fc.oneof(
  fc.record({
    do: fc.constantFrom('write', 'read', 'delete', 'invalidate', 'expire'),
    tab,
    id,
    waits: fc.boolean(),
  }),
  fc.record({ do: fc.constantFrom('deliver', 'deliver', 'lose'), route: fc.nat() }),
  fc.record({ do: fc.constant('wake') }),
);
export const rareReset = fc.record({ do: fc.constant('reset'), tab });

export type Step =
  | {
      readonly do: 'write' | 'read' | 'delete' | 'invalidate' | 'expire';
      readonly tab: number;
      readonly id: string;
      readonly waits: boolean;
    }
  | { readonly do: 'deliver' | 'lose'; readonly route: number }
  | { readonly do: 'wake' }
  | { readonly do: 'reset'; readonly tab: number };

export const steps = fc.array(
  fc.oneof({ weight: 20, arbitrary: step }, { weight: 1, arbitrary: rareReset }),
  {
    maxLength: 60,
  },
) as fc.Arbitrary<Step[]>; // fast-check widens the names to strings

/** Rows and results as they stand, to be compared. */
export function contents({ tables, results }: State): {
  readonly rows: readonly unknown[];
  readonly results: readonly unknown[];
} {
  const rows = [...(tables['Article']?.entries() ?? [])].map(([pk, { value, meta }]) => [
    pk,
    value,
    meta.order,
  ]);
  return {
    rows: rows.sort(byName),
    results: [...results.entries()]
      .map(([key, { value, meta, invalidated }]) => [key, value, meta.order, meta.expiresAt, invalidated])
      .sort(byName),
  };
}

function byName([left]: unknown[], [right]: unknown[]): number {
  return String(left).localeCompare(String(right));
}

export function act(where: Tab | undefined, next: Extract<Step, { id: string }>, title: string): void {
  if (where === undefined) return;
  const { controller } = where;
  const { id: articleId } = next;
  switch (next.do) {
    case 'write':
      controller.set(ArticleWithText, { id: articleId }, { id: articleId, title });
      break;
    case 'read':
      controller.setResponse(getArticle, { id: articleId }, { id: articleId, title });
      controller.setResponse(getTitle, { id: articleId }, title);
      break;
    case 'delete':
      controller.setResponse(deleteArticle, { id: articleId }, { id: articleId });
      break;
    case 'invalidate':
      controller.invalidate(getArticle, { id: articleId });
      controller.invalidate(getTitle, { id: articleId });
      break;
    case 'expire':
      controller.expireAll(getArticle);
      controller.expireAll(getTitle);
  }
}
