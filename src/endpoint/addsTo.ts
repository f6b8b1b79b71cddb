import type { Collection, CollectionSchema } from '../schema/Collection.ts';
import type { CollectionChange } from '../schema/CollectionChange.ts';
import { describe, HoldfastError } from '../util/errors.ts';
import { listIn } from './collectionOf.ts';
import type { EndpointInterface } from './EndpointInterface.ts';
import type { ListTarget } from './EndpointOptions.ts';

/** What adds to a list. */
export type ListAdder = Collection<CollectionSchema> | CollectionChange<unknown>;

/**
 * What adds what a mutation makes to the lists that it is to be in: that of its own resource first.
 *
 * @throws HoldfastError `HF_NO_COLLECTION`
 */
export function addersOf({
  name,
  ownList,
  addsTo = [],
}: Pick<EndpointInterface, 'name' | 'ownList' | 'addsTo'>): readonly ListAdder[] {
  // Array.isArray does not narrow a readonly list away.
  const others = Array.isArray(addsTo) ? (addsTo as readonly ListTarget[]) : [addsTo as ListTarget];
  return [...(ownList === undefined ? [] : [ownList]), ...others].map((target) => adderOf(target, name));
}

function adderOf(target: ListTarget | undefined, name: string): ListAdder {
  const schema = target !== undefined && 'testKey' in target ? target.schema : target;
  const list = listIn(schema as ListAdder); // a schema that may have one
  if (list !== undefined) return list;
  throw new HoldfastError(
    'HF_NO_COLLECTION',
    `\`addsTo\` of ${name} has ${describe(target)}, which has no Collection; pass a list endpoint or its Collection`,
  );
}
