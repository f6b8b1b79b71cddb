import type { Collection, CollectionSchema } from '../../schema/collection/Collection.ts';
import type { CollectionChange } from '../../schema/collection/CollectionChange.ts';
import { describe, HoldfastError } from '../../util/errors.ts';
import { listIn } from './collectionOf.ts';
import type { EndpointInterface } from '../EndpointInterface.ts';
import type { ListTarget } from '../EndpointOptions.ts';

/** A schema that adds to a list. */
export type ListAdder = Collection<CollectionSchema> | CollectionChange<unknown>;

/**
 * The schemas that add created entities to their lists, that of their own resource first.
 *
 * @throws HoldfastError `HF_NO_COLLECTION`
 */
export function listAddersOf({
  name,
  ownList,
  appendTo = [],
}: Pick<EndpointInterface, 'name' | 'ownList' | 'appendTo'>): readonly ListAdder[] {
  // Array.isArray does not exclude a readonly list from the type.
  const others = Array.isArray(appendTo) ? (appendTo as readonly ListTarget[]) : [appendTo as ListTarget];
  return [...(ownList === undefined ? [] : [ownList]), ...others].map((target) => listAdderOf(target, name));
}

function listAdderOf(target: ListTarget | undefined, name: string): ListAdder {
  const schema = target !== undefined && 'testKey' in target ? target.schema : target;
  const list = listIn(schema as ListAdder); // a schema that may contain one
  if (list !== undefined) return list;
  throw new HoldfastError(
    'HF_NO_COLLECTION',
    `\`appendTo\` of ${name} has ${describe(target)}, which has no Collection; pass a list endpoint or its Collection`,
  );
}
