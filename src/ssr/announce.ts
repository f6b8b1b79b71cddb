import type { Known } from '../controller/ServerReads.ts';
import type { Schema } from '../schema/Schema.ts';
import { references } from '../schema/references.ts';
import type { StoredRow } from '../store/State.ts';

/**
 * Commits a result that a server has sent once more, with the rows that it reaches: now that its schema is known,
 * storage can tell which those are. No value changes, so nothing renders.
 */
export function announce({ store, schemas, registry }: Known, key: string, schema: Schema): void {
  const result = store.base.results.get(key);
  if (result === undefined) return;
  schemas.set(key, schema);
  store.commit(
    (writer) => {
      writer.setResult(key, { ...result });
      const written = new Set<StoredRow>();
      // A list instead of recursion: rows may chain for thousands.
      const waiting: [Schema, unknown][] = [[schema, result.value]];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        references(...next, (entity, pk) => {
          registry.add(entity);
          const row = writer.row(entity.key, pk);
          if (row?.value === undefined || written.has(row)) return;
          const again = { ...row };
          written.add(again);
          writer.setRow(entity.key, pk, again);
          waiting.push([entity.schema, row.value]);
        });
      }
    },
    { action: { type: 'hydrate', key }, origin: 'network' },
  );
}
