import { warnOnce } from '../util/warnOnce.ts';
import type { Schema } from './Schema.ts';

/** Warns about a list schema with more than one member, since only the first is used. Called in development only. */
export function checkList(schema: readonly Schema[], where: string): void {
  if (schema.length < 2) return;
  warnOnce(
    schema,
    'HF_LIST_SCHEMA',
    `In ${where}, a list has ${schema.length} schemas, of which only the first is used; for members of several kinds, write [new Union({ … }, 'type')]`,
  );
}
