/** A stored entity as plain data: fields as they arrived, nested entities as pks, no defaults. */
export type EntityValue = Readonly<Record<string, unknown>>;

/** When and by whom a row or result was written. All rows of one response share one `Meta` object. */
export interface Meta {
  /** When the request began, in ms since the epoch. */
  readonly requestedAt: number;
  /** When the answer arrived, in ms since the epoch. */
  readonly receivedAt: number;
  /** When it becomes stale, in ms since the epoch; `Infinity` never. */
  readonly expiresAt: number;
  /** Place of the request in the order of all requests. Older never overwrites newer. */
  readonly order: number;
  /** Place in the same order at which a mutation was answered; 0 for a read. */
  readonly answered: number;
}

/** What `validate` answers: a message or `true` when the row is invalid or incomplete, else nothing. */
export type Invalidity = string | boolean | undefined | void;
