import type { Views } from '../../src/views/Views.ts';

/** How many entities and results have a node. */
export function nodeCount({ nodes }: Views): number {
  const entities = [...nodes.classes.keys()].flatMap((entity) =>
    [...nodes.of(entity)].map(({ size }) => size),
  );
  const results = [...nodes.resultKeys()].map((key) => nodes.results(key).length);
  return [...entities, ...results].reduce((sum, size) => sum + size, 0);
}
