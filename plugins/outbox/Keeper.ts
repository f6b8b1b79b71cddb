import type { SideRecords } from 'holdfast';

/** Where records are kept. */
export interface Keeper {
  /** Every record. */
  read(): Promise<SideRecords>;
  /**
   * Resolves when these, and all that were written before, are durable. Undefined deletes.
   *
   * @throws unless they are durable
   */
  write(records: SideRecords): Promise<void>;
  close(): Promise<void>;
}
