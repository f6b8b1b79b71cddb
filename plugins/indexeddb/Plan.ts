import type { Header } from './header.ts';
import type { ResultRecord } from './resultRecord.ts';
import type { RowBlock } from './rowBlock.ts';

/** What a fold or an eviction is going to write, all of it in one transaction. */
export interface Plan {
  /** The header to come. */
  readonly header: Header;
  readonly shards: readonly (readonly [table: string, shard: number, rows: RowBlock])[];
  /** Results by key; undefined deletes one. */
  readonly results: readonly (readonly [key: string, result: ResultRecord | undefined])[];
  /** Log records up to this one are deleted. */
  readonly dropLogThrough: number;
}
