import { HoldfastError } from '../util/errors.ts';
import type { Recipe } from './transaction.ts';

/** The stores with a recipe that is running. */
const writing = /* @__PURE__ */ new WeakSet<object>();

/**
 * In development, a recipe during which the same store cannot be written: the recipe may call code of the app, and what
 * that writes would be lost when the recipe's own state is stored.
 *
 * @throws HoldfastError `HF_NESTED_WRITE` if such a recipe is running
 */
export function noNestedWrites<T>(store: object, recipe: Recipe<T>): Recipe<T> {
  if (writing.has(store))
    throw new HoldfastError(
      'HF_NESTED_WRITE',
      'The controller was written to by a function that it calls during a write, such as update(), merge() or getOptimisticResponse(), so that this would be lost; write when fetch() has resolved',
    );
  return (writer) => {
    writing.add(store);
    try {
      return recipe(writer);
    } finally {
      writing.delete(store);
    }
  };
}
