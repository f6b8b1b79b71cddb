import type { RemoveCursor } from '../../schema/collection/CollectionPage.ts';
import type { Schema } from '../../schema/Schema.ts';
import { isPlain } from '../../util/isPlain.ts';
import { HoldfastError } from '../../util/errors.ts';
import { stableJson } from '../stableJson.ts';
import { collectionOf, pageOf, type AnyCollection, type ChangeName } from './collectionOf.ts';

/** The endpoint that another one is derived from. */
interface ListSource {
  readonly name: string;
  readonly schema: Schema;
  key(...args: readonly unknown[]): string;
}

/**
 * The options of an endpoint that changes the collection in another endpoint's schema.
 *
 * @throws HoldfastError `HF_NO_COLLECTION`
 */
export function changeOptions(list: ListSource, change: ChangeName, method: string): object {
  const schema = collectionIn(list, change)[change];
  // A list that is read by POST has `sideEffect: false`.
  return { method, schema, body: {}, response: undefined, sideEffect: true, name: `${list.name}.${change}` };
}

/**
 * The options of an endpoint that reads a further page of another endpoint's list.
 *
 * @param cursor - the parameter for the page, or a function that removes it from the arguments
 * @throws HoldfastError `HF_NO_COLLECTION`
 */
export function pageOptions(list: ListSource, cursor: string | RemoveCursor): object {
  collectionIn(list, 'getPage');
  const removeCursor: RemoveCursor =
    typeof cursor === 'function' ? cursor : (...args) => args.map((arg) => omit(arg, cursor));
  return {
    schema: pageOf(list.schema, removeCursor),
    name: `${list.name}.getPage`,
    // A key of the app's own may be the same for all pages, and equal requests are shared.
    key: (...args: readonly unknown[]) => `${list.key(...args)} ${stableJson(args)}`,
    resultKey: (...args: readonly unknown[]) => list.key(...removeCursor(...args)),
  };
}

function collectionIn({ name, schema }: ListSource, member: string): AnyCollection {
  const collection = collectionOf(schema);
  if (collection !== undefined) return collection;
  throw new HoldfastError(
    'HF_NO_COLLECTION',
    `${name} has no Collection in its schema for ${member}; use new Collection([Entity])`,
  );
}

/** Values that are not plain objects, such as a FormData, are used unchanged. */
function omit(arg: unknown, name: string): unknown {
  if (!isPlain(arg)) return arg;
  return Object.fromEntries(Object.entries(arg).filter(([other]) => other !== name));
}
