import type { Header } from '../records/header.ts';

/** The writes of a compaction or an eviction, for one transaction. */
export interface RewritePlan {
  /** The `identity` of the database that it was made for. No other is rewritten. */
  readonly identity: string | undefined;
  /** The new header. */
  readonly header: Header;
  readonly shards: readonly (readonly [table: string, shard: number, rows: unknown])[];
  /** Results by key; undefined deletes one. */
  readonly results: readonly (readonly [key: string, result: unknown])[];
  /** Log records up to this one are deleted. */
  readonly dropLogThrough: number;
  /** The last sequence number the log may have: newer records may refer to what the plan removes. */
  readonly logEndsAt?: number;
  /** The directory, if results are not stored under their keys. */
  readonly directory?: unknown;
}
