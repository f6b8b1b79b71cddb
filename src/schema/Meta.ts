/** A stored entity as plain data: fields as they arrived, nested entities as pks, no defaults. */
export type EntityValue = Readonly<Record<string, unknown>>;

/** When a row or result was written, and by which request. All rows of one response share one `Meta` object. */
export interface Meta {
  /** When the request started, in ms since the epoch. */
  readonly requestedAt: number;
  /**
   * When the response arrived, in ms since the epoch. Also decides how long a tombstone is kept, what is evicted first,
   * and which of two tabs wins if their orders are equal.
   */
  readonly receivedAt: number;
  /** When it becomes stale, in ms since the epoch; `Infinity` means never. `-Infinity` if it never would by itself. */
  readonly expiresAt: number;
  /** Position of the request in the order of all requests. Older data never overwrites newer data. */
  readonly order: number;
  /** Position in the same order at which a mutation's response arrived; 0 for a read. */
  readonly answered: number;
}

/** The result of `validate`: a message or `true` if the row is invalid or incomplete, else nothing. */
export type Invalidity = string | boolean | undefined | void;
