import type { SideRecords } from 'holdfast';

/** Persists records. */
export interface QueueStore {
  /** Every record. */
  read(): Promise<SideRecords>;
  /**
   * Resolves when these and all earlier records are durable. Undefined deletes a record.
   *
   * @throws if they are not durable
   */
  write(records: SideRecords): Promise<void>;
  close(): Promise<void>;
}
