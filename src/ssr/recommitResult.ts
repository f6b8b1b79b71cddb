import type { CachedRead } from '../controller/reads/CachedRead.ts';
import type { StoreSchemas } from '../controller/requests/HydrationSource.ts';
import type { Schema } from '../schema/Schema.ts';
import { references } from '../schema/references.ts';
import type { StoredRow } from '../store/State.ts';

/**
 * Commits a result that a server has sent again, with the rows that it reaches: now that its schema is known, storage
 * can determine those rows. No value changes, so no component renders.
 */
export function recommitResult({ store, registry }: StoreSchemas, read: CachedRead, schema: Schema): void {
  const { key } = read;
  const result = store.base.results.get(key);
  if (result === undefined) return;
  read.schema = schema;
  store.commit(
    (writer) => {
      writer.setResult(key, { ...result });
      const written = new Set<StoredRow>();
      // A loop instead of recursion: rows may form chains of thousands.
      const stack: [Schema, unknown][] = [[schema, result.value]];
      for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
        references(...next, (entity, pk) => {
          registry.add(entity);
          const row = writer.row(entity.key, pk);
          if (row?.value === undefined || written.has(row)) return;
          const again = { ...row };
          written.add(again);
          writer.setRow(entity.key, pk, again);
          stack.push([entity.schema, row.value]);
        });
      }
    },
    { action: { type: 'hydrate', key }, origin: 'network' },
  );
}
