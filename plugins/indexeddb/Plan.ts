import type { Header } from './header.ts';

/** What a fold or an eviction is going to write, all of it in one transaction. */
export interface Plan {
  /** The header to come. */
  readonly header: Header;
  readonly shards: readonly (readonly [table: string, shard: number, rows: unknown])[];
  /** Results by key; undefined deletes one. */
  readonly results: readonly (readonly [key: string, result: unknown])[];
  /** Log records up to this one are deleted. */
  readonly dropLogThrough: number;
  /** The last place of a log that nothing may have been added to: whatever is new may name what the plan takes away. */
  readonly logEndsAt?: number;
  /** Where results do not lie under their keys: under what. */
  readonly directory?: unknown;
}
